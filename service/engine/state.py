"""A game as a value: players, oceans, piles, and the agenda of steps that still have to happen.

Outside the engine a state is never changed: `rules.apply` copies it once, and the verbs change that private
copy in place. Everything here is a small flat value, so a copy costs a few list copies.
"""

from enum import StrEnum
from typing import Final, Literal, NamedTuple

from service.engine.cards import NO_CARD
from service.engine.events import Event, FishSource, GroupSource, Source
from service.engine.moves import Move
from service.engine.ocean import SITES, SLOT_COUNT

WEEKS: Final = 4
"""Weeks of a game (R3.1)."""
TURNS: Final = 6
"""Turns of each player in a week, and divers of a player (R2.1, R3.1)."""
MAX_PLAYERS: Final = 5
"""Players of a game at most (R2.1)."""
SCHOOL_SIZE: Final = 3
"""Young that become a school (R4.2)."""

SHARKS_AND_REEFS: Final = "sharks_and_reefs"

BoardSide = Literal["a", "b"]


class Options(NamedTuple):
    """What a game is played with (R2): expansions, board side, and the side B tiles if they are named."""

    expansions: tuple[str, ...] = ()
    side: BoardSide = "a"
    tiles: tuple[str, ...] = ()

    @property
    def sets(self) -> tuple[str, ...]:
        """The sets in play."""
        return ("base", *self.expansions)

    @property
    def has_reefs(self) -> bool:
        """Whether Sharks & Reefs is in play (R2.4)."""
        return SHARKS_AND_REEFS in self.expansions


BASE_GAME: Final = Options()
"""The base game with side A."""


class Frame(StrEnum):
    """The step at the bottom of every agenda: what the game as a whole is doing."""

    TURN = "turn"
    """The player of ``seat`` takes a turn (R3.1)."""
    END_TURN = "end_turn"
    """The turn of ``seat`` ends."""
    GAME_END = "game_end"
    """The player of ``seat`` uses game-end abilities (R9.1)."""
    GAME_OVER = "game_over"
    """Nothing happens any more (R9.3)."""


class Pay(NamedTuple):
    """What is left to pay for a card that will go to ``slot`` (R5.1); the card is still in hand."""

    card: int
    slot: int
    cards: int
    eggs: int
    young: int
    schools: int


class Benefits(NamedTuple):
    """One group of benefits: how often each effect of the source is left to ``seat``, as printed (R3.2)."""

    seat: int
    source: GroupSource
    left: tuple[int, ...]


class AllPlayers(NamedTuple):
    """The players from ``next_seat`` on up to the fish's owner still take part (R7.8)."""

    fish: FishSource
    next_seat: int


class Scattering(NamedTuple):
    """The young of a scattered school, still to be put on other slots than those ``used`` (R7.5)."""

    seat: int
    source: GroupSource
    used: int


class AlsoIf(NamedTuple):
    """The second part of "also, if" of a fish waits for its first group to close (R11.3)."""

    fish: FishSource


class DiveOn(NamedTuple):
    """A diver of ``seat`` goes on to the stop ``stop`` of the site (R6.1)."""

    site: int
    stop: int


Step = Frame | Pay | Benefits | AllPlayers | Scattering | AlsoIf | DiveOn


class WeekPoints(NamedTuple):
    """What a player gained at the end of a week: for the achievement, and for scoring most (R8.1)."""

    points: int
    most: int


