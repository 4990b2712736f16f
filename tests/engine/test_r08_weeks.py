"""R8: the end of a week and its achievements."""

from collections.abc import Iterable, Sequence

import pytest

from service.engine.cards import ACHIEVEMENTS
from service.engine.events import WeekBegan, WeekScored
from service.engine.rules import new_game
from service.engine.state import BoardSide, Options, WeekPoints, divers_left
from tests.marks import rule
from tests.table import START_OCEAN, TILES, Ocean, Played, deciding, ocean_of, play, settle, situation


def week_ended(
    *oceans: Ocean,
    week: int,
    side: BoardSide = "a",
    tile: str | None = None,
    first_player: int = 0,
    reefs: Sequence[Sequence[int]] | None = None,
    discards: Sequence[Iterable[int]] = (),
) -> Played:
    """Return a game whose last turn of a week was a blue dive that changed nothing."""
    tiles = list(TILES[side])
    if tile is not None:
        tiles[week - 1] = tile
    last = (first_player - 1) % len(oceans)
    state = situation(
        oceans=oceans,
        discards=discards,
        reefs=reefs,
        week=week,
        turn=6,
        seat=last,
        first_player=first_player,
        side=side,
        tiles=tuple(tiles),
    )
    dived = play(state, "dive:blue")
    ended = settle(dived.state)
    return Played(ended.state, dived.events + ended.events)


def gains(played: Played, week: int) -> list[tuple[int, int]]:
    """Return what each player gained in a week, for the achievement and for most."""
    scored = [player.gained[week - 1] for player in played.state.players]
    return [(each.points, each.most) for each in scored]


# R8.1


@rule("R8.1")
@pytest.mark.parametrize("week", [1, 2, 3])
def test_everybody_scores_the_achievement_of_the_week(week: int) -> None:
    oceans = [START_OCEAN, {"B1": "s", "P3": "s"}, {"B4": "100", "G4": "104"}]
    points = {1: [3, 0, 0], 2: [0, 0, 2], 3: [0, 4, 0]}[week]
    ended = week_ended(*oceans, week=week, first_player=2)
    assert gains(ended, week) == [(gained, 0) for gained in points]
    assert [(event.seat, event.achievement, event.points) for event in ended.all_of(WeekScored)] == [
        (seat, f"a{week}", points[seat]) for seat in (2, 0, 1)
    ]


@rule("R8.1", "RU11")
@pytest.mark.parametrize(
    ("young", "expected"),
    [
        pytest.param([2, 1, 0], [(6, 3), (3, 0), (0, 0)], id="the best"),
        pytest.param([0, 1, 2], [(0, 0), (3, 0), (6, 3)], id="wherever he or she sits"),
        pytest.param([2, 2, 1], [(6, 3), (6, 3), (3, 0)], id="ties"),
        pytest.param([1, 1, 1], [(3, 3), (3, 3), (3, 3)], id="all tie"),
        pytest.param([0, 0, 0], [(0, 3), (0, 3), (0, 3)], id="all at 0"),
        pytest.param([0], [(0, 3)], id="a single player at 0"),
        pytest.param([2], [(6, 3)], id="a single player"),
    ],
)
def test_side_b_gives_3_for_most(young: list[int], expected: list[tuple[int, int]]) -> None:
    oceans = [{"B1": f"{count}y"} if count else {} for count in young]
    assert gains(week_ended(*oceans, week=3, side="b", tile="b3_young"), 3) == expected


@rule("R8.1")
def test_most_is_most_points_of_the_week_after_rounding() -> None:
    """3 eggs are worth as much as 2."""
    two, three = {"B5": "303 e", "G2": "301 e"}, {"B5": "303 e", "G2": "301 e", "P4": "302 e"}
    assert gains(week_ended(two, three, {}, week=2, side="b", tile="b2_every_2_eggs"), 2) == [
        (3, 3),
        (3, 3),
        (0, 0),
    ]


@rule("R8.1")
def test_side_a_gives_nothing_for_most() -> None:
    assert gains(week_ended({"B1": "2y"}, {}, week=1), 1) == [(2, 0), (0, 0)]


