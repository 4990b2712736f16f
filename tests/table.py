"""Two helpers that make tests read like the table: `situation` lays one out, `play` plays moves.

An ocean is written as ``{"B5": "303 e", "P3": "2y s", "B1": "57 <303,12"}``: a number is the visible fish,
``e`` an egg, ``2y`` two young, ``s`` a school, ``<`` what lies under the fish. Forage fish lie where they are
printed unless something is said of their slot. The first ocean, hand and discard pile are those of seat 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from service.engine.cards import FORAGE, cards_of
from service.engine.check import check
from service.engine.events import Event
from service.engine.moves import parse_move
from service.engine.ocean import SITES, SLOT_NAMES, SLOTS_BY_NAME
from service.engine.rules import apply, legal_moves
from service.engine.samples import unseen_cards
from service.engine.setup import start_player
from service.engine.state import Frame, GameState, Options, Player, WeekPoints

T = TypeVar("T")
Ocean = Mapping[str, str]
START_OCEAN: Ocean = {"B5": "303 e", "G2": "301 e", "P3": "y"}
"""The ocean at setup (R2.1); P4 holds its forage fish by itself."""
STARTERS = cards_of(("base",), "starter")


class Played(NamedTuple):
    """Where moves led, and everything that happened on the way."""

    state: GameState
    events: tuple[Event, ...]

    @property
    def me(self) -> Player:
        return self.state.players[0]


def _lay(player: Player, slot: int, what: str) -> None:
    for word in what.split():
        if word.isdigit():
            player.place(slot, int(word))
        elif word.startswith("<"):
            player.under[slot] = tuple(sorted(int(card) for card in word[1:].split(",")))
        elif word == "e":
            player.eggs |= 1 << slot
        elif word == "s":
            player.schools |= 1 << slot
        elif word.endswith("y"):
            player.young[slot] = int(word[:-1] or 1)
        else:
            raise ValueError(f"{word!r} is not in the notation")


def _player(ocean: Ocean, hand: Iterable[int], discard: Iterable[int]) -> Player:
    player = start_player()
    for name, what in ocean.items():
        _lay(player, SLOTS_BY_NAME[name], what)
    player.hand = sorted(hand)
    player.discard = sorted(discard)
    return player


def _at(items: Sequence[T], seat: int, missing: T) -> T:
    return items[seat] if seat < len(items) else missing


def situation(
    *,
    oceans: Sequence[Ocean] = (START_OCEAN, START_OCEAN),
    hands: Sequence[Iterable[int]] = (),
    discards: Sequence[Iterable[int]] = (),
    deck: Sequence[int] | None = None,
    week: int = 1,
    turn: int = 1,
    seat: int = 0,
    first_player: int = 0,
    side: str = "a",
    gained: Sequence[Sequence[tuple[int, int]]] = (),
    deep_used: Sequence[Iterable[str]] = (),
    frame: Frame = Frame.TURN,
    valid: bool = True,
) -> GameState:
    """Return a state laid out by hand: the turn of ``seat`` unless ``frame`` says otherwise.

    ``deck`` names the cards on top, the first of them the top card; all cards that lie nowhere follow. With
    ``deck=()`` it is empty, and what would be missing lies in the last player's discard pile. The starters
    that left the game are those with the highest ids that nobody holds.
    """
    players = [
        _player(ocean, _at(hands, index, ()), _at(discards, index, ())) for index, ocean in enumerate(oceans)
    ]
    state = GameState()
    state.version = 0
    state.names = ("",) * len(players)
    state.options = Options(side="b") if side == "b" else Options()
    state.tiles = ("a1", "a2", "a3") if side == "a" else ("b1_small_fish", "b2_full_rows", "b3_schools")
    state.players = players
    state.week, state.turn, state.seat, state.first_player = week, turn, seat, first_player
    state.agenda = [frame]
    state.seed, state.counter = "a test", 0
    state.known_moves = None
    state.undealt = ()
    free = [card for card in STARTERS if card in unseen_cards(state) and card not in (deck or ())]
    state.undealt = tuple(free[len(free) - (len(STARTERS) - 2 * len(players)) :])
    for index, player in enumerate(players):
        player.gained = [WeekPoints(*each) for each in _at(gained, index, [(0, 0)] * (week - 1))]
        player.deep_used = sum(1 << SITES.index(site) for site in _at(deep_used, index, ()))
    _stack(state, deck)
    if valid:
        assert check(state) == []
    return state


def _stack(state: GameState, deck: Sequence[int] | None) -> None:
    unseen = unseen_cards(state)
    if deck == ():
        state.players[-1].discard = sorted([*state.players[-1].discard, *unseen])
        state.deck = []
        return
    top = list(deck or ())
    state.deck = [*(card for card in unseen if card not in top), *reversed(top)]


def play(state: GameState, *ids: str) -> Played:
    """Play moves, named by their ids, and return where they lead."""
    events: list[Event] = []
    for id_ in ids:
        state, happened = apply(state, parse_move(id_))
        events += happened
    return Played(state, tuple(events))


def legal(state: GameState, prefix: str = "") -> list[str]:
    """Return the ids of the legal moves that begin so, in their order."""
    return [move.id for move in legal_moves(state) if move.id.startswith(prefix)]


def ocean_of(player: Player) -> dict[str, str]:
    """Return an ocean in the notation above, forage fish without anything else on their slot left out."""
    written = {}
    for slot, name in enumerate(SLOT_NAMES):
        words = _words(player, slot)
        if words and not (len(words) == 1 and FORAGE.get(player.fish[slot]) == slot):
            written[name] = " ".join(words)
    return written


def _words(player: Player, slot: int) -> list[str]:
    young = player.young[slot]
    words = [str(player.fish[slot])] if player.fish[slot] else []
    words += ["e"] if player.eggs >> slot & 1 else []
    words += [f"{young if young > 1 else ''}y"] if young else []
    words += ["s"] if player.schools >> slot & 1 else []
    under = player.under.get(slot)
    return [*words, "<" + ",".join(map(str, under))] if under else words
