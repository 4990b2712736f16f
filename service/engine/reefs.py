"""Coral and reefs (R11): what they hold, what a card needs, and what a purchase costs."""

from collections.abc import Callable
from typing import Final

from service.engine.cards import CoralNeed
from service.engine.events import CoralGained
from service.engine.moves import BUY_CORAL_BY_CARD, BUY_CORAL_BY_EGG, BUY_CORAL_BY_YOUNG, Move
from service.engine.ocean import SITE_SLOTS, SITES, ZONE_SLOTS, slots_in
from service.engine.piles import pay_card
from service.engine.state import Player, Table
from service.engine.tokens import pay_egg, pay_young, slots_with_young

REEF_SIZE: Final = 6
"""Coral that a reef holds at most (R11.1)."""


def has_room(player: Player, site: int) -> bool:
    """Return whether a reef takes one more coral (R11.1)."""
    return player.reefs[site] < REEF_SIZE


def slots_without_coral(player: Player, need: CoralNeed) -> int:
    """Return the Sunlight slots whose own reef has not the coral that a card needs (R11.4, RU16)."""
    lacking = (
        SITE_SLOTS[site]
        for site, coral in enumerate(player.reefs)
        if coral < need.at_least or need.site not in (None, site)
    )
    return sum(lacking) & ZONE_SLOTS[0]


def slots_with_reef(player: Player, at_least: int) -> int:
    """Return the slots whose own reef holds so many coral (R11.5)."""
    return sum(SITE_SLOTS[site] for site in range(len(SITES)) if player.reefs[site] >= at_least)


def gain_coral(table: Table, seat: int, site: int) -> None:
    """Put one coral into a reef (R7.6)."""
    table.state.players[seat].reefs[site] += 1
    table.events.append(CoralGained(seat, table.source, site))


def _by_egg(player: Player) -> list[Move]:
    return [BUY_CORAL_BY_EGG[slot] for slot in slots_in(player.eggs)]


def _by_young(player: Player) -> list[Move]:
    return [BUY_CORAL_BY_YOUNG[slot] for slot in slots_with_young(player)]


def _by_card(player: Player) -> list[Move]:
    return [BUY_CORAL_BY_CARD[card] for card in player.hand]


_PRICES: Final[tuple[Callable[[Player], list[Move]], ...]] = (_by_egg, _by_young, _by_card)
"""Per site, the purchases that a player can pay for (R11.2, RU15)."""


def purchases(player: Player, site: int) -> list[Move]:
    """Return the ways to buy a coral for a site's reef (R11.2)."""
    return _PRICES[site](player) if has_room(player, site) else []


PAY_PRICE: Final[tuple[Callable[[Table, int, Move], None], ...]] = (
    lambda table, seat, move: pay_egg(table, seat, move.slot),
    lambda table, seat, move: pay_young(table, seat, move.slot),
    lambda table, seat, move: pay_card(table, seat, move.card),
)
"""Per site, how a purchase is paid for (R11.2, RU15)."""
