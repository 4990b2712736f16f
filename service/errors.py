"""What the service refuses, and the one table that says how each error is answered.

ServiceError
├── Undecodable        bytes that are not the request message
├── InvalidFields      fields that are missing or have values that they cannot have
├── SealBroken         a sealed state that was changed
├── SealKeyUnknown     a state sealed with another server's key
├── HiddenPartMissing  a state without its hidden part
├── GameIsOver         a move, or an end, in a game that is over
├── OtherRulesVersion  a rules version that is not served
├── NotOffered         what this server does not offer
├── DeadlinePassed     a call whose time is over
├── ReplyTooLarge      a reply beyond the server's limit
├── TooManyCalls       more calls at once than the server's limit
├── Draining           a call to a server that is about to stop
├── RequestIdReused    a request id that was used for something else
├── StaleVersion       a hosted game that has moved on
├── GameNotFound       a hosted game that is not there
├── VersionLost        a version that the store has not, or no longer
├── TokenRefused       a token or key that is none
├── NotYourSeat        a move for another seat
├── NotAllowed         what the caller may not do
├── NoStore            a store that does not answer
└── Unexpected         whatever else: a fault of the service

The engine's own errors are answered by the same table. Messages are for people; details are bounded in size,
whatever the request held, since they travel in headers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from finspan.v1 import finspan_pb2 as pb
from service.engine.errors import BadOptions, Fault, IllegalMove, ImpossibleState
from service.engine.rules import RULES_VERSION

DOMAIN: Final = "finspan"
"""The domain of every `google.rpc.ErrorInfo`."""
RETRY_SECONDS: Final = 1
"""When to try again after TooManyCalls, Draining and NoStore."""

MAX_FAULTS_BYTES: Final = 4096
"""What the faults of one answer may take: a client accepts 8 KiB of headers by default."""
MAX_TEXT_BYTES: Final = 300
"""The bytes of UTF-8 at which a text in an answer is cut; each may take three in a header."""


class ServiceError(Exception):
    """What all errors of the service have in common."""


class Undecodable(ServiceError):
    """Bytes that are not the request message."""

    def __init__(self, message: str) -> None:
        super().__init__(f"The bytes are not a {message}.")


class InvalidFields(ServiceError):
    """Fields that are missing or have values that they cannot have; ``faults`` has all of them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__()
        self.faults = faults


class SealBroken(ServiceError):
    """A sealed state that was changed, or its seal; ``faults`` has what could not even be read."""

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        super().__init__("The seal does not fit the state: one of them was changed.")
        self.faults = faults


class SealKeyUnknown(ServiceError):
    """A state that was sealed with a key which this server does not have."""

    def __init__(self, key_id: str) -> None:
        super().__init__(
            f"This server does not have the key {_cut(key_id)!r} that the state was sealed with."
        )
        self.key_id = key_id


class HiddenPartMissing(ServiceError):
    """A state without its hidden part, where it is needed."""

    def __init__(self) -> None:
        super().__init__("The state has no hidden part; only SampleStates takes such a state.")


class GameIsOver(ServiceError):
    """What cannot be done in a game that is over; ``index`` is the place of a move among those given."""

    def __init__(self, index: int | None = None) -> None:
        super().__init__("The game is over (R9.3).")
        self.index = index


class OtherRulesVersion(ServiceError):
    """A rules version that this server does not play."""

    def __init__(self, requested: str) -> None:
        super().__init__(f"This server plays rules version {RULES_VERSION!r}, not {_cut(requested)!r}.")
        self.requested = requested


class NotOffered(ServiceError):
    """What the contract has room for and this server does not offer."""

    def __init__(self, feature: str, text: str) -> None:
        super().__init__(text)
        self.feature = feature


class DeadlinePassed(ServiceError):
    """The time that the caller gave is over."""

    def __init__(self) -> None:
        super().__init__("The time that the caller gave is over.")


class ReplyTooLarge(ServiceError):
    """A reply beyond the server's limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The reply would be larger than {limit} bytes.")
        self.limit = limit


class TooManyCalls(ServiceError):
    """More calls at once than the server's limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"The server is at work on {limit} calls already.")
        self.limit = limit


class Draining(ServiceError):
    """A call to a server that is about to stop."""

    def __init__(self) -> None:
        super().__init__("This server is about to stop and takes no further calls.")


