"""What each RPC answers about a hosted game."""

from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.rules import RULES_VERSION, apply, legal_moves, new_game
from service.engine.state import GameState
from tests.hosted.tables import (
    AS_ADMIN,
    REEFS,
    SEED,
    deciding,
    forked,
    issue,
    known_seats,
    message_of,
    new_id,
    new_request,
    new_seats,
)
from tests.service.support import Stub, Value, refusal_of
from tests.wire import state_message


def is_recent(time: Value) -> bool:
    return bool(abs(time.ToDatetime(UTC) - datetime.now(UTC)) < timedelta(minutes=5))


# NewGame


async def test_a_new_game_is_the_engine_s_without_its_hidden_part(stub: Stub) -> None:
    game = new_game(3, seed=SEED, names=("Ann", "Bo", "")).state
    request = new_request(players=3, seed=SEED, display_names=["Ann", "Bo", ""], with_legal_moves=True)
    reply = await stub.NewGame(request, metadata=AS_ADMIN)
    expected = state_message(game)
    expected.ClearField("open")
    assert reply.state == expected
    assert reply.digest == public_digest(game)
    assert [move.id for move in reply.legal_moves] == [move.id for move in legal_moves(game)]
    assert [event.number for event in reply.events] == list(range(len(reply.events)))
    assert [(token.scope, token.seat) for token in reply.tokens] == [
        (pb.TOKEN_SCOPE_PLAY, n) for n in range(3)
    ]
    assert len({token.token for token in reply.tokens}) == 3
    days = {(token.expires.ToDatetime(UTC) - datetime.now(UTC)).days for token in reply.tokens}
    assert days <= {89, 90}


async def test_a_new_game_tells_of_itself(stub: Stub) -> None:
    info = (await stub.NewGame(new_request(display_names=["Ann", "Bo"]))).game
    assert len(info.game_id) >= 22  # 128 bits in base64
    assert (info.version, info.rules_version, info.status) == (0, RULES_VERSION, pb.GAME_STATUS_RUNNING)
    assert list(info.display_names) == ["Ann", "Bo"]
    assert list(info.bot_seats) == []
    assert not info.public_watching
    assert info.created == info.changed
    assert is_recent(info.created)
    assert len(bytes.fromhex(info.commitment)) == 32
    for field in ("opening", "forked_from", "own_seat"):
        assert not info.HasField(field)


@pytest.mark.parametrize(
    "request_id", ["", "1", "g" * 36, "{6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75}", "0" * 32]
)
async def test_a_request_id_is_a_uuid(stub: Stub, request_id: str) -> None:
    seats = await new_seats(stub)
    metadata = AS_ADMIN
    named: dict[str, Any] = {"game_id": seats.id, "request_id": request_id}
    asked: list[Awaitable[object]] = [
        stub.NewGame(new_request(request_id=request_id)),
        stub.ForkGame(pb.ForkGameRequest(**named), metadata=metadata),
        stub.DeleteGame(pb.DeleteGameRequest(**named), metadata=metadata),
        stub.EndGame(pb.EndGameRequest(end_now=pb.EndNow(), **named), metadata=metadata),
        stub.IssueSeatToken(
            pb.IssueSeatTokenRequest(scope=pb.TOKEN_SCOPE_PLAY, seat=0, **named), metadata=metadata
        ),
        seats.move(0, 0, "dive:blue", request_id=request_id),
    ]
    for call in asked:
        refusal = await refusal_of(call)
        assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["request_id"])


async def test_a_game_that_cannot_be_set_up_takes_up_no_request_id(stub: Stub) -> None:
    request = new_request(players=6)
    assert (await refusal_of(stub.NewGame(request))).fields == ["players"]
    request.players = 5
    assert len((await stub.NewGame(request)).tokens) == 5


async def test_a_game_tells_when_it_was_made_and_when_it_changed_last(stub: Stub) -> None:
    """By the entries of its log, however many there are of one version."""
    seats, state = await known_seats(stub)
    await seats.play(state, 2)
    for _ in range(3):
        log = await seats.log()
        while log[-1].time == log[-2].time or log[-1].number == 0:
            await issue(seats, pb.TOKEN_SCOPE_WATCH)
            log = await seats.log()
        info = (await seats.get()).game
        assert (info.created, info.changed) == (log[0].time, log[-1].time)
    page = await stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    assert list(page.games) == [(await seats.get()).game]


# LegalMoves, Score, SampleStates


