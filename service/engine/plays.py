"""Playing a fish (R5): its price, its place, the payment unit by unit, and putting it down."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from service.engine.cards import CARDS, LENGTHS, NO_CARD, Card, Cost
from service.engine.events import (
    CardPaid,
    EggPaid,
    Event,
    FishCovered,
    FishPlaced,
    FishSource,
    SchoolPaid,
    YoungPaid,
)
from service.engine.moves import PAY_CARD, PAY_EGG, PAY_SCHOOL, PAY_YOUNG, PLAY_FISH, Move, MoveKind
from service.engine.ocean import ALL_SLOTS, slots_in
from service.engine.piles import pay_card
from service.engine.reefs import slots_without_coral
from service.engine.state import Pay, Player, Table
from service.engine.tokens import pay_egg, pay_school, pay_young, slots_with_young


class Purse(NamedTuple):
    """What a player could pay with: cards beside the one being played, and tokens of the ocean (R5.1)."""

    cards: int
    eggs: int
    young: int
    schools: int


def purse_of(player: Player) -> Purse:
    """Return what a player could pay with while playing a card from hand."""
    return Purse(len(player.hand) - 1, player.eggs.bit_count(), sum(player.young), player.schools.bit_count())


def shortfalls(purse: Purse, cost: Cost) -> Iterator[str]:
    """Yield the kinds of cost that a purse cannot meet, in the order of payment (R5.1)."""
    for kind in Purse._fields:
        if getattr(cost, kind) > getattr(purse, kind):
            yield kind


def can_pay(purse: Purse, cost: Cost) -> bool:
    """Return whether a purse meets a cost completely; `shortfalls` says what is missing (R5.6)."""
    return (
        cost.cards <= purse.cards
        and cost.eggs <= purse.eggs
        and cost.young <= purse.young
        and cost.schools <= purse.schools
    )


def allowed_slots(player: Player, card: Card) -> int:
    """Return the slots that a card allows (R5.3), its need for coral included (R11.4)."""
    if card.needs_coral is None:
        return card.slots
    return card.slots & ~slots_without_coral(player, card.needs_coral)


def slots_to_cover(player: Player, card: Card, *, must_consume: bool) -> list[int]:
    """Return the allowed slots that are empty or hold a shorter fish (R5.3, R5.4), ascending.

    With ``must_consume``, only those that hold a shorter fish (R5.2).
    """
    fish, length = player.fish, card.length_cm
    slots = card.slots if card.needs_coral is None else allowed_slots(player, card)  # asked most often
    if must_consume:
        slots &= player.occupied
    return [slot for slot in slots_in(slots) if LENGTHS[fish[slot]] < length]


def plays_of(player: Player, id_: int, *, within: int = ALL_SLOTS, free: bool = False) -> list[Move]:
    """Return the moves that put a hand card into a slot of ``within``, its cost not looked at."""
    card = CARDS[id_]
    plays = PLAY_FISH[id_]
    slots = slots_to_cover(player, card, must_consume=bool(card.cost.consume) and not free)
    return [plays[slot] for slot in slots if within >> slot & 1]


def affordable_plays(player: Player) -> list[Move]:
    """Return the plays of every hand card that can be met completely, cost and place (R5.6)."""
    purse = purse_of(player)
    return [move for id_ in player.hand if can_pay(purse, CARDS[id_].cost) for move in plays_of(player, id_)]


def begin_play(table: Table, card: int, slot: int) -> None:
    """Open the payment of a card that goes to a slot (R5.1)."""
    cost = CARDS[card].cost
    table.state.agenda.append(Pay(card, slot, cost.cards, cost.eggs, cost.young, cost.schools))


def kind_due(pay: Pay) -> str | None:
    """Return the kind of cost that is paid next, None when all is paid."""
    for kind in Purse._fields:
        if getattr(pay, kind):
            return kind
    return None


def payments(player: Player, pay: Pay, kind: str) -> list[Move]:
    """Return the distinct units that a player can pay of one kind, ascending (R5.1)."""
    if kind == "cards":
        return [PAY_CARD[card] for card in player.hand if card != pay.card]
    if kind == "eggs":
        return [PAY_EGG[slot] for slot in slots_in(player.eggs)]
    if kind == "young":
        return [PAY_YOUNG[slot] for slot in slots_with_young(player)]
    return [PAY_SCHOOL[slot] for slot in slots_in(player.schools)]


def payments_to_choose(player: Player, pay: Pay) -> list[Move]:
    """Return the units to choose from, none where all is paid or the next unit is no real choice.

    It is none if only one distinct unit exists, or if all that there is of the kind has to be paid.
    """
    kind = kind_due(pay)
    if kind is None:
        return []
    units = payments(player, pay, kind)
    there_is = sum(player.young) if kind == "young" else len(units)
    return units if len(units) > 1 and there_is > getattr(pay, kind) else []


class Payment(NamedTuple):
    """How one kind of unit is paid: the field of `Pay` that it lowers, and the verb."""

    kind: str
    pay: Callable[[Table, int, Move], None]


PAYMENTS: Final[dict[MoveKind, Payment]] = {
    MoveKind.PAY_CARD: Payment("cards", lambda table, seat, move: pay_card(table, seat, move.card)),
    MoveKind.PAY_EGG: Payment("eggs", lambda table, seat, move: pay_egg(table, seat, move.slot)),
    MoveKind.PAY_YOUNG: Payment("young", lambda table, seat, move: pay_young(table, seat, move.slot)),
    MoveKind.PAY_SCHOOL: Payment("schools", lambda table, seat, move: pay_school(table, seat, move.slot)),
}


def pay_unit(table: Table, pay: Pay, move: Move) -> None:
    """Pay one unit of the cost at the head of the agenda (R5.1)."""
    state = table.state
    table.source = FishSource(state.seat, pay.slot, pay.card)
    kind, verb = PAYMENTS[move.kind]
    state.agenda[-1] = pay._replace(**{kind: getattr(pay, kind) - 1})
    verb(table, state.seat, move)


def put_down(table: Table, seat: int, card: int, slot: int) -> None:
    """Move a card from hand to its slot, over the fish that lies there (R5.4)."""
    player = table.state.players[seat]
    table.source = source = FishSource(seat, slot, card)
    player.hand.remove(card)
    covered = player.fish[slot]
    if covered != NO_CARD:
        player.under[slot] = tuple(sorted((*player.under.get(slot, ()), covered)))
        table.events.append(FishCovered(seat, source, slot, covered))
    player.place(slot, card)
    table.events.append(FishPlaced(seat, source, card, slot))


_UNITS: Final[dict[type[Event], Callable[[Any], Move]]] = {
    CardPaid: lambda event: PAY_CARD[event.card],
    EggPaid: lambda event: PAY_EGG[event.slot],
    YoungPaid: lambda event: PAY_YOUNG[event.slot],
    SchoolPaid: lambda event: PAY_SCHOOL[event.slot],
}


def units_paid_unasked(move: Move, events: Iterable[Event]) -> list[Move]:
    """Return the payments that a move brought about without asking, as the moves that would name them."""
    paid = [_UNITS[type(event)](event) for event in events if type(event) in _UNITS]
    return paid[1:] if move.kind in PAYMENTS else paid