class RequestIdReused(ServiceError):
    """A request id that was used before, by somebody else or for something else."""

    def __init__(self) -> None:
        super().__init__("This request id was used before, by somebody else or for something else.")


class StaleVersion(ServiceError):
    """A hosted game that is at another version than its caller thinks."""

    def __init__(self, current: int) -> None:
        super().__init__(f"The game has moved on: it is at version {current}.")
        self.current = current


class GameNotFound(ServiceError):
    """A hosted game that is not there, or no longer."""

    def __init__(self) -> None:
        super().__init__("There is no such game, or no longer.")


class VersionLost(ServiceError):
    """A version beyond the newest one that the store has."""

    def __init__(self, last: int) -> None:
        super().__init__(f"The newest version kept is {last}; later ones, if there were any, are lost.")
        self.last = last


class TokenRefused(ServiceError):
    """A token or key that is missing, or is none of ours."""


class NotYourSeat(ServiceError):
    """A move while another seat decides."""

    def __init__(self, deciding: int, own: int, index: int, rule: str) -> None:
        text = f"Player {deciding + 1} decides now, and this token is Player {own + 1}'s ({rule})."
        super().__init__(text)
        self.rule = rule
        self.deciding = deciding
        self.own = own
        self.index = index


class NotAllowed(ServiceError):
    """What the caller may not do; ``needs`` says what it takes, for programs."""

    def __init__(self, needs: Literal["administrator", "seat", "api_key"], text: str) -> None:
        super().__init__(text)
        self.needs = needs


class NoStore(ServiceError):
    """The store does not answer."""

    def __init__(self) -> None:
        super().__init__("The store of hosted games does not answer; the same request later may be answered.")


class Unexpected(ServiceError):
    """Whatever is not in the table: a fault of ours, of which the caller learns nothing more."""

    def __init__(self) -> None:
        super().__init__("Something unexpected went wrong; the server's log has it under this request id.")


class Answer(NamedTuple):
    """How one kind of error is answered: status code, reason, and metadata for programs."""

    code: grpc.StatusCode
    reason: pb.ErrorReason.ValueType
    metadata: Callable[[Any], Mapping[str, object]] = lambda _: {}


ANSWERS: Final[Mapping[type[Exception], Answer]] = {
    Undecodable: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_UNDECODABLE),
    InvalidFields: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_INVALID_FIELD),
    BadOptions: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_INVALID_FIELD),
    ImpossibleState: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_IMPOSSIBLE_STATE),
    SealBroken: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_SEAL_BROKEN),
    SealKeyUnknown: Answer(
        grpc.StatusCode.FAILED_PRECONDITION,
        pb.ERROR_REASON_SEAL_KEY_UNKNOWN,
        lambda error: {"key_id": error.key_id},
    ),
    HiddenPartMissing: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_HIDDEN_PART_MISSING),
    IllegalMove: Answer(
        grpc.StatusCode.FAILED_PRECONDITION,
        pb.ERROR_REASON_ILLEGAL_MOVE,
        lambda error: {"rule": error.refusal.rule, "move": error.move_id, "move_index": error.index},
    ),
    GameIsOver: Answer(
        grpc.StatusCode.FAILED_PRECONDITION,
        pb.ERROR_REASON_GAME_OVER,
        lambda error: {"rule": "R9.3"} | ({} if error.index is None else {"move_index": error.index}),
    ),
    OtherRulesVersion: Answer(
        grpc.StatusCode.FAILED_PRECONDITION,
        pb.ERROR_REASON_RULES_VERSION,
        lambda error: {"requested": error.requested, "served": RULES_VERSION},
    ),
    NotOffered: Answer(
        grpc.StatusCode.UNIMPLEMENTED, pb.ERROR_REASON_NOT_OFFERED, lambda error: {"feature": error.feature}
    ),
    DeadlinePassed: Answer(grpc.StatusCode.DEADLINE_EXCEEDED, pb.ERROR_REASON_DEADLINE),
    ReplyTooLarge: Answer(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        pb.ERROR_REASON_REPLY_TOO_LARGE,
        lambda error: {"limit": error.limit},
    ),
    TooManyCalls: Answer(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        pb.ERROR_REASON_TOO_MANY_CALLS,
        lambda error: {"limit": error.limit},
    ),
    Draining: Answer(grpc.StatusCode.UNAVAILABLE, pb.ERROR_REASON_DRAINING),
    RequestIdReused: Answer(grpc.StatusCode.INVALID_ARGUMENT, pb.ERROR_REASON_REQUEST_ID_REUSED),
    StaleVersion: Answer(
        grpc.StatusCode.ABORTED,
        pb.ERROR_REASON_STALE_VERSION,
        lambda error: {"current_version": error.current},
    ),
    GameNotFound: Answer(grpc.StatusCode.NOT_FOUND, pb.ERROR_REASON_GAME_NOT_FOUND),
    VersionLost: Answer(
        grpc.StatusCode.DATA_LOSS, pb.ERROR_REASON_VERSION_LOST, lambda error: {"last_version": error.last}
    ),
    TokenRefused: Answer(grpc.StatusCode.UNAUTHENTICATED, pb.ERROR_REASON_TOKEN_REFUSED),
    NotYourSeat: Answer(
        grpc.StatusCode.PERMISSION_DENIED,
        pb.ERROR_REASON_NOT_YOUR_SEAT,
        lambda error: {
            "rule": error.rule,
            "deciding_seat": error.deciding,
            "own_seat": error.own,
            "move_index": error.index,
        },
    ),
    NotAllowed: Answer(
        grpc.StatusCode.PERMISSION_DENIED,
        pb.ERROR_REASON_NOT_ALLOWED,
        lambda error: {"needs": error.needs},
    ),
    NoStore: Answer(grpc.StatusCode.UNAVAILABLE, pb.ERROR_REASON_STORE_UNAVAILABLE),
    Unexpected: Answer(grpc.StatusCode.INTERNAL, pb.ERROR_REASON_INTERNAL),
}
"""How every error is answered."""

