"""What administrators do to hosted games, and what a game opens at its end."""

from hashlib import sha256
from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.rules import legal_moves, new_game
from service.engine.samples import sample
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.tables import (
    AS_ADMIN,
    SEED,
    Seats,
    bearer,
    deciding,
    end,
    forked,
    issue,
    known_seats,
    message_of,
    new_id,
    new_request,
    new_seats,
)
from tests.service.support import Stub, refusal_of
from tests.wire import state_message

# IssueSeatToken


async def test_a_new_token_voids_the_old_one_everywhere_at_once(
    replica: Replica, start: Start, place: Place
) -> None:
    """Also at a server that has the game in its memory."""
    seats, state = await known_seats(replica.stub)
    elsewhere = seats.at((await start(**place)).stub)
    state = await elsewhere.play(state, 1)
    seat = deciding(state)
    token = await issue(seats, pb.TOKEN_SCOPE_PLAY, seat)
    move = legal_moves(state)[0]
    for table in (elsewhere, seats):
        refusal = await refusal_of(table.move(seat, 1, move))
        assert (refusal.code.name, refusal.reason) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
        refusal = await refusal_of(
            table.stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=seats.as_seat(seat))
        )
        assert refusal.reason == "TOKEN_REFUSED"
    tokens = [token if each == seat else old for each, old in enumerate(seats.tokens)]
    assert (await elsewhere._replace(tokens=tokens).move(seat, 1, move)).version == 2


async def test_tokens_to_watch_and_to_administer(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    state = await seats.play(state, 2)
    watch = bearer(await issue(seats, pb.TOKEN_SCOPE_WATCH))
    admin = bearer(await issue(seats, pb.TOKEN_SCOPE_ADMIN))
    look = pb.GetGameRequest(game_id=seats.id)
    for metadata, scope in ((watch, pb.TOKEN_SCOPE_WATCH), (admin, pb.TOKEN_SCOPE_ADMIN)):
        reply = await stub.GetGame(look, metadata=metadata)
        assert (reply.game.own_scope, reply.game.HasField("own_seat")) == (scope, False)
        request = seats.request(2, legal_moves(state)[0])
        refusal = await refusal_of(stub.ApplyMove(request, metadata=metadata))
        assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_ALLOWED")
    opened = pb.GetGameRequest(game_id=seats.id, form=pb.STATE_FORM_OPEN)
    assert (await stub.GetGame(opened, metadata=admin)).state.HasField("open")
    assert (await refusal_of(stub.GetGame(opened, metadata=watch))).reason == "NOT_ALLOWED"
    assert (await refusal_of(issue(seats, pb.TOKEN_SCOPE_PLAY, 0, watch))).reason == "NOT_ALLOWED"
    newer = bearer(await issue(seats, pb.TOKEN_SCOPE_ADMIN, None, admin))
    assert (await refusal_of(stub.GetGame(look, metadata=admin))).reason == "TOKEN_REFUSED"
    assert (await stub.GetGame(look, metadata=watch)).game.version == 2
    await issue(seats, pb.TOKEN_SCOPE_WATCH, None, newer)
    assert (await refusal_of(stub.GetGame(look, metadata=watch))).reason == "TOKEN_REFUSED"


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({}, ["scope"]),
        ({"scope": 4}, ["scope"]),
        ({"scope": 1}, ["seat"]),
        ({"scope": 2, "seat": 0}, ["seat"]),
        ({"scope": 3, "seat": 0}, ["seat"]),
        ({"scope": 1, "seat": 2}, ["seat"]),
        ({"scope": 1, "seat": 2**32 - 1}, ["seat"]),
    ],
    ids=str,
)
async def test_what_no_token_is_for(stub: Stub, asked: dict[str, Any], fields: list[str]) -> None:
    seats = await new_seats(stub)
    request = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), **asked)
    refusal = await refusal_of(stub.IssueSeatToken(request, metadata=AS_ADMIN))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", fields)


# EndGame


async def test_an_ended_game_stands_still_and_is_opened(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    state = await seats.play(state, 9)
    info = await end(seats, end_now=pb.EndNow())
    assert (info.status, info.version) == (pb.GAME_STATUS_ENDED, 9)
    assert info.opening.seed == SEED
    for call in (
        seats.move(deciding(state), 9, legal_moves(state)[0]),
        seats.move(deciding(state), 9, legal_moves(state)[0], validate_only=True),
        end(seats, end_now=pb.EndNow()),
        end(seats, bot_seat=0),
    ):
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "GAME_OVER")
    assert (await seats.log())[-1].kind == pb.LOG_ENTRY_KIND_ENDED
    now = await seats.get(with_legal_moves=True)
    assert now.over
    assert not now.HasField("decision")
    assert not now.legal_moves
    asked = pb.LegalMovesRequest(game_id=seats.id, why_not=True, why_not_moves=[message_of("dive:blue")])
    listed = await stub.LegalMoves(asked, metadata=AS_ADMIN)
    assert listed.over
    assert not listed.legal_moves
    (reason,) = listed.why_not
    assert (reason.rule, reason.text) == ("R9.3", "An administrator has ended this game.")
    scored = await stub.Score(pb.ScoreRequest(game_id=seats.id), metadata=AS_ADMIN)
    assert scored.over
    assert not scored.winners
    assert (await seats.get(version=5)).HasField("decision")
    opened = pb.GetGameRequest(game_id=seats.id, form=pb.STATE_FORM_OPEN)
    assert (await stub.GetGame(opened, metadata=seats.as_seat(0))).state == state_message(state)