@pytest.mark.parametrize("options", [None, REEFS], ids=["base", "reefs"])
async def test_questions_about_a_hosted_game_are_answered_as_about_its_state(
    stub: Stub, options: pb.GameOptions | None
) -> None:
    seats, state = await known_seats(stub, options=options)
    state = await seats.play(state, 25)
    carried = state_message(state)
    asked: list[tuple[Any, Any, dict[str, Any]]] = [
        (stub.LegalMoves, pb.LegalMovesRequest, {"why_not": True, "why_not_moves": [message_of("draw")]}),
        (stub.Score, pb.ScoreRequest, {}),
        (stub.SampleStates, pb.SampleStatesRequest, {"seed": "s", "count": 3}),
    ]
    for ask, make, fields in asked:
        hosted = await ask(make(game_id=seats.id, **fields), metadata=seats.as_seat(1))
        expected = await ask(make(state=carried, **fields))
        if "version" in hosted.DESCRIPTOR.fields_by_name:
            assert hosted.version == 25
            hosted.ClearField("version")
        assert hosted == expected


# ApplyMove


async def test_a_move_is_the_engine_s(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    move = legal_moves(state)[0]
    reply = await seats.move(0, 0, move, with_legal_moves=True)
    after = apply(state, move).state
    expected = state_message(after)
    expected.ClearField("open")
    assert reply.state == expected
    assert (reply.version, reply.applied, reply.over) == (1, 1, False)
    assert [each.id for each in reply.legal_moves] == [each.id for each in legal_moves(after)]


async def test_a_move_is_for_one_version(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    await seats.play(state, 3)
    for version in (0, 2):
        refusal = await refusal_of(seats.move(0, version, "dive:blue"))
        assert (refusal.code.name, refusal.reason) == ("ABORTED", "STALE_VERSION")
        assert refusal.metadata == {"current_version": "3"}
    request = seats.request(0, "dive:blue")
    request.ClearField("expected_version")
    refusal = await refusal_of(stub.ApplyMove(request, metadata=seats.as_seat(0)))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["expected_version"])


async def test_an_illegal_move_changes_nothing(stub: Stub) -> None:
    seats, _ = await known_seats(stub)
    before = await seats.get()
    for moves in (["draw"], ["pass"]):
        refusal = await refusal_of(seats.move(0, 0, *moves))
        assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "ILLEGAL_MOVE")
    assert await seats.get() == before


# GetGame


