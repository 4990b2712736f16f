"""Ids of moves, and the collection of legal ones."""

import pytest

from finspan import AnyMove, LegalMoves, NotAMove, move_id, parse_move
from finspan.moves import as_move
from finspan.v1 import finspan_pb2 as v1
from service.convert import move_message
from service.engine.moves import UNIVERSE
from tests.client.messages import DIVES

DIVE = v1.Move(dive=v1.Dive(site=v1.SITE_BLUE))
PASS = v1.LegalMove(move=v1.Move(**{"pass": v1.Pass()}), id="pass")  # type: ignore[arg-type]  # a keyword
MOVES = LegalMoves([*DIVES, PASS])


def test_ids_are_those_of_the_service_for_every_move_there_is() -> None:
    for move in UNIVERSE:
        assert parse_move(move.id) == move_message(move)
        assert move_id(move_message(move)) == move.id


@pytest.mark.parametrize(
    "move", [DIVE, v1.LegalMove(move=DIVE, id="dive:blue"), "dive:blue"], ids=["message", "listed", "id"]
)
def test_a_move_is_the_same_however_it_is_given(move: AnyMove) -> None:
    assert as_move(move) == DIVE
    assert move_id(move) == "dive:blue"


def test_a_listed_move_has_the_id_that_the_service_gave_it() -> None:
    assert move_id(v1.LegalMove(id="a move of a newer contract")) == "a move of a newer contract"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' is no move."),
        ("jump", "'jump' is no move."),
        ("dive:red", "'dive:red' is no move; one of this kind is written like dive:blue."),
        ("play:95", "'play:95' is no move; one of this kind is written like play:95@P3."),
        ("play:095@P3", "'play:095@P3' is no move; one of this kind is written like play:95@P3."),
        ("egg:B7", "'egg:B7' is no move; one of this kind is written like egg:P3."),
        ("draw:", "'draw:' is no move; one of this kind is written like draw."),
        (" draw", "' draw' is no move."),
        ("scatter:", "'scatter:' is no move; one of this kind is written like scatter:P3."),
        ("coral:B2", "'coral:B2' is no move; one of this kind is written like coral:blue."),
        ("buy_coral", "'buy_coral' is no move; one of this kind is written like buy_coral:egg:P3."),
        (
            "buy_coral:card:G2",
            "'buy_coral:card:G2' is no move; one of this kind is written like buy_coral:egg:P3.",
        ),
        (
            "buy_coral:coin:12",
            "'buy_coral:coin:12' is no move; one of this kind is written like buy_coral:egg:P3.",
        ),
        ("dive:blue\n", "'dive:blue\\n' is no move; one of this kind is written like dive:blue."),
    ],
)
def test_a_text_that_names_no_move_is_refused(text: str, said: str) -> None:
    with pytest.raises(NotAMove) as caught:
        parse_move(text)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "move",
    [
        v1.Move(),
        v1.Move(dive=v1.Dive()),
        v1.Move(hatch=v1.Hatch(slot=v1.Slot.ValueType(99))),
        v1.Move(buy_coral=v1.BuyCoral()),
        v1.Move(buy_coral=v1.BuyCoral(egg=v1.SLOT_UNSPECIFIED)),
    ],
    ids=["nothing", "no site", "no such slot", "no payment", "no slot paid from"],
)
def test_a_message_without_a_move_has_no_id(move: v1.Move) -> None:
    with pytest.raises(NotAMove):
        move_id(move)


def test_moves_are_found_by_place_and_by_id() -> None:
    assert MOVES[0] is MOVES["dive:blue"] is DIVES[0]
    assert MOVES[-1] is MOVES["pass"]
    assert list(MOVES[:2]) == list(DIVES[:2])
    assert list(MOVES) == [*DIVES, PASS]
    assert len(MOVES) == 4


def test_a_legal_move_is_in_it_however_it_is_named() -> None:
    assert all(move in MOVES for move in ("pass", PASS, PASS.move, DIVE, "dive:blue"))


def test_nothing_else_is_in_it() -> None:
    others = ("draw", "nonsense", "", v1.Move(draw=v1.Draw()), v1.Move(), v1.LegalMove(id="draw"), 0, None)
    assert not any(move in MOVES for move in others)


def test_asking_for_another_move_fails() -> None:
    with pytest.raises(KeyError, match="draw"):
        MOVES["draw"]
    with pytest.raises(IndexError):
        MOVES[4]


def test_moves_of_a_kind_keep_their_order() -> None:
    assert list(MOVES.of_kind("dive")) == list(DIVES)
    assert [move.id for move in MOVES.of_kind("pass", "dive")] == [move.id for move in MOVES]
    assert not MOVES.of_kind("draw")


def test_it_says_what_is_in_it() -> None:
    assert repr(MOVES) == "LegalMoves(dive:blue, dive:purple, dive:green, pass)"
