"""Whatever is asked is answered or refused for a known reason; `tests.fuzz.judging` says what must hold."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finspan.v1 import finspan_pb2 as pb
from tests.fuzz.asking import METHODS, Asked, asked
from tests.fuzz.corpus import RUN, corpus
from tests.fuzz.doors import VARIABLES, InProcess, OverGrpc
from tests.fuzz.judging import CODES, NEVER, Fuzz
from tests.fuzz.volume import ask_case
from tests.load.program import program

CASES = 4000
CASES_OVER_GRPC = 400
chances = given(rng=st.randoms(use_true_random=False))
unhurried = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.fixture(scope="module")
def fuzz() -> Fuzz:
    return Fuzz(InProcess())


@pytest.fixture(scope="module")
def fuzz_over_grpc() -> Iterator[Fuzz]:
    with program(**VARIABLES) as server:
        door = OverGrpc(server.address)
        yield Fuzz(door)
        door.close()
        assert not server.events("unexpected")


@pytest.fixture(scope="module")
def answers(fuzz: Fuzz) -> set[tuple[str, str]]:
    """Every RPC with every answer that it gave to some thousands of cases."""
    for number in range(CASES):
        ask_case(fuzz, f"quick/{number}")
    return {(method, answer) for _, method, answer in fuzz.counts}


def test_every_rpc_is_asked_and_answers(answers: set[tuple[str, str]]) -> None:
    assert {method for method, answer in answers if answer == "OK"} == set(METHODS.keys())


@pytest.mark.parametrize("reason", sorted(CODES.keys() - NEVER - {"ERROR_REASON_REPLY_TOO_LARGE"}))
def test_every_reason_is_met(reason: str, answers: set[tuple[str, str]]) -> None:
    assert reason in {answer for _, answer in answers}


def test_a_real_server_is_asked_over_grpc(fuzz_over_grpc: Fuzz) -> None:
    for number in range(CASES_OVER_GRPC):
        ask_case(fuzz_over_grpc, f"over gRPC/{number}")


@chances
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=unhurried)
def test_whatever_is_asked_is_answered_or_refused(fuzz: Fuzz, rng: random.Random) -> None:
    fuzz.ask(asked(rng), rng)


@pytest.mark.long
@chances
@settings(max_examples=5000, deadline=None, print_blob=True, suppress_health_check=unhurried)
def test_whatever_else_is_asked_is_answered_or_refused(fuzz: Fuzz, rng: random.Random) -> None:
    fuzz.ask(asked(rng), rng)


# The judge notices what it is there for.


NO_CHANCE = random.Random(0)  # noqa: S311  nothing is drawn from it


def test_a_leak_would_be_noticed(fuzz: Fuzz) -> None:
    sealed, unsealed = (next(real for real in corpus() if bool(real.traces) is it) for it in (True, False))
    deck = unsealed.state.open.deck
    packed = deck.SerializeToString()[4 : 4 + RUN]
    request = pb.SampleStatesRequest(state=sealed.state, seed="s", count=1).SerializeToString()
    fuzz.ask(Asked("SampleStates", request, traces=sealed.traces), NO_CHANCE)
    open_request = pb.ApplyMoveRequest(state=unsealed.state, moves=unsealed.moves[:1]).SerializeToString()
    with pytest.raises(AssertionError, match="hidden fact"):
        fuzz.ask(Asked("ApplyMove", open_request, traces=frozenset({packed})), NO_CHANCE)
