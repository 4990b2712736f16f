"""How everything reads in English."""

from collections.abc import Sequence
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
    GroupSource,
    RuleSource,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    Source,
    StarterDealt,
    TurnBegan,
    WeekBegan,
    WeekScored,
    YoungMoved,
    YoungPaid,
    YoungPlaced,
)
from service.engine.moves import UNIVERSE, MoveKind, parse_move
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.rules import decision, legal_moves
from service.engine.state import Benefits, Frame, GameState, Scattering
from service.engine.texts import (
    ability_text,
    achievement_text,
    bonus_text,
    condition_text,
    cost_text,
    decision_text,
    effect_text,
    event_text,
    move_text,
    player_text,
    source_text,
)
from tests.table import START_OCEAN, Ocean, play, situation

CHECKED = Path(__file__).with_name("ability_texts.txt")

B4, B5, G2, G4, P1, P3, P4 = (SLOTS_BY_NAME[name] for name in ("B4", "B5", "G2", "G4", "P1", "P3", "P4"))
LIONFISH, BARRELEYE, WHITE_SHARK, ROUGHY, BLUEFIN, SNIPE_EEL, SARGASSUM = 95, 126, 57, 132, 7, 108, 99
SUNLIGHT, REEF, DEEP = 0, 5, 10
SEAROBIN, HAMMERHEAD = 138, 162
BARRELEYE_ON_G4 = FishSource(0, G4, BARRELEYE)
SITTING = ("", "Ann")
"""Seat 0 has no name."""


def is_label(text: str) -> bool:
    """Return whether a text is one line that begins with a capital and ends with a word."""
    return text == " ".join(text.split()) and text[0].isupper() and text.rstrip(")")[-1].isalnum()


def is_sentence(text: str) -> bool:
    """Return whether a text is one line that begins with a capital and ends with its only full stop."""
    return is_label(text[:-1]) and text.endswith(".") and text.count(".") == 1


def benefits(
    seat: int, source: GroupSource, *left: int, oceans: Sequence[Ocean] = (START_OCEAN, START_OCEAN)
) -> GameState:
    """Return a situation in which so much of a group of benefits is open to ``seat``."""
    state = situation(oceans=oceans, valid=False)
    state.names = SITTING
    state.agenda = [Frame.END_TURN, Benefits(seat, source, left)]
    return state


def game_end() -> GameState:
    return situation(week=4, turn=6, frame=Frame.GAME_END, valid=False)


# The words of the cards.


