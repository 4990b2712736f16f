"""How a game is cut into decisions: one at a time, complete, in a fixed order."""

import pytest

from service.engine.digest import full_digest
from service.engine.errors import IllegalMove
from service.engine.events import BonusSource, FishSource, RuleSource
from service.engine.moves import UNIVERSE, MoveKind, parse_move
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.rules import Decision, DecisionKind, apply, apply_all, decision, legal_moves
from service.engine.state import Frame, GameState
from tests.marks import rule
from tests.table import START_OCEAN, just_played, play, refused, situation

HAND = (7, 10, 24, 44, 46, 88, 95)
START = situation(hands=[HAND], discards=[(1, 94)])
REEFS = situation(
    oceans=[{**START_OCEAN, "B1": "57", "P1": "2y s"}, START_OCEAN],
    hands=[(7, 46, 90, 142, 162, 170)],
    reefs=[(3, 5, 2)],
)
ALSO = situation(
    oceans=[{"B1": "57", "B4": "213"}, {}], hands=[(46, 90)], discards=[(12,)], reefs=[(3, 0, 0)]
)
SITUATIONS = {
    "turn": START,
    "cards to pay": play(START, "play:44@P6").state,
    "eggs to pay": play(START, "play:10@B1", "pay_card:7").state,
    "young to pay": play(
        situation(oceans=[{"B1": "y", "G6": "2y"}, START_OCEAN], hands=[(17,)]), "play:17@P1"
    ).state,
    "schools to pay": play(
        situation(oceans=[{"P1": "s", "B6": "s"}, START_OCEAN], hands=[(119,)]), "play:119@G6"
    ).state,
    "draw and recover": just_played(START, "7@B1").state,
    "four verbs": just_played(START, "88@B1").state,
    "young and move": just_played(START, "24@B1").state,
    "play": just_played(START, "95@B1").state,
    "consume": play(situation(oceans=[{"B1": "99"}, {}], hands=[HAND]), "dive:blue", "pass").state,
    "all players": play(situation(oceans=[{"G1": "130"}, {}]), "dive:green").state,
    "game end": situation(
        oceans=[{"P1": "62", "B1": "115", "G2": "301"}, {}],
        hands=[HAND],
        week=4,
        turn=6,
        frame=Frame.GAME_END,
    ),
    "purchase by egg": play(REEFS, "dive:blue", "pass").state,
    "purchase by young": play(REEFS, "dive:purple", "pass").state,
    "purchase by card": play(REEFS, "dive:green", "pass").state,
    "scatter and consume": just_played(REEFS, "162@G4").state,
    "scattering": play(just_played(REEFS, "162@G4").state, "scatter:P1", "young:B1").state,
    "coral and scatter": just_played(REEFS, "142@G1").state,
    "also, if": play(ALSO, "dive:blue", "pass", "pass", "pass").state,
    "free play": just_played(REEFS, "170@G1").state,
}


@rule("R3.2")
@pytest.mark.parametrize("state", SITUATIONS.values(), ids=SITUATIONS)
def test_legal_moves_come_by_kind_then_by_fields_pass_last_and_each_once(state: GameState) -> None:
    moves = legal_moves(state)
    assert moves
    assert list(moves) == sorted(set(moves))
    assert MoveKind.PASS not in [move.kind for move in moves[:-1]]


@rule("R3.2")
@pytest.mark.parametrize("state", SITUATIONS.values(), ids=SITUATIONS)
def test_exactly_the_legal_moves_are_accepted(state: GameState) -> None:
    before = full_digest(state)
    for move in legal_moves(state):
        done, _ = apply(state, move)
        assert done.version == state.version + 1
        assert full_digest(apply(state, move).state) == full_digest(done)
    for move in {*UNIVERSE[::37]} - {*legal_moves(state)}:
        refused(state, move.id)
    assert full_digest(state) == before


@rule("R3.1")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("turn", Decision(0, DecisionKind.TURN, RuleSource("R3.1"))),
        ("cards to pay", Decision(0, DecisionKind.PAY, FishSource(0, SLOTS_BY_NAME["P6"], 44))),
        ("four verbs", Decision(0, DecisionKind.BENEFIT, FishSource(0, SLOTS_BY_NAME["B1"], 88))),
        ("all players", Decision(0, DecisionKind.BENEFIT, FishSource(0, SLOTS_BY_NAME["G1"], 130))),
        ("game end", Decision(0, DecisionKind.GAME_END, RuleSource("R9.1"))),
        ("purchase by egg", Decision(0, DecisionKind.BENEFIT, BonusSource(0, 5))),
        ("scattering", Decision(0, DecisionKind.BENEFIT, FishSource(0, SLOTS_BY_NAME["G4"], 162))),
        (
            "also, if",
            Decision(0, DecisionKind.BENEFIT, FishSource(0, SLOTS_BY_NAME["B4"], 213, is_also=True)),
        ),
    ],
)
def test_who_decides_what_and_why(name: str, expected: Decision) -> None:
    assert decision(SITUATIONS[name]) == expected


