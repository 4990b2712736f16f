"""What a player can say: small flat frozen values, one choice each.

A `Move` is a plain tuple of its kind and the fields that its kind has; the others are 0. The fields are
laid out so that comparing moves as tuples is the order of legal moves: by kind, then fields ascending.
Every move that can ever be said is made once, in the tables below.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

from service.engine.cards import CARDS, FORAGE
from service.engine.ocean import SITES, SLOT_COUNT, SLOT_NAMES


class MoveKind(IntEnum):
    """The kinds of move, in the order of legal moves."""

    PLAY_FISH = 1
    DIVE = 2
    PAY_CARD = 3
    PAY_EGG = 4
    PAY_YOUNG = 5
    PAY_SCHOOL = 6
    DRAW = 7
    RECOVER = 8
    LAY_EGG = 9
    HATCH = 10
    PLACE_YOUNG = 11
    LAY_EGG_EACH = 12
    MOVE_YOUNG = 13
    MOVE_SCHOOL = 14
    CONSUME = 15
    SCATTER = 16
    GAIN_CORAL = 17
    BUY_CORAL = 18
    ACTIVATE_FISH = 19
    PASS = 20


class Move(NamedTuple):
    """One choice. ``slot`` is where something lies or is put, ``to`` where something goes.

    A reef purchase names its site and, by the site's price, the slot of an egg or a young, or a card.
    """

    kind: MoveKind
    site: int = 0
    slot: int = 0
    card: int = 0
    to: int = 0

    @property
    def id(self) -> str:
        """The canonical name, such as ``play:95@P3``; `parse_move` reads it back."""
        if self.kind is MoveKind.BUY_CORAL:
            return f"buy_coral:{_PRICE_FORMS[self.site](self)}"
        name, fields = _FORMS[self.kind]
        values = (_WRITE[field](getattr(self, field)) for field in fields)
        return name + "".join(sign + value for sign, value in zip(fields.values(), values, strict=True))


_FORMS: Final[dict[MoveKind, tuple[str, dict[str, str]]]] = {
    MoveKind.PLAY_FISH: ("play", {"card": ":", "to": "@"}),
    MoveKind.DIVE: ("dive", {"site": ":"}),
    MoveKind.PAY_CARD: ("pay_card", {"card": ":"}),
    MoveKind.PAY_EGG: ("pay_egg", {"slot": ":"}),
    MoveKind.PAY_YOUNG: ("pay_young", {"slot": ":"}),
    MoveKind.PAY_SCHOOL: ("pay_school", {"slot": ":"}),
    MoveKind.DRAW: ("draw", {}),
    MoveKind.RECOVER: ("recover", {"card": ":"}),
    MoveKind.LAY_EGG: ("egg", {"slot": ":"}),
    MoveKind.HATCH: ("hatch", {"slot": ":"}),
    MoveKind.PLACE_YOUNG: ("young", {"slot": ":"}),
    MoveKind.LAY_EGG_EACH: ("egg_each", {}),
    MoveKind.MOVE_YOUNG: ("move_young", {"slot": ":", "to": ">"}),
    MoveKind.MOVE_SCHOOL: ("move_school", {"slot": ":", "to": ">"}),
    MoveKind.CONSUME: ("consume", {"card": ":", "slot": "@"}),
    MoveKind.SCATTER: ("scatter", {"slot": ":"}),
    MoveKind.GAIN_CORAL: ("coral", {"site": ":"}),
    MoveKind.ACTIVATE_FISH: ("activate", {"slot": ":"}),
    MoveKind.PASS: ("pass", {}),
}
"""Per kind the name, and its fields as they are written, each behind a sign."""

_WRITE: Final[dict[str, Callable[[Any], str]]] = {
    "site": SITES.__getitem__,
    "slot": SLOT_NAMES.__getitem__,
    "card": str,
    "to": SLOT_NAMES.__getitem__,
}

_PRICE_FORMS: Final[tuple[Callable[[Move], str], ...]] = (
    lambda move: f"egg:{SLOT_NAMES[move.slot]}",
    lambda move: f"young:{SLOT_NAMES[move.slot]}",
    lambda move: f"card:{move.card}",
)
"""Per site, how a reef purchase names what pays for it (R11.2, RU15)."""

PLAYABLE: Final = tuple(id_ for id_ in CARDS if id_ not in FORAGE)
"""Every card that can be in a hand."""

_SLOTS: Final = range(SLOT_COUNT)


def _by_slot(kind: MoveKind) -> tuple[Move, ...]:
    return tuple(Move(kind, slot=slot) for slot in _SLOTS)


def _by_card(kind: MoveKind) -> dict[int, Move]:
    return {card: Move(kind, card=card) for card in PLAYABLE}


def _by_line(kind: MoveKind) -> tuple[tuple[Move, ...], ...]:
    return tuple(tuple(Move(kind, slot=slot, to=to) for to in _SLOTS) for slot in _SLOTS)


PLAY_FISH: Final = {
    card: tuple(Move(MoveKind.PLAY_FISH, card=card, to=to) for to in _SLOTS) for card in PLAYABLE
}
DIVE: Final = tuple(Move(MoveKind.DIVE, site=site) for site in range(len(SITES)))
PAY_CARD: Final = _by_card(MoveKind.PAY_CARD)
PAY_EGG: Final = _by_slot(MoveKind.PAY_EGG)
PAY_YOUNG: Final = _by_slot(MoveKind.PAY_YOUNG)
PAY_SCHOOL: Final = _by_slot(MoveKind.PAY_SCHOOL)
DRAW: Final = Move(MoveKind.DRAW)
RECOVER: Final = _by_card(MoveKind.RECOVER)
LAY_EGG: Final = _by_slot(MoveKind.LAY_EGG)
HATCH: Final = _by_slot(MoveKind.HATCH)
PLACE_YOUNG: Final = _by_slot(MoveKind.PLACE_YOUNG)
LAY_EGG_EACH: Final = Move(MoveKind.LAY_EGG_EACH)
MOVE_YOUNG: Final = _by_line(MoveKind.MOVE_YOUNG)
MOVE_SCHOOL: Final = _by_line(MoveKind.MOVE_SCHOOL)
CONSUME: Final = tuple(
    {card: Move(MoveKind.CONSUME, slot=slot, card=card) for card in PLAYABLE} for slot in _SLOTS
)
SCATTER: Final = _by_slot(MoveKind.SCATTER)
GAIN_CORAL: Final = tuple(Move(MoveKind.GAIN_CORAL, site=site) for site in range(len(SITES)))
BLUE, PURPLE, GREEN = range(len(SITES))
BUY_CORAL_BY_EGG: Final = tuple(Move(MoveKind.BUY_CORAL, site=BLUE, slot=slot) for slot in _SLOTS)
BUY_CORAL_BY_YOUNG: Final = tuple(Move(MoveKind.BUY_CORAL, site=PURPLE, slot=slot) for slot in _SLOTS)
BUY_CORAL_BY_CARD: Final = {card: Move(MoveKind.BUY_CORAL, site=GREEN, card=card) for card in PLAYABLE}
ACTIVATE_FISH: Final = _by_slot(MoveKind.ACTIVATE_FISH)
PASS: Final = Move(MoveKind.PASS)

UNIVERSE: Final = tuple(
    sorted(
        {
            *(move for moves in PLAY_FISH.values() for move in moves),
            *DIVE,
            *PAY_CARD.values(),
            *PAY_EGG,
            *PAY_YOUNG,
            *PAY_SCHOOL,
            DRAW,
            *RECOVER.values(),
            *LAY_EGG,
            *HATCH,
            *PLACE_YOUNG,
            LAY_EGG_EACH,
            *(move for moves in MOVE_YOUNG for move in moves),
            *(move for moves in MOVE_SCHOOL for move in moves),
            *(move for moves in CONSUME for move in moves.values()),
            *SCATTER,
            *GAIN_CORAL,
            *BUY_CORAL_BY_EGG,
            *BUY_CORAL_BY_YOUNG,
            *BUY_CORAL_BY_CARD.values(),
            *ACTIVATE_FISH,
            PASS,
        }
    )
)
"""Every move that can be said at all, in the order of legal moves."""

_BY_ID: Final = {move.id: move for move in UNIVERSE}
_UNIVERSE_SET: Final = frozenset(UNIVERSE)


def fields_of(kind: MoveKind) -> tuple[str, ...]:
    """Return the names of the fields that moves of this kind have."""
    return tuple(_FORMS[kind][1])


def is_sayable(move: Move) -> bool:
    """Return whether a move is one of the universe, that is, names what exists."""
    return move in _UNIVERSE_SET


def parse_move(id_: str) -> Move:
    """Return the move of a canonical name.

    Raises:
        ValueError: no move has this name; the message quotes it.

    """
    if id_ not in _BY_ID:
        raise ValueError(f"no move has the name {id_!r}")
    return _BY_ID[id_]
