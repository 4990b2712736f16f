"""R10: what game-end abilities ask for, each just met and just missed."""

import pytest

from service.engine.cards import CARDS
from service.engine.scoring import game_end_points
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, situation

NO_TOKENS, SCHOOL, ALL_THREE, TWO_YOUNG, BOTTOM = "1", "70", "85", "30", "32"
"""Abyssal Anglerfish 3, Leafy Seadragon 3, Pale Chimaera 10, Clown Anemonefish 6, Cookiecutter Shark 5."""
ONE_EATEN, TWO_EATEN, THREE_EATEN = "31", "8", "4"
"""Common Fangtooth 3, Atlantic Bonito 6, Angelshark 10."""


def points(ocean: Ocean) -> int:
    """Return the game-end points of an ocean."""
    return game_end_points(situation(oceans=[ocean, START_OCEAN]).players[0])


@rule("R10")
@pytest.mark.parametrize(
    ("fish", "slot", "what", "expected"),
    [
        pytest.param(NO_TOKENS, "G6", "", 3, id="no token"),
        pytest.param(NO_TOKENS, "G6", "e", 0, id="no token: an egg"),
        pytest.param(NO_TOKENS, "G6", "y", 0, id="no token: a young"),
        pytest.param(NO_TOKENS, "G6", "s", 0, id="no token: a school"),
        pytest.param(NO_TOKENS, "B5", "<303", 3, id="no token: what is consumed is none"),
        pytest.param(SCHOOL, "G1", "s", 3, id="a school"),
        pytest.param(SCHOOL, "G1", "e 2y s", 3, id="a school and more"),
        pytest.param(SCHOOL, "G1", "e 2y", 0, id="a school: everything else"),
        pytest.param(ALL_THREE, "G4", "e y s", 10, id="egg, young, school"),
        pytest.param(ALL_THREE, "G4", "e 5y s", 10, id="egg, young, school: more young"),
        pytest.param(ALL_THREE, "G4", "y s", 0, id="egg, young, school: no egg"),
        pytest.param(ALL_THREE, "G4", "e s", 0, id="egg, young, school: no young"),
        pytest.param(ALL_THREE, "G4", "e 2y", 0, id="egg, young, school: no school"),
        pytest.param(TWO_YOUNG, "G1", "2y", 6, id="exactly 2 young"),
        pytest.param(TWO_YOUNG, "G1", "e 2y s", 6, id="exactly 2 young and other tokens"),
        pytest.param(TWO_YOUNG, "G1", "", 0, id="exactly 2 young: none"),
        pytest.param(TWO_YOUNG, "G1", "y", 0, id="exactly 2 young: 1"),
        pytest.param(TWO_YOUNG, "G1", "3y s", 0, id="exactly 2 young: 3 beside a school"),
        pytest.param(TWO_YOUNG, "G1", "s", 0, id="exactly 2 young: those of a school"),
        pytest.param(BOTTOM, "G6", "", 5, id="bottom row"),
        pytest.param(BOTTOM, "B6", "", 5, id="bottom row of another site"),
        pytest.param(BOTTOM, "G5", "", 0, id="bottom row: row 5"),
        pytest.param(BOTTOM, "G1", "", 0, id="bottom row: row 1"),
        pytest.param(ONE_EATEN, "G5", "", 0, id="1 consumed: none"),
        pytest.param(ONE_EATEN, "B5", "<303", 3, id="1 consumed: a forage fish"),
        pytest.param(ONE_EATEN, "B6", "<110,123", 3, id="1 consumed: two cards"),
        pytest.param(TWO_EATEN, "G1", "<14", 0, id="2 consumed: one"),
        pytest.param(TWO_EATEN, "G2", "<14,301", 6, id="2 consumed: a card and a forage fish"),
        pytest.param(TWO_EATEN, "G1", "<14,24,94", 6, id="2 consumed: three"),
        pytest.param(THREE_EATEN, "G2", "<14,301", 0, id="3 consumed: two"),
        pytest.param(THREE_EATEN, "G2", "<14,94,301", 10, id="3 consumed: three"),
        pytest.param(THREE_EATEN, "G1", "e 2y s", 0, id="3 consumed: tokens"),
    ],
)
def test_points_if(fish: str, slot: str, what: str, expected: int) -> None:
    assert points({slot: f"{fish} {what}"}) == expected


