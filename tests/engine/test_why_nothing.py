"""What is said of a kind of move, or of a card, that is not offered is the reason why not."""

import pytest

from service.engine.moves import MoveKind
from service.engine.reasons import why_nothing
from service.engine.rules import legal_moves
from tests.marks import rule
from tests.table import Ocean, dive_to, just_played, play, situation


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
