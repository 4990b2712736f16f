"""What is hidden stays hidden: in replies, events, errors and logs of sealed games."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.events import CardDrawn, DeckRenewed
from service.engine.moves import UNIVERSE, Move
from service.engine.rules import apply, legal_moves, new_game
from service.engine.state import SHARKS_AND_REEFS, GameState
from service.positions import Positions, position_of
from service.testing import RunningServer
from tests.service.support import Stub, Value, alterations, chance, played, refusal_of
from tests.wire import state_message

SEED = "the seed that nobody may see"
RUN = 4
"""So many neighbours of the deck side by side are no accident any more."""


def traces_of(state: GameState) -> set[bytes]:
    """Return what must not be found: the seed, and runs of the deck in either direction, however written."""
    runs = []
    for deck in (state.deck, state.deck[::-1]):
        runs += [deck[start : start + RUN] for start in range(len(deck) - RUN + 1)]
    packed = [pb.Deck(cards=run).SerializeToString()[2:] for run in runs]
    written = [sign.join(map(str, run)).encode() for run in runs for sign in (",", ", ", " ")]
    return {SEED.encode(), *map(bytes, runs), *packed, *written}


def without_seal(reply: Value) -> bytes:
    """Return a reply's bytes, its seal left out: that is random."""
    bare = type(reply)()
    bare.CopyFrom(reply)
    if "state" in bare.DESCRIPTOR.fields_by_name and bare.HasField("state"):
        assert bare.state.WhichOneof("hidden") == "sealed"
        bare.state.ClearField("sealed")
    written: bytes = bare.SerializeToString()
    return written


async def test_nothing_of_the_order_leaves_the_service(server: RunningServer, stub: Stub) -> None:
    """A whole sealed game with all that can be asked on the way, and every kind of error."""
    state = new_game(2, seed=SEED).state
    rng = chance(5)
    reply: Any = await stub.NewGame(pb.NewGameRequest(players=2, seed=SEED, with_legal_moves=True))
    said = [without_seal(reply)]
    traces = traces_of(state)
    assert any(trace in state_message(state).SerializeToString() for trace in traces)  # an open one shows it
    while reply.legal_moves:
        asked = pb.LegalMovesRequest(
            state=reply.state, why_not=True, why_not_moves=map(move_message, rng.sample(UNIVERSE, 20))
        )
        said += [
            without_seal(await stub.LegalMoves(asked)),
            without_seal(await stub.Score(pb.ScoreRequest(state=reply.state))),
        ]
        index = rng.randrange(len(reply.legal_moves))
        transition = apply(state, legal_moves(state)[index])
        state = transition.state
        if any(isinstance(event, DeckRenewed) for event in transition.events):
            traces |= traces_of(state)
        move = reply.legal_moves[index].move
        request = pb.ApplyMoveRequest(state=reply.state, moves=[move], with_legal_moves=True)
        reply = await stub.ApplyMove(request)
        said.append(without_seal(reply))
    for _, altered in [*alterations(reply.state)][::7]:
        if altered.HasField("sealed"):
            refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=altered)))
            said.append(repr(refusal).encode())
    for trace in traces:
        assert not any(trace in one for one in said)
        assert trace not in server.log.getvalue().encode()


def twins(server: RunningServer, state: GameState) -> tuple[pb.GameState, pb.GameState]:
    """Return a sealed state, and another that differs from it in hidden facts alone."""
    other = state.copy()
    chance(1).shuffle(other.deck)
    other.seed, other.counter = state.seed[::-1], state.counter + 1
    positions = Positions(server.seals)
    one, two = (positions.write(position_of(each, is_open=False)) for each in (state, other))
    return one, two


def draws_nothing(state: GameState, move: Move) -> bool:
    return not any(isinstance(event, CardDrawn | DeckRenewed) for event in apply(state, move).events)


Ask = Callable[[Stub, pb.GameState, GameState], Awaitable[Any]]


async def _legal_moves(stub: Stub, message: pb.GameState, state: GameState) -> Value:
    moves = [move_message(move) for move in UNIVERSE[::9]]
    return await stub.LegalMoves(pb.LegalMovesRequest(state=message, why_not=True, why_not_moves=moves))


async def _apply(stub: Stub, message: pb.GameState, state: GameState) -> list[Any]:
    moves = [move for move in legal_moves(state) if draws_nothing(state, move)]
    assert moves
    return [
        await stub.ApplyMove(
            pb.ApplyMoveRequest(state=message, moves=[move_message(move)], with_legal_moves=True)
        )
        for move in moves
    ]


async def _score(stub: Stub, message: pb.GameState, state: GameState) -> Value:
    return await stub.Score(pb.ScoreRequest(state=message))


async def _samples(stub: Stub, message: pb.GameState, state: GameState) -> Value:
    return await stub.SampleStates(pb.SampleStatesRequest(state=message, seed="s", count=2))


@pytest.mark.parametrize("expansions", [(), (SHARKS_AND_REEFS,)], ids=["base", "reefs"])
@pytest.mark.parametrize("moves", [9, 44, 71])
@pytest.mark.parametrize("ask", [_legal_moves, _apply, _score, _samples])
async def test_replies_do_not_depend_on_hidden_facts(
    server: RunningServer, stub: Stub, ask: Ask, moves: int, expansions: tuple[str, ...]
) -> None:
    state = played(moves, expansions=expansions)
    one, two = twins(server, state)
    assert len(one.SerializeToString()) == len(two.SerializeToString())
    replies = []
    for message in (one, two):
        answered = await ask(stub, message, state)
        replies.append(
            [without_seal(reply) for reply in (answered if isinstance(answered, list) else [answered])]
        )
    assert replies[0] == replies[1]


async def test_refusals_do_not_depend_on_hidden_facts(server: RunningServer, stub: Stub) -> None:
    state = played(44)
    illegal = [move for move in UNIVERSE[::100] if move not in legal_moves(state)]
    one, two = twins(server, state)
    for move in illegal:
        refusals = [
            await refusal_of(
                stub.ApplyMove(
                    pb.ApplyMoveRequest(state=message, moves=[move_message(move)]),
                    metadata=(("x-request-id", "the-same"),),
                )
            )
            for message in (one, two)
        ]
        assert refusals[0] == refusals[1]


async def test_the_log_has_what_is_promised_and_nothing_else(server: RunningServer, stub: Stub) -> None:
    message, _ = twins(server, played(44))
    await stub.LegalMoves(pb.LegalMovesRequest(state=message))
    await refusal_of(stub.ApplyMove(pb.ApplyMoveRequest(state=message)))
    answered, refused = server.log_lines()[-2:]
    fields = {"event", "level", "time", "request_id", "method", "code", "duration_ms"}
    assert set(answered) == fields
    assert set(refused) == fields | {"reason"}
    assert (answered["event"], answered["method"], answered["code"]) == ("call", "LegalMoves", "OK")
    assert answered["duration_ms"] > 0
    assert (refused["code"], refused["reason"]) == ("INVALID_ARGUMENT", "ERROR_REASON_INVALID_FIELD")
