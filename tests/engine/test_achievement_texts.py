"""What every achievement says of itself, written by hand from the data file and the rules (R8)."""

import pytest

from service.engine.cards import ACHIEVEMENTS
from service.engine.texts import achievement_text
from tests.facts import TILES
from tests.marks import rule

SIDE_A = {
    "a1": "Week 1: 1 point for each egg and each young besides those in schools.",
    "a2": "Week 2: 2 points for each row full of fish.",
    "a3": "Week 3: 2 points for each school.",
}
SIDE_B = {
    "b1_small_fish": "Week 1: 2 points for each small fish",
    "b1_eggs_and_young": "Week 1: 1 point for each egg and each young besides those in schools",
    "b1_fish_with_token": "Week 1: 1 point for each fish with an egg, a young or a school",
    "b1_fish_without_token": "Week 1: 1 point for each fish with no egg, young or school",
    "b1_if_activated": "Week 1: 2 points for each fish with an if-activated ability",
    "b2_medium_fish": "Week 2: 2 points for each medium fish",
    "b2_full_rows": "Week 2: 2 points for each row full of fish",
    "b2_predator_tags": "Week 2: 2 points for each predator tag",
    "b2_every_2_eggs": "Week 2: 3 points for every 2 eggs",
    "b2_consumed_fish": "Week 2: 2 points for each consumed fish",
    "b3_schools": "Week 3: 3 points for each school",
    "b3_young": "Week 3: 3 points for each young besides those in schools",
    "b3_large_fish": "Week 3: 2 points for each large fish",
    "b3_every_3_eggs": "Week 3: 2 points for every 3 eggs",
}
SHARKS_AND_REEFS = {
    "s1_coral": "Week 1: 2 points for each coral",
    "s1_sunlight_fish": "Week 1: 1 point for each fish in the Sunlight zone",
    "s1_discard_pile": "Week 1: 1 point for each card in your discard pile",
    "s1_fish_1_to_3_points": "Week 1: 1 point for each fish card worth 1 to 3 points",
    "s2_predator_tags": "Week 2: 2 points for each predator tag",
    "s2_tag_kinds": "Week 2: 2 points for each different kind of tag",
    "s2_coral": "Week 2: 2 points for each coral",
    "s3_fish_over_4_points": "Week 3: 1 point for each fish card worth more than 4 points",
    "s3_fish_1_to_3_points": "Week 3: 1 point for each fish card worth 1 to 3 points",
    "s3_reef_bonuses": "Week 3: 1 point for each point that your full reefs bring at the end of the game",
}
TEXTS = SIDE_A | {
    id_: f"{text}, and 3 more for scoring most." for id_, text in (SIDE_B | SHARKS_AND_REEFS).items()
}
"""Side A is for no contest, so only the others have points for scoring most (R8.1)."""


@rule("R8.1", "R8.2", "R8.3")
@pytest.mark.parametrize(("id_", "text"), TEXTS.items(), ids=TEXTS)
def test_an_achievement_says_what_it_is_worth(id_: str, text: str) -> None:
    assert achievement_text(ACHIEVEMENTS[id_]) == text


def test_no_achievement_is_missing_above() -> None:
    assert {"side_a": [*SIDE_A], "base": [*SIDE_B], "sharks_and_reefs": [*SHARKS_AND_REEFS]} == {
        set_: [id_ for id_, tile in TILES.items() if tile["set"] == set_]
        for set_ in ("side_a", "base", "sharks_and_reefs")
    }
    assert TEXTS.keys() == TILES.keys() == ACHIEVEMENTS.keys()
