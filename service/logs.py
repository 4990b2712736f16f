"""Structured logs: one JSON object a line.

What may stand in a log line: request ids, methods, codes, durations, reasons, and where an unexpected error
came from. Never anything of a state: no cards, no seeds, no decks, no keys. Therefore the message of an
unexpected error is not logged either, since it may quote one.

A log that cannot be written, as nobody reads it or its disk is full, is no reason not to serve: lines are
lost, and no call, drain or watch notices.
"""

import logging
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO, cast

import structlog
from structlog.typing import FilteringBoundLogger

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_CANNOT_WRITE: Final = OSError, ValueError
"""What a stream raises that does not take a line; a ValueError if it is closed."""

Log = FilteringBoundLogger
"""What is logged to."""


class _Lossy:
    """What lines are written to: it loses those that its stream does not take, and says so once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_told = False

    def write(self, text: str) -> None:
        self._attempt(lambda: self._stream.write(text))

    def flush(self) -> None:
        self._attempt(self._stream.flush)

    def _attempt(self, act: Callable[[], object]) -> None:
        try:
            act()
        except _CANNOT_WRITE as error:
            self._tell(type(error).__name__)

    def _tell(self, why: str) -> None:
        if self._has_told:
            return
        self._has_told = True
        with suppress(*_CANNOT_WRITE):
            sys.stderr.write(f"The log cannot be written ({why}): lines are lost, the service goes on.\n")
            sys.stderr.flush()


def new_log(stream: TextIO | None = None, level: str = "info") -> Log:
    """Return a log that writes to a stream, by default to the standard output.

    Each line has the event, the level, the time (UTC) and whatever is bound for the call at work. A line that
    the stream does not take is lost, nothing is raised.
    """
    log: Log = structlog.wrap_logger(
        structlog.WriteLogger(cast("TextIO", _Lossy(stream or sys.stdout))),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
    ).bind()
    return log


def end_output() -> None:
    """Let go of what the standard streams do not take, so that the end of the process does not fail on it.

    They keep what they could not hand on, and Python hands it on once more at the end.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except _CANNOT_WRITE:
            with suppress(*_CANNOT_WRITE):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def trace_of(error: BaseException) -> list[str]:
    """Return where an error came from: its type and its frames, the innermost last, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    return [type(error).__qualname__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)]


class _Forward(logging.Handler):
    """Turns the records of libraries into lines of our log."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        error = record.exc_info[1] if record.exc_info else None
        trace = {"trace": trace_of(error)} if error is not None else {}
        self._log.log(record.levelno, "library", logger=record.name, message=record.msg, **trace)


def forward_libraries(log: Log) -> None:
    """Let the warnings and errors of libraries appear in the log; what they quote is left out."""
    logging.basicConfig(handlers=[_Forward(log)], level=logging.WARNING, force=True)
