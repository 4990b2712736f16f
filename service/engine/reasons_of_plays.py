"""Why a fish cannot be played (R5): by the turn, by a benefit, into any slot at all; and why a unit pays not.

Every reason looks at the same predicates as the plays and the payments that are offered.
"""

from collections.abc import Iterator
from typing import Final

from service.engine.abilities import SIZES, Play
from service.engine.cards import CARDS, LENGTHS, NO_CARD, Card, CoralNeed, Cost, fits_filter, play_slots
from service.engine.errors import Refusal
from service.engine.moves import Move, MoveKind
from service.engine.ocean import NAMED_ROWS, SITES, SLOT_NAMES, ZONES, row_of, site_of, slots_in, zone_of
from service.engine.plays import PAYMENTS, allowed_slots, kind_due, plays_of, purse_of, shortfalls
from service.engine.reefs import slots_with_reef, slots_without_coral
from service.engine.resolvers import place_of
from service.engine.state import GameState, Pay, Player
from service.engine.texts import UNITS, amount_text, cost_text

_ROW_NAMES: Final = {row: name for name, row in NAMED_ROWS.items()}

# What stands against a card, or a card on a slot.


def not_in_hand(player: Player, id_: int, rule: str) -> Iterator[Refusal]:
    """Yield a reason if a card is not in a player's hand, by the rule that takes it from there."""
    if id_ not in player.hand:
        yield Refusal(rule, f"{CARDS[id_].name} is not in your hand.")


def _held(kind: str, have: int) -> str:
    """Return what there is to pay with of a kind; of cards, beside the one that is played."""
    if kind == "cards":
        return "your hand holds " + (f"only {amount_text(have, 'other')}" if have else "no other")
    return "your ocean holds " + (f"only {have}" if have else "none")


def _shortfall(player: Player, card: Card) -> Iterator[Refusal]:
    """Yield what is missing of a card's cost (R5.1)."""
    purse = purse_of(player)
    for kind in shortfalls(purse, card.cost):
        needed = amount_text(getattr(card.cost, kind), UNITS[kind])
        held = _held(kind, getattr(purse, kind))
        yield Refusal("R5.1", f"{card.name} costs {needed} and {held}.")


def wrong_place(card: Card, slot: int) -> Iterator[Refusal]:
    """Yield what the card itself has against a slot (R5.3)."""
    name = SLOT_NAMES[slot]
    if zone_of(slot) not in card.zones:
        allowed = " or ".join(ZONES[zone].capitalize() for zone in card.zones)
        yield Refusal("R5.3", f"{card.name} lives in the {allowed} zone, and {name} is elsewhere.")
    if card.site is not None and site_of(slot) != card.site:
        yield Refusal("R5.3", f"{card.name} belongs to the {SITES[card.site]} site, and {name} is elsewhere.")
    if card.row is not None and row_of(slot) != card.row:
        yield Refusal("R5.3", f"{card.name} goes to row {card.row + 1} only, and {name} is elsewhere.")


def _needed(card: Card, need: CoralNeed) -> str:
    colour = "" if need.site is None else f"{SITES[need.site]} "
    return f"{card.name} needs at least {need.at_least} {colour}coral in the slot's own reef"


def _lacking_coral(player: Player, card: Card, slot: int) -> Iterator[Refusal]:
    """Yield what the reef of the slot's own site lacks for the card (R11.4)."""
    need, site = card.needs_coral, site_of(slot)
    if need is None or not slots_without_coral(player, need) >> slot & 1:
        return
    if need.site in (None, site):
        yield Refusal("R11.4", f"{_needed(card, need)}, and the {SITES[site]} reef has {player.reefs[site]}.")
    else:
        yield Refusal("R11.4", f"{_needed(card, need)}, and that of {SLOT_NAMES[slot]} is {SITES[site]}.")


