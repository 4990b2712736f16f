"""R6: diving, its bonuses and the fish that it passes."""

import pytest

from service.engine.moves import MoveKind
from service.engine.rules import legal_moves
from service.engine.state import GameState
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, deciding, legal, ocean_of, play, refused, settle, situation

ZONES = ("sunlight", "twilight", "midnight")
ZONE_OF_ROW = {1: "sunlight", 2: "sunlight", 3: "sunlight", 4: "twilight", 5: "midnight", 6: "midnight"}
FORAGE_ZONE = {"blue": "midnight", "purple": "twilight", "green": "sunlight"}
FORAGE = {"B5": "303", "P4": "302", "G2": "301"}
QUIET = {"sunlight": "30", "twilight": "127", "midnight": "3"}
"""A fish for each zone that does nothing when a diver passes."""


def alone(ocean: Ocean, hand: tuple[int, ...] = ()) -> GameState:
    """Return the turn of a single player."""
    return situation(oceans=[{**START_OCEAN, **ocean}], hands=[hand])


def offered(ocean: Ocean, site: str, hand: tuple[int, ...] = ()) -> list[str]:
    """Return what a single player's dive offers on its way down, all of it declined."""
    return settle(play(alone(ocean, hand), f"dive:{site}").state).declined


# R6.1


@rule("R6.1")
@pytest.mark.parametrize(
    ("site", "ocean"),
    [
        ("blue", {"B1": "135", "B2": "46", "B3": "26", "B4": "120", "B5": "103 e <303", "B6": "108"}),
        ("purple", {"P1": "133", "P2": "39", "P3": "15 y", "P4": "111 <302", "P5": "106", "P6": "108"}),
        ("green", {"G1": "94", "G2": "112 e <301", "G3": "79", "G4": "56", "G5": "126", "G6": "123"}),
    ],
)
def test_the_way_down(site: str, ocean: Ocean) -> None:
    one, two, three, four, five, six = (f"{fish.split()[0]}@{slot}" for slot, fish in ocean.items())
    assert offered(ocean, site, hand=(14,)) == [
        f"{site} sunlight",
        one,
        two,
        three,
        f"{site} twilight",
        four,
        f"{site} midnight",
        five,
        six,
        f"{site} deep",
    ]


@rule("R6.1")
def test_a_benefit_taken_higher_up_counts_further_down() -> None:
    """The egg laid in the Sunlight zone is hatched by the fish of row 4."""
    state = play(situation(oceans=[{"P1": "128", "P4": "104 <302"}]), "dive:purple", "pass").state
    assert deciding(state) == (0, "128@P1")
    below = play(state, "egg:P1", "pass").state
    assert (deciding(below), legal(below)) == ((0, "104@P4"), ["hatch:P1", "pass"])


@rule("R6.1")
def test_other_sites_give_nothing() -> None:
    assert offered({"P1": "133", "G1": "94", "P5": "106"}, "blue") == ["blue midnight", "blue deep"]


@rule("R6.1")
def test_a_dive_cannot_be_left_for_another_move() -> None:
    state = play(situation(hands=[(95, 12)]), "dive:green").state
    assert [refused(state, move) for move in ("dive:green", "play:95@B1", "draw")] == ["R3.1", "R3.1", "R7.1"]


# R6.2


@rule("R6.2")
@pytest.mark.parametrize("site", ["blue", "purple", "green"])
@pytest.mark.parametrize("row", [1, 2, 3, 4, 5, 6])
def test_a_zone_gives_its_bonus_if_a_fish_lies_in_it(site: str, row: int) -> None:
    """The forage fish of the site lies in another row or under the fish."""
    slot = f"{site[0].upper()}{row}"
    fish = QUIET[ZONE_OF_ROW[row]] + (f" <{FORAGE[slot]}" if slot in FORAGE else "")
    inhabited = {FORAGE_ZONE[site], ZONE_OF_ROW[row]}
    bonuses = [f"{site} {zone}" for zone in ZONES if zone in inhabited]
    assert offered({slot: fish}, site) == [*bonuses, f"{site} deep"]


@rule("R6.2")
def test_tokens_do_not_make_a_zone_give_its_bonus() -> None:
    assert offered({"B1": "2y s", "B4": "y"}, "blue") == ["blue midnight", "blue deep"]


@rule("R6.2")
def test_several_fish_in_a_zone_give_one_bonus() -> None:
    assert offered({"B1": "30", "B2": "95", "B3": "131"}, "blue") == [
        "blue sunlight",
        "blue midnight",
        "blue deep",
    ]


@rule("R6.2", "R5.4")
@pytest.mark.parametrize(
    ("fish", "acts"), [("94", ["94@G1"]), ("95 <94", []), ("62", []), ("131", []), ("30", [])]
)
def test_only_a_visible_if_activated_ability_acts(fish: str, acts: list[str]) -> None:
    assert [source for source in offered({"G1": fish}, "green") if "@" in source] == acts


