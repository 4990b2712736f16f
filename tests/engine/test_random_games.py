"""Random games of all mixes: everything of `tests.invariants` holds at every state of them.

Whoever plays has a taste (`tests.choosers`), or follows a list of numbers that hypothesis makes up. A failure
notes the whole record of its game, which `tests.games.replay` brings back.
"""

from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from service.engine.rules import DecisionKind, decision, legal_moves
from service.engine.setup import ACHIEVEMENT_WEEKS, tiles_of
from service.engine.state import (
    BASE_GAME,
    MAX_PLAYERS,
    SHARKS_AND_REEFS,
    BoardSide,
    GameState,
    Options,
    Scattering,
)
from tests.choosers import TASTES, Choose, chooser, script
from tests.corners import CORNERS, REEF_CORNERS
from tests.games import Setup, moments
from tests.invariants import (
    INVARIANTS,
    OF_EVERY_MOVE,
    THOROUGH,
    Invariant,
    assert_holds,
    assert_whole,
)

SEEDS = st.text(st.characters(min_codepoint=32, codec="utf-8"), min_size=1, max_size=64)
REEFS = Options((SHARKS_AND_REEFS,))
MIXES = {
    f"{players}, side {side}{', reefs' * len(expansions)}": (players, Options(expansions, side))
    for expansions in ((), (SHARKS_AND_REEFS,))
    for side in get_args(BoardSide)
    for players in range(1, MAX_PLAYERS + 1)
}
"""Every number of players with either side, without and with Sharks & Reefs."""
CHOICES = st.builds(
    chooser, st.lists(st.sampled_from(list(TASTES)), min_size=1, max_size=5), SEEDS
) | st.builds(script, st.lists(st.integers(0, 255), min_size=1, max_size=60))

each_mix = pytest.mark.parametrize(("players", "options"), MIXES.values(), ids=MIXES)
games = given(data=st.data(), seed=SEEDS, choose=CHOICES)
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

Question = tuple[object, ...]
"""What kind of decision is open: its kind, that of its source, what is to be done, and with what."""


def question_of(state: GameState) -> Question:
    question = decision(state)
    if question is None:
        return ()
    verbs = frozenset(move.kind for move in legal_moves(state))
    return question.kind, type(question.source), type(state.agenda[-1]), verbs


def is_rare(state: GameState) -> bool:
    """Return whether a state is of the end of the game, or a school is being scattered."""
    question = decision(state)
    is_end = question is None or question.kind is DecisionKind.GAME_END
    return is_end or isinstance(state.agenda[-1], Scattering)


def play(setup: Setup, choose: Choose, *, thorough_every: int = THOROUGH_EVERY) -> None:
    """Play a game to its end, with every invariant at every state and the thorough ones at some.

    Every move that can be said is asked about where a kind of decision comes first, and where it is rare.
    """
    game, asked = [], set[Question]()
    for moment in moments(setup, choose):
        game.append(moment)
        question = question_of(moment.state)
        more: tuple[Invariant, ...] = ()
        if moment.state.version % thorough_every == 0:
            more = THOROUGH
        elif question not in asked or is_rare(moment.state):
            more = OF_EVERY_MOVE
        assert_holds(moment, INVARIANTS + more)
        if more:
            asked.add(question)
    assert_whole(game)


def named_tiles(options: Options) -> st.SearchStrategy[tuple[str, ...]]:
    """Return the ways to name the tiles of side B, one of which is to leave them to the draw."""
    if options.side == "a":
        return st.just(())
    tiles = ([tile.id for tile in tiles_of(options, week)] for week in ACHIEVEMENT_WEEKS)
    return st.just(()) | st.tuples(*map(st.sampled_from, tiles))


@pytest.mark.timeout(300)
@each_mix
@games
@settings(quick, max_examples=2)
def test_every_state_is_sound(
    players: int, options: Options, data: st.DataObject, seed: str, choose: Choose
) -> None:
    named = options._replace(tiles=data.draw(named_tiles(options)))
    play(Setup(players, named, seed), choose)


@pytest.mark.long
@each_mix
@games
@settings(long, max_examples=10)
def test_every_state_of_many_games_is_sound(
    players: int, options: Options, data: st.DataObject, seed: str, choose: Choose
) -> None:
    named = options._replace(tiles=data.draw(named_tiles(options)))
    play(Setup(players, named, seed), choose)


@pytest.mark.long
@each_mix
@games
@settings(long, max_examples=3)
def test_every_move_that_can_be_said_is_legal_or_has_a_reason(
    players: int, options: Options, data: st.DataObject, seed: str, choose: Choose
) -> None:
    named = options._replace(tiles=data.draw(named_tiles(options)))
    play(Setup(players, named, seed), choose, thorough_every=1)


# The tastes lead where they should.


GAMES_PER_TASTE = 15
OF_REEFS = "gardener"
"""The taste that the corners of Sharks & Reefs are left to."""


def _corners_reached(taste: str, game: int) -> set[str]:
    options = REEFS if taste == OF_REEFS else BASE_GAME
    setup = Setup(1 + game % MAX_PLAYERS, options, f"{taste} {game}")
    played = list(moments(setup, chooser([taste], setup.seed)))
    corners = (CORNERS | REEF_CORNERS).items()
    return {corner for corner, is_reached in corners if any(map(is_reached, played))}


@pytest.fixture(scope="module")
def reached() -> set[str]:
    games = [_corners_reached(taste, game) for taste in TASTES for game in range(GAMES_PER_TASTE)]
    return set().union(*games)


@pytest.mark.parametrize("corner", [*CORNERS, *REEF_CORNERS])
def test_tastes_reach_the_rare_corners(corner: str, reached: set[str]) -> None:
    assert corner in reached
