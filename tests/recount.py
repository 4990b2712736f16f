"""Counts points again, slowly and from the printed facts, to be compared with what the engine says (R8, R9).

It was written from the rules alone, walks the ocean slot by slot, and shares nothing with the scoring of the
engine.
"""

from collections.abc import Callable
from typing import Any

from tests.facts import CARDS, FORAGE, TILES
from tests.plain import PlainPlayer, PlainSlot, PlainTable

FULL_REEFS = {"blue": 6, "purple": 8, "green": 5}
"""What a reef with six coral is worth."""
ROWS = {row: tuple(f"{site}{row}" for site in "BPG") for row in range(1, 7)}


def _fish(player: PlainPlayer) -> list[int]:
    return [slot.fish for slot in player.ocean.values() if slot.fish]


def _cards(player: PlainPlayer) -> list[dict[str, Any]]:
    return [CARDS[fish] for fish in _fish(player) if fish not in FORAGE]


def _length(fish: int) -> int:
    facts = FORAGE[fish] if fish in FORAGE else CARDS[fish]
    return int(facts["length_cm"])


def _eggs(player: PlainPlayer) -> int:
    return sum(1 for slot in player.ocean.values() if slot.egg)


def _young(player: PlainPlayer) -> int:
    return sum(slot.young for slot in player.ocean.values())


def _schools(player: PlainPlayer) -> int:
    return sum(1 for slot in player.ocean.values() if slot.school)


def _consumed(player: PlainPlayer) -> int:
    return sum(len(slot.under) for slot in player.ocean.values())


def _has_token(slot: PlainSlot) -> bool:
    return slot.egg or slot.school or slot.young > 0


def _full_rows(player: PlainPlayer) -> int:
    return sum(1 for slots in ROWS.values() if all(player.ocean[name].fish for name in slots))


def _with_token(player: PlainPlayer) -> int:
    return sum(1 for slot in player.ocean.values() if slot.fish and _has_token(slot))


def _without_token(player: PlainPlayer) -> int:
    return sum(1 for slot in player.ocean.values() if slot.fish and not _has_token(slot))


def _small(player: PlainPlayer) -> int:
    return sum(1 for fish in _fish(player) if _length(fish) < 50)


def _medium(player: PlainPlayer) -> int:
    return sum(1 for fish in _fish(player) if 50 <= _length(fish) < 150)


def _large(player: PlainPlayer) -> int:
    return sum(1 for fish in _fish(player) if _length(fish) >= 150)


def _if_activated(player: PlainPlayer) -> int:
    return sum(1 for card in _cards(player) if card["ability"]["trigger"] == "if_activated")


def _predator_tags(player: PlainPlayer) -> int:
    return sum(1 for card in _cards(player) for tag in card["tags"] if tag == "predator")


def _sunlight(player: PlainPlayer) -> int:
    return sum(1 for name, slot in player.ocean.items() if slot.fish and name[1] in "123")


def _one_to_three_points(player: PlainPlayer) -> int:
    return sum(1 for card in _cards(player) if card["points"] in (1, 2, 3))


def _five_points_or_more(player: PlainPlayer) -> int:
    return sum(1 for card in _cards(player) if card["points"] >= 5)


def _tag_kinds(player: PlainPlayer) -> int:
    return len(set().union(*(card["tags"] for card in _cards(player))))


def _coral(player: PlainPlayer) -> int:
    return sum(player.reefs.values())


def _full_reefs(player: PlainPlayer) -> int:
    return sum(FULL_REEFS[site] for site, coral in player.reefs.items() if coral == 6)


_COUNTED: dict[str, Callable[[PlainPlayer], int]] = {
    "eggs_and_young": lambda player: _eggs(player) + _young(player),
    "eggs": _eggs,
    "young": _young,
    "schools": _schools,
    "full_rows": _full_rows,
    "small_fish": _small,
    "medium_fish": _medium,
    "large_fish": _large,
    "fish_with_token": _with_token,
    "fish_without_token": _without_token,
    "if_activated_fish": _if_activated,
    "predator_tags": _predator_tags,
    "consumed_fish": _consumed,
    "coral": _coral,
    "sunlight_fish": _sunlight,
    "fish_of_1_to_3_points": _one_to_three_points,
    "fish_over_4_points": _five_points_or_more,
    "tag_kinds": _tag_kinds,
    "discard_pile_cards": lambda player: len(player.discard),
    "reef_completion_points": _full_reefs,
}


def week_points(table: PlainTable) -> list[tuple[int, int]]:
    """Return what each player gains now that the table's week ends: for the achievement, for most (R8.1)."""
    tile = TILES[table.achievements[table.week - 1]]
    count = _COUNTED[tile["count"]]
    points = [count(player) // tile["per"] * tile["points"] for player in table.players]
    most = 3 if table.side == "b" else 0
    return [(gained, most if gained == max(points) else 0) for gained in points]


_ON_THIS: dict[str, Callable[[PlainSlot], bool]] = {
    "no_tokens": lambda slot: not _has_token(slot),
    "school": lambda slot: slot.school,
    "egg_and_young_and_school": lambda slot: slot.egg and slot.young > 0 and slot.school,
}


def _holds(player: PlainPlayer, name: str, condition: dict[str, Any]) -> bool:
    """Return whether the condition of the player's fish on the slot of this name holds (R10, R11.5)."""
    slot = player.ocean[name]
    if "on_this" in condition:
        return _ON_THIS[condition["on_this"]](slot)
    if "young_on_this_exactly" in condition:
        return bool(slot.young == condition["young_on_this_exactly"])
    if "consumed_under_this_at_least" in condition:
        return bool(len(slot.under) >= condition["consumed_under_this_at_least"])
    if "every_site_coral_at_least" in condition:
        return all(coral >= condition["every_site_coral_at_least"] for coral in player.reefs.values())
    if "some_site_coral_at_least" in condition:
        return any(coral >= condition["some_site_coral_at_least"] for coral in player.reefs.values())
    assert condition == {"this_in_row": "bottom"}
    return name.endswith("6")


def _game_end(player: PlainPlayer) -> int:
    points = 0
    for name, slot in player.ocean.items():
        score = CARDS[slot.fish]["ability"].get("score") if slot.fish in CARDS else None
        if score and _holds(player, name, score["if"]):
            points += score["points"]
    return points


def score(player: PlainPlayer) -> dict[str, int]:
    """Return a player's points by category, with the total and the cards in hand (R9.2, R9.3)."""
    points = {
        "achievements": sum(points + most for points, most in player.gained),
        "game_end": _game_end(player),
        "printed": sum(card["points"] for card in _cards(player)),
        "consumed": _consumed(player),
        "eggs": _eggs(player),
        "young": _young(player),
        "schools": 6 * _schools(player),
        "coral": _coral(player),
        "full_reefs": _full_reefs(player),
    }
    return points | {"total": sum(points.values()), "cards_in_hand": len(player.hand)}


def winners(table: PlainTable) -> list[int]:
    """Return who has most points, and of those most cards in hand (R9.3)."""
    standing = [(one["total"], one["cards_in_hand"]) for one in map(score, table.players)]
    return [seat for seat, mine in enumerate(standing) if mine == max(standing)]
