"""The service in process is the service: the same replies, and the same refusals."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeAlias

import pytest
from google.protobuf.message import Message

import finspan
from finspan import LocalService, Service, serving
from finspan.v1 import finspan_pb2 as v1

Ask: TypeAlias = Callable[[Service], Message]


@pytest.fixture(scope="module")
def client(real_server: str) -> Iterator[finspan.Client]:
    with finspan.Client(real_server) as client:
        yield client


def opening(service: Service) -> v1.GameState:
    return service.new_game(2, seed="s", form="open").state


ANSWERED: dict[str, Ask] = {
    "an open game": lambda service: service.new_game(
        3, seed="s", side="b", names=["A", "B", "C"], form="open"
    ),
    "a game with reefs": lambda service: service.new_game(
        2, seed="s", expansions=["sharks_and_reefs"], form="open"
    ),
    "legal moves": lambda service: service.legal_moves(opening(service), why_not=True),
    "moves": lambda service: service.apply_move(opening(service), "dive:blue"),
    "a dry run": lambda service: service.apply_move(opening(service), "dive:blue", validate_only=True),
    "a score": lambda service: service.score(opening(service)),
    "samples": lambda service: service.sample_states(opening(service), seed="s", count=20),
    "the catalogue": lambda service: service.get_catalog(),
}
REFUSED: dict[str, tuple[type[finspan.FinspanError], Ask]] = {
    "players": (finspan.BadRequest, lambda service: service.new_game(6)),
    "an expansion twice": (
        finspan.BadRequest,
        lambda service: service.new_game(expansions=["sharks_and_reefs"] * 2),
    ),
    "another rules version": (finspan.RulesVersionMismatch, lambda service: service.get_catalog("none")),
    "an illegal move": (
        finspan.IllegalMove,
        lambda service: service.apply_move(opening(service), "dive:blue", "dive:blue"),
    ),
    "no state": (finspan.BadRequest, lambda service: service.score(v1.GameState())),
    "a state without hidden part": (
        finspan.HiddenPartMissing,
        lambda service: service.score(without_hidden_part(opening(service))),
    ),
    "a changed seal": (finspan.SealBroken, lambda service: service.score(changed(service.new_game().state))),
    "another seal": (
        finspan.SealKeyUnknown,
        lambda service: service.score(LocalService().new_game(seed="s").state),
    ),
    "too many moves": (
        finspan.BadRequest,
        lambda service: service.apply_move(opening(service), *["dive:blue"] * 1001),
    ),
}


def without_hidden_part(state: v1.GameState) -> v1.GameState:
    state.ClearField("open")
    return state


def changed(state: v1.GameState) -> v1.GameState:
    state.players[0].hand.pop()
    return state


@pytest.mark.parametrize("name", ANSWERED)
def test_it_answers_as_a_server_does(local: LocalService, client: finspan.Client, name: str) -> None:
    assert ANSWERED[name](local) == ANSWERED[name](client)


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses_as_a_server_does(local: LocalService, client: finspan.Client, name: str) -> None:
    kind, ask = REFUSED[name]
    failures = []
    for service in (local, client):
        with pytest.raises(finspan.FinspanError) as caught:
            ask(service)
        assert type(caught.value) is kind
        assert caught.value.request_id
        failures.append(replace(caught.value.failure, request_id="", message="", metadata={}))
    assert failures[0] == failures[1]


def test_replies_are_the_callers_own(local: LocalService) -> None:
    local.get_catalog().cards[0].name = "Changed"
    assert local.get_catalog().cards[0].name != "Changed"


def test_threads_may_share_it(local: LocalService) -> None:
    with ThreadPoolExecutor(4) as threads:
        digests = set(threads.map(lambda _: local.new_game(seed="s").digest, range(20)))
    assert len(digests) == 1


def test_the_settings_of_a_server_are_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINSPAN_MAX_MOVES", "nonsense")
    assert LocalService().new_game().legal_moves


def test_without_the_service_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SERVER_MODULE", "no_such_package.server")
    with pytest.raises(finspan.ServiceNotInstalled, match="finspan-service"):
        LocalService()


def test_a_handler_that_fails_is_an_internal_error_as_from_a_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("service.handlers.playing.score_fields", fail)
    service = LocalService()
    with pytest.raises(finspan.FinspanError) as caught:
        service.score(opening(service))
    assert caught.value.code.name == "INTERNAL"
    assert "secret" not in str(caught.value)
    assert "RuntimeError" in capsys.readouterr().err
