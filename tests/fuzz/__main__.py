"""Asks as much as fits a time, in several processes: ``python -m tests.fuzz [--seconds 540]``.

Nine tenths of the time go to the handlers in process, the rest to a real server over gRPC. Each case has a
name, and what it asks follows from the name alone: ``--case NAME`` asks it again, and ``--method NAME --bytes
HEX`` just these bytes. Memory is looked at when a third of the time is over, and again at the end.
"""

import argparse
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from time import monotonic
from typing import Final, NamedTuple

from tests.fuzz.asking import METHODS, Asked, asked
from tests.fuzz.corpus import SEAL_KEYS
from tests.fuzz.doors import Door, InProcess, OverGrpc
from tests.fuzz.judging import Fuzz
from tests.load.program import program, resident_bytes

IN_PROCESS: Final = 0.9
"""The part of the time that goes to the handlers in process."""
WARM_UP: Final = 1 / 3
"""The part of that time after which memory must not grow any more ..."""
GROWTH: Final = 32 << 20
"""... beyond so many bytes: tables of what has been asked before fill up slowly."""

Counts = Counter[tuple[str, str, str]]


class Work(NamedTuple):
    """What one process does: the name its cases begin with, and for how many seconds."""

    name: str
    seconds: float


class Done(NamedTuple):
    """What came of it: how often what was answered, the growth of memory, and the first failure."""

    counts: Counts
    growth: int
    failure: str


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--run", default=token_hex(4), help="what the names of the cases begin with")
    parser.add_argument("--case", help="ask only this case")
    parser.add_argument("--method", choices=sorted(METHODS), help="ask only this RPC, with --bytes")
    parser.add_argument("--bytes", help="the request in hexadecimal digits, - for an empty one")
    return parser.parse_args(argv)


def ask_case(fuzz: Fuzz, name: str) -> str:
    """Ask what follows from a name; return OK or the reason of the error."""
    rng = random.Random(name)  # noqa: S311  repeatable, not secret
    try:
        return fuzz.ask(asked(rng), rng)
    except BaseException as error:
        error.add_note(f"all of this case: python -m tests.fuzz --case {name}")
        raise


class Shift:
    """The cases of one process, at one door and then at the other."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._number = 0
        self.counts: Counts = Counter()

    def ask_at(self, door: Door, seconds: float) -> None:
        fuzz, end = Fuzz(door), monotonic() + seconds
        try:
            while monotonic() < end:
                ask_case(fuzz, f"{self._work.name}/{self._number}")
                self._number += 1
        finally:
            self.counts += fuzz.counts

    def growth(self, door: Door, seconds: float) -> int:
        """Ask at a door and return by how much the memory of this process grew after the warm-up."""
        self.ask_at(door, seconds * WARM_UP)
        before = resident_bytes()
        self.ask_at(door, seconds * (1 - WARM_UP))
        return resident_bytes() - before


@contextmanager
def _grpc_door() -> Iterator[OverGrpc]:
    with program(FINSPAN_SEAL_KEYS=SEAL_KEYS, FINSPAN_LOG_LEVEL="warning") as server:
        door = OverGrpc(server.address)
        yield door
        door.close()
        assert not server.events("unexpected")


def work(given: Work) -> Done:
    """Do what one process has to do."""
    shift, growth, failure = Shift(given), 0, ""
    try:
        growth = shift.growth(InProcess(), given.seconds * IN_PROCESS)
        with _grpc_door() as door:
            shift.ask_at(door, given.seconds * (1 - IN_PROCESS))
    except BaseException as error:  # noqa: BLE001  every failure is told, and the others go on
        failure = "\n".join([repr(error), *getattr(error, "__notes__", ())])
    return Done(shift.counts, growth, failure)


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
        print(Fuzz(InProcess()).ask(Asked(given.method, raw), random.Random(0)))  # noqa: S311
        return 0
    if given.case:
        print(ask_case(Fuzz(InProcess()), given.case))
        return 0
    shifts = [Work(f"{given.run}/{number}", given.seconds) for number in range(given.processes)]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        done = pool.map(work, shifts)
    print(*_report(done), sep="\n")
    return int(any(one.failure or one.growth > GROWTH for one in done))


if __name__ == "__main__":
    sys.exit(main())
