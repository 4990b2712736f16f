"""What is said of a kind of move that is not offered is the reason why not."""

from service.engine.moves import MoveKind
from service.engine.reasons import why_nothing
from service.engine.rules import legal_moves
from tests.marks import rule
from tests.table import play, situation


@rule("R7.2")
def test_with_only_a_recover_left_a_card_is_not_drawn_because_it_is_recovered() -> None:
    hand = [132, 48, 104]  # 132: draw 3, recover 1, for 2 cards
    after = play(situation(hands=[hand]), "play:132@P5", "draw", "draw", "draw").state
    reasons = dict(why_nothing(after, legal_moves(after)))
    assert reasons[MoveKind.DRAW].rule == "R7.2"
