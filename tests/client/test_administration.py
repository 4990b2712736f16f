"""Keys, expired tokens, and what an administrator does to a game that others play; a server with keys."""

import asyncio
from collections.abc import AsyncIterator, Callable
from time import time
from typing import TypeAlias

import pytest

import finspan
from finspan import AsyncClient, AsyncGame, Game
from finspan.v1 import finspan_pb2 as v1
from service.hosting.seats import Claims, Scope, SeatTokens
from service.seal import read_keys
from service.testing import RunningServer, running_server
from tests.client.test_hosted_table import Sitting

KEYS = "k:" + "0a" * 32
MAKER, ADMIN = "the maker's key!", "the administrator's key"
Player: TypeAlias = tuple[AsyncGame, tuple[str, ...]]


@pytest.fixture
async def server() -> AsyncIterator[RunningServer]:
    async with running_server(token_keys=KEYS, api_keys=MAKER, admin_keys=ADMIN) as server:
        yield server


@pytest.fixture
async def client(server: RunningServer) -> AsyncIterator[AsyncClient]:
    """Return a client with the key of whoever may make games."""
    async with AsyncClient(server.address, api_key=MAKER) as client:
        yield client


@pytest.fixture
def admin(client: AsyncClient) -> AsyncClient:
    return client.with_api_key(ADMIN)


@pytest.fixture
async def hosted(client: AsyncClient) -> Player:
    return await AsyncGame.host(client, 2, names=["Ada", "Bob"])


async def test_games_are_made_with_a_key(client: AsyncClient) -> None:
    with pytest.raises(finspan.NotAllowed) as caught:
        await AsyncGame.host(client.with_api_key(""))
    assert caught.value.needs == "api_key"
    with pytest.raises(finspan.TokenRefused):
        await AsyncGame.host(client.with_api_key("another"))
    game, _ = await AsyncGame.host(client)
    assert game.state.version == 0


async def test_a_seed_is_for_administrators(client: AsyncClient, admin: AsyncClient) -> None:
    with pytest.raises(finspan.NotAllowed):
        await AsyncGame.host(client, seed="s")
    first, _ = await AsyncGame.host(admin, seed="s")
    second, _ = await AsyncGame.host(admin, seed="s")
    assert first.digest == second.digest


async def test_players_need_no_key(client: AsyncClient, hosted: Player) -> None:
    game, tokens = hosted
    mine = await AsyncGame.join(client.with_api_key(""), game.game_id, tokens[game.seat])
    assert (await mine.apply("dive:blue")).state.version == 1


async def test_an_expired_token_is_refused(client: AsyncClient, hosted: Player) -> None:
    game, _ = hosted
    claims = Claims(game.game_id, Scope.PLAY, 0, 0, int(time()) - 1)
    expired = SeatTokens(read_keys(KEYS)).issue(claims)
    with pytest.raises(finspan.TokenRefused, match="expired"):
        await AsyncGame.join(client, game.game_id, expired)


async def test_a_token_that_was_replaced_is_void(
    client: AsyncClient, admin: AsyncClient, hosted: Player
) -> None:
    game, _ = hosted
    issued = (await admin.issue_seat_token(game.game_id, seat=0)).token
    assert (issued.scope, issued.seat) == (v1.TOKEN_SCOPE_PLAY, 0)
    with pytest.raises(finspan.TokenRefused, match="void"):
        await game.latest()
    assert (await AsyncGame.join(client, game.game_id, issued.token)).own_seat == 0


async def test_a_token_to_watch_moves_nothing(
    client: AsyncClient, admin: AsyncClient, hosted: Player
) -> None:
    game, _ = hosted
    token = (await admin.issue_seat_token(game.game_id, scope="watch")).token.token
    watcher = await AsyncGame.join(client, game.game_id, token)
    assert watcher.own_seat is None
    with pytest.raises(finspan.NotAllowed):
        await watcher.apply("dive:blue")


