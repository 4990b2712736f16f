"""A state, both ways, without its hidden part."""

from collections.abc import Iterable
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.options import options_fields, read_options
from service.convert.reading import (
    MAX_CARDS,
    Faults,
    Fields,
    is_short,
    note,
    read_cards,
    read_given,
    read_set,
    read_site,
    read_slot,
)
from service.convert.steps import agenda_fields, read_agenda
from service.engine.digest import slots_that_hold
from service.engine.ocean import SITES, SLOT_COUNT, slots_in
from service.engine.rules import RULES_VERSION
from service.engine.state import MAX_PLAYERS, WEEKS, GameState, Player, WeekPoints, divers_left

_SITES_USED: Final = tuple(
    tuple(site + 1 for site in range(len(SITES)) if used >> site & 1) for used in range(1 << len(SITES))
)
"""What is written for each set of sites."""


# Reading.


def _read_tokens(player: Player, held: pb.SlotState, slot: int) -> bool:
    """Read what lies on a slot beside fish; return whether anything does."""
    bit = 1 << slot
    young = held.young
    egg, school = held.egg, held.school
    player.young[slot] = young
    if egg:
        player.eggs |= bit
    if school:
        player.schools |= bit
    return bool(young or egg or school)


def _read_fish(player: Player, held: pb.SlotState, slot: int, path: str, faults: Faults) -> bool:
    """Read the fish of a slot; return whether there are any."""
    fish, consumed = held.fish, held.consumed
    if fish:
        player.fish[slot] = read_card(fish, f"{path}.fish", faults)
        player.occupied |= 1 << slot
    elif held.HasField("fish"):
        note(faults, f"{path}.fish", "There is no card 0.")
    if consumed:
        player.under[slot] = tuple(sorted(read_cards(consumed, f"{path}.consumed", faults)))
    return bool(fish or consumed)


def _read_ocean(player: Player, message: pb.PlayerState, path: str, faults: Faults) -> None:
    if not is_short(message.ocean, SLOT_COUNT, f"{path}.ocean", faults):
        return
    seen = 0
    for index, held in enumerate(message.ocean):
        where = f"{path}.ocean[{index}]"
        slot = read_slot(held.slot, f"{where}.slot", faults)
        if seen >> slot & 1:
            note(faults, f"{where}.slot", f"Slot {held.slot} stands here twice.")
        seen |= 1 << slot
        has_fish = _read_fish(player, held, slot, where, faults)
        if not _read_tokens(player, held, slot) and not has_fish:
            note(faults, where, "Nothing lies there: leave the slot out.")


def _read_player(message: pb.PlayerState, path: str, faults: Faults) -> Player:
    player = Player()
    _read_ocean(player, message, path, faults)
    player.hand = sorted(read_cards(message.hand, f"{path}.hand", faults))
    player.discard = sorted(read_cards(message.discard_pile, f"{path}.discard_pile", faults))
    player.deep_used = read_set(message.deep_bonuses_used, read_site, f"{path}.deep_bonuses_used", faults)
    player.activated = read_set(message.game_end_fish_used, read_slot, f"{path}.game_end_fish_used", faults)
    gained = message.achievement_points
    if gained and is_short(gained, WEEKS, f"{path}.achievement_points", faults):
        player.gained = [WeekPoints(week.points, week.most) for week in gained]
    return player


def _read_players(message: pb.GameState, faults: Faults) -> list[Player]:
    if not is_short(message.players, MAX_PLAYERS, "players", faults):
        return []
    return [
        _read_player(player, f"players[{seat}]", faults) for seat, player in enumerate(message.players)
    ]


def _read_tiles(message: pb.GameState, faults: Faults) -> tuple[str, ...]:
    if not is_short(message.achievements, MAX_TILES, "achievements", faults):
        return ()
    return tuple(message.achievements)


def _read_deck_size(message: pb.GameState, faults: Faults) -> int:
    size = message.deck_size
    if size <= MAX_CARDS:
        return size
    note(faults, "deck_size", f"It is {size}, and there are only {MAX_CARDS} cards.")
    return 0


def read_state(message: pb.GameState, faults: Faults) -> GameState:
    """Return a state without its hidden part, as far as it can be read.

    The deck has the size that the message gives, and no order; seed and counter are not set to anything. What
    a state built by hand may leave out (achievements, undealt starters, agenda) is then empty.
    """
    state = GameState()
    state.version = message.version
    state.options = read_options(message.options, faults)
    state.players = _read_players(message, faults)
    state.names = tuple([player.display_name for player in message.players[:MAX_PLAYERS]])
    state.week = message.week
    state.turn = message.turn
    state.seat = read_given(message, "seat", "", faults)
    state.first_player = read_given(message, "first_player", "", faults)
    state.tiles = _read_tiles(message, faults)
    state.undealt = tuple(sorted(read_cards(message.undealt_starters, "undealt_starters", faults)))
    state.agenda = read_agenda(message, faults)
    state.deck = [NO_CARD] * _read_deck_size(message, faults)
    state.seed, state.counter = "", 0
    state.forget_moves()
    return state


def derived_faults(message: pb.GameState, state: GameState, *, all_given: bool) -> Faults:
    """Return which derived fields of a message are not what follows from its state.

    They may be left out, unless ``all_given``.
    """
    faults: Faults = []
    if message.deck_size != len(state.deck) and (all_given or message.HasField("deck_size")):
        note(faults, "deck_size", f"It is {message.deck_size}, and the deck has {len(state.deck)} cards.")
    for seat, player in enumerate(message.players):
        left = divers_left(state, seat)
        if all_given or player.HasField("divers_left"):
            if player.divers_left != left or not player.HasField("divers_left"):
                ...
    return faults


# Writing.
