"""Every error of the contract arrives as its exception, with all that the status says."""

import re
from collections.abc import Iterable, Mapping

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest as BadRequestDetail
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

import finspan
from finspan import errors
from finspan.calls import SERVICE
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer

Code = grpc.StatusCode
REASONS: Mapping[str, tuple[Code, type[finspan.FinspanError]]] = {
    "UNDECODABLE": (Code.INVALID_ARGUMENT, finspan.Undecodable),
    "INVALID_FIELD": (Code.INVALID_ARGUMENT, finspan.BadRequest),
    "IMPOSSIBLE_STATE": (Code.INVALID_ARGUMENT, finspan.ImpossibleState),
    "SEAL_BROKEN": (Code.INVALID_ARGUMENT, finspan.SealBroken),
    "SEAL_KEY_UNKNOWN": (Code.FAILED_PRECONDITION, finspan.SealKeyUnknown),
    "HIDDEN_PART_MISSING": (Code.INVALID_ARGUMENT, finspan.HiddenPartMissing),
    "ILLEGAL_MOVE": (Code.FAILED_PRECONDITION, finspan.IllegalMove),
    "GAME_OVER": (Code.FAILED_PRECONDITION, finspan.GameIsOver),
    "RULES_VERSION": (Code.FAILED_PRECONDITION, finspan.RulesVersionMismatch),
    "NOT_OFFERED": (Code.UNIMPLEMENTED, finspan.NotOffered),
    "DEADLINE": (Code.DEADLINE_EXCEEDED, finspan.DeadlineExceeded),
    "REPLY_TOO_LARGE": (Code.RESOURCE_EXHAUSTED, finspan.ReplyTooLarge),
    "TOO_MANY_CALLS": (Code.RESOURCE_EXHAUSTED, finspan.TooManyCalls),
    "DRAINING": (Code.UNAVAILABLE, finspan.Unavailable),
    "REQUEST_ID_REUSED": (Code.INVALID_ARGUMENT, finspan.RequestIdReused),
    "STALE_VERSION": (Code.ABORTED, finspan.StaleVersion),
    "GAME_NOT_FOUND": (Code.NOT_FOUND, finspan.GameNotFound),
    "VERSION_LOST": (Code.DATA_LOSS, finspan.VersionLost),
    "TOKEN_REFUSED": (Code.UNAUTHENTICATED, finspan.TokenRefused),
    "NOT_YOUR_SEAT": (Code.PERMISSION_DENIED, finspan.NotYourSeat),
    "NOT_ALLOWED": (Code.PERMISSION_DENIED, finspan.NotAllowed),
    "STORE_UNAVAILABLE": (Code.UNAVAILABLE, finspan.StoreUnavailable),
    "INTERNAL": (Code.INTERNAL, finspan.FinspanError),
}
CODES: Mapping[Code, type[finspan.FinspanError]] = {
    Code.INVALID_ARGUMENT: finspan.BadRequest,
    Code.UNIMPLEMENTED: finspan.NotOffered,
    Code.DEADLINE_EXCEEDED: finspan.DeadlineExceeded,
    Code.RESOURCE_EXHAUSTED: finspan.ResourceExhausted,
    Code.INTERNAL: finspan.FinspanError,
    Code.PERMISSION_DENIED: finspan.FinspanError,
}


def info(reason: str, domain: str = "finspan", **metadata: str) -> ErrorInfo:
    return ErrorInfo(reason=f"ERROR_REASON_{reason}", domain=domain, metadata=metadata)


def status_of(code: Code, message: str, details: Iterable[Message] = ()) -> grpc.Status:
    status = Status(code=code.value[0], message=message)
    for detail in details:
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return rpc_status.to_status(status)


def answer_with(server: StubServer, status: grpc.Status) -> None:
    def answer(_method: str, _request: bytes, context: grpc.ServicerContext) -> Message:
        context.abort_with_status(status)
        raise AssertionError("aborting raises")

    server.answer = answer


