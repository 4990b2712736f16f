"""A simple bot that takes what is worth most at once.

It sets a value, in points, on every legal move, from the public facts and the catalogue alone. So it is fast,
and it never tries a move to see what it brings.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from finspan.catalog import Catalog
from finspan.game import Position
from finspan.v1 import finspan_pb2 as v1

WEEKS: Final = 4
TURNS: Final = 6
"""Turns of each player in a week (R3.1)."""

EGG: Final = 1.0
SCHOOL: Final = 6.0
CONSUMED: Final = 1.0
"""Points at the end (R9.2)."""
YOUNG: Final = (0.0, 1.0, 2.6, SCHOOL)
"""What so many young are worth on a slot without a school, being on the way to one (R4.2)."""
CORAL: Final = 1.0
REEF_SIZE: Final = 6
FULL_REEFS: Final[Mapping[v1.Site.ValueType, float]] = {
    v1.SITE_BLUE: 6.0,
    v1.SITE_PURPLE: 8.0,
    v1.SITE_GREEN: 5.0,
}
"""Points at the end (R11.1, R9.2)."""
ON_THE_WAY: Final = (0.0, 0.03, 0.1, 0.2, 0.35, 0.6, 1.0)
"""Which part of a full reef's points so many coral in it are worth, being on the way to them."""
HATCHED: Final = 0.3
"""What it is worth that a fish can be given an egg again."""
SCATTERED: Final = 4
"""How many young come out of a school (R7.5)."""
MOVED: Final = 0.5
"""What moving a token is worth before it is known which."""
PLAYED: Final = 2.0
"""What playing a fish without a diver is worth before it is known which."""

DRAWN: Final = 1.2
"""What a further card is worth to a small hand."""
SMALL_HAND: Final = 5
DRAWN_TO_LARGE_HAND: Final = 0.5
TURNS_TO_USE_A_CARD: Final = 4
"""With fewer turns ahead, cards lose their worth."""

DIVES_AT_A_SITE: Final = 0.25
"""Which part of the turns ahead will be dives at one site."""
HOLDS: Final = 0.4
"""How likely a game-end condition is to hold in the end."""
SHARED: Final = 0.5
"""What is left of a benefit that the others have too (R7.8)."""

_ZONES: Final[Mapping[v1.DiveStop.ValueType, v1.Zone.ValueType]] = {
    v1.DIVE_STOP_SUNLIGHT_BONUS: v1.ZONE_SUNLIGHT,
    v1.DIVE_STOP_TWILIGHT_BONUS: v1.ZONE_TWILIGHT,
    v1.DIVE_STOP_MIDNIGHT_BONUS: v1.ZONE_MIDNIGHT,
}
"""The zone whose fish open a bonus (R6.2)."""


class GreedyBot:
    """Plays what looks best now; of moves that look alike, the first in their order."""

    def choose(self, game: Position) -> v1.LegalMove:
        """Return the legal move that is worth most."""
        worth = Appraisal(game.player, game.catalog, turns_left(game)).worth
        return max(game.legal_moves, key=lambda legal: worth(legal.move))


def turns_left(game: Position) -> int:
    """Return how many turns the deciding player still has, an open one not counted."""
    return (WEEKS - game.state.week) * TURNS + game.player.divers_left