def _uncoverable(player: Player, card: Card, slot: int, *, free: bool) -> Iterator[Refusal]:
    """Yield what the fish on a slot, or its absence, has against the card (R5.2, R5.4)."""
    fish = player.fish[slot]
    must_consume = card.cost.consume and not free
    if fish == NO_CARD and must_consume:
        yield Refusal("R5.2", f"{card.name} must consume a shorter fish, and {SLOT_NAMES[slot]} has none.")
    if fish != NO_CARD and LENGTHS[fish] >= card.length_cm:
        text = (
            f"{card.name} ({card.length_cm} cm) is not longer than {CARDS[fish].name} ({LENGTHS[fish]} cm)."
        )
        yield Refusal("R5.2" if must_consume else "R5.4", text)


def _unplaceable(player: Player, card: Card, slot: int, *, free: bool = False) -> Iterator[Refusal]:
    """Yield what stands against a hand card on a slot: first the place, then the cost (R5.6, R5.8)."""
    yield from wrong_place(card, slot)
    yield from _lacking_coral(player, card, slot)
    yield from _uncoverable(player, card, slot, free=free)
    if not free:
        yield from _shortfall(player, card)


# What a play as a benefit asks for besides (R5.7, R5.8, R11.5).


def _unfit(card: Card, effect: Play) -> Iterator[Refusal]:
    """Yield what a play's filter has against a card (R5.8)."""
    if fits_filter(card, effect):
        return
    if effect.size is not None and effect.size != card.size:
        text = f"{card.name} is {SIZES[card.size]}, and this play asks for a {SIZES[effect.size]} fish."
        yield Refusal("R5.8", text)
    yield Refusal("R5.8", f"{card.name} has no {effect.tag} tag, which this play asks for.")


def _named_place(effect: Play) -> str:
    """Return the place that a play names, in words."""
    parts = (
        "" if effect.site is None else f"the {SITES[effect.site]} site",
        "" if effect.row is None else f"the {_ROW_NAMES[effect.row]} row",
        "" if effect.zone is None else f"the {ZONES[effect.zone].capitalize()} zone",
    )
    return " and ".join(filter(None, parts))


def _outside(player: Player, effect: Play, slot: int) -> Iterator[Refusal]:
    """Yield what a play's own place has against a slot (R5.7, R11.5)."""
    if not play_slots(effect) >> slot & 1:
        yield Refusal(
            "R5.7", f"This play is for {_named_place(effect)}, and {SLOT_NAMES[slot]} is elsewhere."
        )
    if effect.min_coral and not slots_with_reef(player, effect.min_coral) >> slot & 1:
        site = site_of(slot)
        text = f"This play asks for at least {effect.min_coral} coral in the slot's own reef"
        yield Refusal("R11.5", f"{text}, and the {SITES[site]} reef has {player.reefs[site]}.")


# The moves that play a fish.


def why_not_play(player: Player, move: Move) -> Iterator[Refusal]:
    """Yield what stands against a play as the turn's action (R5.1 to R5.6, R11.4)."""
    yield from not_in_hand(player, move.card, "R5.1")
    yield from _unplaceable(player, CARDS[move.card], move.to)


def why_not_benefit_play(player: Player, effect: Play, move: Move) -> Iterator[Refusal]:
    """Yield what stands against a play as a benefit (R5.7, R5.8, R11.5)."""
    card = CARDS[move.card]
    yield from not_in_hand(player, move.card, "R5.7")
    yield from _unfit(card, effect)
    yield from _outside(player, effect, move.to)
    yield from _unplaceable(player, card, move.to, free=effect.free)


# Payments (R5.1).


def no_unit(player: Player, kind: str, move: Move, rule: str) -> Iterator[Refusal]:
    """Yield a reason if there is no such unit of a kind of cost as a move would pay."""
    slot = move.slot
    held = {
        "eggs": player.eggs >> slot & 1,
        "young": player.young[slot],
        "schools": player.schools >> slot & 1,
    }
    if kind == "cards":
        yield from not_in_hand(player, move.card, rule)
    elif not held[kind]:
        yield Refusal(rule, f"There is no {UNITS[kind]} on {SLOT_NAMES[slot]} to pay with.")