def error_at(server: StubServer, code: Code, message: str = "No.", *details: Message) -> finspan.FinspanError:
    answer_with(server, status_of(code, message, details))
    with finspan.Client(server.address) as client, pytest.raises(finspan.FinspanError) as caught:
        client.score(v1.GameState())
    return caught.value


def test_every_reason_of_the_contract_has_its_exception() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in set(v1.ErrorReason.keys())} - {"UNSPECIFIED"}
    assert set(REASONS) == names


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_decides_the_exception(stub_server: StubServer, reason: str) -> None:
    code, kind = REASONS[reason]
    error = error_at(stub_server, code, "Because.", info(reason, some="thing"))
    assert type(error) is kind
    assert (error.code, error.reason, error.text, str(error)) == (code, reason, "Because.", "Because.")
    assert error.metadata == {"some": "thing"}


@pytest.mark.parametrize("code", CODES)
def test_without_a_reason_the_code_decides(stub_server: StubServer, code: Code) -> None:
    error = error_at(stub_server, code)
    assert type(error) is CODES[code]
    assert (error.code, error.reason, error.metadata, error.faults) == (code, "", {}, ())


def test_a_reason_of_another_domain_is_no_reason(stub_server: StubServer) -> None:
    error = error_at(stub_server, Code.INTERNAL, "No.", info("ILLEGAL_MOVE", domain="proxy.example"))
    assert type(error) is finspan.FinspanError


def test_a_reason_of_a_newer_contract_falls_back_to_the_code(stub_server: StubServer) -> None:
    error = error_at(stub_server, Code.INVALID_ARGUMENT, "No.", info("NEVER_HEARD_OF"))
    assert type(error) is finspan.BadRequest
    assert error.reason == "NEVER_HEARD_OF"


def test_an_illegal_move_tells_its_rule_its_id_and_its_place(stub_server: StubServer) -> None:
    details = info("ILLEGAL_MOVE", rule="R5.1", move="play:95@P3", move_index="2")
    error = error_at(stub_server, Code.FAILED_PRECONDITION, "It costs 1 card.", details)
    assert isinstance(error, finspan.IllegalMove)
    assert (error.rule, error.move, error.move_index) == ("R5.1", "play:95@P3", 2)


def test_an_impossible_state_tells_every_fault(stub_server: StubServer) -> None:
    violation = BadRequestDetail.FieldViolation
    faults = BadRequestDetail(
        field_violations=[
            violation(field="players[0].hand", description="Card 3 is in two places (R1.6)", reason="R1.6"),
            violation(field="week", description="It is missing."),
        ]
    )
    error = error_at(stub_server, Code.INVALID_ARGUMENT, "Two faults.", info("IMPOSSIBLE_STATE"), faults)
    assert error.faults == (
        finspan.Fault("players[0].hand", "Card 3 is in two places (R1.6)", "R1.6"),
        finspan.Fault("week", "It is missing."),
    )


def test_another_rules_version_tells_both(stub_server: StubServer) -> None:
    details = info("RULES_VERSION", requested="1", served="2")
    error = error_at(stub_server, Code.FAILED_PRECONDITION, "No.", details)
    assert isinstance(error, finspan.RulesVersionMismatch)
    assert (error.requested, error.served) == ("1", "2")


def test_too_many_calls_tell_the_limit_and_when_to_try_again(stub_server: StubServer) -> None:
    retry = RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000))
    error = error_at(stub_server, Code.RESOURCE_EXHAUSTED, "No.", info("TOO_MANY_CALLS", limit="100"), retry)
    assert isinstance(error, finspan.TooManyCalls)
    assert (error.limit, error.retry_after) == (100, 1.5)


def test_a_feature_and_a_key_are_named(stub_server: StubServer) -> None:
    missing = error_at(stub_server, Code.UNIMPLEMENTED, "No.", info("NOT_OFFERED", feature="game_id"))
    unknown = error_at(stub_server, Code.FAILED_PRECONDITION, "No.", info("SEAL_KEY_UNKNOWN", key_id="2025"))
    assert isinstance(missing, finspan.NotOffered)
    assert missing.feature == "game_id"
    assert isinstance(unknown, finspan.SealKeyUnknown)
    assert unknown.key_id == "2025"


