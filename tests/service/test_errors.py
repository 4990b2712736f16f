"""Every reason for an error, provoked through real gRPC, and what all errors have in common."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.engine.errors import Fault
from service.errors import (
    ANSWERS,
    DeadlinePassed,
    InvalidFields,
    NotOffered,
    OtherRulesVersion,
    SealKeyUnknown,
    answer_of,
    status_of,
)
from service.handlers import SERVICE
from service.testing import RunningServer, running_server
from tests.fuzz.judging import HEADER_BYTES, on_the_wire
from tests.hosted.tables import new_id
from tests.service.support import PREFIX, Stub, ask, new_state, played, refusal_of, request_id_of, until
from tests.wire import state_message

DETAILS = "grpc-status-details-bin"
DIVE = pb.Move(dive=pb.Dive(site=pb.SITE_BLUE))


def a_pass() -> pb.Move:
    fields: dict[str, Any] = {"pass": {}}  # a keyword of Python
    return pb.Move(**fields)


async def unreadable(stub: Stub, channel: grpc.aio.Channel) -> object:
    return await ask(channel, f"/{SERVICE}/NewGame", b"\xff\xff")


async def bad_field(stub: Stub, channel: grpc.aio.Channel) -> object:
    return await stub.NewGame(pb.NewGameRequest(players=6))


async def impossible(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub, form=pb.STATE_FORM_OPEN)
    state.week = 3
    return await stub.Score(pb.ScoreRequest(state=state))


async def broken_seal(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub)
    state.version += 1
    return await stub.Score(pb.ScoreRequest(state=state))


async def unknown_key(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub)
    state.sealed.key_id = "another"
    return await stub.Score(pb.ScoreRequest(state=state))


async def nothing_hidden(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub)
    state.ClearField("sealed")
    return await stub.Score(pb.ScoreRequest(state=state))


async def illegal(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub)
    return await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[a_pass()]))


async def over(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = state_message(played(10_000))
    return await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[DIVE]))


async def other_rules(stub: Stub, channel: grpc.aio.Channel) -> object:
    state = await new_state(stub)
    state.rules_version = "0"
    return await stub.Score(pb.ScoreRequest(state=state))


async def made(stub: Stub, **fields: object) -> tuple[pb.NewGameResponse, tuple[tuple[str, str], ...]]:
    """Return a hosted game and the metadata of the seat that decides."""
    given: dict[str, Any] = {"players": 2, "form": pb.STATE_FORM_HOSTED, "request_id": new_id(), **fields}
    game = await stub.NewGame(pb.NewGameRequest(**given))
    return game, (("authorization", f"Bearer {game.tokens[game.decision.seat].token}"),)


def dive_in(game: pb.NewGameResponse) -> pb.ApplyMoveRequest:
    id_ = game.game.game_id
    return pb.ApplyMoveRequest(game_id=id_, moves=[DIVE], request_id=new_id(), expected_version=0)


async def reused(stub: Stub, channel: grpc.aio.Channel) -> object:
    await made(stub, request_id=REQUEST)
    return await made(stub, request_id=REQUEST, players=3)


async def stale(stub: Stub, channel: grpc.aio.Channel) -> object:
    game, metadata = await made(stub)
    await stub.ApplyMove(dive_in(game), metadata=metadata)
    return await stub.ApplyMove(dive_in(game), metadata=metadata)


async def no_game(stub: Stub, channel: grpc.aio.Channel) -> object:
    return await stub.Score(pb.ScoreRequest(game_id="some-game-not-stored-1"))


async def lost_version(stub: Stub, channel: grpc.aio.Channel) -> object:
    game, metadata = await made(stub)
    return await stub.GetGame(pb.GetGameRequest(game_id=game.game.game_id, version=9), metadata=metadata)


async def no_token(stub: Stub, channel: grpc.aio.Channel) -> object:
    game, _ = await made(stub)
    return await stub.GetGame(pb.GetGameRequest(game_id=game.game.game_id))


async def other_seat(stub: Stub, channel: grpc.aio.Channel) -> object:
    game, _ = await made(stub)
    while game.decision.seat != 0:
        game, _ = await made(stub)
    metadata = (("authorization", f"Bearer {game.tokens[1].token}"),)
    return await stub.ApplyMove(dive_in(game), metadata=metadata)


async def not_allowed(stub: Stub, channel: grpc.aio.Channel) -> object:
    game, metadata = await made(stub)
    request = pb.DeleteGameRequest(game_id=game.game.game_id, request_id=new_id())
    return await stub.DeleteGame(request, metadata=metadata)


REQUEST = "6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75"
INVALID = "INVALID_ARGUMENT"
FAILED = "FAILED_PRECONDITION"


@pytest.mark.parametrize(
    ("provoke", "code", "reason", "metadata"),
    [
        (unreadable, INVALID, "UNDECODABLE", {}),
        (bad_field, INVALID, "INVALID_FIELD", {"faults": "1"}),
        (impossible, INVALID, "IMPOSSIBLE_STATE", {"faults": "1"}),
        (broken_seal, INVALID, "SEAL_BROKEN", {}),
        (unknown_key, FAILED, "SEAL_KEY_UNKNOWN", {"key_id": "another"}),
        (nothing_hidden, INVALID, "HIDDEN_PART_MISSING", {}),
        (illegal, FAILED, "ILLEGAL_MOVE", {"rule": "R3.1", "move": "pass", "move_index": "0"}),
        (over, FAILED, "GAME_OVER", {"rule": "R9.3", "move_index": "0"}),
        (other_rules, FAILED, "RULES_VERSION", {"requested": "0", "served": "1"}),
        (reused, INVALID, "REQUEST_ID_REUSED", {}),
        (stale, "ABORTED", "STALE_VERSION", {"current_version": "1"}),
        (no_game, "NOT_FOUND", "GAME_NOT_FOUND", {}),
        (lost_version, "DATA_LOSS", "VERSION_LOST", {"last_version": "0"}),
        (no_token, "UNAUTHENTICATED", "TOKEN_REFUSED", {}),
        (
            other_seat,
            "PERMISSION_DENIED",
            "NOT_YOUR_SEAT",
            {"rule": "R3.1", "deciding_seat": "0", "own_seat": "1", "move_index": "0"},
        ),
        (not_allowed, "PERMISSION_DENIED", "NOT_ALLOWED", {"needs": "administrator"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_each_reason_can_be_provoked(
    channel: grpc.aio.Channel,
    provoke: Callable[[Stub, grpc.aio.Channel], Awaitable[object]],
    code: str,
    reason: str,
    metadata: dict[str, str],
) -> None:
    refusal = await refusal_of(provoke(FinspanServiceStub(channel), channel))
    assert (refusal.code.name, refusal.reason) == (code, reason)
    assert refusal.metadata == metadata
    assert refusal.message
    assert refusal.request_id


async def test_several_workers_without_a_store_host_no_games() -> None:
    async with (
        running_server(workers=2) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        refusal = await refusal_of(no_game(FinspanServiceStub(channel), channel))
        assert (refusal.code.name, refusal.reason) == ("UNIMPLEMENTED", "NOT_OFFERED")
        assert refusal.metadata == {"feature": "hosted_games"}


async def test_a_store_that_does_not_answer_is_told_with_when_to_try_again() -> None:
    keys = "a:" + "0a" * 32
    nowhere = {"redis_url": "redis://127.0.0.1:1", "seal_keys": keys, "token_keys": keys}
    async with (
        running_server(**nowhere) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        refusal = await refusal_of(no_game(FinspanServiceStub(channel), channel))
        assert (refusal.code.name, refusal.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
        assert refusal.retry_seconds == 1


async def test_a_call_over_the_limit_is_told_when_to_try_again() -> None:
    async with (
        running_server(max_calls=1) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        stub = FinspanServiceStub(channel)
        state = await new_state(stub)
        long_call = asyncio.ensure_future(
            stub.SampleStates(pb.SampleStatesRequest(state=state, seed="s", count=1000))
        )
        await until(lambda: server.is_at_work)
        refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=state)))
        assert (refusal.code.name, refusal.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS")
        assert refusal.retry_seconds == 1
        assert len((await long_call).states) == 1000
        assert (await stub.Score(pb.ScoreRequest(state=state))).players


@pytest.mark.parametrize("ask", ["catalogue", "samples"])
async def test_a_reply_over_the_limit_is_refused(ask: str) -> None:
    async with (
        running_server(max_reply_bytes=5000) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        stub = FinspanServiceStub(channel)
        samples = pb.SampleStatesRequest(state=await new_state(stub), seed="s", count=1000)
        call = stub.GetCatalog(pb.GetCatalogRequest()) if ask == "catalogue" else stub.SampleStates(samples)
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("RESOURCE_EXHAUSTED", "REPLY_TOO_LARGE")
        assert refusal.metadata == {"limit": "5000"}


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


def test_deadlines_have_their_reason_too() -> None:
    answer = answer_of(DeadlinePassed())
    assert (answer.code, answer.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, pb.ERROR_REASON_DEADLINE)


def test_the_table_has_every_reason_of_the_contract() -> None:
    assert {answer.reason for answer in ANSWERS.values()} >= set(pb.ErrorReason.values()) - {0}


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
    def fail(*_: object) -> None:
        raise RuntimeError("the top card is 17")

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
