"""Reading single values of the contract; what cannot be is noted as a fault."""

from collections.abc import Callable, Sequence, Sized
from typing import Any, Final

from google.protobuf.message import Message

from service.engine.cards import CARDS
from service.engine.errors import Fault
from service.engine.ocean import SITES, SLOT_COUNT

Fields = dict[str, Any]
"""What a message is made of."""
Faults = list[Fault]
"""Where faults are noted while reading; a fault of the contract alone cites no rule."""

MAX_CARDS: Final = len(CARDS)
"""No list of cards is longer; a longer one is not even read."""
_KNOWN_CARDS: Final = frozenset(CARDS)


def note(faults: Faults, field: str, text: str) -> None:
    """Note that a field has a value that it cannot have."""
    faults.append(Fault(field, "", text))


def read_given(message: Message, name: str, path: str, faults: Faults) -> int:
    """Return a field that must be given, also when it is 0."""
    if not message.HasField(name):
        note(faults, f"{path}{name}", "It is missing.")
    value: int = getattr(message, name)
    return value


def read_slot(number: int, field: str, faults: Faults) -> int:
    """Return the slot of a number of the contract; after a fault some slot."""
    if 1 <= number <= SLOT_COUNT:
        return number - 1
    note(faults, field, f"There is no slot {number}.")
    return 0


def read_site(number: int, field: str, faults: Faults) -> int:
    """Return the site of a number of the contract; after a fault some site."""
    if 1 <= number <= len(SITES):
        return number - 1
    note(faults, field, f"There is no site {number}.")
    return 0


def read_card(number: int, field: str, faults: Faults) -> int:
    """Return a card or forage fish."""
    if number not in CARDS:
        note(faults, field, f"There is no card {number}.")
    return number


def is_short(items: Sized, limit: int, field: str, faults: Faults) -> bool:
    """Return whether a list has at most so many items."""
    if len(items) <= limit:
        return True
    note(faults, field, f"It has {len(items)} entries and can have {limit} at most.")
    return False


def read_cards(numbers: Sequence[int], field: str, faults: Faults) -> list[int]:
    """Return cards in the order given."""
    if not is_short(numbers, MAX_CARDS, field, faults):
        return []
    cards = list(numbers)
    if not _KNOWN_CARDS.issuperset(cards):
        for index, card in enumerate(cards):
            read_card(card, f"{field}[{index}]", faults)
    return cards


def read_set(
    numbers: Sequence[int], read: Callable[[int, str, Faults], int], field: str, faults: Faults
) -> int:
    """Return a bit set of slots or sites, none of which may stand twice."""
    if not numbers or not is_short(numbers, SLOT_COUNT, field, faults):
        return 0
    if len(set(numbers)) < len(numbers):
        note(faults, field, "One of its entries stands here twice.")
    members = {read(number, f"{field}[{index}]", faults) for index, number in enumerate(numbers)}
    return sum(1 << member for member in members)
