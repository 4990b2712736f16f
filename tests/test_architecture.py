"""Who may import whom, and what else the shape of the code promises.

Everything is read from the syntax trees; nothing is imported.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

from tests.facts import CARDS, FORAGE

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "clients" / "python" / "src"

STANDARD_LIBRARY_OF_THE_ENGINE = {
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "importlib.resources",
    "itertools",
    "json",
    "struct",
    "typing",
    "unicodedata",
}
"""All that the engine may know beside itself: no clock, no chance, no files, no network, no logs."""

NOT_FOR_THE_ENGINE = {
    "compile",
    "eval",
    "exec",
    "globals",
    "hash",
    "id",
    "input",
    "open",
    "print",
    "__import__",
}
"""Built-in functions through which the world, or a chance of this one run, would get in."""

ROOMS = {
    "engine": set(),
    "errors": {"engine"},
    "seal": {"engine", "errors"},
    "convert": {"engine"},
    "positions": {"engine", "errors", "seal", "convert"},
    "store": set(),
    "settings": {"seal", "store"},
    "logs": set(),
    "hosting": {"engine", "errors", "seal", "convert", "positions", "settings", "store"},
    "handlers": {"engine", "errors", "seal", "convert", "positions", "settings", "logs", "store", "hosting"},
    "local": {"seal", "settings", "logs", "store", "handlers"},
    "workers": {"settings", "logs"},
    "streams": set(),
    "server": {
        *("engine", "errors", "seal", "positions", "settings", "logs"),
        *("store", "handlers", "workers", "streams"),
    },
    "admin": {"engine", "errors", "seal", "settings", "store", "hosting", "server"},
    "testing": {"seal", "settings", "logs", "server"},
}
"""The rooms of the service, and which others each may know."""

BRIDGE = "finspan.local"
ROOMS_FOR_THE_BRIDGE = {"local"}
"""The one module of the client that knows the service, and how much of it."""

INSIDE_THE_ENGINE = {"conditions", "piles", "plays", "resolvers", "tokens"}
"""Modules of the engine whose verbs change a state in place: for the engine alone."""

UNKNOWN_TO_HANDLERS = INSIDE_THE_ENGINE | {"abilities", "agendas", "cards", "check", "ocean", "rng"}
"""Handlers ask the engine's questions; cards and geometry are for the engine and for `convert`."""


