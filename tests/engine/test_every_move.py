"""Of all moves that can be said, exactly the legal ones have no reason why not; on every kind of decision.

Random games are asked the same (`tests.invariants`); here it is asked of states laid out by hand.
"""

import pytest

from service.engine.moves import UNIVERSE
from service.engine.reasons import why_not
from service.engine.rules import DecisionKind, decision, legal_moves
from service.engine.state import Frame, GameState, Scattering
from tests.engine import test_decisions
from tests.marks import rule
from tests.table import START_OCEAN, dive_to, just_played, play, situation
from tests.tree_counts import positions

SITUATIONS = {
    **test_decisions.SITUATIONS,
    **positions.SITUATIONS,
    "an egg on each": just_played(situation(hands=[(42,)]), "42@P1").state,
    "schools to move": dive_to(
        situation(oceans=[{"G5": "126", "P1": "s", "B1": "2y"}, START_OCEAN]), "green", "green midnight"
    ),
    "three of a school put": play(test_decisions.SITUATIONS["scattering"], "young:P4", "young:G3").state,
    "game-end abilities used": play(
        positions.SITUATIONS["R9.1: the end of the game"], "activate:B4", "pass", "activate:P1", "pass"
    ).state,
    "the game is over": situation(hands=[(7, 10)], week=4, turn=6, frame=Frame.GAME_OVER),
}


@rule("R3.2", "R5.6")
@pytest.mark.parametrize("state", SITUATIONS.values(), ids=SITUATIONS)
def test_a_move_is_legal_exactly_when_there_is_no_reason_why_not(state: GameState) -> None:
    assert tuple(move for move in UNIVERSE if why_not(state, move) is None) == legal_moves(state)


def test_every_kind_of_decision_is_among_them() -> None:
    questions = [decision(state) for state in SITUATIONS.values()]
    assert {question.kind if question else None for question in questions} == {*DecisionKind, None}
    assert any(isinstance(state.agenda[-1], Scattering) for state in SITUATIONS.values())


def test_every_kind_of_move_is_among_the_legal_ones() -> None:
    legal = {move.kind for state in SITUATIONS.values() for move in legal_moves(state)}
    assert legal == {move.kind for move in UNIVERSE}
