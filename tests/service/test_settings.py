"""Settings: from the environment, documented, and readable when they are wrong."""

import socket
from pathlib import Path

import pytest

from service.logs import new_log
from service.server import BAD_USAGE, main, redis_settings, with_keys
from service.settings import BadSettings, Settings, load_settings, unknown_variables
from service.testing import running_server

KEYS = "a:" + "0a" * 32


def wrong(**given: object) -> list[str]:
    with pytest.raises(BadSettings) as refused:
        load_settings(**given)
    return str(refused.value).splitlines()


def test_every_setting_says_what_it_is_for() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith(".")


def test_the_environment_sets_and_arguments_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINSPAN_PORT", "1234")
    monkeypatch.setenv("FINSPAN_WORKERS", "3")
    monkeypatch.setenv("FINSPAN_TLS_CERT_FILE", "")
    settings = load_settings(port=99, workers=None)
    assert (settings.port, settings.workers, settings.tls_cert_file) == (99, 3, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "65536"),
        ("WORKERS", "0"),
        ("MAX_MOVES", "-1"),
        ("LOG_LEVEL", "loud"),
        ("TLS_KEY_FILE", "/no/such/file"),
        ("DRAIN_SECONDS", "soon"),
        ("SEAL_KEYS", "0a" * 32),
        ("TOKEN_KEYS", "0a" * 32),
        ("TOKEN_DAYS", "0"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://localhost?timeout=77"),
        ("REDIS_MODE", "alone"),
        ("REDIS_TIMEOUT_SECONDS", "-5"),
        ("REDIS_CA_FILE", "/no/such/file"),
        ("REDIS_SENTINELS", "no-port"),
    ],
)
def test_a_wrong_value_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"FINSPAN_{name}", value)
    (line,) = wrong()
    assert line.startswith(f"FINSPAN_{name}: ")
    assert value not in line


def test_all_that_is_wrong_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINSPAN_PORT", "x")
    monkeypatch.setenv("FINSPAN_WORKERS", "x")
    assert len(wrong()) == 2


def test_a_certificate_and_its_key_go_together(tmp_path: Path) -> None:
    file = tmp_path / "a.pem"
    file.touch()
    assert wrong(tls_cert_file=file) == ["FINSPAN_TLS_CERT_FILE and FINSPAN_TLS_KEY_FILE go together"]
    assert wrong(tls_client_ca_file=file) == ["FINSPAN_TLS_CLIENT_CA_FILE needs FINSPAN_TLS_CERT_FILE"]


def test_secrets_are_never_shown() -> None:
    secrets = {
        "seal_keys": KEYS,
        "token_keys": KEYS,
        "api_keys": "0a0a",
        "admin_keys": "0a0a",
        "redis_url": "redis://x:0a0a@y",
    }
    settings = load_settings(**secrets)
    assert "0a0a" not in repr(settings) + str(settings) + settings.model_dump_json()


def test_a_store_needs_keys_that_outlive_the_server() -> None:
    """Whatever is kept must be opened by the next server, too; the program does not begin without."""
    url = {"redis_url": "redis://localhost"}
    assert wrong(redis_mode="cluster") == ["FINSPAN_REDIS_MODE needs FINSPAN_REDIS_URL"]
    assert wrong(**url) == ["FINSPAN_REDIS_URL needs FINSPAN_SEAL_KEYS"]
    assert wrong(**url, seal_keys=KEYS) == ["FINSPAN_REDIS_URL needs FINSPAN_TOKEN_KEYS"]
    assert wrong(**url, token_keys=KEYS) == ["FINSPAN_REDIS_URL needs FINSPAN_SEAL_KEYS"]
    assert load_settings(**url, seal_keys=KEYS, token_keys=KEYS).hosts_games


def test_a_store_without_keys_ends_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FINSPAN_REDIS_URL", "redis://localhost")
    with pytest.raises(SystemExit) as ended:
        main(["--port", "0"])
    assert ended.value.code == BAD_USAGE
    assert "FINSPAN_SEAL_KEYS" in capsys.readouterr().err


@pytest.mark.parametrize(("workers", "hosts"), [(1, True), (2, False)])
def test_without_a_store_only_a_single_worker_hosts_games(workers: int, *, hosts: bool) -> None:
    assert load_settings(workers=workers).hosts_games is hosts


def test_where_redis_is_and_how_long_it_may_take(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    url = "rediss://me:secret@there:7000/3"
    keys = {"seal_keys": KEYS, "token_keys": KEYS}
    settings = load_settings(
        redis_url=url,
        redis_mode="sentinel",
        redis_sentinels="one:1, two:2",
        redis_ca_file=file,
        redis_prefix="p",
        redis_timeout_seconds=3,
        **keys,
    )
    redis = redis_settings(url, settings)
    assert list(redis.nodes) == [("there", 7000), ("one", 1), ("two", 2)]
    assert (redis.username, redis.password, redis.database) == ("me", "secret", 3)
    assert (redis.tls, redis.tls_ca_file, redis.prefix, redis.call_seconds) == (True, file, "p:", 3)
    assert (redis.mode.value, redis.master) == ("sentinel", "finspan")


def test_a_certificate_for_redis_and_its_key_go_together(tmp_path: Path) -> None:
    file = tmp_path / "a.pem"
    file.touch()
    text = "FINSPAN_REDIS_CERT_FILE and FINSPAN_REDIS_KEY_FILE go together"
    assert wrong(redis_cert_file=file) == wrong(redis_key_file=file) == [text]


def test_a_misspelt_setting_is_found() -> None:
    variables = {"FINSPAN_PORT": "1", "FINSPAN_PROT": "1", "OTHER": "1", "FINSPAN_REDIS_URI": "x"}
    assert unknown_variables(variables) == ["FINSPAN_PROT", "FINSPAN_REDIS_URI"]


async def test_a_key_that_had_to_be_made_is_warned_about() -> None:
    keys = {"seal_keys": KEYS, "token_keys": KEYS}
    for name in keys:
        async with running_server(**{**keys, name: ""}) as server:
            (line,) = server.log_lines()
            assert (line["event"], line["level"]) == ("key_made", "warning")
            assert line["setting"] == f"FINSPAN_{name.upper()}"
    async with running_server(**keys) as server:
        assert server.log_lines() == []


def test_a_made_key_is_a_key() -> None:
    made = with_keys(load_settings(seal_keys=""), new_log())
    assert made.seal_keys.get_secret_value() != with_keys(load_settings(seal_keys=""), new_log()).seal_keys


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--port", "x"], ["--colour"]])
def test_wrong_arguments_end_the_program(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == BAD_USAGE
    assert "port" in capsys.readouterr().err.lower() or "colour" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for workers in ("1", "2"):
            assert main(["--port", str(taken.getsockname()[1]), "--workers", workers]) == 1
    assert capsys.readouterr().out.count('"cannot_serve"') == 2
