"""What is said of a kind of move, or of a card, that is not offered is the reason why not."""

import pytest

from service.engine.moves import MoveKind
from service.engine.ocean import SLOT_NAMES
from service.engine.reasons import why_nothing
from service.engine.rules import legal_moves
from service.engine.state import Frame, GameState
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, dive_to, just_played, play, situation


@rule("R7.2")
def test_with_only_a_recover_left_a_card_is_not_drawn_because_it_is_recovered() -> None:
    hand = [132, 48, 104]  # 132: draw 3, recover 1, for 2 cards
    after = play(situation(hands=[hand]), "play:132@P5", "draw", "draw", "draw").state
    reasons = dict(why_nothing(after, legal_moves(after)))
    assert reasons[MoveKind.DRAW].rule == "R7.2"


@rule("R7.5")
@pytest.mark.parametrize(
    ("ocean", "kind"), [({"B1": "s"}, MoveKind.PLACE_YOUNG), ({}, MoveKind.SCATTER)], ids=["school", "none"]
)
def test_a_scatter_offers_schools_or_one_young(ocean: Ocean, kind: MoveKind) -> None:
    """Velvet Belly Lanternshark scatters 2."""
    after = just_played(situation(oceans=[ocean, {}], hands=[(207,)], reefs=()), "207@G4").state
    assert {what: refusal.rule for what, refusal in why_nothing(after, legal_moves(after))} == {kind: "R7.5"}


@rule("R7.6")
def test_a_coral_is_missing_because_the_reef_is_full() -> None:
    """Blacktip Shark: 1 green coral, scatter 1."""
    after = just_played(situation(hands=[(142,)], reefs=[(0, 0, 6)]), "142@G1").state
    reasons = dict(why_nothing(after, legal_moves(after)))
    assert {kind: reason.rule for kind, reason in reasons.items()} == {
        MoveKind.SCATTER: "R7.5",
        MoveKind.GAIN_CORAL: "R7.6",
    }


@rule("R5.7", "R5.8", "R11.4", "R11.5")
@pytest.mark.parametrize(
    ("reefs", "rules"),
    [
        ((3, 2, 2), {94: "R11.5", 171: "R11.4"}),
        ((3, 3, 2), {94: "R11.5", 171: "R11.4"}),
        ((2, 2, 3), {46: "R11.5"}),
        ((3, 0, 3), {}),
    ],
)
def test_a_card_is_missing_for_want_of_coral(reefs: tuple[int, int, int], rules: dict[int, str]) -> None:
    """Reef Triggerfish: play a fish where at least 3 coral are.

    False Cleanerfish belongs to blue, Pygmy Seahorse to green. Longnose Hawkfish may lie in any site, but
    needs green coral.
    """
    ocean = {"B5": "303 e", "P1": "s"}
    after = just_played(
        situation(oceans=[ocean, {}], hands=[(182, 46, 94, 171)], reefs=[reefs]), "182@B1"
    ).state
    assert {what: reason.rule for what, reason in why_nothing(after, legal_moves(after))} == rules


@rule("R11.2")
def test_a_reef_that_asks_has_a_purchase() -> None:
    after = dive_to(situation(reefs=()), "blue", "blue reef")
    assert why_nothing(after, legal_moves(after)) == []


def missing(state: GameState) -> dict[int | MoveKind, tuple[str, str]]:
    return {what: (refusal.rule, refusal.text) for what, refusal in why_nothing(state, legal_moves(state))}


@rule("R5.6")
@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ((), ("R5.6", "Your hand is empty.")),
        ((57,), ("R5.6", "No card in your hand can be played: cost or place cannot be met.")),
    ],
)
def test_no_play_at_all(hand: tuple[int, ...], expected: tuple[str, str]) -> None:
    assert missing(situation(hands=[hand]))[MoveKind.PLAY_FISH] == expected


EVERYWHERE = dict.fromkeys(SLOT_NAMES, "s")


@rule("R4.1", "R4.3", "R4.4", "R7.2", "R7.4", "R7.5", "R7.6")
@pytest.mark.parametrize(
    ("card", "ocean", "expected"),
    [
        pytest.param(
            "88@B1",
            {"P3": "s"},
            {
                MoveKind.HATCH: ("R4.3", "There is no egg in your ocean."),
                MoveKind.MOVE_YOUNG: ("R4.4", "There is no young in your ocean besides those in schools."),
            },
            id="no egg, no young",
        ),
        pytest.param(
            "88@B1",
            {},
            {
                MoveKind.HATCH: ("R4.3", "There is no egg in your ocean."),
                MoveKind.MOVE_YOUNG: ("R4.4", "There is no young in your ocean."),
                MoveKind.MOVE_SCHOOL: ("R4.4", "There is no school in your ocean."),
            },
            id="no token",
        ),
        pytest.param(
            "88@B1",
            EVERYWHERE,
            {
                MoveKind.HATCH: ("R4.3", "There is no egg in your ocean."),
                MoveKind.MOVE_YOUNG: ("R4.4", "There is no young in your ocean besides those in schools."),
                MoveKind.MOVE_SCHOOL: ("R4.4", "No school of yours can move: every slot holds one."),
            },
            id="schools everywhere",
        ),
        pytest.param(
            "7@B1",
            {},
            {MoveKind.RECOVER: ("R7.2", "Your discard pile is empty, so a card is drawn instead.")},
            id="no discard pile",
        ),
        pytest.param(
            "207@G4",
            {},
            {
                MoveKind.SCATTER: (
                    "R7.5",
                    "There is no school in your ocean, so a single young is put instead.",
                )
            },
            id="no school",
        ),
        pytest.param(
            "142@G1",
            {"B1": "s"},
            {
                MoveKind.PLACE_YOUNG: (
                    "R7.5",
                    "You have a school, so one is scattered and no single young is put.",
                ),
                MoveKind.GAIN_CORAL: ("R7.6", "The green reef is full."),
            },
            id="a full reef",
        ),
        pytest.param(
            "179@P4",
            {},
            {MoveKind.CONSUME: ("R7.4", "Your hand is empty.")},
            id="an empty hand",
        ),
    ],
)
def test_no_move_of_a_kind(card: str, ocean: Ocean, expected: dict[int | MoveKind, tuple[str, str]]) -> None:
    id_ = int(card.partition("@")[0])
    state = situation(oceans=[ocean, {}], hands=[(id_,)], reefs=[(0, 0, 6)])
    assert missing(just_played(state, card).state) == expected


