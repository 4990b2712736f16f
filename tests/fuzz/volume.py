"""What one of several processes does: cases by their names, at one door and then at the other."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final, NamedTuple

from tests.fuzz.asking import asked
from tests.fuzz.doors import VARIABLES, Door, InProcess, OverGrpc
from tests.fuzz.judging import Fuzz
from tests.load.program import program, resident_bytes

IN_PROCESS: Final = 0.9
"""The part of the time that goes to the handlers in process."""
WARM_UP: Final = 1 / 3
"""The part of that time after which memory must not grow any more ..."""
GROWTH: Final = 32 << 20
"""... beyond so many bytes: tables of what has been asked before fill up slowly."""

STORIES: Final = 0.04
"""The part of the cases that are stories."""

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


def ask_or_tell(fuzz: Fuzz, rng: random.Random) -> str:
    """Ask about a carried state, or now and then tell a story of hosted games, which has many calls."""
    return fuzz.tell(rng) if rng.random() < STORIES else fuzz.ask(asked(rng), rng)


def ask_case(fuzz: Fuzz, name: str) -> str:
    """Ask what follows from a name; return OK or the reason of the error."""
    rng = random.Random(name)  # noqa: S311  repeatable, not secret
    try:
        return ask_or_tell(fuzz, rng)
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
    with program(**VARIABLES) as server:
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
