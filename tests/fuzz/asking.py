"""What is asked: a request to some RPC, as bytes, with metadata, made by chance; here of carried states."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any, Final, NamedTuple

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.moves import UNIVERSE
from service.hosting.seats import Claims
from tests.fuzz.corpus import Real, Traces, corpus
from tests.fuzz.messages import BIG_NUMBERS, TEXTS, Value, change, invented, recoral, retoken, trade, unbuild

Metadata = tuple[tuple[str, str | bytes], ...]
METHODS: Final = pb.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name
_LIKING: Final = (
    ["LegalMoves"] * 5 + ["ApplyMove"] * 5 + ["Score"] * 2 + ["SampleStates", "NewGame", "GetCatalog"]
)
HIDDEN_SEED: Final = "a seed that nobody may see"
FEW: Final = 5
"""Samples asked for, that a million requests do not take days."""


class Shown(NamedTuple):
    """What a caller shows of a token and keys, and what it means."""

    metadata: Metadata = ()
    claims: Claims | None = None
    """What the token says that is shown; None: none is, or a bad one."""
    is_admin: bool = False
    """Whether an administrator's key is shown."""
    may_create: bool = False
    """Whether a key is shown that games are made with."""
    is_bad: bool = False
    """Whether a token or a key is shown that was never issued, was changed, or has expired."""


NOTHING: Final = Shown()


class Outage(NamedTuple):
    """A store that goes away while it is asked."""

    step: int
    """The first step of the call that gets no answer."""
    is_done: bool
    """Whether that step is carried out all the same."""


@dataclass(frozen=True)
class Asked:
    """One call: the request's bytes, how it came about, and what its answer must not hold."""

    method: str
    raw: bytes
    kind: str = "follow-up"
    metadata: Metadata = ()
    seconds_left: float | None = None
    traces: Traces = frozenset()
    server: int | None = None
    """Which of the servers that share a store is asked; None: one that hosts no games."""
    shown: Shown = NOTHING
    outage: Outage | None = None

    @property
    def command(self) -> str:
        """The command that asks it again, without the games that a store has."""
        options = [f"--method {self.method}", f"--bytes {self.raw.hex() or '-'}"]
        options += [
            f"--metadata {quote(f'{name}={value}')}"
            for name, value in self.metadata
            if isinstance(value, str) and "\n" not in value
        ]
        return " ".join(["python -m tests.fuzz", *options])


def reply_type(method: str) -> type[Any]:
    kind: type[Any] = getattr(pb, METHODS[method].output_type.name)
    return kind


def request_type(method: str) -> type[Any]:
    kind: type[Any] = getattr(pb, METHODS[method].input_type.name)
    return kind


# Real requests.


def some_moves(rng: random.Random, legal: Sequence[pb.Move]) -> list[pb.Move]:
    """Return moves, the first of them one of the legal ones as a rule."""
    others = [move_message(move) for move in rng.sample(UNIVERSE, rng.choice((0, 0, 0, 1, 3)))]
    first = [rng.choice(legal)] if legal and rng.random() < 0.9 else []
    return first + others


def _new_game(rng: random.Random, _real: Real) -> Value:
    expansions = [pb.EXPANSION_SHARKS_AND_REEFS] if rng.random() < 0.5 else []
    options = pb.GameOptions(side=rng.choice(pb.BoardSide.values()), expansions=expansions)
    form = rng.choice([pb.STATE_FORM_UNSPECIFIED, pb.STATE_FORM_SEALED, pb.STATE_FORM_OPEN])
    return pb.NewGameRequest(players=rng.randint(1, 5), options=options, seed=HIDDEN_SEED, form=form)


def _legal_moves(rng: random.Random, real: Real) -> Value:
    asks_why = rng.random() < 0.3
    why = some_moves(rng, real.moves) if asks_why else []
    return pb.LegalMovesRequest(state=real.state, why_not=asks_why, why_not_moves=why)


def _apply_move(rng: random.Random, real: Real) -> Value:
    return pb.ApplyMoveRequest(
        state=real.state,
        moves=some_moves(rng, real.moves),
        validate_only=rng.random() < 0.2,
        with_legal_moves=rng.random() < 0.5,
    )


def _samples(rng: random.Random, real: Real) -> Value:
    return pb.SampleStatesRequest(state=real.state, seed=rng.choice(TEXTS), count=rng.randint(1, FEW))


_REAL: Final[dict[str, Callable[[random.Random, Real], Value]]] = {
    "NewGame": _new_game,
    "LegalMoves": _legal_moves,
    "ApplyMove": _apply_move,
    "Score": lambda _rng, real: pb.ScoreRequest(state=real.state),
    "SampleStates": _samples,
    "GetCatalog": lambda _rng, _real: pb.GetCatalogRequest(),
}


