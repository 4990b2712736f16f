"""How moves carry a hosted game forward: step by step, into its log, and never as a look ahead.

A call with several moves is carried out up to and including the first one that reveals something hidden; a
dry run stops before it. Behind the moves of a player, bots move until a person decides.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from finspan.v1 import finspan_pb2 as pb
from service.convert import event_fields, move_message
from service.convert.reading import Fields
from service.engine.errors import IllegalMove
from service.engine.events import reveals
from service.engine.moves import Move, MoveKind
from service.engine.rules import Decision, DecisionKind, Transition, apply, apply_all, decision, legal_moves
from service.engine.state import GameState
from service.errors import GameIsOver, NotYourSeat
from service.positions import Position, position_of


class Step(NamedTuple):
    """A move that was carried out."""

    seat: int
    move: Move
    transition: Transition
    position: Position
    """The game after it."""

    def entry(self, kind: pb.LogEntryKind.ValueType, request_id: str) -> pb.LogEntry:
        """Return the entry for the log."""
        fields: Fields = {
            "version": self.position.state.version,
            "kind": kind,
            "seat": self.seat,
            "move": move_message(self.move),
            "move_id": self.move.id,
            "events": [*event_fields(self.transition)],
            "request_id": request_id,
            "digest": self.position.digest,
        }
        return pb.LogEntry(**fields)


class Advance(NamedTuple):
    """What became of a player's moves."""

    steps: Sequence[Step]
    applied: int
    """How many of the moves were carried out or passed over."""


def _rule_of_seat(state: GameState, question: Decision) -> str:
    """Return the rule by which a seat decides: its part of another's ability, its game end, or its turn."""
    if question.seat != state.seat:
        return "R7.8"
    return "R9.1" if question.kind is DecisionKind.GAME_END else "R3.1"


def _require_turn(state: GameState, seat: int, index: int) -> None:
    """Refuse the move of this index if it is not the seat's to make."""
    question = decision(state)
    if question is None:
        raise GameIsOver(index)
    if question.seat != seat:
        raise NotYourSeat(question.seat, seat, index, _rule_of_seat(state, question))


def advance(position: Position, seat: int, moves: Sequence[Move], *, only_try: bool) -> Advance:
    """Carry out a player's moves in a row, or try them: all or none of those that may be looked at.

    Raises:
        GameIsOver: no decision is open.
        NotYourSeat: another seat decides; with the index of the move.
        IllegalMove: a move is not legal; with its index.

    """
    state, steps = position.state, list[Step]()
    results = apply_all(state, moves)
    for index, move in enumerate(moves):
        try:
            transition = next(results)
        except IllegalMove:
            _require_turn(state, seat, index)
            raise
        if transition is None:  # it is paid already, whoever decides next
            continue
        _require_turn(state, seat, index)
        shows = reveals(transition.events)
        if shows and only_try:
            return Advance(steps, index)
        state = transition.state
        steps.append(Step(seat, move, transition, position_of(state, is_open=False)))
        if shows:
            return Advance(steps, index + 1)
    return Advance(steps, len(moves))


def bot_move(position: Position) -> Move:
    """Return a bot's move: one of the legal ones, by the public facts alone; it passes only if it must."""
    moves = legal_moves(position.state)
    wanted = [move for move in moves if move.kind is not MoveKind.PASS] or moves
    return wanted[int(position.digest, 16) % len(wanted)]


def bot_steps(position: Position, bots: Sequence[int]) -> Iterator[Step]:
    """Yield the moves of the bots from here on, until a person decides or the game is over."""
    while (question := decision(position.state)) is not None and question.seat in bots:
        move = bot_move(position)
        transition = apply(position.state, move)
        position = position_of(transition.state, is_open=False)
        yield Step(question.seat, move, transition, position)
