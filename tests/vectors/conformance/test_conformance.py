"""The vectors are fresh, the service answers them as written, and they show every kind of everything."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict

from finspan.v1 import finspan_pb2 as pb
from service.engine.rules import RULES_VERSION
from tests.vectors.conformance.calls import Call, Json, Stub, answers, essence, stub_of_a_server
from tests.vectors.conformance.files import CASES, DIRECTORY, path_of, read, texts
from tests.vectors.conformance.games import moves_made

MOST_BYTES = 500_000
NOT_SHOWN = {
    "ERROR_REASON_UNDECODABLE",  # no JSON is such a request
    "ERROR_REASON_SEAL_BROKEN",  # a state that this very server sealed
    "ERROR_REASON_DEADLINE",  # a matter of time, size and load, not of the request
    "ERROR_REASON_REPLY_TOO_LARGE",
    "ERROR_REASON_TOO_MANY_CALLS",
}

CALLS = {
    f"{name}, {case['name']}": case["calls"]
    for name in CASES
    if path_of(name).exists()
    for case in read(name)["cases"]
}
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
    over = CALLS["errors, GAME_OVER"][0]["request"]["state"]
    turn = CALLS["turns, R3.1: a fish is played, its cost settles itself, and the next player's turn begins"]
    request = Call.from_json(turn[0]).request
    assert over
    for entry in read("moves")["moves"]:
        calls = [Call("LegalMoves", request), Call("ApplyMove", _apply(entry["move"]))]
        _, answer = [answer async for answer in answers(stub, calls)]
        assert _name_in(answer, await _legal_ids(stub, request)) in (None, entry["id"])


def _apply(move: Json) -> pb.ApplyMoveRequest:
    return ParseDict({"moves": [move]}, pb.ApplyMoveRequest())
