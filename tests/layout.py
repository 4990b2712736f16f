"""The canonical layout of public facts, written a second time from its description, over messages.

So a client can compute the digest of a state that it holds. docs/determinism.md is the description;
`service.engine.digest`, which the service uses, is not used here.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

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


def players(message: pb.GameState) -> bytes:
    """Return the list of the players, each with reefs behind the rest if there are reefs in the game."""
    has_reefs = pb.EXPANSION_SHARKS_AND_REEFS in message.options.expansions
    return listed(player(one) + (numbers(one.reefs) if has_reefs else b"") for one in message.players)


def fish_source(fish: pb.FishSource) -> bytes:
    return b"".join(map(number, (3 if fish.also else 1, fish.seat, fish.slot, fish.card)))


def source(message: pb.Source) -> bytes:
    if message.HasField("fish"):
        return fish_source(message.fish)
    return b"".join(map(number, (2, message.bonus.site, message.bonus.stop)))


def pay_fields(step: pb.PayStep) -> bytes:
    return b"".join(map(number, (step.card, step.slot, step.cards, step.eggs, step.young, step.schools)))


def benefits_fields(step: pb.BenefitsStep) -> bytes:
    return number(step.seat) + source(step.source) + numbers(step.left)


def all_players_fields(step: pb.AllPlayersStep) -> bytes:
    return fish_source(step.fish) + number(step.next_seat)


def dive_fields(step: pb.DiveStep) -> bytes:
    return number(step.site) + number(step.next_stop)


def scatter_fields(step: pb.ScatterStep) -> bytes:
    return number(step.seat) + source(step.source) + numbers(step.used)


def also_if_fields(step: pb.AlsoIfStep) -> bytes:
    return fish_source(step.fish)


STEP_FIELDS: dict[str, Callable[[Any], bytes]] = {
    "pay": pay_fields,
    "benefits": benefits_fields,
    "all_players": all_players_fields,
    "dive": dive_fields,
    "scatter": scatter_fields,
    "also_if": also_if_fields,
}
"""How each kind of step that has fields is written."""


def step(message: pb.Step) -> bytes:
    kind = message.WhichOneof("step")
    assert kind is not None
    fields = STEP_FIELDS[kind](getattr(message, kind)) if kind in STEP_FIELDS else b""
    return number(pb.Step.DESCRIPTOR.fields_by_name[kind].number) + fields


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
            players(message),
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
