"""What can go wrong with a call, as exceptions.

FinspanError                  all of them: code, reason, text, metadata, faults, request id
├── MoveRefused               a move that is not possible now: rule, index in the call
│   ├── IllegalMove           the rules do not allow it: move id
│   ├── GameIsOver            the game is over
│   └── NotYourSeat           another seat decides: deciding seat, own seat
├── BadRequest                the request is wrong; its faults by field
│   ├── Undecodable           the bytes are no request
│   ├── ImpossibleState       the state contradicts itself or the rules; its faults by field
│   └── RequestIdReused       the request id was used before, for something else
├── UnusableState             this server cannot go on from the state
│   ├── SealBroken            a sealed state or its seal was changed
│   ├── SealKeyUnknown        sealed with a key that this server does not have: key id
│   ├── HiddenPartMissing     no hidden part, as in states of hosted games
│   └── RulesVersionMismatch  made for other rules: requested, served
├── NotOffered                this server does not have it, hosted games for example: feature
├── StaleVersion              a hosted game has moved on: current version
├── VersionLost               the store lost newer versions of a hosted game: last version
├── GameNotFound              there is no such hosted game, or no longer
├── TokenRefused              the token or key is missing, forged, expired, void or for another game
├── NotAllowed                the caller may not do this: needs
├── Unavailable               no server, or it is draining
│   └── StoreUnavailable      the store of hosted games does not answer: when to try again
├── DeadlineExceeded          no answer in time
├── ClientClosed              the client was closed before
└── ResourceExhausted         more than the server gives: limit, when to try again
    ├── ReplyTooLarge         the reply would be larger than that
    └── TooManyCalls          more calls at once than that

A status that none of these stands for, such as INTERNAL, is a plain `FinspanError`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest as BadRequestDetail
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

DOMAIN: Final = "finspan"
"""The domain of every ErrorInfo that the service makes."""
REQUEST_ID_KEY: Final = "x-request-id"
"""The trailing metadata that names the request."""
_REASON_PREFIX: Final = "ERROR_REASON_"
_NANOSECOND: Final = 1e-9

Detail = TypeVar("Detail", bound=Message)


class Fault(NamedTuple):
    """One thing that is wrong with a request: the field as a path, a sentence, and the rule if it is one."""

    field: str
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call's status, decoded: the same for every transport."""

    code: grpc.StatusCode
    message: str = ""
    reason: str = ""
    """The name of an ErrorReason without its prefix, such as ``ILLEGAL_MOVE``; empty if there is none."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    retry_after: float | None = None
    """Seconds after which to try again, if the service named any."""
    request_id: str = ""


class FinspanError(Exception):
    """A call that failed; ``failure`` has all that the service said."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message or failure.code.name)
        self.failure = failure

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is made again in another process: as it is, whatever its class asks for."""
        return type(self).__new__, (type(self), *self.args), vars(self)

    @property
    def code(self) -> grpc.StatusCode:
        """The status code."""
        return self.failure.code

    @property
    def reason(self) -> str:
        """The name of the ErrorReason, such as ``ILLEGAL_MOVE``; empty if the service named none."""
        return self.failure.reason

    @property
    def text(self) -> str:
        """The service's sentence for people."""
        return self.failure.message

    @property
    def metadata(self) -> Mapping[str, str]:
        """What the service says to programs."""
        return self.failure.metadata

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the request, field by field; of very many, the first."""
        return self.failure.faults

    @property
    def request_id(self) -> str:
        """The id under which the server logs the call; empty if the server was not reached."""
        return self.failure.request_id


class MoveRefused(FinspanError):
    """A move is not possible now; no move of the call was carried out."""

    @property
    def rule(self) -> str:
        """The rule that forbids it, such as ``R5.1``."""
        return self.metadata.get("rule", "")

    @property
    def move_index(self) -> int:
        """Which of the call's moves it is, counted from 0."""
        return int(self.metadata.get("move_index", "0"))


