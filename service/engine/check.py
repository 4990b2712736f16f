"""Everything that is wrong with a state, as a list.

A state that passes could stand on a table as far as it tells by itself: its cards add up, its tokens lie
where tokens may lie, its week and its agenda fit each other, and its open decision is a real question that
its owner could have.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from service.engine.abilities import ConsumeByThis
from service.engine.agendas import agenda_faults
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
from service.engine.errors import Fault, Faults, within_faults
from service.engine.events import BonusSource
from service.engine.ocean import (
    SLOT_NAMES,
    slots_in,
)
from service.engine.reefs import REEF_SIZE, slots_without_coral
from service.engine.samples import cards_in_game, cards_of_player
from service.engine.scoring import POINTS_FOR_MOST
from service.engine.setup import (
    STARTERS_DEALT,
    name_faults,
    option_faults,
    seed_faults,
    tile_faults,
)
from service.engine.state import (
    MAX_PLAYERS,
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

MAX_YOUNG: Final = 99
"""Young on a slot of a state from outside."""
MAX_VERSION: Final = 1_000_000
"""A bound on versions and on the generator's counter, far above what games reach."""
MAX_POINTS: Final = 10_000
"""A bound on what a week can have brought, far above what weeks bring."""


def check(state: GameState) -> list[Fault]:
    """Return everything that is wrong with a state, an empty list if nothing is.

    Every card id must be one of the catalogue, and every slot, site and stop one that exists; any other
    content is allowed and judged. While the frame of the game is wrong, only that is told.
    """
    faults = [*_frame_faults(state)]
    if faults:
        return faults
    faults = [*_table_faults(state), *_card_faults(state)]
    for seat, player in enumerate(state.players):
        faults += _player_faults(state, seat, player)
    return faults or [*agenda_faults(state)]


# The frame: how many players, whose turn, which week.


def _frame_faults(state: GameState) -> Faults:
    yield from within_faults(len(state.players), 1, MAX_PLAYERS, "players", "R2.1")
    last = max(len(state.players) - 1, 0)
    yield from within_faults(state.seat, 0, last, "seat", "R3.1")
    yield from within_faults(state.first_player, 0, last, "first_player", "R2.2")
    yield from within_faults(state.week, 1, WEEKS, "week", "R3.1")
    yield from within_faults(state.turn, 1, TURNS, "turn", "R3.1")
    yield from within_faults(state.version, 0, MAX_VERSION, "version", "R2.5")
    yield from option_faults(state.options)
    if not state.agenda or not isinstance(state.agenda[0], Frame):
        text = "The last step must be turn, end_turn, game_end or game_over."
        yield Fault("agenda", "R3.1", text)


def _is_end(state: GameState) -> bool:
    return state.agenda[0] in (Frame.GAME_END, Frame.GAME_OVER)


def _table_faults(state: GameState) -> Faults:
    yield from name_faults(state.names, "players[{}].display_name")
    yield from seed_faults(state.seed, "open.seed")
    yield from within_faults(state.counter, 0, MAX_VERSION, "open.counter", "R2.5")
    wrong = tile_faults(state.options, state.tiles, "achievements")
    yield from wrong
    if not wrong and state.options.tiles and state.options.tiles != state.tiles:
        yield Fault("achievements", "R2.3", "They are not the tiles that the options name.")
    if not wrong:
        yield from _gain_faults(state)
    if _is_end(state) and (state.week, state.turn) != (WEEKS, TURNS):
        yield Fault("agenda", "R9.1", f"The game ends after turn {TURNS} of week {WEEKS}.")
    if state.agenda[0] is Frame.GAME_OVER and state.seat != state.first_player:
        yield Fault("seat", "R9.1", "When the game is over, it is the seat of the first-player token.")


def _gain_faults(state: GameState) -> Faults:
    """Yield what is wrong with the points of the weeks scored (R8)."""
    scored = state.week - 1
    for seat, player in enumerate(state.players):
        if len(player.gained) != scored:
            field = f"players[{seat}].achievement_points"
            yield Fault(field, "R8.1", f"{scored} weeks are scored, and it has {len(player.gained)} entries.")
            return
    for week in range(scored):
        yield from _week_faults(state, week, [player.gained[week] for player in state.players])


def _week_faults(state: GameState, week: int, gains: list[WeekPoints]) -> Faults:
    each = ACHIEVEMENTS[state.tiles[week]].points
    best = max(gain.points for gain in gains)
    for seat, gain in enumerate(gains):
        field = f"players[{seat}].achievement_points[{week}]"
        yield from within_faults(gain.points, 0, MAX_POINTS, f"{field}.points", "R8.2")
        if gain.points % each:
            yield Fault(f"{field}.points", "R8.2", f"This achievement gives {each} at a time.")
        most = POINTS_FOR_MOST if state.options.side == "b" and gain.points == best else 0
        if gain.most != most:
            yield Fault(f"{field}.most", "R8.1", f"It is {gain.most} and must be {most}.")


