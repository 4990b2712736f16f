"""Judges answers, and asks on: what a state that was accepted promises must hold."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import uuid4

from google.rpc import error_details_pb2, status_pb2

from finspan.v1 import finspan_pb2 as pb
from service.engine.check import check
from service.errors import ANSWERS, DOMAIN
from service.positions import Positions
from service.seal import Seals, read_keys
from tests.fuzz.asking import Asked, Metadata, reply_type, request_type
from tests.fuzz.corpus import SEAL_KEYS
from tests.fuzz.doors import Answer, Door
from tests.fuzz.keeping import Books, request_of
from tests.fuzz.messages import Value
from tests.fuzz.planting import plant
from tests.fuzz.showing import ADMINISTRATOR
from tests.fuzz.stories import Story

CODES: Final = {pb.ErrorReason.Name(answer.reason): answer.code.name for answer in ANSWERS.values()}
"""Each reason, and the code that goes with it."""
NEVER: Final = {f"ERROR_REASON_{name}" for name in ("UNSPECIFIED", "INTERNAL", "TOO_MANY_CALLS", "DRAINING")}
"""Reasons that no request brings about."""
HEADER_BYTES: Final = 8192
"""What a client of gRPC takes of trailing metadata, unless it is told otherwise."""
HEADER_OVERHEAD: Final = 32
ERROR_INFO: Final = error_details_pb2.ErrorInfo.DESCRIPTOR.full_name
STATUS: Final = "grpc-status-details-bin"
SANE_ID: Final = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)
STEPS: Final = (0, 0, 1, 1, 2, 5)
LENGTHS: Final = (8, 16, 32)
"""How many calls a story may have."""
ALL_MOVES_OF: Final = 0.03
"""Of so many accepted states, every legal move is tried."""

_POSITIONS: Final = Positions(Seals(read_keys(SEAL_KEYS)))


def on_the_wire(details: str, trailing: Metadata) -> int:
    """Return how many bytes the trailing metadata of an error takes, as HTTP/2 counts them."""
    message = sum(1 if 0x20 <= byte <= 0x7E and byte != ord("%") else 3 for byte in details.encode())
    size = message + len("grpc-message") + HEADER_OVERHEAD
    for key, value in trailing:
        length = 4 * (len(value) + 2) // 3 if isinstance(value, bytes) else len(value)
        size += len(key) + length + HEADER_OVERHEAD
    return size


def _details_of(trailing: Metadata) -> status_pb2.Status:
    (raw,) = [value for key, value in trailing if key == STATUS]
    assert isinstance(raw, bytes)
    return status_pb2.Status.FromString(raw)


def judge_error(answer: Answer) -> str:
    """Return the reason of an error that is as promised: one ErrorInfo, its code, and of bounded size."""
    status = _details_of(answer.trailing)
    (detail,) = [detail for detail in status.details if detail.TypeName() == ERROR_INFO]
    info = error_details_pb2.ErrorInfo.FromString(detail.value)
    assert info.domain == DOMAIN
    assert CODES[info.reason] == answer.code
    assert info.reason not in NEVER
    assert status.message == answer.details
    assert on_the_wire(answer.details, answer.trailing) < HEADER_BYTES, "too large for a client's headers"
    return info.reason


def _without_seals(reply: Value) -> bytes:
    """Return a reply's bytes without its seal, which is random."""
    bare = type(reply)()
    bare.CopyFrom(reply)
    if "state" in bare.DESCRIPTOR.fields_by_name and bare.state.HasField("sealed"):
        bare.state.ClearField("hidden")
    raw: bytes = bare.SerializeToString()
    return raw


def judge_secrets(traces: Iterable[bytes], answer: Answer, reply: Value) -> None:
    """See to it that neither an answer, with its reply if it has one, nor the log holds any of this."""
    told_openly = b"" if reply is None else _without_seals(reply)
    status = b"".join(value for _, value in answer.trailing if isinstance(value, bytes))
    told = b"\n".join((told_openly, answer.details.encode(), status, answer.log.encode()))
    for trace in traces:
        assert trace not in told, "a hidden fact leaves the service"


