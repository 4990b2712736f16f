"""Files of recorded games, as the command line writes and reads them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from finspan.records import BadRecord, Record


@contextmanager
def kept(out: Path | None) -> Iterator[Callable[[Record], None]]:
    """Yield what adds a record to a file, if there is one; whether it can be written is found out at once.

    After a game it would be too late. A file that nothing is added to does not come to be.
    """
    if out is None:
        yield lambda _record: None
        return
    is_new = not out.exists()
    _append(out, "")
    try:
        yield lambda record: _append(out, record.to_json() + "\n")
    finally:
        if is_new and out.exists() and not out.stat().st_size:
            out.unlink()


def _append(out: Path, text: str) -> None:
    try:
        with out.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}.") from error


def recorded(lines: Iterable[bytes]) -> dict[int, Record | BadRecord]:
    """Return the games of a file's lines by number, from 1, or why one of them is none."""
    return dict(enumerate(map(_read, filter(bytes.strip, lines)), start=1))


def _read(line: bytes) -> Record | BadRecord:
    try:
        return Record.from_json(line.decode())
    except UnicodeDecodeError:
        return BadRecord("no record of a game: it is no text in UTF-8")
    except BadRecord as error:
        return error
