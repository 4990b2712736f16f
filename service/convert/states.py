"""A state, both ways; its hidden part apart from the rest."""

from collections.abc import Sequence
from typing import Final

from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.convert.options import MAX_TILES, options_fields, read_options
from service.convert.reading import (
    CARD_IDS,
    CARDS_READ,
    Faults,
    Fields,
    is_short,
    note,
    note_unknown,
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
from service.engine.ocean import SITES, SLOT_COUNT, SLOT_NAMES, slots_in
from service.engine.rules import RULES_VERSION
from service.engine.state import MAX_PLAYERS, TURNS, WEEKS, GameState, Player, WeekPoints, divers_left

_FISH_OR_NONE: Final = CARD_IDS | {NO_CARD}
_NO_SUCH_FISH: Final = -1
"""Stands for a fish 0 that was given, which is none, and not left out either."""
_SITES_USED: Final = tuple(
    tuple(site + 1 for site in range(len(SITES)) if used >> site & 1) for used in range(1 << len(SITES))
)
"""What is written for each set of sites."""


# Reading. A path is made only where there is a fault, since making paths would take half of the time.


def _read_held(player: Player, slot: int, held: pb.SlotState) -> bool:
    """Read what lies on a slot; return whether anything does."""
    bit = 1 << slot
    fish, egg, young, school, consumed = held.fish, held.egg, held.young, held.school, held.consumed
    if fish:
        player.fish[slot] = fish
        player.occupied |= bit
    elif held.HasField("fish"):
        player.fish[slot] = _NO_SUCH_FISH
    if egg:
        player.eggs |= bit
    if young:
        player.young[slot] = young
    if school:
        player.schools |= bit
    if consumed:
        player.under[slot] = tuple(sorted(consumed[:CARDS_READ]))
    return bool(fish or egg or young or school or consumed) or held.HasField("fish")


def _read_ocean(player: Player, ocean: Sequence[pb.SlotState], path: str, faults: Faults) -> None:
    seen = 0
    for index, held in enumerate(ocean):
        slot = held.slot - 1
        if not 0 <= slot < SLOT_COUNT:
            note_unknown(faults, f"{path}.ocean[{index}].slot", "slot", held.slot)
            continue
        if seen >> slot & 1:
            note(faults, f"{path}.ocean[{index}].slot", f"{SLOT_NAMES[slot]} stood here before.")
            continue
        seen |= 1 << slot
        if not _read_held(player, slot, held):
            note(faults, f"{path}.ocean[{index}]", "Nothing lies there: leave the slot out.")
    if not (_FISH_OR_NONE.issuperset(player.fish) and all(map(CARD_IDS.issuperset, player.under.values()))):
        _note_unknown_fish(ocean, path, faults)


def _note_unknown_fish(ocean: Sequence[pb.SlotState], path: str, faults: Faults) -> None:
    for index, held in enumerate(ocean):
        if held.HasField("fish"):
            read_card(held.fish, f"{path}.ocean[{index}].fish", faults)
        read_cards(held.consumed, f"{path}.ocean[{index}]", "consumed", faults)


def _read_reefs(player: Player, message: pb.PlayerState, path: str, faults: Faults) -> None:
    """Read the coral of each reef; left out, there is none."""
    reefs = message.reefs
    if len(reefs) not in (0, len(SITES)):
        note(faults, f"{path}.reefs", f"There are {len(SITES)} reefs, not {len(reefs)}.")
    elif reefs:
        player.reefs = [*reefs]


def _read_player(message: pb.PlayerState, path: str, faults: Faults) -> Player:
    player = Player()
    ocean, gained = message.ocean, message.achievement_points
    if is_short(ocean, SLOT_COUNT, path, "ocean", faults):
        _read_ocean(player, ocean, path, faults)
    player.hand = sorted(read_cards(message.hand, path, "hand", faults))
    player.discard = sorted(read_cards(message.discard_pile, path, "discard_pile", faults))
    player.deep_used = read_set(message.deep_bonuses_used, read_site, path, "deep_bonuses_used", faults)
    player.activated = read_set(message.game_end_fish_used, read_slot, path, "game_end_fish_used", faults)
    _read_reefs(player, message, path, faults)
    if is_short(gained, WEEKS, path, "achievement_points", faults):
        player.gained = [WeekPoints(week.points, week.most) for week in gained]
    return player


def _read_players(message: pb.GameState, faults: Faults) -> list[Player]:
    if not is_short(message.players, MAX_PLAYERS, "", "players", faults):
        return []
    return [_read_player(player, f"players[{seat}]", faults) for seat, player in enumerate(message.players)]


def _read_tiles(message: pb.GameState, faults: Faults) -> tuple[str, ...]:
    if not is_short(message.achievements, MAX_TILES, "", "achievements", faults):
        return ()
    return tuple(message.achievements)


def _read_deck_size(message: pb.GameState, faults: Faults) -> int:
    size = message.deck_size
    if size <= len(CARD_IDS):
        return size
    note(faults, "deck_size", f"It is {size}, and there are only {len(CARD_IDS)} cards.")
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
    state.undealt = tuple(sorted(read_cards(message.undealt_starters, "", "undealt_starters", faults)))
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

    They may be left out unless ``all_given``, and so may the rules version, the side of the board, and reefs.
    """
    faults: Faults = []
    if _is_off(message, "deck_size", len(state.deck), all_given=all_given):
        note(faults, "deck_size", f"The deck has {len(state.deck)} cards.")
    for seat, player in enumerate(message.players if _has_divers(state) else ()):
        left = divers_left(state, seat)
        if _is_off(player, "divers_left", left, all_given=all_given):
            note(faults, f"players[{seat}].divers_left", f"This player has {left} divers left.")
    if all_given and any(bool(player.reefs) != state.options.has_reefs for player in message.players):
        note(faults, "players.reefs", "Reefs are there with Sharks & Reefs, and only then.")
    if all_given and not (message.rules_version and message.options.side):
        note(faults, "rules_version", "It is missing, or the side of the board is.")
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
        "reefs": player.reefs if state.options.has_reefs else (),
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
