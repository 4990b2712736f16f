"""Every fault of a state: one state that is just right, one that is just wrong, and all that is told of it.

Each place in the code that finds a fault has a row, which the last test sees to.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from service.engine import agendas, bounds, check, errors, setup
from service.engine.check import check as faults_of
from service.engine.errors import BadOptions, Fault
from service.engine.setup import set_up
from service.engine.state import SHARKS_AND_REEFS, DiveOn, Options
from tests.engine.faults_at_the_table import FRAME, OPTIONS, PLAYERS, WEEKS, Row, but, but_for, laid
from tests.engine.faults_of_agendas import GROUPS, PRICES, SCATTERS, USED, asking
from tests.engine.faults_of_oceans import CARDS, OCEANS
from tests.table import START_OCEAN

TABLES = (PLAYERS, FRAME, OPTIONS, WEEKS, CARDS, OCEANS, USED, PRICES, GROUPS, SCATTERS)
ROWS = {name: row for table in TABLES for name, row in table.items()}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_all_that_is_wrong_is_told_and_nothing_else(row: Row) -> None:
    assert faults_of(row.right) == []
    assert faults_of(row.wrong) == [Fault(*told) for told in row.told]


def test_every_row_has_a_name_of_its_own() -> None:
    assert len(ROWS) == sum(map(len, TABLES))


def test_a_game_is_set_up_with_a_name_for_each_player_or_for_none() -> None:
    assert set_up(2, Options(), "s", ("a", "b")).state.names == ("a", "b")
    with pytest.raises(BadOptions) as raised:
        set_up(2, Options(), "s", ("a",))
    text = "Give a name to each of the 2 players, or to none."
    assert raised.value.faults == [Fault("display_names", "R2.1", text)]


# All of them at once.

MANY = but_for(
    1,
    laid(oceans=[START_OCEAN, {"B1": "95 3y"}], reefs=[(7, 0, 0)], hands=[[126]]),
    hand=[126],
    deep_used=7,
    activated=1,
)
INDEPENDENT = ["players[0].display_name", "open.seed", "players[1].hand", "players[1].ocean[B1].young"]
NOW = ["players[1].deep_bonuses_used", "players[1].game_end_fish_used", "players[1].game_end_fish_used"]


def broken(**fields: object) -> list[str]:
    """Return the fields told of a state with many faults that do not concern whose turn it is, and these."""
    state = but(MANY, names=("\t", ""), seed="", tiles=("a1",), **fields)
    return [fault.field for fault in faults_of(state)]


@pytest.mark.parametrize(
    ("fields", "told", "is_clear"),
    [
        ({}, [], True),
        ({"week": 0}, ["week"], False),
        ({"turn": 0}, ["turn"], False),
        ({"seat": 5}, ["seat"], False),
        ({"first_player": 5}, ["first_player"], False),
        ({"agenda": []}, ["agenda"], False),
        ({"week": 0, "turn": 0, "seat": 2, "agenda": []}, ["seat", "week", "turn", "agenda"], False),
    ],
)
def test_what_does_not_depend_on_something_wrong_is_told_too(
    fields: dict[str, object], told: list[str], *, is_clear: bool
) -> None:
    name, seed, hand, young = INDEPENDENT
    always = [*told, name, seed, "achievements", hand, "players[0].reefs[0]", young]
    assert broken(**fields) == always + NOW * is_clear


def test_wrong_options_leave_out_the_achievements_alone() -> None:
    told = broken(options=Options((SHARKS_AND_REEFS,) * 2))
    assert told == ["options.expansions"] + [field for field in broken() if field != "achievements"]


def test_a_wrong_agenda_is_told_beside_a_wrong_name() -> None:
    state = but(asking(DiveOn(0, 2)), names=("\t", ""), counter=-1)
    assert [fault.field for fault in faults_of(state)] == [
        "players[0].display_name",
        "open.counter",
        "agenda[0]",
    ]


# Every place that finds a fault has a row.

MODULES = (agendas, bounds, check, setup)


def _places(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines where a function of a module makes a fault, or passes one on."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _makes_fault(node.value)
    }
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            is_constant = isinstance(node, ast.Name) and node.id in constants
            if _makes_fault(node) or is_constant:
                assert isinstance(node, ast.expr)
                yield node.lineno, node.end_lineno or node.lineno


def _makes_fault(node: ast.AST | None) -> bool:
    makers = ("Fault", "within_faults")
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers


def _lines_of_faults(run: Callable[[], object]) -> set[tuple[str | None, int]]:
    """Return the files and lines of these modules that are run; of `within_faults`, where it yields only."""
    files = {module.__file__ for module in MODULES}
    found: set[tuple[str | None, int]] = set()

    def trace(frame: FrameType, event: str, result: object) -> Any:  # noqa: ANN401  a trace function
        code = frame.f_code
        if code.co_name == "within_faults" and isinstance(result, Fault) and frame.f_back is not None:
            found.add((frame.f_back.f_code.co_filename, -frame.f_back.f_lineno))
        if code.co_filename in files and event == "line":
            found.add((code.co_filename, frame.f_lineno))
        return trace if code.co_filename in files | {errors.__file__} else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return found


def _judge_all() -> None:
    for row in ROWS.values():
        faults_of(row.wrong)
    test_a_game_is_set_up_with_a_name_for_each_player_or_for_none()


@pytest.mark.skipif(not str(check.__file__).endswith(".py"), reason="compiled code has no lines")
def test_every_place_that_finds_a_fault_has_a_row() -> None:
    found = _lines_of_faults(_judge_all)
    missing = []
    for module in MODULES:
        path = Path(str(module.__file__))
        lines = path.read_text(encoding="utf-8").splitlines()
        for first, last in _places(path):
            sign = -1 if "within_faults(" in lines[first - 1] else 1
            if not any((str(path), sign * line) in found for line in range(first, last + 1)):
                missing.append(f"{path.name}:{first}: {lines[first - 1].strip()}")
    assert missing == []
