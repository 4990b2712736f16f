"""Every rule and every scenario has its test, and the page that lists them is fresh."""

import ast

import pytest

from service.engine.rulebook import RULES, RULINGS
from tests import coverage

PLAYED = [rule.id for rule in RULES if rule.id.partition(".")[0] != "R12"]
"""Solo (R12) comes later."""


@pytest.mark.parametrize("number", PLAYED)
def test_every_rule_that_is_played_is_asserted(number: str) -> None:
    """By a test that waits for nothing."""
    assert [test for test in coverage.tests_naming(number) if not test.waits_for]


@pytest.mark.parametrize("ruling", [ruling.id for ruling in RULINGS if not ruling.rule.startswith("R12")])
def test_every_ruling_about_what_is_played_has_a_test(ruling: str) -> None:
    assert coverage.tests_naming(ruling)


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
        functions = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        documented = {
            function.name
            for function in functions
            if isinstance(function, ast.FunctionDef) and ast.get_docstring(function)
        }
        assert waiting <= documented


def test_the_page_is_fresh() -> None:
    """If it is not: python -m tests.coverage."""
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page()
