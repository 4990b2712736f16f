"""Tries a mutant: does some test that calls its function fail?"""

import gc
import os
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant

KILLED: Final = frozenset({"noticed", "hung"})
"""The outcomes of a mutant that the tests tell from the engine."""
FIRST: Final = "tests/digests/"
"""Whole games, which notice most."""
PATIENCE: Final = 8.0
"""Seconds: so much of the tests is run for one mutant, as they take without it ..."""
HANGS: Final = 4
"""... and after so many times that, they hang."""
MEMORY: Final = 4 << 30
"""Bytes that a mutant may take."""

Called = set[tuple[str, int]]


class Timed(NamedTuple):
    """A test, and the seconds that it takes."""

    seconds: float
    item: pytest.Item

    @property
    def rank(self) -> tuple[bool, float]:
        return not self.item.nodeid.startswith(FIRST), self.seconds


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
    """Do something in a process of its own and return how it ended, as `os.waitpid` has it."""
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(0 if work() else 1)
    return os.waitpid(child, 0)[1]


class Trial:
    """The tests, timed once, and which functions each calls."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self._callers: defaultdict[tuple[str, int], list[Timed]] = defaultdict(list)
        failed = [item.nodeid for item in items if not self._is_measured(item)]
        assert not failed, f"without any mutant, these fail already: {failed}"

    def _is_measured(self, item: pytest.Item) -> bool:
        started = process_time()
        with calls_noted() as called:
            is_passed = passes(item)
        timed = Timed(process_time() - started, item)
        for place in called:
            self._callers[place].append(timed)
        return is_passed

    def _tests_for(self, mutant: Mutant) -> list[Timed]:
        tests, left = [], PATIENCE
        for timed in sorted(self._callers[str(mutant.path), mutant.first_line], key=lambda each: each.rank):
            left -= timed.seconds
            if left < 0:
                break
            tests.append(timed)
        return tests

    def outcome(self, mutant: Mutant) -> str:
        """Return noticed, hung, survived, or why it was not tried: no code, or no test that calls it."""
        code, tests = mutant.code(), self._tests_for(mutant)
        if code is None:
            return "noticed"
        if not tests:
            return "not called by any test"
        end = in_a_fork(lambda: _survives(mutant, code, tests))
        if os.WIFSIGNALED(end):
            return "hung"
        return "survived" if os.WEXITSTATUS(end) == 0 else "noticed"


def _survives(mutant: Mutant, code: CodeType, tests: list[Timed]) -> bool:
    seconds = 2 + int(HANGS * sum(timed.seconds for timed in tests))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        for function in live_functions(mutant):
            function.__code__ = code
        return all(passes(timed.item) for timed in tests)
    except BaseException:  # noqa: BLE001  whatever a mutant brings about, it was noticed
        return False