def _to_pay(pay: Pay) -> str:
    """Return what is left of a cost, as a clause."""
    left = Cost(cards=pay.cards, eggs=pay.eggs, young=pay.young, schools=pay.schools)
    units = pay.cards + pay.eggs + pay.young + pay.schools
    return f"{cost_text(left)} {'is' if units == 1 else 'are'} still to pay"


def _wrong_kind(pay: Pay, kind: str, due: str) -> Refusal:
    """Return why a unit of a kind does not pay while another kind is due."""
    card = CARDS[pay.card]
    if getattr(pay, kind):
        why = f"{due.capitalize()} are paid before {kind}"
    elif getattr(card.cost, kind):
        why = f"All {kind} of this cost are paid"
    else:
        why = f"{card.name} costs no {kind}"
    return Refusal("R5.1", f"{why}: {_to_pay(pay)}.")


def why_not_pay(state: GameState, pay: Pay, move: Move) -> Iterator[Refusal]:
    """Yield what stands against a move while a card is being paid for (R5.1)."""
    player, due = state.players[state.seat], kind_due(pay) or ""
    if move.kind is MoveKind.PASS:
        yield Refusal("R3.2", f"A cost is never paid in part: {_to_pay(pay)}.")
    elif move.kind not in PAYMENTS:
        yield Refusal("R5.1", f"{CARDS[pay.card].name} is being paid for: {_to_pay(pay)}.")
    elif PAYMENTS[move.kind].kind != due:
        yield _wrong_kind(pay, PAYMENTS[move.kind].kind, due)
    elif move.card == pay.card:
        yield Refusal("R5.1", f"{CARDS[move.card].name} does not pay for itself.")
    else:
        yield from no_unit(player, due, move, "R5.1")


# Why a card, or no card at all, can be played.


def _uncoverable_anywhere(player: Player, card: Card, place: int, *, free: bool) -> Iterator[Refusal]:
    """Yield what the fish on all slots of a place, or their absence, have against the card (R5.2, R5.4)."""
    slots = slots_in(place)
    if len(slots) == 1:
        yield from _uncoverable(player, card, slots[0], free=free)
    elif card.cost.consume and not free:
        text = f"{card.name} must consume a shorter fish, and none of the slots where it may go holds one."
        yield Refusal("R5.2", text)
    else:
        yield Refusal("R5.4", f"Every slot where {card.name} may go holds a fish at least as long.")


def _no_slot_in_place(player: Player, card: Card, effect: Play) -> Iterator[Refusal]:
    """Yield a reason if the card may go nowhere in the place that a play names (R5.7, R11.5)."""
    if not card.slots & play_slots(effect):
        yield Refusal("R5.7", f"This play is for {_named_place(effect)}, where {card.name} may not go.")
    elif not card.slots & place_of(player, effect):
        yield Refusal("R11.5", f"{card.name} has no slot in a site with at least {effect.min_coral} coral.")


def why_no_slot(player: Player, id_: int, effect: Play) -> Iterator[Refusal]:
    """Yield why a hand card has no legal slot in the place that a play names (R5.6)."""
    card = CARDS[id_]
    yield from _unfit(card, effect)
    yield from _no_slot_in_place(player, card, effect)
    if not effect.free:
        yield from _shortfall(player, card)
    place = allowed_slots(player, card) & place_of(player, effect)
    if not place and card.needs_coral is not None:
        yield Refusal("R11.4", f"{_needed(card, card.needs_coral)}, and has no such slot.")
    elif not plays_of(player, id_, within=place, free=effect.free):
        yield from _uncoverable_anywhere(player, card, place, free=effect.free)