@rule("R8.1")
@pytest.mark.parametrize(("first_player", "following"), [(0, 1), (1, 2), (2, 0)])
def test_the_token_passes_clockwise_and_its_holder_begins(first_player: int, following: int) -> None:
    ended = week_ended(*[START_OCEAN] * 3, week=2, first_player=first_player)
    assert (ended.state.week, ended.state.turn) == (3, 1)
    assert (ended.state.first_player, ended.state.seat) == (following, following)
    assert [(event.week, event.first_player) for event in ended.all_of(WeekBegan)] == [(3, following)]


@rule("R8.1", "R6.3")
def test_divers_come_home_and_deep_bonuses_are_open_again() -> None:
    state = situation(turn=6, seat=1, deep_used=[("blue", "green"), ("purple",)])
    assert [divers_left(state, seat) for seat in (0, 1)] == [0, 1]
    ended = settle(play(state, "dive:blue").state)
    assert [divers_left(ended.state, seat) for seat in (0, 1)] == [6, 6]
    assert [player.deep_used for player in ended.state.players] == [0, 0]


@rule("R8.1")
def test_all_else_stays_over_the_week() -> None:
    oceans = [{**START_OCEAN, "B1": "95 <46", "G6": "2y s"}, START_OCEAN]
    state = situation(oceans=oceans, hands=[(1, 3)], discards=[(12,)], turn=6, seat=1)
    ended = settle(play(state, "dive:purple").state)
    assert ocean_of(ended.me) == oceans[0]
    assert (ended.me.hand, ended.me.discard) == ([1, 3], [12])


@rule("R8.1", "R9.1")
def test_week_4_has_no_achievement() -> None:
    ended = week_ended(START_OCEAN, START_OCEAN, week=4, side="b")
    assert ended.all_of(WeekScored) == []
    assert [player.gained for player in ended.state.players] == [[WeekPoints(0, 3)] * 3] * 2
    assert ended.state.is_over


@rule("R8.1")
def test_a_week_ends_after_the_last_players_turn_only() -> None:
    state = situation(oceans=[START_OCEAN] * 3, turn=6, first_player=1, seat=1)
    for seat in (1, 2, 0):
        assert (state.week, deciding(state)) == (1, (seat, "R3.1"))
        state = settle(play(state, "dive:blue").state).state
    assert (state.week, deciding(state)) == (2, (2, "R3.1"))


# R8.2


@rule("R8.2")
@pytest.mark.parametrize(
    ("week", "ocean", "points"),
    [
        pytest.param(1, {}, 0, id="1: nothing"),
        pytest.param(1, START_OCEAN, 3, id="1: two eggs, a young"),
        pytest.param(1, {"B1": "2y", "B2": "4y s"}, 6, id="1: young beside a school"),
        pytest.param(1, {"B1": "s", "B2": "s"}, 0, id="1: young inside schools do not count"),
        pytest.param(2, {}, 0, id="2: forage fish alone"),
        pytest.param(2, {"B4": "100", "G4": "104"}, 2, id="2: a row with a forage fish"),
        pytest.param(2, {"B4": "100", "P4": "108 <302", "G4": "104"}, 2, id="2: a row of cards"),
        pytest.param(2, {"B4": "100", "G4": "y s"}, 0, id="2: tokens fill no row"),
        pytest.param(2, {"B1": "46", "B2": "95", "B3": "26"}, 0, id="2: three fish of a site"),
        pytest.param(
            2,
            {"B4": "100", "G4": "104", "P5": "3", "G5": "126", "B2": "46", "P2": "133"},
            6,
            id="2: three rows",
        ),
        pytest.param(3, {"P3": "2y"}, 0, id="3: two young"),
        pytest.param(3, {"B1": "s", "B2": "4y s", "G2": "301 e s"}, 6, id="3: three schools"),
    ],
)
def test_side_a(week: int, ocean: Ocean, points: int) -> None:
    assert gains(week_ended(ocean, START_OCEAN, week=week), week)[0] == (points, 0)


# R8.3

RICH: Ocean = {
    "B1": "95 e y",
    "B3": "2y",
    "B4": "50 e",
    "B5": "27 e s <303",
    "P1": "25 2y",
    "P2": "s",
    "P5": "108 e",
    "G2": "57 <14,301",
    "G4": "104 s",
    "G5": "103",
    "G6": "126 e",
}
"""Ten visible fish, the forage fish on P4 among them: 5 small, 3 medium, 2 large; 6 have an
if-activated ability. 6 predator tags, two of them double; 5 eggs, 5 young, 3 schools. Rows 4 and 5 are full;
3 fish are consumed."""

