"""R11.3 to R11.5: "also, if", the need for coral, and what asks for it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from service.engine.abilities import GainCoral
from service.engine.cards import CARDS
from service.engine.digest import full_digest
from service.engine.events import FishActivated
from service.engine.moves import parse_move
from service.engine.reasons import why_not, why_nothing
from service.engine.rules import legal_moves
from service.engine.state import Frame, GameState
from tests.engine.misprints import printed
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    asked_on_the_way,
    deciding,
    dive_to,
    just_played,
    legal,
    ocean_of,
    play,
    reef_turn,
    refused,
    situation,
)

Reefs = tuple[int, int, int]


# R11.3: also, if

SEAROBIN, THORNYHEAD, ANGLERFISH, ANGELFISH = "138", "139", "214", "144"
"""Blue: recover 1, also draw 1. Green: hatch 1, also 1 egg. Purple: 1 egg, also 1 green coral; 1 egg, also it
eats a shorter card."""


@rule("R11.3")
@pytest.mark.parametrize(("coral", "is_open"), [(0, False), (2, False), (3, True), (4, True), (6, True)])
def test_the_second_part_wants_three_coral_in_its_own_reef(coral: int, *, is_open: bool) -> None:
    state = dive_to(reef_turn({"B1": SEAROBIN}, coral, 6, 6, discard=(12, 94)), "blue", f"{SEAROBIN}@B1")
    state = play(state, "recover:12").state
    assert (deciding(state) == (0, "138@B1 also")) is is_open


@rule("R11.3", "R3.2")
@pytest.mark.parametrize(
    ("moves", "hand"),
    [
        (["recover:12", "draw"], [12, 30]),
        (["recover:12", "pass"], [12]),
        (["pass", "draw"], [30]),
        (["pass", "pass"], []),
    ],
)
def test_each_part_can_be_declined_by_itself(moves: list[str], hand: list[int]) -> None:
    state = reef_turn({"B1": SEAROBIN}, 3, 0, 0, discard=(12, 94), deck=(30, 31))
    state = dive_to(state, "blue", f"{SEAROBIN}@B1")
    after = play(state, *moves)
    assert after.me.hand == hand
    assert not deciding(after.state)[1].startswith(SEAROBIN)


@rule("R11.3", "R3.3")
def test_the_second_part_opens_though_the_first_was_impossible() -> None:
    """Atlantic Thornyhead finds no egg to hatch."""
    state = play(reef_turn({"G4": THORNYHEAD}, 0, 0, 3), "dive:green").state
    assert deciding(state) == (0, "139@G4 also")
    assert legal(state) == ["egg:B5", "egg:P4", "egg:G2", "egg:G4", "pass"]


@rule("R11.3", "R3.3")
def test_a_second_part_that_is_impossible_is_not_asked() -> None:
    """Every fish has an egg as long as none is hatched."""
    ocean = {"B5": "303 e", "P4": "302 e", "G2": "301 e", "G4": "139 e"}
    state = dive_to(reef_turn(ocean, 0, 0, 3), "green", f"{THORNYHEAD}@G4")
    assert deciding(play(state, "pass").state) == (1, "R3.1")
    hatched = play(state, "hatch:G2").state
    assert (deciding(hatched), legal(hatched)) == ((0, "139@G4 also"), ["egg:G2", "pass"])


@rule("R11.3")
def test_the_condition_is_tested_when_the_first_part_has_closed() -> None:
    """Fanfin Anglerfish lies in purple: a purchase on the way down makes the third coral."""
    state = reef_turn({"P5": ANGLERFISH, "P3": "y"}, 0, 2, 0)
    state = play(dive_to(state, "purple", "purple reef"), "buy_coral:young:P3").state
    while deciding(state)[1] != "214@P5":
        state = play(state, "pass").state
    assert deciding(play(state, "pass").state) == (0, "214@P5 also")


@rule("R11.3")
def test_a_coral_of_the_first_part_counts_for_the_second() -> None:
    """No card has both; Owlfish is made to gain its own third coral first."""
    ability = CARDS[178].ability
    assert ability is not None
    with printed(178, replace(ability, effects=(GainCoral(0, 1),))):
        state = dive_to(reef_turn({"B4": "178"}, 2, 0, 0), "blue", "178@B4")
        assert deciding(play(state, "coral:blue").state) == (0, "178@B4 also")
        assert deciding(play(state, "pass").state) == (0, "blue midnight")


@rule("R11.3", "R5.4")
def test_a_covered_fish_has_no_second_part() -> None:
    """Great White Shark lies on Armored Searobin."""
    state = reef_turn({"B1": "57 <138"}, 6, 6, 6, discard=(12,))
    asked = asked_on_the_way(state, "blue")
    assert [source for source in asked if "@" in source] == []


@rule("R11.3")
def test_the_second_part_is_the_owners_alone_and_begins_once() -> None:
    state = reef_turn({"B1": SEAROBIN}, 3, 0, 0, discard=(12, 94))
    dived = play(state, "dive:blue", "pass", "recover:12", "draw")
    assert [event.source.card for event in dived.all_of(FishActivated)] == [138]
    assert not deciding(dived.state)[1].startswith("138")


@rule("R11.3", "R7.4")
def test_the_second_part_of_a_fish_that_eats_needs_the_fish_itself() -> None:
    state = dive_to(
        reef_turn({"P1": ANGELFISH, "B1": "57"}, 0, 3, 0, hand=(46, 95)), "purple", f"{ANGELFISH}@P1"
    )
    state = play(state, "pass").state
    assert legal(state) == ["consume:46@P1", "pass"]
    assert refused(state, "consume:46@B1") == "R7.4"
    assert refused(state, "consume:95@P1") == "R7.4"


# R11.4: coral needed


def places(card: int, *reefs: int, ocean: Ocean = START_OCEAN) -> str:
    """Return the slots where a card may be put, with so much coral."""
    state = situation(oceans=[ocean, {}], hands=[(card, 1, 3, 5)], reefs=[reefs])
    return " ".join(move.split("@")[1] for move in legal(state, f"play:{card}@"))


PUFFER, HAWKFISH, SNAPPER, SEVENGILL = 197, 171, 144, 146
"""Stellate Puffer: any 2; Longnose Hawkfish, no band: green 2; Bluering Angelfish, purple band: purple 1;
Broadnose Sevengill Shark, Sunlight and Twilight, consumes: any 1."""


@rule("R11.4", "RU16")
@pytest.mark.parametrize(
    ("card", "reefs", "slots"),
    [
        pytest.param(PUFFER, (2, 1, 2), "B1 B2 B3 G1 G2 G3", id="any: where the own reef has enough"),
        pytest.param(PUFFER, (1, 1, 1), "", id="any: not the sum of all"),
        pytest.param(HAWKFISH, (6, 6, 1), "", id="a colour: other reefs do not help"),
        pytest.param(HAWKFISH, (0, 0, 2), "G1 G2 G3", id="a colour: its own site only"),
        pytest.param(HAWKFISH, (6, 6, 6), "G1 G2 G3", id="a colour: nor when all are full"),
        pytest.param(SNAPPER, (0, 1, 0), "P1 P2 P3", id="band and colour"),
        pytest.param(SNAPPER, (6, 0, 6), "", id="band without its colour"),
        pytest.param(SEVENGILL, (0, 0, 0), "P4", id="elsewhere than Sunlight nothing is needed"),
        pytest.param(SEVENGILL, (0, 0, 1), "P4 G2", id="and in the Sunlight zone it is"),
    ],
)
def test_where_a_card_that_needs_coral_goes(card: int, reefs: Reefs, slots: str) -> None:
    assert places(card, *reefs) == slots


@rule("R11.4", "R5.3")
def test_the_need_is_no_price() -> None:
    state = situation(hands=[(171, 1)], reefs=[(0, 0, 2)])
    assert play(state, "play:171@G1").me.reefs == [0, 0, 2]


@rule("R11.4", "R5.6")
@pytest.mark.parametrize(
    ("reefs", "move", "text"),
    [
        (
            (1, 1, 1),
            "play:197@P1",
            "Stellate Puffer needs at least 2 coral in the slot's own reef, and the purple reef has 1.",
        ),
        (
            (6, 6, 6),
            "play:171@B1",
            "Longnose Hawkfish needs at least 2 green coral in the slot's own reef, and that of B1 is blue.",
        ),
    ],
)
def test_a_refusal_says_what_is_needed(reefs: Reefs, move: str, text: str) -> None:
    state = situation(hands=[(171, 197, 1, 3)], reefs=[reefs])
    before = full_digest(state)
    assert why_not(state, parse_move(move)) == ("R11.4", text)
    assert refused(state, move) == "R11.4"
    assert full_digest(state) == before


@rule("R11.4")
def test_a_card_without_the_coral_is_told_so() -> None:
    state = situation(hands=[(197,)], reefs=[(1, 1, 1)])
    assert dict(why_nothing(state, legal_moves(state)))[197].rule == "R11.4"


@rule("R11.4", "R5.8")
def test_a_free_play_waives_no_coral() -> None:
    """Lollipop Catshark plays a small fish for free; Stellate Puffer is medium, Spotted Scat small."""
    state = situation(oceans=[START_OCEAN, {}], hands=[(170, 194, 197)], reefs=[(2, 1, 0)])
    state = just_played(state, "170@P1").state
    assert legal(state) == ["play:194@B1", "play:194@B2", "play:194@B3", "pass"]
    assert refused(state, "play:194@P2") == "R11.4"


@rule("R5.8", "R5.2", "R5.4")
def test_a_free_play_waives_a_consume_cost_but_covers_only_what_is_shorter() -> None:
    """Blackmouth Angler plays Dusky Shark, which consumes, onto an empty slot; the white shark is longer."""
    ocean = {**START_OCEAN, "B1": "141", "P1": "57"}
    state = situation(
        oceans=[ocean, {}], hands=[(149,)], reefs=[(0, 6, 6)], week=4, turn=6, frame=Frame.GAME_END
    )
    state = play(state, "activate:B1").state
    assert legal(state, "play:149@") == [
        f"play:149@{slot}" for slot in ("B1", "B2", "B3", "B4", "P2", "P3", "P4", "G1", "G2", "G3", "G4")
    ]
    assert refused(state, "play:149@P1") == "R5.4"
    played = play(state, "play:149@B2")
    assert ocean_of(played.me)["B2"] == "149"
    assert played.me.discard == []


@rule("R11.4", "R5.4")
def test_a_fish_without_need_may_cover_one_that_has_it() -> None:
    state = situation(oceans=[{"G1": "171"}, {}], hands=[(95, 1)], reefs=[(0, 0, 2)])
    assert ocean_of(play(state, "play:95@G1").me)["G1"] == "95 <171"


# R11.5


@rule("R11.5", "R5.7")
def test_a_play_with_coral_looks_at_the_slots_own_site() -> None:
    """Reef Triggerfish: play a fish where at least 3 coral are."""
    state = situation(oceans=[{}, {}], hands=[(182, 21, 1, 3, 5)], reefs=[(1, 3, 2)])
    state = just_played(state, "182@B1").state
    assert {move.split("@")[1][0] for move in legal(state, "play:21@")} == {"P"}
    assert refused(state, "play:21@B2") == "R11.5"
    text = "This play asks for at least 3 coral in the slot's own reef, and the green reef has 2."
    assert why_not(state, parse_move("play:21@G6")) == ("R11.5", text)


@rule("R11.5", "R11.4")
def test_such_a_play_and_a_need_for_coral_must_both_be_met() -> None:
    """Longnose Hawkfish goes to green with 2 coral; the play asks for 3. False Cleanerfish goes to blue."""
    hands = [(182, 171, 46, 12)]
    state = just_played(situation(oceans=[{}, {}], hands=hands, reefs=[(3, 3, 2)]), "182@B1").state
    assert legal(state) == ["play:46@B2", "play:46@B3", "pass"]
    assert {refused(state, "play:171@G1"), refused(state, "play:171@P1")} == {"R11.5", "R11.4"}
    state = just_played(situation(oceans=[{}, {}], hands=hands, reefs=[(3, 3, 3)]), "182@B1").state
    assert legal(state, "play:171@") == ["play:171@G1", "play:171@G2", "play:171@G3"]


@rule("R11.5", "R3.3")
def test_a_play_without_any_such_site_is_not_asked() -> None:
    state = situation(oceans=[{}, {}], hands=[(182, 21, 1, 3, 5)], reefs=[(2, 2, 2)])
    assert deciding(just_played(state, "182@B1").state) == (1, "R3.1")


def blackmouth(slot: str, *reefs: int, hand: Sequence[int] = (46,)) -> GameState:
    """Return the game end of a player with Blackmouth Angler and Honeycomb Scaly Dragonfish."""
    ocean = {slot: "141", "P3": "62"}
    return situation(oceans=[ocean, {}], hands=[hand], reefs=[reefs], week=4, turn=6, frame=Frame.GAME_END)


@rule("R11.5", "R9.1", "RU17")
@pytest.mark.parametrize(
    ("slot", "reefs", "is_open"),
    [
        ("B1", (0, 6, 6), True),
        ("B1", (1, 0, 0), False),
        ("P1", (6, 0, 6), True),
        ("P1", (0, 1, 0), False),
        ("G4", (6, 6, 0), True),
        ("G4", (0, 0, 1), False),
    ],
)
def test_no_coral_in_the_site_where_the_fish_lies(slot: str, reefs: Reefs, *, is_open: bool) -> None:
    """The ability's own condition is part of what can be activated; the play goes to any legal slot."""
    state = blackmouth(slot, *reefs)
    assert (f"activate:{slot}" in legal(state)) is is_open
    if is_open:
        played = play(state, f"activate:{slot}").state
        assert {move.split("@")[1][0] for move in legal(played, "play:46@")} == {"B"}
    else:
        assert refused(state, f"activate:{slot}") == "R11.5"


