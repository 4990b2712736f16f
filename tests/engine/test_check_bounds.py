"""The bounds of what comes from outside are closed under play: no game leads beyond them."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from service.engine.bounds import MAX_VERSION, most_points, most_young, moves_left_at_most
from service.engine.cards import ACHIEVEMENTS
from service.engine.check import check
from service.engine.ocean import ALL_SLOTS, SLOT_COUNT
from service.engine.rng import Generator
from service.engine.rules import apply, legal_moves
from service.engine.scoring import score
from service.engine.state import BASE_GAME, MAX_PLAYERS, SHARKS_AND_REEFS, Frame, GameState, Options
from tests.choosers import TASTES, chooser
from tests.games import Setup, moments
from tests.table import situation

LARGEST = 2**32 - 1
"""The largest number that the contract's fields hold."""
MIXES = [
    (taste, 1 + number % MAX_PLAYERS, Options((SHARKS_AND_REEFS,), "b") if number % 2 else BASE_GAME)
    for number, taste in enumerate(TASTES)
]


def at_the_bounds(state: GameState) -> GameState:
    """Return a state with the highest version, the most young on every slot, and the highest counter."""
    high = state.copy()
    high.version = MAX_VERSION - moves_left_at_most(state)
    high.counter = 1_000_000 + 100 * (high.version + 1)
    for player in high.players:
        player.schools = ALL_SLOTS
        player.young = [most_young(high.version)] * SLOT_COUNT
    return high


def ends_from(state: GameState, seed: str) -> Iterator[GameState]:
    """Yield every state of a game from this one on to its end."""
    choose = chooser(["eager", "spender"], seed)
    while moves := legal_moves(state):
        state = apply(state, choose(state, moves)).state
        yield state


@pytest.mark.parametrize(("taste", "players", "options"), MIXES)
def test_a_state_at_the_bounds_can_be_played_to_the_end(taste: str, players: int, options: Options) -> None:
    setup = Setup(players, options, f"{taste} at the bounds")
    game = [moment.state for moment in moments(setup, chooser([taste], setup.seed))]
    for state in (game[0], game[len(game) // 3], game[-20]):
        high = at_the_bounds(state)
        assert check(high) == []
        for after in ends_from(high, setup.seed):
            assert check(after) == []
            assert max(after.version, after.counter) <= LARGEST
            assert all(score(player).total <= LARGEST for player in after.players)


@pytest.mark.parametrize(("taste", "players", "options"), MIXES)
def test_with_every_move_fewer_are_left(taste: str, players: int, options: Options) -> None:
    setup = Setup(players, options, f"{taste} has fewer left")
    left = [moves_left_at_most(moment.state) for moment in moments(setup, chooser([taste], setup.seed))]
    assert all(later < earlier for earlier, later in pairwise(left))
    assert left[0] < MAX_VERSION // 2
    assert left[-1] >= 0


def test_every_game_end_may_take_a_pass() -> None:
    ends = [
        situation(
            oceans=[{}] * 3, frame=Frame.GAME_END, week=4, turn=6, seat=seat, first_player=1, valid=False
        )
        for seat in (1, 2, 0)
    ]
    first, second, third = map(moves_left_at_most, ends)
    assert (second, third) == (first - 1, first - 2)


def test_a_shuffle_takes_fewer_blocks_than_are_allowed_for_it() -> None:
    generator = Generator("all cards")
    generator.shuffled(range(215))
    assert generator.counter == 27
    assert all(Setup(players, BASE_GAME).begin().state.counter < 100 for players in range(1, MAX_PLAYERS + 1))


MOST = {
    "a1": 1800,
    "a2": 12,
    "a3": 36,
    "b1_small_fish": 36,
    "b1_eggs_and_young": 1800,
    "b1_fish_with_token": 18,
    "b1_fish_without_token": 18,
    "b1_if_activated": 36,
    "b2_medium_fish": 36,
    "b2_full_rows": 12,
    "b2_predator_tags": 72,
    "b2_every_2_eggs": 27,
    "b2_consumed_fish": 436,
    "b3_schools": 54,
    "b3_young": 5346,
    "b3_large_fish": 36,
    "b3_every_3_eggs": 12,
    "s1_coral": 36,
    "s1_sunlight_fish": 9,
    "s1_discard_pile": 218,
    "s1_fish_1_to_3_points": 18,
    "s2_predator_tags": 72,
    "s2_tag_kinds": 10,
    "s2_coral": 36,
    "s3_fish_over_4_points": 18,
    "s3_fish_1_to_3_points": 18,
    "s3_reef_bonuses": 19,
}
"""What each achievement brings at most before any move."""


@pytest.mark.parametrize("tile", ACHIEVEMENTS)
def test_what_an_achievement_brings_at_most(tile: str) -> None:
    assert most_points(ACHIEVEMENTS[tile], 0) == MOST[tile]


def test_after_ten_moves_there_can_be_more_young() -> None:
    assert most_points(ACHIEVEMENTS["a1"], 10) == 18 + 18 * 109
    assert most_points(ACHIEVEMENTS["a2"], 10) == 12


@pytest.mark.parametrize(("young", "is_fine"), [(99, True), (100, False)])
def test_a_state_at_the_limit_of_young_is_played_on(young: int, *, is_fine: bool) -> None:
    """One more young lies there after one more move, and not before."""
    state = situation(oceans=[{"B1": f"{young}y s"}, {}], valid=False)
    assert (check(state) == []) is is_fine
    after = state.copy()
    after.version += 1
    assert check(after) == []
