"""The tools: how often something can be done in a second, and how long one call takes."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median, quantiles
from time import perf_counter, perf_counter_ns
from typing import Final, NamedTuple, TypeVar

Measured = TypeVar("Measured")

REEFS: Final = ", Sharks & Reefs"
"""What the names of rows end with that are about games with reefs."""


class Rate(NamedTuple):
    """Whole games and single decisions in a second."""

    games: float
    decisions: float


class Times(NamedTuple):
    """How long a call took, in microseconds."""

    p50: float
    p99: float


def with_reefs(measured: dict[str, Measured]) -> dict[str, Measured]:
    """Return what was measured of games with reefs, under names that say so."""
    return {name + REEFS: each for name, each in measured.items()}


def rate(play: Callable[[int], int], seconds: float) -> Rate:
    """Play games by number for so long; ``play`` returns how many decisions its game had."""
    games, decisions, begin = 0, 0, perf_counter()
    while (passed := perf_counter() - begin) < seconds:
        decisions += play(games)
        games += 1
    return Rate(games / passed, decisions / passed)


def rates(plays: dict[str, Callable[[int], int]], seconds: float, rounds: int = 3) -> dict[str, Rate]:
    """Play several kinds of games, in turns, so that what else the machine does meets all; medians."""
    measured: dict[str, list[Rate]] = {name: [] for name in plays}
    for _ in range(rounds):
        for name, play in plays.items():
            measured[name].append(rate(play, seconds / rounds))
    return {name: Rate(*map(median, zip(*each, strict=True))) for name, each in measured.items()}


def times_of(taken: Sequence[float]) -> Times:
    """Return the median and the 99th percentile."""
    return Times(median(taken), quantiles(taken, n=100)[-1])


def times(calls: Iterable[Callable[[], object]]) -> Times:
    """Make each call once and return how long they took."""
    taken = []
    for call in calls:
        begin = perf_counter_ns()
        call()
        taken.append((perf_counter_ns() - begin) / 1000)
    return times_of(taken)
