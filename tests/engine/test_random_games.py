"""Random games: everything of `tests.invariants` holds at every state of them.

Whoever plays has a taste (`tests.choosers`), or follows a list of numbers that hypothesis makes up. A failure
notes the whole record of its game, which `tests.games.replay` brings back.
"""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from service.engine.setup import ACHIEVEMENT_WEEKS, tiles_of
from service.engine.state import Options
from tests.choosers import TASTES, Choose, chooser, script
from tests.corners import CORNERS
from tests.games import Setup, moments
from tests.invariants import INVARIANTS, THOROUGH, assert_holds, assert_whole

SIDE_B = Options(side="b")
SEEDS = st.text(st.characters(min_codepoint=32, codec="utf-8"), min_size=1, max_size=64)
NAMED_TILES = st.tuples(
    *(st.sampled_from([tile.id for tile in tiles_of(SIDE_B, week)]) for week in ACHIEVEMENT_WEEKS)
)
OPTIONS = st.sampled_from([Options(), SIDE_B]) | st.builds(Options, st.just(()), st.just("b"), NAMED_TILES)
CHOICES = st.builds(
    chooser, st.lists(st.sampled_from(list(TASTES)), min_size=1, max_size=5), SEEDS
) | st.builds(script, st.lists(st.integers(0, 255), min_size=1, max_size=60))

each_number_of_players = pytest.mark.parametrize("players", range(1, 6))
games = given(options=OPTIONS, seed=SEEDS, choose=CHOICES)
# The quick tests are the same each time, and their failures come at once, as they were found; the long ones
# look for what nobody has seen yet, and take the minutes to make it shorter.
quick = settings(
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
long = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])

THOROUGH_EVERY = 16


def play(setup: Setup, choose: Choose, *, thorough_every: int = THOROUGH_EVERY) -> None:
    """Play a game to its end, with every invariant at every state and the thorough ones at some."""
    game = []
    for moment in moments(setup, choose):
        game.append(moment)
        is_thorough = moment.state.version % thorough_every == 0
        assert_holds(moment, INVARIANTS + THOROUGH if is_thorough else INVARIANTS)
    assert_whole(game)


@pytest.mark.timeout(300)
@each_number_of_players
@games
@settings(quick, max_examples=6)
def test_every_state_is_sound(players: int, options: Options, seed: str, choose: Choose) -> None:
    play(Setup(players, options, seed), choose)


@pytest.mark.long
@each_number_of_players
@games
@settings(long, max_examples=30)
def test_every_state_of_many_games_is_sound(
    players: int, options: Options, seed: str, choose: Choose
) -> None:
    play(Setup(players, options, seed), choose)


@pytest.mark.long
@each_number_of_players
@games
@settings(long, max_examples=8)
def test_every_move_that_can_be_said_is_legal_or_has_a_reason(
    players: int, options: Options, seed: str, choose: Choose
) -> None:
    play(Setup(players, options, seed), choose, thorough_every=1)


# The tastes lead where they should.


GAMES_PER_TASTE = 15


def _corners_reached(taste: str, game: int) -> set[str]:
    setup = Setup(1 + game % 5, seed=f"{taste} {game}")
    played = list(moments(setup, chooser([taste], setup.seed)))
    return {corner for corner, is_reached in CORNERS.items() if any(map(is_reached, played))}


@pytest.fixture(scope="module")
def reached() -> set[str]:
    games = [_corners_reached(taste, game) for taste in TASTES for game in range(GAMES_PER_TASTE)]
    return set().union(*games)


@pytest.mark.parametrize("corner", CORNERS)
def test_tastes_reach_the_rare_corners(corner: str, reached: set[str]) -> None:
    assert corner in reached
