"""Whole games, move by move. Standard library and engine only, since `tests.digests` plays them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from service.engine.events import Event
from service.engine.moves import Move, parse_move
from service.engine.rules import Transition, apply, legal_moves, new_game
from service.engine.state import BASE_GAME, GameState, Options
from tests.choosers import Choose


class Setup(NamedTuple):
    """What a game is set up with; with its moves it is the record of a game."""

    players: int = 2
    options: Options = BASE_GAME
    seed: str = "a game"

    def begin(self) -> Transition:
        return new_game(self.players, self.options, seed=self.seed)


@dataclass(frozen=True, eq=False)
class Moment:
    """A state of a game and how it came about; ``previous`` and ``move`` are None at the start."""

    setup: Setup
    previous: "Moment | None" = field(repr=False)
    move: Move | None
    events: tuple[Event, ...] = field(repr=False)
    state: GameState = field(repr=False)

    @property
    def before(self) -> GameState | None:
        """The state before, None at the start."""
        return self.previous.state if self.previous else None

    def backwards(self) -> Iterator["Moment"]:
        """Yield this moment and those before it, down to the start."""
        moment: Moment | None = self
        while moment:
            yield moment
            moment = moment.previous

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here."""
        return tuple(moment.move for moment in self.backwards() if moment.move)[::-1]

    @property
    def record(self) -> str:
        """What brings this moment about again."""
        return f"replay({self.setup}, {[move.id for move in self.moves]})"


def moments(setup: Setup, choose: Choose) -> Iterator[Moment]:
    """Play a game and yield every state of it, the first before any move."""
    state, events = setup.begin()
    moment = Moment(setup, None, None, events, state)
    yield moment
    while legal := legal_moves(moment.state):
        move = choose(moment.state, legal)
        state, events = apply(moment.state, move)
        moment = Moment(setup, moment, move, events, state)
        yield moment


def replay(setup: Setup, ids: Iterable[str]) -> GameState:
    """Return the state that moves, named by their ids, lead to."""
    state = setup.begin().state
    for id_ in ids:
        state = apply(state, parse_move(id_)).state
    return state
