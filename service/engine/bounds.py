"""How large the numbers of a state from outside may be, so that no play leads beyond.

Each bound is closed under play: whatever is played on from a state within the bounds leads to states within
them. What the rules do not limit may grow with the version, which counts moves, by as much as a move can add.
The version itself leaves room for all moves that can still come.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.engine.cards import CARDS, DEEP_STOP, TAGS, Achievement
from service.engine.errors import Faults, within_faults
from service.engine.ocean import ROW_COUNT, SITES, SLOT_COUNT, ZONE_SLOTS
from service.engine.reefs import REEF_SIZE
from service.engine.resolvers import YOUNG_PER_SCATTER
from service.engine.scoring import POINTS_PER_FULL_REEF
from service.engine.state import (
    TURNS,
    WEEKS,
    AllPlayers,
    AlsoIf,
    Benefits,
    DiveOn,
    Frame,
    GameState,
    Pay,
    Scattering,
    Step,
    divers_left,
)

MAX_VERSION: Final = 10_000_000
"""The version that no game ends beyond: what depends on it fits the contract's numbers of 32 bits."""
MAX_YOUNG: Final = 99
"""Young on a slot before any move; a move puts one there at most."""
MAX_COUNTER: Final = 1_000_000
"""The generator's counter before any shuffle."""
BLOCKS_PER_SHUFFLE: Final = 100
"""Blocks of the generator that a shuffle uses at most: all cards take 28, and few numbers are passed over."""


def most_young(version: int) -> int:
    """Return how many young can lie on a slot after so many moves."""
    return MAX_YOUNG + version


def counter_faults(counter: int, shuffles: int) -> Faults:
    """Yield what is wrong with the generator's counter after so many shuffles (R2.5)."""
    yield from within_faults(counter, 0, MAX_COUNTER + BLOCKS_PER_SHUFFLE * shuffles, "open.counter", "R2.5")


# What achievements count (R8.3).

_OF_TAGS: Final = {tag: max(card.tags.count(tag) for card in CARDS.values()) for tag in TAGS}
_MOST_COUNTED: Final[Mapping[str, int]] = {
    "eggs_and_young": SLOT_COUNT,
    "eggs": SLOT_COUNT,
    "young": 0,
    "schools": SLOT_COUNT,
    "coral": REEF_SIZE * len(SITES),
    "full_rows": ROW_COUNT,
    "small_fish": SLOT_COUNT,
    "medium_fish": SLOT_COUNT,
    "large_fish": SLOT_COUNT,
    "fish_with_token": SLOT_COUNT,
    "fish_without_token": SLOT_COUNT,
    "if_activated_fish": SLOT_COUNT,
    "sunlight_fish": ZONE_SLOTS[0].bit_count(),
    "fish_of_1_to_3_points": SLOT_COUNT,
    "fish_over_4_points": SLOT_COUNT,
    "predator_tags": SLOT_COUNT * _OF_TAGS["predator"],
    "tag_kinds": len(TAGS),
    "consumed_fish": len(CARDS),
    "discard_pile_cards": len(CARDS),
    "reef_completion_points": sum(POINTS_PER_FULL_REEF),
}
"""What an ocean, a discard pile or reefs can hold of each count, young left out."""
_COUNTS_OF_YOUNG: Final = ("eggs_and_young", "young")


def most_points(tile: Achievement, version: int) -> int:
    """Return what an achievement can have brought a player in a game of so many moves."""
    counted = _MOST_COUNTED[tile.count]
    if tile.count in _COUNTS_OF_YOUNG:
        counted += SLOT_COUNT * most_young(version)
    return counted // tile.per * tile.points


# What is left to do. Each weight is more than the weights of all that it can turn into.

_BENEFIT: Final = 20
"""It can be a play, whose price is then paid unit by unit, or a scatter, whose young are put one by one."""
_PART: Final = 200
"""One player's part of an ability, or the second part of "also, if"."""
_STOP: Final = 2_000
"""A stop of a dive, or a fish that can be used at the game's end: an ability, every player's part."""
_CARD: Final = 2 * _STOP
"""A card that lies in no ocean: it gives when played, perhaps again at the game's end, and stays there."""
_TURN: Final = 30_000
"""A turn: a whole dive, or a play."""

_LEFT_TO_DO: Final[Mapping[type[Step], Callable[[GameState, Any], int]]] = {
    Pay: lambda _state, pay: pay.cards + pay.eggs + pay.young + pay.schools,
    Benefits: lambda _state, step: 1 + _BENEFIT * sum(step.left),
    Scattering: lambda _state, step: YOUNG_PER_SCATTER - step.used.bit_count(),
    AlsoIf: lambda _state, _step: _PART,
    AllPlayers: lambda state, step: _PART * ((step.fish.seat - step.next_seat) % len(state.players)),
    DiveOn: lambda _state, step: _STOP * (DEEP_STOP + 1 - step.stop),
}


def _steps_left(state: GameState) -> int:
    """Return what the open turn or ability leaves to do, never more than a turn, whatever stands there."""
    steps = (step for step in state.agenda if type(step) in _LEFT_TO_DO)
    return min(sum(_LEFT_TO_DO[type(step)](state, step) for step in steps), _TURN)


def _turns_left(state: GameState) -> int:
    """Return how many turns are still to begin, and how many game ends to be done, each worth a Pass."""
    count, frame = len(state.players), state.agenda[0]
    if frame is Frame.GAME_OVER:
        return 0
    if frame is Frame.GAME_END:
        return count - (state.seat - state.first_player) % count
    left = sum(divers_left(state, seat) for seat in range(count)) + count * TURNS * (WEEKS - state.week)
    return _TURN * left + count


def moves_left_at_most(state: GameState) -> int:
    """Return a number that no game from this state on has more moves than; it falls with each move.

    The state's frame and cards must be sound.
    """
    cards, fish = len(state.deck), 0
    for player in state.players:
        cards += len(player.hand) + len(player.discard)
        fish += (player.occupied & ~player.activated).bit_count()
    return _CARD * cards + _STOP * fish + _turns_left(state) + _steps_left(state)


def version_faults(state: GameState) -> Faults:
    """Yield what is wrong with the version of a state whose frame and cards are sound (R2.5)."""
    yield from within_faults(state.version, 0, MAX_VERSION - moves_left_at_most(state), "version", "R2.5")
