"""Measures the engine, and python-chess in the same run: ``python -m tests.bench [seconds]``.

It prints Markdown. Figures of different machines or runs are not comparable; the ratios are.
"""

import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from tests.bench import calls, finspan_games, hosted
from tests.bench.finspan_games import WITH_REEFS
from tests.bench.measures import REEFS, Rate, Times, rates, with_reefs

DEFAULT_SECONDS: Final = 9.0
CHESS: Final = "python-chess"
AT_LEAST: Final = {
    "legal moves": "60 / 200",
    "copy a state": "10",
    "engine to message bytes": "80",
    "message bytes to engine": "80",
}
"""What is aimed at, in microseconds."""


def _chess_games() -> Any:  # noqa: ANN401  a module that is there or not
    return import_module("tests.bench.chess_games") if find_spec("chess") else None


def _plays(chess: Any) -> dict[str, Callable[[int], int]]:  # noqa: ANN401  a module that is there or not
    plays: dict[str, Callable[..., int]] = {
        "playout, in place": finspan_games.play_in_place,
        "apply, a copy for each move": finspan_games.play_with_copies,
    }
    reefs = {name: partial(play, options=WITH_REEFS) for name, play in plays.items()}
    return plays | ({CHESS: chess.play} if chess else {}) | with_reefs(reefs)


def _rate_lines(measured: dict[str, Rate]) -> Iterator[str]:
    chess = measured.get(CHESS)
    yield "| random games, two players | games/s | decisions/s | games per game of python-chess |"
    yield "|---|---:|---:|---:|"
    for name, each in measured.items():
        ratio = f"{each.games / chess.games:.1f}" if chess else "not installed"
        yield f"| {name} | {each.games:,.0f} | {each.decisions:,.0f} | {ratio} |"


def _time_lines(ours: dict[str, Times], chess: dict[str, Times]) -> Iterator[str]:
    yield "| one call in mid-game, us | p50 | p99 | aim | python-chess p50 | p99 |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, each in ours.items():
        theirs = f"{chess[name].p50:.1f} | {chess[name].p99:.1f}" if name in chess else " | "
        aim = AT_LEAST.get(name.removesuffix(REEFS), "")
        yield f"| {name} | {each.p50:.1f} | {each.p99:.1f} | {aim} | {theirs} |"


def _cost_lines(of: str, cost: dict[int, Times]) -> Iterator[str]:
    yield f"| {of} | one move applied and the next ones listed, us p50 | p99 | against the first |"
    yield "|---|---:|---:|---:|"
    first = next(iter(cost.values())).p50
    for number, each in cost.items():
        yield f"| {number} | {each.p50:.1f} | {each.p99:.1f} | {each.p50 / first:.2f} |"


def _call_lines(called: dict[str, tuple[calls.Called, calls.Called]]) -> Iterator[str]:
    yield (
        "| calls of one server process, logs on | one caller, us p50 / p99 | "
        f"{calls.MANY} callers, calls/s | us p50 / p99 | calls per echo |"
    )
    yield "|---|---:|---:|---:|---:|"
    echo = called["echo"][1].rate
    for name, (one, many) in called.items():
        yield (
            f"| {name} | {one.times.p50:,.0f} / {one.times.p99:,.0f} | {many.rate:,.0f} | "
            f"{many.times.p50:,.0f} / {many.times.p99:,.0f} | {many.rate / echo:.2f} |"
        )


def _hosted_lines(met: hosted.Hosted, echo: calls.Called) -> Iterator[str]:
    yield "| hosted games, one server process, one Redis | calls/s | us p50 / p99 | calls per echo |"
    yield "|---|---:|---:|---:|"
    rows = {
        "ApplyMove, one caller": met.one,
        f"ApplyMove, {calls.MANY} callers": met.many,
        f"ApplyMove, {calls.MANY} callers at {hosted.CALM_RATE} moves/s in all": met.calm,
        f"load and commit alone, {calls.MANY} callers": met.bare,
    }
    for name, each in rows.items():
        times, ratio = each.times, each.rate / echo.rate
        yield f"| {name} | {each.rate:,.0f} | {times.p50:,.0f} / {times.p99:,.0f} | {ratio:.2f} |"


def _report(seconds: float) -> Iterator[str]:
    chess = _chess_games()
    yield f"Python {platform.python_version()}, {platform.machine()}, one core"
    yield ""
    yield from _rate_lines(rates(_plays(chess), seconds))
    yield ""
    ours = finspan_games.call_times() | finspan_games.conversion_times()
    reefs = finspan_games.call_times(WITH_REEFS) | finspan_games.conversion_times(WITH_REEFS)
    ours |= with_reefs(reefs)
    yield from _time_lines(ours, chess.call_times() if chess else {})
    yield ""
    yield from _cost_lines("seats, in mid-game", finspan_games.by_seats())
    yield ""
    yield from _cost_lines("week, two players", finspan_games.by_week())
    yield ""
    called = calls.measure(seconds / 9)
    yield from _call_lines(called)
    yield ""
    yield from _hosted_lines(hosted.measure(seconds / 2), called["echo"][1])
    yield ""
    yield "| largest sealed state in mid-game | bytes |"
    yield "|---|---:|"
    sizes = finspan_games.sizes() | with_reefs(finspan_games.sizes(WITH_REEFS))
    yield from (f"| {name} | {size:,} |" for name, size in sizes.items())
    if chess is None:
        yield ""
        yield f"{CHESS} is not installed; `make bench` brings it."


def main(arguments: list[str]) -> None:
    """Print the tables, each line as soon as it is known."""
    for line in _report(float(arguments[0]) if arguments else DEFAULT_SECONDS):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
