"""Eggs, young and schools (R4): the sets that the rules speak of, and the rulebook's verbs.

The verbs change the table's state in place and note their events.
"""

from service.engine.events import (
    EggHatched,
    EggLaid,
    EggPaid,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    YoungMoved,
    YoungPaid,
    YoungPlaced,
)
from service.engine.ocean import reachable
from service.engine.state import SCHOOL_SIZE, Player, Table


def fish_without_egg(player: Player) -> int:
    """Return the slots where an egg may be laid: a visible fish that has none (R4.1, R4.3)."""
    return player.occupied & ~player.eggs


def slots_with_young(player: Player) -> list[int]:
    """Return the slots with at least one young beside a school, ascending."""
    return [slot for slot, young in enumerate(player.young) if young]


def slots_about_to_school(player: Player) -> int:
    """Return the slots where one more young makes a school (R4.2), which ends its move (R4.4)."""
    if SCHOOL_SIZE - 1 not in player.young:  # as it is mostly
        return 0
    slots = 0
    for slot, young in enumerate(player.young):
        if young == SCHOOL_SIZE - 1:
            slots |= 1 << slot
    return slots & ~player.schools


def young_destinations(player: Player, slot: int) -> int:
    """Return the slots that a young of ``slot`` can move to (R4.4)."""
    return reachable(slot, walls=0, stops=slots_about_to_school(player))


def school_destinations(player: Player, slot: int) -> int:
    """Return the slots that the school of ``slot`` can move to (R4.4)."""
    return reachable(slot, walls=player.schools, stops=0)


def form_school(table: Table, seat: int, slot: int) -> None:
    """Turn three young of a slot without a school into a school, if it holds three (R4.2)."""
    player = table.state.players[seat]
    if player.young[slot] >= SCHOOL_SIZE and not player.schools >> slot & 1:
        player.young[slot] -= SCHOOL_SIZE
        player.schools |= 1 << slot
        table.events.append(SchoolFormed(seat, table.source, slot))


def lay_egg(table: Table, seat: int, slot: int) -> None:
    """Lay an egg on the fish of a slot (R4.3)."""
    table.state.players[seat].eggs |= 1 << slot
    table.events.append(EggLaid(seat, table.source, slot))


def hatch(table: Table, seat: int, slot: int) -> None:
    """Turn the egg of a slot into a young (R4.3)."""
    player = table.state.players[seat]
    player.eggs &= ~(1 << slot)
    player.young[slot] += 1
    table.events.append(EggHatched(seat, table.source, slot))
    form_school(table, seat, slot)


def place_young(table: Table, seat: int, slot: int) -> None:
    """Put a young on a slot (R4.3)."""
    table.state.players[seat].young[slot] += 1
    table.events.append(YoungPlaced(seat, table.source, slot))
    form_school(table, seat, slot)


def move_young(table: Table, seat: int, slot: int, to: int) -> None:
    """Move a young (R4.4)."""
    young = table.state.players[seat].young
    young[slot] -= 1
    young[to] += 1
    table.events.append(YoungMoved(seat, table.source, slot, to))
    form_school(table, seat, to)


def move_school(table: Table, seat: int, slot: int, to: int) -> None:
    """Move a school; young that it leaves behind may form a new one (R4.2, R4.4)."""
    player = table.state.players[seat]
    player.schools ^= 1 << slot | 1 << to
    table.events.append(SchoolMoved(seat, table.source, slot, to))
    form_school(table, seat, slot)


def pay_egg(table: Table, seat: int, slot: int) -> None:
    """Pay the egg of a slot (R5.1)."""
    table.state.players[seat].eggs &= ~(1 << slot)
    table.events.append(EggPaid(seat, table.source, slot))


def pay_young(table: Table, seat: int, slot: int) -> None:
    """Pay a young of a slot (R5.1)."""
    table.state.players[seat].young[slot] -= 1
    table.events.append(YoungPaid(seat, table.source, slot))


def pay_school(table: Table, seat: int, slot: int) -> None:
    """Pay the school of a slot; young that it leaves behind may form a new one (R4.2, R5.1)."""
    table.state.players[seat].schools &= ~(1 << slot)
    table.events.append(SchoolPaid(seat, table.source, slot))
    form_school(table, seat, slot)


def scatter(table: Table, seat: int, slot: int) -> None:
    """Break up the school of a slot; young that it leaves behind may form a new one (R4.2, R7.5)."""
    table.state.players[seat].schools &= ~(1 << slot)
    table.events.append(SchoolScattered(seat, table.source, slot))
    form_school(table, seat, slot)
