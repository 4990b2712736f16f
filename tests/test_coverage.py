"""Every rule and every scenario has its test, and the page that lists them is fresh."""

import ast
from pathlib import Path

import pytest

from service.engine.rulebook import RULES, RULINGS
from tests import coverage

SOLO = "R12"
RULINGS_OF_SOLO = {"RU19"}
SCENARIOS_OF_SOLO = {82, 83, 84}
"""The only part of the game that comes later: its rules, rulings and scenarios, and no others, may wait."""


def is_of_solo(rule: str) -> bool:
    return rule.partition(".")[0] == SOLO


PLAYED = [rule.id for rule in RULES if not is_of_solo(rule.id)]


@pytest.mark.parametrize("number", PLAYED)
def test_every_rule_that_is_played_is_asserted(number: str) -> None:
    """By a test that waits for nothing."""
    assert [test for test in coverage.tests_naming(number) if not test.waits_for]


@pytest.mark.parametrize("ruling", [ruling.id for ruling in RULINGS if ruling.id not in RULINGS_OF_SOLO])
def test_every_ruling_about_what_is_played_has_a_test(ruling: str) -> None:
    """One that waits for nothing."""
    assert [test for test in coverage.tests_naming(ruling) if not test.waits_for]


def test_nothing_waits_but_what_is_of_solo() -> None:
    waiting = [test for test in coverage.tests() if test.waits_for]
    assert {test.scenario for test in waiting} == SCENARIOS_OF_SOLO
    named = {number for test in waiting for number in test.numbers}
    assert {number for number in named if not is_of_solo(number)} == RULINGS_OF_SOLO


def test_no_test_of_a_rule_is_left_out_in_another_way() -> None:
    """A skipped test, or one that is expected to fail, asserts nothing."""
    ruled = {(test.path, test.name) for test in coverage.tests() if test.numbers or test.scenario}
    left_out = [
        f"{path.name}: {function.name}"
        for path in sorted({path for path, _ in ruled})
        for function in functions_of(path)
        if (path, function.name) in ruled
        if any(word in ast.unparse(function) for word in ("pytest.mark.skip", "pytest.skip", "xfail"))
    ]
    assert left_out == []


def functions_of(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_tests_name_rules_and_rulings_that_exist() -> None:
    known = {rule.id for rule in RULES} | {ruling.id for ruling in RULINGS}
    assert {number for test in coverage.tests() for number in test.numbers} <= known


@pytest.mark.parametrize("number", coverage.SCENARIOS, ids="S{:02}".format)
def test_every_scenario_has_exactly_one_test(number: int) -> None:
    assert len(coverage.tests_of_scenario(number)) == 1


def test_no_scenario_is_made_up() -> None:
    played = {test.scenario for test in coverage.tests()} - {None}
    assert played == set(coverage.SCENARIOS)


def test_what_a_waiting_test_will_assert_is_written_down() -> None:
    for path in {test.path for test in coverage.tests() if test.waits_for}:
        waiting = {test.name for test in coverage.tests() if test.path == path and test.waits_for}
        documented = {function.name for function in functions_of(path) if ast.get_docstring(function)}
        assert waiting <= documented


def test_the_page_is_fresh() -> None:
    """If it is not: python -m tests.coverage."""
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page()
