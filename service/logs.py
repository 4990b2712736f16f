"""Structured logs: one JSON object a line.

What may stand in a log line: request ids, methods, codes, durations, reasons, and where an unexpected error
came from. Never anything of a state: no cards, no seeds, no decks, no keys. Therefore the message of an
unexpected error is not logged either, since it may quote one.
"""

import logging
import sys
import traceback
from contextlib import suppress
from typing import Final, TextIO

import structlog
from structlog.typing import FilteringBoundLogger

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}

Log = FilteringBoundLogger
"""What is logged to."""


def new_log(stream: TextIO | None = None, level: str = "info") -> Log:
    """Return a log that writes to a stream, by default to the standard output.

    Each line has the event, the level, the time (UTC) and whatever is bound for the call at work.
    """
    log: Log = structlog.wrap_logger(
        structlog.WriteLogger(stream or sys.stdout),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
    ).bind()
    return log


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
        """Write a line; a log that cannot be written to must not become an error of the library's."""
        with suppress(OSError, ValueError):
            self._write(record)

    def _write(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        trace = {"trace": trace_of(error)} if error is not None else {}
        self._log.log(record.levelno, "library", logger=record.name, message=record.msg, **trace)


def forward_libraries(log: Log) -> None:
    """Let the warnings and errors of libraries appear in the log; what they quote is left out."""
    logging.basicConfig(handlers=[_Forward(log)], level=logging.WARNING, force=True)
