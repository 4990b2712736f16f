"""What an event says beside what happened: the rule that brought it about."""

import pytest

from service.engine.errors import IllegalMove
from service.engine.events import RuleSource
from service.engine.moves import Move, parse_move
from service.engine.rules import DecisionKind, apply, decision, new_game
from service.engine.state import SHARKS_AND_REEFS, GameState, Options
from tests.choosers import chooser
from tests.games import Setup, moments

RULES = {
    ("AchievementsChosen", "R2.3"),
    ("BenefitsDeclined", "R9.1"),
    ("DiverPlaced", "R3.1"),
    ("GameEndBegan", "R9.1"),
    ("GameOver", "R9.3"),
    ("StarterDealt", "R2.1"),
    ("CardDrawn", "R2.1"),
    ("EggLaid", "R2.1"),
    ("YoungPlaced", "R2.1"),
    ("TurnBegan", "R3.1"),
    ("WeekBegan", "R2.2"),
    ("WeekBegan", "R8.1"),
    ("WeekScored", "R8.1"),
}


FINISHER = chooser(["finisher"], "sources")


def choose(state: GameState, moves: tuple[Move, ...]) -> Move:
    """Play fish for the game's end, and then decline what they offer."""
    question = decision(state)
    is_end = question is not None and question.kind is DecisionKind.GAME_END
    return moves[-1] if is_end else FINISHER(state, moves)


def told(options: Options) -> set[tuple[str, str]]:
    return {
        (type(event).__name__, event.source.rule)
        for moment in moments(Setup(2, options, seed="sources"), choose)
        for event in moment.events
        if isinstance(event.source, RuleSource)
    }


@pytest.mark.parametrize("expansions", [(), (SHARKS_AND_REEFS,)])
def test_what_comes_from_a_rule_names_it(expansions: tuple[str, ...]) -> None:
    assert told(Options(expansions)) == RULES


def test_an_illegal_move_says_which_one_and_why() -> None:
    with pytest.raises(IllegalMove, match=r"^draw: .+ \(R3\.1\)$") as caught:
        apply(new_game(2, seed="s").state, parse_move("draw"))
    assert caught.value.index == 0