def _judge(asked: Asked, answer: Answer) -> tuple[str, Value]:
    """Return OK with the reply, or the reason of the error with None; fails where a promise is broken."""
    ids = [value for key, value in answer.trailing if key == "x-request-id"]
    assert len(ids) == 1
    assert isinstance(ids[0], str)
    assert SANE_ID.fullmatch(ids[0])
    assert "unexpected" not in answer.log
    reason = "OK"
    reply: Any = None
    if answer.code == "OK":
        reply = reply_type(asked.method).FromString(answer.reply)
    else:
        reason = judge_error(answer)
    if asked.traces:
        judge_secrets(asked.traces, answer, reply)
    return reason, reply


@contextmanager
def _noting(asked: Asked) -> Iterator[None]:
    """Add to an error how to ask again."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"a request of kind {asked.kind}; ask it again with: {asked.command}")
        raise


class Fuzz:
    """Asks at a door, judges, asks on, and counts."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.counts: Counter[tuple[str, str, str]] = Counter()

    @property
    def asked(self) -> int:
        return self.counts.total()

    def _ask(self, asked: Asked) -> tuple[str, Value]:
        with _noting(asked):
            reason, reply = _judge(asked, self._door.ask(asked))
        self.counts[asked.kind, asked.method, reason] += 1
        return reason, reply

    def tell(self, rng: random.Random) -> str:
        """Ask what a story asks about hosted games, and judge what became of them; return the last answer."""
        self._door.renew()
        store, books, tables = self._door.store, None, []
        if store is not None:
            tables = [plant(rng, store)] if rng.random() < 0.5 else []
            books = Books(store)
        story = Story(rng, tables, None if books is None else books.state_of)
        reason = ""
        for _ in range(rng.choice(LENGTHS)):
            reason = self._go_on(story, books)
        self._delete(story.made)
        return reason

    def _go_on(self, story: Story, books: Books | None) -> str:
        asked = story.asked()
        with _noting(asked):
            answer = self._door.ask(asked)
            reason, reply = _judge(asked, answer)
            if books is not None:
                judge_secrets(books.judge(asked, reason, reply), answer, reply)
        self.counts[asked.kind, asked.method, reason] += 1
        story.hear(asked, request_of(asked), reply)
        return reason

    def _delete(self, game_ids: Sequence[str]) -> None:
        """Delete games, so that a server does not fill up with them."""
        for game_id in game_ids if self._door.store is None else ():
            request = pb.DeleteGameRequest(game_id=game_id, request_id=str(uuid4()))
            self._ask(Asked("DeleteGame", request.SerializeToString(), metadata=ADMINISTRATOR.metadata))

    def ask(self, asked: Asked, rng: random.Random) -> str:
        """Ask, and where a state was accepted, ask on; return OK or the reason of the error."""
        reason, reply = self._ask(asked)
        if reason == "OK" and asked.method == "LegalMoves":
            self._ask_on(request_type(asked.method).FromString(asked.raw).state, reply, rng, asked)
        return reason

    def _follow(self, request: Value, asked: Asked) -> Value:
        """Ask what must be answered."""
        method = type(request).__name__.removesuffix("Request")
        follow = Asked(method, request.SerializeToString(), traces=asked.traces)
        reason, reply = self._ask(follow)
        assert reason == "OK", f"{reason} after an accepted state; {follow.command}"
        return reply

    def _ask_on(self, state: pb.GameState, reply: Value, rng: random.Random, asked: Asked) -> None:
        if state.HasField("open"):
            assert check(_POSITIONS.read(state).state) == []
        if rng.random() < ALL_MOVES_OF:
            self._try_all(state, reply, asked)
        for _ in range(rng.choice(STEPS)):
            assert reply.over == (not reply.legal_moves) == (not reply.HasField("decision"))
            if reply.over:
                return
            move = rng.choice(reply.legal_moves).move
            reply = self._follow(pb.ApplyMoveRequest(state=state, moves=[move], with_legal_moves=True), asked)
            assert (reply.applied, reply.version) == (1, state.version + 1)
            state = reply.state

    def _try_all(self, state: pb.GameState, reply: Value, asked: Asked) -> None:
        """Every move that is listed is accepted, and scoring and sampling work as well."""
        for legal in reply.legal_moves:
            request = pb.ApplyMoveRequest(state=state, moves=[legal.move], validate_only=True)
            self._follow(request, asked)
        self._follow(pb.ScoreRequest(state=state), asked)
        samples = self._follow(pb.SampleStatesRequest(state=state, seed="s", count=1), asked)
        again = self._follow(pb.LegalMovesRequest(state=samples.states[0]), asked)
        assert again.digest == reply.digest
        assert again.legal_moves == reply.legal_moves
