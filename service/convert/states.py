"""A state, both ways; its hidden part apart from the rest."""

from typing import Final

from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.convert.options import MAX_TILES, options_fields, read_options
from service.convert.reading import (
    MAX_CARDS,
    Faults,
    Fields,
    is_short,
    note,
    read_card,
    read_cards,
    read_given,
    read_set,
    read_site,
    read_slot,
)
from service.convert.steps import agenda_fields, read_agenda
from service.engine.cards import NO_CARD
from service.engine.digest import slots_that_hold
from service.engine.ocean import SITES, SLOT_COUNT, slots_in
from service.engine.rules import RULES_VERSION
from service.engine.state import MAX_PLAYERS, TURNS, WEEKS, GameState, Player, WeekPoints, divers_left

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
    state.known_moves = None
    return state


def _is_off(message: Message, name: str, value: int, *, all_given: bool) -> bool:
    return getattr(message, name) != value if message.HasField(name) else all_given


def _has_divers(state: GameState) -> bool:
    """Return whether a state makes enough sense to tell how many divers are left."""
    seats = max(state.seat, state.first_player) < len(state.players)
    return seats and 1 <= state.turn <= TURNS and bool(state.agenda)


def derived_faults(message: pb.GameState, state: GameState, *, all_given: bool) -> Faults:
    """Return which derived fields of a message are not what follows from its state.

    They, and the side of the board, may be left out unless ``all_given``.
    """
    faults: Faults = []
    if _is_off(message, "deck_size", len(state.deck), all_given=all_given):
        note(faults, "deck_size", f"The deck has {len(state.deck)} cards.")
    for seat, player in enumerate(message.players if _has_divers(state) else ()):
        left = divers_left(state, seat)
        if _is_off(player, "divers_left", left, all_given=all_given):
            note(faults, f"players[{seat}].divers_left", f"This player has {left} divers left.")
    if all_given and not message.options.side:
        note(faults, "options.side", "It is missing.")
    return faults


# Writing.


def _slot_fields(player: Player, slot: int) -> Fields:
    fields: Fields = {"slot": slot + 1}
    if fish := player.fish[slot]:
        fields["fish"] = fish
    if player.eggs >> slot & 1:
        fields["egg"] = True
    if young := player.young[slot]:
        fields["young"] = young
    if player.schools >> slot & 1:
        fields["school"] = True
    if slot in player.under:
        fields["consumed"] = player.under[slot]
    return fields


def _player_fields(state: GameState, seat: int, player: Player) -> Fields:
    return {
        "display_name": state.names[seat],
        "ocean": [_slot_fields(player, slot) for slot in slots_that_hold(player)],
        "hand": player.hand,
        "discard_pile": player.discard,
        "divers_left": divers_left(state, seat),
        "deep_bonuses_used": _SITES_USED[player.deep_used],
        "game_end_fish_used": [slot + 1 for slot in slots_in(player.activated)],
        "achievement_points": [week._asdict() for week in player.gained],
    }


def state_fields(state: GameState) -> Fields:
    """Return the fields of a state's message, all but the hidden part."""
    return {
        "version": state.version,
        "rules_version": RULES_VERSION,
        "options": options_fields(state.options),
        "players": [_player_fields(state, seat, player) for seat, player in enumerate(state.players)],
        "week": state.week,
        "turn": state.turn,
        "seat": state.seat,
        "first_player": state.first_player,
        "achievements": state.tiles,
        "undealt_starters": state.undealt,
        "deck_size": len(state.deck),
        "agenda": agenda_fields(state.agenda),
    }


def open_fields(state: GameState) -> Fields:
    """Return the fields of a state's hidden part, readable."""
    return {"deck": {"cards": state.deck[::-1]}, "seed": state.seed, "counter": state.counter}

