"""Helpers that make tests read like the table: `situation` lays one out, `play` plays moves.

`legal`, `refused`, `deciding` and `left_of` ask about a state, `ocean_of` shows an ocean. `just_played` puts
a fish down without its cost, `dive_to` dives as far as a source, `settle` declines what is left of a turn.

An ocean is written as ``{"B5": "303 e", "P3": "2y s", "B1": "57 <303,12"}``: a number is the visible fish,
``e`` an egg, ``2y`` two young, ``s`` a school, ``<`` what lies under the fish. Forage fish lie where they are
printed unless something is said of their slot. The first ocean, hand and discard pile are those of seat 0.

Sharks & Reefs is in play where ``reefs`` is given: the coral of the blue, purple and green reef by seat.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

from service.engine.cards import BONUS_STOPS, FORAGE, REEF_STOP, cards_of
from service.engine.check import check
from service.engine.digest import full_digest
from service.engine.errors import IllegalMove, Refusal
from service.engine.events import BenefitsDeclined, BonusSource, Event, FishSource, RuleSource, Source
from service.engine.moves import PASS, parse_move
from service.engine.ocean import SITES, SLOT_NAMES, SLOTS_BY_NAME
from service.engine.reasons import why_not
from service.engine.resolvers import place_fish
from service.engine.rules import _run, apply, decision, legal_moves
from service.engine.samples import unseen_cards
from service.engine.setup import start_player
from service.engine.state import (
    SHARKS_AND_REEFS,
    Benefits,
    BoardSide,
    Frame,
    GameState,
    Options,
    Player,
    Step,
    Table,
    WeekPoints,
)

T = TypeVar("T")
E = TypeVar("E", bound=Event)
Ocean = Mapping[str, str]
START_OCEAN: Ocean = {"B5": "303 e", "G2": "301 e", "P3": "y"}
"""The ocean at setup (R2.1); P4 holds its forage fish by itself."""
NO_CORAL = (0, 0, 0)
STOP_NAMES = {**BONUS_STOPS, REEF_STOP: "reef"}
TILES = {"a": ("a1", "a2", "a3"), "b": ("b1_small_fish", "b2_full_rows", "b3_schools")}
NOTHING_GAINED = {"a": WeekPoints(0, 0), "b": WeekPoints(0, 3)}


class Played(NamedTuple):
    """Where moves led, and everything that happened on the way."""

    state: GameState
    events: tuple[Event, ...]

    @property
    def me(self) -> Player:
        return self.state.players[0]

    def all_of(self, kind: type[E]) -> list[E]:
        """Return the events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def declined(self) -> list[str]:
        """The sources whose benefits were declined, in order, as `source_name` writes them."""
        return [source_name(event.source) for event in self.all_of(BenefitsDeclined)]


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


def _player(
    ocean: Ocean, hand: Iterable[int], discard: Iterable[int], reefs: Sequence[int] = NO_CORAL
) -> Player:
    player = start_player()
    player.reefs = [*reefs]
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
    reefs: Sequence[Sequence[int]] | None = None,
    deck: Sequence[int] | None = None,
    spare: Literal["deck", "discard", "hand"] | None = None,
    week: int = 1,
    turn: int = 1,
    seat: int = 0,
    first_player: int = 0,
    side: BoardSide = "a",
    tiles: tuple[str, ...] | None = None,
    gained: Sequence[Sequence[tuple[int, int]]] = (),
    deep_used: Sequence[Iterable[str]] = (),
    frame: Frame = Frame.TURN,
    steps: Sequence[Step] = (),
    valid: bool = True,
) -> GameState:
    """Return a state laid out by hand: the turn of ``seat`` unless ``frame`` and ``steps`` say otherwise.

    ``steps`` stand behind the frame in the agenda, the next one last. ``valid=False`` leaves the check out.
    ``reefs=()`` is Sharks & Reefs with empty reefs, and without ``reefs`` it is the base game.

    ``deck`` names the cards on top, the first of them the top card; all cards that lie nowhere are ``spare``:
    they lie under these in the deck or, if it says so, in the last player's discard pile or hand. Alone,
    ``deck=()`` puts them in that discard pile, so that the deck is empty. The starters that left the game are
    those with the highest ids that nobody holds.
    """
    players = [
        _player(ocean, _at(hands, index, ()), _at(discards, index, ()), _at(reefs or (), index, NO_CORAL))
        for index, ocean in enumerate(oceans)
    ]
    state = GameState()
    state.version = 0
    state.names = ("",) * len(players)
    state.options = Options(() if reefs is None else (SHARKS_AND_REEFS,), side)
    state.tiles = tiles or TILES[side]
    state.players = players
    state.week, state.turn, state.seat, state.first_player = week, turn, seat, first_player
    state.agenda = [frame, *steps]
    state.seed, state.counter = "a test", 0
    state.known_moves = None
    for index, player in enumerate(players):
        scored = _at(gained, index, [NOTHING_GAINED[side]] * (week - 1))
        player.gained = [WeekPoints(*each) for each in scored]
        player.deep_used = sum(1 << SITES.index(site) for site in _at(deep_used, index, ()))
    _leave_out_starters(state, deck or ())
    _stack(state, deck or (), spare or ("discard" if deck == () else "deck"))
    if valid:
        _assert_possible(state)
    return state


