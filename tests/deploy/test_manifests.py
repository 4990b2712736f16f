"""The manifests fit the schemas of Kubernetes, and what they name exists in the code."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from grpc.aio import insecure_channel as channel_to
from kubernetes_validate import utils as schemas
from pydantic import SecretStr
from redis import Redis

from service import workers
from service.server import HOSTED
from service.settings import PREFIX, Settings, load_settings
from service.testing import running_server
from tests import redis_server
from tests.deploy.manifests import (
    FORMS,
    ROOT,
    Manifest,
    Manifests,
    manifests_of_folder_or_skip,
    manifests_or_skip,
    selectors,
)
from tests.service.test_server import SERVING, health_of

OLDEST: Final = "1.27"
"""The first version of Kubernetes that has all that the manifests use."""
PROBES: Final = ("startupProbe", "readinessProbe", "livenessProbe")
VERSION: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
FIELDS: Final = {PREFIX + name.upper(): field for name, field in Settings.model_fields.items()}
SECRETS: Final = {name for name, field in FIELDS.items() if field.annotation is SecretStr}


@pytest.fixture(params=FORMS)
def manifests(request: pytest.FixtureRequest) -> Manifests:
    return manifests_or_skip(request.param)


@pytest.fixture
def base() -> Manifests:
    return manifests_or_skip("base")


@pytest.fixture
def dev() -> Manifests:
    return manifests_or_skip("dev")


# The schemas.


def check(manifest: Manifest, version: str) -> None:
    """Refuse a manifest with a fault or an unknown field, or of a kind without a schema."""
    schemas.validate(manifest, version, strict=True)


@pytest.mark.parametrize("version", [OLDEST, schemas.latest_version()])
def test_all_manifests_fit_the_schemas(manifests: Manifests, version: str) -> None:
    for manifest in manifests.all:
        check(manifest, version)


def test_a_field_that_does_not_exist_is_noticed(base: Manifests) -> None:
    deployment = deepcopy(base.one("Deployment", "finspan"))
    deployment["spec"]["template"]["spec"]["restartPolice"] = "Always"
    with pytest.raises(schemas.ValidationError, match="restartPolice"):
        check(deployment, OLDEST)


def test_a_kind_without_a_schema_is_noticed() -> None:
    with pytest.raises(schemas.SchemaNotFoundError):
        check({"apiVersion": "example.org/v1", "kind": "Aquarium", "metadata": {"name": "x"}}, OLDEST)


# Names that the code has.


def test_the_readme_names_the_oldest_kubernetes() -> None:
    readme = (ROOT / "deploy" / "k8s" / "README.md").read_text(encoding="utf-8")
    assert f"Kubernetes {OLDEST} or newer" in readme


def test_every_setting_has_a_value_that_the_service_takes(
    manifests: Manifests, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = manifests.from_config_map | manifests.from_secret
    assert variables.keys() <= FIELDS.keys()
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.host == "0.0.0.0"  # noqa: S104  a pod is reached from outside
    assert settings.hosts_games


def test_secrets_come_from_a_secret_and_nothing_else_does(manifests: Manifests) -> None:
    assert manifests.from_secret.keys() == SECRETS
    assert not manifests.from_config_map.keys() & SECRETS
    for entry in manifests.container["env"]:
        assert entry["valueFrom"]["secretKeyRef"]["key"] == entry["name"]
        assert not entry["valueFrom"]["secretKeyRef"].get("optional")


def test_no_other_variables_get_into_the_environment(manifests: Manifests) -> None:
    """A Service of the name finspan would set FINSPAN_PORT to a URL."""
    links = {
        f"{each['metadata']['name']}_port".upper().replace("-", "_") for each in manifests.of_kind("Service")
    }
    assert links & FIELDS.keys()
    assert manifests.pod["spec"]["enableServiceLinks"] is False


def test_all_ports_are_the_one_that_the_service_listens_on(manifests: Manifests) -> None:
    port = int(manifests.from_config_map["FINSPAN_PORT"])
    (open_port,) = manifests.container["ports"]
    assert open_port["containerPort"] == port
    assert {manifests.container[probe]["grpc"]["port"] for probe in PROBES} == {port}
    (service_port,) = manifests.one("Service", "finspan")["spec"]["ports"]
    assert (service_port["port"], service_port["targetPort"]) == (port, open_port["name"])
    assert service_port["appProtocol"] == "grpc"
    (allowed,) = manifests.one("NetworkPolicy", "finspan")["spec"]["ingress"]
    assert [each["port"] for each in allowed["ports"]] == [open_port["name"]]


@pytest.mark.parametrize("probe", PROBES)
async def test_probes_are_answered_whatever_the_store_does(manifests: Manifests, probe: str) -> None:
    asked = manifests.container[probe]["grpc"]["service"]
    assert asked != HOSTED
    nobody = f"redis://127.0.0.1:{redis_server.free_port()}"
    keys = {"seal_keys": "a:" + "0" * 64, "token_keys": "a:" + "0" * 64}
    async with running_server(redis_url=nobody, **keys) as server, channel_to(server.address) as channel:
        assert await health_of(channel, asked) == SERVING


def test_a_server_has_the_time_to_drain(manifests: Manifests) -> None:
    variables = manifests.from_config_map
    delay = float(variables["FINSPAN_DRAIN_DELAY_SECONDS"])
    drain = float(variables["FINSPAN_DRAIN_SECONDS"])
    grace = manifests.pod["spec"]["terminationGracePeriodSeconds"]
    ready, live = manifests.container["readinessProbe"], manifests.container["livenessProbe"]
    assert "lifecycle" not in manifests.container  # a preStop hook would take its time from the same period
    assert delay > ready["periodSeconds"] * ready["failureThreshold"]
    assert grace >= delay + drain + workers._KILL_AFTER
    assert live["periodSeconds"] * live["failureThreshold"] > grace


def images(manifests: Manifests) -> Iterator[str]:
    """Yield the images of all containers."""
    for workload in manifests.workloads:
        for container in workload["spec"]["template"]["spec"]["containers"]:
            yield container["image"]


def test_the_image_is_the_one_of_this_version(manifests: Manifests) -> None:
    assert manifests.container["image"] == f"finspan-service:{VERSION}"
    assert set(images(manifests)) <= {manifests.container["image"], redis_server.IMAGE}


# What holds the manifests together.


def pod_labels(manifests: Manifests) -> dict[str, dict[str, str]]:
    """Return the labels of the pods by what makes them."""
    return {
        each["metadata"]["name"]: each["spec"]["template"]["metadata"]["labels"]
        for each in manifests.workloads
    }


def test_every_selector_finds_the_pods_of_its_own_name(manifests: Manifests) -> None:
    labels = pod_labels(manifests)
    for manifest in manifests.all:
        policy = manifest["kind"] == "NetworkPolicy"
        for selector in selectors(manifest["spec"]["podSelector"] if policy else manifest):
            found = [name for name, pod in labels.items() if selector.items() <= pod.items()]
            assert found == [manifest["metadata"]["name"]], manifest


def test_only_the_service_reaches_the_redis_of_the_dev_overlay(dev: Manifests) -> None:
    (allowed,) = dev.one("NetworkPolicy", "finspan-redis")["spec"]["ingress"]
    (caller,) = selectors(allowed)
    assert [name for name, pod in pod_labels(dev).items() if caller.items() <= pod.items()] == ["finspan"]


def test_a_roll_out_takes_nothing_away(manifests: Manifests) -> None:
    strategy = manifests.one("Deployment", "finspan")["spec"]["strategy"]
    assert strategy == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    assert manifests.one("PodDisruptionBudget", "finspan")["spec"]["maxUnavailable"] == 1
    assert manifests.one("Deployment", "finspan")["spec"]["replicas"] >= 2


def test_no_pod_may_do_more_than_it_needs(manifests: Manifests) -> None:
    for workload in manifests.workloads:
        pod = workload["spec"]["template"]["spec"]
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert all(
                container["resources"][kind].keys() == {"cpu", "memory"} for kind in ("requests", "limits")
            )


# The overlay that the README has an operator write.


def overlay_of_the_readme(folder: Path, *, with_files: bool) -> Manifests:
    """Return what the README's overlay renders, where the README puts it in a copy; with its files, too."""
    readme = (ROOT / "deploy" / "k8s" / "README.md").read_text(encoding="utf-8")
    (place,) = set(re.findall(r"`deploy/k8s/(\S+)/kustomization.yaml`", readme))
    assert f"kubectl apply -k deploy/k8s/{place}\n" in readme
    least, _, files = re.findall(r"```yaml\n((?:apiVersion|configMap).*?)```", readme, re.DOTALL)
    shutil.copytree(ROOT / "deploy" / "k8s", folder / "k8s")
    overlay = folder / "k8s" / place
    overlay.mkdir()
    text = least + files * with_files
    (overlay / "kustomization.yaml").write_text(text, encoding="utf-8")
    return manifests_of_folder_or_skip(overlay)


