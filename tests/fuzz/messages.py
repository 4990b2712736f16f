"""Messages made up from their descriptors, and messages changed anywhere, by chance."""

import random
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from service.engine.cards import ACHIEVEMENTS
from service.engine.rules import RULES_VERSION

Value: TypeAlias = Any
"""What a field of a message can hold, or a message of any kind."""

NUMBERS: Final = [*range(8), 17, 18, 19, 98, 99, 100, 215, 216, 300, 301, 303, 304, 10**6, 10**6 + 1]
BIG_NUMBERS: Final = [2**31 - 1, 2**31, 2**32 - 1]
ENUM_NUMBERS: Final = [-(2**31), -1, *range(22), 2**31 - 1]
TEXTS: Final = [
    *("", "a", "x" * 40, "x" * 41, "x" * 64, "x" * 65, "x" * 400, "\0", "\n", "%s%n{0}{x}", "../..", "-1"),
    *("\u00e4" * 40, "\U0001f41f" * 64, "\U0001f41f" * 400, "\u202e\u0301\ufeff", "R3.1", RULES_VERSION),
    *ACHIEVEMENTS,
]
BYTES: Final = [b"", b"\0", b"x" * 11, b"x" * 12, b"x" * 13, b"\xff" * 400]


def scalar(rng: random.Random, field: FieldDescriptor) -> Value:
    """Return a value that a field of this type can carry, with a liking for borders."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
        return rng.choice(ENUM_NUMBERS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return rng.choice(BYTES if field.type == FieldDescriptor.TYPE_BYTES else TEXTS)
    return rng.choice(BIG_NUMBERS) if rng.random() < 0.1 else rng.choice(NUMBERS)


def invented(rng: random.Random, descriptor: Descriptor, depth: int = 0) -> Value:
    """Return a message of chance; the deeper, the fewer of its fields are set."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if rng.random() < 0.8 - 0.12 * depth:
            _invent(rng, message, field, depth)
    return message


def _invent(rng: random.Random, message: Value, field: FieldDescriptor, depth: int) -> None:
    for _ in range(rng.choice((0, 1, 1, 2, 5)) if field.is_repeated else 1):
        value = invented(rng, field.message_type, depth + 1) if field.message_type else scalar(rng, field)
        _add(message, field, value)


def _add(message: Value, field: FieldDescriptor, value: Value) -> None:
    """Set a field, or append to it."""
    if field.is_repeated:
        getattr(message, field.name).append(value)
    elif field.message_type:
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


# Changes. Each takes some field of some message inside, and leaves it alone where it does not apply.

Change = Callable[[random.Random, Value, FieldDescriptor], None]


def _overwrite(rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    items = getattr(message, field.name)
    if field.is_repeated and not field.message_type and items:
        items[rng.randrange(len(items))] = scalar(rng, field)
    else:
        _invent(rng, message, field, depth=2)


_LIMITS: Final = {
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}


def _nudge(rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    if field.cpp_type not in _LIMITS:
        return
    low, high = _LIMITS[field.cpp_type]
    step, value = rng.choice((-1, 1)), getattr(message, field.name)
    if not field.is_repeated:
        setattr(message, field.name, min(max(low, value + step), high))
    elif value:
        index = rng.randrange(len(value))
        value[index] = min(max(low, value[index] + step), high)


def _clear(_rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    message.ClearField(field.name)


def _twice(rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    items = getattr(message, field.name)
    if field.is_repeated and items:
        items.append(rng.choice(items))


def _drop(rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    items = getattr(message, field.name)
    if field.is_repeated and items:
        items.pop(rng.randrange(len(items)))


def _reorder(rng: random.Random, message: Value, field: FieldDescriptor) -> None:
    items = getattr(message, field.name)
    if field.is_repeated and len(items) > 1:
        copies = list(items) if not field.message_type else [_copied(item) for item in items]
        rng.shuffle(copies)
        message.ClearField(field.name)
        getattr(message, field.name).extend(copies)


CHANGES: Final[list[Change]] = [_overwrite, _overwrite, _nudge, _nudge, _clear, _twice, _drop, _reorder]


def _copied(message: Value) -> Value:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _inner(rng: random.Random, message: Value, field: FieldDescriptor) -> Value:
    """Return one of the messages in a field."""
    value = getattr(message, field.name)
    return rng.choice(value) if field.is_repeated else value


def change(rng: random.Random, message: Value) -> None:
    """Change one thing, anywhere in a message."""
    fields: list[FieldDescriptor] = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    given = [field for field, _ in message.ListFields()]
    field = rng.choice(given if given and rng.random() < 0.8 else fields)
    is_deeper = field.message_type and (not field.is_repeated or len(getattr(message, field.name)))
    if is_deeper and rng.random() < 0.8:
        change(rng, _inner(rng, message, field))
    else:
        rng.choice(CHANGES)(rng, message, field)


# Changes that know what a state is, and leave one that could stand on a table more often.


def _card_lists(state: Value) -> list[Value]:
    lists = [state.undealt_starters]
    if state.open.deck.cards:
        lists.append(state.open.deck.cards)
    for player in state.players:
        lists += [player.hand, player.discard_pile, *(held.consumed for held in player.ocean if held.fish)]
    return lists


def trade(rng: random.Random, state: Value) -> None:
    """Swap two cards of the table, or move one to somewhere else."""
    lists = _card_lists(state)
    one, other = rng.choice(lists), rng.choice(lists)
    if one and other and rng.random() < 0.5:
        here, there = rng.randrange(len(one)), rng.randrange(len(other))
        one[here], other[there] = other[there], one[here]
    elif one:
        other.append(one.pop(rng.randrange(len(one))))


def retoken(rng: random.Random, state: Value) -> None:
    """Change the tokens of some slot."""
    slots = [held for player in state.players for held in player.ocean]
    if slots:
        held = rng.choice(slots)
        name, values = rng.choice((("egg", (False, True)), ("school", (False, True)), ("young", YOUNG)))
        setattr(held, name, rng.choice(values))


def recoral(rng: random.Random, state: Value) -> None:
    """Change the coral of some player's reefs, or how many reefs there are."""
    if not state.players:
        return
    reefs = rng.choice(state.players).reefs
    if reefs and rng.random() < 0.7:
        reefs[rng.randrange(len(reefs))] = rng.choice(CORAL)
    else:
        reefs[:] = rng.choices(CORAL, k=rng.choice((0, 1, 3, 3, 4)))


CORAL: Final = (0, 1, 2, 3, 5, 6, 7, 2**32 - 1)
YOUNG: Final = (0, 1, 2, 3, 99, 100)
MAY_BE_LEFT_OUT: Final = (
    *("version", "rules_version", "deck_size", "undealt_starters", "agenda", "achievements"),
)


def unbuild(rng: random.Random, state: Value) -> None:
    """Leave out what a state built by hand may leave out."""
    for name in rng.sample(MAY_BE_LEFT_OUT, rng.randint(1, len(MAY_BE_LEFT_OUT))):
        state.ClearField(name)
    if state.HasField("open") and rng.random() < 0.7:
        state.open.ClearField("deck")
    for player in state.players if rng.random() < 0.7 else ():
        player.ClearField("divers_left")
    for player in state.players if rng.random() < 0.2 else ():
        player.ClearField("reefs")