async def test_a_game_as_it_was_at_each_version(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    digests = [public_digest(state)]
    for _ in range(30):
        state = await seats.play(state, 1)
        digests.append(public_digest(state))
    for version, digest in enumerate(digests):
        reply = await seats.get(version=version, with_legal_moves=True)
        assert (reply.digest, reply.state.version, reply.game.version) == (digest, version, 30)
        assert reply.state.WhichOneof("hidden") is None
        assert reply.legal_moves
    newest = await seats.get(version=30, with_legal_moves=True)
    assert await seats.get(with_legal_moves=True) == newest


async def test_a_version_that_is_not_there(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    await seats.play(state, 3)
    refusal = await refusal_of(seats.get(version=4))
    assert (refusal.code.name, refusal.reason) == ("DATA_LOSS", "VERSION_LOST")
    assert refusal.metadata == {"last_version": "3"}


async def test_a_token_is_told_its_own_seat(stub: Stub) -> None:
    seats = await new_seats(stub)
    for seat in range(2):
        reply = await stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=seats.as_seat(seat))
        assert (reply.game.own_scope, reply.game.own_seat) == (pb.TOKEN_SCOPE_PLAY, seat)
    assert not (await seats.get()).game.HasField("own_seat")


async def test_the_open_form_has_the_true_order_at_each_version(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    first = state_message(state)
    state = await seats.play(state, 20)
    reply = await seats.get(form=pb.STATE_FORM_OPEN)
    assert reply.state == state_message(state)
    assert (await seats.get(form=pb.STATE_FORM_OPEN, version=0)).state == first
    refusal = await refusal_of(seats.get(form=pb.STATE_FORM_SEALED))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["form"])


@pytest.mark.parametrize("game_id", ["", "x", "{a}", "\0", "a" * 10_000, "*", "../x"])
async def test_a_game_that_is_not_there(stub: Stub, game_id: str) -> None:
    named: dict[str, Any] = {"game_id": game_id}
    wish: dict[str, Any] = {**named, "request_id": new_id()}
    calls: list[Awaitable[object]] = [
        stub.GetGame(pb.GetGameRequest(**named)),
        stub.Score(pb.ScoreRequest(**named)),
        stub.ListEvents(pb.ListEventsRequest(**named)),
        stub.ForkGame(pb.ForkGameRequest(**wish)),
        stub.DeleteGame(pb.DeleteGameRequest(**wish), metadata=AS_ADMIN),
        stub.EndGame(pb.EndGameRequest(bot_seat=0, **wish), metadata=AS_ADMIN),
        stub.ApplyMove(pb.ApplyMoveRequest(expected_version=0, moves=[message_of("draw")], **wish)),
    ]
    for call in calls:
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("NOT_FOUND", "GAME_NOT_FOUND")


# ListEvents


async def test_the_log_has_every_move_and_note(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    ids, expected = [], [(0, 0, pb.LOG_ENTRY_KIND_SETUP, "")]
    for version in range(1, 13):
        move = legal_moves(state)[0]
        ids.append(new_id())
        await seats.move(deciding(state), version - 1, move, request_id=ids[-1])
        state = apply(state, move).state
        expected.append((version, 0, pb.LOG_ENTRY_KIND_MOVE, move.id))
        if version % 5 == 0:
            await issue(seats, pb.TOKEN_SCOPE_WATCH)
            expected.append((version, 1, pb.LOG_ENTRY_KIND_TOKEN_ISSUED, ""))
    log = await seats.log()
    assert [(entry.version, entry.number, entry.kind, entry.move_id) for entry in log] == expected
    assert [entry.request_id for entry in log if entry.HasField("move")] == ids
    assert not any(entry.request_id for entry in log if not entry.HasField("move"))
    assert all(is_recent(entry.time) for entry in log)
    assert log[-1].digest == public_digest(state)
    assert {event.version for entry in log for event in entry.events} == set(range(13))


@pytest.mark.parametrize("size", [1, 2, 7, 13, 200])
async def test_the_log_in_pages_is_the_whole_log(stub: Stub, size: int) -> None:
    seats, state = await known_seats(stub)
    await seats.play(state, 12)
    whole, entries, token = await seats.log(), list[pb.LogEntry](), ""
    while True:
        request = pb.ListEventsRequest(game_id=seats.id, page_size=size, page_token=token)
        page = await stub.ListEvents(request, metadata=AS_ADMIN)
        assert len(page.entries) <= size
        entries += page.entries
        token = page.next_page_token
        if not token:
            break
    assert entries == whole
    since = await stub.ListEvents(pb.ListEventsRequest(game_id=seats.id, from_version=9), metadata=AS_ADMIN)
    assert list(since.entries) == whole[9:]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"page_size": 201}, "page_size"),
        *(
            ({"page_token": token}, "page_token")
            for token in (
                "x",
                "0",
                "0.",
                ".0",
                "-1.0",
                "0.-1",
                "0.0.0",
                "0." + "9" * 5000,
                "\N{SUPERSCRIPT TWO}.0",
            )
        ),
        ({"page_token": f"0.{2**64}"}, "page_token"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_a_page_that_is_none(stub: Stub, asked: dict[str, Any], field: str) -> None:
    seats = await new_seats(stub)
    refusal = await refusal_of(
        stub.ListEvents(pb.ListEventsRequest(game_id=seats.id, **asked), metadata=AS_ADMIN)
    )
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [field])


async def test_a_log_from_a_version_that_is_not_there(stub: Stub) -> None:
    seats = await new_seats(stub)
    beyond: list[dict[str, Any]] = [{"from_version": 1}, {"page_token": "9999999999.9999999999"}]
    for asked in beyond:
        request = pb.ListEventsRequest(game_id=seats.id, **asked)
        refusal = await refusal_of(stub.ListEvents(request, metadata=AS_ADMIN))
        assert (refusal.code.name, refusal.metadata) == ("DATA_LOSS", {"last_version": "0"})
    request = pb.ListEventsRequest(game_id=seats.id, page_token="0.9999999999")  # noqa: S106  no password
    assert (await stub.ListEvents(request, metadata=AS_ADMIN)).entries == []


# ListGames


async def listed(stub: Stub, **fields: Value) -> tuple[list[str], str]:
    metadata = fields.pop("metadata", AS_ADMIN)
    page = await stub.ListGames(pb.ListGamesRequest(**fields), metadata=metadata)
    return [game.game_id for game in page.games], page.next_page_token


async def test_games_are_listed_newest_first(stub: Stub) -> None:
    """To administrators all; to others those that anybody may watch."""
    games = [await new_seats(stub, public_watching=number % 2 == 0) for number in range(5)]
    ids = [game.id for game in games]
    everything, _ = await listed(stub)
    assert sorted(everything) == sorted(ids)
    page = await stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    times = [game.created.ToNanoseconds() for game in page.games]
    assert times == sorted(times, reverse=True)
    for metadata in ((), games[1].as_seat(0)):
        shown, _ = await listed(stub, metadata=metadata)
        assert sorted(shown) == sorted(ids[::2])