@rule("R3.1", "R6.4")
def test_a_bonus_is_the_source_of_its_decision() -> None:
    state = play(START, "dive:green").state
    assert decision(state) == Decision(0, DecisionKind.BENEFIT, BonusSource(2, 0))


@rule("R7.8")
def test_whose_turn_it_is_and_who_decides_may_differ() -> None:
    state = play(SITUATIONS["all players"], "draw").state
    asked = decision(state)
    assert asked is not None
    assert (state.seat, asked.seat) == (0, 1)


@rule("R3.1")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("play:95@P3", MoveKind.PLAY_FISH),
        ("dive:blue", MoveKind.DIVE),
        ("pay_card:12", MoveKind.PAY_CARD),
        ("pay_egg:G2", MoveKind.PAY_EGG),
        ("pay_young:P3", MoveKind.PAY_YOUNG),
        ("pay_school:B1", MoveKind.PAY_SCHOOL),
        ("draw", MoveKind.DRAW),
        ("recover:12", MoveKind.RECOVER),
        ("egg:P4", MoveKind.LAY_EGG),
        ("hatch:G2", MoveKind.HATCH),
        ("young:P1", MoveKind.PLACE_YOUNG),
        ("egg_each", MoveKind.LAY_EGG_EACH),
        ("move_young:B1>P1", MoveKind.MOVE_YOUNG),
        ("move_school:B1>B4", MoveKind.MOVE_SCHOOL),
        ("consume:12@P4", MoveKind.CONSUME),
        ("scatter:B2", MoveKind.SCATTER),
        ("coral:blue", MoveKind.GAIN_CORAL),
        ("buy_coral:egg:G2", MoveKind.BUY_CORAL),
        ("buy_coral:young:P3", MoveKind.BUY_CORAL),
        ("buy_coral:card:12", MoveKind.BUY_CORAL),
        ("activate:B5", MoveKind.ACTIVATE_FISH),
        ("pass", MoveKind.PASS),
    ],
)
def test_moves_have_names(name: str, kind: MoveKind) -> None:
    assert (parse_move(name).kind, parse_move(name).id) == (kind, name)


@rule("R3.1")
def test_every_move_has_a_name_of_its_own() -> None:
    assert tuple(parse_move(move.id) for move in UNIVERSE) == UNIVERSE


COMPOSING = situation(
    oceans=[{"B1": "y", "B5": "303 e", "G2": "301 e", "G6": "2y"}, START_OCEAN],
    hands=[(12, 17, 126)],
)
"""Bigeye Tuna (17) costs 2 young, Barreleye (126) 2 eggs."""


@rule("R5.1")
@pytest.mark.parametrize(
    ("moves", "passed_over"),
    [
        pytest.param("play:126@G5 dive:blue", "", id="all is paid unasked"),
        pytest.param(
            "play:126@G5 pay_egg:G2 pay_egg:B5", "pay_egg:G2 pay_egg:B5", id="and named in any order"
        ),
        pytest.param("play:126@G5 pay_egg:G2 dive:blue", "pay_egg:G2", id="and named in part"),
        pytest.param("play:17@P1 pay_young:B1 dive:blue", "", id="the rest is paid unasked"),
        pytest.param("play:17@P1 pay_young:B1 pay_young:G6", "pay_young:G6", id="and the rest is named"),
        pytest.param("play:17@P1 pay_young:G6 pay_young:B1", "", id="nothing is paid unasked"),
    ],
)
def test_a_composed_play_may_name_what_is_paid_unasked(moves: str, passed_over: str) -> None:
    ids = moves.split()
    done = list(apply_all(COMPOSING, map(parse_move, ids)))
    assert [
        id_ for id_, transition in zip(ids, done, strict=True) if transition is None
    ] == passed_over.split()


@rule("R5.1")
def test_what_is_paid_unasked_may_be_named_after_what_is_asked() -> None:
    """The only other card is paid at once, the egg is chosen, the young is paid at once."""
    state = situation(hands=[(10, 12)])
    moves = ["play:10@B1", "pay_egg:B5", "pay_young:P3", "pay_card:12"]
    done = list(apply_all(state, map(parse_move, moves)))
    assert [transition is None for transition in done] == [False, False, True, True]


@rule("R5.1")
@pytest.mark.parametrize(
    ("moves", "index"),
    [
        pytest.param("play:126@G5 pay_egg:B5 pay_egg:B5", 2, id="a unit twice"),
        pytest.param("play:17@P1 pay_young:B1 pay_young:B1", 2, id="a unit that was asked for, again"),
        pytest.param("play:126@G5 pay_egg:P4", 1, id="a unit that was not paid"),
        pytest.param("play:126@G5 dive:blue pay_egg:B5", 2, id="after a move that is no payment"),
        pytest.param("pay_egg:B5 play:126@G5", 0, id="too early"),
    ],
)
def test_a_composed_play_that_names_too_much_is_refused(moves: str, index: int) -> None:
    before = full_digest(COMPOSING)
    with pytest.raises(IllegalMove) as refusal:
        list(apply_all(COMPOSING, map(parse_move, moves.split())))
    assert refusal.value.index == index
    assert full_digest(COMPOSING) == before
