"""What happened, in order: small typed values, enough to animate a move and to read a log.

Folding the events of a move over the state before it gives the tokens, cards, points and weeks after it.
``seat`` is whom it happened to (None: all), ``source`` what brought it about. No event holds a hidden fact.
"""

from collections.abc import Iterable
from typing import NamedTuple

from service.engine.abilities import Trigger


class FishSource(NamedTuple):
    """The ability of a fish that lies on a slot of its owner's ocean."""

    seat: int
    slot: int
    card: int
    is_also: bool = False
    """Whether it is the second part of "also, if" (R11.3)."""


class BonusSource(NamedTuple):
    """A bonus of a dive site (R6.4), or its reef purchase (R11.2)."""

    site: int
    stop: int


class RuleSource(NamedTuple):
    """A rule by its number."""

    rule: str


GroupSource = FishSource | BonusSource
"""What gives a group of benefits."""

Source = GroupSource | RuleSource


class DiverPlaced(NamedTuple):
    """A diver was placed, to dive at ``site`` or (None) to play a fish (R3.1)."""

    seat: int
    source: Source
    site: int | None


class CardPaid(NamedTuple):
    """A hand card went to its owner's discard pile (R5.1)."""

    seat: int
    source: Source
    card: int


class EggPaid(NamedTuple):
    """An egg was paid (R5.1)."""

    seat: int
    source: Source
    slot: int


class YoungPaid(NamedTuple):
    """A young was paid (R5.1)."""

    seat: int
    source: Source
    slot: int


class SchoolPaid(NamedTuple):
    """A school was paid (R5.1)."""

    seat: int
    source: Source
    slot: int


class FishCovered(NamedTuple):
    """The visible fish of a slot will lie under the fish that is placed next (R5.4)."""

    seat: int
    source: Source
    slot: int
    card: int


class FishPlaced(NamedTuple):
    """A card went from hand to a slot (R5)."""

    seat: int
    source: Source
    card: int
    slot: int


class CardConsumed(NamedTuple):
    """A card went from hand under the fish of a slot (R7.4)."""

    seat: int
    source: Source
    slot: int
    card: int


class StarterDealt(NamedTuple):
    """A starter card was dealt to a hand (R2.1)."""

    seat: int
    source: Source
    card: int


class CardDrawn(NamedTuple):
    """A card went from the deck to a hand (R7.1)."""

    seat: int
    source: Source
    card: int


class CardRecovered(NamedTuple):
    """A card went from its owner's discard pile to his or her hand (R7.2)."""

    seat: int
    source: Source
    card: int


class DeckRenewed(NamedTuple):
    """All discard piles were shuffled into a new deck of so many cards (R7.1)."""

    seat: None
    source: Source
    cards: int


class EggLaid(NamedTuple):
    """An egg was laid (R4.3)."""

    seat: int
    source: Source
    slot: int


class EggHatched(NamedTuple):
    """An egg became a young (R4.3)."""

    seat: int
    source: Source
    slot: int


class YoungPlaced(NamedTuple):
    """A young was put (R4.3)."""

    seat: int
    source: Source
    slot: int


class SchoolFormed(NamedTuple):
    """Three young became a school (R4.2)."""

    seat: int
    source: Source
    slot: int


class YoungMoved(NamedTuple):
    """A young moved (R4.4)."""

    seat: int
    source: Source
    slot: int
    to: int


class SchoolMoved(NamedTuple):
    """A school moved (R4.4)."""

    seat: int
    source: Source
    slot: int
    to: int


class SchoolScattered(NamedTuple):
    """A school was broken up; its young are put one by one (R7.5)."""

    seat: int
    source: Source
    slot: int


class CoralGained(NamedTuple):
    """A coral was put into a reef (R7.6)."""

    seat: int
    source: Source
    site: int


class BonusGained(NamedTuple):
    """A diver reached a bonus that gives something; a deep bonus is then used up (R6.2, R6.3)."""

    seat: int
    source: BonusSource


class FishActivated(NamedTuple):
    """A fish's ability began (R5.5, R6.2, R9.1)."""

    seat: int
    source: FishSource
    trigger: Trigger


class BenefitsDeclined(NamedTuple):
    """What was left of a group, or of the own game end, was declined (R3.2)."""

    seat: int
    source: Source
    is_rest: bool = False
    """Whether something of the group was used before."""


class WeekScored(NamedTuple):
    """A player scored the week's achievement (R8.1)."""

    seat: int
    source: Source
    week: int
    achievement: str
    points: int
    most: int


class WeekBegan(NamedTuple):
    """A week began; all divers are home (R3.1, R8.1)."""

    seat: None
    source: Source
    week: int
    first_player: int


class TurnBegan(NamedTuple):
    """A player's turn began (R3.1)."""

    seat: int
    source: Source
    week: int
    turn: int


class GameEndBegan(NamedTuple):
    """A player's game-end abilities began (R9.1)."""

    seat: int
    source: Source


class GameOver(NamedTuple):
    """The game is over (R9.3)."""

    seat: None
    source: Source
    winners: tuple[int, ...]


class AchievementsChosen(NamedTuple):
    """The achievements of weeks 1 to 3 were laid out (R2.3)."""

    seat: None
    source: Source
    achievements: tuple[str, ...]


Event = (
    DiverPlaced
    | CardPaid
    | EggPaid
    | YoungPaid
    | SchoolPaid
    | FishCovered
    | FishPlaced
    | CardConsumed
    | StarterDealt
    | CardDrawn
    | CardRecovered
    | DeckRenewed
    | EggLaid
    | EggHatched
    | YoungPlaced
    | SchoolFormed
    | YoungMoved
    | SchoolMoved
    | SchoolScattered
    | CoralGained
    | BonusGained
    | FishActivated
    | BenefitsDeclined
    | WeekScored
    | WeekBegan
    | TurnBegan
    | GameEndBegan
    | GameOver
    | AchievementsChosen
)


def reveals(events: Iterable[Event]) -> bool:
    """Return whether one of these events has shown something that was hidden: the deck's order."""
    return any(isinstance(event, CardDrawn | DeckRenewed) for event in events)