class Player:
    """One player's side of the table. Slots are indices, sets of slots are bit sets (see `ocean`)."""

    __slots__ = (
        "activated",
        "deep_used",
        "discard",
        "eggs",
        "fish",
        "gained",
        "hand",
        "occupied",
        "reefs",
        "schools",
        "under",
        "young",
    )

    fish: list[int]
    """The visible fish of each slot, 0 where there is none."""
    occupied: int
    """The slots with a visible fish; follows from ``fish``."""
    under: dict[int, tuple[int, ...]]
    """The fish under the visible fish of a slot, ascending; only slots that have some."""
    eggs: int
    """The slots with an egg."""
    young: list[int]
    """How many young lie on each slot, beside those inside a school."""
    schools: int
    """The slots with a school."""
    reefs: list[int]
    """The coral in the reef of each site (R11.1)."""
    hand: list[int]
    """The hand, ascending."""
    discard: list[int]
    """The discard pile, ascending."""
    deep_used: int
    """The sites whose deep bonus is used up this week, bit *n* for site *n* (R6.3)."""
    activated: int
    """The slots of visible fish whose game-end ability is used (R9.1)."""
    gained: list[WeekPoints]
    """What each scored week brought."""

    def __init__(self) -> None:
        self.fish = [NO_CARD] * SLOT_COUNT
        self.occupied = 0
        self.under = {}
        self.eggs = 0
        self.young = [0] * SLOT_COUNT
        self.schools = 0
        self.reefs = [0] * len(SITES)
        self.hand = []
        self.discard = []
        self.deep_used = 0
        self.activated = 0
        self.gained = []

    def copy(self) -> "Player":
        """Return an independent copy."""
        twin = Player.__new__(Player)
        twin.fish = self.fish[:]
        twin.occupied = self.occupied
        twin.under = self.under.copy()
        twin.eggs = self.eggs
        twin.young = self.young[:]
        twin.schools = self.schools
        twin.reefs = self.reefs[:]
        twin.hand = self.hand[:]
        twin.discard = self.discard[:]
        twin.deep_used = self.deep_used
        twin.activated = self.activated
        twin.gained = self.gained[:]
        return twin

    def place(self, slot: int, card: int) -> None:
        """Make ``card`` the visible fish of a slot; keeps the derived set and the used abilities true."""
        self.fish[slot] = card
        self.occupied |= 1 << slot
        self.activated &= ~(1 << slot)


class GameState:
    """A game between two moves: one question to one seat, or over."""

    __slots__ = (
        "agenda",
        "counter",
        "deck",
        "first_player",
        "known_moves",
        "names",
        "options",
        "players",
        "seat",
        "seed",
        "tiles",
        "turn",
        "undealt",
        "version",
        "week",
    )

    version: int
    """How many moves led here."""
    names: tuple[str, ...]
    """Display names by seat."""
    options: Options
    tiles: tuple[str, ...]
    """The achievements of weeks 1 to 3 by id."""
    players: list[Player]
    week: int
    """1 to 4."""
    turn: int
    """1 to 6, the round within the week."""
    seat: int
    """Whose turn it is, or whose game end."""
    first_player: int
    """Who holds the first-player token."""
    undealt: tuple[int, ...]
    """The starter cards that left the game, ascending (R2.1)."""
    agenda: list[Step]
    """The steps that still have to happen, the next one *last*; a `Frame` is always first."""
    deck: list[int]
    """Hidden: the deck, its top card last."""
    seed: str
    """Hidden: the generator's seed."""
    counter: int
    """Hidden: the generator's counter."""
    known_moves: tuple[Move, ...] | None
    """The legal moves once they have been asked for; follows from the rest."""

    def copy(self) -> "GameState":
        """Return an independent copy."""
        twin = GameState.__new__(GameState)
        twin.version = self.version
        twin.names = self.names
        twin.options = self.options
        twin.tiles = self.tiles
        twin.players = [player.copy() for player in self.players]
        twin.week = self.week
        twin.turn = self.turn
        twin.seat = self.seat
        twin.first_player = self.first_player
        twin.undealt = self.undealt
        twin.agenda = self.agenda[:]
        twin.deck = self.deck[:]
        twin.seed = self.seed
        twin.counter = self.counter
        twin.known_moves = None
        return twin

    @property
    def is_over(self) -> bool:
        """Whether the game is over (R9.3)."""
        return self.agenda[-1] is Frame.GAME_OVER

    def seats_from(self, seat: int) -> list[int]:
        """Return all seats clockwise from one."""
        count = len(self.players)
        return [(seat + turn) % count for turn in range(count)]


class Table:
    """The private copy that a move changes, the events so far, and what is at work."""

    __slots__ = ("events", "source", "state")

    state: GameState
    events: list[Event]
    source: Source

    def __init__(self, state: GameState, source: Source) -> None:
        self.state = state
        self.events = []
        self.source = source


def divers_left(state: GameState, seat: int) -> int:
    """Return how many divers a player has not yet placed this week (R2.1, R3.1, R3.4)."""
    if state.agenda[0] in (Frame.GAME_END, Frame.GAME_OVER):
        return 0
    order = state.seats_from(state.first_player)
    ahead, current = order.index(seat), order.index(state.seat)
    placed = ahead < current or (ahead == current and state.agenda[0] is Frame.END_TURN)
    return TURNS - state.turn + (not placed)
