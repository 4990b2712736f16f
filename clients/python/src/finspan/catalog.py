"""The catalogue, to look things up: cards, slots, tiles, bonuses, rules, rulings."""

from collections.abc import Mapping
from functools import cached_property

from finspan.v1 import finspan_pb2 as v1


class Catalog:
    """What a GetCatalog reply tells, by id.

    Args:
        reply: The reply; kept as it is in ``reply``.

    """

    def __init__(self, reply: v1.GetCatalogResponse) -> None:
        self.reply = reply

    @cached_property
    def cards(self) -> Mapping[int, v1.CardInfo]:
        """The fish cards by id."""
        return {card.id: card for card in self.reply.cards}

    def cards_of(self, options: v1.GameOptions) -> Mapping[int, v1.CardInfo]:
        """Return the fish cards by id that a game with these options is played with (R2.4)."""
        sets = {v1.EXPANSION_UNSPECIFIED, *options.expansions}
        return {id_: card for id_, card in self.cards.items() if card.expansion in sets}

    @cached_property
    def fish(self) -> Mapping[int, v1.CardInfo]:
        """All that can lie on a slot, by id: the fish cards, and the forage fish as plain cards (R1.5)."""
        forage = self.reply.forage_fish
        return {**self.cards, **{fish.id: _as_card(fish) for fish in forage}}

    @cached_property
    def slots(self) -> Mapping[v1.Slot.ValueType, v1.SlotInfo]:
        """The slots of an ocean."""
        return {slot.slot: slot for slot in self.reply.slots}

    @cached_property
    def achievements(self) -> Mapping[str, v1.AchievementInfo]:
        """The achievements by id."""
        return {achievement.id: achievement for achievement in self.reply.achievements}

    @cached_property
    def rules(self) -> Mapping[str, v1.RuleInfo]:
        """The rules by number, such as ``R5.3``."""
        return {rule.id: rule for rule in self.reply.rules}

    @cached_property
    def rulings(self) -> Mapping[str, v1.RulingInfo]:
        """The rulings by id, such as ``RU05``."""
        return {ruling.id: ruling for ruling in self.reply.rulings}

    def bonuses(self, site: v1.Site.ValueType) -> list[v1.BonusInfo]:
        """Return the bonuses of a dive site, from the top (R6.4).

        Among them is the purchase at the reef, which only games with Sharks & Reefs have (R11.2).
        """
        return [bonus for bonus in self.reply.bonuses if bonus.site == site]


def _as_card(forage: v1.ForageFishInfo) -> v1.CardInfo:
    return v1.CardInfo(id=forage.id, name=forage.name, length_cm=forage.length_cm, size=forage.size)
