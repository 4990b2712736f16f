"""The vocabulary of card text: one frozen dataclass per verb and per condition, fields only.

What a verb does stands in ``resolvers``; how it reads in English stands in ``texts``. No verb is about one
card: which fish, how many and where are fields. Sites, zones, rows and sizes are counted from 0.
"""

from dataclasses import dataclass
from typing import Literal

Tag = Literal["predator", "venomous", "camouflage", "bioluminescent", "electric"]
Trigger = Literal["when_played", "if_activated", "game_end"]

SIZES = ("small", "medium", "large")
MEDIUM_FROM_CM = 50
LARGE_FROM_CM = 150


def size_of(length_cm: int) -> int:
    """Return the size of a fish, an index into `SIZES` (R1.4, RU03)."""
    return (length_cm >= MEDIUM_FROM_CM) + (length_cm >= LARGE_FROM_CM)


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of the deck, ``count`` times (R7.1)."""

    count: int


@dataclass(frozen=True, slots=True)
class Recover:
    """Take a card of your own discard pile, ``count`` times (R7.2)."""

    count: int


@dataclass(frozen=True, slots=True)
class LayEgg:
    """Lay an egg on a visible fish that has none, ``count`` times (R4.3)."""

    count: int


@dataclass(frozen=True, slots=True)
class Hatch:
    """Turn an egg into a young, ``count`` times (R4.3)."""

    count: int


@dataclass(frozen=True, slots=True)
class PlaceYoung:
    """Put a young on any slot, ``count`` times (R4.3)."""

    count: int


@dataclass(frozen=True, slots=True)
class LayEggEach:
    """Lay an egg on each fitting visible fish that has none (R7.3). None means: any."""

    site: int | None = None
    row: int | None = None
    size: int | None = None
    tag: Tag | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class MoveToken:
    """Move a young or a school in a straight line, ``count`` times (R4.4)."""

    count: int


@dataclass(frozen=True, slots=True)
class ConsumeByThis:
    """The ability's own fish eats a shorter card from hand, ``count`` times (R7.4, RU07)."""

    count: int


@dataclass(frozen=True, slots=True)
class ConsumeByAny:
    """Any of your visible fish cards eats a shorter card from hand, ``count`` times (R7.4, RU08)."""

    count: int


@dataclass(frozen=True, slots=True)
class Scatter:
    """Break up one of your schools into young, ``count`` times (R7.5, RU09)."""

    count: int


@dataclass(frozen=True, slots=True)
class GainCoral:
    """Put a coral into the reef of this site (None: of your choice), ``count`` times (R7.6)."""

    site: int | None
    count: int


@dataclass(frozen=True, slots=True)
class BuyCoral:
    """Put a coral into the reef of this site by paying its price, ``count`` times (R11.2)."""

    site: int
    count: int


@dataclass(frozen=True, slots=True)
class Play:
    """Play a fish from hand into the named place, if ``free`` without its cost (R5.7, R5.8).

    ``min_coral`` asks for at least so many coral in the reef of the slot's own site (R11.5).
    """

    site: int | None = None
    row: int | None = None
    zone: int | None = None
    min_coral: int = 0
    free: bool = False
    size: int | None = None
    tag: Tag | None = None
    count: int = 1


Effect = (
    Draw
    | Recover
    | LayEgg
    | Hatch
    | PlaceYoung
    | LayEggEach
    | MoveToken
    | ConsumeByThis
    | ConsumeByAny
    | Scatter
    | GainCoral
    | BuyCoral
    | Play
)


@dataclass(frozen=True, slots=True)
class NoTokens:
    """No egg, young or school on this fish (R10)."""


@dataclass(frozen=True, slots=True)
class HasSchool:
    """A school on this fish (R10)."""


@dataclass(frozen=True, slots=True)
class HasEggYoungAndSchool:
    """At least one egg, one young and one school on this fish (R10)."""


@dataclass(frozen=True, slots=True)
class YoungExactly:
    """Exactly ``count`` young on this fish (R10)."""

    count: int


@dataclass(frozen=True, slots=True)
class ConsumedAtLeast:
    """At least ``count`` cards and forage fish consumed under this fish (R10)."""

    count: int


@dataclass(frozen=True, slots=True)
class InRow:
    """This fish lies in row ``row`` (R10)."""

    row: int


@dataclass(frozen=True, slots=True)
class SiteCoralAtLeast:
    """At least ``count`` coral in the reef of this fish's site (R11.3)."""

    site: int
    count: int


@dataclass(frozen=True, slots=True)
class SiteCoralNone:
    """No coral in the reef of this fish's site (R11.5)."""


@dataclass(frozen=True, slots=True)
class EveryReefAtLeast:
    """At least ``count`` coral in each of your reefs (R10)."""

    count: int


@dataclass(frozen=True, slots=True)
class SomeReefAtLeast:
    """At least ``count`` coral in one of your reefs (R11.5)."""

    count: int


Condition = (
    NoTokens
    | HasSchool
    | HasEggYoungAndSchool
    | YoungExactly
    | ConsumedAtLeast
    | InRow
    | SiteCoralAtLeast
    | SiteCoralNone
    | EveryReefAtLeast
    | SomeReefAtLeast
)


@dataclass(frozen=True, slots=True)
class Points:
    """Points at the end of the game, if the condition holds (R9.2)."""

    points: int
    condition: Condition


@dataclass(frozen=True, slots=True)
class AlsoIf:
    """The second part of "also, if": a further group, if the condition holds then (R11.3)."""

    condition: Condition
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Ability:
    """What a card's text says: either effects, to be taken in any order, or points."""

    trigger: Trigger
    all_players: bool = False
    effects: tuple[Effect, ...] = ()
    score: Points | None = None
    condition: Condition | None = None
    also: AlsoIf | None = None
