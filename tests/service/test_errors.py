"""Every reason for an error, provoked through real gRPC, and what all errors have in common."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.engine.errors import Fault
from service.errors import InvalidFields, NotOffered, OtherRulesVersion, SealKeyUnknown, status_of
from service.handlers import SERVICE
from service.testing import RunningServer, running_server
from tests.fuzz.judging import HEADER_BYTES, on_the_wire
from tests.hosted.tables import new_id
from tests.service.support import (
    PREFIX,
    Stub,
    Value,
    ask,
    new_state,
    played,
    refusal_of,
    request_id_of,
    until,
)
from tests.wire import state_message

DETAILS = "grpc-status-details-bin"
DIVE = pb.Move(dive=pb.Dive(site=pb.SITE_BLUE))
REQUEST = "6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75"
INVALID = "INVALID_ARGUMENT"
FAILED = "FAILED_PRECONDITION"


def a_pass() -> pb.Move:
    fields: dict[str, Any] = {"pass": {}}  # a keyword of Python
    return pb.Move(**fields)


class Place(NamedTuple):
    """Where errors are provoked: a server, and what speaks to it."""

    server: RunningServer
    channel: grpc.aio.Channel
    stub: Stub


@asynccontextmanager
async def place(**settings: object) -> AsyncIterator[Place]:
    """Run a server with these settings."""
    async with running_server(**settings) as server, grpc.aio.insecure_channel(server.address) as channel:
        yield Place(server, channel, FinspanServiceStub(channel))


async def unreadable(at: Place) -> object:
    return await ask(at.channel, f"/{SERVICE}/NewGame", b"\xff\xff")


async def bad_field(at: Place) -> object:
    return await at.stub.NewGame(pb.NewGameRequest(players=6))


async def impossible(at: Place) -> object:
    state = await new_state(at.stub, form=pb.STATE_FORM_OPEN)
    state.turn = 7
    return await at.stub.Score(pb.ScoreRequest(state=state))


async def broken_seal(at: Place) -> object:
    state = await new_state(at.stub)
    state.version += 1
    return await at.stub.Score(pb.ScoreRequest(state=state))


async def unknown_key(at: Place) -> object:
    state = await new_state(at.stub)
    state.sealed.key_id = "another"
    return await at.stub.Score(pb.ScoreRequest(state=state))


async def nothing_hidden(at: Place) -> object:
    state = await new_state(at.stub)
    state.ClearField("sealed")
    return await at.stub.Score(pb.ScoreRequest(state=state))


async def illegal(at: Place) -> object:
    state = await new_state(at.stub)
    return await at.stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[a_pass()]))


async def over(at: Place) -> object:
    state = state_message(played(10_000))
    return await at.stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[DIVE]))


async def other_rules(at: Place) -> object:
    state = await new_state(at.stub)
    state.rules_version = "0"
    return await at.stub.Score(pb.ScoreRequest(state=state))


async def made(stub: Stub, **fields: object) -> tuple[pb.NewGameResponse, tuple[tuple[str, str], ...]]:
    """Return a hosted game and the metadata of the seat that decides."""
    given: dict[str, Any] = {"players": 2, "form": pb.STATE_FORM_HOSTED, "request_id": new_id(), **fields}
    game = await stub.NewGame(pb.NewGameRequest(**given))
    return game, (("authorization", f"Bearer {game.tokens[game.decision.seat].token}"),)


def dive_in(game: pb.NewGameResponse) -> pb.ApplyMoveRequest:
    id_ = game.game.game_id
    return pb.ApplyMoveRequest(game_id=id_, moves=[DIVE], request_id=new_id(), expected_version=0)


async def reused(at: Place) -> object:
    await made(at.stub, request_id=REQUEST)
    return await made(at.stub, request_id=REQUEST, players=3)


async def stale(at: Place) -> object:
    game, metadata = await made(at.stub)
    await at.stub.ApplyMove(dive_in(game), metadata=metadata)
    return await at.stub.ApplyMove(dive_in(game), metadata=metadata)


async def no_game(at: Place) -> object:
    return await at.stub.Score(pb.ScoreRequest(game_id="some-game-not-stored-1"))


async def lost_version(at: Place) -> object:
    game, metadata = await made(at.stub)
    return await at.stub.GetGame(pb.GetGameRequest(game_id=game.game.game_id, version=9), metadata=metadata)


async def no_token(at: Place) -> object:
    game, _ = await made(at.stub)
    return await at.stub.GetGame(pb.GetGameRequest(game_id=game.game.game_id))


async def other_seat(at: Place) -> object:
    game, _ = await made(at.stub)
    while game.decision.seat != 0:
        game, _ = await made(at.stub)
    metadata = (("authorization", f"Bearer {game.tokens[1].token}"),)
    return await at.stub.ApplyMove(dive_in(game), metadata=metadata)


async def not_allowed(at: Place) -> object:
    game, metadata = await made(at.stub)
    request = pb.DeleteGameRequest(game_id=game.game.game_id, request_id=new_id())
    return await at.stub.DeleteGame(request, metadata=metadata)


def long_call(at: Place, state: pb.GameState) -> "asyncio.Future[pb.SampleStatesResponse]":
    """Return a call of a few hundred milliseconds, on its way."""
    return asyncio.ensure_future(
        at.stub.SampleStates(pb.SampleStatesRequest(state=state, seed="s", count=1000))
    )


async def beside_another(at: Place) -> object:
    """Ask while another call is at work; that one and the next are answered."""
    state = await new_state(at.stub)
    other = long_call(at, state)
    await until(lambda: at.server.is_at_work)
    try:
        return await at.stub.Score(pb.ScoreRequest(state=state))
    finally:
        assert len((await other).states) == 1000
        assert (await at.stub.Score(pb.ScoreRequest(state=state))).players


async def too_much_asked(at: Place) -> object:
    return await at.stub.GetCatalog(pb.GetCatalogRequest())


async def too_many_samples(at: Place) -> object:
    return await long_call(at, await new_state(at.stub))


async def in_no_time(ask_anew: Callable[..., Value]) -> object:
    """Give hardly any time, but wait all the same: a caller that keeps to its own time hears no reason.

    Now and then gRPC itself is the one to end the call, which gives no reason either, and now and then the
    call is faster.
    """
    for _ in range(1000):
        call = ask_anew(metadata=(("grpc-timeout", "1n"),))
        if DETAILS in dict(await call.trailing_metadata()):
            return await call
    raise AssertionError("no call was late")


async def late(at: Place) -> object:
    """Score has not begun when its time is over."""
    state = await new_state(at.stub)
    return await in_no_time(partial(at.stub.Score, pb.ScoreRequest(state=state)))


async def too_slow(at: Place) -> object:
    """Samples have been begun when their time is over."""
    request = pb.SampleStatesRequest(state=await new_state(at.stub), seed="s", count=1000)
    return await in_no_time(partial(at.stub.SampleStates, request))


async def while_it_drains(at: Place) -> object:
    """Ask on a line that was there before, while the server waits for a call in hand."""
    in_hand = long_call(at, await new_state(at.stub))
    await until(lambda: at.server.is_at_work)
    drain = asyncio.ensure_future(at.server.server.drain())
    try:
        while True:
            await new_state(at.stub)
    finally:
        assert len((await in_hand).states) == 1000
        await drain


def fail(*_: object) -> None:
    raise RuntimeError("the top card is 17")


async def fault_of_ours(at: Place) -> object:
    state = await new_state(at.stub)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.handlers.playing.score_fields", fail)
        return await at.stub.Score(pb.ScoreRequest(state=state))


NOWHERE = {"redis_url": "redis://127.0.0.1:1", "seal_keys": "a:" + "0a" * 32, "token_keys": "a:" + "0a" * 32}
"""The settings of a server whose store does not answer."""


class Provoked(NamedTuple):
    """How an error is provoked, with which settings of the server, and all that is answered."""

    provoke: Callable[[Place], Awaitable[object]]
    code: str
    reason: str
    metadata: Mapping[str, str] = {}
    settings: Mapping[str, object] = {}
    retry_seconds: int | None = None


PROVOKED = [
    Provoked(unreadable, INVALID, "UNDECODABLE"),
    Provoked(bad_field, INVALID, "INVALID_FIELD", {"faults": "1"}),
    Provoked(impossible, INVALID, "IMPOSSIBLE_STATE", {"faults": "1"}),
    Provoked(broken_seal, INVALID, "SEAL_BROKEN"),
    Provoked(unknown_key, FAILED, "SEAL_KEY_UNKNOWN", {"key_id": "another"}),
    Provoked(nothing_hidden, INVALID, "HIDDEN_PART_MISSING"),
    Provoked(illegal, FAILED, "ILLEGAL_MOVE", {"rule": "R3.1", "move": "pass", "move_index": "0"}),
    Provoked(over, FAILED, "GAME_OVER", {"rule": "R9.3", "move_index": "0"}),
    Provoked(other_rules, FAILED, "RULES_VERSION", {"requested": "0", "served": "1"}),
    Provoked(late, "DEADLINE_EXCEEDED", "DEADLINE"),
    Provoked(too_slow, "DEADLINE_EXCEEDED", "DEADLINE"),
    Provoked(reused, INVALID, "REQUEST_ID_REUSED"),
    Provoked(stale, "ABORTED", "STALE_VERSION", {"current_version": "1"}),
    Provoked(no_game, "NOT_FOUND", "GAME_NOT_FOUND"),
    Provoked(lost_version, "DATA_LOSS", "VERSION_LOST", {"last_version": "0"}),
    Provoked(no_token, "UNAUTHENTICATED", "TOKEN_REFUSED"),
    Provoked(
        other_seat,
        "PERMISSION_DENIED",
        "NOT_YOUR_SEAT",
        {"rule": "R3.1", "deciding_seat": "0", "own_seat": "1", "move_index": "0"},
    ),
    Provoked(not_allowed, "PERMISSION_DENIED", "NOT_ALLOWED", {"needs": "administrator"}),
    Provoked(no_game, "UNIMPLEMENTED", "NOT_OFFERED", {"feature": "hosted_games"}, {"workers": 2}),
    Provoked(no_game, "UNAVAILABLE", "STORE_UNAVAILABLE", {}, NOWHERE, 1),
    Provoked(beside_another, "RESOURCE_EXHAUSTED", "TOO_MANY_CALLS", {"limit": "1"}, {"max_calls": 1}, 1),
    Provoked(
        too_much_asked, "RESOURCE_EXHAUSTED", "REPLY_TOO_LARGE", {"limit": "5000"}, {"max_reply_bytes": 5000}
    ),
    Provoked(
        too_many_samples,
        "RESOURCE_EXHAUSTED",
        "REPLY_TOO_LARGE",
        {"limit": "5000"},
        {"max_reply_bytes": 5000},
    ),
    Provoked(while_it_drains, "UNAVAILABLE", "DRAINING", {}, {}, 1),
    Provoked(fault_of_ours, "INTERNAL", "INTERNAL"),
]


@pytest.mark.parametrize("given", PROVOKED, ids=lambda given: f"{given.reason}, {given.provoke.__name__}")
async def test_each_reason_can_be_provoked(given: Provoked) -> None:
    async with place(**given.settings) as at:
        refusal = await refusal_of(given.provoke(at))
    assert (refusal.code.name, refusal.reason) == (given.code, given.reason)
    assert refusal.metadata == given.metadata
    assert refusal.retry_seconds == given.retry_seconds
    assert refusal.message
    assert refusal.request_id


def test_every_reason_of_the_contract_is_provoked() -> None:
    told = {PREFIX + given.reason for given in PROVOKED}
    assert told == set(pb.ErrorReason.keys()) - {"ERROR_REASON_UNSPECIFIED"}


async def test_a_call_ends_with_its_deadline(server: RunningServer, stub: Stub) -> None:
    """The caller knows by itself; that the server has stopped working on it, its log tells."""
    request = pb.SampleStatesRequest(state=await new_state(stub), seed="s", count=1000)
    refusal = await refusal_of(stub.SampleStates(request, timeout=0.03))
    assert refusal.code is grpc.StatusCode.DEADLINE_EXCEEDED
    await until(lambda: not server.is_at_work)
    line = server.log_lines()[-1]
    assert (line["method"], line["code"]) == ("SampleStates", "DEADLINE_EXCEEDED")


async def test_a_cancelled_call_stops(server: RunningServer, stub: Stub) -> None:
    call = stub.SampleStates(pb.SampleStatesRequest(state=await new_state(stub), seed="s", count=1000))
    await until(lambda: server.is_at_work)
    call.cancel()
    await until(lambda: not server.is_at_work)
    line = server.log_lines()[-1]
    assert (line["method"], line["code"]) == ("SampleStates", "CANCELLED")


async def test_other_services_and_methods_are_unimplemented(channel: grpc.aio.Channel) -> None:
    for method in (f"/{SERVICE}/WatchGame", "/finspan.v2.FinspanService/NewGame"):
        refusal = await refusal_of(ask(channel, method))
        assert refusal.code is grpc.StatusCode.UNIMPLEMENTED


async def test_a_request_beyond_the_limit_is_refused(channel: grpc.aio.Channel) -> None:
    refusal = await refusal_of(ask(channel, f"/{SERVICE}/NewGame", b"\x00" * ((1 << 20) + 1)))
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_what_is_unexpected_is_logged_and_not_told(
    monkeypatch: pytest.MonkeyPatch, server: RunningServer, stub: Stub
) -> None:
    monkeypatch.setattr("service.handlers.playing.score_fields", fail)
    state = await new_state(stub)
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=state)))
    assert (refusal.code.name, refusal.reason) == ("INTERNAL", "INTERNAL")
    assert "top card" not in refusal.message + server.log.getvalue()
    unexpected, call = server.log_lines()[-2:]
    assert unexpected["trace"][0] == "RuntimeError"
    assert unexpected["trace"][-1].endswith("fail")
    assert unexpected["request_id"] == call["request_id"] == refusal.request_id
    assert call["code"] == "INTERNAL"
    assert (await new_state(stub)).version == 0


@pytest.mark.parametrize("letter", ["y", "%", "\n", "\N{COMBINING ACUTE ACCENT}", "\N{SPOUTING WHALE}"])
@pytest.mark.parametrize("count", [1, 30, 100_000])
def test_errors_fit_into_headers_whatever_they_quote(count: int, letter: str) -> None:
    faults = [Fault("players[0].hand" + letter * 500, "R1.3", letter * 5000)] * count
    quoted = letter * 100_000
    for error in (
        InvalidFields(faults),
        SealKeyUnknown(quoted),
        OtherRulesVersion(quoted),
        NotOffered(quoted, quoted),
    ):
        status = status_of(error)
        assert on_the_wire(status.message, ((DETAILS, status.SerializeToString()),)) < HEADER_BYTES - 500


async def test_many_faults_arrive(stub: Stub) -> None:
    state = await new_state(stub, form=pb.STATE_FORM_OPEN)
    for player in state.players:
        for held in player.ocean:
            held.young = 2**32 - 1
        player.hand.extend(range(1, 120))
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=state)))
    assert refusal.reason == "IMPOSSIBLE_STATE"
    assert int(refusal.metadata["faults"]) > len(refusal.violations) > 10


@pytest.mark.parametrize("given", ["a", "My-Request_1.2:3/4+5=", "x" * 64])
async def test_a_request_keeps_the_id_that_it_brings(server: RunningServer, stub: Stub, given: str) -> None:
    call = stub.NewGame(pb.NewGameRequest(players=2), metadata=(("x-request-id", given),))
    await call
    assert request_id_of(await call.trailing_metadata()) == given
    refusal = await refusal_of(stub.NewGame(pb.NewGameRequest(), metadata=(("x-request-id", given),)))
    assert refusal.request_id == given
    assert [line["request_id"] for line in server.log_lines()[-2:]] == [given, given]


@pytest.mark.parametrize("given", ["", "x" * 65, "two words", '"quoted"', "<script>", None])
async def test_a_request_without_a_sane_id_gets_one(stub: Stub, given: str | None) -> None:
    metadata = () if given is None else (("x-request-id", given),)
    calls = [stub.NewGame(pb.NewGameRequest(players=2), metadata=metadata) for _ in range(2)]
    await asyncio.gather(*calls)
    ids = {request_id_of(await call.trailing_metadata()) for call in calls}
    assert len(ids) == 2
    assert all(len(id_) == 36 for id_ in ids)


def test_reasons_are_names_of_the_contract() -> None:
    status = status_of(InvalidFields([Fault("players", "R2.1", "No.")]))
    assert (PREFIX + "INVALID_FIELD").encode() in status.details[0].value
