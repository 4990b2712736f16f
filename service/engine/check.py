"""Everything that is wrong with a state, as a list.

A state that passes could stand on a table as far as it tells by itself: its cards add up, its tokens lie
where tokens may lie, its week and its agenda fit each other, and its open decision is a real question that
its owner could have.

Each judge looks at one part of the state. At the end, `_JUDGES` says which other parts must be sound for that
to make sense.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from service.engine.abilities import ConsumeByThis
from service.engine.agendas import agenda_faults
from service.engine.bounds import counter_faults, most_points, most_young, version_faults
from service.engine.cards import (
    ACHIEVEMENTS,
    CARDS,
    DEEP_STOP,
    FORAGE,
    LENGTHS,
    NO_CARD,
    cards_of,
    effects_of_card,
)
from service.engine.digest import slots_that_hold
from service.engine.errors import Fault, Faults, within_faults
from service.engine.events import BonusSource
from service.engine.ocean import SLOT_NAMES, slots_in
from service.engine.reasons_of_plays import wrong_place
from service.engine.reefs import REEF_SIZE, slots_without_coral
from service.engine.samples import cards_in_game, cards_of_player
from service.engine.scoring import POINTS_FOR_MOST, POINTS_PER_FULL_REEF
from service.engine.setup import (
    STARTERS_DEALT,
    name_faults,
    option_faults,
    player_count_faults,
    seed_faults,
    tile_faults,
)
from service.engine.state import (
    SCHOOL_SIZE,
    TURNS,
    WEEKS,
    Benefits,
    Frame,
    GameState,
    Player,
    Step,
    WeekPoints,
    divers_left,
)

Judge = Callable[[GameState], Faults]
"""Yields what is wrong with one part of a state."""

_BLUE, _PURPLE, _GREEN = POINTS_PER_FULL_REEF
_POINTS_OF_REEFS: Final = frozenset(
    blue + purple + green for blue in (0, _BLUE) for purple in (0, _PURPLE) for green in (0, _GREEN)
)
"""What full reefs can bring together (R9.2)."""


def check(state: GameState) -> list[Fault]:
    """Return everything that is wrong with a state, an empty list if nothing is.

    Every card id must be one of the catalogue, and every slot, site and stop one that exists; any other
    content is allowed and judged. Only what cannot be judged beside what is wrong is left out:

    - how many starters are undealt, while the number of players is wrong;
    - the achievements, while the options are wrong;
    - the points of the weeks, while achievements, week or number of players are wrong;
    - deep bonuses and game-end fish used, and when the game ends, while it is not clear whose turn it is: the
      number of players, seat, first player, week, turn or the last step of the agenda is wrong;
    - the version, besides, while a card lies in the wrong place;
    - the rest of the agenda, besides, while something in an ocean or in its player's use of it is wrong.
    """
    faults: list[Fault] = []
    sound: set[Judge] = set()
    for judge, needed in _JUDGES.items():
        if sound.issuperset(needed):
            told = [*judge(state)]
            faults += told
            if not told:
                sound.add(judge)
    return faults


# The frame: how many players, whose turn, which week.


def _count_faults(state: GameState) -> Faults:
    yield from player_count_faults(len(state.players))


def _seat_faults(state: GameState) -> Faults:
    last = max(len(state.players) - 1, 0)
    yield from within_faults(state.seat, 0, last, "seat", "R3.1")
    yield from within_faults(state.first_player, 0, last, "first_player", "R2.2")


def _week_faults(state: GameState) -> Faults:
    yield from within_faults(state.week, 1, WEEKS, "week", "R3.1")


def _turn_faults(state: GameState) -> Faults:
    yield from within_faults(state.turn, 1, TURNS, "turn", "R3.1")


def _last_step_faults(state: GameState) -> Faults:
    if not state.agenda or not isinstance(state.agenda[0], Frame):
        text = "The last step must be turn, end_turn, game_end or game_over."
        yield Fault("agenda", "R3.1", text)


def _end_faults(state: GameState) -> Faults:
    is_end = state.agenda[0] in (Frame.GAME_END, Frame.GAME_OVER)
    if is_end and (state.week, state.turn) != (WEEKS, TURNS):
        yield Fault("agenda", "R9.1", f"The game ends after turn {TURNS} of week {WEEKS}.")
    if state.agenda[0] is Frame.GAME_OVER and state.seat != state.first_player:
        yield Fault("seat", "R9.1", "When the game is over, it is the seat of the first-player token.")


# What the game is played with, and what its weeks brought.


def _option_faults(state: GameState) -> Faults:
    yield from option_faults(state.options)


def _name_faults(state: GameState) -> Faults:
    yield from name_faults(state.names, "players[{}].display_name")


def _generator_faults(state: GameState) -> Faults:
    """The deck is shuffled at the start, and again at most once with every move (R2.5, R7.1)."""
    yield from seed_faults(state.seed, "open.seed")
    yield from counter_faults(state.counter, shuffles=state.version + 1)


def _tile_faults(state: GameState) -> Faults:
    wrong = tile_faults(state.options, state.tiles, "achievements")
    yield from wrong
    if not wrong and state.options.tiles and state.options.tiles != state.tiles:
        yield Fault("achievements", "R2.3", "They are not the tiles that the options name.")


def _gain_faults(state: GameState) -> Faults:
    """Yield what is wrong with the points of the weeks scored (R8)."""
    scored = state.week - 1
    short = [seat for seat, player in enumerate(state.players) if len(player.gained) != scored]
    for seat in short:
        text = (
            f"It has an entry for each week before week {state.week}, that is {scored}, "
            f"not {len(state.players[seat].gained)}."
        )
        yield Fault(f"players[{seat}].achievement_points", "R8.1", text)
    for week in range(0 if short else scored):
        yield from _gains_faults(state, week, [player.gained[week] for player in state.players])


def _gains_faults(state: GameState, week: int, gains: list[WeekPoints]) -> Faults:
    best = max(gain.points for gain in gains)
    for seat, gain in enumerate(gains):
        field = f"players[{seat}].achievement_points[{week}]"
        yield from _points_faults(state, week, gain.points, f"{field}.points")
        most = POINTS_FOR_MOST if state.options.side == "b" and gain.points == best else 0
        if gain.most != most:
            yield Fault(f"{field}.most", "R8.1", f"It is {gain.most} and must be {most}.")


def _points_faults(state: GameState, week: int, points: int, field: str) -> Faults:
    """An achievement gives so many points at a time, and what it counts is limited (R8.2, R8.3)."""
    tile = ACHIEVEMENTS[state.tiles[week]]
    most = most_points(tile, state.version)
    if not 0 <= points <= most:
        yield from within_faults(points, 0, most, field, "R8.2")
    elif points % tile.points:
        yield Fault(field, "R8.2", f"This achievement gives {tile.points} at a time.")
    elif tile.count == "reef_completion_points" and points not in _POINTS_OF_REEFS:
        yield Fault(field, "R8.3", f"There are no full reefs that bring {points} together.")


# Cards: each lies in one place, none is missing, none is foreign.


def _undealt_faults(state: GameState) -> Faults:
    starters = cards_of(state.options.sets, "starter")
    undealt = len(starters) - STARTERS_DEALT * len(state.players)
    if len(state.undealt) != undealt or not set(state.undealt) <= set(starters):
        text = (
            f"List exactly the {undealt} starter cards of the sets in play that nobody was dealt."
            if undealt
            else "All starter cards of the sets in play were dealt: list none."
        )
        yield Fault("undealt_starters", "R2.1", text)


def _card_faults(state: GameState) -> Faults:
    places = Counter([*state.undealt, *state.deck])
    for player in state.players:
        places.update(card for card in cards_of_player(player) if card not in FORAGE)
    in_game = {*cards_in_game(state), *state.undealt}
    for card in sorted(places):
        if places[card] > 1:
            yield Fault(_where(state, card), "R1.3", f"Card {card} lies in {places[card]} places.")
        if card not in in_game:
            yield Fault(_where(state, card), "R2.4", f"Card {card} does not belong to the sets in play.")
    for card in sorted(in_game - places.keys()):
        yield Fault("open.deck", "R1.3", f"Card {card} lies nowhere.")
    for seat, player in enumerate(state.players):
        for name, pile in (("hand", player.hand), ("discard_pile", player.discard)):
            for card in FORAGE.keys() & set(pile):
                text = f"{CARDS[card].name} is printed on the ocean."
                yield Fault(f"players[{seat}].{name}", "R1.5", text)


def _piles(state: GameState) -> Iterator[tuple[str, Collection[int]]]:
    yield "undealt_starters", state.undealt
    yield "open.deck", state.deck
    for seat, player in enumerate(state.players):
        yield f"players[{seat}].hand", player.hand
        yield f"players[{seat}].discard_pile", player.discard
        for slot, name in enumerate(SLOT_NAMES):
            yield f"players[{seat}].ocean[{name}].fish", (player.fish[slot],)
            yield f"players[{seat}].ocean[{name}].consumed", player.under.get(slot, ())


def _where(state: GameState, card: int) -> str:
    """Return the path of the last pile or slot that holds a card."""
    return [field for field, cards in _piles(state) if card in cards][-1]


# One player's ocean and reefs.


def _ocean_faults(state: GameState) -> Faults:
    for seat, player in enumerate(state.players):
        field = f"players[{seat}]"
        for slot in sorted({*slots_that_hold(player), *player.under}):
            yield from _slot_faults(state, player, slot, f"{field}.ocean[{SLOT_NAMES[slot]}]")
        yield from _printed_faults(player, field)
        yield from _reef_faults(state, player, field)


def _printed_faults(player: Player, field: str) -> Faults:
    for card, home in FORAGE.items():
        if player.fish[home] != card and card not in player.under.get(home, ()):
            name = SLOT_NAMES[home]
            text = f"{CARDS[card].name} is printed on {name} and lies there or under a fish there."
            yield Fault(f"{field}.ocean[{name}]", "R1.5", text)


def _reef_faults(state: GameState, player: Player, field: str) -> Faults:
    """A reef holds up to six coral, and coral is never removed (R11.1, R11.4)."""
    for site, coral in enumerate(player.reefs):
        if state.options.has_reefs:
            yield from within_faults(coral, 0, REEF_SIZE, f"{field}.reefs[{site}]", "R11.1")
        elif coral:
            yield Fault(f"{field}.reefs[{site}]", "R11.1", "Reefs are there with Sharks & Reefs only.")
    for slot in slots_in(player.occupied):
        need = CARDS[player.fish[slot]].needs_coral
        if need is not None and slots_without_coral(player, need) >> slot & 1:
            text = f"{CARDS[player.fish[slot]].name} needs more coral in the reef of this site."
            yield Fault(f"{field}.ocean[{SLOT_NAMES[slot]}].fish", "R11.4", text)


def _slot_faults(state: GameState, player: Player, slot: int, field: str) -> Faults:
    fish, under = player.fish[slot], player.under.get(slot, ())
    if fish == NO_CARD and under:
        yield Fault(f"{field}.consumed", "R5.4", "Consumed fish lie under a visible fish, and there is none.")
    if fish == NO_CARD and player.eggs >> slot & 1:
        yield Fault(f"{field}.egg", "R4.1", "An egg lies on a visible fish, and there is none.")
    yield from within_faults(player.young[slot], 0, most_young(state.version), f"{field}.young", "R4.1")
    if player.young[slot] >= SCHOOL_SIZE and not player.schools >> slot & 1:
        yield Fault(f"{field}.young", "R4.2", "Three young without a school would have become a school.")
    if fish != NO_CARD:
        yield from _fish_faults(state, fish, under, slot, field)


def _lies_by_rule(card: int, slot: int) -> bool:
    """Return whether a card may be played here, or a forage fish is printed here (R1.5, R5.3)."""
    return FORAGE[card] == slot if card in FORAGE else bool(CARDS[card].slots >> slot & 1)


def _place_faults(card: int, slot: int, field: str) -> Faults:
    """Yield why a fish that does not lie by rule cannot be visible here."""
    if card in FORAGE:
        home = SLOT_NAMES[FORAGE[card]]
        yield Fault(
            field, "R1.5", f"{CARDS[card].name} is printed on {home}, and this is {SLOT_NAMES[slot]}."
        )
    else:
        yield from (Fault(field, *refusal) for refusal in wrong_place(CARDS[card], slot))


def _consumed_faults(state: GameState, fish: int, under: tuple[int, ...], slot: int, field: str) -> Faults:
    """What lies under a fish was covered, so it lay here itself, or was eaten by a fish that lies here."""
    eaters = [card for card in (fish, *under) if state.options.has_reefs or _can_eat(card)]
    for card in under:
        if LENGTHS[card] >= LENGTHS[fish]:
            yield Fault(field, "R5.4", f"{CARDS[card].name} is not shorter than {CARDS[fish].name}.")
        elif not _lies_by_rule(card, slot) and not any(LENGTHS[card] < LENGTHS[eater] for eater in eaters):
            text = f"{CARDS[card].name} cannot be played here, and no fish here could eat it."
            yield Fault(field, "R7.4", text)
    if fish in FORAGE:
        yield Fault(field, "R7.4", f"{CARDS[fish].name} never consumes.")


def _fish_faults(state: GameState, fish: int, under: tuple[int, ...], slot: int, field: str) -> Faults:
    if not _lies_by_rule(fish, slot):
        yield from _place_faults(fish, slot, f"{field}.fish")
    if under:
        yield from _consumed_faults(state, fish, under, slot, f"{field}.consumed")


def _can_eat(card: int) -> bool:
    """Return whether a card lets itself eat cards from hand (R7.4); with Sharks & Reefs others let it too."""
    ability = CARDS[card].ability
    return ability is not None and any(isinstance(effect, ConsumeByThis) for effect in ability.effects)


# What players have used.


def _used_faults(state: GameState) -> Faults:
    for seat, player in enumerate(state.players):
        yield from _deep_bonus_faults(state, seat, player)
        yield from _activated_faults(state, seat, player)


def _deep_bonus_faults(state: GameState, seat: int, player: Player) -> Faults:
    """A deep bonus takes a dive that reached the bottom this week (R6.3)."""
    dives = TURNS - divers_left(state, seat)
    if seat == state.seat and state.agenda[0] is Frame.END_TURN and not _is_at_bottom(state.agenda[-1]):
        dives -= 1
    used = player.deep_used.bit_count()
    if used > dives:
        text = f"{used} cannot be used: the dives that have reached a bottom this week are {dives} at most."
        yield Fault(f"players[{seat}].deep_bonuses_used", "R6.3", text)


def _is_at_bottom(step: Step) -> bool:
    return (
        isinstance(step, Benefits) and isinstance(step.source, BonusSource) and step.source.stop == DEEP_STOP
    )


def _activated_faults(state: GameState, seat: int, player: Player) -> Faults:
    """Only fish with benefits at the game's end are used, and only when their owner's turn for it came."""
    field = f"players[{seat}].game_end_fish_used"
    order = state.seats_from(state.first_player)
    is_due = state.agenda[0] is Frame.GAME_OVER or (
        state.agenda[0] is Frame.GAME_END and order.index(seat) <= order.index(state.seat)
    )
    if player.activated and not is_due:
        yield Fault(field, "R9.1", "This player's game end has not begun.")
    for slot in slots_in(player.activated):
        if not effects_of_card(player.fish[slot], "game_end"):
            yield Fault(field, "R9.1", f"No fish with benefits at the game's end lies on {SLOT_NAMES[slot]}.")


_WHOSE_TURN: Final = (_count_faults, _seat_faults, _week_faults, _turn_faults, _last_step_faults)
"""Who is to do something, and when; what is judged by that makes no sense without."""

_JUDGES: Final[Mapping[Judge, tuple[Judge, ...]]] = {
    _count_faults: (),
    _seat_faults: (),
    _week_faults: (),
    _turn_faults: (),
    _last_step_faults: (),
    _option_faults: (),
    _name_faults: (),
    _generator_faults: (),
    _tile_faults: (_option_faults,),
    _gain_faults: (_count_faults, _week_faults, _tile_faults),
    _undealt_faults: (_count_faults,),
    _card_faults: (),
    _ocean_faults: (),
    _end_faults: _WHOSE_TURN,
    _used_faults: _WHOSE_TURN,
    version_faults: (*_WHOSE_TURN, _card_faults),
    agenda_faults: (*_WHOSE_TURN, _end_faults, _card_faults, _ocean_faults, _used_faults),
}
"""Every judge, in the order in which faults are told, and those that must have found nothing before."""