async def test_a_bot_takes_a_seat_and_a_token_gives_it_back(stub: Stub) -> None:
    """It moves at once, and behind later moves, until a person decides."""
    seats = await new_seats(stub, seed=SEED)
    info = await end(seats, bot_seat=0)
    assert list(info.bot_seats) == [0]
    assert info.status == pb.GAME_STATUS_RUNNING
    now = await seats.get(with_legal_moves=True)
    assert now.game.version == info.version > 0
    assert now.decision.seat == 1
    log = await seats.log()
    kinds = [entry.kind for entry in log]
    assert kinds[:2] == [pb.LOG_ENTRY_KIND_SETUP, pb.LOG_ENTRY_KIND_BOT_SEATED]
    assert set(kinds[2:]) == {pb.LOG_ENTRY_KIND_BOT_MOVE}
    assert {entry.seat for entry in log[1:]} == {0}
    assert (await refusal_of(seats.move(0, info.version, "dive:blue"))).reason == "TOKEN_REFUSED"

    reply: Any = now
    version = info.version
    while not any(entry.version > version for entry in (await seats.log()) if entry.seat == 0):
        reply = await seats.move(1, reply.state.version, reply.legal_moves[0].move, with_legal_moves=True)
        assert reply.over or reply.decision.seat == 1
    assert max(event.version for event in reply.events) > reply.version - 1
    assert reply.version == reply.state.version == (await seats.get()).game.version

    tokens = [await issue(seats, pb.TOKEN_SCOPE_PLAY, 0), seats.tokens[1]]
    seats = seats._replace(tokens=tokens)
    assert list((await seats.get()).game.bot_seats) == []
    while reply.decision.seat == 1:
        reply = await seats.move(1, reply.version, reply.legal_moves[0].move, with_legal_moves=True)
    assert reply.decision.seat == 0
    assert (await seats.move(0, reply.version, reply.legal_moves[0].move)).version == reply.version + 1


async def test_bots_alone_play_to_the_end(stub: Stub) -> None:
    seats, _ = await known_seats(stub)
    await end(seats, bot_seat=1)
    info = await end(seats, bot_seat=0)
    assert (info.status, list(info.bot_seats)) == (pb.GAME_STATUS_OVER, [0, 1])
    assert info.opening.seed == SEED
    score = await stub.Score(pb.ScoreRequest(game_id=seats.id), metadata=AS_ADMIN)
    assert score.over
    assert score.version == info.version
    assert (await seats.get(version=info.version // 2)).state.version == info.version // 2


@pytest.mark.parametrize(
    ("action", "field"),
    [({}, "action"), ({"bot_seat": 2}, "bot_seat"), ({"bot_seat": 2**32 - 1}, "bot_seat")],
)
async def test_what_cannot_be_done_to_a_game(stub: Stub, action: dict[str, Any], field: str) -> None:
    refusal = await refusal_of(end(await new_seats(stub), **action))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [field])


async def test_what_was_done_to_a_game_elsewhere_counts_at_once(
    replica: Replica, start: Start, place: Place
) -> None:
    """Also at a server that has the game in its memory, of the same version."""
    for action, reason in (({"end_now": pb.EndNow()}, "GAME_OVER"), ({"bot_seat": 1}, "TOKEN_REFUSED")):
        seats, state = await known_seats(replica.stub)
        while deciding(state) != 1:
            state = await seats.play(state, 1)
        await end(seats.at((await start(**place)).stub), **action)
        refusal = await refusal_of(seats.move(1, state.version, legal_moves(state)[0]))
        assert refusal.reason == reason


# The commitment.


def is_opened(info: pb.GameInfo) -> bool:
    opening = info.opening
    said = sha256(bytes.fromhex(opening.nonce) + opening.seed.encode()).hexdigest()
    return len(opening.nonce) == 64 and said == info.commitment


async def test_the_commitment_is_opened_at_the_end(stub: Stub) -> None:
    """The seed gives the very game."""
    new = await stub.NewGame(new_request())
    seats = Seats(stub, new.game.game_id, [token.token for token in new.tokens])
    assert not (await seats.get()).game.HasField("opening")
    info = await end(seats, end_now=pb.EndNow())
    assert info.commitment == new.game.commitment
    assert is_opened(info)
    assert public_digest(new_game(2, seed=info.opening.seed).state) == new.digest


async def test_a_fork_s_commitment_is_that_of_a_sample(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    state = await seats.play(state, 12)
    request = pb.ForkGameRequest(game_id=seats.id, request_id=new_id())
    reply = await stub.ForkGame(request, metadata=seats.as_seat(0))
    fork = forked(reply, stub)
    info = await end(fork, end_now=pb.EndNow())
    assert info.commitment == reply.game.commitment
    assert is_opened(info)
    opened = (await fork.get(form=pb.STATE_FORM_OPEN)).state
    assert opened == state_message(sample(state, info.opening.seed, 0))
