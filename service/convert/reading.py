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

CARD_IDS: Final = frozenset(CARDS)
"""Every card and forage fish."""
CARDS_READ: Final = len(CARDS) + 1
"""Of a list of cards, so many are read at most: enough to hold some card twice, which `check` refuses."""


def note(faults: Faults, field: str, text: str) -> None:
    """Note that a field has a value that it cannot have."""
    faults.append(Fault(field, "", text))


def note_unknown(faults: Faults, field: str, what: str, number: int) -> None:
    """Note that a number names nothing; 0 is what a field that was left out holds."""
    text = f"There is no {what} {number}." if number else f"It names no {what}: it is missing or 0."
    note(faults, field, text)


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
    note_unknown(faults, field, "slot", number)
    return 0


def read_site(number: int, field: str, faults: Faults) -> int:
    """Return the site of a number of the contract; after a fault some site."""
    if 1 <= number <= len(SITES):
        return number - 1
    note_unknown(faults, field, "site", number)
    return 0


def read_card(number: int, field: str, faults: Faults) -> int:
    """Return a card or forage fish."""
    if number not in CARD_IDS:
        note_unknown(faults, field, "card", number)
    return number


def joined(path: str, name: str) -> str:
    """Return the path of a field of what lies at a path, the request itself at the empty one."""
    return f"{path}.{name}" if path else name


def is_short(items: Sized, limit: int, path: str, name: str, faults: Faults) -> bool:
    """Return whether a list has at most so many items."""
    if len(items) <= limit:
        return True
    note(faults, joined(path, name), f"It has {len(items)} entries and can have {limit} at most.")
    return False


def read_cards(numbers: Sequence[int], path: str, name: str, faults: Faults) -> list[int]:
    """Return cards and forage fish in the order given."""
    cards = list(numbers[:CARDS_READ])
    if not CARD_IDS.issuperset(cards):
        for index, card in enumerate(cards):
            read_card(card, f"{joined(path, name)}[{index}]", faults)
    return cards


def read_set(
    numbers: Sequence[int], read: Callable[[int, str, Faults], int], path: str, name: str, faults: Faults
) -> int:
    """Return a bit set of slots or sites, none of which may stand twice."""
    if not numbers or not is_short(numbers, SLOT_COUNT, path, name, faults):
        return 0
    field = joined(path, name)
    if len(set(numbers)) < len(numbers):
        note(faults, field, "One of its entries stands here twice.")
    members = {read(number, f"{field}[{index}]", faults) for index, number in enumerate(numbers)}
    return sum(1 << member for member in members)
