"""The Dockerfile: what it names exists, and its steps, carried out here, give a service that serves."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from finspan import Client
from service.settings import PREFIX, Settings
from tests import redis_server
from tests.deploy.manifests import ROOT, SAMPLES, Manifests, manifests_or_skip
from tests.load.program import Program

INSTALLED: Final = "/opt/finspan"
"""Where the image has the service."""


class Instruction(NamedTuple):
    """An instruction of a Dockerfile, with continued lines in one."""

    word: str
    rest: str


def instructions() -> list[Instruction]:
    """Return the instructions of the Dockerfile, in order."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", "")
    return [Instruction(*line.split(maxsplit=1)) for line in code.splitlines() if line]


def rests(word: str) -> list[str]:
    """Return what stands behind each instruction of this kind."""
    return [each.rest for each in instructions() if each.word == word]


def pairs(word: str) -> dict[str, str]:
    """Return the names and values that LABEL or ENV sets."""
    return dict(re.findall(r'([\w.]+)="?([^\s"]+)"?', " ".join(rests(word))))


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


@pytest.fixture
def base() -> Manifests:
    return manifests_or_skip("base")


# What the Dockerfile names.


def test_the_entry_point_is_a_command_of_the_client() -> None:
    command, *arguments = json.loads(rests("ENTRYPOINT")[0])
    assert command in toml("clients/python/pyproject.toml")["project"]["scripts"]
    assert arguments == ["serve"]


def test_the_image_is_called_as_the_manifests_call_it() -> None:
    project = toml("pyproject.toml")["project"]
    name, version = project["name"], project["version"]
    assert f"docker build --tag {name}:{version} ." in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    labels = pairs("LABEL")
    assert labels["org.opencontainers.image.title"] == name
    assert labels["org.opencontainers.image.version"] == version
    assert labels["org.opencontainers.image.licenses"] == project["license"]


def test_the_image_and_its_pods_agree(base: Manifests) -> None:
    assert rests("EXPOSE") == [base.from_config_map["FINSPAN_PORT"]]
    security = base.pod["spec"]["securityContext"]
    assert rests("USER") == [f"{security['runAsUser']}:{security['runAsGroup']}"]
    settings = {name for name in pairs("ENV") if name.startswith(PREFIX)}
    assert settings <= {PREFIX + name.upper() for name in Settings.model_fields}


def test_both_stages_have_the_same_python() -> None:
    first, second = (rest.split()[0] for rest in rests("FROM"))
    assert first == second  # or the environment of one would not run in the other
    found = re.fullmatch(r"python:(3\.\d+)-slim-\w+(@sha256:[0-9a-f]{64})?", first)
    assert found
    assert f"Programming Language :: Python :: {found[1]}" in toml("pyproject.toml")["project"]["classifiers"]


# What is installed.


def locked(lock: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Return version and hashes of each package in a lock."""
    entries = re.split(r"^(?=\w)", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        entry.split("==")[0]: (entry.split()[0], frozenset(re.findall(r"sha256:\w+", entry)))
        for entry in entries
    }


def test_the_image_has_what_the_tests_ran_with_and_no_more() -> None:
    """If they differ: make lock."""
    runtime, everything = locked("requirements-runtime.lock"), locked("requirements.lock")
    assert runtime.items() <= everything.items()
    needed = toml("pyproject.toml")["project"]["dependencies"]
    needed += toml("clients/python/pyproject.toml")["project"]["dependencies"]
    names = {re.split(r"[\[<>=;]", each)[0] for each in needed} - {"finspan"}
    assert names | {"setuptools"} <= runtime.keys()
    assert not {"pytest", "mypy", "ruff", "grpcio-tools", "kubernetes-validate"} & runtime.keys()


def copy_context(folder: Path) -> None:
    """Copy what .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    ignored = shutil.ignore_patterns(*(line[3:] for line in lines if line.startswith("**/")))
    assert "*" in lines
    for line in lines:
        if line.startswith("!/"):
            source, target = ROOT / line[2:], folder / line[2:]
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=ignored)
            else:
                shutil.copy(source, target)


def carry_out(context: Path, installed: Path) -> None:
    """Carry out the steps of the Dockerfile, with a folder of one's own in the place of the image's."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for command in rests("RUN"):
        here = command.replace(INSTALLED, str(installed))
        subprocess.run(["sh", "-c", here], cwd=context, env=own | {"PATH": path}, check=True)  # noqa: S603, S607  the Dockerfile's own words


@contextmanager
def entered(installed: Path, **variables: str) -> Iterator[Program]:
    """Run the entry point as in a container: with nothing in the environment but what is given."""
    own = {name: value.replace(INSTALLED, str(installed)) for name, value in pairs("ENV").items()}
    command, *arguments = json.loads(rests("ENTRYPOINT")[0])
    with subprocess.Popen(  # noqa: S603  the Dockerfile's own words
        [str(installed / "bin" / command), *arguments],
        cwd=rests("WORKDIR")[-1],
        env=own | variables,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Program(process)
        finally:
            process.terminate()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_steps_of_the_dockerfile_give_a_service(tmp_path: Path) -> None:
    program = redis_server.find_source().program
    if program is None:
        pytest.skip("needs a server of its own; there is only a URL, or a container")
    installed = tmp_path / "finspan"
    (context := tmp_path / "src").mkdir()
    copy_context(context)
    carry_out(context, installed)
    shutil.rmtree(context)
    assert not [*installed.glob("lib/*/site-packages/pip"), *installed.glob("lib/*/site-packages/setuptools")]
    with redis_server.serve(program) as redis:
        secrets = SAMPLES | {"FINSPAN_REDIS_URL": f"redis://{redis_server.HOST}:{redis.port}"}
        with entered(installed, FINSPAN_PORT="0", **secrets) as server:
            (line,) = server.events("serving")
            assert (line["host"], line["hosted"]) == (pairs("ENV")["FINSPAN_HOST"], "redis")
            with Client(server.address) as client:
                assert client.new_game(players=2, seed="a seed").state.players
