"""Moves: their ids, which name them for good, and the collection of those that are legal."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, TypeAlias, overload

from finspan.v1 import finspan_pb2 as v1

AnyMove: TypeAlias = v1.Move | v1.LegalMove | str
"""A move as the contract has it, as a reply lists it, or by its id."""

Kind = Literal[
    "play_fish",
    "dive",
    "pay_card",
    "pay_egg",
    "pay_young",
    "pay_school",
    "draw",
    "recover",
    "lay_egg",
    "hatch",
    "place_young",
    "lay_egg_each",
    "move_young",
    "move_school",
    "consume",
    "scatter",
    "gain_coral",
    "buy_coral",
    "activate_fish",
    "pass",
]
"""The kinds of move, as the contract names them."""

_IDS: Final[Mapping[str, str]] = {
    "play_fish": "play:{card}@{slot}",
    "dive": "dive:{site}",
    "pay_card": "pay_card:{card}",
    "pay_egg": "pay_egg:{slot}",
    "pay_young": "pay_young:{slot}",
    "pay_school": "pay_school:{slot}",
    "draw": "draw",
    "recover": "recover:{card}",
    "lay_egg": "egg:{slot}",
    "hatch": "hatch:{slot}",
    "place_young": "young:{slot}",
    "lay_egg_each": "egg_each",
    "move_young": "move_young:{from}>{to}",
    "move_school": "move_school:{from}>{to}",
    "consume": "consume:{card}@{slot}",
    "scatter": "scatter:{slot}",
    "gain_coral": "coral:{site}",
    "buy_coral.egg": "buy_coral:egg:{egg}",
    "buy_coral.young": "buy_coral:young:{young}",
    "buy_coral.card": "buy_coral:card:{card}",
    "activate_fish": "activate:{slot}",
    "pass": "pass",
}
"""How the id of each kind of move is written, and of a purchase by what is paid."""

_EXAMPLE: Final = {
    "card": 95,
    "site": "blue",
    "slot": "P3",
    "from": "P3",
    "to": "P4",
    "egg": "P3",
    "young": "P3",
}

_SLOTS: Final = {name.removeprefix("SLOT_"): number for name, number in v1.Slot.items() if number}
_SITES: Final = {name.removeprefix("SITE_").lower(): number for name, number in v1.Site.items() if number}
_WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "site": _SITES,
    "slot": _SLOTS,
    "from": _SLOTS,
    "to": _SLOTS,
    "egg": _SLOTS,
    "young": _SLOTS,
}
"""The names of the values of each field that has names; a card is written as its number."""
_NAMES: Final = {field: {number: name for name, number in words.items()} for field, words in _WORDS.items()}
_PATTERNS: Final = {"card": "[1-9][0-9]{0,2}", **{field: "|".join(words) for field, words in _WORDS.items()}}


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", lambda field: f"(?P<{field[1]}>{_PATTERNS[field[1]]})", template))


_READERS: Final = {form: _pattern(template) for form, template in _IDS.items()}
_FORMS: Final = {template.partition("{")[0].rstrip(":"): form for form, template in _IDS.items()}
"""What each id begins with, and how it is then written."""
_FIELDS: Final = {form: tuple(pattern.groupindex) for form, pattern in _READERS.items()}


class NotAMove(ValueError):
    """A text that is the id of no move, a message without one, or something else where a move should be."""


def parse_move(id_: str) -> v1.Move:
    """Return the move that an id such as ``play:95@P3`` names; whether it is legal is another matter.

    Raises:
        NotAMove: it names none.

    """
    form = _FORMS.get(id_.rpartition(":")[0] or id_)
    match = _READERS[form].fullmatch(id_) if form else None
    if form is None or match is None:
        raise NotAMove(f"{id_!r} is no move{_likeness(id_)}.")
    fields = {field: _value(field, text) for field, text in match.groupdict().items()}
    return v1.Move(**{form.partition(".")[0]: fields})  # type: ignore[arg-type]  # fields by name


def move_id(move: AnyMove) -> str:
    """Return the id of a move: the same move has the same one for good.

    Raises:
        NotAMove: the message has none, or the text names none.

    """
    if isinstance(move, v1.LegalMove):
        return move.id
    move = as_move(move)
    kind = move.WhichOneof("move")
    if kind is None:
        raise NotAMove("The message has no move.")
    said = getattr(move, kind)
    form = f"{kind}.{_payment(said)}" if isinstance(said, v1.BuyCoral) else kind
    words = {field: _word(field, getattr(said, field)) for field in _FIELDS[form]}
    return _IDS[form].format(**words)


def as_move(move: AnyMove) -> v1.Move:
    """Return a move, however it is given, as the contract has it.

    Raises:
        NotAMove: the text names none, or it is something else altogether.

    """
    if isinstance(move, str):
        return parse_move(move)
    if isinstance(move, v1.LegalMove):
        return move.move
    if not isinstance(move, v1.Move):
        raise NotAMove(f"{move!r} is no move; return one of game.legal_moves.")
    return move


class LegalMoves(Sequence[v1.LegalMove]):
    """The legal moves of a decision, in their fixed order; none when the game is over.

    A move is found by its place or by its id, and tested by whatever names it:

        moves[0], moves["dive:blue"], "dive:blue" in moves, legal.move in moves

    Args:
        moves: The moves, as a reply lists them.

    """

    def __init__(self, moves: Iterable[v1.LegalMove]) -> None:
        self._moves = tuple(moves)

    @cached_property
    def by_id(self) -> Mapping[str, v1.LegalMove]:
        """The moves by id."""
        return {legal.id: legal for legal in self._moves}

    def of_kind(self, *kinds: Kind) -> "LegalMoves":
        """Return those of some kinds, such as ``moves.of_kind("dive")``."""
        return LegalMoves(legal for legal in self._moves if legal.move.WhichOneof("move") in kinds)

    @overload
    def __getitem__(self, key: int | str) -> v1.LegalMove: ...
    @overload
    def __getitem__(self, key: slice) -> "LegalMoves": ...
    def __getitem__(self, key: int | str | slice) -> "v1.LegalMove | LegalMoves":
        if isinstance(key, str):
            return self.by_id[key]
        return LegalMoves(self._moves[key]) if isinstance(key, slice) else self._moves[key]

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            return move in self.by_id
        if not isinstance(move, v1.Move | v1.LegalMove):
            return False
        try:
            return move_id(move) in self.by_id
        except NotAMove:
            return False

    def __iter__(self) -> Iterator[v1.LegalMove]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __repr__(self) -> str:
        return f"LegalMoves({', '.join(self.by_id)})"


def _likeness(id_: str) -> str:
    """Return what a move is like whose id begins with the same word."""
    word = id_.partition(":")[0]
    form = next((form for start, form in _FORMS.items() if start.partition(":")[0] == word), None)
    return f"; one of this kind is written like {_IDS[form].format(**_EXAMPLE)}" if form else ""


def _payment(purchase: v1.BuyCoral) -> str:
    """Return the name of what is paid for a coral (R11.2)."""
    payment = purchase.WhichOneof("payment")
    if payment is None:
        raise NotAMove("The message says not what is paid.")
    return payment


def _value(field: str, text: str) -> int:
    return int(text) if field == "card" else _WORDS[field][text]


def _word(field: str, value: int) -> str:
    if field == "card":
        return str(value)
    if value not in _NAMES[field]:
        raise NotAMove(f"There is no {field} {value}.")
    return _NAMES[field][value]