async def test_what_is_for_administrators_is_refused_to_others(client: AsyncClient, hosted: Player) -> None:
    game, _ = hosted
    asked: list[Callable[[], object]] = [
        lambda: client.issue_seat_token(game.game_id, seat=0),
        lambda: client.end_game(game.game_id),
        lambda: client.delete_game(game.game_id),
        lambda: game.service.get_game(game.game_id, form="open"),
    ]
    for ask in asked:
        with pytest.raises(finspan.NotAllowed):
            await ask()  # type: ignore[misc]  # each is awaited


async def test_a_game_that_is_ended_is_over_for_everybody(admin: AsyncClient, hosted: Player) -> None:
    game, _ = hosted
    ended = await admin.end_game(game.game_id)
    assert ended.game.status == v1.GAME_STATUS_ENDED
    seen = await game.latest()
    assert seen.is_over
    assert (seen.state.version, seen.news, len(seen.legal_moves)) == (0, (), 0)
    assert (await game.wait_for_turn()).is_over
    assert (await seen.score()).players[0].eggs == 2
    with pytest.raises(finspan.GameIsOver):
        await seen.apply("dive:blue")


async def test_a_bot_in_a_seat_moves_by_itself(
    client: AsyncClient, admin: AsyncClient, hosted: Player
) -> None:
    game, tokens = hosted
    bot = game.seat
    mine = await AsyncGame.join(client, game.game_id, tokens[1 - bot])
    await admin.end_game(game.game_id, bot_seat=bot)
    seen = await mine.wait_for_turn(pause=0.01)
    assert seen.info is not None
    assert list(seen.info.bot_seats) == [bot]
    assert seen.is_own_turn
    assert len(seen.moves) == seen.state.version > 0


async def test_a_deleted_game_is_gone(admin: AsyncClient, hosted: Player) -> None:
    game, _ = hosted
    await admin.delete_game(game.game_id)
    with pytest.raises(finspan.GameNotFound):
        await game.latest()


async def test_administrators_see_all_games_and_their_hidden_parts(
    client: AsyncClient, admin: AsyncClient, hosted: Player
) -> None:
    game, _ = hosted
    listed = await admin.list_games()
    assert [info.game_id for info in listed.games] == [game.game_id]
    assert not (await client.list_games()).games
    shown = await admin.get_game(game.game_id, form="open")
    assert shown.state.open.deck.cards


async def test_a_fork_is_a_game_of_its_own(client: AsyncClient, hosted: Player) -> None:
    game, tokens = hosted
    seat = finspan.AsyncSeat(client, game.game_id, tokens[0])
    forked = await seat.fork_game(game.game_id)
    mine = await AsyncGame.join(client, forked.game.game_id, forked.tokens[game.seat].token)
    assert mine.game_id != game.game_id
    assert mine.digest == game.digest
    later = await mine.apply("dive:blue")
    assert later.state.version == 1
    assert (await game.latest()) is game


async def test_blocking_clients_show_keys_too(server: RunningServer) -> None:
    def administer() -> bool:
        with finspan.Client(server.address, api_key=MAKER) as client:
            game, _ = Game.host(client, 1)
            client.with_api_key(ADMIN).end_game(game.game_id)
            return game.latest().is_over

    assert await asyncio.to_thread(administer)


async def test_who_waits_at_the_table_is_told_of_the_end(
    server: RunningServer, admin: AsyncClient, hosted: Player
) -> None:
    game, tokens = hosted

    def sit() -> str:
        with finspan.Client(server.address) as client:
            return Sitting(Game.join(client, game.game_id, tokens[1 - game.seat]), pause=0.01).shown()

    sitting = asyncio.create_task(asyncio.to_thread(sit))
    while "ListEvents" not in server.log.getvalue():  # noqa: ASYNC110  nothing else says that one has sat down
        await asyncio.sleep(0.01)
    await admin.end_game(game.game_id)
    text = await sitting
    assert "Waiting for " in text
    assert "An administrator has ended the game as it stands; nobody wins." in text
    assert "Score as it stands" in text
    assert "Final score" not in text


async def test_nothing_secret_is_logged(server: RunningServer, hosted: Player) -> None:
    game, tokens = hosted
    await game.latest()
    logged = server.log.getvalue()
    assert "GetGame" in logged
    assert not any(secret in logged for secret in (*tokens, MAKER, ADMIN))