def test_the_overlay_of_the_readme_renders(tmp_path: Path) -> None:
    made = overlay_of_the_readme(tmp_path, with_files=False)
    for manifest in made.all:
        check(manifest, OLDEST)
        assert manifest["metadata"]["namespace"] == "finspan"
    assert made.container["image"] == f"registry.example/finspan-service:{VERSION}"


def test_the_files_of_the_readme_are_where_the_setting_looks(tmp_path: Path) -> None:
    made = overlay_of_the_readme(tmp_path, with_files=True)
    for manifest in made.all:
        check(manifest, OLDEST)
    (volume,) = made.pod["spec"]["volumes"]
    (mount,) = made.container["volumeMounts"]
    assert mount["name"] == volume["name"]
    assert Path(made.from_config_map["FINSPAN_REDIS_CA_FILE"]).parent == Path(mount["mountPath"])
    assert made.from_secret.keys() == SECRETS  # the base's are still there


# Secrets.


def test_the_base_has_no_secret(base: Manifests) -> None:
    assert not base.of_kind("Secret")


def test_the_secret_of_the_dev_overlay_says_that_it_is_none(dev: Manifests) -> None:
    (secret,) = dev.of_kind("Secret")
    assert "development only" in secret["metadata"]["annotations"]["finspan/warning"]
    keys = {name: value for name, value in dev.from_secret.items() if name != "FINSPAN_REDIS_URL"}
    assert all(value.startswith("dev-only") for value in keys.values())
    readme = (ROOT / "deploy" / "k8s" / "README.md").read_text(encoding="utf-8")
    assert all(name in readme for name in SECRETS)