@rule("R7.2", "R7.1")
def test_with_no_card_anywhere_nothing_is_drawn_instead() -> None:
    """Black Hagfish puts a young and recovers a card."""
    state = situation(hands=[(21,)], deck=(), spare="hand")
    no_card = "There is no card to draw: the deck and all discard piles are empty."
    assert missing(just_played(state, "21@B1").state) == {
        MoveKind.DRAW: ("R7.1", no_card),
        MoveKind.RECOVER: ("R7.2", "Your discard pile is empty."),
    }


@rule("R7.4")
def test_with_no_shorter_card_nothing_is_consumed() -> None:
    """Great Hammerhead lets any fish card eat; the whale shark is longer than each of them."""
    state = just_played(situation(oceans=[{"B1": "s"}, {}], hands=[(162, 119)], reefs=()), "162@G4").state
    text = "Your hand has no card that is shorter than a fish that may eat."
    assert missing(state)[MoveKind.CONSUME] == ("R7.4", text)


@rule("R5.2", "R5.4")
@pytest.mark.parametrize(
    ("card", "ocean", "expected"),
    [
        pytest.param(
            4,
            {"G2": "7 <301", "B1": "12"},
            (
                "R5.2",
                "Angelshark must consume a shorter fish, and none of the slots where it may go holds one.",
            ),
            id="nothing to consume anywhere",
        ),
        pytest.param(
            34,
            {"B1": "75", "B2": "97", "B3": "135"},
            ("R5.4", "Every slot where Creolefish may go holds a fish at least as long."),
            id="longer fish everywhere",
        ),
    ],
)
def test_a_card_is_missing_for_all_the_slots_where_it_may_go(
    card: int, ocean: Ocean, expected: tuple[str, str]
) -> None:
    state = situation(oceans=[{**START_OCEAN, **ocean}, {}], hands=[(card, 1, 3)])
    assert missing(state)[card] == expected


@rule("R5.4")
def test_a_card_is_missing_for_the_only_slot_where_it_may_go() -> None:
    """Kaluga plays a fish in the top row, and Creolefish belongs to blue."""
    state = situation(oceans=[{"B1": "75", "B5": "303 e"}, {}], hands=[(67, 34, 46, 25)])
    text = "Creolefish (30 cm) is not longer than Mahi-Mahi (210 cm)."
    assert missing(just_played(state, "67@P1").state)[34] == ("R5.4", text)


LONGNOSE, OWN_REEF = "Longnose Hawkfish", "in the slot's own reef"


@rule("R5.7", "R5.8", "R11.4", "R11.5")
@pytest.mark.parametrize(
    ("played", "card", "expected"),
    [
        ("95@B1", 3, ("R5.7", "This play is for the Sunlight zone, where Abyssal Spiderfish may not go.")),
        ("182@B1", 34, ("R11.5", "Creolefish has no slot in a site with at least 3 coral.")),
        (
            "95@B1",
            171,
            ("R11.4", f"{LONGNOSE} needs at least 2 green coral {OWN_REEF}, and has no such slot."),
        ),
        ("192@P4", 3, ("R5.8", "Abyssal Spiderfish is small, and this play asks for a medium fish.")),
    ],
)
def test_a_card_is_missing_because_of_what_a_play_asks_for(
    played: str, card: int, expected: tuple[str, str]
) -> None:
    id_ = int(played.partition("@")[0])
    state = situation(hands=[(id_, 3, 12, 25, 34, 50, 171)], reefs=[(2, 3, 1)])
    assert missing(just_played(state, played).state)[card] == expected


@rule("R7.6")
@pytest.mark.parametrize(("play_", "reef"), [("151@B1", "blue"), ("145@P1", "purple"), ("142@G1", "green")])
def test_the_reef_that_is_full_is_named(play_: str, reef: str) -> None:
    """Sharks that give a coral of their colour and scatter 1."""
    card = int(play_.split("@", maxsplit=1)[0])
    after = just_played(situation(hands=[(card,)], reefs=[(6, 6, 6)]), play_).state
    said = dict(why_nothing(after, legal_moves(after)))
    assert said[MoveKind.GAIN_CORAL] == ("R7.6", f"The {reef} reef is full.")


@rule("R3.1", "R5.1", "R7.5", "R9.1")
def test_only_turns_and_benefits_could_have_offered_more() -> None:
    paying = play(situation(hands=[(9, 1, 2, 3)]), "play:9@P1").state
    putting = play(
        just_played(situation(oceans=[{"B1": "s"}, {}], hands=[(207, 1)], reefs=()), "207@G4").state,
        "scatter:B1",
    ).state
    ending = situation(
        oceans=[{"G1": "174"}, {}], hands=[(1,)], reefs=[(5, 6, 1)], week=4, turn=6, frame=Frame.GAME_END
    )
    for state in (paying, putting, ending):
        assert why_nothing(state, legal_moves(state)) == []
