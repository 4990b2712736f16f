"""Who follows docs/determinism.md gets what the vectors say and what the service deals."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from finspan import Call, LocalService
from finspan.v1 import finspan_pb2 as pb
from tests import layout
from tests.vectors import by_the_page
from tests.vectors.by_the_page import Draws, Json

HERE = Path(__file__).parent
CONFORMANCE = HERE / "conformance"
PAGE = (HERE.parents[1] / "docs" / "determinism.md").read_text(encoding="utf-8")
BASE = pb.GameOptions()
EXPANSION = pb.EXPANSION_SHARKS_AND_REEFS


def read(name: str) -> Any:  # noqa: ANN401  JSON
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


GENERATOR: dict[str, list[Json]] = read("generator")
DIGESTS: list[Json] = read("digests")
CASES: list[list[Json]] = [case["calls"] for case in read("conformance/new_games")["cases"]]
NEW_GAMES: list[tuple[Json, Json]] = [(calls[0]["request"], calls[0]["reply"]) for calls in CASES]
GAMES: list[Json] = read("conformance/games")["games"]


@pytest.fixture(scope="module")
def catalogue(local: LocalService) -> Json:
    return MessageToDict(local.get_catalog())


@pytest.fixture(scope="module")
def local() -> LocalService:
    return LocalService()


def essence(state: Json) -> pb.GameState:
    """Return what the page speaks of in a state, which names, versions and divers left are not."""
    message = ParseDict(state, pb.GameState())
    for field in ("rules_version", "version"):
        message.ClearField(field)
    for player in message.players:
        player.ClearField("display_name")
        player.ClearField("divers_left")
    return message


# The vectors.


def test_blocks() -> None:
    for vector in GENERATOR["blocks"]:
        assert Draws(vector["seed"], vector["counter"]).block().hex() == vector["block"]


def test_numbers_below() -> None:
    for vector in GENERATOR["below"]:
        draws = Draws(vector["seed"], vector["counter"])
        assert (draws.below(vector["bound"]), draws.counter) == (vector["number"], vector["counter_after"])


def test_shuffles() -> None:
    for vector in GENERATOR["shuffles"]:
        draws = Draws(vector["seed"], vector["counter"])
        assert draws.shuffled(vector["items"]) == vector["shuffled"]
        assert draws.counter == vector["counter_after"]


@pytest.mark.parametrize("vector", DIGESTS, ids=lambda vector: vector["name"])
def test_digests(vector: Json) -> None:
    state = ParseDict(vector["state"], pb.GameState())
    assert layout.public_bytes(state).hex() == vector["public_bytes"]
    assert layout.public_digest(state) == vector["public_digest"]
    assert layout.full_digest(state) == vector["full_digest"]


@pytest.mark.parametrize(("request_", "reply"), NEW_GAMES, ids=range(len(NEW_GAMES)))
def test_setups(catalogue: Json, request_: Json, reply: Json) -> None:
    state = ParseDict(by_the_page.set_up(catalogue, request_), pb.GameState())
    assert state == essence(reply["state"])
    assert layout.public_digest(state) == reply["digest"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_starts_of_whole_games(catalogue: Json, game: Json) -> None:
    state = ParseDict(by_the_page.set_up(catalogue, game["newGame"]), pb.GameState())
    assert layout.public_digest(state) == game["digest"]


def test_the_start_that_has_a_digest(catalogue: Json) -> None:
    start = DIGESTS[0]["state"]
    request = {"players": len(start["players"]), "seed": start["open"]["seed"], "options": start["options"]}
    assert ParseDict(by_the_page.set_up(catalogue, request), pb.GameState()) == essence(start)


def test_a_new_deck() -> None:
    """One card has been drawn from it, the top one."""
    renewals = 0
    for case in read("conformance/benefits")["cases"]:
        for before, call in zip(case["calls"], case["calls"][1:], strict=False):
            names = [name for event in call.get("reply", {}).get("events", []) for name in event]
            if "deckRenewed" in names:
                renewals += 1
                made = by_the_page.new_deck(before["reply"]["state"])
                drawn, *left = made["deck"]["cards"]
                assert made | {"deck": {"cards": left}} == call["reply"]["state"]["open"]
                assert {"card": drawn} in [event.get("cardDrawn") for event in call["reply"]["events"]]
    assert renewals


def test_samples(catalogue: Json) -> None:
    calls = [call for case in read("conformance/fields")["cases"] for call in case["calls"]]
    sampled = [call for call in calls if call["rpc"] == "SampleStates"]
    assert sampled
    for call in sampled:
        for index, state in enumerate(call["reply"]["states"]):
            assert by_the_page.sample(catalogue, state, call["request"]["seed"], index) == state["open"]


# The service.

OPTIONS = {
    "side A": BASE,
    "side B": pb.GameOptions(side=pb.BOARD_SIDE_B),
    "side A, Sharks & Reefs": pb.GameOptions(expansions=[EXPANSION]),
    "side B, Sharks & Reefs": pb.GameOptions(side=pb.BOARD_SIDE_B, expansions=[EXPANSION]),
}
SEEDS = ("a", "Nördlicher Hai 🦈", "0123456789abcdef" * 4)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_service_deals_so(local: LocalService, catalogue: Json, options: pb.GameOptions) -> None:
    for players, seed in product(range(1, 6), SEEDS):
        message = pb.NewGameRequest(players=players, seed=seed, options=options, form=pb.STATE_FORM_OPEN)
        reply = local.send(Call("NewGame", message, pb.NewGameResponse))
        state = ParseDict(by_the_page.set_up(catalogue, MessageToDict(message)), pb.GameState())
        assert state == essence(MessageToDict(reply.state))
        assert layout.public_digest(state) == reply.digest


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_service_samples_so(local: LocalService, catalogue: Json, options: pb.GameOptions) -> None:
    message = pb.NewGameRequest(players=2, seed="a", options=options)
    reply = local.send(Call("NewGame", message, pb.NewGameResponse))
    for index, state in enumerate(local.sample_states(reply.state, seed="mine", count=11).states):
        written = MessageToDict(state)
        assert by_the_page.sample(catalogue, written, "mine", index) == written["open"]


# The page.


def test_nothing_of_the_service_is_used() -> None:
    for module in (by_the_page, layout):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) service\b", source, re.MULTILINE)


def test_the_page_names_every_step_and_every_field_of_the_vectors() -> None:
    steps = {field.name: field.number for field in pb.Step.DESCRIPTOR.fields}
    assert {name for name in steps if f"`{name}`" in PAGE} == set(steps)
    fields = {name for entries in (*GENERATOR.values(), DIGESTS) for name in entries[0]}
    assert {name for name in {*fields, *GENERATOR} if f"`{name}`" in PAGE} == {*fields, *GENERATOR}


def test_every_link_of_the_page_beside_the_vectors_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (CONFORMANCE / "README.md").read_text(encoding="utf-8"))
    inside = [link for link in links if "://" not in link]
    assert "../../../docs/determinism.md" in inside
    assert [link for link in inside if not (CONFORMANCE / link).exists()] == []


def test_the_example_of_a_text_is_one() -> None:
    _, example = re.findall(r'`"(a)"` is `([\da-f ]+)`', PAGE)[0]
    assert layout.text("a").hex() == example.replace(" ", "")
