"""Counts the mutants of the engine that some test notices: ``python -m tests.mutation [options] [modules]``.

The tests run once, and what they call is noted. Then each mutant gets a process of its own, forked from the
one in which all is loaded: there the code of one function is exchanged, and those tests run that call it, the
quick ones first, until one fails. What is computed when a module is loaded is not computed again; functions
that nothing else calls are therefore not tried, nor are lambdas and defaults.
"""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import KILLED, SURVIVED, UNTRIED, Trial

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # it complains of forks, which come before its use

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "service" / "engine"
REPORT = ROOT / "build" / "mutation.md"
TESTS = (
    *("tests/digests", "tests/engine", "tests/golden", "tests/tree_counts"),
    *("tests/service/test_handmade.py", "tests/service/test_samples.py"),
)
"""Each of these looks at the engine; together they take about a minute."""


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("modules", nargs="*", help="modules of the engine, such as `plays`; by default all")
    parser.add_argument("--sample", type=int, default=60, help="mutants of one module at most; 0 for all")
    parser.add_argument("--seed", default="mutants", help="chooses the sample")
    parser.add_argument("--seconds", type=float, default=1500, help="stop after so long, whatever is left")
    return parser.parse_args(argv)


def chosen(modules: Sequence[str], sample: int, seed: str) -> list[Mutant]:
    """Return a sample of each module's mutants, those of all modules mixed."""
    rng = random.Random(seed)  # noqa: S311  repeatable, not secret
    mutants: list[Mutant] = []
    for path in sorted(ENGINE.glob("*.py")):
        if not modules or path.stem in modules:
            found = [*mutants_of(path)]
            mutants += rng.sample(found, min(sample or len(found), len(found)))
    rng.shuffle(mutants)
    return mutants


def table(outcomes: Counter[tuple[str, str]]) -> list[str]:
    lines = ["| module | mutants | noticed | survived | score |", "|---|---:|---:|---:|---:|"]
    modules = sorted({module for module, _ in outcomes})
    for module in [*modules, "all"]:
        counts: Counter[bool] = Counter()
        for (name, outcome), count in outcomes.items():
            if module in (name, "all") and outcome != UNTRIED:
                counts[outcome in KILLED] += count
        score = f"{100 * counts[True] / max(1, counts.total()):.1f} %"
        lines.append(f"| {module} | {counts.total()} | {counts[True]} | {counts[False]} | {score} |")
    return lines


class Run:
    """A plugin of pytest that tries mutants in place of running the tests."""

    def __init__(self, mutants: list[Mutant], seconds: float) -> None:
        self._mutants = mutants
        self._seconds = seconds
        self._outcomes: Counter[tuple[str, str]] = Counter()
        self._survivors: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        trial = Trial(session.items)
        until = monotonic() + self._seconds
        for number, mutant in enumerate(self._mutants, 1):
            if monotonic() > until:
                break
            outcome = trial.outcome(mutant)
            self._outcomes[mutant.path.stem, outcome] += 1
            if outcome == SURVIVED:
                self._survivors.append(str(mutant))
            print(f"\r{number} of {len(self._mutants)}, {len(self._survivors)} left", end="", file=sys.stderr)
            self.write()
        return True

    def write(self) -> None:
        """Write what is known so far."""
        REPORT.parent.mkdir(exist_ok=True)
        lines = [*table(self._outcomes), "", *sorted(self._survivors), ""]
        REPORT.write_text("\n".join(lines), encoding="utf-8")


def main() -> int:
    given = arguments()
    run = Run(chosen(given.modules, given.sample, given.seed), given.seconds)
    options = ["-q", "-s", "--no-summary", "-p", "no:cacheprovider", "-o", "timeout=0"]
    code = pytest.main([*options, *(str(ROOT / path) for path in TESTS)], plugins=[run])
    run.write()
    print(f"\n{REPORT.read_text(encoding='utf-8')}")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
