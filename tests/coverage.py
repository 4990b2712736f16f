"""Writes docs/coverage.md: which tests assert each rule, each ruling and each scenario.

Run it as ``python -m tests.coverage``. A test names its rules and rulings with `tests.marks.rule`, a scenario
test its number in its own name. The test files are read, not run.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from service.engine.rulebook import RULES, RULINGS, Rule, Ruling

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "coverage.md"

SCENARIOS: Final = (
    *(1, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19, 21, 23, 24, 26, 27, 28, 30, 32, 33, 34, 35, 37),
    *(38, 39, 40, 42, 43, 45, 47, 48, 49, 51, 53, 55, 56, 57, 59, 60, 61, 62, 64, 66, 68, 69, 71, 73, 74, 79),
    *(81, 82, 83, 84),
)
"""The numbers of the scenarios; they have gaps."""

_SCENARIO_TEST: Final = re.compile(r"test_s(\d\d)_")
_TEST_DIRECTORY: Final = ROOT / "tests"

HEAD: Final = """\
# Rules coverage

Which tests assert each rule, each ruling and each scenario. A test names the rules that it asserts
(`@rule("R5.3")`), and a scenario test its number. Tests that wait for a part of the game are marked so.
[Rulings](rulings.md) says how points that the printed rules leave open are decided.

This page is written by `python -m tests.coverage` and not edited by hand.
"""


class Test(NamedTuple):
    """A test as its file shows it: the rules and rulings that it names, and what it waits for."""

    path: Path
    name: str
    numbers: tuple[str, ...]
    waits_for: str

    @property
    def scenario(self) -> int | None:
        """The scenario that it plays."""
        found = _SCENARIO_TEST.match(self.name)
        return int(found[1]) if found else None

    @property
    def link(self) -> str:
        """The test as a link from the page."""
        waiting = f" (waits for {self.waits_for})" if self.waits_for else ""
        return f"[{self.name}](../{self.path.relative_to(ROOT).as_posix()}){waiting}"


def _marks(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[str]:
    """Yield the arguments of a function's marks of this name."""
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == name:
            yield from (ast.literal_eval(argument) for argument in mark.args)


def _tests_of(path: Path) -> Iterator[Test]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield Test(path, node.name, tuple(_marks(node, "rule")), "".join(_marks(node, "waits_for")))


@cache
def tests() -> tuple[Test, ...]:
    """Return every test of the project, file by file."""
    return tuple(test for path in sorted(_TEST_DIRECTORY.rglob("test_*.py")) for test in _tests_of(path))


def tests_naming(number: str) -> list[Test]:
    """Return the tests that name a rule or a ruling."""
    return [test for test in tests() if number in test.numbers]


def tests_of_scenario(number: int) -> list[Test]:
    """Return the tests that play a scenario."""
    return [test for test in tests() if test.scenario == number]


def _list(number: str) -> str:
    return "".join(f"- {test.link}\n" for test in tests_naming(number)) or "- no test yet\n"


def _ruling_text(ruling: Ruling) -> str:
    return f"\n{ruling.id} ({ruling.confidence}): {ruling.ruling}\n\n{_list(ruling.id)}"


def _rule_text(rule: Rule) -> str:
    rulings = (_ruling_text(ruling) for ruling in RULINGS if ruling.rule == rule.id)
    return f"\n### {rule.id}\n\n{rule.text}\n\n{_list(rule.id)}" + "".join(rulings)


def _chapters() -> Iterator[str]:
    """Yield every rule, with the title of its chapter before the first of it."""
    section = ""
    for rule in RULES:
        if rule.section != section:
            section = rule.section
            yield f"\n## {rule.id.partition('.')[0]} {section}\n"
        yield _rule_text(rule)


def _rulings_about_cards() -> str:
    rulings = (
        f"\n### {ruling.rule.capitalize()}\n{_ruling_text(ruling)}"
        for ruling in RULINGS
        if ruling.rule not in {rule.id for rule in RULES}
    )
    return "\n## Rulings about cards\n" + "".join(rulings)


def _scenarios() -> str:
    rows = (f"| S{number:02} | {test.link} |\n" for number in SCENARIOS for test in tests_of_scenario(number))
    return "\n## Scenarios\n\n| scenario | test |\n|---|---|\n" + "".join(rows)


def page() -> str:
    """Return the page as it should be."""
    return HEAD + "".join(_chapters()) + _rulings_about_cards() + _scenarios()


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
