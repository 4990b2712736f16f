"""Points of any table, however it came about, are those of the slow recount (R8, R9.2, R9.3, R10).

Random games seldom put a school and two young on just the card that asks for them. Here tables are made up:
any base card on any slot with any tokens, whether or not a game could lead there.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

from service.engine.ocean import ROW_COUNT, SLOT_COUNT
from service.engine.rng import Generator
from service.engine.scoring import ranks, score_sheet, week_points, winners
from service.engine.setup import ACHIEVEMENT_WEEKS, tiles_of
from service.engine.state import GameState, Options, Player, WeekPoints
from tests import recount
from tests.facts import CARDS, FORAGE
from tests.games import Setup
from tests.plain import table_of

BASE_FISH = [*FORAGE, *(id_ for id_, card in CARDS.items() if card["set"] == "base")]
SCORING = [id_ for id_ in BASE_FISH if id_ in CARDS and "score" in CARDS[id_]["ability"]]
TILES = {
    tile.id: Options(side=side)
    for side in ("a", "b")
    for week in ACHIEVEMENT_WEEKS
    for tile in tiles_of(Options(side=side), week)
}
MADE_UP = 100


def some(generator: Generator, most: int) -> list[int]:
    return [BASE_FISH[generator.below(len(BASE_FISH))] for _ in range(generator.below(most + 1))]


def made_up_player(generator: Generator) -> Player:
    player = Player()
    for slot in range(SLOT_COUNT):
        player.young[slot] = generator.below(4)
        for fish in some(generator, 1):
            player.place(slot, fish)
            player.under[slot] = tuple(some(generator, 3))
    player.eggs = generator.below(2**SLOT_COUNT) & player.occupied
    player.schools = generator.below(2**SLOT_COUNT)
    player.hand = some(generator, 2)
    player.gained = [WeekPoints(generator.below(9), 3 * generator.below(2)) for _ in ACHIEVEMENT_WEEKS]
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
        table([made_up_player(generator) for _ in range(1 + number % 3)], options)
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
        assert_scores(table([player], Options()))


def test_points_of_made_up_tables() -> None:
    for state in made_up_tables(Options()):
        assert_scores(state)


def test_equal_points_are_told_apart_by_hands_and_else_shared() -> None:
    """R9.3, over every pair of two made-up players."""
    players = [made_up_player(Generator(f"player {number}")) for number in range(6)]
    for pair in product(players, repeat=2):
        state = table(pair, Options())
        assert_scores(state)
        is_best = [rank == 1 for rank in ranks(score_sheet(state))]
        assert [seat for seat in range(2) if is_best[seat]] == list(winners(state))


@pytest.mark.parametrize("tile", TILES)
def test_week_points_of_made_up_tables(tile: str) -> None:
    for made_up in made_up_tables(TILES[tile]):
        state = made_up.copy()
        state.tiles = (tile,) * len(ACHIEVEMENT_WEEKS)
        gained = [tuple(points) for points in week_points(state)]
        assert gained == recount.week_points(table_of(state))
