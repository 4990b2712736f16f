"""What is measured of the engine: random games of two players, and single calls on states of mid-game."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from finspan.v1 import finspan_pb2 as pb
from service.engine.check import check
from service.engine.digest import public_digest
from service.engine.rules import apply, legal_moves, new_game, playout
from service.engine.state import GameState
from service.positions import position_of
from tests.bench.measures import Times, times
from tests.wire import POSITIONS

STATES = 2000
MIDDLE = (2, 3)
"""The weeks of a mid-game state."""


def _start(game: int, players: int = 2) -> tuple[GameState, Random]:
    return new_game(players, seed=f"bench {game}").state, Random(game)  # noqa: S311  repeatable, not secret


def play_in_place(game: int) -> int:
    """Play a random game as rollouts do; return how many decisions it had."""
    state, random = _start(game)
    return playout(state, lambda _state, moves: random.choice(moves)).version


def play_with_copies(game: int) -> int:
    """Play a random game as the service does, a copy for each move; return how many decisions it had."""
    state, random = _start(game)
    while moves := legal_moves(state):
        state = apply(state, random.choice(moves)).state
    return state.version


def middle_states(players: int = 2) -> Iterator[GameState]:
    """Yield every state in the middle of random games, without end."""
    game = 0
    while True:
        state, random = _start(game, players)
        while moves := legal_moves(state):
            if state.week in MIDDLE:
                yield state
            state = apply(state, random.choice(moves)).state
        game += 1


def _some(states: Iterator[GameState]) -> list[GameState]:
    return [state for state, _ in zip(states, range(STATES), strict=False)]


def _apply_one(state: GameState, random: Random) -> Callable[[], object]:
    return partial(apply, state, random.choice(legal_moves(state)))


def _to_bytes(state: GameState, *, is_open: bool) -> bytes:
    return POSITIONS.write(position_of(state, is_open=is_open)).SerializeToString()


def _from_bytes(written: bytes) -> object:
    return POSITIONS.read(pb.GameState.FromString(written))


def call_times() -> dict[str, Times]:
    """Return how long single calls take on states of mid-game."""
    states, random = _some(middle_states()), Random(0)  # noqa: S311  repeatable, not secret
    sealed = [_to_bytes(state, is_open=False) for state in states]
    return {
        "legal moves": times(partial(legal_moves, state.copy()) for state in states),
        "apply one move": times(_apply_one(state, random) for state in states),
        "copy a state": times(state.copy for state in states),
        "public digest": times(partial(public_digest, state) for state in states),
        "check a state": times(partial(check, state) for state in states),
        "state to sealed bytes": times(partial(_to_bytes, state, is_open=False) for state in states),
        "sealed bytes to state": times(partial(_from_bytes, written) for written in sealed),
    }


def sizes() -> dict[str, int]:
    """Return the largest sealed states of mid-game, in bytes on the wire."""
    return {
        f"{players} players": max(
            len(_to_bytes(state, is_open=False)) for state in _some(middle_states(players))
        )
        for players in (2, 4)
    }