@rule("R6.2", "R3.2")
def test_an_activated_ability_gives_all_it_prints() -> None:
    """Great Northern Tilefish hatches 2."""
    state = play(alone({"G4": "56"}), "dive:green", "pass", "pass").state
    assert deciding(state) == (0, "56@G4")
    once = play(state, "hatch:B5").state
    assert deciding(once) == (0, "56@G4")
    assert deciding(play(once, "hatch:G2").state) == (0, "green deep")


@rule("R6.2")
def test_a_fish_acts_at_every_dive() -> None:
    state = play(alone({"G1": "94"}), "dive:green", "pass", "hatch:B5", "pass").state
    assert deciding(play(state, "dive:green", "pass").state) == (0, "94@G1")


# R6.3


@rule("R6.3")
@pytest.mark.parametrize("site", ["blue", "purple", "green"])
def test_the_deep_bonus_needs_no_fish_at_the_bottom(site: str) -> None:
    assert offered({}, site)[-1] == f"{site} deep"


@rule("R6.3")
def test_each_site_has_its_own_once_a_week() -> None:
    state = alone({})
    seen: list[bool] = []
    for site in ("blue", "purple", "blue", "green", "purple", "green"):
        dived = settle(play(state, f"dive:{site}").state)
        state = dived.state
        seen.append(f"{site} deep" in dived.declined)
    assert seen == [True, True, False, True, False, False]
    assert "blue deep" in settle(play(state, "dive:blue").state).declined


@rule("R6.3")
def test_it_is_used_up_on_arrival_and_not_before() -> None:
    above = play(alone({}), "dive:green").state
    assert (deciding(above), above.players[0].deep_used) == ((0, "green sunlight"), 0)
    below = play(above, "pass").state
    assert (deciding(below), below.players[0].deep_used) == ((0, "green deep"), 1 << 2)
    assert play(below, "pass").me.deep_used == 1 << 2


@rule("R6.3")
def test_it_is_used_up_when_impossible_too() -> None:
    state = situation(oceans=[{}])
    dived = play(state, "dive:green").state
    assert deciding(dived) == (0, "R3.1")
    later = play(dived, "dive:purple", "egg:G2", "pass", "dive:green", "hatch:G2")
    assert ocean_of(later.me) == {"G2": "301 y"}
    assert deciding(later.state) == (0, "R3.1")


@rule("R6.3")
def test_the_others_dives_do_not_use_it_up() -> None:
    state = situation(oceans=[START_OCEAN] * 3)
    for _ in range(3):
        dived = settle(play(state, "dive:purple").state)
        assert "purple deep" in dived.declined
        state = dived.state
    assert [player.deep_used for player in state.players] == [1 << 1] * 3
    assert "purple deep" not in settle(play(state, "dive:purple").state).declined


# R6.4


@rule("R6.4", "RU04")
@pytest.mark.parametrize(
    ("site", "stop", "kinds"),
    [
        ("blue", "sunlight", {MoveKind.DRAW}),
        ("blue", "twilight", {MoveKind.DRAW}),
        ("blue", "midnight", {MoveKind.DRAW}),
        ("blue", "deep", {MoveKind.RECOVER}),
        ("purple", "sunlight", {MoveKind.LAY_EGG}),
        ("purple", "twilight", {MoveKind.LAY_EGG}),
        ("purple", "midnight", {MoveKind.LAY_EGG}),
        ("purple", "deep", {MoveKind.LAY_EGG}),
        ("green", "sunlight", {MoveKind.HATCH}),
        ("green", "twilight", {MoveKind.HATCH}),
        ("green", "midnight", {MoveKind.MOVE_YOUNG, MoveKind.MOVE_SCHOOL}),
        ("green", "deep", {MoveKind.MOVE_YOUNG, MoveKind.MOVE_SCHOOL}),
    ],
)
def test_the_bonus_of_each_stop(site: str, stop: str, kinds: set[MoveKind]) -> None:
    fish = {"B1": "30 s", "B4": "100", "P1": "95", "P6": "3", "G4": "41", "G5": "21"}
    state = situation(oceans=[{**START_OCEAN, **fish}], discards=[(1,)])
    state = play(state, f"dive:{site}").state
    while deciding(state) != (0, f"{site} {stop}"):
        state = play(state, "pass").state
    assert {move.kind for move in legal_moves(state)} == kinds | {MoveKind.PASS}


@rule("R6.4")
@pytest.mark.parametrize(
    ("site", "moves"), [("blue", ["draw"]), ("purple", ["egg:G1"]), ("green", ["hatch:B5"])]
)
def test_a_bonus_is_one_benefit(site: str, moves: list[str]) -> None:
    state = play(alone({"B1": "30", "P1": "95", "G1": "131"}), f"dive:{site}").state
    assert deciding(state) == (0, f"{site} sunlight")
    assert deciding(play(state, *moves).state)[1] != f"{site} sunlight"