def test_every_ability_reads_as_checked() -> None:
    """The checked file was read line by line against cards.json by a person, text beside facts.

    Trigger, all players, every benefit with its amount, place and filter, every condition and its number were
    compared, for all 215 cards, by reading, not by a program. There is therefore no command that writes the
    file: a new card's line is written by hand from its facts, a changed wording is read through again.
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
    (PlaceYoung(2), "put 2 young on any slots"),
    (LayEggEach(), "lay an egg on each of your fish that has none"),
    (LayEggEach(site=1), "lay an egg on each of your fish in the purple site that has none"),
    (LayEggEach(row=0), "lay an egg on each of your fish in the top row that has none"),
    (LayEggEach(row=3), "lay an egg on each of your fish in row 4 that has none"),
    (LayEggEach(size=0), "lay an egg on each of your small fish that has none"),
    (LayEggEach(tag="predator"), "lay an egg on each of your fish with the predator tag that has none"),
    (MoveToken(1), "move a young or a school"),
    (MoveToken(2), "move a young or a school 2 times"),
    (ConsumeByThis(1), "let this fish consume 1 shorter card from hand"),
    (ConsumeByAny(2), "let any of your fish cards consume 2 shorter cards from hand"),
    (Scatter(1), "scatter 1 school"),
    (GainCoral(0, 3), "gain 3 blue coral"),
    (GainCoral(None, 1), "gain 1 coral of any colour"),
    (GainCoral(2, 1), "gain 1 green coral"),
    (GainCoral(None, 2), "gain 2 coral of any colour"),
    (Scatter(2), "scatter 2 schools"),
    (ConsumeByAny(1), "let any of your fish cards consume 1 shorter card from hand"),
    (BuyCoral(0, 1), "put 1 coral into your blue reef for 1 egg"),
    (BuyCoral(1, 1), "put 1 coral into your purple reef for 1 young"),
    (BuyCoral(2, 1), "put 1 coral into your green reef for 1 card from hand"),
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


def test_every_verb_is_in_the_table_above() -> None:
    assert {type(effect) for effect, _ in EFFECTS} == set(get_args(Effect))


CONDITIONS: list[tuple[Condition, str]] = [
    (NoTokens(), "no egg, young or school is on this fish"),
    (HasSchool(), "a school is on this fish"),
    (HasEggYoungAndSchool(), "an egg, a young and a school are on this fish"),
    (YoungExactly(2), "exactly 2 young are on this fish"),
    (ConsumedAtLeast(1), "at least 1 fish is consumed under this fish"),
    (ConsumedAtLeast(3), "at least 3 fish are consumed under this fish"),
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
        "Blue reef: put 1 coral into your blue reef for 1 egg.",
        "Purple reef: put 1 coral into your purple reef for 1 young.",
        "Green reef: put 1 coral into your green reef for 1 card from hand.",
    ]


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        ("a1", "Week 1: 1 point for each egg or young."),
        ("a2", "Week 2: 2 points for each row full of fish."),
        ("a3", "Week 3: 2 points for each school."),
        ("b2_every_2_eggs", "Week 2: 3 points for every 2 eggs, and 3 more for scoring most."),
        ("b3_large_fish", "Week 3: 2 points for each large fish, and 3 more for scoring most."),
        ("s1_coral", "Week 1: 2 points for each coral, and 3 more for scoring most."),
        ("s2_tag_kinds", "Week 2: 2 points for each kind of tag, and 3 more for scoring most."),
        (
            "s3_reef_bonuses",
            "Week 3: 1 point for each point of your full reefs, and 3 more for scoring most.",
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
        (FishSource(0, G4, BARRELEYE, is_also=True), "Barreleye on G4"),
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


# Moves.

MOVES = [
    ("play:95@P3", "Play Red Lionfish on P3"),
    ("dive:blue", "Dive in the blue site"),
    ("pay_card:126", "Pay Barreleye from hand"),
    ("pay_egg:G2", "Pay the egg on G2"),
    ("pay_young:P3", "Pay a young on P3"),
    ("pay_school:B1", "Pay the school on B1"),
    ("draw", "Draw a card"),
    ("recover:126", "Recover Barreleye from your discard pile"),
    ("egg:P4", "Lay an egg on P4"),
    ("egg_each", "Lay an egg on each of your fish with the predator tag that has none"),
    ("hatch:G2", "Hatch the egg on G2"),
    ("young:P1", "Put a young on P1"),
    ("move_young:B1>P1", "Move a young from B1 to P1"),
    ("move_school:B1>B4", "Move the school from B1 to B4"),
    ("consume:126@P3", "Let Great White Shark on P3 consume Barreleye"),
    ("scatter:B1", "Scatter the school on B1"),
    ("coral:blue", "Put a coral into the blue reef"),
    ("buy_coral:egg:G2", "Buy a blue coral for the egg on G2"),
    ("buy_coral:young:P3", "Buy a purple coral for a young on P3"),
    ("buy_coral:card:126", "Buy a green coral for Barreleye from hand"),
    ("activate:P3", "Activate Great White Shark on P3"),
    ("pass", "Decline what is left of Great White Shark on P3"),
]


@pytest.fixture(scope="module")
def shark_open() -> GameState:
    """The first player's shark on P3 asks the first player."""
    return benefits(0, FishSource(0, P3, WHITE_SHARK), 1, oceans=[{"P3": "57"}, {}])


@pytest.mark.parametrize(("id_", "text"), MOVES)
def test_moves(shark_open: GameState, id_: str, text: str) -> None:
    assert move_text(parse_move(id_), shark_open) == text


def test_every_kind_of_move_is_in_the_table_above() -> None:
    assert {parse_move(id_).kind for id_, _ in MOVES} == set(MoveKind)