class IllegalMove(MoveRefused):
    """The rules do not allow a move now."""

    @property
    def move(self) -> str:
        """The id of the move, such as ``play:95@P3``."""
        return self.metadata.get("move", "")


class GameIsOver(MoveRefused):
    """A move was made in a game that is over."""


class BadRequest(FinspanError):
    """The request is wrong; ``faults`` has what is wrong with it."""


class Undecodable(BadRequest):
    """The bytes are no request of the contract."""


class ImpossibleState(BadRequest):
    """A state that contradicts itself or the rules; ``faults`` has all of it."""


class RequestIdReused(BadRequest):
    """The request id was used before, for something else."""


class UnusableState(FinspanError):
    """This server cannot go on from the state."""


class SealBroken(UnusableState):
    """A sealed state or its seal was changed."""


class SealKeyUnknown(UnusableState):
    """The state was sealed with a key that this server does not have."""

    @property
    def key_id(self) -> str:
        """The id of the key."""
        return self.metadata.get("key_id", "")


class HiddenPartMissing(UnusableState):
    """The state has no hidden part, as those of hosted games; only samples can be drawn from it."""


class RulesVersionMismatch(UnusableState):
    """The state, or the catalogue asked for, is of rules that this server does not play."""

    @property
    def requested(self) -> str:
        """The rules version asked for."""
        return self.metadata.get("requested", "")

    @property
    def served(self) -> str:
        """The rules version that the server plays."""
        return self.metadata.get("served", "")


class NotOffered(FinspanError):
    """This server does not have what was asked for."""

    @property
    def feature(self) -> str:
        """What was asked for."""
        return self.metadata.get("feature", "")


class StaleVersion(FinspanError):
    """A hosted game has moved on: somebody was faster, and the moves were not made."""

    @property
    def current_version(self) -> int:
        """The version that the game is at."""
        return int(self.metadata.get("current_version", "0"))


class VersionLost(FinspanError):
    """The call speaks of a version of a hosted game that the store has not; if it was seen, it was lost."""

    @property
    def last_version(self) -> int:
        """The newest version that there is, to go on from."""
        return int(self.metadata.get("last_version", "0"))


class GameNotFound(FinspanError):
    """There is no such hosted game, or no longer."""


class TokenRefused(FinspanError):
    """The token or the key is missing, forged, expired, void or for another game."""


class NotYourSeat(MoveRefused):
    """A move was made in a hosted game while another seat decides."""

    @property
    def deciding_seat(self) -> int:
        """The seat that decides."""
        return int(self.metadata.get("deciding_seat", "0"))

    @property
    def own_seat(self) -> int:
        """The seat of the token."""
        return int(self.metadata.get("own_seat", "0"))


class NotAllowed(FinspanError):
    """The caller may not do this; it is for administrators, for example."""

    @property
    def needs(self) -> str:
        """Whose it is to do: ``administrator``, ``seat`` or ``api_key``."""
        return self.metadata.get("needs", "")


class Unavailable(FinspanError):
    """No server answers, or it is draining; retries have been made."""


class StoreUnavailable(Unavailable):
    """The store of hosted games does not answer; whether a change has happened is not known."""

    @property
    def retry_after(self) -> float | None:
        """Seconds after which to try again; None if the service names none."""
        return self.failure.retry_after


class DeadlineExceeded(FinspanError):
    """No answer came in time."""


class ClientClosed(FinspanError):
    """The client was closed before the call, or the one that it shares its channel with."""

    def __init__(self) -> None:
        super().__init__(Failure(grpc.StatusCode.CANCELLED, "The client is closed."))


class ResourceExhausted(FinspanError):
    """The call asks for more than the server gives."""

    @property
    def limit(self) -> int | None:
        """The limit, if the server names it: bytes of a reply, or calls at once."""
        limit = self.metadata.get("limit")
        return None if limit is None else int(limit)

    @property
    def retry_after(self) -> float | None:
        """Seconds after which to try again; None if that will not help."""
        return self.failure.retry_after


