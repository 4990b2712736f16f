"""Moves, both ways."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from finspan.v1 import finspan_pb2 as pb
from service.convert.reading import Faults, note, note_unknown, read_site, read_slot
from service.engine.moves import BLUE, GREEN, PLAYABLE, PURPLE, Move, MoveKind


class _Form(NamedTuple):
    """How a kind of move is written: its name in the contract, and its fields there by the engine's names."""

    name: str
    fields: dict[str, str]


_FORMS: Final = {
    MoveKind.PLAY_FISH: _Form("play_fish", {"card": "card", "to": "slot"}),
    MoveKind.DIVE: _Form("dive", {"site": "site"}),
    MoveKind.PAY_CARD: _Form("pay_card", {"card": "card"}),
    MoveKind.PAY_EGG: _Form("pay_egg", {"slot": "slot"}),
    MoveKind.PAY_YOUNG: _Form("pay_young", {"slot": "slot"}),
    MoveKind.PAY_SCHOOL: _Form("pay_school", {"slot": "slot"}),
    MoveKind.DRAW: _Form("draw", {}),
    MoveKind.RECOVER: _Form("recover", {"card": "card"}),
    MoveKind.LAY_EGG: _Form("lay_egg", {"slot": "slot"}),
    MoveKind.HATCH: _Form("hatch", {"slot": "slot"}),
    MoveKind.PLACE_YOUNG: _Form("place_young", {"slot": "slot"}),
    MoveKind.LAY_EGG_EACH: _Form("lay_egg_each", {}),
    MoveKind.MOVE_YOUNG: _Form("move_young", {"slot": "from", "to": "to"}),
    MoveKind.MOVE_SCHOOL: _Form("move_school", {"slot": "from", "to": "to"}),
    MoveKind.CONSUME: _Form("consume", {"slot": "slot", "card": "card"}),
    MoveKind.SCATTER: _Form("scatter", {"slot": "slot"}),
    MoveKind.GAIN_CORAL: _Form("gain_coral", {"site": "site"}),
    MoveKind.ACTIVATE_FISH: _Form("activate_fish", {"slot": "slot"}),
    MoveKind.PASS: _Form("pass", {}),
}
_KINDS: Final = {form.name: kind for kind, form in _FORMS.items()}
_PAYMENTS: Final = {"egg": (BLUE, "slot"), "young": (PURPLE, "slot"), "card": (GREEN, "card")}
"""The ways to pay for a coral in the contract, with their site and the engine's field (R11.2, RU15)."""
_PAYMENT_NAMES: Final = {site: (name, ours) for name, (site, ours) in _PAYMENTS.items()}
_PLAYABLE: Final = frozenset(PLAYABLE)


def _read_playable(number: int, field: str, faults: Faults) -> int:
    """Return a card that can be in a hand."""
    if number not in _PLAYABLE:
        note_unknown(faults, field, "card of a hand", number)
    return number


_READ: Final[dict[str, Callable[[int, str, Faults], int]]] = {
    "card": _read_playable,
    "site": read_site,
    "slot": read_slot,
    "to": read_slot,
}
"""How each of the engine's fields is read."""


def _read_purchase(message: pb.BuyCoral, field: str, faults: Faults) -> Move:
    name = message.WhichOneof("payment")
    if name is None:
        note(faults, field, "It does not say what is paid.")
        return Move(MoveKind.PASS)
    site, ours = _PAYMENTS[name]
    paid = _READ[ours](getattr(message, name), f"{field}.{name}", faults)
    return Move(MoveKind.BUY_CORAL, site=site, **{ours: paid})


def _read_move(message: pb.Move, field: str, faults: Faults) -> Move:
    name = message.WhichOneof("move")
    if name is None:
        note(faults, field, "It names no move.")
        return Move(MoveKind.PASS)
    if name == "buy_coral":
        return _read_purchase(message.buy_coral, f"{field}.{name}", faults)
    kind, said = _KINDS[name], getattr(message, name)
    return Move(
        kind,
        **{
            ours: _READ[ours](getattr(said, theirs), f"{field}.{name}.{theirs}", faults)
            for ours, theirs in _FORMS[kind].fields.items()
        },
    )


def read_moves(messages: Iterable[pb.Move], field: str, faults: Faults) -> list[Move]:
    """Return the moves of a list of messages; each is one of the engine's universe if there is no fault."""
    return [_read_move(message, f"{field}[{index}]", faults) for index, message in enumerate(messages)]


@cache  # there are only so many moves
def move_message(move: Move) -> pb.Move:
    """Return a move's message, which is not to be changed: there is one for each move."""
    if move.kind is MoveKind.BUY_CORAL:
        name, ours = _PAYMENT_NAMES[move.site]
        return pb.Move(buy_coral={name: getattr(move, ours) + (ours != "card")})  # type: ignore[arg-type]
    name, fields = _FORMS[move.kind]
    values = {theirs: getattr(move, ours) + (ours != "card") for ours, theirs in fields.items()}
    return pb.Move(**{name: values})  # type: ignore[arg-type]  # fields by name
