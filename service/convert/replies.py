"""What replies say about a state: its decision, its legal moves, why not, its score."""

from functools import lru_cache
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.moves import move_message
from service.convert.reading import Fields
from service.convert.sources import source_fields
from service.engine.decision_texts import decision_text, move_text
from service.engine.errors import Refusal
from service.engine.moves import Move, MoveKind
from service.engine.rules import decision, legal_moves
from service.engine.scoring import Score, ranks, score_sheet
from service.engine.state import GameState


def decision_fields(state: GameState) -> Fields | None:
    """Return the fields of the open decision, None when the game is over."""
    question = decision(state)
    if question is None:
        return None
    return {
        "seat": question.seat,
        "kind": question.kind,
        "source": source_fields(question.source),
        "text": decision_text(state),
    }


@lru_cache(maxsize=10_000)
def _legal_move(move: Move, text: str) -> pb.LegalMove:
    return pb.LegalMove(move=move_message(move), id=move.id, text=text)


def legal_move_messages(state: GameState) -> list[pb.LegalMove]:
    """Return the messages of the legal moves, in their fixed order; they are shared and not to be changed."""
    return [_legal_move(move, move_text(move, state)) for move in legal_moves(state)]


def why_not_fields(subject: int | MoveKind | Move, refusal: Refusal) -> Fields:
    """Return the fields of the reason why something cannot be done: a card, a kind of move, or a move."""
    said = {"rule": refusal.rule, "text": refusal.text}
    if isinstance(subject, Move):
        return {"move": move_message(subject), **said}
    return {"kind" if isinstance(subject, MoveKind) else "card": subject, **said}


_CATEGORIES: Final = Score._fields


def score_fields(state: GameState) -> list[Fields]:
    """Return the fields of every player's score, by seat."""
    sheet = score_sheet(state)
    return [
        {"seat": seat, "total": score.total, "rank": rank, **score._asdict()}
        for seat, (score, rank) in enumerate(zip(sheet, ranks(sheet), strict=True))
    ]