# Cards: each lies in one place, none is missing, none is foreign.


def _card_faults(state: GameState) -> Faults:
    starters = cards_of(state.options.sets, "starter")
    undealt = len(starters) - STARTERS_DEALT * len(state.players)
    if len(state.undealt) != undealt or not set(state.undealt) <= set(starters):
        yield Fault("undealt_starters", "R2.1", f"{undealt} starter cards of the sets in play are not dealt.")
    places = Counter(state.undealt) + Counter(state.deck)
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


# One player's side of the table.


def _player_faults(state: GameState, seat: int, player: Player) -> Faults:
    field = f"players[{seat}]"
    for name, pile in (("hand", player.hand), ("discard_pile", player.discard)):
        for card in FORAGE.keys() & set(pile):
            yield Fault(f"{field}.{name}", "R1.5", f"{CARDS[card].name} is printed on the ocean.")
    for slot, name in enumerate(SLOT_NAMES):
        yield from _slot_faults(state, player, slot, f"{field}.ocean[{name}]")
    for card, home in FORAGE.items():
        if player.fish[home] != card and card not in player.under.get(home, ()):
            text = (
                f"{CARDS[card].name} is printed on {SLOT_NAMES[home]} and lies there or under a fish there."
            )
            yield Fault(f"{field}.ocean[{SLOT_NAMES[home]}]", "R1.5", text)
    yield from _reef_faults(state, player, field)
    yield from _deep_bonus_faults(state, seat, player)
    yield from _activated_faults(state, seat, player)


def _reef_faults(state: GameState, player: Player, field: str) -> Faults:
    """A reef holds up to six coral, and coral is never removed (R11.1, R11.4)."""
    most = REEF_SIZE if state.options.has_reefs else 0
    for site, coral in enumerate(player.reefs):
        yield from within_faults(coral, 0, most, f"{field}.reefs[{site}]", "R11.1")
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
    yield from within_faults(player.young[slot], 0, MAX_YOUNG, f"{field}.young", "R4.1")
    if player.young[slot] >= SCHOOL_SIZE and not player.schools >> slot & 1:
        yield Fault(f"{field}.young", "R4.2", "Three young without a school would have become a school.")
    if fish != NO_CARD:
        yield from _fish_faults(state, fish, under, slot, field)


def _lies_by_rule(card: int, slot: int) -> bool:
    """Return whether a card may be played here, or a forage fish is printed here (R1.5, R5.3)."""
    return FORAGE[card] == slot if card in FORAGE else bool(CARDS[card].slots >> slot & 1)


def _fish_faults(state: GameState, fish: int, under: tuple[int, ...], slot: int, field: str) -> Faults:
    if not _lies_by_rule(fish, slot):
        yield Fault(f"{field}.fish", "R5.3", f"{CARDS[fish].name} cannot lie on {SLOT_NAMES[slot]}.")
    eaters = [card for card in (fish, *under) if state.options.has_reefs or _can_eat(card)]
    for card in under:
        if LENGTHS[card] >= LENGTHS[fish]:
            text = f"{CARDS[card].name} is not shorter than {CARDS[fish].name}."
            yield Fault(f"{field}.consumed", "R5.4", text)
        elif not _lies_by_rule(card, slot) and not any(LENGTHS[card] < LENGTHS[eater] for eater in eaters):
            text = f"{CARDS[card].name} cannot be played here, and no fish here could eat it."
            yield Fault(f"{field}.consumed", "R7.4", text)
    if fish in FORAGE and under:
        yield Fault(f"{field}.consumed", "R7.4", f"{CARDS[fish].name} never consumes.")


def _can_eat(card: int) -> bool:
    """Return whether a card lets itself eat cards from hand (R7.4); with Sharks & Reefs others let it too."""
    ability = CARDS[card].ability
    return ability is not None and any(isinstance(effect, ConsumeByThis) for effect in ability.effects)


def _deep_bonus_faults(state: GameState, seat: int, player: Player) -> Faults:
    """A deep bonus takes a dive that reached the bottom this week (R6.3)."""
    dives = TURNS - divers_left(state, seat)
    if seat == state.seat and state.agenda[0] is Frame.END_TURN and not _is_at_bottom(state.agenda[-1]):
        dives -= 1
    used = player.deep_used.bit_count()
    if used > dives:
        text = f"{used} deep bonuses are used, and at most {dives} dives reached a bottom this week."
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