UNEXPECTED: Final = ANSWERS[Unexpected]
"""How whatever is not in the table is answered."""


def _cut(text: str) -> str:
    encoded = text.encode()
    return (
        text if len(encoded) <= MAX_TEXT_BYTES else encoded[:MAX_TEXT_BYTES].decode(errors="ignore") + "..."
    )


def _violation(fault: Fault) -> error_details_pb2.BadRequest.FieldViolation:
    description = f"{_cut(fault.text)} ({fault.rule})" if fault.rule else _cut(fault.text)
    return error_details_pb2.BadRequest.FieldViolation(
        field=_cut(fault.field), description=description, reason=fault.rule
    )


def _bad_request(faults: Sequence[Fault]) -> error_details_pb2.BadRequest:
    """Return the faults as field violations, as many from the first on as there is room for."""
    request = error_details_pb2.BadRequest()
    room = MAX_FAULTS_BYTES
    for violation in map(_violation, faults):
        room -= violation.ByteSize()
        if room < 0:
            break
        request.field_violations.append(violation)
    return request


def _message_of(error: Exception, faults: Sequence[Fault]) -> str:
    text = str(error)
    if isinstance(error, IllegalMove):  # the move stands in the metadata
        text = f"{error.refusal.text} ({error.refusal.rule})"
    if faults and not isinstance(error, SealBroken):
        more = f" (the first of {len(faults)} faults)" if len(faults) > 1 else ""
        text = f"{_cut(faults[0].field)}: {_cut(faults[0].text)}{more}"
    return _cut(text)


def _details_of(error: Exception, answer: Answer, faults: Sequence[Fault]) -> Iterator[Message]:
    metadata = {name: _cut(str(value)) for name, value in answer.metadata(error).items()}
    if faults:
        metadata["faults"] = str(len(faults))
    reason = pb.ErrorReason.Name(answer.reason)
    yield error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    if faults:
        yield _bad_request(faults)
    if isinstance(error, TooManyCalls | Draining | NoStore):
        yield error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(seconds=RETRY_SECONDS))


def answer_of(error: Exception) -> Answer:
    """Return how an error is answered: by its entry in the table, or as `UNEXPECTED`."""
    return ANSWERS.get(type(error), UNEXPECTED)


def status_of(error: Exception) -> status_pb2.Status:
    """Return the status that answers an error."""
    answer = answer_of(error)
    told = Unexpected() if answer is UNEXPECTED else error
    faults = getattr(told, "faults", ())
    status = status_pb2.Status(code=answer.code.value[0], message=_message_of(told, faults))
    for detail in _details_of(told, answer, faults):
        status.details.add().Pack(detail)
    return status