async def test_the_list_in_pages_is_the_whole_list(stub: Stub) -> None:
    ids = [(await new_seats(stub)).id for _ in range(7)]
    seen, token = await listed(stub, page_size=3)
    while token:
        more, token = await listed(stub, page_size=3, page_token=token)
        assert len(more) <= 3
        seen += more
    assert sorted(seen) == sorted(ids)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"page_size": 101}, "page_size"),
        ({"page_token": "x"}, "page_token"),
        ({"page_token": "OTk5OTk5OTk5OTk5OTk5Ong="}, "page_token"),
        ({"page_token": "\N{SNOWMAN}"}, "page_token"),
    ],
    ids=str,
)
async def test_a_page_of_the_list_that_is_none(stub: Stub, asked: dict[str, Any], field: str) -> None:
    refusal = await refusal_of(stub.ListGames(pb.ListGamesRequest(**asked)))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [field])


# DeleteGame


async def test_a_deleted_game_is_gone(stub: Stub) -> None:
    seats, kept = await new_seats(stub), await new_seats(stub)
    request = pb.DeleteGameRequest(game_id=seats.id, request_id=new_id())
    for metadata, code in ((seats.as_seat(0), "PERMISSION_DENIED"), ((), "PERMISSION_DENIED")):
        refusal = await refusal_of(stub.DeleteGame(request, metadata=metadata))
        assert refusal.code.name == code
    await stub.DeleteGame(request, metadata=AS_ADMIN)
    for call in (seats.get(), seats.move(0, 0, "dive:blue"), seats.log()):
        assert (await refusal_of(call)).reason == "GAME_NOT_FOUND"
    assert await listed(stub) == ([kept.id], "")
    again = pb.DeleteGameRequest(game_id=seats.id, request_id=new_id())
    assert (await refusal_of(stub.DeleteGame(again, metadata=AS_ADMIN))).reason == "GAME_NOT_FOUND"


# ForkGame


@pytest.mark.parametrize("version", [None, 0, 7, 20])
async def test_a_fork_has_the_public_facts_and_goes_its_own_way(stub: Stub, version: int | None) -> None:
    seats, state = await known_seats(stub, display_names=["Ann", "Bo"])
    states = [state]
    for _ in range(20):
        states.append(await seats.play(states[-1], 1))
    at = 20 if version is None else version
    request = pb.ForkGameRequest(game_id=seats.id, version=version, request_id=new_id())
    reply = await stub.ForkGame(request, metadata=seats.as_seat(1))
    expected = state_message(states[at])
    expected.ClearField("open")
    assert (reply.state, reply.digest) == (expected, public_digest(states[at]))
    assert (reply.game.forked_from.game_id, reply.game.forked_from.version) == (seats.id, at)
    assert (reply.game.version, list(reply.game.display_names)) == (at, ["Ann", "Bo"])
    fork = forked(reply, stub)
    assert [entry.kind for entry in await fork.log()] == [pb.LOG_ENTRY_KIND_FORK]
    truth = await fork.get(form=pb.STATE_FORM_OPEN)
    deck = list(truth.state.open.deck.cards)
    assert sorted(deck) == sorted(states[at].deck)
    assert deck != states[at].deck[::-1]
    own = read_back(states[at], truth.state)
    await fork.play(own, 5)
    assert (await fork.get(version=at)).state == expected
    assert (await seats.get()).state.version == 20
    if at:
        refusal = await refusal_of(fork.get(version=at - 1))
        assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["version"])


def read_back(like: GameState, message: pb.GameState) -> GameState:
    """Return a state that is like another one but for the hidden part of an open message."""
    state = like.copy()
    state.deck = list(message.open.deck.cards)[::-1]
    state.seed, state.counter = message.open.seed, message.open.counter
    return state


async def test_a_fork_gets_names_of_its_own(stub: Stub) -> None:
    seats = await new_seats(stub, display_names=["Ann", "Bo"])
    request = pb.ForkGameRequest(game_id=seats.id, request_id=new_id(), display_names=["Cy", "Di"])
    reply = await stub.ForkGame(request, metadata=seats.as_seat(0))
    assert list(reply.game.display_names) == ["Cy", "Di"]
    assert [player.display_name for player in reply.state.players] == ["Cy", "Di"]
    request.display_names.append("Ed")
    refusal = await refusal_of(stub.ForkGame(request, metadata=seats.as_seat(0)))
    assert refusal.fields == ["display_names"]


@pytest.mark.parametrize(
    "game_id", ["", "nowhere", "x" * 100_000, "{a}:b", "*" * 22, "\N{SPOUTING WHALE}" * 22]
)
async def test_what_can_be_no_id_is_no_game(stub: Stub, game_id: str) -> None:
    refusal = await refusal_of(stub.GetGame(pb.GetGameRequest(game_id=game_id), metadata=AS_ADMIN))
    assert (refusal.code.name, refusal.reason) == ("NOT_FOUND", "GAME_NOT_FOUND")
