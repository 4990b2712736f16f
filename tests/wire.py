"""Messages as a client gets them, and the readers that make plain data of them."""

from collections.abc import Iterable
from typing import Any

from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.convert import event_fields
from service.engine.rules import Transition
from service.engine.state import GameState
from service.positions import Positions, position_of
from service.seal import Seals
from tests.facts import SITES, SLOTS
from tests.plain import Happening, PlainPlayer, PlainSlot, PlainTable

SIDES = {pb.BOARD_SIDE_A: "a", pb.BOARD_SIDE_B: "b"}
SETS = {pb.EXPANSION_SHARKS_AND_REEFS: "sharks_and_reefs"}
TRIGGERS = {
    pb.TRIGGER_WHEN_PLAYED: "when_played",
    pb.TRIGGER_IF_ACTIVATED: "if_activated",
    pb.TRIGGER_GAME_END: "game_end",
}


POSITIONS = Positions(Seals({"a key": bytes(range(32))}))
"""How a server with one key, known to all, reads and writes states."""


def state_message(state: GameState, *, is_open: bool = True) -> pb.GameState:
    """Return a state as it arrives at a client."""
    message = POSITIONS.write(position_of(state, is_open=is_open))
    return pb.GameState.FromString(message.SerializeToString())


def event_messages(transition: Transition) -> list[pb.Event]:
    """Return events as they arrive at a client."""
    messages = (pb.Event(**fields) for fields in event_fields(transition))
    return [pb.Event.FromString(message.SerializeToString()) for message in messages]


def _plain_slots(message: pb.PlayerState) -> dict[str, PlainSlot]:
    ocean = {name: PlainSlot() for name in SLOTS}
    for held in message.ocean:
        ocean[SLOTS[held.slot - 1]] = PlainSlot(
            held.fish, held.egg, held.young, held.school, list(held.consumed)
        )
    return ocean


def _plain_player(message: pb.PlayerState) -> PlainPlayer:
    return PlainPlayer(
        ocean=_plain_slots(message),
        hand=list(message.hand),
        discard=list(message.discard_pile),
        divers=message.divers_left,
        deep_used={SITES[site - 1] for site in message.deep_bonuses_used},
        game_end_used={SLOTS[slot - 1] for slot in message.game_end_fish_used},
        gained=[(week.points, week.most) for week in message.achievement_points],
        reefs=dict(zip(SITES, message.reefs, strict=True)) if message.reefs else {},
    )


def table_of_message(message: pb.GameState) -> PlainTable:
    """Return the public facts of a message that events tell of."""
    is_over = message.agenda[0].HasField("game_over")
    return PlainTable(
        side=SIDES[message.options.side],
        sets=("base", *(SETS[expansion] for expansion in message.options.expansions)),
        players=[_plain_player(player) for player in message.players],
        undealt=list(message.undealt_starters),
        deck_size=message.deck_size,
        achievements=tuple(message.achievements),
        week=message.week,
        turn=message.turn,
        seat=None if is_over else message.seat,
        first_player=message.first_player,
    )


def _plain_source(message: pb.Source) -> dict[str, Any]:
    if message.HasField("fish"):
        fish = message.fish
        return {"seat": fish.seat, "slot": SLOTS[fish.slot - 1], "card": fish.card, "also": fish.also}
    if message.HasField("bonus"):
        return {"site": SITES[message.bonus.site - 1], "stop": message.bonus.stop}
    return {"rule": message.rule}


def _plain_fact(name: str, value: Any) -> Any:  # noqa: ANN401  fields have many types
    if name in ("slot", "from", "to"):
        return SLOTS[value - 1]
    if name == "trigger":
        return TRIGGERS[value]
    if name == "site":
        return SITES[value - 1] if value else None
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _plain_facts(message: Message) -> dict[str, Any]:
    names = (field.name for field in message.DESCRIPTOR.fields)
    facts = {name: _plain_fact(name, getattr(message, name)) for name in names}
    if "from" in facts:
        facts["slot"] = facts.pop("from")
    return facts


def name_of(kind: str) -> str:
    """Return the engine's name of a kind of event, such as "EggLaid" of "egg_laid"."""
    return "".join(word.capitalize() for word in kind.split("_"))


def happening_of_message(message: pb.Event) -> Happening:
    """Return an event as plain data."""
    kind = message.WhichOneof("event")
    assert kind is not None
    seat = message.seat if message.HasField("seat") else None
    return Happening(name_of(kind), seat, _plain_source(message.source), _plain_facts(getattr(message, kind)))
