"""Sealed states: what is bound, which keys open, what is said when they do not."""

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import full_digest, public_bytes
from service.engine.state import GameState
from service.errors import OtherRulesVersion, SealBroken, SealKeyUnknown
from service.positions import Positions, position_of
from service.seal import Seals, bound_bytes, hidden_bytes, new_key, read_keys, set_hidden
from service.testing import RunningServer
from tests.service.support import Stub, alterations, new_state, played, refusal_of
from tests.table import START_OCEAN, play, situation

KEY_A, KEY_B = "a:" + "0a" * 32, "b:" + "0b" * 32


def seals(*keys: str) -> Seals:
    return Seals(read_keys(",".join(keys)))


def sealed(state: GameState, by: Seals) -> pb.GameState:
    return Positions(by).write(position_of(state, is_open=False))


def opened(message: pb.GameState, by: Seals) -> GameState:
    return Positions(by).read(message).state


@pytest.mark.parametrize("players", [1, 2, 5])
@pytest.mark.parametrize("moves", [0, 40, 10_000])
def test_a_sealed_state_opens_to_the_same_state(players: int, moves: int) -> None:
    state = played(moves, players=players)
    keys = seals(KEY_A)
    assert full_digest(opened(sealed(state, keys), keys)) == full_digest(state)


def test_what_is_sealed_shows_nothing() -> None:
    state = played(20, seed="a seed to look for")
    message = sealed(state, seals(KEY_A))
    written = message.SerializeToString()
    assert b"a seed to look for" not in written
    assert hidden_bytes(state)[20:40] not in written


def test_two_seals_of_one_state_differ() -> None:
    state, keys = played(20), seals(KEY_A)
    assert sealed(state, keys).sealed.nonce != sealed(state, keys).sealed.nonce


def test_the_hidden_part_is_written_without_loss() -> None:
    state, other = played(30, seed="ü" * 64), played(30)
    set_hidden(other, hidden_bytes(state))
    assert (other.deck, other.seed, other.counter) == (state.deck, state.seed, state.counter)


def test_names_cannot_be_shifted_into_each_other() -> None:
    one, other = played(0), played(0)
    one.names, other.names = ("ab", "c"), ("a", "bc")
    assert bound_bytes(one, public_bytes(one)) != bound_bytes(other, public_bytes(other))


MESSAGE = sealed(played(37, players=2, choose=4), seals(KEY_A, KEY_B))
LATE = sealed(played(10_000, players=3, side="b"), seals(KEY_A))


SCATTERING = sealed(
    play(
        situation(oceans=[{"P1": "61 s"}, START_OCEAN], hands=[(16, 131, 207)], reefs=[(0, 0, 2)]),
        *("play:207@G1", "scatter:P1", "young:B1"),
    ).state,
    seals(KEY_A),
)
"""A school is being scattered."""
ALSO = sealed(
    play(situation(oceans=[{"B1": "138"}, START_OCEAN], reefs=[(3, 0, 0)]), "dive:blue", "draw").state,
    seals(KEY_A),
)
"""The second part of an ability waits."""
MESSAGES = {"mid-game": MESSAGE, "over": LATE, "scattering": SCATTERING, "also": ALSO}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
@pytest.mark.parametrize("kept", [0, 1000], ids=["unknown", "seen before"])
def test_a_sealed_state_altered_in_any_field_is_refused(message: pb.GameState, kept: int) -> None:
    positions = Positions(seals(KEY_A), kept)
    positions.read(message)
    for what, altered in alterations(message):
        if not altered.HasField("sealed"):
            continue  # it no longer claims to be sealed
        with pytest.raises((SealBroken, SealKeyUnknown, OtherRulesVersion)) as refused:
            positions.read(altered)
        expected = {
            ".rules_version (0)": OtherRulesVersion,
            "sealed.key_id (0)": SealKeyUnknown,
        }.get(what, SealBroken)
        assert refused.type is expected, what


def test_bytes_are_altered_at_the_same_length_too() -> None:
    for name in ("nonce", "ciphertext"):
        was: bytes = getattr(MESSAGE.sealed, name)
        made = [
            getattr(altered.sealed, name) for what, altered in alterations(MESSAGE) if f".{name} " in what
        ]
        assert sum(len(now) == len(was) and now != was for now in made) == 3


