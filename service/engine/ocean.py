"""The geometry of an ocean (R1.1): sites, zones, rows, the 18 slots, sets of slots, straight lines.

A slot is a small integer, ``site * 6 + row`` with both counted from 0, so ``B1`` is 0 and ``G6`` is 17.
A set of slots is an 18-bit integer, bit *n* for slot *n*: "your fish without an egg in the purple site"
is one expression.
"""

from typing import Final

SITES: Final = ("blue", "purple", "green")
ZONES: Final = ("sunlight", "twilight", "midnight")
ROW_ZONES: Final = (0, 0, 0, 1, 2, 2)
"""The zone of each row, from the top (R1.1)."""

ROW_COUNT: Final = len(ROW_ZONES)
SLOT_COUNT: Final = len(SITES) * ROW_COUNT
ALL_SLOTS: Final = (1 << SLOT_COUNT) - 1

SLOT_NAMES: Final = tuple(f"{site[0].upper()}{row + 1}" for site in SITES for row in range(ROW_COUNT))
SLOTS_BY_NAME: Final = {name: slot for slot, name in enumerate(SLOT_NAMES)}

SITE_SLOTS: Final = tuple(
    sum(1 << site * ROW_COUNT + row for row in range(ROW_COUNT)) for site in range(len(SITES))
)
ROW_SLOTS: Final = tuple(
    sum(1 << site * ROW_COUNT + row for site in range(len(SITES))) for row in range(ROW_COUNT)
)
ZONE_SLOTS: Final = tuple(
    sum(ROW_SLOTS[row] for row in range(ROW_COUNT) if ROW_ZONES[row] == zone) for zone in range(len(ZONES))
)
NAMED_ROWS: Final = {"top": 0, "bottom": ROW_COUNT - 1}
"""The rows that cards name."""


def site_of(slot: int) -> int:
    """Return the dive site (0-2) that a slot belongs to."""
    return slot // ROW_COUNT


def row_of(slot: int) -> int:
    """Return the row (0-5, from the top) that a slot lies in."""
    return slot % ROW_COUNT


def zone_of(slot: int) -> int:
    """Return the zone (0-2, from the top) that a slot lies in."""
    return ROW_ZONES[slot % ROW_COUNT]


_HALF: Final = SLOT_COUNT // 2
_LOW_HALF: Final = (1 << _HALF) - 1
_LOW_SLOTS: Final = tuple(
    tuple(slot for slot in range(_HALF) if bits >> slot & 1) for bits in range(1 << _HALF)
)
_HIGH_SLOTS: Final = tuple(tuple(slot + _HALF for slot in slots) for slots in _LOW_SLOTS)


def slots_in(slots: int) -> tuple[int, ...]:
    """Return the members of a set of slots, ascending."""
    return _LOW_SLOTS[slots & _LOW_HALF] + _HIGH_SLOTS[slots >> _HALF]


def _ray(slot: int, sites: int, rows: int) -> tuple[int, ...]:
    """Return the slots from ``slot`` (left out) to the ocean's edge, going by so many sites and rows."""
    site, row = site_of(slot) + sites, row_of(slot) + rows
    ray = []
    while 0 <= site < len(SITES) and 0 <= row < ROW_COUNT:
        ray.append(site * ROW_COUNT + row)
        site, row = site + sites, row + rows
    return tuple(ray)


_DIRECTIONS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
RAYS: Final = tuple(
    tuple(ray for direction in _DIRECTIONS if (ray := _ray(slot, *direction))) for slot in range(SLOT_COUNT)
)
"""Per slot, its straight lines (R4.4): left, up, down, right, each from the nearest slot outwards."""

LINES: Final = tuple(sum(1 << to for ray in rays for to in ray) for rays in RAYS)
"""Per slot, the set of the other slots in its site and its row."""


def reachable(slot: int, walls: int, stops: int) -> int:
    """Return the slots that a token can move to from ``slot`` in one straight line (R4.4).

    It may not enter a slot of ``walls``; it may enter one of ``stops``, but goes no further.
    """
    if not LINES[slot] & (walls | stops):
        return LINES[slot]
    reached = 0
    for ray in RAYS[slot]:
        for to in ray:
            if walls >> to & 1:
                break
            reached |= 1 << to
            if stops >> to & 1:
                break
    return reached
