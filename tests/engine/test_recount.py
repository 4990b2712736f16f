"""Points of any table, however it came about, are those of the slow recount (R8, R9.2, R9.3, R10).

Random games seldom put a school and two young on just the card that asks for them. Here tables are made up:
any card of the sets in play on any slot with any tokens, with Sharks & Reefs beside any reefs, whether or not
a game could lead there.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from service.engine.ocean import ROW_COUNT, SITES, SLOT_COUNT
from service.engine.reefs import REEF_SIZE
from service.engine.rng import Generator
from service.engine.scoring import ranks, score_sheet, week_points, winners
from service.engine.setup import ACHIEVEMENT_WEEKS, tiles_of
from service.engine.state import SHARKS_AND_REEFS, GameState, Options, Player, WeekPoints
from tests import recount
from tests.facts import CARDS, FORAGE
from tests.games import Setup
from tests.plain import table_of

BASE = Options()
REEFS = Options((SHARKS_AND_REEFS,))
FISH = {
    options: [*FORAGE, *(id_ for id_, card in CARDS.items() if card["set"] in options.sets)]
    for options in (BASE, REEFS)
}
BASE_FISH = FISH[BASE]
SCORING = [id_ for id_ in BASE_FISH if id_ in CARDS and "score" in CARDS[id_]["ability"]]
SCORING_CORAL = [id_ for id_, card in CARDS.items() if id_ not in BASE_FISH and "score" in card["ability"]]
TILES = {
    (tile.id, options.expansions): options
    for options in (Options(), Options(side="b"), Options((SHARKS_AND_REEFS,), "b"))
    for week in ACHIEVEMENT_WEEKS
    for tile in tiles_of(options, week)
}
MADE_UP = 100

each_set = pytest.mark.parametrize("options", [BASE, REEFS], ids=["base", "reefs"])


def some(generator: Generator, most: int, fish: Sequence[int]) -> list[int]:
    return [fish[generator.below(len(fish))] for _ in range(generator.below(most + 1))]


def made_up_player(generator: Generator, options: Options) -> Player:
    player, all_fish = Player(), FISH[options._replace(side="a")]
    for slot in range(SLOT_COUNT):
        player.young[slot] = generator.below(4)
        for fish in some(generator, 1, all_fish):
            player.place(slot, fish)
            player.under[slot] = tuple(some(generator, 3, all_fish))
    player.eggs = generator.below(2**SLOT_COUNT) & player.occupied
    player.schools = generator.below(2**SLOT_COUNT)
    player.hand, player.discard = some(generator, 2, all_fish), some(generator, 9, all_fish)
    player.gained = [WeekPoints(generator.below(9), 3 * generator.below(2)) for _ in ACHIEVEMENT_WEEKS]
    if options.has_reefs:
        player.reefs = [min(generator.below(9), REEF_SIZE) for _ in player.reefs]
    return player


@cache
def start(players: int, options: Options) -> GameState:
    return Setup(players, options).begin().state


def table(players: Sequence[Player], options: Options) -> GameState:
    state = start(len(players), options).copy()
    state.players = list(players)
    return state


@cache
def made_up_tables(options: Options) -> list[GameState]:
    generators = [Generator(f"table {number}") for number in range(MADE_UP)]
    return [
        table([made_up_player(generator, options) for _ in range(1 + number % 3)], options)
        for number, generator in enumerate(generators)
    ]


def assert_scores(state: GameState) -> None:
    plain = table_of(state)
    scores = [score._asdict() | {"total": score.total} for score in score_sheet(state)]
    assert scores == [recount.score(player) for player in plain.players]
    assert list(winners(state)) == recount.winners(plain)


@pytest.mark.parametrize("card", SCORING, ids=lambda card: CARDS[card]["name"])
def test_points_at_the_end_for_a_card_in_any_row_with_any_tokens(card: int) -> None:
    for slot, egg, young, school, consumed in product(
        range(ROW_COUNT), range(2), range(4), range(2), range(5)
    ):
        player = Player()
        player.place(slot, card)
        player.eggs, player.schools, player.young[slot] = egg << slot, school << slot, young
        player.under = {slot: tuple(BASE_FISH[:consumed])} if consumed else {}
        assert_scores(table([player], BASE))


@pytest.mark.parametrize("card", SCORING_CORAL, ids=lambda card: CARDS[card]["name"])
def test_points_at_the_end_for_a_card_beside_any_reefs(card: int) -> None:
    for coral in product(range(REEF_SIZE + 1), repeat=len(SITES)):
        player = Player()
        player.place(0, card)
        player.reefs = list(coral)
        assert_scores(table([player], REEFS))


@each_set
def test_points_of_made_up_tables(options: Options) -> None:
    for state in made_up_tables(options):
        assert_scores(state)


@each_set
def test_equal_points_are_told_apart_by_hands_and_else_shared(options: Options) -> None:
    """R9.3, over every pair of two made-up players."""
    players = [made_up_player(Generator(f"player {number}"), options) for number in range(6)]
    for pair in product(players, repeat=2):
        state = table(pair, options)
        assert_scores(state)
        is_best = [rank == 1 for rank in ranks(score_sheet(state))]
        assert [seat for seat in range(2) if is_best[seat]] == list(winners(state))


@pytest.mark.parametrize(("tile", "expansions"), TILES)
def test_week_points_of_made_up_tables(tile: str, expansions: tuple[str, ...]) -> None:
    for made_up in made_up_tables(TILES[tile, expansions]):
        state = made_up.copy()
        state.tiles = (tile,) * len(ACHIEVEMENT_WEEKS)
        gained = [tuple(points) for points in week_points(state)]
        assert gained == recount.week_points(table_of(state))