def test_these_states_have_every_kind_of_step_of_sharks_and_reefs() -> None:
    """Which are therefore altered field by field."""
    steps = {step.WhichOneof("step") for message in MESSAGES.values() for step in message.agenda}
    assert steps >= {"scatter", "also_if"}


@pytest.mark.parametrize(
    ("message", "reefs"),
    [
        (SCATTERING, []),
        (ALSO, []),
        (ALSO, [3, 0]),
        (ALSO, [4, 0, 0]),
        (MESSAGE, [0, 0, 0]),
        (MESSAGE, [1, 0, 0]),
    ],
    ids=["left out", "left out of one", "too few", "too much", "empty in a base game", "in a base game"],
)
def test_reefs_are_there_with_sharks_and_reefs_and_only_then(message: pb.GameState, reefs: list[int]) -> None:
    """Empty ones say nothing that the seal could see, and were still not our doing."""
    altered = pb.GameState()
    altered.CopyFrom(message)
    altered.players[1 if reefs == [] else 0].reefs[:] = reefs
    with pytest.raises(SealBroken):
        opened(altered, seals(KEY_A))


def test_the_order_in_a_hand_means_nothing() -> None:
    message = pb.GameState()
    message.CopyFrom(MESSAGE)
    hand = message.players[0].hand
    hand[:] = list(hand)[::-1]
    assert full_digest(opened(message, seals(KEY_A))) == full_digest(opened(MESSAGE, seals(KEY_A)))


def test_the_first_key_seals_and_all_open() -> None:
    state = played(5)
    before, during, after = seals(KEY_A), seals(KEY_A, KEY_B), seals(KEY_B, KEY_A)
    assert sealed(state, during).sealed.key_id == "a"
    old, new = sealed(state, before), sealed(state, after)
    assert new.sealed.key_id == "b"
    for keys in (during, after):
        assert full_digest(opened(old, keys)) == full_digest(opened(new, keys))
    assert after.openings == {"a": 1, "b": 1}


def test_a_dropped_key_is_unknown_and_not_tampering() -> None:
    with pytest.raises(SealKeyUnknown) as refused:
        opened(sealed(played(5), seals(KEY_A)), seals(KEY_B))
    assert refused.value.key_id == "a"


def test_another_key_of_the_same_id_does_not_open() -> None:
    with pytest.raises(SealBroken):
        opened(sealed(played(5), seals(KEY_A)), seals("a:" + "0b" * 32))


@pytest.mark.parametrize("cut", [0, 1, 15, 16, 17])
def test_a_cut_ciphertext_does_not_open(cut: int) -> None:
    message = pb.GameState()
    message.CopyFrom(MESSAGE)
    message.sealed.ciphertext = message.sealed.ciphertext[:cut]
    with pytest.raises(SealBroken):
        opened(message, seals(KEY_A))


@pytest.mark.parametrize("length", [0, 1, 11, 13, 10_000])
def test_a_nonce_of_another_length_does_not_open(length: int) -> None:
    message = pb.GameState()
    message.CopyFrom(MESSAGE)
    message.sealed.nonce = b"x" * length
    with pytest.raises(SealBroken):
        opened(message, seals(KEY_A))


def test_a_new_key_can_be_read() -> None:
    ((key_id, key),) = read_keys(new_key()).items()
    assert key_id
    assert len(key) == 32


@pytest.mark.parametrize(
    "text",
    [KEY_A[2:], KEY_A + "0", "a:" + "zz" * 32, f"{KEY_A},{KEY_A}", f"{KEY_A};{KEY_B}", "a b:" + "0a" * 32],
)
def test_keys_of_another_form_are_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=r"^key \d ") as refused:
        read_keys(text)
    assert "0a0a" not in str(refused.value)


async def test_an_altered_state_is_refused_through_grpc_too(server: RunningServer, stub: Stub) -> None:
    state = await new_state(stub)
    state.players[0].hand.append(state.players[1].hand.pop())
    refusal = await refusal_of(stub.LegalMoves(pb.LegalMovesRequest(state=state)))
    assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "SEAL_BROKEN")
    assert not refusal.violations


async def test_what_could_not_even_be_read_is_named(stub: Stub) -> None:
    state = await new_state(stub)
    state.players[1].ocean[0].slot = 19  # type: ignore[assignment]  # no such slot
    refusal = await refusal_of(stub.LegalMoves(pb.LegalMovesRequest(state=state)))
    assert refusal.reason == "SEAL_BROKEN"
    assert refusal.fields == ["players[1].ocean[0].slot"]
