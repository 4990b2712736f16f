"""The manifests of deploy/k8s as they are applied: rendered, and as data.

``python -m tests.deploy.manifests FOLDER`` writes each form to a file of that folder.
"""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
FORMS: Final = {"base": "base", "dev": "overlays/dev"}
"""The folders of deploy/k8s that can be applied, by the name of the form."""
SAMPLES: Final = {
    "FINSPAN_SEAL_KEYS": "a:" + "0" * 64,
    "FINSPAN_TOKEN_KEYS": "a:" + "1" * 64,
    "FINSPAN_REDIS_URL": "redis://redis.example:6379/0",
    "FINSPAN_ADMIN_KEYS": "the key of an administrator",
    "FINSPAN_API_KEYS": "the key of a maker",
}
"""A secret as an operator would make it for the base, which has none."""

Manifest = dict[str, Any]


class CannotRender(Exception):
    """There is no kubectl."""


def _kubectl() -> str:
    beside = Path(sys.executable).with_name("kubectl")
    found = str(beside) if beside.exists() else shutil.which("kubectl")
    if found is None:
        raise CannotRender("there is no kubectl: neither beside this Python nor on PATH")
    return found


@cache
def rendered(form: str) -> str:
    """Return what would be applied, in YAML.

    Raises:
        CannotRender: there is no kubectl.

    """
    return render(ROOT / "deploy" / "k8s" / FORMS[form])


def render(folder: Path) -> str:
    """Return what a folder would apply, in YAML.

    Raises:
        CannotRender: there is no kubectl.

    """
    command = [_kubectl(), "kustomize", str(folder)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  our own words


class Manifests:
    """All manifests of one form."""

    def __init__(self, text: str) -> None:
        self.all: Sequence[Manifest] = [*yaml.safe_load_all(text)]

    def of_kind(self, *kinds: str) -> list[Manifest]:
        """Return all manifests of these kinds."""
        return [manifest for manifest in self.all if manifest["kind"] in kinds]

    def one(self, kind: str, name: str) -> Manifest:
        """Return a manifest by kind and name."""
        (found,) = [each for each in self.of_kind(kind) if each["metadata"]["name"] == name]
        return found

    @property
    def workloads(self) -> list[Manifest]:
        """What makes pods."""
        return self.of_kind("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod")

    @property
    def pod(self) -> Manifest:
        """The template of the service's pods."""
        template: Manifest = self.one("Deployment", "finspan")["spec"]["template"]
        return template

    @property
    def container(self) -> Manifest:
        """The service's container."""
        (container,) = self.pod["spec"]["containers"]
        return dict(container)

    @property
    def from_config_map(self) -> dict[str, str]:
        """The variables of the service that are no secret."""
        variables: dict[str, str] = {}
        for source in self.container["envFrom"]:
            variables |= self.one("ConfigMap", source["configMapRef"]["name"])["data"]
        return variables

    @property
    def from_secret(self) -> dict[str, str]:
        """The variables of the service that are secret, with values of the form's secret, or sampled ones."""
        return {
            entry["name"]: self._secret(**entry["valueFrom"]["secretKeyRef"])
            for entry in self.container["env"]
        }

    def _secret(self, name: str, key: str) -> str:
        if not self.of_kind("Secret"):
            return SAMPLES[key]
        return base64.b64decode(self.one("Secret", name)["data"][key]).decode()


def manifests_or_skip(form: str) -> Manifests:
    """Return a form's manifests; without kubectl a test is left out here, but not in CI."""
    return _or_skip(partial(rendered, form))


def manifests_of_folder_or_skip(folder: Path) -> Manifests:
    """Return the manifests of a folder with a kustomization; without kubectl as above."""
    return _or_skip(partial(render, folder))


def _or_skip(rendering: Callable[[], str]) -> Manifests:
    try:
        return Manifests(rendering())
    except CannotRender as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


def selectors(manifest: object) -> Iterator[Manifest]:
    """Yield all labels that a manifest selects pods by, wherever they stand in it."""
    if isinstance(manifest, dict):
        for key, value in manifest.items():
            if key == "matchLabels" or (key == "selector" and "matchLabels" not in value):
                yield value
            else:
                yield from selectors(value)
    elif isinstance(manifest, list):
        for each in manifest:
            yield from selectors(each)


def _write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for form in FORMS:
        (folder / f"{form}.yaml").write_text(rendered(form), encoding="utf-8")


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
