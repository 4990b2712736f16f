"""A server of one's own: found by its log, and stopped whatever happens; here a script stands for it."""

import socket
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from time import sleep

import pytest

from finspan import serving
from service.engine.rules import RULES_VERSION

SERVES = """
    import json, signal, sys, time
    def stop(*_):
        open({stopped!r}, "w").write("stopped")
        sys.exit(0)
    signal.signal(signal.SIGTERM, stop)
    print("no JSON", flush=True)
    print(json.dumps({{"event": "starting", "port": 1}}), flush=True)
    print(json.dumps([1]), flush=True)
    print(json.dumps({{"event": "serving", "port": 4711}}), flush=True)
    for _ in range(10_000):
        print("x" * 100, flush=True)
    open({stopped!r}, "w").write("log is read")
    while True:
        time.sleep(0.01)
"""


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a script stand for the server, and return the file in which it says what has become of it."""
    path = tmp_path / "stopped"
    run(monkeypatch, dedent(SERVES.format(stopped=str(path))))
    return path


def run(monkeypatch: pytest.MonkeyPatch, script: str) -> list[str]:
    """Let a script stand for the server; returns the arguments that it will have been given."""
    given: list[str] = []

    def command(arguments: list[str]) -> list[str]:
        given.extend(arguments)
        return [sys.executable, "-c", script]

    monkeypatch.setattr(serving, "server_command", command)
    return given


def wait_for(path: Path, text: str) -> None:
    while not path.exists() or path.read_text() != text:
        sleep(0.01)


def test_its_address_is_the_port_that_it_logs(stopped: Path) -> None:
    with serving.server() as address:
        assert address == "127.0.0.1:4711"


def test_its_log_is_read_so_that_it_never_blocks(stopped: Path) -> None:
    with serving.server():
        wait_for(stopped, "log is read")


def test_it_is_stopped_at_the_end(stopped: Path) -> None:
    with serving.server():
        pass
    assert stopped.read_text() == "stopped"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_it_is_stopped_after_an_error_or_an_interrupt(stopped: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), serving.server():
        raise error
    assert stopped.read_text() == "stopped"


def test_one_that_does_not_stop_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    script = """
        import json, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(json.dumps({"event": "serving", "port": 1}), flush=True)
        time.sleep(60)
    """
    run(monkeypatch, dedent(script))
    monkeypatch.setattr(serving, "STOP_SECONDS", 0.2)
    with serving.server():
        pass


def test_one_that_ends_at_once_is_reported_with_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, "import sys; print('first'); sys.exit('no such port')")
    with pytest.raises(serving.ServerFailed, match="no such port"), serving.server():
        pass


def test_it_gets_a_free_port_and_what_it_is_given(monkeypatch: pytest.MonkeyPatch, stopped: Path) -> None:
    given = run(monkeypatch, dedent(SERVES.format(stopped=str(stopped))))
    with serving.server("--workers", "2"):
        pass
    assert given == ["--host", "127.0.0.1", "--port", "0", "--stop-at-eof", "--workers", "2"]


STARTS_ONE = """
    import sys, time
    from finspan import serving
    with serving.server(*sys.argv[1:]) as address:
        print(address, flush=True)
        time.sleep(600)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_when_whoever_started_it_is_killed(workers: str) -> None:
    command = [sys.executable, "-c", dedent(STARTS_ONE), "--workers", workers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:  # noqa: S603  our own script
        assert starter.stdout is not None
        host, _, port = starter.stdout.readline().strip().rpartition(":")
        assert is_reached(host, int(port))
        starter.kill()
    while is_reached(host, int(port)):
        sleep(0.05)


def is_reached(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port)).close()
    except OSError:
        return False
    return True


def test_settings_of_another_server_are_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINSPAN_TLS_CERT_FILE", "cert.pem")
    script = """
        import json, os
        names = [name for name in os.environ if name.startswith("FINSPAN_")]
        print(json.dumps({"event": "serving", "port": len(names)}), flush=True)
    """
    run(monkeypatch, dedent(script))
    with serving.server() as address:
        assert address == "127.0.0.1:0"


def test_the_service_is_installed_here_and_elsewhere_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serving.is_service_installed()
    monkeypatch.setattr(serving, "SERVER_MODULE", "no_such_package.server")
    assert not serving.is_service_installed()
    monkeypatch.setattr(serving, "SERVER_MODULE", "finspan.server")
    assert not serving.is_service_installed()


# Something else that has the name of the service's package.

STRANGERS = {
    "a module": "service.py",
    "a package": "service/__init__.py",
    "a folder": "service/notes.py",
    "a package with a server": "service/server.py",
}
each_stranger = pytest.mark.parametrize("file", STRANGERS.values(), ids=STRANGERS)


@pytest.fixture
def stranger(tmp_path: Path, file: str) -> Path:
    """Return a directory in which something of somebody's own has that name."""
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('imported')\n")
    return tmp_path


def said(directory: Path, program: str) -> str:
    """Return what a program says that begins in a directory, which Python then looks into first."""
    command = [sys.executable, "-c", dedent(program)]
    result = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)  # noqa: S603  ours
    return result.stdout + result.stderr


@each_stranger
def test_a_module_of_ones_own_is_not_in_the_way_of_a_server(stranger: Path) -> None:
    program = """
        import finspan
        from finspan import serving
        with serving.server() as address, finspan.Client(address) as client:
            print(client.get_catalog().rules_version)
    """
    assert said(stranger, program) == f"{RULES_VERSION}\n"


@each_stranger
def test_a_module_of_ones_own_is_not_taken_for_the_service(stranger: Path, file: str) -> None:
    last = said(stranger, "import finspan; finspan.LocalService()").splitlines()[-1]
    assert last.startswith("finspan.serving.ServiceNotInstalled: The service is not installed here.")
    assert last.endswith(f"is something else: {stranger / named(file)}. Rename that.")


def named(file: str) -> str:
    """Return what Python finds: a file, or a folder that is no package of its own."""
    return file if file in {"service.py", "service/__init__.py"} else "service"


def test_a_service_that_lacks_what_it_needs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "LOCAL_MODULE", "service.no_such_module")
    with pytest.raises(serving.ServiceNotInstalled, match=r"cannot be imported: .*no_such_module"):
        serving.local_service()


def test_a_server_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SERVER_MODULE", "no_such_package.server")
    with pytest.raises(serving.ServiceNotInstalled), serving.server():
        pass
    monkeypatch.setattr(serving, "is_service_installed", lambda: True)  # here, but not for the server
    with pytest.raises(serving.ServiceNotInstalled), serving.server():
        pass


def test_a_service_that_only_we_find_is_not_called_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = [sys.executable, "-c", "import sys; sys.exit(\"No module named 'service'\")"]
    monkeypatch.setattr(serving, "server_command", lambda _: nowhere)
    with pytest.raises(serving.ServiceNotInstalled) as caught, serving.server():
        pass
    assert "something else" not in str(caught.value)


def test_the_server_does_not_look_into_the_working_directory() -> None:
    assert serving.server_command(["--port", "0"])[1:] == ["-P", "-m", "service.server", "--port", "0"]
