"""What is measured of the engine: random games of two players, and single calls on states of mid-game."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from finspan.v1 import finspan_pb2 as pb
from service.convert import read_state, state_fields
from service.engine.check import check
from service.engine.digest import public_bytes, public_digest
from service.engine.rules import apply, legal_moves, new_game, playout
from service.engine.state import BASE_GAME, SHARKS_AND_REEFS, WEEKS, GameState, Options
from service.positions import position_of
from service.seal import Seals
from tests.bench.measures import Times, times
from tests.wire import POSITIONS

STATES = 2000
GAMES_BY_WEEK = 20
MIDDLE = (2, 3)
"""The weeks of a mid-game state."""
WITH_REEFS = Options(expansions=(SHARKS_AND_REEFS,))
"""Sharks & Reefs mixed into the base game."""


def _start(game: int, players: int = 2, options: Options = BASE_GAME) -> tuple[GameState, Random]:
    state = new_game(players, options, seed=f"bench {game}").state
    return state, Random(game)  # noqa: S311  repeatable, not secret


def play_in_place(game: int, options: Options = BASE_GAME) -> int:
    """Play a random game as rollouts do; return how many decisions it had."""
    state, random = _start(game, options=options)
    return playout(state, lambda _state, moves: random.choice(moves)).version


def play_with_copies(game: int, options: Options = BASE_GAME) -> int:
    """Play a random game as the service does, a copy for each move; return how many decisions it had."""
    state, random = _start(game, options=options)
    while moves := legal_moves(state):
        state = apply(state, random.choice(moves)).state
    return state.version


def middle_states(players: int = 2, options: Options = BASE_GAME) -> Iterator[GameState]:
    """Yield every state in the middle of random games, without end."""
    game = 0
    while True:
        state, random = _start(game, players, options)
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


def call_times(options: Options = BASE_GAME) -> dict[str, Times]:
    """Return how long single calls take on states of mid-game."""
    states, random = _some(middle_states(options=options)), Random(0)  # noqa: S311  repeatable, not secret
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


def _as_message(state: GameState) -> object:
    return pb.GameState(**state_fields(state)).SerializeToString()


def _as_state(written: bytes) -> object:
    return read_state(pb.GameState.FromString(written), [])


def _seal_and_unseal(seals: Seals, state: GameState) -> None:
    public = public_bytes(state)
    seals.unseal(state.copy(), public, seals.seal(state, public))


def conversion_times(options: Options = BASE_GAME) -> dict[str, Times]:
    """Return how long a state takes from engine to bytes, back, and through a seal."""
    states = _some(middle_states(options=options))
    written = [_to_bytes(state, is_open=True) for state in states]
    seals = Seals({"a key": bytes(range(32))})
    return {
        "engine to message bytes": times(partial(_as_message, state) for state in states),
        "message bytes to engine": times(partial(_as_state, each) for each in written),
        "seal and unseal": times(partial(_seal_and_unseal, seals, state) for state in states),
    }


SEATS = range(1, 6)


def by_seats() -> dict[int, Times]:
    """Return how long a move takes, applied and its legal moves listed, per number of seats."""
    random = Random(0)  # noqa: S311  repeatable, not secret
    return {
        seats: times(_apply_one(state, random) for state in _some(middle_states(seats))) for seats in SEATS
    }


def by_week() -> dict[int, Times]:
    """Return how long a move takes, applied and its legal moves listed, per week of a two-player game."""
    moves: dict[int, list[Callable[[], object]]] = {week: [] for week in range(1, WEEKS + 1)}
    for game in range(GAMES_BY_WEEK):
        state, random = _start(game)
        while legal_moves(state):
            moves[state.week].append(_apply_one(state, random))
            state = apply(state, random.choice(legal_moves(state))).state
    return {week: times(each) for week, each in moves.items()}


def sizes(options: Options = BASE_GAME) -> dict[str, int]:
    """Return the largest sealed states of mid-game, in bytes on the wire."""
    return {
        f"{players} players": max(
            len(_to_bytes(state, is_open=False)) for state in _some(middle_states(players, options))
        )
        for players in (2, 4)
    }
