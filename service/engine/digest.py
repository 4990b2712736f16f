"""The digest of a state: SHA-256 over a canonical layout of its public facts.

Numbers of 4 bytes, lists with their length in front, texts as lists of bytes; docs/determinism.md has the
layout, fact by fact. Version, names and seals are left out. The full digest goes on with the hidden facts and
never leaves the service.
"""

import struct
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from service.engine.events import BonusSource, FishSource, Source
from service.engine.ocean import SITES, slots_in
from service.engine.state import (
    AllPlayers,
    AlsoIf,
    Benefits,
    DiveOn,
    Frame,
    GameState,
    Options,
    Pay,
    Player,
    Scattering,
    Step,
)

LAYOUT: Final = 1


def text_numbers(text: str) -> list[int]:
    """Return a text as the layout writes it."""
    encoded = text.encode()
    return [len(encoded), *encoded]


def _texts(texts: Iterable[str]) -> list[int]:
    written = [text_numbers(text) for text in texts]
    return [len(written), *(number for text in written for number in text)]


def _list(numbers: Iterable[int]) -> list[int]:
    items = list(numbers)
    return [len(items), *items]


@lru_cache(maxsize=1024)
def _table_numbers(options: Options, tiles: tuple[str, ...]) -> tuple[int, ...]:
    return (
        *_texts(options.expansions),
        *text_numbers(options.side),
        *_texts(options.tiles),
        *_texts(tiles),
    )


def slots_that_hold(player: Player) -> tuple[int, ...]:
    """Return the slots with a fish or a token, ascending."""
    held = player.occupied | player.eggs | player.schools
    for slot, young in enumerate(player.young):
        if young:
            held |= 1 << slot
    return slots_in(held)


def _ocean_numbers(player: Player) -> list[int]:
    slots = slots_that_hold(player)
    numbers = [len(slots)]
    for slot in slots:
        under = player.under.get(slot, ())
        egg, school = player.eggs >> slot & 1, player.schools >> slot & 1
        numbers += (slot + 1, player.fish[slot], egg, player.young[slot], school, len(under), *under)
    return numbers


def _player_numbers(player: Player) -> list[int]:
    return [
        *_ocean_numbers(player),
        len(player.hand),
        *player.hand,
        len(player.discard),
        *player.discard,
        *_list(site + 1 for site in range(len(SITES)) if player.deep_used >> site & 1),
        *_list(slot + 1 for slot in slots_in(player.activated)),
        len(player.gained),
        *(points for gained in player.gained for points in gained),
    ]


def _reef_numbers(player: Player) -> list[int]:
    return _list(player.reefs)


def _source_numbers(source: Source) -> tuple[int, ...]:
    if isinstance(source, FishSource):
        return 3 if source.is_also else 1, source.seat, source.slot + 1, source.card
    assert isinstance(source, BonusSource)  # noqa: S101  only these two give benefits
    return 2, source.site + 1, source.stop + 1


_FRAME_NUMBERS: Final = {Frame.TURN: 1, Frame.END_TURN: 2, Frame.GAME_END: 7, Frame.GAME_OVER: 8}

_STEP_NUMBERS: Final[dict[type[Step], Callable[[Any], tuple[int, ...]]]] = {
    Frame: lambda frame: (_FRAME_NUMBERS[frame],),
    Pay: lambda pay: (3, pay.card, pay.slot + 1, *pay[2:]),
    Benefits: lambda step: (4, step.seat, *_source_numbers(step.source), len(step.left), *step.left),
    AllPlayers: lambda step: (5, *_source_numbers(step.fish), step.next_seat),
    Scattering: lambda step: (
        9,
        step.seat,
        *_source_numbers(step.source),
        *_list(slot + 1 for slot in slots_in(step.used)),
    ),
    AlsoIf: lambda step: (10, *_source_numbers(step.fish)),
    DiveOn: lambda step: (6, step.site + 1, step.stop + 1),
}


def _public_numbers(state: GameState) -> list[int]:
    numbers = [LAYOUT, *_table_numbers(state.options, state.tiles)]
    numbers += (state.week, state.turn, state.seat, state.first_player)
    numbers += (len(state.undealt), *state.undealt, len(state.deck), len(state.players))
    for player in state.players:
        numbers += _player_numbers(player)
        if state.options.has_reefs:
            numbers += _reef_numbers(player)
    numbers.append(len(state.agenda))
    for step in reversed(state.agenda):
        numbers += _STEP_NUMBERS[type(step)](step)
    return numbers


def _pack(numbers: list[int]) -> bytes:
    return struct.pack(f">{len(numbers)}I", *numbers)


def public_bytes(state: GameState) -> bytes:
    """Return the canonical layout of a state's public facts."""
    return _pack(_public_numbers(state))


def public_digest(state: GameState) -> str:
    """Return the digest of a state's public facts, 64 hexadecimal digits."""
    return sha256(public_bytes(state)).hexdigest()


def full_digest(state: GameState, public: bytes | None = None) -> str:
    """Return the digest of all facts, the hidden ones included; it is not for players.

    ``public`` is the layout of the public facts, where it is at hand.
    """
    hidden = [len(state.deck), *reversed(state.deck), *text_numbers(state.seed), state.counter]
    return sha256((public_bytes(state) if public is None else public) + _pack(hidden)).hexdigest()
