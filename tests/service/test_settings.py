"""Settings: from the environment, documented, and readable when they are wrong."""

import socket
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from service.admin import main as administer
from service.logs import new_log
from service.server import BAD_USAGE, main, redis_settings, with_keys
from service.settings import BadSettings, Settings, load_settings, unknown_variables
from service.testing import running_server
from tests.client.certificates import certificate

KEYS = "a:" + "0a" * 32


def pair_in(folder: Path, name: str = "own") -> tuple[Path, Path]:
    """Return the files of a new certificate and of its key."""
    cert_file, key_file = folder / f"{name}.pem", folder / f"{name}-key.pem"
    key, cert = certificate("localhost")
    cert_file.write_bytes(cert)
    key_file.write_bytes(key)
    return cert_file, key_file


def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, password: bytes = b"") -> bytes:
    """Return a private key as it stands in a file."""
    lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)


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
        ("TLS_CERT_FILE", "/usr"),
        ("TLS_CLIENT_CA_FILE", "/usr"),
        ("DRAIN_SECONDS", "soon"),
        ("SEAL_KEYS", "0a" * 32),
        ("TOKEN_KEYS", "0a" * 32),
        ("TOKEN_DAYS", "0"),
        ("API_KEYS", " , "),
        ("API_KEYS", "the key of a maker, a short one"),
        ("ADMIN_KEYS", " ,,"),
        ("ADMIN_KEYS", "fifteen letters"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://localhost?timeout=77"),
        ("REDIS_URL", "redis://localhost/notadb"),
        ("REDIS_URL", "unix:///run/redis.sock"),
        ("REDIS_MODE", "alone"),
        ("REDIS_TIMEOUT_SECONDS", "-5"),
        ("REDIS_CA_FILE", "/no/such/file"),
        ("REDIS_SENTINELS", "no-port"),
        ("REDIS_SENTINELS", "one:65536"),
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
    file, _ = pair_in(tmp_path)
    assert wrong(tls_cert_file=file) == ["FINSPAN_TLS_CERT_FILE and FINSPAN_TLS_KEY_FILE go together"]
    assert wrong(tls_client_ca_file=file) == ["FINSPAN_TLS_CLIENT_CA_FILE needs FINSPAN_TLS_CERT_FILE"]


@pytest.mark.parametrize("content", [b"", b"no certificate", b"a key"])
@pytest.mark.parametrize("name", ["TLS_CERT", "TLS_CLIENT_CA", "REDIS_CA", "REDIS_CERT"])
def test_files_that_are_no_certificate_are_told_at_the_start(
    tmp_path: Path, name: str, content: bytes
) -> None:
    cert_file, key_file = pair_in(tmp_path)
    others = {"tls_cert_file": cert_file, "tls_key_file": key_file, "redis_key_file": key_file}
    file = tmp_path / "none.pem"
    file.write_bytes(key_file.read_bytes() if content == b"a key" else content)
    (line,) = wrong(**{**others, f"{name.lower()}_file": file})
    assert line == f"FINSPAN_{name}_FILE: it is not a certificate in PEM"


@pytest.mark.parametrize("name", ["TLS", "REDIS"])
def test_a_key_of_another_certificate_is_told_at_the_start(tmp_path: Path, name: str) -> None:
    cert_file, key_file = pair_in(tmp_path)
    _, other = pair_in(tmp_path, "other")
    pair = {f"{name.lower()}_cert_file": cert_file, f"{name.lower()}_key_file": key_file}
    load_settings(**pair)
    variable = f"FINSPAN_{name}_KEY_FILE"
    line = f"{variable}: it is not the key of FINSPAN_{name}_CERT_FILE"
    other_kind = tmp_path / "rsa.pem"
    other_kind.write_bytes(pem(rsa.generate_private_key(65537, 2048)))
    for file in (other, other_kind):
        assert wrong(**{**pair, f"{name.lower()}_key_file": file}) == [line]
    locked = tmp_path / "locked.pem"
    locked.write_bytes(pem(ec.generate_private_key(ec.SECP256R1()), password=b"word"))
    for file in (cert_file, locked):
        (line,) = wrong(**{**pair, f"{name.lower()}_key_file": file})
        assert line == f"{variable}: it is not a private key in PEM without a password"


def test_a_certificate_that_openssl_does_not_accept_is_told_at_the_start(tmp_path: Path) -> None:
    weak = rsa.generate_private_key(65537, 1024)  # noqa: S505  weak is what it is to be
    key, cert = certificate("localhost", weak)
    cert_file, key_file = tmp_path / "weak.pem", tmp_path / "weak-key.pem"
    cert_file.write_bytes(cert)
    key_file.write_bytes(key)
    (line,) = wrong(tls_cert_file=cert_file, tls_key_file=key_file)
    assert line == "FINSPAN_TLS_CERT_FILE: it is not accepted, ee key too small"


def test_wrong_files_end_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, file in zip(("CERT", "KEY"), reversed(pair_in(tmp_path)), strict=True):
        monkeypatch.setenv(f"FINSPAN_TLS_{name}_FILE", str(file))
    with pytest.raises(SystemExit) as ended:
        main(["--port", "0"])
    assert ended.value.code == BAD_USAGE
    assert capsys.readouterr().err == "FINSPAN_TLS_CERT_FILE: it is not a certificate in PEM\n"


def test_a_maker_is_no_administrator() -> None:
    maker, admin = "the key of a maker", "the key of an administrator"
    load_settings(api_keys=f"{maker},", admin_keys=f" {admin} ")
    (line,) = wrong(api_keys=f"{maker}, {admin}", admin_keys=admin)
    assert line == "FINSPAN_API_KEYS and FINSPAN_ADMIN_KEYS have a key in common"


def test_secrets_are_never_shown() -> None:
    secrets = {
        "seal_keys": KEYS,
        "token_keys": KEYS,
        "api_keys": "0a0a" * 4,
        "admin_keys": "0a0a" * 5,
        "redis_url": "redis://x:0a0a@y",
    }
    settings = load_settings(**secrets)
    assert "0a0a" not in repr(settings) + str(settings) + settings.model_dump_json()
    for sign in "/?#":
        for password in ("0a0a{}0a0a", "77{}0a0a", "0a0a{}77", "77{}77"):
            url = f"redis://0a0a:{password.format(sign)}@0a0a:6379/0"
            (line,) = wrong(**{**secrets, "redis_url": url})
            assert line.startswith("FINSPAN_REDIS_URL: it is no URL of the form ")
            assert "0a0a" not in line
            assert "77" not in line


def test_a_password_is_not_shown_when_the_program_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FINSPAN_REDIS_URL", "redis://finspan:hunter2/xyz@redis:6379/0")
    for program in (main, administer):
        with pytest.raises(SystemExit) as ended:
            program(["verify"] if program is administer else ["--port", "0"])
        assert ended.value.code == BAD_USAGE
        told = capsys.readouterr()
        assert told.err.startswith("FINSPAN_REDIS_URL: it is no URL of the form ")
        assert "hunter2" not in told.err + told.out


def test_a_store_needs_keys_that_outlive_the_server() -> None:
    """Whatever is kept must be opened by the next server, too; the program does not begin without."""
    url = {"redis_url": "redis://localhost"}
    assert wrong(redis_mode="cluster") == ["FINSPAN_REDIS_MODE needs FINSPAN_REDIS_URL"]
    assert wrong(**url) == ["FINSPAN_REDIS_URL needs FINSPAN_SEAL_KEYS and FINSPAN_TOKEN_KEYS"]
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
    file, _ = pair_in(tmp_path)
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
    file, _ = pair_in(tmp_path)
    text = "FINSPAN_REDIS_CERT_FILE and FINSPAN_REDIS_KEY_FILE go together"
    assert wrong(redis_cert_file=file) == wrong(redis_key_file=file) == [text]


@pytest.mark.parametrize("name", ["redis_ca_file", "redis_cert_file"])
def test_certificates_for_redis_need_tls(tmp_path: Path, name: str) -> None:
    cert_file, key_file = pair_in(tmp_path)
    files = {name: cert_file, **({"redis_key_file": key_file} if name == "redis_cert_file" else {})}
    keys = {"seal_keys": KEYS, "token_keys": KEYS}
    load_settings(redis_url="rediss://there", **files, **keys)
    text = f"FINSPAN_{name.upper()} needs a FINSPAN_REDIS_URL with rediss://"
    assert wrong(redis_url="redis://there", **files, **keys) == [text]


@pytest.mark.parametrize("mode", ["single", "cluster"])
def test_sentinels_need_their_mode(mode: str) -> None:
    given = {"redis_url": "redis://there", "seal_keys": KEYS, "token_keys": KEYS}
    load_settings(**given, redis_mode="sentinel", redis_sentinels="one:1")
    text = "FINSPAN_REDIS_SENTINELS needs FINSPAN_REDIS_MODE=sentinel"
    assert wrong(**given, redis_mode=mode, redis_sentinels="one:1") == [text]


def test_a_cluster_has_one_database() -> None:
    given = {"redis_mode": "cluster", "seal_keys": KEYS, "token_keys": KEYS}
    load_settings(**given, redis_url="redis://there/0")
    text = "FINSPAN_REDIS_URL names a database, and a cluster has only database 0"
    assert wrong(**given, redis_url="redis://there/1") == [text]


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
