"""A client that was built with an earlier contract plays base games as before, and nothing new shows to it.

`tests/contract` keeps the contracts of the releases. Messages are made of them alone, as in a program that
was never built again: whatever this service says beyond them would come out as an unknown field or value.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import grpc
import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from service.convert import catalogue
from tests.service.support import Value, chance

SERVICE: Final = "finspan.v1.FinspanService"
CONTRACTS: Final = sorted((Path(__file__).parents[1] / "contract").glob("*.binpb"))


class EarlierClient:
    """What a program that was built with an earlier contract can say and read."""

    def __init__(self, contract: Path) -> None:
        self._pool = DescriptorPool()
        for file in FileDescriptorSet.FromString(contract.read_bytes()).file:
            self._pool.Add(file)

    def message(self, name: str) -> Value:
        """Return the class of a message of that contract."""
        return message_factory.GetMessageClass(self._pool.FindMessageTypeByName(f"finspan.v1.{name}"))

    def enum(self, name: str) -> Value:
        return self._pool.FindEnumTypeByName(f"finspan.v1.{name}").values_by_name

    async def call(self, channel: grpc.aio.Channel, rpc: str, **fields: Value) -> Value:
        """Make a call and return the reply, in which nothing is unknown."""
        method = self._pool.FindServiceByName(SERVICE).methods_by_name[rpc]
        request, reply = (
            message_factory.GetMessageClass(kind) for kind in (method.input_type, method.output_type)
        )
        call: Any = channel.unary_unary(
            f"/{SERVICE}/{rpc}",
            request_serializer=request.SerializeToString,
            response_deserializer=reply.FromString,
        )
        return await call(request(**fields))


def _messages_in(message: Message) -> Iterator[Message]:
    """Yield a message and all inside it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for item in value if field.is_repeated else [value]:
                yield from _messages_in(item)


def unknown_in(message: Message) -> list[str]:
    """Return what a message holds that its contract has no name for: fields, and values of enums."""
    unknown = []
    for part in _messages_in(message):
        name, fields = part.DESCRIPTOR.full_name, cast("Any", UnknownFieldSet(part))
        unknown += [f"{name}: field {field.field_number}" for field in fields]
        for field, value in part.ListFields():
            if field.enum_type is not None:
                numbers = value if field.is_repeated else [value]
                names = field.enum_type.values_by_number
                unknown += [f"{name}.{field.name}: {number}" for number in numbers if number not in names]
    return unknown


@pytest.fixture(params=CONTRACTS, ids=lambda contract: contract.stem)
def client(request: pytest.FixtureRequest) -> EarlierClient:
    return EarlierClient(request.param)


def test_there_is_an_earlier_contract() -> None:
    assert CONTRACTS


@pytest.mark.parametrize("side", ["BOARD_SIDE_A", "BOARD_SIDE_B"])
@pytest.mark.parametrize("players", [2, 4])
async def test_whole_base_games_show_nothing_new(
    channel: grpc.aio.Channel, client: EarlierClient, players: int, side: str
) -> None:
    """State, decision, moves, events, reasons and score, at every move of a game."""
    rng, number = chance(f"{players} {side}"), client.enum("BoardSide")[side].number
    reply = await client.call(
        channel, "NewGame", players=players, options={"side": number}, seed="earlier", with_legal_moves=True
    )
    while reply.legal_moves:
        asked = await client.call(channel, "LegalMoves", state=reply.state, why_not=True)
        score = await client.call(channel, "Score", state=reply.state)
        assert [unknown for said in (reply, asked, score) for unknown in unknown_in(said)] == []
        assert asked.legal_moves == reply.legal_moves
        move = rng.choice(reply.legal_moves).move
        reply = await client.call(
            channel, "ApplyMove", state=reply.state, moves=[move], with_legal_moves=True
        )
    assert reply.over
    assert unknown_in(reply) == []
    score = await client.call(channel, "Score", state=reply.state)
    assert score.winners
    assert unknown_in(score) == []


async def test_samples_of_a_base_game_show_nothing_new(
    channel: grpc.aio.Channel, client: EarlierClient
) -> None:
    state = (await client.call(channel, "NewGame", players=3, seed="earlier")).state
    samples = await client.call(channel, "SampleStates", state=state, seed="s", count=3)
    assert len(samples.states) == 3
    assert unknown_in(samples) == []


async def test_the_catalogue_can_be_read_and_has_every_base_card_as_it_was(
    channel: grpc.aio.Channel, client: EarlierClient
) -> None:
    """It may hold more; what it says of the base game holds nothing that is unknown."""
    read = await client.call(channel, "GetCatalog")
    base = [card for card in read.cards if card.id in BASE_CARDS]
    assert len(base) == len(BASE_CARDS)
    assert [unknown for card in base for unknown in unknown_in(card)] == []
    assert [card.SerializeToString(deterministic=True) for card in base] == list(BASE_CARDS.values())
    for part in (*read.forage_fish, *read.slots):
        assert unknown_in(part) == []


BASE_CARDS: Final = {
    info.id: info.SerializeToString(deterministic=True) for info in catalogue().cards if not info.expansion
}
"""The base cards as this version has them."""


async def test_something_new_would_be_noticed(channel: grpc.aio.Channel) -> None:
    """A game of Sharks & Reefs, read by a client that was built before it: fields, and values of enums."""
    first = EarlierClient(CONTRACTS[0])
    options = {"expansions": [first.enum("Expansion")["EXPANSION_SHARKS_AND_REEFS"].number]}
    reply = await first.call(channel, "NewGame", players=2, options=options, with_legal_moves=True)
    assert unknown_in(reply) == ["finspan.v1.PlayerState: field 9"] * 2
    (dive,) = [legal.move for legal in reply.legal_moves if legal.id == "dive:purple"]
    reply = await first.call(channel, "ApplyMove", state=reply.state, moves=[dive])
    assert "finspan.v1.DiveStep.next_stop: 6" in unknown_in(reply)