@pytest.mark.parametrize("page", ["deploy/k8s/README.md", "docs/operation.md"])
def test_every_variable_that_a_page_names_is_a_setting(page: str) -> None:
    named = set(re.findall(r"FINSPAN_[A-Z_]+", (ROOT / page).read_text(encoding="utf-8")))
    assert len(named) > len(SECRETS)
    assert named <= FIELDS.keys()


def test_no_key_stands_anywhere_else() -> None:
    files = [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
    with_key = {path for path in files if re.search(r"[0-9a-fA-F]{64}", path.read_text(encoding="utf-8"))}
    assert with_key == {ROOT / "deploy" / "k8s" / "overlays" / "dev" / "kustomization.yaml"}


# The Redis of the dev overlay.


def redis_pod(dev: Manifests) -> Any:  # noqa: ANN401  a part of a manifest
    """Return the pod of Redis."""
    return dev.one("StatefulSet", "finspan-redis")["spec"]["template"]["spec"]


def test_the_dev_overlay_finds_its_redis(dev: Manifests) -> None:
    url = urlsplit(dev.from_secret["FINSPAN_REDIS_URL"])
    service = dev.one("Service", url.hostname or "")
    (port,) = service["spec"]["ports"]
    (container,) = redis_pod(dev)["containers"]
    assert port["port"] == url.port
    assert {port["targetPort"]: url.port} == {
        each["name"]: each["containerPort"] for each in container["ports"]
    }
    assert dev.one("StatefulSet", "finspan-redis")["spec"]["serviceName"] == url.hostname


def test_its_redis_writes_to_a_volume_that_stays(dev: Manifests) -> None:
    stateful = dev.one("StatefulSet", "finspan-redis")["spec"]
    (container,) = redis_pod(dev)["containers"]
    (claim,) = stateful["volumeClaimTemplates"]
    (mount,) = container["volumeMounts"]
    assert mount["name"] == claim["metadata"]["name"]
    assert mount["mountPath"] == container["args"][container["args"].index("--dir") + 1]
    assert stateful["persistentVolumeClaimRetentionPolicy"] == {
        "whenDeleted": "Retain",
        "whenScaled": "Retain",
    }


def redis_lines(arguments: list[str], folder: Path) -> list[str]:
    """Return the arguments of a Redis as lines of configuration, with a folder of one's own."""
    pairs = dict(zip(arguments[::2], arguments[1::2], strict=True)) | {"--dir": str(folder)}
    empty = '""'
    return [f"{name[2:]} {value or empty}" for name, value in pairs.items()]


def test_its_redis_keeps_what_it_acknowledged(dev: Manifests, tmp_path: Path) -> None:
    program = redis_server.find_source().program
    if program is None:
        pytest.skip("needs a server of its own; there is only a URL, or a container")
    (container,) = redis_pod(dev)["containers"]
    with redis_server.serve(program, *redis_lines(container["args"], tmp_path)) as server:
        with Redis(host=redis_server.HOST, port=server.port) as redis:
            assert redis.config_get("append*")["appendfsync"] == "always"
            assert redis.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
            redis.set("acknowledged", 1)
        server.stop()
        server.start()
        with Redis(host=redis_server.HOST, port=server.port) as redis:
            assert redis.get("acknowledged") == b"1"
