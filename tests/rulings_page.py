"""Writes docs/rulings.md: every ruling, where in the code it lives, and which tests guard it.

Run it as ``python -m tests.rulings_page``. A file belongs to a ruling if it cites the ruling's id.
"""

from collections.abc import Iterator
from pathlib import Path

from service.engine.rulebook import RULINGS, Ruling

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rulings.md"
HEAD = """\
# Rulings

Where the printed rules leave a point open, the engine decides it as this page says. A rule's number, such as
R5.3, is that of the rules which `GetCatalog` returns; it returns these rulings too.

"Certain" needs two sources that agree, one of them official; "likely" needs two that agree; "guess" has one
or none; "literal text" takes the printed words at their word. A file is named here if it cites the ruling's
id; a ruling that no code names waits for its part of the game, or needs no code. This page is written by
`python -m tests.rulings_page` and not edited by hand.

| id | about | ruling | confidence | the other reading | code | tests |
|---|---|---|---|---|---|---|
"""


def citing(id_: str, folder: str) -> Iterator[str]:
    """Yield links to the Python files under a folder that cite a ruling."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        if id_ in path.read_text(encoding="utf-8"):
            yield f"[{path.name}](../{path.relative_to(ROOT).as_posix()})"


def row(ruling: Ruling) -> str:
    code, tests = (", ".join(citing(ruling.id, folder)) for folder in ("service", "tests"))
    return f"| {' | '.join((*ruling, code, tests))} |\n"


def page() -> str:
    """Return the page as it should be."""
    return HEAD + "".join(map(row, RULINGS))


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
