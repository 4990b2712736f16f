"""The generator gives what its published vectors say, and what its description says when written again."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from service.engine.rng import Generator

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "generator.json").read_text(encoding="utf-8")
)


class Slow:
    """The generator written again from its description, a number at a time."""

    def __init__(self, seed: str, counter: int) -> None:
        self.seed, self.counter = seed, counter

    def block(self) -> bytes:
        block = sha256(self.seed.encode("utf-8") + self.counter.to_bytes(8, "big")).digest()
        self.counter += 1
        return block

    def numbers(self) -> Iterator[int]:
        while True:
            block = self.block()
            for start in range(0, 32, 4):
                yield int.from_bytes(block[start : start + 4], "big")

    @staticmethod
    def fitting(numbers: Iterator[int], bound: int) -> int:
        largest_multiple = 2**32 // bound * bound
        number = next(numbers)
        while number >= largest_multiple:
            number = next(numbers)
        return number % bound

    def below(self, bound: int) -> int:
        return self.fitting(self.numbers(), bound)

    def shuffled(self, items: list[int]) -> list[int]:
        order, numbers = list(items), self.numbers()
        for place in reversed(range(1, len(order))):
            other = self.fitting(numbers, place + 1)
            order[place], order[other] = order[other], order[place]
        return order


def vectors(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", VECTORS[name], ids=range(len(VECTORS[name])))


@vectors("blocks")
def test_blocks(vector: dict[str, Any]) -> None:
    assert Slow(vector["seed"], vector["counter"]).block().hex() == vector["block"]
    number = Generator(vector["seed"], vector["counter"]).below(2**32)
    assert number == int(vector["block"][:8], 16)


@pytest.mark.parametrize("implementation", [Generator, Slow])
@vectors("below")
def test_numbers_below(vector: dict[str, Any], implementation: type[Generator] | type[Slow]) -> None:
    generator = implementation(vector["seed"], vector["counter"])
    assert generator.below(vector["bound"]) == vector["number"]
    assert generator.counter == vector["counter_after"]


@pytest.mark.parametrize("implementation", [Generator, Slow])
@vectors("shuffles")
def test_shuffles(vector: dict[str, Any], implementation: type[Generator] | type[Slow]) -> None:
    generator = implementation(vector["seed"], vector["counter"])
    assert generator.shuffled(vector["items"]) == vector["shuffled"]
    assert generator.counter == vector["counter_after"]


def test_some_vector_passes_numbers_over() -> None:
    """Rejection is what a careless copy leaves out."""
    by_chance = [int(vector["block"][:8], 16) for vector in VECTORS["blocks"]]
    assert any(number >= 2**31 + 1 for number in by_chance)
    assert any(vector["counter_after"] - vector["counter"] > 1 for vector in VECTORS["shuffles"])


def test_a_draw_begins_at_a_fresh_block() -> None:
    """So the counter alone says where the generator stands."""
    generator = Generator("a game")
    first = generator.shuffled(range(10))
    again = Generator("a game", generator.counter)
    assert generator.shuffled(range(10)) == again.shuffled(range(10)) != first


def test_a_shuffle_leaves_what_it_is_given() -> None:
    items = [3, 1, 2]
    assert sorted(Generator("a game").shuffled(items)) == [1, 2, 3]
    assert items == [3, 1, 2]


def test_numbers_below_are_spread_evenly() -> None:
    """A chi-squared test at one in a million: 5 degrees of freedom, 6000 draws."""
    generator = Generator("dice")
    counts = [0] * 6
    for _ in range(6000):
        counts[generator.below(6)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 36.7


def test_orders_are_spread_evenly() -> None:
    generator = Generator("orders")
    orders = [tuple(generator.shuffled((1, 2, 3))) for _ in range(6000)]
    assert sum((orders.count(order) - 1000) ** 2 / 1000 for order in set(orders)) < 36.7
    assert len(set(orders)) == 6