def _assert_possible(state: GameState) -> None:
    faults = check(state)
    assert not faults, faults


def _leave_out_starters(state: GameState, deck: Sequence[int]) -> None:
    state.undealt = ()
    starters, unseen = cards_of(state.options.sets, "starter"), unseen_cards(state)
    free = [card for card in starters if card in unseen and card not in deck]
    state.undealt = tuple(free[len(free) - (len(starters) - 2 * len(state.players)) :])


def _stack(state: GameState, deck: Sequence[int], spare: str) -> None:
    unseen = [card for card in unseen_cards(state) if card not in deck]
    state.deck = [*(unseen if spare == "deck" else ()), *reversed(deck)]
    if spare != "deck":
        pile = getattr(state.players[-1], spare)
        pile[:] = sorted([*pile, *unseen])


def play(state: GameState, *ids: str) -> Played:
    """Play moves, named by their ids, and return where they lead."""
    events: list[Event] = []
    for id_ in ids:
        state, happened = apply(state, parse_move(id_))
        events += happened
    return Played(state, tuple(events))


def just_played(state: GameState, what: str) -> Played:
    """Return where a hand card of the player on turn leads once it lies, as ``47@G5``; its cost left out."""
    card, where = what.split("@")
    table = Table(state.copy(), RuleSource("R3.1"))
    table.state.agenda[0] = Frame.END_TURN
    place_fish(table, state.seat, int(card), SLOTS_BY_NAME[where])
    _run(table)
    _assert_possible(table.state)
    return Played(table.state, tuple(table.events))


def settle(state: GameState) -> Played:
    """Decline all that may be declined, that is up to the next turn, payment or the end of the game."""
    events: list[Event] = []
    while PASS in legal_moves(state):
        state, happened = apply(state, PASS)
        events += happened
    return Played(state, tuple(events))


def refused(state: GameState, id_: str) -> str:
    """Assert that a move is refused and changes nothing; return the rule that forbids it."""
    before, refusal = full_digest(state), _refusal(state, id_)
    assert refusal == why_not(state, parse_move(id_))
    assert full_digest(state) == before
    return refusal.rule


def _refusal(state: GameState, id_: str) -> Refusal:
    try:
        apply(state, parse_move(id_))
    except IllegalMove as error:
        return error.refusal
    raise AssertionError(f"{id_} is legal")


def source_name(source: Source) -> str:
    """Return a source in short: ``94@G1`` for a fish, ``138@B1 also`` for the second part of "also, if".

    ``green deep`` is a bonus, ``green reef`` a purchase; a rule is its number.
    """
    if isinstance(source, FishSource):
        return f"{source.card}@{SLOT_NAMES[source.slot]}{' also' * source.is_also}"
    if isinstance(source, BonusSource):
        return f"{SITES[source.site]} {STOP_NAMES[source.stop]}"
    return source.rule


def deciding(state: GameState) -> tuple[int, str]:
    """Return whose the open decision is, and what it comes from, as `source_name` writes it."""
    question = decision(state)
    assert question is not None
    return question.seat, source_name(question.source)


def dive_to(state: GameState, site: str, source: str) -> GameState:
    """Return where a dive asks about a source, as `source_name` writes it, everything before it declined."""
    state = play(state, f"dive:{site}").state
    while deciding(state)[1] != source:
        state = play(state, "pass").state
    return state


def left_of(state: GameState) -> tuple[int, ...]:
    """Return how often each benefit of the open group is left, in the order printed."""
    step = state.agenda[-1]
    assert isinstance(step, Benefits)
    return step.left


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


def reef_turn(
    ocean: Ocean, *reefs: int, hand: Sequence[int] = (), discard: Sequence[int] = (), deck: Sequence[int] = ()
) -> GameState:
    """Return the first player's turn in a game with Sharks & Reefs."""
    return situation(
        oceans=[ocean, {}],
        hands=[hand],
        discards=[discard],
        reefs=[reefs or (0, 0, 0)],
        deck=deck or None,
    )


def asked_on_the_way(state: GameState, site: str) -> list[str]:
    """Return what a dive asks about, all of it declined."""
    return settle(play(state, f"dive:{site}").state).declined
