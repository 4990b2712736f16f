"""How cards and boards read in English."""

from pathlib import Path
from typing import get_args

import pytest

from service.engine.abilities import (
    BuyCoral,
    Condition,
    ConsumeByAny,
    ConsumeByThis,
    ConsumedAtLeast,
    Draw,
    Effect,
    EveryReefAtLeast,
    GainCoral,
    HasEggYoungAndSchool,
    HasSchool,
    Hatch,
    InRow,
    LayEgg,
    LayEggEach,
    MoveToken,
    NoTokens,
    PlaceYoung,
    Play,
    Recover,
    Scatter,
    SiteCoralAtLeast,
    SiteCoralNone,
    SomeReefAtLeast,
    YoungExactly,
)
from service.engine.cards import ACHIEVEMENTS, BONUSES, CARDS, COUNTS, FORAGE, Achievement, Cost
from service.engine.events import BonusSource, FishSource, RuleSource, Source
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.texts import (
    ability_text,
    achievement_text,
    bonus_text,
    condition_text,
    cost_text,
    effect_text,
    group_text,
    player_text,
    source_text,
)
from tests.sentences import is_sentence

CHECKED = Path(__file__).with_name("ability_texts.txt")

SUNLIGHT, REEF, DEEP = 0, 5, 10
BARRELEYE_ON_G4 = FishSource(0, SLOTS_BY_NAME["G4"], 126)

# The words of the cards.


def test_every_ability_reads_as_checked() -> None:
    """The file has one line for each of the 215 cards, and no command writes it.

    That each line says what the notation of the data says, `test_ability_sentences` asks without the engine.
    """
    cards = [card for id_, card in CARDS.items() if id_ not in FORAGE]
    rendered = [f"{card.id} | {card.name} | {ability_text(card)}" for card in cards]
    assert rendered == CHECKED.read_text(encoding="utf-8").splitlines()


def test_a_fish_without_ability_says_so() -> None:
    assert {ability_text(CARDS[fish]) for fish in FORAGE} == {"No ability."}


EFFECTS: list[tuple[Effect, str]] = [
    (Draw(1), "draw 1 card"),
    (Draw(4), "draw 4 cards"),
    (Recover(2), "recover 2 cards from your discard pile"),
    (LayEgg(1), "lay 1 egg"),
    (Hatch(3), "hatch 3 eggs"),
    (PlaceYoung(1), "put 1 young on any slot"),
    (PlaceYoung(2), "put 2 young, each on any slot"),
    (LayEggEach(), "lay an egg on each of your fish that have no egg"),
    (LayEggEach(site=1), "lay an egg on each of your fish that lie in the purple site and have no egg"),
    (LayEggEach(row=0), "lay an egg on each of your fish that lie in the top row and have no egg"),
    (LayEggEach(row=3), "lay an egg on each of your fish that lie in row 4 and have no egg"),
    (LayEggEach(size=0), "lay an egg on each of your small fish that have no egg"),
    (LayEggEach(tag="predator"), "lay an egg on each of your fish that have the predator tag and no egg"),
    (
        LayEggEach(site=0, size=2, tag="electric"),
        (
            "lay an egg on each of your large fish that lie in the blue site and have the electric tag"
            " and no egg"
        ),
    ),
    (MoveToken(1), "move a young or a school"),
    (MoveToken(2), "move a young or a school 2 times (any one each time)"),
    (ConsumeByThis(1), "let this fish consume 1 shorter card from hand"),
    (ConsumeByThis(2), "let this fish consume 2 shorter cards from hand"),
    (
        ConsumeByAny(2),
        "let any one of your fish cards consume 1 shorter card from hand 2 times (any of them each time)",
    ),
    (Scatter(1), "scatter 1 school"),
    (GainCoral(0, 3), "gain 3 blue coral"),
    (GainCoral(None, 1), "gain 1 coral of any colour"),
    (GainCoral(2, 1), "gain 1 green coral"),
    (GainCoral(None, 2), "gain 2 coral of any colours"),
    (Scatter(2), "scatter 2 schools"),
    (ConsumeByAny(1), "let any one of your fish cards consume 1 shorter card from hand"),
    (BuyCoral(0, 1), "buy 1 coral for 1 egg"),
    (BuyCoral(1, 1), "buy 1 coral for 1 young"),
    (BuyCoral(2, 1), "buy 1 coral for 1 card from hand"),
    (Play(zone=0), "play a fish in the Sunlight zone, paying its cost"),
    (Play(row=5), "play a fish in the bottom row, paying its cost"),
    (Play(site=2), "play a fish in the green site, paying its cost"),
    (Play(min_coral=3), "play a fish in a site with at least 3 coral, paying its cost"),
    (Play(free=True, size=1), "play a medium fish for free"),
    (Play(free=True, tag="electric"), "play a fish with the electric tag for free"),
]


