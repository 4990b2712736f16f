"""Asks as much as fits a time, in several processes: ``python -m tests.fuzz [--seconds 540]``.

Nine tenths of the time go to the handlers in process, the rest to a real server over gRPC. Each case has a
name, and what it asks follows from the name alone: ``--case NAME`` asks it again, and ``--method NAME --bytes
HEX --metadata NAME=VALUE`` just this, of a server that has no game yet. Memory is looked at when a third of
the time is over, and again at the end.
"""

import argparse
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from secrets import token_hex

from tests.fuzz.asking import METHODS, Asked
from tests.fuzz.doors import InProcess
from tests.fuzz.judging import Fuzz
from tests.fuzz.volume import GROWTH, Counts, Done, Work, ask_case, work


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--run", default=token_hex(4), help="what the names of the cases begin with")
    parser.add_argument("--case", help="ask only this case")
    parser.add_argument("--method", choices=sorted(METHODS), help="ask only this RPC, with --bytes")
    parser.add_argument("--bytes", help="the request in hexadecimal digits, - for an empty one")
    parser.add_argument(
        "--metadata", action="append", default=[], type=_pair, help="what is sent with it, as name=value"
    )
    return parser.parse_args(argv)


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _report(done: Sequence[Done]) -> Iterator[str]:
    counts: Counts = sum((one.counts for one in done), Counter())
    answers: Counter[tuple[str, str]] = Counter()
    for (_, method, answer), count in counts.items():
        answers[method, answer] += count
    yield "| RPC | answer | times |\n|---|---|---:|"
    for (method, answer), count in sorted(answers.items()):
        yield f"| {method} | {answer.removeprefix('ERROR_REASON_')} | {count:,} |"
    kinds: Counter[str] = Counter()
    for (kind, _, _), count in counts.items():
        kinds[kind] += count
    yield "\n" + ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    growth = ", ".join(f"{one.growth >> 10:,}" for one in done)
    yield f"{counts.total():,} requests; memory grew by {growth} KiB after the warm-up"
    yield from (f"FAILED: {one.failure}" for one in done if one.failure)


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments(argv)
    if given.method:
        raw = b"" if given.bytes == "-" else bytes.fromhex(given.bytes)
        asked = Asked(given.method, raw, metadata=tuple(given.metadata), server=0)
        print(Fuzz(InProcess()).ask(asked, random.Random(0)))  # noqa: S311
        return 0
    if given.case:
        print(ask_case(Fuzz(InProcess()), given.case))
        return 0
    shifts = [Work(f"{given.run}/{number}", given.seconds) for number in range(given.processes)]
    with ProcessPoolExecutor(given.processes, multiprocessing.get_context("spawn")) as pool:
        done = [*pool.map(work, shifts)]
    print(*_report(done), sep="\n")
    return int(any(one.failure or one.growth > GROWTH for one in done))


if __name__ == "__main__":
    sys.exit(main())