class Appraisal:
    """What moves are worth to a player as things stand, in points.

    Args:
        player: The player's side of the table.
        catalog: The catalogue.
        turns_left: How many turns the player still has.

    """

    def __init__(self, player: v1.PlayerState, catalog: Catalog, turns_left: int) -> None:
        self.player = player
        self.catalog = catalog
        self.turns_left = turns_left
        self.slots: Mapping[v1.Slot.ValueType, v1.SlotState] = {slot.slot: slot for slot in player.ocean}
        self.fish: Mapping[v1.Slot.ValueType, v1.CardInfo] = {
            slot.slot: catalog.fish[slot.fish] for slot in player.ocean if slot.HasField("fish")
        }
        self.reefs: Mapping[v1.Site.ValueType, int] = dict(
            zip(FULL_REEFS, player.reefs, strict=False)  # none in a game without
        )

    def worth(self, move: v1.Move) -> float:
        """Return what a move is worth; Pass, and a kind of move that is not known here, is worth nothing."""
        kind = move.WhichOneof("move") or ""
        return _MOVES[kind](self, getattr(move, kind)) if kind in _MOVES else 0.0

    def play(self, card: v1.CardInfo, slot: v1.Slot.ValueType) -> float:
        """Return what it is worth to play a card into a slot, what it costs and covers taken off (R5)."""
        site = self.catalog.slots[slot].site
        gained = card.points + self.ahead(card, site) - self.cost(card.cost)
        covered = self.fish.get(slot)
        given_up = CONSUMED - covered.points - self.ahead(covered, site) if covered else self.opened(slot)
        return gained + given_up

    def ahead(self, card: v1.CardInfo, site: v1.Site.ValueType) -> float:
        """Return what a card's ability is worth over the rest of the game, if it is played here now."""
        times = {v1.TRIGGER_WHEN_PLAYED: 1.0, v1.TRIGGER_IF_ACTIVATED: self.dives, v1.TRIGGER_GAME_END: HOLDS}
        return times.get(card.ability.trigger, 0.0) * self.ability(card.ability, site)

    def dive(self, site: v1.Site.ValueType) -> float:
        """Return what the bonuses and the fish of a dive site give a diver (R6)."""
        bonuses = sum(
            self.benefits(bonus.benefits) for bonus in self.catalog.bonuses(site) if self.gives(bonus)
        )
        return bonuses + sum(
            self.ability(card.ability, site)
            for slot, card in self.fish.items()
            if self.catalog.slots[slot].site == site and card.ability.trigger == v1.TRIGGER_IF_ACTIVATED
        )

    def gives(self, bonus: v1.BonusInfo) -> bool:
        """Return whether a diver would reach this bonus, or could buy at this reef (R6.2, R6.3, R11.2)."""
        if bonus.stop == v1.DIVE_STOP_REEF:
            return bonus.site in self.reefs
        if bonus.stop == v1.DIVE_STOP_DEEP_BONUS:
            return bonus.site not in self.player.deep_bonuses_used
        return self.is_open(bonus.site, _ZONES.get(bonus.stop))

    def is_open(self, site: v1.Site.ValueType, zone: v1.Zone.ValueType | None) -> bool:
        """Return whether a visible fish lies in this zone of this site."""
        places = (self.catalog.slots[slot] for slot in self.fish)
        return any(place.site == site and place.zone == zone for place in places)

    def opened(self, slot: v1.Slot.ValueType) -> float:
        """Return what it is worth that a first fish of a zone opens its bonus."""
        place = self.catalog.slots[slot]
        return 0.0 if self.is_open(place.site, place.zone) else self.dives

    def cost(self, cost: v1.CostInfo) -> float:
        """Return what is given up with a cost (R5.1)."""
        return cost.cards * self.drawn + cost.eggs * EGG + cost.young * YOUNG[1] + cost.schools * SCHOOL

    def ability(self, ability: v1.AbilityInfo, site: v1.Site.ValueType) -> float:
        """Return what an ability gives here, its second part if there is coral for it (R11.3)."""
        gained = ability.points.points + self.benefits(ability.benefits)
        if ability.HasField("also") and self.reefs.get(site, 0) >= ability.also.condition.number:
            gained += self.benefits(ability.also.benefits)
        return gained * SHARED if ability.all_players else gained

    def benefits(self, benefits: Iterable[v1.BenefitInfo]) -> float:
        """Return what benefits give, as far as they could change something now."""
        return sum(
            _BENEFITS[benefit.verb](self, benefit) for benefit in benefits if benefit.verb in _BENEFITS
        )

    @property
    def dives(self) -> float:
        """How many dives at one site are still to be expected."""
        return self.turns_left * DIVES_AT_A_SITE

    @property
    def lasting(self) -> float:
        """Which part of a card's worth there is still time for."""
        return min(1.0, self.turns_left / TURNS_TO_USE_A_CARD)

    @property
    def drawn(self) -> float:
        """What a further card is worth."""
        return self.lasting * (DRAWN if len(self.player.hand) < SMALL_HAND else DRAWN_TO_LARGE_HAND)

    def held(self, card: int) -> float:
        """Return what a card is worth in hand; never as much as an egg, or nothing would be consumed."""
        return self.lasting * (1 - 1 / (2 + self.catalog.cards[card].points))

    def young(self, slot: v1.Slot.ValueType, change: int) -> float:
        """Return what it is worth that a young more or less lies on a slot."""
        there = self.slots.get(slot, v1.SlotState())
        return float(change) if there.school else YOUNG[there.young + change] - YOUNG[there.young]

    def scattered(self, slot: v1.Slot.ValueType) -> float:
        """Return what it is worth to break up a school, its young put where most comes of them (R7.5)."""
        there = self.slots[slot].young
        own = YOUNG[there + 1] - YOUNG[there]  # the slot's young are no longer beside a school
        others = (self.young(other, +1) for other in self.catalog.slots if other != slot)
        return sum(sorted([own, *others])[-SCATTERED:]) - SCHOOL

    def coral(self, site: v1.Site.ValueType) -> float:
        """Return what one more coral is worth in a reef; in a full one, or without reefs, nothing."""
        coral = self.reefs.get(site, REEF_SIZE)
        if coral >= REEF_SIZE:
            return 0.0
        return CORAL + FULL_REEFS[site] * (ON_THE_WAY[coral + 1] - ON_THE_WAY[coral])

    def corals(self, benefit: v1.BenefitInfo) -> float:
        """Return what a gain of coral is worth, in any reef the best (R7.6)."""
        sites = [benefit.site] if benefit.site else list(FULL_REEFS)
        return benefit.count * max(self.coral(site) for site in sites)

    def buying(self, site: v1.Site.ValueType) -> float:
        """Return what a purchase at a reef is worth, its price taken off (R11.2)."""
        prices = {v1.SITE_BLUE: EGG, v1.SITE_PURPLE: YOUNG[1], v1.SITE_GREEN: self.drawn}
        return max(0.0, self.coral(site) - prices[site])

    def bought(self, purchase: v1.BuyCoral) -> float:
        """Return what it is worth to buy a coral with just this (R11.2)."""
        if purchase.HasField("egg"):
            return self.coral(v1.SITE_BLUE) - EGG
        if purchase.HasField("young"):
            return self.coral(v1.SITE_PURPLE) + self.young(purchase.young, -1)
        return self.coral(v1.SITE_GREEN) - self.held(purchase.card)

    def eggs(self) -> int:
        """Return how many eggs there are."""
        return sum(slot.egg for slot in self.slots.values())

    def each(self, benefit: v1.BenefitInfo) -> int:
        """Return how many fish an "egg on each" gives one (R7.3)."""
        return sum(not self.slots[slot].egg and self.fits(slot, benefit) for slot in self.fish)

    def fits(self, slot: v1.Slot.ValueType, benefit: v1.BenefitInfo) -> bool:
        """Return whether the fish of a slot is of the place, size and tag that a benefit asks for."""
        place, card = self.catalog.slots[slot], self.fish[slot]
        return (
            benefit.site in {v1.SITE_UNSPECIFIED, place.site}
            and benefit.size in {v1.SIZE_UNSPECIFIED, card.size}
            and benefit.tag in {v1.TAG_UNSPECIFIED, *card.tags}
            and (not benefit.HasField("row") or benefit.row == place.row)
        )


