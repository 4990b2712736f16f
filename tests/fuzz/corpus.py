"""Real states to begin from: of many stages of games, open, sealed, and without their hidden part."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple
from unittest.mock import patch

from finspan.v1 import finspan_pb2 as pb
from service.convert import legal_move_messages
from service.engine.state import SHARKS_AND_REEFS, BoardSide, GameState, Options
from service.positions import Positions, position_of
from service.seal import NONCE_LENGTH, Seals, read_keys
from tests.choosers import TASTES, chooser
from tests.games import Setup, moments

SEAL_KEYS: Final = f"fuzz:{'5a' * 32}"
"""The key that the corpus is sealed with; the server that is asked must have it."""
SIDES: Final[tuple[BoardSide, ...]] = ("a", "b")
PER_SHAPE: Final = 2
"""So many states of one game with an agenda of the same kinds of steps."""
BARE_EVERY: Final = 5
"""Of so many sealed states, one is there without its hidden part as well."""
RUN: Final = 8
"""So many neighbours of the deck side by side are no accident, however many decks are drawn."""

REEF_GAMES: Final = ((1, "breeder"), (2, "gardener"), (3, "gardener"), (4, "sharer"))
"""Players and tastes of the games of Sharks & Reefs."""

Traces = frozenset[bytes]


class Real(NamedTuple):
    """A state in one of its forms, its legal moves, and what of it nobody may see."""

    state: pb.GameState
    moves: tuple[pb.Move, ...]
    traces: Traces


def _shape(state: GameState) -> tuple[object, ...]:
    return (*map(type, state.agenda), state.agenda[0])


def _stages(setup: Setup, taste: str) -> Iterator[GameState]:
    """Play a game and yield states of it that differ in what is going on."""
    shapes: Counter[tuple[object, ...]] = Counter()
    for moment in moments(setup, chooser([taste], setup.seed)):
        shapes[_shape(moment.state)] += 1
        if shapes[_shape(moment.state)] <= PER_SHAPE or moment.state.version % 25 == 0:
            yield moment.state


def _games(name: str) -> Iterator[GameState]:
    """Yield stages of a game for every number of players, sides and tastes in turn, then with reefs."""
    for players, taste in zip((1, 2, 3, 4, 5, 2), TASTES, strict=False):
        setup = Setup(players, Options(side=SIDES[players % 2]), f"the {name} game of {players}, {taste}")
        yield from _stages(setup, taste)
    for players, taste in REEF_GAMES:
        options = Options((SHARKS_AND_REEFS,), SIDES[players % 2])
        setup = Setup(players, options, f"the {name} game of {players} with reefs, {taste}")
        yield from _stages(setup, taste)


def traces_of(state: GameState, step: int = 1) -> Traces:
    """Return what must not be found: the seed, and runs of the deck in either direction, so many apart."""
    traces = {state.seed.encode()}
    for deck in (state.deck, state.deck[::-1]):
        for start in range(0, len(deck) - RUN + 1, step):
            run = deck[start : start + RUN]
            traces |= {bytes(run), pb.Deck(cards=run).SerializeToString()[2:], str(run)[1:-1].encode()}
    return frozenset(traces)


def _sealed(positions: Positions, state: GameState) -> pb.GameState:
    """Seal a state so that it comes out the same in every run."""
    nonce = sha256(f"{state.seed} {state.version}".encode()).digest()[:NONCE_LENGTH]
    with patch("service.seal.os.urandom", return_value=nonce):
        return positions.write(position_of(state, is_open=False))


def _real(message: pb.GameState, state: GameState, traces: Traces = frozenset()) -> Real:
    return Real(message, tuple(legal.move for legal in legal_move_messages(state)), traces)


def _bare(message: pb.GameState) -> pb.GameState:
    bare = pb.GameState()
    bare.CopyFrom(message)
    bare.ClearField("hidden")
    return bare


@cache
def corpus() -> tuple[Real, ...]:
    """Return the states; no game is there both sealed and open, so that a trace of a sealed one is a leak."""
    positions = Positions(Seals(read_keys(SEAL_KEYS)))
    reals = [_real(positions.write(position_of(state, is_open=True)), state) for state in _games("open")]
    for state in _games("sealed"):
        message, traces = _sealed(positions, state), traces_of(state)
        reals.append(_real(message, state, traces))
        if state.version % BARE_EVERY == 0:
            reals.append(_real(_bare(message), state, traces))
    return tuple(reals)
