"""Tries a mutant: does some test that calls its function fail?"""

import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import starmap
from pathlib import Path
from time import process_time
from types import CodeType, FrameType, FunctionType
from typing import Final, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant

KILLED: Final = frozenset({"noticed", "hung"})
"""The outcomes of a mutant that the tests tell from the engine."""
SURVIVED: Final = "survived"
UNTRIED: Final = "not tried"
STRONG: Final = "tests/golden/"
"""Whole games, which notice most; they go first, as far as they are quick."""
QUICK: Final = 0.3
"""Seconds that a quick test takes at most. The others are whole games and are taken to call everything."""
PATIENCE: Final = 4.0
"""Seconds: so much of the tests is run for one mutant, as they take without it ..."""
HANGS: Final = 4
"""... and after so many times that, they hang."""
ALARM: Final = 10
"""A mutant that waits instead is ended after so many times that on the clock."""
MEMORY: Final = 4 << 30
"""Bytes that a mutant may take."""

Called = set[tuple[str, int]]


class Timed(NamedTuple):
    """A test by its number, the seconds that it takes, and what it calls; None stands for everything."""

    number: int
    seconds: float
    called: Called | None
    is_strong: bool

    def calls(self, place: tuple[str, int]) -> bool:
        return self.called is None or place in self.called


def passes(item: pytest.Item) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


@contextmanager
def calls_noted() -> Iterator[Called]:
    """Note which functions of the engine are called, by file and first line."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    called: Called = set()
    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)
        called |= {(code.co_filename, code.co_firstlineno) for code in codes}


def live_functions(mutant: Mutant) -> list[FunctionType]:
    """Return the loaded function of a mutant, wherever it hangs: in a module, a class, a cache, a table."""
    place = str(mutant.path), mutant.first_line
    return [
        thing
        for thing in gc.get_objects()
        if isinstance(thing, FunctionType)
        and (thing.__code__.co_filename, thing.__code__.co_firstlineno) == place
        and thing.__code__.co_qualname == mutant.name
    ]


def in_a_fork(work: Callable[[], bool]) -> int:
    """Do something in a process of its own and return how it ended, as `os.waitpid` has it.

    Here gRPC must not have been used yet, since it does not survive a fork.
    """
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(0 if work() else 1)
    return os.waitpid(child, 0)[1]


def measured(number: int, item: pytest.Item) -> Timed:
    started = process_time()
    assert passes(item), f"without any mutant, this fails already: {item.nodeid}"
    seconds = process_time() - started
    called: Called | None = None
    if seconds < QUICK:
        with calls_noted() as called:
            passes(item)
    return Timed(number, seconds, called, item.nodeid.startswith(STRONG) and seconds < QUICK)


def all_measured(items: list[pytest.Item]) -> list[Timed]:
    """Return all tests, measured in a fork."""
    with tempfile.TemporaryDirectory() as directory:
        notes = Path(directory) / "notes"

        def measure() -> bool:
            try:
                notes.write_bytes(pickle.dumps([*starmap(measured, enumerate(items))]))
            except BaseException as error:  # noqa: BLE001  the other process is told of any
                notes.write_bytes(pickle.dumps(repr(error)))
            return True

        in_a_fork(measure)
        found = pickle.loads(notes.read_bytes())  # noqa: S301  written just now, by ourselves
    assert isinstance(found, list), found
    return found


class Trial:
    """The tests, timed once, and which functions each calls."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self._items = items
        self._timed = sorted(all_measured(items), key=lambda test: (not test.is_strong, test.seconds))

    def _tests_for(self, mutant: Mutant) -> list[Timed]:
        tests, left = [], PATIENCE
        for test in self._timed:
            if test.calls((str(mutant.path), mutant.first_line)):
                left -= test.seconds
                tests.append(test)
            if left < 0:
                break
        return tests

    def outcome(self, mutant: Mutant) -> str:
        """Return noticed, hung or survived; or that it was not tried, as only the loading calls it."""
        code, tests = mutant.code(), self._tests_for(mutant)
        if code is None:
            return "noticed"
        if all(test.called is None for test in tests):
            return UNTRIED
        functions = live_functions(mutant)
        assert functions, f"{mutant.name} is not there as Python: is the engine compiled?"
        end = in_a_fork(lambda: self._survives(functions, code, tests))
        if os.WIFSIGNALED(end):
            return "hung"
        return SURVIVED if os.WEXITSTATUS(end) == 0 else "noticed"

    def _survives(self, functions: list[FunctionType], code: CodeType, tests: list[Timed]) -> bool:
        seconds = 2 + int(HANGS * sum(test.seconds for test in tests))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(ALARM * seconds)
        try:
            for function in functions:
                function.__code__ = code
            return all(passes(self._items[test.number]) for test in tests)
        except BaseException:  # noqa: BLE001  whatever a mutant brings about, it was noticed
            return False
