"""Bots at the table: one game, move by move."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from finspan.bots import Bot, Position
from finspan.catalog import Catalog
from finspan.client import Service
from finspan.v1 import finspan_pb2 as v1


class Played(NamedTuple):
    """One move of a game: where it was made, which it was, and what came of it."""

    position: Position
    move: v1.LegalMove
    reply: v1.ApplyMoveResponse


def play(
    service: Service, bots: Sequence[Bot], opening: v1.NewGameResponse, catalog: Catalog
) -> Iterator[Played]:
    """Play a game to its end and yield each move as soon as it is carried out.

    Args:
        service: What carries out the moves.
        bots: Who plays, by seat.
        opening: The new game, with its legal moves.
        catalog: What the bots may look up.

    """
    before: v1.NewGameResponse | v1.ApplyMoveResponse = opening
    while before.legal_moves:
        position = Position(before.state, before.decision, tuple(before.legal_moves), catalog)
        move = bots[position.seat].choose(position)
        before = service.apply_move(position.state, move)
        yield Played(position, move, before)
