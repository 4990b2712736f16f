"""The distribution, alone: built as it is published, installed where nothing else is, and used there."""

import shutil
import subprocess
import sys
import tarfile
from email.parser import HeaderParser
from pathlib import Path
from textwrap import dedent
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.long

SOURCE = Path(__file__).parents[2] / "clients" / "python"
VERSIONS = ("3.11", "3.12", "3.13")
LEFT_OUT = shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__")

USE = """
    import importlib, pkgutil, sys
    import finspan

    for module in pkgutil.walk_packages(finspan.__path__, "finspan."):
        if module.name != "finspan.__main__":
            importlib.import_module(module.name)
    try:
        finspan.LocalService()
    except finspan.ServiceNotInstalled as error:
        print(error)
    with finspan.Client(sys.argv[1]) as client:
        bots = {"greedy": finspan.GreedyBot(), "random": finspan.RandomBot(1)}
        records = list(finspan.play_match(client, bots, finspan.schedule(list(bots), 2, seed="wheel")))
        for record in records:
            *_, last = finspan.replay(client, record)
            print(last.after.digest)
"""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Return what a command says, after it has ended well; a deprecation is a failure."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)  # noqa: S603  our own
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where both distributions lie, the wheel built from the other one.

    They are built from a copy, since building leaves things behind.
    """
    copy = tmp_path_factory.mktemp("wheel") / "source"
    shutil.copytree(SOURCE, copy, ignore=LEFT_OUT)
    run(sys.executable, "-m", "build", "--no-isolation", copy)
    return copy / "dist"


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


def python_of(version: str) -> str | None:
    """Return an interpreter of a version: on the path, or among pyenv's."""
    pyenv = Path.home() / ".pyenv" / "versions"
    for candidate in (f"python{version}", *sorted(pyenv.glob(f"{version}.*/bin/python"))):
        says = [str(candidate), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        try:
            result = subprocess.run(says, capture_output=True, text=True, check=False)  # noqa: S603  the same
        except OSError:
            continue
        if result.stdout.strip() == version:
            return str(candidate)
    return None


def test_it_holds_all_that_it_needs_and_nothing_else(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    modules = {f"finspan/{path.name}" for path in (SOURCE / "src" / "finspan").glob("*.py")}
    assert modules <= set(names)
    assert {"finspan/py.typed", "finspan/v1/finspan_pb2.pyi", "finspan/v1/finspan_pb2_grpc.py"} <= set(names)
    assert {name.partition("/")[2] for name in names if "/licenses/" in name} == {
        "licenses/LICENSE",
        "licenses/NOTICE",
    }
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"finspan"}


def test_the_source_distribution_is_whole(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    paths = (path for part in ("examples", "src/finspan") for path in (SOURCE / part).rglob("*.*"))
    ours = {path.relative_to(SOURCE).as_posix() for path in paths if path.suffix != ".pyc"}
    assert {"LICENSE", "NOTICE", "README.md", "pyproject.toml"} | ours <= names
    assert "examples/my_bot.py" in ours
    assert not any(name.endswith(".pyc") for name in names)


def test_it_says_what_it_is(wheel: Path) -> None:
    (name,) = (name for name in ZipFile(wheel).namelist() if name.endswith("/METADATA"))
    says = HeaderParser().parsestr(ZipFile(wheel).read(name).decode("utf-8"))
    assert says["Author"] == "The Finspan engine contributors"
    assert "finspan" in says["Keywords"].split(",")
    assert "Intended Audience :: Developers" in says.get_all("Classifier", [])
    assert says["License-Expression"] == "Apache-2.0"


@pytest.mark.parametrize("version", VERSIONS)
def test_it_works_alone(wheel: Path, tmp_path: Path, real_server: str, version: str) -> None:
    bin_ = installed(wheel, tmp_path, version)
    script = tmp_path / "use.py"
    script.write_text(dedent(USE))
    said = run(bin_ / "python", "-W", "error", script, real_server, cwd=tmp_path)
    assert said.startswith("The service is not installed here.")
    demo = run(bin_ / "finspan", "demo", "--address", real_server, "--quiet", cwd=tmp_path)
    assert "Final score" in demo


def test_who_uses_it_can_check_types_strictly(wheel: Path, tmp_path: Path) -> None:
    bin_ = installed(f"{wheel}[types]", tmp_path, VERSIONS[0])
    examples = (SOURCE / "examples").glob("*.py")
    checker = (sys.executable, "-m", "mypy", "--strict", "--config-file", "")
    run(*checker, "--python-executable", bin_ / "python", *examples, cwd=tmp_path)


def installed(what: str | Path, where: Path, version: str) -> Path:
    """Return the directory of the programs of a new environment with this in it."""
    python = python_of(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    run(python, "-m", "venv", where / "venv")
    programs = where / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", what)
    run(programs / "pip", "check")
    return programs