def modules(directory: Path, above: Path = ROOT) -> dict[str, Path]:
    """Return the modules under a directory by dotted name; generated code is left out."""
    return {
        ".".join(path.relative_to(above).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(directory.rglob("*.py"))
        if "_pb2" not in path.name
    }


SERVICE = modules(ROOT / "service")
ENGINE = {name: path for name, path in SERVICE.items() if name.startswith("service.engine")}
CLIENTS = modules(CLIENT, CLIENT)
TESTS = modules(ROOT / "tests")
OURS = SERVICE | CLIENTS

each_engine_module = pytest.mark.parametrize("module", ENGINE)
each_service_module = pytest.mark.parametrize("module", SERVICE)
each_client_module = pytest.mark.parametrize("module", CLIENTS)
each_module = pytest.mark.parametrize("module", OURS)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every module that is imported, anywhere in a file, with each name taken from it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide who imports whom"
            yield from ((node.module or "", alias.name) for alias in node.names)


def imported_modules(path: Path, among: dict[str, Path]) -> set[str]:
    """Return the modules of a set that a file imports, also as ``from package import module``."""
    names = {name for module, taken in imported(path) for name in (module, f"{module}.{taken}")}
    return names & among.keys()


def room_of(module: str) -> str:
    return module.split(".")[1]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


# The engine is pure.


@each_engine_module
def test_the_engine_imports_itself_and_a_little_of_the_standard_library(module: str) -> None:
    foreign = {name for name, _ in imported(ENGINE[module]) if not name.startswith("service.engine")}
    assert foreign <= STANDARD_LIBRARY_OF_THE_ENGINE


@each_engine_module
def test_the_engine_calls_nothing_that_reaches_outside(module: str) -> None:
    called = {
        node.func.id
        for node in ast.walk(tree(ENGINE[module]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & NOT_FOR_THE_ENGINE


@each_engine_module
def test_the_engine_waits_for_nobody(module: str) -> None:
    waiting = ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith
    assert not any(isinstance(node, waiting) for node in ast.walk(tree(ENGINE[module])))


# Dependencies run one way.


@pytest.mark.parametrize("among", [SERVICE, CLIENTS], ids=["service", "clients"])
def test_imports_run_in_no_circle(among: dict[str, Path]) -> None:
    """A package's own face, which imports what it offers, is no part of the way."""
    inner = {name: path for name, path in among.items() if path.name != "__init__.py"}
    TopologicalSorter({name: imported_modules(path, inner) for name, path in inner.items()}).prepare()


@each_service_module
def test_a_room_knows_only_the_rooms_that_it_may(module: str) -> None:
    known = {room_of(name) for name in imported_modules(SERVICE[module], SERVICE) if name != "service"}
    assert module == "service" or known <= ROOMS[room_of(module)] | {room_of(module)}


def test_every_room_is_one_that_is_told_of() -> None:
    assert {room_of(module) for module in SERVICE if module != "service"} == ROOMS.keys()


@pytest.mark.parametrize("module", [name for name in SERVICE if name.startswith("service.handlers")])
def test_handlers_do_not_look_at_cards(module: str) -> None:
    known = imported_modules(SERVICE[module], ENGINE)
    assert not known & {f"service.engine.{name}" for name in UNKNOWN_TO_HANDLERS}


@each_client_module
def test_clients_do_not_import_the_service(module: str) -> None:
    """Only the bridge does, where the service runs in the client's own process."""
    known = {name.split(".")[1] for name, _ in imported(CLIENTS[module]) if name.startswith("service.")}
    assert known <= (ROOMS_FOR_THE_BRIDGE if module == BRIDGE else set())


@each_module
def test_nobody_takes_another_modules_private_names(module: str) -> None:
    taken = [name for _, name in imported(OURS[module]) if name.startswith("_") and name != "__version__"]
    assert taken == []


# A state is a value: what changes it in place stays in the engine.


def in_place_verbs() -> set[tuple[str, str]]:
    """Return the engine's functions that get a `Table`, the private copy that a move changes in place."""
    return {
        (module, function.name)
        for module, path in ENGINE.items()
        for function in functions(path)
        for argument in function.args.args
        if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Table"
    }


def test_there_are_verbs_that_work_in_place() -> None:
    assert ("service.engine.tokens", "lay_egg") in in_place_verbs()


@pytest.mark.parametrize("module", [name for name in OURS if name not in ENGINE])
def test_verbs_that_work_in_place_are_for_the_engine_alone(module: str) -> None:
    """Outside, a state is changed by `apply` and `playout` only, which copy it first."""
    forbidden = in_place_verbs() | {("service.engine.state", "Table")}
    assert not forbidden & set(imported(OURS[module]))
    assert not imported_modules(OURS[module], ENGINE) & {
        f"service.engine.{name}" for name in INSIDE_THE_ENGINE
    }


# Habits of the code.


def _spellings(name: str) -> set[str]:
    """Return a name as a person and as a program would write it."""
    words = re.findall(r"\w+", name)
    return {name, "".join(map(str.capitalize, words)), "_".join(words).lower(), "_".join(words).upper()}


CARD_NAMES = sorted(
    spelling
    for fish in (*CARDS.values(), *FORAGE.values())
    for name in (fish["name"], fish.get("latin"))
    if name
    for spelling in _spellings(name)
)


def _is_named(name: str, text: str) -> bool:
    return name in text and re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None


@each_module
def test_no_code_speaks_of_one_card(module: str) -> None:
    """Which fish, how many and where is data (`service/engine/data`)."""
    text = OURS[module].read_text(encoding="utf-8")
    assert [name for name in CARD_NAMES if _is_named(name, text)] == []


def test_the_search_for_names_would_find_them() -> None:
    assert _is_named("Red Lionfish", "# as the Red Lionfish does")
    assert "RedLionfish" in CARD_NAMES
    assert not _is_named("Cobia", "Cobias")


@each_module
def test_no_function_is_longer_than_a_screen(module: str) -> None:
    assert [function.name for function in functions(OURS[module]) if lines_of(function) > 40] == []


def test_most_functions_are_short() -> None:
    lengths = [lines_of(function) for path in OURS.values() for function in functions(path)]
    assert median(lengths) <= 6
    assert sum(length <= 20 for length in lengths) >= 0.9 * len(lengths)


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _undocumented(node: Documented, name: str) -> Iterator[str]:
    """Yield the public names in a module or class, itself included, that have no docstring."""
    if ast.get_docstring(node) is None:
        yield name
    for child in node.body if isinstance(node, ast.Module | ast.ClassDef) else ():
        if isinstance(child, Documented) and not getattr(child, "name", "_").startswith("_"):
            yield from _undocumented(child, f"{name}.{getattr(child, 'name', '')}")


@each_engine_module
def test_every_public_name_of_the_engine_says_what_it_is(module: str) -> None:
    assert list(_undocumented(tree(ENGINE[module]), module)) == []


# The tests' own promise.


def _closure(module: str) -> set[str]:
    """Return all that a module brings in, near and far; of foreign modules only the name."""
    ours, found, ahead = SERVICE | TESTS, set[str](), [module]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += [other for other, _ in imported(ours[name])] if name in ours else []
            ahead += imported_modules(ours[name], ours) if name in ours else []
    return found


def test_digests_need_nothing_but_python() -> None:
    """So that `make digests` runs on every Python there is."""
    foreign = {name.split(".")[0] for name in _closure("tests.digests.__main__")}
    assert foreign - sys.stdlib_module_names == {"service", "tests"}