def test_versions_and_seats_are_told(stub_server: StubServer) -> None:
    stale = error_at(stub_server, Code.ABORTED, "No.", info("STALE_VERSION", current_version="7"))
    lost = error_at(stub_server, Code.DATA_LOSS, "No.", info("VERSION_LOST", last_version="5"))
    seats = info("NOT_YOUR_SEAT", deciding_seat="2", own_seat="1", move_index="3")
    other = error_at(stub_server, Code.PERMISSION_DENIED, "No.", seats)
    denied = error_at(stub_server, Code.PERMISSION_DENIED, "No.", info("NOT_ALLOWED", needs="a key"))
    assert isinstance(stale, finspan.StaleVersion)
    assert stale.current_version == 7
    assert isinstance(lost, finspan.VersionLost)
    assert lost.last_version == 5
    assert isinstance(other, finspan.NotYourSeat)
    assert (other.deciding_seat, other.own_seat, other.move_index) == (2, 1, 3)
    assert isinstance(denied, finspan.NotAllowed)
    assert denied.needs == "a key"


def test_a_store_that_does_not_answer_tells_when_to_try_again(stub_server: StubServer) -> None:
    retry = RetryInfo(retry_delay=Duration(seconds=1))
    error = error_at(stub_server, Code.UNAVAILABLE, "No.", info("STORE_UNAVAILABLE"), retry)
    assert isinstance(error, finspan.StoreUnavailable)
    assert error.retry_after == 1


def test_the_request_id_is_kept(stub_server: StubServer) -> None:
    status = status_of(Code.INTERNAL, "No.")
    trailing = (*status.trailing_metadata, ("x-request-id", "r-1"))
    answer_with(stub_server, status._replace(trailing_metadata=trailing))  # type: ignore[attr-defined]
    with finspan.Client(stub_server.address) as client, pytest.raises(finspan.FinspanError) as caught:
        client.score(v1.GameState())
    assert caught.value.request_id == "r-1"


@pytest.mark.parametrize(
    "garbage",
    [b"\xff\xff", Status(code=3, message="another status").SerializeToString()],
    ids=["no status", "another status"],
)
def test_details_that_do_not_belong_to_the_call_are_left_out(stub_server: StubServer, garbage: bytes) -> None:
    status = status_of(Code.UNIMPLEMENTED, "No.")
    trailing = (("grpc-status-details-bin", garbage),)
    answer_with(stub_server, status._replace(trailing_metadata=trailing))  # type: ignore[attr-defined]
    with finspan.Client(stub_server.address) as client, pytest.raises(finspan.NotOffered) as caught:
        client.score(v1.GameState())
    assert caught.value.reason == ""


async def test_an_asyncio_call_fails_with_the_same_exceptions(stub_server: StubServer) -> None:
    answer_with(stub_server, status_of(Code.FAILED_PRECONDITION, "No.", [info("ILLEGAL_MOVE", rule="R4.1")]))
    async with grpc.aio.insecure_channel(stub_server.address) as channel:
        score: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/Score")
        with pytest.raises(finspan.IllegalMove) as caught, errors.errors_decoded():
            await score(b"")
    assert caught.value.rule == "R4.1"


def test_the_tree_at_the_top_is_the_tree() -> None:
    lines = re.findall(r"^([│├└─ ]*)(\w+) {2,}\S", errors.__doc__ or "", re.MULTILINE)
    drawn, path = {}, [""]
    for indent, name in lines:
        path[len(indent) // 4 :] = [name]
        drawn[name] = path[-2] if len(path) > 1 else "Exception"
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    real = {
        kind.__name__: kind.__mro__[1].__name__ for kind in kinds if issubclass(kind, finspan.FinspanError)
    }
    assert drawn == real
