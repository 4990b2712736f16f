"""SampleStates: the hidden order drawn afresh, by someone who does not know the true one."""

from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.state import GameState
from service.positions import Positions, position_of
from service.testing import RunningServer
from tests.service.support import Stub, new_state, played, refusal_of
from tests.wire import state_message


async def samples(stub: Stub, state: pb.GameState, seed: str = "s", count: int = 3) -> list[pb.GameState]:
    request = pb.SampleStatesRequest(state=state, seed=seed, count=count)
    return list((await stub.SampleStates(request)).states)


def without_hidden(state: pb.GameState) -> pb.GameState:
    bare = pb.GameState()
    bare.CopyFrom(state)
    bare.ClearField("open")
    bare.ClearField("sealed")
    return bare


def sealed(server: RunningServer, state: GameState) -> pb.GameState:
    return Positions(server.seals).write(position_of(state, is_open=False))


@pytest.mark.parametrize("moves", [0, 60, 10_000])
async def test_samples_have_the_same_public_facts(stub: Stub, moves: int) -> None:
    state = played(moves, players=3)
    for sample in await samples(stub, state_message(state)):
        reply = await stub.LegalMoves(pb.LegalMovesRequest(state=sample))
        assert reply.digest == public_digest(state)
        assert without_hidden(sample) == without_hidden(state_message(state))


async def test_samples_are_open_and_differ(stub: Stub) -> None:
    drawn = await samples(stub, await new_state(stub))
    assert [sample.WhichOneof("hidden") for sample in drawn] == ["open"] * 3
    decks = [tuple(sample.open.deck.cards) for sample in drawn]
    assert len(set(decks)) == 3
    assert len({frozenset(deck) for deck in decks}) == 1
    assert len({sample.open.seed for sample in drawn}) == 3


async def test_the_seed_alone_says_what_is_drawn(stub: Stub) -> None:
    state = await new_state(stub)
    assert await samples(stub, state) == await samples(stub, state)
    assert await samples(stub, state) == (await samples(stub, state, count=5))[:3]
    assert await samples(stub, state) != await samples(stub, state, seed="t")


async def test_the_true_order_is_not_looked_at(server: RunningServer, stub: Stub) -> None:
    """Two states that differ in nothing but hidden facts have the same samples; so has one without any."""
    state = played(30)
    other = state.copy()
    other.deck.reverse()
    other.seed, other.counter = "another", 99
    drawn = await samples(stub, sealed(server, state))
    assert await samples(stub, sealed(server, other)) == drawn
    assert await samples(stub, state_message(state)) == drawn
    assert await samples(stub, without_hidden(state_message(state))) == drawn


@pytest.mark.parametrize("players", [1, 5])
async def test_a_state_without_its_hidden_part_may_have_a_starter_in_its_deck(
    stub: Stub, players: int
) -> None:
    """With five players none is undealt; which is in the deck, the undealt ones tell."""
    state = played(0, players=players)
    starter = state.players[0].hand.pop()
    assert starter > 125
    state.deck.append(starter)
    (sample,) = await samples(stub, without_hidden(state_message(state)), count=1)
    assert starter in sample.open.deck.cards
    assert list(sample.undealt_starters) == list(state.undealt)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"seed": "s"}, ["count"]),
        ({"seed": "s", "count": 1001}, ["count"]),
        ({"count": 1}, ["seed"]),
        ({"seed": "x" * 65, "count": 0}, ["seed", "count"]),
    ],
    ids=str,
)
async def test_what_cannot_be_asked(stub: Stub, fields: dict[str, Any], wrong: list[str]) -> None:
    refusal = await refusal_of(
        stub.SampleStates(pb.SampleStatesRequest(state=await new_state(stub), **fields))
    )
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", wrong)


async def test_a_state_that_cannot_be_is_not_sampled(server: RunningServer, stub: Stub) -> None:
    """Neither an impossible public part nor an altered sealed one."""
    bare = without_hidden(state_message(played(10)))
    bare.deck_size += 1
    refusal = await refusal_of(samples(stub, bare))
    assert (refusal.reason, refusal.fields) == ("IMPOSSIBLE_STATE", ["deck_size"])
    altered = sealed(server, played(10))
    altered.version += 1
    assert (await refusal_of(samples(stub, altered))).reason == "SEAL_BROKEN"


async def test_as_many_as_may_be_asked_for_fit_into_a_reply(stub: Stub) -> None:
    assert len(await samples(stub, state_message(played(100, players=5)), count=1000)) == 1000
