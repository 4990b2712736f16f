"""Redis by TLS: both sides show certificates, and each refuses those of others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from service.store import Head, StoreUnavailable
from service.store.redis_settings import RedisSettings
from tests.redis_server import HOST, has_tls
from tests.store.certificates import Authority
from tests.store.changes import begin, head, move
from tests.store.conftest import Connect, Start


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "ours")


@pytest.fixture
def secured(start: Start, redis_program: Path, authority: Authority) -> Callable[[str], RedisSettings]:
    """Start a server with a certificate for an address, and return what a client needs that may come."""
    if not has_tls(redis_program):
        pytest.skip("this redis-server is built without TLS")

    def start_with(address: str) -> RedisSettings:
        cert_file, key_file = authority.issue("server", address)
        client_cert, client_key = authority.issue("client", HOST)
        server = start(
            "port 0", "tls-port {port}", "tls-auth-clients yes",
            f"tls-cert-file {cert_file}", f"tls-key-file {key_file}", f"tls-ca-cert-file {authority.ca_file}",
        )  # fmt: skip
        return RedisSettings(
            nodes=[(HOST, server.port)], tls=True, tls_ca_file=authority.ca_file,
            tls_cert_file=client_cert, tls_key_file=client_key,
        )  # fmt: skip

    return start_with


async def test_games_are_kept_by_tls(secured: Callable[[str], RedisSettings], connect: Connect) -> None:
    store = connect(secured(HOST))
    await begin(store, "game")
    await move(store, "game", 3)
    assert await head(store, "game") == Head(3, 4, b"snapshot of move 3")
    assert [game.game_id for game in (await store.games("", 10)).games] == ["game"]


async def test_a_server_of_another_authority_is_refused(
    secured: Callable[[str], RedisSettings], connect: Connect, tmp_path: Path
) -> None:
    settings = secured(HOST)
    other = Authority(tmp_path, "other").ca_file
    for untrusted in (replace(settings, tls_ca_file=other), replace(settings, tls_ca_file=None)):
        with pytest.raises(StoreUnavailable, match=r"^the store does not answer$"):
            await connect(untrusted).ping()


async def test_a_server_under_another_address_is_refused(
    secured: Callable[[str], RedisSettings], connect: Connect
) -> None:
    with pytest.raises(StoreUnavailable, match=r"^the store does not answer$"):
        await connect(secured("127.0.0.2")).ping()


async def test_a_server_refuses_who_shows_nothing_it_trusts(
    secured: Callable[[str], RedisSettings], connect: Connect, tmp_path: Path
) -> None:
    settings = secured(HOST)
    cert_file, key_file = Authority(tmp_path, "other").issue("stranger", HOST)
    strangers = (
        replace(settings, tls_cert_file=cert_file, tls_key_file=key_file),
        replace(settings, tls_cert_file=None, tls_key_file=None),
        replace(settings, tls=False),
    )
    for stranger in strangers:
        with pytest.raises(StoreUnavailable, match=r"^the store does not answer$"):
            await connect(stranger).ping()