@pytest.mark.parametrize("state", [situation(), game_end()], ids=["turn", "game end"])
def test_a_move_has_a_text_wherever_it_is_named(state: GameState, shark_open: GameState) -> None:
    """A caller may ask why a move is not legal, so also moves that make no sense are named."""
    for move in UNIVERSE:
        assert is_label(move_text(move, state))
        assert is_label(move_text(move, shark_open))


def test_the_decider_sees_the_own_ocean() -> None:
    state = benefits(1, FishSource(0, G4, SNIPE_EEL), 1, oceans=[{"G4": "108"}, {"P3": "99"}])
    assert move_text(parse_move("consume:95@P3"), state) == "Let Sargassum Fish on P3 consume Red Lionfish"
    assert move_text(parse_move("pass"), state) == "Decline what is left of Player 1's Snipe Eel on G4"


def test_passing_the_game_end_is_for_good() -> None:  # R9.1
    assert move_text(parse_move("pass"), game_end()) == "Use no more game-end abilities"


# Decisions.


def test_a_turn_is_asked_with_its_place_in_the_week() -> None:  # R3.1
    state = situation(week=2, turn=3)
    assert decision_text(state) == "Player 1: play a fish or dive (week 2, turn 3)."


def test_a_payment_is_asked_with_all_that_is_left_of_it() -> None:  # R5.1
    ocean = {"B5": "303 e", "G2": "301 e", "P4": "302 e", "B1": "95 e", "P3": "2y"}
    state = situation(oceans=[ocean, {}], hands=[[BLUEFIN, ROUGHY]])
    state = play(state, "play:7@P1").state
    assert decision_text(state) == "Player 1: pay 2 eggs and 1 young for Atlantic Bluefin Tuna on P1."
    state = play(state, "pay_egg:B1").state
    assert (
        decision_text(state) == "Player 1: pay 1 more egg and 1 more young for Atlantic Bluefin Tuna on P1."
    )


@pytest.mark.parametrize(
    ("seat", "source", "left", "text"),
    [
        (0, BonusSource(1, SUNLIGHT), [1], "with the Sunlight bonus of the purple site you may lay 1 egg."),
        (0, BARRELEYE_ON_G4, [1], "with Barreleye on G4 you may hatch 1 egg."),
        (1, FishSource(0, G4, SNIPE_EEL), [1], "with Player 1's Snipe Eel on G4 you may lay 1 egg."),
        (0, FishSource(0, P3, ROUGHY), [2, 0], "with Orange Roughy on P3 you may draw 2 cards."),
        (
            0,
            FishSource(0, P3, ROUGHY),
            [1, 1],
            "with Orange Roughy on P3 you may draw 1 card and recover 1 card from your discard pile.",
        ),
        (
            0,
            BonusSource(0, REEF),
            [1],
            "with the blue reef you may put 1 coral into your blue reef for 1 egg.",
        ),
        (
            0,
            FishSource(0, B4, SEAROBIN),
            [1],
            "with Armored Searobin on B4 you may recover 1 card from your discard pile.",
        ),
        (
            0,
            FishSource(0, B4, SEAROBIN, is_also=True),
            [1],
            "with Armored Searobin on B4 you may draw 1 card.",
        ),
        (
            1,
            FishSource(0, G2, HAMMERHEAD),
            [1, 1],
            (
                "with Player 1's Great Hammerhead on G2 you may scatter 1 school and let any of your fish"
                " cards consume 1 shorter card from hand."
            ),
        ),
    ],
)
def test_benefits_are_asked_with_their_source_and_what_is_left(
    seat: int, source: GroupSource, left: list[int], text: str
) -> None:  # R3.2
    assert decision_text(benefits(seat, source, *left)) == f"{('Player 1', 'Ann')[seat]}: {text}"


@pytest.mark.parametrize(
    ("used", "text"),
    [
        ((), "Ann: put 4 more young of the scattered school, each on another slot."),
        ((B4, G2), "Ann: put 2 more young of the scattered school, each on another slot."),
        ((B4, G2, P1), "Ann: put 1 more young of the scattered school, each on another slot."),
    ],
)
def test_a_scatter_is_asked_with_what_is_left_of_it(used: tuple[int, ...], text: str) -> None:  # R7.5
    state = benefits(1, FishSource(0, G2, HAMMERHEAD), 0, 1)
    state.agenda.append(Scattering(1, FishSource(0, G2, HAMMERHEAD), sum(1 << slot for slot in used)))
    assert decision_text(state) == text
    assert move_text(parse_move("young:P3"), state) == "Put a young on P3"


