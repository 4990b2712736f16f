"""The generator: SHA-256 in counter mode over a seed; its whole state is the seed and a counter.

Every `shuffled` and `below` begins at a fresh block, so the counter alone says where the generator stands.
docs/determinism.md describes blocks, draws by rejection and shuffles so that others can be written.
"""

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

MAX_SEED_LENGTH: Final = 64
_NUMBERS: Final = struct.Struct(">8I")
_RANGE: Final = 1 << 32


class Generator:
    """Random numbers from a seed and a counter; ``counter`` is where the next draw begins."""

    __slots__ = ("_prefix", "counter")

    def __init__(self, seed: str, counter: int = 0) -> None:
        self._prefix = seed.encode()
        self.counter = counter

    def _numbers(self) -> Iterator[int]:
        while True:
            block = sha256(self._prefix + self.counter.to_bytes(8, "big")).digest()
            self.counter += 1
            yield from _NUMBERS.unpack(block)

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound`` - 1, all equally likely."""
        return _below(self._numbers(), bound)

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """Return the items in a random order, all orders equally likely."""
        order = list(items)
        numbers = self._numbers()
        for last in range(len(order) - 1, 0, -1):
            other = _below(numbers, last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def _below(numbers: Iterator[int], bound: int) -> int:
    limit = _RANGE - _RANGE % bound
    while (number := next(numbers)) >= limit:
        pass
    return number % bound
