"""What the engine refuses, as exceptions.

FinspanError
├── IllegalMove      a move that the rules do not allow now
├── ImpossibleState  a state that contradicts itself or the rules
└── BadOptions       a game that cannot be set up
"""

from collections.abc import Iterator
from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a move cannot be made: the rule that forbids it and a sentence."""

    rule: str
    text: str


class Fault(NamedTuple):
    """One thing that is wrong: the field as a path, the rule that it breaks and a sentence."""

    field: str
    rule: str
    text: str


Faults = Iterator[Fault]
"""What is found wrong, one after the other."""


def within_faults(value: int, low: int, high: int, field: str, rule: str) -> Faults:
    """Yield a fault unless a value is within its bounds, both included."""
    if not low <= value <= high:
        bounds = f"{low} to {high}" if low < high else f"{low}"
        yield Fault(field, rule, f"It is {value} and must be {bounds}.")


class FinspanError(Exception):
    """What all errors of the engine have in common."""


class IllegalMove(FinspanError):
    """A move that the rules do not allow now; ``index`` is its place among the moves given."""

    def __init__(self, move_id: str, refusal: Refusal, index: int = 0) -> None:
        super().__init__(f"{move_id}: {refusal.text} ({refusal.rule})")
        self.move_id = move_id
        self.refusal = refusal
        self.index = index


class ImpossibleState(FinspanError):
    """A state that contradicts itself or the rules; ``faults`` has all that is wrong."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.text} ({fault.rule})" for fault in faults))
        self.faults = faults


class BadOptions(FinspanError):
    """Options that no game can be set up with; ``faults`` has all that is wrong."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.text} ({fault.rule})" for fault in faults))
        self.faults = faults
