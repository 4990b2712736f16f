"""Bots: what one is, and one that plays anything."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from finspan.catalog import Catalog
from finspan.v1 import finspan_pb2 as v1


@dataclass(frozen=True, slots=True)
class Position:
    """One open decision and all that may be known about it."""

    state: v1.GameState
    decision: v1.Decision
    legal_moves: tuple[v1.LegalMove, ...]
    """Exactly the moves that are legal, each with its id and its sentence; never empty."""
    catalog: Catalog

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.decision.seat

    @property
    def player(self) -> v1.PlayerState:
        """The side of the table of the one who decides."""
        return self.state.players[self.seat]


class Bot(Protocol):
    """Whatever can choose a move."""

    def choose(self, position: Position) -> v1.LegalMove:
        """Return one of the position's legal moves."""


class RandomBot:
    """Plays any legal move, all alike.

    Args:
        seed: The same seed makes the same choices.

    """

    def __init__(self, seed: int | str = 0) -> None:
        self._random = Random(seed)  # noqa: S311  a bot's whim, no secret

    def choose(self, position: Position) -> v1.LegalMove:
        """Return any of the legal moves."""
        return self._random.choice(position.legal_moves)