_MOVES: Final[Mapping[str, Callable[[Appraisal, Any], float]]] = {
    "play_fish": lambda on, move: on.play(on.catalog.cards[move.card], move.slot),
    "dive": lambda on, move: on.dive(move.site),
    "pay_card": lambda on, move: -on.held(move.card),
    "pay_young": lambda on, move: on.young(move.slot, -1),
    "draw": lambda on, _: on.drawn + EGG,  # nothing is given up for it
    "recover": lambda on, move: on.held(move.card) + EGG,
    "lay_egg": lambda _, __: EGG,
    "hatch": lambda on, move: on.young(move.slot, +1) - EGG + HATCHED,
    "place_young": lambda on, move: on.young(move.slot, +1),
    "lay_egg_each": lambda _, __: EGG,
    "move_young": lambda on, move: on.young(getattr(move, "from"), -1) + on.young(move.to, +1),
    "move_school": lambda _, __: -MOVED,  # to where it stands no better
    "consume": lambda on, move: CONSUMED - on.held(move.card),
    "scatter": lambda on, move: on.scattered(move.slot),
    "gain_coral": lambda on, move: on.coral(move.site),
    "buy_coral": lambda on, move: on.bought(move),
    "activate_fish": lambda _, __: EGG,
}
"""Each kind of move that is worth something, or that one of several has to be made of."""

_BENEFITS: Final[Mapping[v1.Verb.ValueType, Callable[[Appraisal, v1.BenefitInfo], float]]] = {
    v1.VERB_DRAW: lambda on, benefit: benefit.count * on.drawn,
    v1.VERB_RECOVER: lambda on, benefit: benefit.count * on.drawn,
    v1.VERB_LAY_EGG: lambda on, benefit: EGG * min(benefit.count, len(on.fish) - on.eggs()),
    v1.VERB_HATCH: lambda on, benefit: HATCHED * min(benefit.count, on.eggs()),
    v1.VERB_PLACE_YOUNG: lambda _, benefit: benefit.count * YOUNG[1],
    v1.VERB_LAY_EGG_EACH: lambda on, benefit: EGG * on.each(benefit),
    v1.VERB_MOVE: lambda _, benefit: benefit.count * MOVED,
    v1.VERB_CONSUME_BY_THIS: lambda _, benefit: benefit.count * CONSUMED / 2,
    v1.VERB_PLAY: lambda _, __: PLAYED,
    v1.VERB_CONSUME_BY_ANY: lambda _, benefit: benefit.count * CONSUMED / 2,
    v1.VERB_SCATTER: lambda _, benefit: benefit.count * YOUNG[1],
    v1.VERB_GAIN_CORAL: lambda on, benefit: on.corals(benefit),
    v1.VERB_BUY_CORAL: lambda on, benefit: on.buying(benefit.site),
}
"""What each benefit gives."""