@rule("R11.5", "R9.1")
def test_the_condition_is_tested_anew_at_each_decision() -> None:
    """Common Bluestripe Snapper gains the blue coral after which Blackmouth Angler cannot be activated."""
    ocean = {"B1": "141", "B2": "147"}
    state = situation(
        oceans=[ocean, {}], hands=[(46,)], reefs=[(0, 0, 0)], week=4, turn=6, frame=Frame.GAME_END
    )
    assert legal(state) == ["activate:B1", "activate:B2", "pass"]
    gained = play(state, "activate:B2", "coral:blue", "pass").state
    assert gained.is_over
    kept = play(state, "activate:B2", "pass").state
    assert legal(kept) == ["activate:B1", "pass"]


@rule("R11.5")
def test_once_activated_the_condition_is_not_tested_again() -> None:
    """It holds when the ability is activated; what is played then may bring coral."""
    state = blackmouth("B1", 0, 2, 0, hand=(46, 199))
    state = play(state, "activate:B1", "play:199@P1").state
    assert deciding(state) == (0, "199@P1")
    after = play(state, "coral:blue")
    assert after.me.reefs == [1, 2, 0]


@rule("R11.5", "R3.3")
def test_nothing_to_play_is_nothing_to_activate() -> None:
    assert "activate:B1" not in legal(blackmouth("B1", 0, 0, 0, hand=()))
