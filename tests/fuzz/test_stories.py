"""Stories of hosted games meet everything there is to meet, and faults put in on purpose are noticed."""

import random
from datetime import datetime
from typing import Any, Final, NoReturn

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.convert import open_fields, state_fields
from service.convert.reading import Fields
from service.engine.rules import decision
from service.engine.state import GameState
from service.errors import GameNotFound
from service.hosting.seats import Caller
from service.store import Change, Head, Loaded, LogEntry, Outcome, Verdict
from service.store.memory import MemoryStore
from tests.fuzz.doors import InProcess
from tests.fuzz.judging import Fuzz
from tests.fuzz.stories import LIKING

STORIES: Final = 150
"""So many are told at most."""


def tell(count: int) -> Fuzz:
    """Tell stories, the same each time but for what the service draws, and return what was asked."""
    fuzz = Fuzz(InProcess())
    for number in range(count):
        fuzz.tell(random.Random(f"story {number}"))  # noqa: S311  repeatable, not secret
    return fuzz


def test_every_call_about_a_hosted_game_is_answered_and_refused() -> None:
    counts = tell(STORIES).counts
    assert {method for _, method, answer in counts if answer == "OK"} == set(LIKING)
    assert {method for _, method, answer in counts if answer != "OK"} == set(LIKING)
    assert {kind for kind, _, _ in counts} == {"follow-up", "changed", "invented", "bytes"}


# Faults.


def _decider_of(game: Any, _caller: object) -> int:  # noqa: ANN401  a game that was found
    question = decision(game.hosted.state)
    return 0 if question is None else question.seat


def _open_message(state: GameState) -> pb.GameState:
    return pb.GameState(**state_fields(state), open=pb.OpenPart(**open_fields(state)))


def _telling_decision(state: GameState) -> Fields:
    return {"text": f"Everything follows from {state.seed}."}


async def _load_without_record(store: MemoryStore, game_id: str, _request_id: str | None = None) -> Loaded:
    game = store._game(game_id)
    return Loaded(None if game is None else game.head, None)


async def _only_say_so(_store: MemoryStore, _change: Change, expected: Head) -> Outcome:
    return Outcome(Verdict.DONE, expected.version, expected.revision + 1)


def _first_entry(version: int, _number: int, at: datetime, data: bytes) -> LogEntry:
    return LogEntry(version, 0, at, data)


def _item_without_digest(entry: pb.LogEntry, _position: object) -> bytes:
    return bytes(32) + entry.SerializeToString()


async def _fail(*_given: object) -> NoReturn:
    raise GameNotFound


def _nothing(*_given: object) -> None:
    """Take anything, and object to nothing."""


FAULTS: Final[dict[str, tuple[dict[str, object], str]]] = {
    "anybody moves for whoever decides": (
        {"service.handlers.hosted.seat_of": _decider_of},
        "without a token|without a seat|another seat",
    ),
    "any seat moves": ({"service.hosting.advance._require_turn": _nothing}, "does not decide"),
    "tokens are never void": ({"service.hosting.permits.check_token": _nothing}, "void"),
    "anything is a token": (
        {"service.hosting.seats.Access.caller": lambda *_given: Caller(None, True, True)},  # noqa: FBT003
        "none was accepted|without a key",
    ),
    "everybody administers": (
        {"service.handlers.hosted.require_administrator": _nothing},
        "for administrators",
    ),
    "everybody watches": ({"service.handlers.hosted.require_watcher": _nothing}, "private|void"),
    "a call goes on behind a card shown": (
        {"service.hosting.advance.reveals": lambda _events: False},
        "look ahead",
    ),
    "a repeated call is carried out again": (
        {
            "service.store.memory._repeated": _nothing,
            "service.store.memory.MemoryStore.load": _load_without_record,
        },
        "again|twice|refused",
    ),
    "a call is refused behind its change": (
        {"service.hosting.games.Games.times": _fail},
        "refused and changed",
    ),
    "a change is lost": ({"service.store.memory.MemoryStore.commit": _only_say_so}, "not carried out"),
    "entries of the log have no numbers": ({"service.store.memory.LogEntry": _first_entry}, "entry twice"),
    "entries of the log are about another state": (
        {"service.hosting.games.to_item": _item_without_digest},
        "another state",
    ),
    "states have their hidden part": (
        {"service.handlers.hosted.public_message": _open_message},
        "hidden part was",
    ),
    "a text tells the seed": ({"service.handlers.hosted.decision_fields": _telling_decision}, "hidden fact"),
}
"""What is put in the place of what, and what the judge says then."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_would_be_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced, said = FAULTS[fault]
    for target, other in replaced.items():
        monkeypatch.setattr(target, other)
    with pytest.raises(AssertionError, match=said):
        tell(STORIES)
