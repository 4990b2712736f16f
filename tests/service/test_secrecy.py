"""What is hidden stays hidden: in replies, events, errors and logs of sealed and of hosted games."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.events import CardDrawn, DeckRenewed, Event
from service.engine.moves import UNIVERSE, Move
from service.engine.rules import Transition, apply, legal_moves, new_game
from service.engine.state import SHARKS_AND_REEFS, GameState, Options
from service.positions import Positions, position_of
from service.testing import RunningServer
from tests.hosted.tables import Seats, deciding, new_id, new_request
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


def unsealed(reply: Value) -> Value:
    """Return a reply without its seal, which is random."""
    bare = type(reply)()
    bare.CopyFrom(reply)
    if "state" in bare.DESCRIPTOR.fields_by_name and bare.HasField("state"):
        assert bare.state.WhichOneof("hidden") == "sealed"
        bare.state.ClearField("sealed")
    return bare


def without_seal(reply: Value) -> bytes:
    """Return a reply's bytes, its seal left out."""
    written: bytes = unsealed(reply).SerializeToString()
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


# Twins that differ in the whole deck: what draws no card must not tell them apart.


def sealed_pair(server: RunningServer, *states: GameState) -> tuple[pb.GameState, pb.GameState]:
    """Return two states as the server seals them."""
    positions = Positions(server.seals)
    one, two = (positions.write(position_of(state, is_open=False)) for state in states)
    return one, two


def twins(server: RunningServer, state: GameState) -> tuple[pb.GameState, pb.GameState]:
    """Return a sealed state, and another that differs from it in hidden facts alone."""
    other = state.copy()
    chance(1).shuffle(other.deck)
    other.seed, other.counter = state.seed[::-1], state.counter + 1
    return sealed_pair(server, state, other)


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


# Twins with the same cards on top: what draws no more than these must not tell them apart.


BEHIND = 4
"""So many cards behind those drawn differ for certain."""


def drawn_by(events: Sequence[Event]) -> int | None:
    """Return how many cards were drawn, None if the deck was renewed on the way."""
    if any(isinstance(event, DeckRenewed) for event in events):
        return None
    return sum(isinstance(event, CardDrawn) for event in events)


def twin_below(state: GameState, same: int) -> GameState:
    """Return a state that differs in hidden facts alone, with so many cards on top the same."""
    rest, top = state.deck[: len(state.deck) - same], state.deck[len(state.deck) - same :]
    other = state.copy()
    for seed in count():
        shuffled = [*rest]
        chance(seed).shuffle(shuffled)
        if all(a != b for a, b in zip(shuffled[-BEHIND:], rest[-BEHIND:], strict=True)):
            other.deck = shuffled + top
            break
    other.seed, other.counter = state.seed[::-1], state.counter + 1
    return other


def draws(state: GameState) -> dict[Move, int]:
    """Return the legal moves that draw cards without a renewal, and how many each draws."""
    numbers = {move: drawn_by(apply(state, move).events) for move in legal_moves(state)}
    return {move: number for move, number in numbers.items() if number}


def before_draws(moves: int, expansions: tuple[str, ...]) -> GameState:
    """Return the first state after so many moves in which some move draws."""
    rng = chance(moves)
    state = played(moves, expansions=expansions)
    while not draws(state):
        state = apply(state, rng.choice(legal_moves(state))).state
    return state


def several(state: GameState, seed: int, most: int = 30) -> tuple[list[Move], int]:
    """Return moves in a row that draw cards without a renewal, and how many they draw altogether."""
    rng = chance(seed)
    moves: list[Move] = []
    total = 0
    while len(moves) < most and (offered := legal_moves(state)):
        wanted = [*draws(state)] or offered
        move = rng.choice(wanted)
        state, events = apply(state, move)
        drawn = drawn_by(events)
        if drawn is None:
            break
        moves.append(move)
        total += drawn
    assert total > 1
    return moves, total


Rows = list[tuple[list[Move], int]]
"""Moves to be made in one call, and how many cards they draw."""


def _one_by_one(state: GameState) -> Rows:
    return [([move], number) for move, number in draws(state).items()]


def _in_a_row(state: GameState) -> Rows:
    return [several(state, seed) for seed in range(5)]


each_row = pytest.mark.parametrize("rows", [_one_by_one, _in_a_row])
each_game = pytest.mark.parametrize("expansions", [(), (SHARKS_AND_REEFS,)], ids=["base", "reefs"])


@each_game
@each_row
@pytest.mark.parametrize("moves", [0, 9, 44, 71])
@pytest.mark.parametrize("only_tried", [False, True], ids=["made", "tried"])
async def test_what_is_drawn_tells_nothing_of_what_lies_below(
    server: RunningServer,
    stub: Stub,
    rows: Callable[[GameState], Rows],
    moves: int,
    expansions: tuple[str, ...],
    *,
    only_tried: bool,
) -> None:
    state = before_draws(moves, expansions)
    for row, same in rows(state):
        replies = []
        for message in sealed_pair(server, state, twin_below(state, same)):
            request = pb.ApplyMoveRequest(
                state=message,
                moves=map(move_message, row),
                with_legal_moves=True,
                validate_only=only_tried,
            )
            replies.append(unsealed(await stub.ApplyMove(request)))
        assert replies[0] == replies[1]
        assert sum(event.HasField("card_drawn") for event in replies[0].events) == same