# Changed ones.


def _changed(rng: random.Random, method: str, real: Real) -> Value:
    request = _REAL[method](rng, real)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        if "state" in request.DESCRIPTOR.fields_by_name and rng.random() < 0.8:
            rng.choice(CHANGES_OF_STATES)(rng, request.state)
        else:
            change(rng, request)
    return request


def _graft(rng: random.Random, state: Value) -> None:
    """Put a part of another state in the place of this one's."""
    other = rng.choice(corpus()).state
    field, value = rng.choice(other.ListFields())
    state.ClearField(field.name)
    if field.is_repeated:
        getattr(state, field.name).extend(value)
    elif field.message_type:
        getattr(state, field.name).CopyFrom(value)
    else:
        setattr(state, field.name, value)


CHANGES_OF_STATES: Final[list[Callable[[random.Random, Value], None]]] = [
    *(change, change, change),
    *(trade, retoken, recoral, unbuild, _graft),
]


# Bytes.


def _with_byte(rng: random.Random, raw: bytes, start: int, _end: int) -> bytes:
    byte = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    return raw[:start] + bytes([byte]) + raw[start + 1 :]


Tear = Callable[[random.Random, bytes, int, int], bytes]
TEARS: Final[list[Tear]] = [
    _with_byte,
    _with_byte,
    lambda _rng, raw, start, end: raw[:start] + raw[end:],
    lambda _rng, raw, start, end: raw[:end] + raw[start:],
    lambda rng, raw, start, _end: raw[:start] + rng.randbytes(rng.choice((1, 2, 12))) + raw[start:],
    lambda _rng, raw, start, _end: raw[:start],
]


def _torn(rng: random.Random, raw: bytes) -> bytes:
    """Change bytes: one of them, a piece left out, doubled or put in, or the end cut off."""
    start = rng.randrange(len(raw) + 1)
    return rng.choice(TEARS)(rng, raw, start, start + rng.choice((1, 2, 8, 100)))


OPEN_GROUP: Final = b"\xfb\x01"
"""Begins a group, of a field that nobody knows."""


def noise(rng: random.Random, raw: bytes) -> bytes:
    chance = rng.randrange(8)
    if chance == 0:
        return rng.randbytes(rng.choice((0, 1, 10, 200)))
    if chance == 1:
        return raw + OPEN_GROUP * rng.choice((1, 40, 99, 101, 5000))
    if chance == 2:
        return raw + raw
    for _ in range(rng.choice((1, 1, 2, 4))):
        raw = _torn(rng, raw)
    return raw


STRANGE: Final[list[Metadata]] = [
    *(
        (("x-request-id", text),)
        for text in ("", "an id", "fine-1", "x" * 65, "x" * 4000, "\u00e4", "a\nb", "%0a")
    ),
    (("x-request-id", b"bytes"),),
    (("x-request-id", "one"), ("x-request-id", "two")),
    (("other", "x" * 1000), ("other-bin", b"\xff\0")),
]


def _traces(method: str, request: Value, real: Real) -> Traces:
    """Return what the answer must not hold; a request that holds it openly does not count."""
    if method == "NewGame":
        is_sealed = request.form in (pb.STATE_FORM_UNSPECIFIED, pb.STATE_FORM_SEALED)
        is_asked = request.seed == HIDDEN_SEED and HIDDEN_SEED not in request.display_names
        return frozenset({HIDDEN_SEED.encode()} if is_sealed and is_asked else ())
    return real.traces


def strange(rng: random.Random) -> Metadata:
    """Return metadata, strange ones now and then."""
    return rng.choice(STRANGE) if rng.random() < 0.1 else ()


def seconds_left(rng: random.Random) -> float | None:
    """Return how long the caller waits: for ever as a rule."""
    return rng.choice((0.0, -1.0, 1e-9, 1e9)) if rng.random() < 0.02 else None


def limit(request: Value) -> None:
    """Let a request ask for few samples, or for far too many."""
    if isinstance(request, pb.SampleStatesRequest) and FEW < request.count < min(BIG_NUMBERS):
        request.count = FEW


def asked(rng: random.Random) -> Asked:
    """Return a call of chance about a state that its caller carries."""
    method, real = rng.choice(_LIKING), rng.choice(corpus())
    kind = rng.choice(("changed",) * 6 + ("invented", "invented", "bytes", "bytes"))
    is_invented = kind == "invented"
    request = invented(rng, METHODS[method].input_type) if is_invented else _changed(rng, method, real)
    limit(request)
    raw = request.SerializeToString(deterministic=True)
    if kind == "bytes":
        raw = noise(rng, raw)
    return Asked(method, raw, kind, strange(rng), seconds_left(rng), _traces(method, request, real))
