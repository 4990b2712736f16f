"""Settings: from the environment, documented, and readable when they are wrong."""

import socket
from pathlib import Path

import pytest

from service.logs import new_log
from service.server import BAD_USAGE, main, with_keys
from service.settings import BadSettings, Settings, load_settings
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


def test_keys_are_never_shown() -> None:
    settings = load_settings(seal_keys=KEYS)
    assert "0a0a" not in repr(settings) + str(settings) + settings.model_dump_json()


async def test_a_key_that_had_to_be_made_is_warned_about() -> None:
    async with running_server(seal_keys="") as server:
        (line,) = server.log_lines()
        assert (line["event"], line["level"]) == ("key_made", "warning")
    async with running_server(seal_keys=KEYS) as server:
        assert server.log_lines() == []


def test_a_made_key_is_a_key() -> None:
    made = with_keys(load_settings(seal_keys=""), new_log())
    assert (
        made.seal_keys.get_secret_value() != with_keys(load_settings(seal_keys=""), new_log()).seal_keys
    )


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
