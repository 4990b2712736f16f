"""Positions laid out by hand, each asked about and played on; together they show every kind of everything."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.moves import parse_move
from service.engine.state import Frame, GameState
from tests.table import START_OCEAN, situation
from tests.vectors.conformance.calls import Call
from tests.wire import state_message

Cases: TypeAlias = Mapping[str, Sequence[Call]]
"""The calls of each case by its name."""

SCORE: Final = Call("Score", pb.ScoreRequest())


def moves(ids: str) -> list[pb.Move]:
    """Return the moves of these ids, which stand between blanks."""
    return [move_message(parse_move(id_)) for id_ in ids.split()]


def applied(ids: str) -> Call:
    """Return the call that makes these moves in a row."""
    return Call("ApplyMove", pb.ApplyMoveRequest(moves=moves(ids), with_legal_moves=True))


def asked(refused: str, state: GameState | None = None) -> Call:
    """Return the call that asks what is legal, and why all the rest and these moves are not."""
    request = pb.LegalMovesRequest(why_not=True, why_not_moves=moves(refused))
    if state is not None:
        request.state.CopyFrom(state_message(state))
    return Call("LegalMoves", request)


def line(state: GameState, *steps: str) -> Sequence[Call]:
    """Return the calls of a case: about a state, each step from the state where the one before led.

    A step is the moves of one call, or ``?`` and moves that are refused. The first is such a question; the
    score sheet comes last.
    """
    opening, *others = steps
    following = [asked(step[1:]) if step.startswith("?") else applied(step) for step in others]
    return asked(opening.removeprefix("?"), state), *following, SCORE


TURNS: Final[Cases] = {
    "R3.1: a fish is played, its cost settles itself, and the next player's turn begins": line(
        situation(hands=[(42, 55, 131), (37,)]),
        "? play:42@P4 play:55@P1 play:37@B1 pass draw",
        "play:42@P1",
        "? hatch:B5 dive:blue",
        "egg_each",
        "play:37@G1",
        "? pay_egg:P4 pay_young:P3 pass",
    ),
    "R5.3, R5.4: where a fish may lie, and what it covers": line(
        situation(
            oceans=[{"P1": "61 e y", "P3": "2y", "B1": "2y"}, {"B1": "34 e", "B2": "120"}],
            hands=[(5, 9, 44, 57, 89), (90,)],
        ),
        "? play:5@P3 play:9@B2 play:44@B5 play:57@B1 play:89@P1 play:90@B3",
        "play:57@P1",
        "pay_young:B1",
        "pay_young:P3",
    ),
    "R5.7: plays that follow from plays": line(
        situation(hands=[(2, 44, 59, 95, 131), ()]),
        "? play:95@P4 play:44@G5",
        "play:95@P1",
        "pay_card:44",
        "? play:2@P5",
        "play:131@G1",
        "pay_card:59",
        "draw",
        "pass",
    ),
}

COSTS: Final[Cases] = {
    "R5.1: cards, one by one": line(
        situation(oceans=[{"B5": "303 e", "G2": "301"}, START_OCEAN], hands=[(2, 3, 47, 68, 131), (33,)]),
        "? play:68@B1 pay_card:2",
        "play:47@G5",
        "? pay_card:47 pay_card:33",
        "pay_card:3",
        "pay_card:131",
        "pay_card:2",
        "egg:P4",
        "hatch:P4",
        "egg:G5",
    ),
    "R5.1: eggs, then a young": line(
        situation(
            oceans=[{"B5": "303 e", "G2": "301 e", "P4": "302 e", "P3": "2y", "B1": "y"}, START_OCEAN],
            hands=[(7, 10)],
            discards=[(12, 13, 14)],
        ),
        "?",
        "play:7@B2",
        "pay_egg:P4 pay_egg:G2",
        "? pay_egg:B5 pay_young:B2",
        "pay_young:P3",
        "recover:13 draw",
        "recover:14",
        "draw",
    ),
    "R5.1: a school": line(
        situation(oceans=[{"G1": "94 s", "P3": "2y", "P6": "s"}, {"G2": "301"}], hands=[(119,)]),
        "?",
        "play:119@B2",
        "? pay_school:P3",
        "pay_school:P6",
        "egg_each",
        "pass",
    ),
    "R5.1: a whole play in one call; payments that have settled themselves are passed over": line(
        situation(hands=[(3, 47, 68, 131), ()]),
        "?",
        "play:47@G5 pay_card:131 pay_card:3 pay_card:68 egg:P4 hatch:B5 egg:G5 dive:green",
    ),
}

DIVES: Final[Cases] = {
    "R6: a dive in the blue site": line(
        situation(
            oceans=[{"B1": "98", "B2": "135", "B4": "82", "B5": "303 e", "P3": "y"}, START_OCEAN],
            discards=[(12, 13)],
        ),
        "?",
        "dive:blue",
        "draw",
        "recover:12",
        "recover:13",
        "? recover:12",
        "pass",
        "move_young:P3>B3",
        "pass",
        "draw",
        "draw",
    ),
    "R6, R7.8: a dive in the purple site, and an ability in which all players take part": line(
        situation(
            oceans=[
                {"P1": "78", "P2": "25", "P4": "302", "P5": "108", "G2": "301 e"},
                START_OCEAN,
                START_OCEAN,
            ],
        ),
        "? egg:P1",
        "dive:purple",
        "egg:P4",
        "egg:P1",
        "hatch:G2",
        "hatch:B5",
        "pass",
        "pass",
        "egg:G2",
        "egg:P5",
        "egg:B5",
        "pass",
    ),
    "R6.3: a dive in the green site, whose deep bonus is used up": line(
        situation(
            oceans=[{"G1": "94", "G2": "301 e", "B5": "303 e"}, START_OCEAN],
            turn=3,
            deep_used=[("green", "blue")],
        ),
        "?",
        "dive:green",
        "hatch:B5",
        "hatch:G2",
    ),
}

BENEFITS: Final[Cases] = {
    "R3.2: benefits of one ability in any order, and what is left of it declined": line(
        situation(
            oceans=[{"P1": "61 e", "P4": "302 e", "P3": "y", "G2": "301 e", "B5": "303 e"}, START_OCEAN],
            hands=[(88,)],
        ),
        "?",
        "play:88@B1",
        "pay_egg:B5 pay_egg:G2",
        "pay_egg:P4",
        "move_young:P3>P4",
        "? move_young:P4>P3",
        "hatch:P1",
        "pass",
    ),
    "R4.2, R4.4: three young become a school, also those that a school leaves behind": line(
        situation(
            oceans=[{"B5": "303 e", "G2": "301 e", "P3": "2y", "B3": "2y", "G4": "s 3y"}, START_OCEAN],
            hands=[(24,)],
        ),
        "?",
        "play:24@B1",
        "? move_school:G4>B3 move_young:B3>G3 move_young:G3>G4",
        "move_school:G4>P4",
        "young:P3",
    ),
    "R7.1, R7.2: an empty deck is renewed, and recovering without a discard pile is drawing": line(
        situation(deck=(7,), spare="discard", hands=[(86,)], discards=[(12,)]),
        "?",
        "play:86@B1",
        "? draw recover:5",
        "recover:12",
        "draw",
        "draw",
    ),
    "R7.1: nothing is left to draw": line(
        situation(
            oceans=[{"P4": "302 e", "G2": "301 e", "B5": "303 e"}, START_OCEAN],
            hands=[(88,)],
            deck=(),
            spare="hand",
        ),
        "?",
        "play:88@P1",
        "? draw",
    ),
    "R7.4: fish that consume": line(
        situation(
            oceans=[{"B1": "34", "B2": "120", "B5": "100 <303"}, START_OCEAN], hands=[(3, 16, 117, 131)]
        ),
        "?",
        "dive:blue",
        "draw",
        "? consume:117@B1 consume:3@B2",
        "consume:131@B1",
        "consume:3@B2",
        "pass",
        "consume:16@B5",
        "pass",
    ),
}

WEEKS: Final[Cases] = {
    "R8.1: the end of a week, side A": line(
        situation(
            oceans=[{"B5": "303 e", "G2": "301 e s", "P4": "302 e", "P3": "y"}, START_OCEAN],
            week=2,
            turn=6,
            seat=1,
            deep_used=[("blue",), ("purple", "blue")],
        ),
        "?",
        "dive:blue",
        "pass",
    ),
    "R8.1: the end of a week, side B": line(
        situation(
            oceans=[{"B1": "95", "P3": "y", "P6": "s", "B6": "s"}, {"P6": "s"}, START_OCEAN],
            week=3,
            turn=6,
            seat=0,
            first_player=1,
            side="b",
        ),
        "?",
        "dive:purple",
        "pass",
        "pass",
    ),
    "R9.1, R9.3: the last turn, and a shared win": line(
        situation(week=4, turn=6, seat=1), "?", "dive:green", "hatch:B5", "pass"
    ),
    "R9.1: game-end abilities": line(
        situation(
            oceans=[
                {"P1": "54", "B1": "11", "G6": "44", "B4": "117", "P3": "2y", "G2": "301 e", "B5": "303 e"},
                {"B3": "41", "P5": "19"},
            ],
            hands=[(2, 3, 16, 131), ()],
            week=4,
            turn=6,
            frame=Frame.GAME_END,
        ),
        "? activate:G2 dive:blue play:2@P6",
        "activate:B4",
        "consume:3@B4 consume:16@B4",
        "activate:P1",
        "play:2@P5",
        "activate:P5",
        "pass",
    ),
    "R9.2, R10: points at the end of the game": line(
        situation(
            oceans=[
                {"P1": "30 2y", "P2": "70 s", "B4": "85 e y s", "B6": "32", "G1": "4 <94,109,131"},
                {"P4": "31 <302", "G1": "8 <14", "B5": "1 e <303", "P5": "105"},
            ],
            week=4,
            turn=6,
            frame=Frame.GAME_OVER,
        ),
        "? dive:blue",
    ),
}
