"""What each method sends: the arguments as a request of the contract, and what comes back as its reply."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

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
    "GetGame": calls.get_game,
    "ListEvents": calls.list_events,
    "ListGames": calls.list_games,
    "DeleteGame": calls.delete_game,
    "ForkGame": calls.fork_game,
    "IssueSeatToken": calls.issue_seat_token,
    "EndGame": calls.end_game,
}
BUILDERS = [*METHODS.values(), calls.host_game]
PAGE = "4.0"
ID = "6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75"
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
    "a hosted game of all defaults": (
        calls.host_game(request_id=ID),
        v1.NewGameRequest(
            players=2,
            options=v1.GameOptions(side=v1.BOARD_SIDE_A),
            form=v1.STATE_FORM_HOSTED,
            with_legal_moves=True,
            request_id=ID,
        ),
    ),
    "a hosted game with everything said": (
        calls.host_game(
            3,
            seed="s",
            side="b",
            tiles=["x", "y", "z"],
            expansions=["sharks_and_reefs"],
            names=["A", "B", "C"],
            public_watching=True,
            with_legal_moves=False,
            request_id=ID,
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
            form=v1.STATE_FORM_HOSTED,
            public_watching=True,
            request_id=ID,
        ),
    ),
    "legal moves of a hosted game": (calls.legal_moves("g"), v1.LegalMovesRequest(game_id="g")),
    "a move in a hosted game": (
        calls.apply_move("g", "dive:blue", expected_version=0, request_id=ID),
        v1.ApplyMoveRequest(
            game_id="g", moves=[DIVES[0].move], with_legal_moves=True, expected_version=0, request_id=ID
        ),
    ),
    "the score of a hosted game": (calls.score("g"), v1.ScoreRequest(game_id="g")),
    "samples of a hosted game": (
        calls.sample_states("g", seed="s"),
        v1.SampleStatesRequest(game_id="g", seed="s", count=1),
    ),
    "a game": (
        calls.get_game("g"),
        v1.GetGameRequest(game_id="g", form=v1.STATE_FORM_HOSTED, with_legal_moves=True),
    ),
    "a game at its beginning, open": (
        calls.get_game("g", version=0, form="open", with_legal_moves=False),
        v1.GetGameRequest(game_id="g", version=0, form=v1.STATE_FORM_OPEN),
    ),
    "a log": (calls.list_events("g"), v1.ListEventsRequest(game_id="g")),
    "a page of a log": (
        calls.list_events("g", from_version=3, page_size=9, page_token=PAGE),
        v1.ListEventsRequest(game_id="g", from_version=3, page_size=9, page_token=PAGE),
    ),
    "games": (calls.list_games(), v1.ListGamesRequest()),
    "a page of games": (
        calls.list_games(page_size=9, page_token=PAGE),
        v1.ListGamesRequest(page_size=9, page_token=PAGE),
    ),
    "a deletion": (
        calls.delete_game("g", request_id=ID),
        v1.DeleteGameRequest(game_id="g", request_id=ID),
    ),
    "a fork": (calls.fork_game("g", request_id=ID), v1.ForkGameRequest(game_id="g", request_id=ID)),
    "a fork of an earlier version": (
        calls.fork_game("g", version=0, names=["A"], public_watching=True, request_id=ID),
        v1.ForkGameRequest(game_id="g", version=0, display_names=["A"], public_watching=True, request_id=ID),
    ),
    "a seat's token": (
        calls.issue_seat_token("g", seat=0, request_id=ID),
        v1.IssueSeatTokenRequest(game_id="g", scope=v1.TOKEN_SCOPE_PLAY, seat=0, request_id=ID),
    ),
    "a watcher's token": (
        calls.issue_seat_token("g", scope="watch", request_id=ID),
        v1.IssueSeatTokenRequest(game_id="g", scope=v1.TOKEN_SCOPE_WATCH, request_id=ID),
    ),
    "an end": (
        calls.end_game("g", request_id=ID),
        v1.EndGameRequest(game_id="g", end_now=v1.EndNow(), request_id=ID),
    ),
    "a bot in a seat": (
        calls.end_game("g", bot_seat=0, request_id=ID),
        v1.EndGameRequest(game_id="g", bot_seat=0, request_id=ID),
    ),
    "another catalogue": (calls.get_catalog("6"), v1.GetCatalogRequest(rules_version="6")),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_arguments_become_the_request(name: str) -> None:
    call, request = REQUESTS[name]
    assert call.request == request


WRONG: dict[str, tuple[str, Callable[..., Call[Any]], dict[str, Any]]] = {
    "a side": ("side: 'z' is none of 'a', 'b'", calls.new_game, {"side": "z"}),
    "a side in capitals": ("side: 'A' is none of", calls.host_game, {"side": "A"}),
    "a form": ("form: 'hosted' is none of 'sealed', 'open'", calls.new_game, {"form": "hosted"}),
    "a form of a hosted game": ("'hosted', 'open'", calls.get_game, {"game_id": "g", "form": "sealed"}),
    "an expansion": ("'no_such' is none of 'sharks_and_reefs'", calls.new_game, {"expansions": ["no-such"]}),
    "a scope": ("'play', 'watch', 'admin'", calls.issue_seat_token, {"game_id": "g", "scope": "all"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_word_that_is_none_is_refused_with_those_that_are(name: str) -> None:
    says, build, arguments = WRONG[name]
    with pytest.raises(ValueError, match=says):
        build(**arguments)


@pytest.mark.parametrize("option", ["expansions", "tiles", "names"])
def test_one_text_is_no_list_of_them(option: str) -> None:
    builders: list[Callable[..., Call[Any]]] = [calls.new_game, calls.host_game]
    for build in builders:
        with pytest.raises(TypeError, match=rf"{option}: .* \['sharks_and_reefs'\]"):
            build(**{option: "sharks_and_reefs"})
    with pytest.raises(TypeError, match="names: "):
        calls.fork_game("g", names="Ada")


def test_an_expansion_may_be_spelled_as_on_the_command_line() -> None:
    same = calls.new_game(expansions=["sharks-and-reefs"]), calls.new_game(expansions=["sharks_and_reefs"])
    assert same[0].request == same[1].request


def test_every_rpc_of_the_contract_has_its_call() -> None:
    methods = v1.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name
    assert set(METHODS) == set(methods)


@pytest.mark.parametrize("method", METHODS)
def test_a_call_names_its_rpc_and_both_messages(method: str) -> None:
    arguments: dict[str, Any] = {"SampleStates": {"seed": "s"}}.get(method, {})
    build = METHODS[method]
    first = next(iter(inspect.signature(build).parameters))
    about = [{"state": STATE, "game_id": "g"}[first]] if first in {"state", "game_id"} else []
    call = build(*about, **arguments)
    rpc = v1.DESCRIPTOR.services_by_name["FinspanService"].methods_by_name[method]
    assert call.method == method
    assert rpc.input_type == call.request.DESCRIPTOR
    assert rpc.output_type == call.reply.DESCRIPTOR


@pytest.mark.parametrize("client", [finspan.Client, finspan.AsyncClient])
@pytest.mark.parametrize("build", BUILDERS, ids=[build.__name__ for build in BUILDERS])
def test_a_method_reads_like_the_function_behind_it(build: Callable[..., Call[Any]], client: type) -> None:
    method = getattr(client, build.__name__)
    own, given = inspect.signature(method), inspect.signature(build)
    assert list(own.parameters.values())[1:] == list(given.parameters.values())
    assert method.__doc__ == build.__doc__
    assert issubclass(own.return_annotation, Message)


WISHES: dict[str, Callable[[], Call[Any]]] = {
    "a game": calls.host_game,
    "a move": lambda: calls.apply_move("g", "dive:blue", expected_version=3),
    "a deletion": lambda: calls.delete_game("g"),
    "a fork": lambda: calls.fork_game("g"),
    "a token": lambda: calls.issue_seat_token("g", seat=1),
    "an end": lambda: calls.end_game("g"),
}


@pytest.mark.parametrize("wish", WISHES)
def test_every_wish_has_a_request_id_of_its_own(wish: str) -> None:
    first, second = (WISHES[wish]().request.request_id for _ in range(2))  # type: ignore[attr-defined]  # all have one
    assert str(UUID(first)) == first != second


def test_a_carried_state_needs_no_request_id() -> None:
    request = calls.apply_move(STATE, "dive:blue").request
    assert isinstance(request, v1.ApplyMoveRequest)
    assert (request.request_id, request.HasField("expected_version")) == ("", False)


def test_a_call_shows_neither_its_request_nor_its_metadata() -> None:
    call = replace(calls.host_game(seed="secret"), metadata=(("authorization", "Bearer secret"),))
    assert "secret" not in repr(call)
    assert "request_id" not in repr(call)


def test_whatever_can_send_a_call_is_a_service() -> None:
    service = DivesOnly()
    assert list(service.new_game(names=["A", "B"]).legal_moves) == list(DIVES)
    assert [call.method for call in service.calls] == ["NewGame"]
