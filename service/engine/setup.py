"""Setting up a game (R2): a pure function of the options and the seed.

The order in which the generator is used is a part of that; docs/determinism.md has it.
"""

from collections.abc import Iterator
from typing import Final, get_args
from unicodedata import category

from service.engine.cards import ACHIEVEMENTS, FORAGE, SETS, SIDE_A_SET, Achievement, cards_of
from service.engine.errors import BadOptions, Fault
from service.engine.events import AchievementsChosen, RuleSource, StarterDealt, WeekBegan
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.piles import draw
from service.engine.rng import MAX_SEED_LENGTH, Generator
from service.engine.state import (
    MAX_PLAYERS,
    WEEKS,
    BoardSide,
    Frame,
    GameState,
    Options,
    Player,
    Table,
)
from service.engine.tokens import lay_egg, place_young

STARTERS_DEALT: Final = 2
CARDS_DEALT: Final = 3
EGGS_AT_START: Final = tuple(SLOTS_BY_NAME[name] for name in ("B5", "G2"))
YOUNG_AT_START: Final = (SLOTS_BY_NAME["P3"],)
"""R2.1, RU02."""
ACHIEVEMENT_WEEKS: Final = range(1, WEEKS)
"""The weeks that have an achievement (R8.1)."""
MAX_NAME_LENGTH: Final = 40
_NOT_WRITTEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""The categories of Unicode for control and format characters, surrogates, ends of lines and paragraphs."""
_JOINERS: Final = "\u200c\u200d"
"""Format characters that some scripts are written with, and emoji."""


def tiles_of(options: Options, week: int) -> list[Achievement]:
    """Return the achievements that can be laid out for a week (R2.3), by id."""
    sets = (SIDE_A_SET,) if options.side == "a" else options.sets
    fitting = (tile for tile in ACHIEVEMENTS.values() if tile.week == week and tile.set in sets)
    return sorted(fitting, key=lambda tile: tile.id)


def tile_faults(options: Options, tiles: tuple[str, ...], field: str) -> list[Fault]:
    """Return what is wrong with achievements named for weeks 1 to 3 (R2.3)."""
    if len(tiles) != len(ACHIEVEMENT_WEEKS):
        return [Fault(field, "R2.3", f"Name one achievement for each of weeks 1 to 3, not {len(tiles)}.")]
    faults = []
    for week, id_ in zip(ACHIEVEMENT_WEEKS, tiles, strict=True):
        allowed = [tile.id for tile in tiles_of(options, week)]
        if id_ not in allowed:
            text = f"{id_!r} is no achievement for week {week} here; there are {', '.join(allowed)}."
            faults.append(Fault(f"{field}[{week - 1}]", "R2.3", text))
    return faults


def option_faults(options: Options) -> list[Fault]:
    """Return what is wrong with options (R2.3, R2.4)."""
    faults = []
    if options.side not in get_args(BoardSide):
        faults.append(Fault("options.side", "R2.3", f"There is no side {options.side!r}."))
    for index, name in enumerate(options.expansions):
        if name not in SETS[1:]:
            text = f"There is no expansion {name!r}."
            faults.append(Fault(f"options.expansions[{index}]", "R2.4", text))
    if tuple(sorted(set(options.expansions))) != options.expansions:
        faults.append(Fault("options.expansions", "R2.4", "Name each expansion once, in ascending order."))
    if options.side == "a" and options.tiles:
        faults.append(Fault("options.tiles", "R2.3", "Side A has no tiles to name."))
    elif options.tiles:
        faults += tile_faults(options, options.tiles, "options.tiles")
    return faults


def player_count_faults(players: int) -> list[Fault]:
    """Return what is wrong with a number of players (R2.1)."""
    if 1 <= players <= MAX_PLAYERS:
        return []
    return [Fault("players", "R2.1", f"A game has 1 to {MAX_PLAYERS} players, not {players}.")]


def _unwritten(name: str) -> list[str]:
    """Return the characters of a name that draw nothing but end lines, reorder or command, once each."""
    return sorted({sign for sign in name if category(sign) in _NOT_WRITTEN and sign not in _JOINERS})


def _wrong_with_name(name: str) -> Iterator[str]:
    """Yield a sentence for everything that is wrong with a name; of a long one, its beginning is read."""
    if len(name) > MAX_NAME_LENGTH:
        yield f"A name has at most {MAX_NAME_LENGTH} characters."
        name = name[:MAX_NAME_LENGTH]
    if name.isprintable() and not name.startswith(" "):  # as it is mostly
        return
    if unwritten := _unwritten(name):
        codes = ", ".join(f"U+{ord(sign):04X}" for sign in unwritten)
        yield f"A name has no control or formatting characters; this one has {codes}."
    elif all(category(sign) == "Zs" or sign in _JOINERS for sign in name):
        yield "A name is not of blanks alone; leave it out to give none."


def name_faults(names: tuple[str, ...], path: str) -> list[Fault]:
    """Return what is wrong with display names (R2.1); ``path`` has ``{}`` where the seat stands.

    A name can be left empty. Whatever is written in one line is a name; characters that draw nothing, but can
    put other text in another order or on another line, are refused.
    """
    return [
        Fault(path.format(seat), "R2.1", text)
        for seat, name in enumerate(names)
        for text in _wrong_with_name(name)
    ]


def seed_faults(seed: str, field: str) -> list[Fault]:
    """Return what is wrong with a seed (R2.5)."""
    if 1 <= len(seed) <= MAX_SEED_LENGTH:
        return []
    return [Fault(field, "R2.5", f"A seed has 1 to {MAX_SEED_LENGTH} characters, not {len(seed)}.")]


def game_faults(players: int, options: Options, seed: str, names: tuple[str, ...]) -> list[Fault]:
    """Return all that is wrong with a game to be set up (R2.1, R2.3-R2.5)."""
    count_faults = player_count_faults(players)
    faults = option_faults(options) + seed_faults(seed, "seed") + count_faults
    if not count_faults and names and len(names) != players:
        text = f"Give a name to each of the {players} players, or to none."
        faults.append(Fault("display_names", "R2.1", text))
    return faults + name_faults(names, "display_names[{}]")


def start_player() -> Player:
    """Return a player with the forage fish of the ocean and nothing else (R1.5)."""
    player = Player()
    for fish, slot in FORAGE.items():
        player.place(slot, fish)
    return player


def _chosen_tiles(options: Options, generator: Generator) -> tuple[str, ...]:
    if options.tiles:
        return options.tiles
    choices = [tiles_of(options, week) for week in ACHIEVEMENT_WEEKS]
    return tuple(tiles[generator.below(len(tiles)) if len(tiles) > 1 else 0].id for tiles in choices)


def _deal(table: Table, starters: list[int]) -> None:
    state = table.state
    for seat, player in enumerate(state.players):
        for slot in EGGS_AT_START:
            lay_egg(table, seat, slot)
        for slot in YOUNG_AT_START:
            place_young(table, seat, slot)
        player.hand = sorted(starters.pop() for _ in range(STARTERS_DEALT))
        table.events += [StarterDealt(seat, table.source, card) for card in player.hand]
    state.undealt = tuple(sorted(starters))
    for seat in range(len(state.players)):
        for _ in range(CARDS_DEALT):
            draw(table, seat)


def set_up(players: int, options: Options, seed: str, names: tuple[str, ...]) -> Table:
    """Return the table of a new game at its first turn, the setup's events on it (R2).

    Raises:
        BadOptions: with all that is wrong.

    """
    if faults := game_faults(players, options, seed, names):
        raise BadOptions(faults)
    generator = Generator(seed)
    state = GameState()
    state.version = 0
    state.names = names or ("",) * players
    state.options = options
    state.players = [start_player() for _ in range(players)]
    state.week, state.turn = 1, 1
    starters = generator.shuffled(cards_of(options.sets, "starter"))
    state.deck = generator.shuffled(cards_of(options.sets, "main"))
    state.seat = state.first_player = generator.below(players)
    state.tiles = _chosen_tiles(options, generator)
    state.seed, state.counter = seed, generator.counter
    state.agenda = [Frame.TURN]
    state.known_moves = None
    table = Table(state, RuleSource("R2.1"))
    _deal(table, starters)
    table.events += [
        AchievementsChosen(None, RuleSource("R2.3"), state.tiles),
        WeekBegan(None, RuleSource("R2.2"), state.week, state.first_player),
    ]
    return table
