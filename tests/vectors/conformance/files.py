"""The files of vectors: what is in each, and how it is written."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from service.convert import move_message
from service.engine.moves import UNIVERSE
from service.engine.rules import RULES_VERSION
from tests.service.support import Stub
from tests.vectors.conformance import positions, requests
from tests.vectors.conformance.calls import Call, Json, answers
from tests.vectors.conformance.games import GAMES, game_json
from tests.vectors.conformance.positions import Cases
from tests.vectors.conformance.reefs import REEFS

DIRECTORY: Final = Path(__file__).parent
WIDTH: Final = 110

CASES: Final[dict[str, Cases]] = {
    "new_games": requests.NEW_GAMES,
    "turns": positions.TURNS,
    "costs": positions.COSTS,
    "dives": positions.DIVES,
    "benefits": positions.BENEFITS,
    "weeks": positions.WEEKS,
    "reefs": REEFS,
    "fields": requests.FIELDS,
    "errors": requests.ERRORS,
}
"""The cases of each file by its name."""


def path_of(name: str) -> Path:
    """Return where a file lies."""
    return DIRECTORY / f"{name}.json"


def read(name: str) -> Json:
    """Return what a file holds."""
    content: Json = json.loads(path_of(name).read_text(encoding="utf-8"))
    return content


async def texts(stub: Stub) -> AsyncIterator[tuple[str, str]]:
    """Yield the name of each file and what is in it today."""
    yield "moves", _text({"moves": list(_moves())})
    for name, cases in CASES.items():
        written = [
            {"name": title, "calls": await _calls(stub, list(calls))} for title, calls in cases.items()
        ]
        yield name, _text({"rulesVersion": RULES_VERSION, "cases": written})
    games = [{"name": title, **await game_json(stub, request)} for title, request in GAMES.items()]
    yield "games", _text({"rulesVersion": RULES_VERSION, "games": games})


def _moves() -> Iterator[Json]:
    """Yield the first and the last move of each kind with their ids."""
    for _, moves in groupby(UNIVERSE, key=lambda move: move.kind):
        first, *others = moves
        for move in (first, *others[-1:]):
            yield {"id": move.id, "move": MessageToDict(move_message(move))}


async def _calls(stub: Stub, calls: list[Call]) -> list[Json]:
    answered = [answer async for answer in answers(stub, calls)]
    return [call.to_json() | answer for call, answer in zip(calls, answered, strict=True)]


def _text(content: Json) -> str:
    return _pretty(content) + "\n"


def _pretty(value: Any, margin: str = "") -> str:  # noqa: ANN401  JSON
    """Return JSON as text: on one line what fits on it, lists of numbers and words filled, else indented."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(flat) <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = margin + " "
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return f"[\n{_filled(flat[1:-1], inner)}\n{margin}]"
    open_, close, items = _parts(value, lambda item: _pretty(item, inner))
    return open_ + "\n" + ",\n".join(inner + item for item in items) + f"\n{margin}{close}"


def _filled(flat: str, margin: str) -> str:
    return fill(
        flat,
        WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _parts(value: Any, text_of: Callable[[Any], str]) -> tuple[str, str, list[str]]:  # noqa: ANN401  JSON
    if isinstance(value, list):
        return "[", "]", [text_of(item) for item in value]
    return "{", "}", [f"{json.dumps(name)}: {text_of(item)}" for name, item in value.items()]
