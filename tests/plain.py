"""A game as plain data that owes nothing to the engine's representation, and what happened likewise.

It is what a client keeps: names instead of numbers, no bit sets, no hidden facts. `recount` counts it, `fold`
carries it on. Here are the readers for the engine's own values; `wire` has those for messages.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from service.engine.events import BonusSource, Event, FishSource, Source
from service.engine.ocean import SITES, SLOT_NAMES, slots_in
from service.engine.state import GameState, Player, divers_left
from tests.facts import FORAGE, SLOTS, cards_of

SETUP_DIVERS = 6
REEFS_SET = "sharks_and_reefs"


@dataclass
class PlainSlot:
    """What lies on a slot; a fish of 0 is none."""

    fish: int = 0
    egg: bool = False
    young: int = 0
    school: bool = False
    under: list[int] = field(default_factory=list)


@dataclass
class PlainPlayer:
    """One player's side of the table: slots, sites and cards by name or id.

    ``reefs`` has the coral of each site's reef; without Sharks & Reefs there are no reefs.
    """

    ocean: dict[str, PlainSlot]
    hand: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    divers: int = SETUP_DIVERS
    deep_used: set[str] = field(default_factory=set)
    game_end_used: set[str] = field(default_factory=set)
    gained: list[tuple[int, int]] = field(default_factory=list)
    reefs: dict[str, int] = field(default_factory=dict)


@dataclass
class PlainTable:
    """All that a player sees; ``seat`` is whose turn or game end it is, None when the game is over."""

    side: str
    sets: tuple[str, ...]
    players: list[PlainPlayer]
    undealt: list[int]
    deck_size: int
    achievements: tuple[str, ...] = ()
    week: int = 0
    turn: int = 0
    seat: int | None = None
    first_player: int | None = None


class Happening(NamedTuple):
    """An event: its name, whom it happened to, what brought it about, and its own fields."""

    kind: str
    seat: int | None
    source: dict[str, Any]
    facts: dict[str, Any]


def empty_table(players: int, side: str, sets: tuple[str, ...]) -> PlainTable:
    """Return the table before setup: forage fish printed, cards in their decks, reefs empty (R1.5, R2)."""
    printed = {fish["slot"]: id_ for id_, fish in FORAGE.items()}
    sites = SITES if REEFS_SET in sets else ()
    return PlainTable(
        side=side,
        sets=sets,
        players=[
            PlainPlayer(
                ocean={slot: PlainSlot(fish=printed.get(slot, 0)) for slot in SLOTS},
                reefs=dict.fromkeys(sites, 0),
            )
            for _ in range(players)
        ],
        undealt=cards_of(sets, "starter"),
        deck_size=len(cards_of(sets, "main")),
    )


def _plain_slot(player: Player, slot: int) -> PlainSlot:
    return PlainSlot(
        fish=player.fish[slot],
        egg=bool(player.eggs >> slot & 1),
        young=player.young[slot],
        school=bool(player.schools >> slot & 1),
        under=list(player.under.get(slot, ())),
    )


def _plain_player(state: GameState, seat: int) -> PlainPlayer:
    player = state.players[seat]
    return PlainPlayer(
        ocean={name: _plain_slot(player, slot) for slot, name in enumerate(SLOT_NAMES)},
        hand=list(player.hand),
        discard=list(player.discard),
        divers=divers_left(state, seat),
        deep_used={site for index, site in enumerate(SITES) if player.deep_used >> index & 1},
        game_end_used={SLOT_NAMES[slot] for slot in slots_in(player.activated)},
        gained=[(week.points, week.most) for week in player.gained],
        reefs=dict(zip(SITES, player.reefs, strict=True)) if state.options.has_reefs else {},
    )


def table_of(state: GameState) -> PlainTable:
    """Return the public facts of a state that events tell of."""
    return PlainTable(
        side=state.options.side,
        sets=state.options.sets,
        players=[_plain_player(state, seat) for seat in range(len(state.players))],
        undealt=list(state.undealt),
        deck_size=len(state.deck),
        achievements=state.tiles,
        week=state.week,
        turn=state.turn,
        seat=None if state.is_over else state.seat,
        first_player=state.first_player,
    )


def _plain_source(source: Source) -> dict[str, Any]:
    if isinstance(source, FishSource):
        slot = SLOT_NAMES[source.slot]
        return {"seat": source.seat, "slot": slot, "card": source.card, "also": source.is_also}
    if isinstance(source, BonusSource):
        return {"site": SITES[source.site], "stop": source.stop + 1}
    return {"rule": source.rule}


def _plain_fact(name: str, value: Any) -> Any:  # noqa: ANN401  events have fields of many types
    if name in ("slot", "to"):
        return SLOT_NAMES[value]
    return SITES[value] if name == "site" and value is not None else value


def happening_of(event: Event) -> Happening:
    """Return an event of the engine as plain data."""
    source = _plain_source(event.source)
    facts = {
        name: _plain_fact(name, value)
        for name, value in event._asdict().items()
        if name not in ("seat", "source")
    }
    return Happening(type(event).__name__, event.seat, source, facts)
