"""The vectors are fresh, the service answers them as written, and they show every kind of everything."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict

from finspan.v1 import finspan_pb2 as pb
from service.engine.rules import RULES_VERSION
from tests.service.support import Stub
from tests.vectors.conformance.calls import Call, Json, answers, essence, stub_of_a_server
from tests.vectors.conformance.files import CASES, DIRECTORY, path_of, read, texts
from tests.vectors.conformance.games import moves_made

MOST_BYTES = 600_000
NOT_SHOWN = {
    "ERROR_REASON_UNDECODABLE",  # no JSON is such a request
    "ERROR_REASON_SEAL_BROKEN",  # a state that this very server sealed
    "ERROR_REASON_DEADLINE",  # a matter of time, size and load, not of the request
    "ERROR_REASON_REPLY_TOO_LARGE",
    "ERROR_REASON_TOO_MANY_CALLS",
    "ERROR_REASON_DRAINING",
    "ERROR_REASON_NOT_OFFERED",  # a server that hosts no games
    "ERROR_REASON_STORE_UNAVAILABLE",  # a matter of the store
    "ERROR_REASON_INTERNAL",  # a fault of the service: no request is to bring one about
    "ERROR_REASON_STALE_VERSION",  # a hosted game is needed, whose id and tokens are random
    "ERROR_REASON_VERSION_LOST",
    "ERROR_REASON_NOT_YOUR_SEAT",
    "ERROR_REASON_REQUEST_ID_REUSED",
}

CALLS = {f"{name}, {case['name']}": case["calls"] for name in CASES for case in read(name)["cases"]}
GAMES = {game["name"]: game for game in read("games")["games"]}


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    async with stub_of_a_server() as stub:
        yield stub


# The service.


async def test_the_files_are_fresh(stub: Stub) -> None:
    stale = [name async for name, text in texts(stub) if path_of(name).read_text("utf-8") != text]
    assert stale == [], "run: make vectors"


@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
async def test_a_case_is_answered_as_written(stub: Stub, calls: list[Json]) -> None:
    answered = [answer async for answer in answers(stub, map(Call.from_json, calls))]
    expected = [{key: call[key] for key in ("reply", "error") if key in call} for call in calls]
    assert answered == expected


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_game_is_played_as_written(stub: Stub, game: Json) -> None:
    request = ParseDict(game["newGame"], pb.NewGameRequest(with_legal_moves=True))
    opening = await stub.NewGame(request)
    made = [(legal.id, reply) async for legal, reply in moves_made(stub, opening)]
    assert opening.digest == game["digest"]
    assert [{"id": id_, "digest": reply.digest} for id_, reply in made] == game["moves"]
    score = await stub.Score(pb.ScoreRequest(state=made[-1][1].state))
    assert essence(MessageToDict(score)) == game["score"]


async def test_the_service_names_moves_as_written(stub: Stub) -> None:
    paying = CALLS["costs, R5.1: cards, one by one"][1]["reply"]["state"]  # where hardly any move is legal
    for entry in read("moves")["moves"]:
        request = ParseDict({"state": paying, "moves": [entry["move"]]}, pb.ApplyMoveRequest())
        (answer,) = [answer async for answer in answers(stub, [Call("ApplyMove", request)])]
        assert answer["error"]["metadata"]["move"] == entry["id"]


# What the files show.


def _dicts(value: object) -> Iterator[Json]:
    """Yield every object inside JSON."""
    if isinstance(value, list):
        for item in value:
            yield from _dicts(item)
    elif isinstance(value, dict):
        yield value
        yield from _dicts(list(value.values()))


def _all(name: str) -> Iterator[Any]:
    """Yield every value of this name in the cases."""
    return (part[name] for part in _dicts(list(CALLS.values())) if name in part)


def _keys(parts: Iterable[Json]) -> set[str]:
    return {key for part in parts for key in part}


def _values(enum: EnumDescriptor) -> set[str]:
    return {value.name for value in enum.values if value.number}


def _choices(message: Descriptor) -> set[str]:
    """Return the fields of a message's oneof, named as in JSON."""
    return {field.json_name for field in message.oneofs[0].fields}


def _listed(name: str) -> list[Json]:
    return [item for items in _all(name) if isinstance(items, list) for item in items]


def _in_enum(name: str) -> set[str]:
    return {value for value in _all(name) if isinstance(value, str)}


def test_every_kind_of_move_is_made() -> None:
    made = [call for calls in CALLS.values() for call in calls if "reply" in call]
    moves = [move for call in made for move in call["request"].get("moves", [])]
    assert _keys(moves) == _choices(pb.Move.DESCRIPTOR)
    assert _keys(entry["move"] for entry in read("moves")["moves"]) == _choices(pb.Move.DESCRIPTOR)


def test_every_kind_of_event_happens() -> None:
    assert _keys(_listed("events")) >= _choices(pb.Event.DESCRIPTOR)


def test_every_kind_of_step_source_decision_and_trigger_is_there() -> None:
    assert _keys(_listed("agenda")) == _choices(pb.Step.DESCRIPTOR)
    assert _keys(_all("source")) == _choices(pb.Source.DESCRIPTOR)
    assert _in_enum("kind") >= _values(pb.DecisionKind.DESCRIPTOR)
    assert _in_enum("trigger") == _values(pb.Trigger.DESCRIPTOR)
    stops = {name for name in _values(pb.DiveStop.DESCRIPTOR) if name.endswith(("BONUS", "REEF"))}
    assert _in_enum("stop") == stops
    assert any(_all("also"))


def test_every_reason_to_refuse_is_given() -> None:
    assert _in_enum("reason") == _values(pb.ErrorReason.DESCRIPTOR) - NOT_SHOWN
    assert _keys(_listed("whyNot")) == {"card", "kind", "move", "rule"}


def test_every_call_is_made() -> None:
    methods = pb.DESCRIPTOR.services_by_name["FinspanService"].methods
    assert set(_all("rpc")) == {method.name for method in methods}


def test_nothing_in_them_is_only_for_people() -> None:
    assert not list(_all("text"))


def test_the_files_are_few_and_small() -> None:
    paths = {path_of(name) for name in ("moves", "games", *CASES)}
    assert set(DIRECTORY.glob("*.json")) == paths
    assert sum(path.stat().st_size for path in paths) < MOST_BYTES


def test_they_are_of_these_rules() -> None:
    assert {read(name)["rulesVersion"] for name in ("games", *CASES)} == {RULES_VERSION}
