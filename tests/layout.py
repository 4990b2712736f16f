"""The canonical layout of public facts, written a second time from its description, over messages.

So a client can compute the digest of a state that it holds. `service.engine.digest` has the description, and
the implementation that the service uses; nothing of that is used here.
"""

from collections.abc import Iterable
from hashlib import sha256

from finspan.v1 import finspan_pb2 as pb

SIDES = {pb.BOARD_SIDE_A: "a", pb.BOARD_SIDE_B: "b"}
SETS = {pb.EXPANSION_SHARKS_AND_REEFS: "sharks_and_reefs"}


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def listed(items: Iterable[bytes]) -> bytes:
    written = list(items)
    return number(len(written)) + b"".join(written)


def numbers(values: Iterable[int]) -> bytes:
    return listed(map(number, values))


def text(value: str) -> bytes:
    return numbers(value.encode("utf-8"))


def texts(values: Iterable[str]) -> bytes:
    return listed(map(text, values))


def slot(held: pb.SlotState) -> bytes:
    flat = (held.slot, held.fish, int(held.egg), held.young, int(held.school))
    return b"".join(map(number, flat)) + numbers(held.consumed)


def player(message: pb.PlayerState) -> bytes:
    gained = (number(week.points) + number(week.most) for week in message.achievement_points)
    return b"".join(
        (
            listed(map(slot, message.ocean)),
            numbers(message.hand),
            numbers(message.discard_pile),
            numbers(message.deep_bonuses_used),
            numbers(message.game_end_fish_used),
            listed(gained),
        )
    )


def fish_source(fish: pb.FishSource) -> bytes:
    return b"".join(map(number, (1, fish.seat, fish.slot, fish.card)))


def source(message: pb.Source) -> bytes:
    if message.HasField("fish"):
        return fish_source(message.fish)
    return b"".join(map(number, (2, message.bonus.site, message.bonus.stop)))


def step_fields(message: pb.Step) -> bytes:
    if message.HasField("pay"):
        pay = message.pay
        flat = (pay.card, pay.slot, pay.cards, pay.eggs, pay.young, pay.schools)
        return b"".join(map(number, flat))
    if message.HasField("benefits"):
        benefits = message.benefits
        return number(benefits.seat) + source(benefits.source) + numbers(benefits.left)
    if message.HasField("all_players"):
        return fish_source(message.all_players.fish) + number(message.all_players.next_seat)
    if message.HasField("dive"):
        return number(message.dive.site) + number(message.dive.next_stop)
    return b""


def step(message: pb.Step) -> bytes:
    kind = message.WhichOneof("step")
    assert kind is not None
    return number(pb.Step.DESCRIPTOR.fields_by_name[kind].number) + step_fields(message)


def public_bytes(message: pb.GameState) -> bytes:
    """Return the canonical layout of the public facts that a message carries."""
    options = message.options
    return b"".join(
        (
            number(1),
            texts(SETS[expansion] for expansion in options.expansions),
            text(SIDES[options.side]),
            texts(options.tiles),
            texts(message.achievements),
            *map(number, (message.week, message.turn, message.seat, message.first_player)),
            numbers(message.undealt_starters),
            number(message.deck_size),
            listed(map(player, message.players)),
            listed(map(step, message.agenda)),
        )
    )


def public_digest(message: pb.GameState) -> str:
    """Return the digest of the public facts that a message carries."""
    return sha256(public_bytes(message)).hexdigest()


def full_digest(message: pb.GameState) -> str:
    """Return the digest of all facts of an open state."""
    hidden = numbers(message.open.deck.cards) + text(message.open.seed) + number(message.open.counter)
    return sha256(public_bytes(message) + hidden).hexdigest()
