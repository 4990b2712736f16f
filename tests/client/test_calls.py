"""What each method sends: the arguments as a request of the contract, and what comes back as its reply."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message

import finspan
from finspan import calls
from finspan.calls import Call
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import DIVES, DivesOnly

STATE = v1.GameState(version=3)
METHODS: dict[str, Callable[..., Call[Any]]] = {
    "NewGame": calls.new_game,
    "LegalMoves": calls.legal_moves,
    "ApplyMove": calls.apply_move,
    "Score": calls.score,
    "SampleStates": calls.sample_states,
    "GetCatalog": calls.get_catalog,
}
REQUESTS: dict[str, tuple[Call[Any], Message]] = {
    "a game of all defaults": (
        calls.new_game(),
        v1.NewGameRequest(
            players=2,
            options=v1.GameOptions(side=v1.BOARD_SIDE_A),
            form=v1.STATE_FORM_SEALED,
            with_legal_moves=True,
        ),
    ),
    "a game with everything said": (
        calls.new_game(
            3,
            seed="s",
            side="b",
            tiles=["x", "y", "z"],
            expansions=["sharks_and_reefs"],
            names=["A", "B", "C"],
            form="open",
            with_legal_moves=False,
        ),
        v1.NewGameRequest(
            players=3,
            options=v1.GameOptions(
                side=v1.BOARD_SIDE_B,
                tiles=["x", "y", "z"],
                expansions=[v1.EXPANSION_SHARKS_AND_REEFS],
            ),
            seed="s",
            display_names=["A", "B", "C"],
            form=v1.STATE_FORM_OPEN,
        ),
    ),
    "legal moves": (calls.legal_moves(STATE), v1.LegalMovesRequest(state=STATE)),
    "legal moves with reasons": (
        calls.legal_moves(STATE, why_not=True, why_not_moves=[DIVES[0], DIVES[1].move]),
        v1.LegalMovesRequest(state=STATE, why_not=True, why_not_moves=[DIVES[0].move, DIVES[1].move]),
    ),
    "moves, as listed, as such, by id": (
        calls.apply_move(STATE, DIVES[0], DIVES[1].move, "dive:green"),
        v1.ApplyMoveRequest(state=STATE, moves=[dive.move for dive in DIVES], with_legal_moves=True),
    ),
    "a dry run": (
        calls.apply_move(STATE, DIVES[0], validate_only=True, with_legal_moves=False),
        v1.ApplyMoveRequest(state=STATE, moves=[DIVES[0].move], validate_only=True),
    ),
    "a score": (calls.score(STATE), v1.ScoreRequest(state=STATE)),
    "samples": (
        calls.sample_states(STATE, seed="s", count=9),
        v1.SampleStatesRequest(state=STATE, seed="s", count=9),
    ),
    "the catalogue": (calls.get_catalog(), v1.GetCatalogRequest()),
    "another catalogue": (calls.get_catalog("6"), v1.GetCatalogRequest(rules_version="6")),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_arguments_become_the_request(name: str) -> None:
    call, request = REQUESTS[name]
    assert call.request == request


def test_every_rpc_of_the_contract_has_its_call() -> None:
    methods = v1.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name
    assert set(METHODS) == set(methods)


@pytest.mark.parametrize("method", METHODS)
def test_a_call_names_its_rpc_and_both_messages(method: str) -> None:
    arguments: dict[str, Any] = {"SampleStates": {"seed": "s"}}.get(method, {})
    build = METHODS[method]
    needs_state = "state" in inspect.signature(build).parameters
    call = build(STATE, **arguments) if needs_state else build(**arguments)
    rpc = v1.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name[method]
    assert call.method == method
    assert rpc.input_type == call.request.DESCRIPTOR
    assert rpc.output_type == call.reply.DESCRIPTOR


@pytest.mark.parametrize("client", [finspan.Client, finspan.AsyncClient])
@pytest.mark.parametrize("build", METHODS.values(), ids=METHODS)
def test_a_method_reads_like_the_function_behind_it(build: Callable[..., Call[Any]], client: type) -> None:
    method = getattr(client, build.__name__)
    own, given = inspect.signature(method), inspect.signature(build)
    assert list(own.parameters.values())[1:] == list(given.parameters.values())
    assert method.__doc__ == build.__doc__
    assert issubclass(own.return_annotation, Message)


def test_whatever_can_send_a_call_is_a_service() -> None:
    service = DivesOnly()
    assert list(service.new_game(names=["A", "B"]).legal_moves) == list(DIVES)
    assert [call.method for call in service.calls] == ["NewGame"]
