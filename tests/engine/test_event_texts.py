"""How events read in English."""

import re
from typing import get_args

import pytest

from service.engine.cards import ACHIEVEMENTS, DEEP_STOP, REEF_STOP
from service.engine.event_texts import event_text
from service.engine.events import (
    AchievementsChosen,
    BenefitsDeclined,
    BonusGained,
    BonusSource,
    CardConsumed,
    CardDrawn,
    CardPaid,
    CardRecovered,
    CoralGained,
    DeckRenewed,
    DiverPlaced,
    EggHatched,
    EggLaid,
    EggPaid,
    Event,
    FishActivated,
    FishCovered,
    FishPlaced,
    FishSource,
    GameEndBegan,
    GameOver,
    RuleSource,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    StarterDealt,
    TurnBegan,
    WeekBegan,
    WeekScored,
    YoungMoved,
    YoungPaid,
    YoungPlaced,
)
from service.engine.ocean import SLOTS_BY_NAME
from tests.sentences import is_sentence
from tests.table import just_played, play, situation

B4, B5, G2, G4, P1, P3, P4 = (SLOTS_BY_NAME[name] for name in ("B4", "B5", "G2", "G4", "P1", "P3", "P4"))
LIONFISH, BARRELEYE, SARGASSUM, ROUGHY, SEAROBIN, HAMMERHEAD = 95, 126, 99, 132, 138, 162
SUNLIGHT, REEF, DEEP = 0, REEF_STOP, DEEP_STOP
BARRELEYE_ON_G4 = FishSource(0, G4, BARRELEYE)
SITTING = ("", "Ann")
"""Seat 0 has no name."""

EVENTS: list[tuple[Event, str]] = [
    (DiverPlaced(0, RuleSource("R3.1"), None), "Player 1 places a diver to play a fish."),
    (DiverPlaced(1, RuleSource("R3.1"), 0), "Ann dives in the blue site."),
    (CardPaid(0, BARRELEYE_ON_G4, LIONFISH), "Player 1 pays Red Lionfish from hand for Barreleye on G4."),
    (EggPaid(0, BARRELEYE_ON_G4, G2), "Player 1 pays the egg on G2 for Barreleye on G4."),
    (YoungPaid(0, BARRELEYE_ON_G4, P3), "Player 1 pays a young on P3 for Barreleye on G4."),
    (SchoolPaid(0, BARRELEYE_ON_G4, P3), "Player 1 pays the school on P3 for Barreleye on G4."),
    (FishCovered(0, BARRELEYE_ON_G4, G2, 301), "Player 1 covers Catalina Goby on G2."),
    (FishPlaced(1, BARRELEYE_ON_G4, BARRELEYE, G4), "Ann places Barreleye on G4."),
    (
        CardConsumed(1, FishSource(1, P3, SARGASSUM), P3, BARRELEYE),
        "Ann lets the fish on P3 consume Barreleye.",
    ),
    (StarterDealt(0, RuleSource("R2.1"), BARRELEYE), "Player 1 is dealt the starter card Barreleye."),
    (CardDrawn(1, BonusSource(0, SUNLIGHT), LIONFISH), "Ann draws Red Lionfish."),
    (CardRecovered(1, BonusSource(0, DEEP), LIONFISH), "Ann recovers Red Lionfish from the discard pile."),
    (
        DeckRenewed(None, BonusSource(0, DEEP), 12),
        "All discard piles are shuffled into a new deck of 12 cards.",
    ),
    (EggLaid(1, BonusSource(1, DEEP), P4), "Ann lays an egg on P4."),
    (EggHatched(1, BonusSource(2, SUNLIGHT), G2), "Ann hatches the egg on G2."),
    (YoungPlaced(1, RuleSource("R2.1"), P3), "Ann puts a young on P3."),
    (SchoolFormed(0, RuleSource("R4.2"), P3), "Player 1's young on P3 form a school."),
    (YoungMoved(1, BonusSource(2, DEEP), P3, P1), "Ann moves a young from P3 to P1."),
    (SchoolMoved(1, BonusSource(2, DEEP), P3, B5), "Ann moves the school from P3 to B5."),
    (SchoolScattered(1, FishSource(0, G2, HAMMERHEAD), P3), "Ann scatters the school on P3."),
    (CoralGained(0, BonusSource(1, REEF), 1), "Player 1 puts a coral into the purple reef."),
    (EggPaid(1, BonusSource(0, REEF), B5), "Ann pays the egg on B5 for a blue coral."),
    (YoungPaid(1, BonusSource(1, REEF), P3), "Ann pays a young on P3 for a purple coral."),
    (CardPaid(1, BonusSource(2, REEF), LIONFISH), "Ann pays Red Lionfish from hand for a green coral."),
    (BenefitsDeclined(1, BonusSource(0, REEF)), "Ann buys no coral."),
    (BonusGained(1, BonusSource(2, DEEP)), "Ann reaches the deep bonus of the green site."),
    (
        FishActivated(0, BARRELEYE_ON_G4, "if_activated"),
        "Player 1 begins the if-activated ability of Barreleye on G4.",
    ),
    (BenefitsDeclined(0, BonusSource(1, DEEP)), "Player 1 declines the deep bonus of the purple site."),
    (BenefitsDeclined(0, BARRELEYE_ON_G4), "Player 1 declines the ability of Barreleye on G4."),
    (BenefitsDeclined(1, BARRELEYE_ON_G4), "Ann declines the ability of Player 1's Barreleye on G4."),
    (
        BenefitsDeclined(1, FishSource(0, G2, HAMMERHEAD), is_rest=True),
        "Ann declines the rest of the ability of Player 1's Great Hammerhead on G2.",
    ),
    (
        BenefitsDeclined(0, FishSource(0, B4, SEAROBIN)),
        "Player 1 declines the first part of the ability of Armored Searobin on B4.",
    ),
    (
        BenefitsDeclined(0, FishSource(0, B4, SEAROBIN, is_also=True)),
        "Player 1 declines the second part of the ability of Armored Searobin on B4.",
    ),
    (BenefitsDeclined(1, RuleSource("R9.1")), "Ann uses no game-end ability from now on."),
    (
        WeekScored(1, RuleSource("R8.1"), 2, "a2", 1, 0),
        "Ann scores 1 point for the achievement of week 2.",
    ),
    (
        WeekScored(1, RuleSource("R8.1"), 2, "b2_full_rows", 4, 3),
        "Ann scores 4 points for the achievement of week 2, and 3 more for scoring most.",
    ),
    (WeekBegan(None, RuleSource("R8.1"), 2, 1), "Week 2 begins with Ann as first player."),
    (TurnBegan(0, RuleSource("R3.1"), 2, 5), "Player 1 begins turn 5 of week 2."),
    (GameEndBegan(1, RuleSource("R9.1")), "The game end of Ann begins."),
    (GameOver(None, RuleSource("R9.3"), (1,)), "The game is over: Ann wins."),
    (GameOver(None, RuleSource("R9.3"), (0, 1)), "The game is over: Player 1 and Ann share the win."),
    (
        AchievementsChosen(None, RuleSource("R2.3"), ("s1_discard_pile", "a2", "s3_reef_bonuses")),
        (
            "The achievements are 1 point for each card in a player's own discard pile (week 1), 2 points for"
            " each row full of fish (week 2) and 1 point for each point that a player's own full reefs bring"
            " at the end of the game (week 3)."
        ),
    ),
    (
        AchievementsChosen(None, RuleSource("R2.3"), ("a1", "b2_every_2_eggs", "a3")),
        (
            "The achievements are 1 point for each egg and each young besides those in schools (week 1),"
            " 3 points for every 2 eggs (week 2) and 2 points for each school (week 3)."
        ),
    ),
]