class ReplyTooLarge(ResourceExhausted):
    """The reply would be larger than the server allows."""


class TooManyCalls(ResourceExhausted):
    """More calls at once than the server allows."""


_BY_REASON: Final[Mapping[str, type[FinspanError]]] = {
    "UNDECODABLE": Undecodable,
    "INVALID_FIELD": BadRequest,
    "IMPOSSIBLE_STATE": ImpossibleState,
    "SEAL_BROKEN": SealBroken,
    "SEAL_KEY_UNKNOWN": SealKeyUnknown,
    "HIDDEN_PART_MISSING": HiddenPartMissing,
    "ILLEGAL_MOVE": IllegalMove,
    "GAME_OVER": GameIsOver,
    "RULES_VERSION": RulesVersionMismatch,
    "NOT_OFFERED": NotOffered,
    "DEADLINE": DeadlineExceeded,
    "REPLY_TOO_LARGE": ReplyTooLarge,
    "TOO_MANY_CALLS": TooManyCalls,
    "DRAINING": Unavailable,
    "REQUEST_ID_REUSED": RequestIdReused,
    "STALE_VERSION": StaleVersion,
    "GAME_NOT_FOUND": GameNotFound,
    "VERSION_LOST": VersionLost,
    "TOKEN_REFUSED": TokenRefused,
    "NOT_YOUR_SEAT": NotYourSeat,
    "NOT_ALLOWED": NotAllowed,
    "STORE_UNAVAILABLE": StoreUnavailable,
    "INTERNAL": FinspanError,
}
_BY_CODE: Final[Mapping[grpc.StatusCode, type[FinspanError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: BadRequest,
    grpc.StatusCode.UNIMPLEMENTED: NotOffered,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhausted,
}
"""For what has no reason: made by gRPC itself, or by something between client and server."""


@contextmanager
def errors_decoded() -> Iterator[None]:
    """Raise what goes wrong with a call inside as a `FinspanError`; for `grpc` and `grpc.aio` alike."""
    try:
        yield
    except grpc.RpcError as error:
        raise error_of(failure_of(error)) from error


def error_of(failure: Failure) -> FinspanError:
    """Return the exception that stands for a failure: by its reason, else by its code."""
    by_code = _BY_CODE.get(failure.code, FinspanError)
    return _BY_REASON.get(failure.reason, by_code)(failure)


def failure_of(error: grpc.RpcError) -> Failure:
    """Return what a failed call says, of `grpc` or of `grpc.aio`: its status with all details."""
    call = cast("grpc.Call", error)  # every error that a call raises is the call itself
    status = _status_of(call)
    info = next((info for info in _details(status, ErrorInfo) if info.domain == DOMAIN), ErrorInfo())
    return Failure(
        code=call.code(),
        message=call.details() or "",
        reason=info.reason.removeprefix(_REASON_PREFIX),
        metadata=dict(info.metadata),
        faults=tuple(_faults(status)),
        retry_after=next(map(_seconds, _details(status, RetryInfo)), None),
        request_id=_request_id(call),
    )


def _status_of(call: grpc.Call) -> Status:
    """Return the rich status; an empty one if there is none or if it does not fit the call."""
    try:
        return rpc_status.from_call(call) or Status()
    except (ValueError, DecodeError):
        return Status()


def _details(status: Status, kind: type[Detail]) -> Iterator[Detail]:
    for packed in status.details:
        detail = kind()
        if packed.Unpack(detail):
            yield detail


def _faults(status: Status) -> Iterator[Fault]:
    for detail in _details(status, BadRequestDetail):
        for violation in detail.field_violations:
            yield Fault(violation.field, violation.description, violation.reason)


def _seconds(retry: RetryInfo) -> float:
    return retry.retry_delay.seconds + retry.retry_delay.nanos * _NANOSECOND


def _request_id(call: grpc.Call) -> str:
    pairs = dict(call.trailing_metadata() or ())
    value = pairs.get(REQUEST_ID_KEY, "")
    return value if isinstance(value, str) else value.decode(errors="replace")
