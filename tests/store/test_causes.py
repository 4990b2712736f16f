"""Why a store does not answer, as it is told: by the innermost kind of error."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from redis.asyncio import Redis

from service.store import StoreUnavailable
from service.store.causes import cause_of
from service.store.redis import RedisStore
from service.store.redis_settings import RedisMode, RedisSettings
from tests.redis_server import HOST, has_tls
from tests.store.certificates import Authority
from tests.store.conftest import Connect, Start

NOBODY = RedisSettings(nodes=[(HOST, 1)])


async def cause_at(store: RedisStore) -> str:
    with pytest.raises(StoreUnavailable) as away:
        await store.ping()
    return cause_of(away.value)


async def test_nobody_listens(connect: Connect) -> None:
    assert await cause_at(connect(NOBODY)) == "ConnectionRefusedError"


async def test_the_host_is_unknown(connect: Connect) -> None:
    assert await cause_at(connect(replace(NOBODY, nodes=[("no-such-host.invalid", 1)]))) in {
        "gaierror",
        "TimeoutError",  # where the resolver itself does not answer
    }


@pytest.mark.parametrize("password", [None, "wrong"])
async def test_the_password_is_wrong(start: Start, connect: Connect, password: str | None) -> None:
    server = start("requirepass right")
    settings = replace(NOBODY, nodes=[(HOST, server.port)], password=password)
    assert await cause_at(connect(settings)) == "AuthenticationError"


async def test_a_password_is_too_much(start: Start, connect: Connect) -> None:
    settings = replace(NOBODY, nodes=[(HOST, start().port)], password="needless")  # noqa: S106  of this test
    assert await cause_at(connect(settings)) == "AuthenticationError"


async def test_the_server_takes_no_strangers(connect: Connect) -> None:
    """As Redis in its protected mode, which a test on one machine does not come to see."""

    async def deny(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            if line.startswith(b"*"):  # a command
                writer.write(b"-DENIED Redis is running in protected mode.\r\n")
        writer.close()

    async with await asyncio.start_server(deny, HOST, 0) as server:
        port = server.sockets[0].getsockname()[1]
        store = connect(replace(NOBODY, nodes=[(HOST, port)]))
        assert await cause_at(store) == "NoPermissionError"


@pytest.mark.parametrize(
    ("mode", "cause"),
    [(RedisMode.SENTINEL, "UnknownCommandError"), (RedisMode.CLUSTER, "RedisClusterException")],
)
async def test_the_server_is_of_another_mode(
    start: Start, connect: Connect, mode: RedisMode, cause: str
) -> None:
    settings = replace(NOBODY, nodes=[(HOST, start().port)], mode=mode, master="finspan")
    assert await cause_at(connect(settings)) == cause


async def test_the_server_hangs(start: Start, connect: Connect) -> None:
    server = start()
    store = connect(replace(NOBODY, nodes=[(HOST, server.port)], call_seconds=0.2))
    server.pause()
    assert await cause_at(store) == "TimeoutError"


async def test_memory_is_full(start: Start, connect: Connect) -> None:
    """Though the script had to be told to the server, which is an error of its own."""
    server = start("maxmemory-policy noeviction")
    store = connect(replace(NOBODY, nodes=[(HOST, server.port)]))
    async with Redis(host=HOST, port=server.port) as redis:
        await redis.config_set("maxmemory", 1)
    assert await cause_at(store) == "OutOfMemoryError"
    with pytest.raises(StoreUnavailable) as away:
        await store.claim("request", b"", "game", keep_seconds=1)
    assert cause_of(away.value) == "OutOfMemoryError"


async def test_the_authority_is_another(
    start: Start, connect: Connect, redis_program: Path, tmp_path: Path
) -> None:
    if not has_tls(redis_program):
        pytest.skip("this redis-server is built without TLS")
    authority, other = Authority(tmp_path, "ours"), Authority(tmp_path, "other")
    cert_file, key_file = authority.issue("server", HOST)
    server = start(
        "port 0", "tls-port {port}", "tls-auth-clients no",
        f"tls-cert-file {cert_file}", f"tls-key-file {key_file}", f"tls-ca-cert-file {authority.ca_file}",
    )  # fmt: skip
    settings = replace(NOBODY, nodes=[(HOST, server.port)], tls=True, tls_ca_file=other.ca_file)
    assert await cause_at(connect(settings)) == "SSLCertVerificationError"
    await connect(replace(settings, tls_ca_file=authority.ca_file)).ping()


def test_what_was_handled_meanwhile_is_no_cause() -> None:
    error = RuntimeError()
    error.__context__ = KeyError()
    assert cause_of(error) == "RuntimeError"
    error.__cause__ = KeyError()
    assert cause_of(error) == "KeyError"
