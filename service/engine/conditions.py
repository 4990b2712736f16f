"""What a card's "if" asks for (R10, R11): one predicate per condition, in one table."""

from collections.abc import Callable
from typing import Any, Final

from service.engine.abilities import (
    Condition,
    ConsumedAtLeast,
    EveryReefAtLeast,
    HasEggYoungAndSchool,
    HasSchool,
    InRow,
    NoTokens,
    SiteCoralAtLeast,
    SiteCoralNone,
    SomeReefAtLeast,
    YoungExactly,
)
from service.engine.ocean import row_of, site_of
from service.engine.state import Player


def has_token(player: Player, slot: int) -> bool:
    """Return whether an egg, a young or a school lies on a slot."""
    return bool((player.eggs | player.schools) >> slot & 1 or player.young[slot])


def _has_no_tokens(player: Player, slot: int, _: NoTokens) -> bool:
    return not has_token(player, slot)


def _has_school(player: Player, slot: int, _: HasSchool) -> bool:
    return bool(player.schools >> slot & 1)


def _has_each(player: Player, slot: int, _: HasEggYoungAndSchool) -> bool:
    return bool(player.eggs & player.schools & 1 << slot) and player.young[slot] > 0


def _has_young_exactly(player: Player, slot: int, condition: YoungExactly) -> bool:
    return player.young[slot] == condition.count


def _has_consumed(player: Player, slot: int, condition: ConsumedAtLeast) -> bool:
    return len(player.under.get(slot, ())) >= condition.count


def _is_in_row(_player: Player, slot: int, condition: InRow) -> bool:
    return row_of(slot) == condition.row


def _site_has_coral(player: Player, _slot: int, condition: SiteCoralAtLeast) -> bool:
    return player.reefs[condition.site] >= condition.count


def _site_has_no_coral(player: Player, slot: int, _: SiteCoralNone) -> bool:
    return not player.reefs[site_of(slot)]


def _every_reef_has(player: Player, _slot: int, condition: EveryReefAtLeast) -> bool:
    return min(player.reefs) >= condition.count


def _some_reef_has(player: Player, _slot: int, condition: SomeReefAtLeast) -> bool:
    return max(player.reefs) >= condition.count


CONDITIONS: Final[dict[type[Condition], Callable[[Player, int, Any], bool]]] = {
    NoTokens: _has_no_tokens,
    HasSchool: _has_school,
    HasEggYoungAndSchool: _has_each,
    YoungExactly: _has_young_exactly,
    ConsumedAtLeast: _has_consumed,
    InRow: _is_in_row,
    SiteCoralAtLeast: _site_has_coral,
    SiteCoralNone: _site_has_no_coral,
    EveryReefAtLeast: _every_reef_has,
    SomeReefAtLeast: _some_reef_has,
}


def holds(player: Player, slot: int, condition: Condition) -> bool:
    """Return whether a condition of the card on this slot holds."""
    return CONDITIONS[type(condition)](player, slot, condition)