def test_the_game_end_is_asked() -> None:  # R9.1
    text = "Player 1: activate a fish with a game-end ability, or use no more of them."
    assert decision_text(game_end()) == text


def test_nothing_is_asked_when_the_game_is_over() -> None:  # R9.3
    assert decision_text(situation(week=4, turn=6, frame=Frame.GAME_OVER, valid=False)) == "The game is over."


# Events.

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
    (SchoolFormed(0, RuleSource("R4.2"), P3), "Player 1 forms a school of the young on P3."),
    (YoungMoved(1, BonusSource(2, DEEP), P3, P1), "Ann moves a young from P3 to P1."),
    (SchoolMoved(1, BonusSource(2, DEEP), P3, B5), "Ann moves the school from P3 to B5."),
    (SchoolScattered(1, FishSource(0, G2, HAMMERHEAD), P3), "Ann scatters the school on P3."),
    (CoralGained(0, BonusSource(1, REEF), 1), "Player 1 puts a coral into the purple reef."),
    (EggPaid(1, BonusSource(0, REEF), B5), "Ann pays the egg on B5 for the blue reef."),
    (YoungPaid(1, BonusSource(1, REEF), P3), "Ann pays a young on P3 for the purple reef."),
    (CardPaid(1, BonusSource(2, REEF), LIONFISH), "Ann pays Red Lionfish from hand for the green reef."),
    (BenefitsDeclined(1, BonusSource(0, REEF)), "Ann declines what is left of the blue reef."),
    (BonusGained(1, BonusSource(2, DEEP)), "Ann reaches the deep bonus of the green site."),
    (
        FishActivated(0, BARRELEYE_ON_G4, "if_activated"),
        "Player 1 begins the if-activated ability of Barreleye on G4.",
    ),
    (BenefitsDeclined(0, BARRELEYE_ON_G4), "Player 1 declines what is left of Barreleye on G4."),
    (BenefitsDeclined(1, BARRELEYE_ON_G4), "Ann declines what is left of Player 1's Barreleye on G4."),
    (BenefitsDeclined(1, RuleSource("R9.1")), "Ann uses no more game-end abilities."),
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
    (GameEndBegan(1, RuleSource("R9.1")), "Ann may use game-end abilities."),
    (GameOver(None, RuleSource("R9.3"), (1,)), "The game is over: Ann wins."),
    (GameOver(None, RuleSource("R9.3"), (0, 1)), "The game is over: Player 1 and Ann share the win."),
    (
        AchievementsChosen(None, RuleSource("R2.3"), ("a1", "b2_every_2_eggs", "a3")),
        (
            "The achievements are 1 point for each egg or young (week 1), 3 points for every 2 eggs (week 2)"
            " and 2 points for each school (week 3)."
        ),
    ),
]


@pytest.mark.parametrize(("event", "text"), EVENTS)
def test_events(event: Event, text: str) -> None:
    assert event_text(event, SITTING) == text


def test_every_event_is_in_the_table_above() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))


# What all texts have in common.


def test_every_text_is_one_sentence() -> None:
    texts = [
        *map(ability_text, CARDS.values()),
        *(bonus_text(*place) for place in BONUSES),
        *map(achievement_text, ACHIEVEMENTS.values()),
        *(text for _, text in EVENTS),
    ]
    assert [text for text in texts if not is_sentence(text)] == []


@pytest.mark.parametrize("reefs", [None, ()], ids=["base game", "Sharks & Reefs"])
def test_a_whole_game_can_be_told(reefs: Sequence[Sequence[int]] | None) -> None:
    state = situation(hands=[[2, 95, 132], [7, 96, 131]], reefs=reefs)
    while decision(state) is not None:
        moves = legal_moves(state)
        assert is_sentence(decision_text(state))
        assert all(is_label(move_text(move, state)) for move in moves)
        state, events = play(state, moves[state.version % len(moves)].id)
        assert all(is_sentence(event_text(event, state.names)) for event in events)
    assert state.is_over
