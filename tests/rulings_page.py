"""Writes docs/rulings.md: every ruling, where in the code it lives, and which tests guard it.

Run it as ``python -m tests.rulings_page``. Code belongs to a ruling if it cites the ruling's id, a test if it
names it (`tests.marks.rule`).
"""

from collections.abc import Iterator
from pathlib import Path

from service.engine.rulebook import RULINGS, Ruling
from tests.coverage import tests_naming

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rulings.md"
HEAD = """\
# Rulings

Where the printed rules leave a point open, the engine decides it as this page says. A rule's number, such as
R5.3, is that of the rules which `GetCatalog` returns; it returns these rulings too.

"Certain" needs two sources that agree, one of them official; "likely" needs two that agree; "guess" has one
or none; "literal text" takes the printed words at their word. A file of code is named here if it cites the
ruling's id, and one of tests if some test in it asserts the ruling ([coverage](coverage.md) has the tests
themselves). A ruling that no code names waits for its part of the game, or needs no code. This page is
written by `python -m tests.rulings_page` and not edited by hand.

| id | about | ruling | confidence | the other reading | code | tests |
|---|---|---|---|---|---|---|
"""


def _link(path: Path) -> str:
    return f"[{path.name}](../{path.relative_to(ROOT).as_posix()})"


def citing(id_: str) -> Iterator[str]:
    """Yield links to the files of code that cite a ruling."""
    for path in sorted((ROOT / "service").rglob("*.py")):
        if id_ in path.read_text(encoding="utf-8"):
            yield _link(path)


def asserting(id_: str) -> Iterator[str]:
    """Yield links to the files with tests that assert a ruling; where all of them wait, what for."""
    named = tests_naming(id_)
    for path in sorted({test.path for test in named}):
        waiting = {test.waits_for for test in named if test.path == path}
        yield _link(path) + ("" if "" in waiting else f" (waits for {', '.join(sorted(waiting))})")


def row(ruling: Ruling) -> str:
    code, tests = ", ".join(citing(ruling.id)), ", ".join(asserting(ruling.id))
    return f"| {' | '.join((*ruling, code, tests))} |\n"


def page() -> str:
    """Return the page as it should be."""
    return HEAD + "".join(map(row, RULINGS))


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
