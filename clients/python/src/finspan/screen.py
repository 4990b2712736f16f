"""What the command line shows things on."""

import sys
from typing import Final

from rich.console import Console

from finspan.tables import LEAST_WIDTH

WIDTH: Final = 100
"""Columns of output that goes to no terminal."""
TOO_NARROW: Final = (
    f"The tables need {LEAST_WIDTH} columns, and there are {{}} here: a wider window shows them whole."
)


def console() -> Console:
    """Return the standard output."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def stage() -> Console:
    """Return where a game is shown; a terminal that is too narrow for it is told so."""
    shown_on = console()
    if shown_on.width < LEAST_WIDTH:
        shown_on.print(TOO_NARROW.format(shown_on.width))
    return shown_on