def told(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines of the log without what differs from call to call."""
    return [
        {name: value for name, value in line.items() if name not in {"time", "duration_ms", "request_id"}}
        for line in lines
    ]


@each_game
async def test_log_lines_do_not_depend_on_hidden_facts(
    server: RunningServer, stub: Stub, expansions: tuple[str, ...]
) -> None:
    """Of everything that can be asked about a state, of moves that draw, and of refusals."""
    state = before_draws(44, expansions)
    row, same = several(state, 0)
    logs = []
    for message in sealed_pair(server, state, twin_below(state, same)):
        begun = len(server.log_lines())
        for ask in (_legal_moves, _apply, _score, _samples):
            await ask(stub, message, state)
        request = pb.ApplyMoveRequest(state=message, moves=map(move_message, row))
        await stub.ApplyMove(request)
        request.moves.append(request.moves[0])
        await refusal_of(stub.ApplyMove(request))
        logs.append(told(server.log_lines()[begun:]))
    assert logs[0] == logs[1]
    assert {line["code"] for line in logs[0]} == {"OK", "FAILED_PRECONDITION"}


@each_game
@pytest.mark.parametrize("form", [pb.STATE_FORM_SEALED, pb.STATE_FORM_HOSTED], ids=["sealed", "hosted"])
async def test_a_new_game_tells_nothing_of_the_deck(
    monkeypatch: pytest.MonkeyPatch, stub: Stub, form: pb.StateForm.ValueType, expansions: tuple[str, ...]
) -> None:
    """Nor do the cards that were dealt."""
    state, events = new_game(3, Options(expansions), seed=SEED)
    replies = []
    for each in (state, twin_below(state, 0)):
        setup = Transition(each, events)
        monkeypatch.setattr("service.handlers.playing.new_game", lambda *_, setup=setup, **__: setup)
        request = new_request(players=3, form=form, with_legal_moves=True)
        if form != pb.STATE_FORM_HOSTED:
            request.ClearField("request_id")
        reply = unsealed_if_carried(await stub.NewGame(request))
        reply.ClearField("game")  # its id, and when it was made
        reply.ClearField("tokens")
        replies.append(reply)
    assert replies[0] == replies[1]
    assert len(replies[0].events) > 3


def unsealed_if_carried(reply: Value) -> Value:
    """Return a reply without its seal, if its state has one."""
    return reply if reply.state.WhichOneof("hidden") is None else unsealed(reply)


async def hosted_as(monkeypatch: pytest.MonkeyPatch, source: Seats, state: GameState) -> Seats:
    """Make a hosted game that stands as a state does: a fork, in which nothing is drawn anew."""
    monkeypatch.setattr("service.hosting.plans.sample", lambda *_: state.copy())
    request = pb.ForkGameRequest(game_id=source.id, request_id=new_id())
    made = await source.stub.ForkGame(request, metadata=source.as_seat(0))
    return Seats(source.stub, made.game.game_id, [token.token for token in made.tokens])


def undated(reply: Value) -> Value:
    """Return a reply about a hosted game without ids and times."""
    if isinstance(reply, pb.LogEntry):
        reply.ClearField("time")
        reply.ClearField("request_id")
    if isinstance(reply, pb.GetGameResponse):
        reply.ClearField("game")
    return reply


async def answered(call: Awaitable[object]) -> object:
    """Return a reply, or how the call was refused."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details()


async def all_told(server: RunningServer, seats: Seats, state: GameState, row: list[Move]) -> list[Any]:
    """Try and make moves in a hosted game, in a row and one by one; return all that is told of them."""
    begun = len(server.log_lines())
    metadata, stub = seats.as_seat(0), seats.stub
    replies: list[Any] = []
    for index, move in enumerate(row):
        for behind in (row[index + 1 :], []):
            given = {"with_legal_moves": True, "validate_only": True}
            call = seats.move(deciding(state), state.version, move, *behind, **given)
            replies.append(await answered(call))
        replies.append(await seats.move(deciding(state), state.version, move, with_legal_moves=True))
        state = apply(state, move).state
    named: dict[str, Any] = {"game_id": seats.id}
    replies += [
        await stub.GetGame(pb.GetGameRequest(with_legal_moves=True, **named), metadata=metadata),
        await stub.LegalMoves(pb.LegalMovesRequest(why_not=True, **named), metadata=metadata),
        await stub.Score(pb.ScoreRequest(**named), metadata=metadata),
        *(await stub.ListEvents(pb.ListEventsRequest(**named), metadata=metadata)).entries,
    ]
    return [*map(undated, replies), *told(server.log_lines()[begun:])]


@each_game
@each_row
async def test_what_is_drawn_in_a_hosted_game_tells_nothing_of_what_lies_below(
    monkeypatch: pytest.MonkeyPatch,
    server: RunningServer,
    stub: Stub,
    rows: Callable[[GameState], Rows],
    expansions: tuple[str, ...],
) -> None:
    made = await stub.NewGame(new_request())
    source = Seats(stub, made.game.game_id, [token.token for token in made.tokens])
    state = before_draws(44, expansions)
    for row, same in rows(state):
        twins = [await hosted_as(monkeypatch, source, each) for each in (state, twin_below(state, same))]
        one, two = [await all_told(server, twin, state, row) for twin in twins]
        assert one == two


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
