"""The trees of moves have as many branches as were counted."""

import pytest

from service.engine.digest import full_digest
from tests.tree_counts.positions import LINES, SITUATIONS, Counted, read, ways

COUNTED = read()
FEW = 10_000
"""A depth with at most so many sequences is counted in the quick run."""

each_position = pytest.mark.parametrize("counted", COUNTED.values(), ids=list(COUNTED))


def _assert_counts(counted: Counted, least: int, most: int) -> None:
    position = counted.position()
    for depth, count in enumerate(counted.counts, 1):
        if least < count <= most:
            assert ways(position, depth) == count, f"at depth {depth}"


def test_every_position_is_counted() -> None:
    assert list(COUNTED) == [*LINES, *SITUATIONS]


@each_position
def test_the_position_is_the_one_that_was_counted(counted: Counted) -> None:
    assert full_digest(counted.position()) == counted.digest


@each_position
def test_near_counts(counted: Counted) -> None:
    _assert_counts(counted, 0, FEW)


@pytest.mark.long
@each_position
def test_far_counts(counted: Counted) -> None:
    _assert_counts(counted, FEW, max(counted.counts))