@pytest.mark.parametrize(("effect", "text"), EFFECTS)
def test_effects(effect: Effect, text: str) -> None:
    assert effect_text(effect) == text


def test_coral_of_several_colours_is_gained_in_one_breath() -> None:
    coral = [GainCoral(0, 1), GainCoral(1, 1), GainCoral(2, 3)]
    assert group_text(coral) == "gain 1 blue, 1 purple and 3 green coral"
    assert group_text(coral[1:]) == "gain 1 purple and 3 green coral"
    assert group_text([GainCoral(0, 1), Draw(1)]) == "gain 1 blue coral and draw 1 card"


def test_every_verb_is_in_the_table_above() -> None:
    assert {type(effect) for effect, _ in EFFECTS} == set(get_args(Effect))


CONDITIONS: list[tuple[Condition, str]] = [
    (NoTokens(), "no egg, young or school is on this fish"),
    (HasSchool(), "a school is on this fish"),
    (HasEggYoungAndSchool(), "an egg, a young and a school are on this fish"),
    (YoungExactly(2), "exactly 2 young are on this fish"),
    (ConsumedAtLeast(1), "at least 1 consumed fish lies under this fish"),
    (ConsumedAtLeast(3), "at least 3 consumed fish lie under this fish"),
    (InRow(5), "this fish is in the bottom row"),
    (InRow(1), "this fish is in row 2"),
    (SiteCoralAtLeast(2, 3), "this fish's site holds at least 3 green coral"),
    (SiteCoralNone(), "this fish's site holds no coral"),
    (EveryReefAtLeast(3), "each of your sites holds at least 3 coral"),
    (SomeReefAtLeast(5), "one of your sites holds at least 5 coral"),
]


@pytest.mark.parametrize(("condition", "text"), CONDITIONS)
def test_conditions(condition: Condition, text: str) -> None:
    assert condition_text(condition) == text


def test_every_condition_is_in_the_table_above() -> None:
    assert {type(condition) for condition, _ in CONDITIONS} == set(get_args(Condition))


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Cost(), "nothing"),
        (Cost(cards=1), "1 card"),
        (Cost(schools=1), "1 school"),
        (Cost(cards=2, young=1), "2 cards and 1 young"),
        (Cost(cards=1, eggs=2, young=3), "1 card, 2 eggs and 3 young"),
        (Cost(consume=1), "a shorter fish to consume"),
        (Cost(young=2, consume=1), "2 young and a shorter fish to consume"),
    ],
)
def test_costs(cost: Cost, text: str) -> None:
    assert cost_text(cost) == text


# The words of the board.