TILE_POINTS = {
    "b1_small_fish": (5 * 2, 3 * 2),
    "b1_eggs_and_young": (5 + 5, 0),
    "b1_fish_with_token": (7, 0),
    "b1_fish_without_token": (3, 3),
    "b1_if_activated": (6 * 2, 0),
    "b2_medium_fish": (3 * 2, 0),
    "b2_full_rows": (2 * 2, 0),
    "b2_predator_tags": (6 * 2, 0),
    "b2_every_2_eggs": (5 // 2 * 3, 0),
    "b2_consumed_fish": (3 * 2, 0),
    "b3_schools": (3 * 3, 0),
    "b3_young": (5 * 3, 0),
    "b3_large_fish": (2 * 2, 0),
    "b3_every_3_eggs": (5 // 3 * 2, 0),
}
"""What each tile gives for RICH, and for an ocean with its forage fish alone."""


@rule("R8.3", "RU12")
@pytest.mark.parametrize("tile", TILE_POINTS)
def test_what_each_tile_counts(tile: str) -> None:
    week = ACHIEVEMENTS[tile].week
    ended = week_ended(RICH, {}, week=week, side="b", tile=tile)
    assert tuple(points for points, _ in gains(ended, week)) == TILE_POINTS[tile]


@rule("R8.3")
def test_the_table_above_has_every_tile_of_the_base_game() -> None:
    assert TILE_POINTS.keys() == {tile.id for tile in ACHIEVEMENTS.values() if tile.set == "base"}


REEF_TILE_POINTS = {
    "s1_coral": ((6 + 2 + 6) * 2, 0),
    "s1_sunlight_fish": (3, 1),
    "s1_discard_pile": (4, 0),
    "s1_fish_1_to_3_points": (2, 0),
    "s2_predator_tags": (6 * 2, 0),
    "s2_tag_kinds": (4 * 2, 0),
    "s2_coral": ((6 + 2 + 6) * 2, 0),
    "s3_fish_over_4_points": (3, 0),
    "s3_fish_1_to_3_points": (2, 0),
    "s3_reef_bonuses": (6 + 5, 0),
}
"""The same for the tiles of Sharks & Reefs, with reefs of 6, 2 and 6 coral and 4 cards in the discard pile.

In the Sunlight zone lie Red Lionfish, Bluespine Unicornfish and Great White Shark, or the forage fish on G2;
young on B3 and a school on P2 are no fish. Red Lionfish and Barreleye have 1 to 3 points; Bluntnose Sixgill
Shark, Great White Shark and Skipjack Tuna more than 4. All kinds of tag are there but the electric one.
"""


@rule("R8.3", "RU12")
@pytest.mark.parametrize("tile", REEF_TILE_POINTS)
def test_what_each_tile_of_sharks_and_reefs_counts(tile: str) -> None:
    week = ACHIEVEMENTS[tile].week
    reefs, discards = [(6, 2, 6), (0, 0, 0)], [(1, 3, 12, 46)]
    ended = week_ended(RICH, {}, week=week, side="b", tile=tile, reefs=reefs, discards=discards)
    assert tuple(points for points, _ in gains(ended, week)) == REEF_TILE_POINTS[tile]


@rule("R8.3", "R9.2")
@pytest.mark.parametrize(
    ("reefs", "points"),
    [
        ((5, 5, 5), 0),
        ((6, 0, 0), 6),
        ((0, 6, 0), 8),
        ((0, 0, 6), 5),
        ((6, 6, 6), 19),
    ],
)
def test_full_reefs_give_a_week_what_they_give_at_the_end(reefs: tuple[int, int, int], points: int) -> None:
    ended = week_ended({}, {}, week=3, side="b", tile="s3_reef_bonuses", reefs=[reefs])
    assert gains(ended, 3)[0][0] == points


@rule("R8.3")
@pytest.mark.parametrize(
    ("fish", "few", "many"),
    [
        pytest.param({"G2": "301"}, 0, 0, id="forage fish have no printed points"),
        pytest.param({"B1": "95"}, 1, 0, id="1 point"),
        pytest.param({"G5": "126"}, 1, 0, id="3 points"),
        pytest.param({"B6": "108"}, 0, 0, id="4 points"),
        pytest.param({"G1": "104"}, 0, 1, id="5 points"),
        pytest.param({"G2": "57 <95,301"}, 0, 1, id="a consumed fish has none"),
    ],
)
def test_printed_points_of_visible_cards(fish: Ocean, few: int, many: int) -> None:
    few_ended = week_ended(fish, {}, week=1, side="b", tile="s1_fish_1_to_3_points", reefs=())
    many_ended = week_ended(fish, {}, week=3, side="b", tile="s3_fish_over_4_points", reefs=())
    assert (gains(few_ended, 1)[0][0], gains(many_ended, 3)[0][0]) == (few, many)


@rule("R8.3")
def test_the_table_above_has_every_tile_of_sharks_and_reefs() -> None:
    of_the_set = {tile.id for tile in ACHIEVEMENTS.values() if tile.set == "sharks_and_reefs"}
    assert REEF_TILE_POINTS.keys() == of_the_set


@rule("R8.3")
@pytest.mark.parametrize(
    ("eggs", "twos", "threes"), [(0, 0, 0), (1, 0, 0), (2, 3, 0), (3, 3, 2), (4, 6, 2), (5, 6, 2), (6, 9, 4)]
)
def test_every_so_many_eggs_rounds_down(eggs: int, twos: int, threes: int) -> None:
    fish = {"B1": "46", "B2": "95", "B3": "26", "B5": "303", "P4": "302", "G2": "301"}
    ocean = {slot: f"{card} e" if index < eggs else card for index, (slot, card) in enumerate(fish.items())}
    assert gains(week_ended(ocean, week=2, side="b", tile="b2_every_2_eggs"), 2) == [(twos, 3)]
    assert gains(week_ended(ocean, week=3, side="b", tile="b3_every_3_eggs"), 3) == [(threes, 3)]


@rule("R8.3", "R1.5")
@pytest.mark.parametrize(
    ("ocean", "with_token", "without_token"),
    [
        pytest.param({}, 0, 3, id="forage fish are fish"),
        pytest.param({"P4": "302 y"}, 1, 2, id="a young"),
        pytest.param({"P4": "302 s"}, 1, 2, id="a school"),
        pytest.param({"P4": "302 e y s"}, 1, 2, id="one fish, three tokens"),
        pytest.param({"P3": "2y s"}, 0, 3, id="tokens without a fish"),
        pytest.param({"P4": "108 <302"}, 0, 3, id="a consumed fish is no fish"),
    ],
)
def test_fish_with_and_without_tokens(ocean: Ocean, with_token: int, without_token: int) -> None:
    tiles = {"b1_fish_with_token": with_token, "b1_fish_without_token": without_token}
    for tile, points in tiles.items():
        assert gains(week_ended(ocean, week=1, side="b", tile=tile), 1) == [(points, 3)]


@rule("R8.3", "R5.4")
def test_consumed_fish_are_all_that_lie_under_a_fish() -> None:
    """A forage fish, a covered card, and two cards eaten from the hand."""
    ocean = {"B5": "27 <303", "B1": "99 <94,131", "B2": "95 <46"}
    assert gains(week_ended(ocean, week=2, side="b", tile="b2_consumed_fish"), 2) == [(8, 3)]


@rule("R8.3", "RU12")
def test_the_values_of_side_b_are_marked_provisional() -> None:
    assert {tile.provisional for tile in ACHIEVEMENTS.values() if tile.set == "base"} == {True}
    assert {tile.provisional for tile in ACHIEVEMENTS.values() if tile.set == "side_a"} == {False}


@rule("R8.3")
def test_the_tile_of_the_week_scores() -> None:
    """A game on named tiles: at the end of its first week the first of them is scored, and so on."""
    options = Options(side="b", tiles=("b1_if_activated", "b2_every_2_eggs", "b3_young"))
    state, _ = new_game(2, options, seed="r8")
    scored = []
    while not state.is_over:
        dived = play(state, "dive:blue")
        ended = settle(dived.state)
        scored += [event.achievement for event in ended.all_of(WeekScored) + dived.all_of(WeekScored)]
        state = ended.state
    assert scored == [tile for tile in options.tiles for _ in range(2)]