@rule("R10")
def test_only_what_lies_on_or_under_this_fish_counts() -> None:
    assert points({"G1": f"{SCHOOL} e", "G3": "s", "B1": "95 s"}) == 0
    assert points({"G1": f"{TWO_YOUNG} y", "G3": "y"}) == 0
    assert points({"G1": THREE_EATEN, "G2": "57 <14,94,301"}) == 0
    assert points({"G6": NO_TOKENS, "G5": "126 e", "P3": "2y s"}) == 3


@rule("R10")
def test_several_abilities_add_up() -> None:
    assert (
        points({"G6": NO_TOKENS, "G1": f"{SCHOOL} s", "B1": f"{TWO_YOUNG} 2y", "B6": BOTTOM}) == 3 + 3 + 6 + 5
    )


@rule("R10", "R5.4")
def test_a_consumed_fish_asks_for_nothing() -> None:
    assert points({"G1": f"95 2y s <{TWO_YOUNG}", "G6": f"57 <{BOTTOM}"}) == 0


def giving_points(set_: str) -> set[str]:
    """Return the fish of a set that give points at the end of the game."""
    return {
        str(card.id)
        for card in CARDS.values()
        if card.set == set_ and card.ability is not None and card.ability.score is not None
    }


@rule("R10")
def test_the_tables_above_have_every_fish_of_the_base_game_that_gives_points() -> None:
    named = {NO_TOKENS, SCHOOL, ALL_THREE, TWO_YOUNG, BOTTOM, ONE_EATEN, TWO_EATEN, THREE_EATEN}
    assert giving_points("base") == named


EVERY_REEF, SOME_REEF = "202", "206"
"""Tasseled Scorpionfish 5, Variegated Lizardfish 3."""


@rule("R10", "R11.5")
@pytest.mark.parametrize(
    ("fish", "reefs", "expected"),
    [
        pytest.param(EVERY_REEF, (3, 3, 3), 5, id="3 in each"),
        pytest.param(EVERY_REEF, (6, 3, 4), 5, id="more than 3 in each"),
        pytest.param(EVERY_REEF, (2, 6, 6), 0, id="3 in each: blue lacks one"),
        pytest.param(EVERY_REEF, (6, 2, 6), 0, id="3 in each: purple lacks one"),
        pytest.param(EVERY_REEF, (6, 6, 2), 0, id="3 in each: green lacks one"),
        pytest.param(SOME_REEF, (5, 0, 1), 3, id="5 in one: blue"),
        pytest.param(SOME_REEF, (0, 6, 1), 3, id="5 in one: 6 in purple"),
        pytest.param(SOME_REEF, (0, 0, 5), 3, id="5 in one: green, its own"),
        pytest.param(SOME_REEF, (4, 4, 4), 0, id="5 in one: 4 in each"),
    ],
)
def test_reef_conditions(fish: str, reefs: tuple[int, int, int], expected: int) -> None:
    """Any of the player's reefs counts, not only that of the fish's own site, and nobody else's."""
    state = situation(oceans=[{"G1": fish}, START_OCEAN], reefs=[reefs, (6, 6, 6)])
    assert game_end_points(state.players[0]) == expected


@rule("R10")
def test_the_table_of_reef_conditions_has_every_fish_of_sharks_and_reefs_that_gives_points() -> None:
    assert giving_points("sharks_and_reefs") == {EVERY_REEF, SOME_REEF}