def test_the_bonuses_are_those_of_the_table() -> None:  # R6.4
    assert [bonus_text(site, stop) for site, stop in BONUSES] == [
        "Sunlight bonus of the blue site: draw 1 card.",
        "Twilight bonus of the blue site: draw 1 card.",
        "Midnight bonus of the blue site: draw 1 card.",
        "Deep bonus of the blue site: recover 1 card from your discard pile.",
        "Sunlight bonus of the purple site: lay 1 egg.",
        "Twilight bonus of the purple site: lay 1 egg.",
        "Midnight bonus of the purple site: lay 1 egg.",
        "Deep bonus of the purple site: lay 1 egg.",
        "Sunlight bonus of the green site: hatch 1 egg.",
        "Twilight bonus of the green site: hatch 1 egg.",
        "Midnight bonus of the green site: move a young or a school.",
        "Deep bonus of the green site: move a young or a school.",
        "Blue reef: buy 1 coral for 1 egg.",
        "Purple reef: buy 1 coral for 1 young.",
        "Green reef: buy 1 coral for 1 card from hand.",
    ]


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        ("a1", "Week 1: 1 point for each egg and each young besides those in schools."),
        ("a2", "Week 2: 2 points for each row full of fish."),
        ("a3", "Week 3: 2 points for each school."),
        ("b2_every_2_eggs", "Week 2: 3 points for every 2 eggs, and 3 more for scoring most."),
        ("b3_large_fish", "Week 3: 2 points for each large fish, and 3 more for scoring most."),
        ("s1_coral", "Week 1: 2 points for each coral, and 3 more for scoring most."),
        ("s2_tag_kinds", "Week 2: 2 points for each different kind of tag, and 3 more for scoring most."),
        (
            "b3_young",
            "Week 3: 3 points for each young besides those in schools, and 3 more for scoring most.",
        ),
        (
            "s1_discard_pile",
            "Week 1: 1 point for each card in your discard pile, and 3 more for scoring most.",
        ),
        (
            "s3_fish_1_to_3_points",
            "Week 3: 1 point for each fish card worth 1 to 3 points, and 3 more for scoring most.",
        ),
        (
            "s3_fish_over_4_points",
            "Week 3: 1 point for each fish card worth more than 4 points, and 3 more for scoring most.",
        ),
        (
            "s3_reef_bonuses",
            (
                "Week 3: 1 point for each point that your full reefs bring at the end of the game,"
                " and 3 more for scoring most."
            ),
        ),
    ],
)
def test_achievements(id_: str, text: str) -> None:  # R8.1 to R8.3
    assert achievement_text(ACHIEVEMENTS[id_]) == text


@pytest.mark.parametrize("per", [1, 2])
@pytest.mark.parametrize("count", COUNTS)
def test_everything_that_can_be_counted_has_words(count: str, per: int) -> None:
    assert is_sentence(achievement_text(Achievement("an_id", "base", 1, count, per, 1, provisional=False)))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (BARRELEYE_ON_G4, "Barreleye on G4"),
        (BonusSource(0, SUNLIGHT), "the Sunlight bonus of the blue site"),
        (BonusSource(2, DEEP), "the deep bonus of the green site"),
        (BonusSource(2, REEF), "the green reef"),
        (BARRELEYE_ON_G4._replace(is_also=True), "Barreleye on G4"),
        (RuleSource("R3.1"), "rule R3.1"),
    ],
)
def test_sources(source: Source, text: str) -> None:
    assert source_text(source) == text


@pytest.mark.parametrize(
    ("seat", "names", "text"),
    [
        (0, ("Ann", "Bob"), "Ann"),
        (1, ("Ann", ""), "Player 2"),
        (4, (), "Player 5"),
    ],
)
def test_players(seat: int, names: tuple[str, ...], text: str) -> None:
    assert player_text(seat, names) == text


# What all texts have in common.


def test_every_text_is_one_sentence() -> None:
    texts = [
        *map(ability_text, CARDS.values()),
        *(bonus_text(*place) for place in BONUSES),
        *map(achievement_text, ACHIEVEMENTS.values()),
    ]
    assert [text for text in texts if not is_sentence(text)] == []