@pytest.mark.parametrize(("event", "text"), EVENTS)
def test_events(event: Event, text: str) -> None:
    assert event_text(event, SITTING) == text


def test_every_event_is_in_the_table_above() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ann", "Ann's young on P3 form a school."),
        ("James", "James' young on P3 form a school."),
        ("THE GULLS", "THE GULLS' young on P3 form a school."),
        ("", "Player 1's young on P3 form a school."),
    ],
)
def test_an_owner_is_named_also_when_the_name_ends_in_s(name: str, text: str) -> None:
    assert event_text(SchoolFormed(0, RuleSource("R4.2"), P3), (name,)) == text


def test_no_event_speaks_to_anybody() -> None:
    """All players read every event."""
    chosen = AchievementsChosen(None, RuleSource("R2.3"), tuple(ACHIEVEMENTS))
    texts = [*(event_text(event, SITTING) for event, _ in EVENTS), event_text(chosen)]
    assert [text for text in texts if re.search(r"\b(you|your)\b", text)] == []


def test_every_event_is_one_sentence() -> None:
    assert [text for _, text in EVENTS if not is_sentence(text)] == []


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        (["pass"], "Player 1 declines the ability of Orange Roughy on B4."),
        (["draw", "pass"], "Player 1 declines the rest of the ability of Orange Roughy on B4."),
    ],
)
def test_the_rest_is_declined_only_after_some_use(moves: list[str], text: str) -> None:  # R3.2
    """Orange Roughy draws 3 cards and recovers 1."""
    state = situation(hands=[[ROUGHY, LIONFISH, BARRELEYE]])
    *_, declined = play(just_played(state, "132@B4").state, *moves).all_of(BenefitsDeclined)
    assert event_text(declined) == text
