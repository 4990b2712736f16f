"""States with one thing wrong at the table: its players, weeks, cards and oceans, and what has been used."""

from typing import Any, NamedTuple

from service.engine.bounds import MAX_VERSION, moves_left_at_most
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.setup import start_player
from service.engine.state import (
    SHARKS_AND_REEFS,
    Frame,
    GameState,
    Options,
    WeekPoints,
)
from tests.table import Ocean, situation

Told = tuple[str, str, str]
"""The field, the rule and the sentence of a fault."""


class Row(NamedTuple):
    """A state in which all is right, one in which something is wrong, and everything that is told of that."""

    right: GameState
    wrong: GameState
    told: list[Told]


def but(state: GameState, **fields: object) -> GameState:
    """Return a copy of a state with other fields."""
    copy = state.copy()
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy


def but_for(seat: int, state: GameState, **fields: object) -> GameState:
    """Return a copy of a state with other fields of one player."""
    copy = state.copy()
    for name, value in fields.items():
        setattr(copy.players[seat], name, value)
    return copy


def laid(**fields: Any) -> GameState:  # noqa: ANN401  whatever `situation` takes
    return situation(valid=False, **fields)


def slots(*names: str) -> int:
    return sum(1 << SLOTS_BY_NAME[name] for name in names)


def ocean(*lying: Ocean, **fields: Any) -> GameState:  # noqa: ANN401  whatever `situation` takes
    """Return the first player's turn, with something in the ocean."""
    return laid(oceans=[*lying, {}], **fields)


START = laid()
REEFS = laid(reefs=())
HIGHEST = MAX_VERSION - moves_left_at_most(START)
"""The highest version that the first turn of a game can have."""
NAMED = Options((), "b", ("b1_small_fish", "b2_full_rows", "b3_schools"))

PLAYERS = {
    "no player": Row(
        laid(oceans=[{}]),
        but(START, players=[]),
        [
            ("players", "R2.1", "A game has 1 to 5 players, not 0."),
        ],
    ),
    "six players": Row(
        laid(oceans=[{}] * 5),
        but(START, players=[start_player() for _ in range(6)]),
        [
            ("players", "R2.1", "A game has 1 to 5 players, not 6."),
        ],
    ),
    "the seat behind the last": Row(
        laid(seat=1),
        laid(seat=2),
        [
            ("seat", "R3.1", "It is 2 and must be 0 to 1."),
        ],
    ),
    "the token at the seat behind the last": Row(
        laid(seat=1, first_player=1),
        laid(first_player=2),
        [
            ("first_player", "R2.2", "It is 2 and must be 0 to 1."),
        ],
    ),
    "another seat than the only one": Row(
        laid(oceans=[{}]),
        laid(oceans=[{}], seat=1),
        [
            ("seat", "R3.1", "It is 1 and must be 0."),
        ],
    ),
    "a name of 41 characters": Row(
        but(START, names=("x" * 40, "")),
        but(START, names=("", "x" * 41)),
        [
            ("players[1].display_name", "R2.1", "A name has at most 40 characters."),
        ],
    ),
    "a name that turns what follows it around": Row(
        but(START, names=("\u05d0\u05d1 \u0627", "")),
        but(START, names=("a\u202eb\n", "")),
        [
            (
                "players[0].display_name",
                "R2.1",
                "A name has no control or formatting characters; this one has U+000A, U+202E.",
            ),
        ],
    ),
    "a name of blanks": Row(
        but(START, names=(" a", "")),
        but(START, names=("  ", "")),
        [
            ("players[0].display_name", "R2.1", "A name is not of blanks alone; leave it out to give none."),
        ],
    ),
}

FRAME = {
    "week 5": Row(laid(week=4), laid(week=5), [("week", "R3.1", "It is 5 and must be 1 to 4.")]),
    "week 0": Row(laid(week=1), laid(week=0), [("week", "R3.1", "It is 0 and must be 1 to 4.")]),
    "turn 7": Row(laid(turn=6), laid(turn=7), [("turn", "R3.1", "It is 7 and must be 1 to 6.")]),
    "turn 0": Row(laid(turn=1), laid(turn=0), [("turn", "R3.1", "It is 0 and must be 1 to 6.")]),
    "no last step": Row(
        START,
        but(START, agenda=[]),
        [
            ("agenda", "R3.1", "The last step must be turn, end_turn, game_end or game_over."),
        ],
    ),
    "the end before turn 6": Row(
        laid(frame=Frame.GAME_OVER, week=4, turn=6),
        laid(frame=Frame.GAME_OVER, week=4, turn=5),
        [
            ("agenda", "R9.1", "The game ends after turn 6 of week 4."),
        ],
    ),
    "the end before week 4": Row(
        laid(frame=Frame.GAME_OVER, week=4, turn=6),
        laid(frame=Frame.GAME_OVER, week=3, turn=6),
        [
            ("agenda", "R9.1", "The game ends after turn 6 of week 4."),
        ],
    ),
    "over at another seat than the token's": Row(
        laid(frame=Frame.GAME_OVER, week=4, turn=6, seat=1, first_player=1),
        laid(frame=Frame.GAME_OVER, week=4, turn=6, seat=1),
        [("seat", "R9.1", "When the game is over, it is the seat of the first-player token.")],
    ),
    "a version that leaves no room": Row(
        but(START, version=HIGHEST),
        but(START, version=HIGHEST + 1),
        [
            (
                "version",
                "R2.5",
                f"It is {HIGHEST + 1} and must be 0 to {HIGHEST}.",
            )
        ],
    ),
    "a counter beyond the first shuffle": Row(
        but(START, counter=1_000_100),
        but(START, counter=1_000_101),
        [
            ("open.counter", "R2.5", "It is 1000101 and must be 0 to 1000100."),
        ],
    ),
    "a counter beyond 5 moves": Row(
        but(START, version=5, counter=1_000_600),
        but(START, version=5, counter=1_000_601),
        [
            ("open.counter", "R2.5", "It is 1000601 and must be 0 to 1000600."),
        ],
    ),
    "no seed": Row(
        but(START, seed="x"),
        but(START, seed=""),
        [
            ("open.seed", "R2.5", "A seed has 1 to 64 characters, not 0."),
        ],
    ),
    "a long seed": Row(
        but(START, seed="x" * 64),
        but(START, seed="x" * 65),
        [
            ("open.seed", "R2.5", "A seed has 1 to 64 characters, not 65."),
        ],
    ),
}

OF_WEEK_3 = "there are b3_every_3_eggs, b3_large_fish, b3_schools, b3_young."
THIRD_SIDE: Any = "c"
OPTIONS = {
    "a third side": Row(
        laid(side="b"),
        but(START, options=Options(side=THIRD_SIDE)),
        [
            ("options.side", "R2.3", "There is no side 'c'."),
        ],
    ),
    "an unknown expansion": Row(
        START,
        but(START, options=Options(("nothing",))),
        [
            ("options.expansions[0]", "R2.4", "There is no expansion 'nothing'."),
        ],
    ),
    "an expansion twice": Row(
        REEFS,
        but(REEFS, options=Options((SHARKS_AND_REEFS,) * 2)),
        [
            ("options.expansions", "R2.4", "Name each expansion once, in ascending order."),
        ],
    ),
    "tiles named on side A": Row(
        START,
        but(START, options=Options(tiles=("a1", "a2", "a3"))),
        [
            ("options.tiles", "R2.3", "Side A has no tiles to name."),
        ],
    ),
    "two tiles named": Row(
        but(laid(side="b"), options=NAMED),
        but(START, options=Options((), "b", ("a1",) * 2)),
        [
            ("options.tiles", "R2.3", "Name one achievement for each of weeks 1 to 3, not 2."),
        ],
    ),
    "a tile of another week": Row(
        laid(side="b"),
        laid(side="b", tiles=("b1_small_fish", "b2_full_rows", "b1_small_fish")),
        [
            (
                "achievements[2]",
                "R2.3",
                f"'b1_small_fish' is no achievement for week 3 here; {OF_WEEK_3}",
            )
        ],
    ),
    "four tiles": Row(
        laid(side="b"),
        laid(side="b", tiles=("b1_small_fish",) * 4),
        [
            ("achievements", "R2.3", "Name one achievement for each of weeks 1 to 3, not 4."),
        ],
    ),
    "other tiles than named": Row(
        but(laid(side="b"), options=NAMED),
        but(laid(side="b", tiles=("b1_small_fish", "b2_full_rows", "b3_young")), options=NAMED),
        [("achievements", "R2.3", "They are not the tiles that the options name.")],
    ),
}


def gained(week: int, *points: tuple[int, int], **fields: Any) -> GameState:  # noqa: ANN401  see `situation`
    """Return a state in which the week before brought this, by seat."""
    before = [(0, 0) if fields.get("side") != "b" else (0, 3)] * (week - 2)
    return laid(week=week, gained=[[*before, each] for each in points], **fields)


REEF_TILES = ("b1_small_fish", "b2_full_rows", "s3_reef_bonuses")
"""Tiles of Sharks & Reefs and side B; the last gives what full reefs do."""


def reef_points(points: int) -> GameState:
    return gained(4, (points, 3), (0, 0), side="b", reefs=(), tiles=REEF_TILES)


POINTS = "players[0].achievement_points"
WEEKS = {
    "no entry for a week": Row(
        gained(2, (4, 0), (0, 0)),
        but_for(1, gained(2, (4, 0), (0, 0)), gained=[]),
        [
            (
                "players[1].achievement_points",
                "R8.1",
                "It has an entry for each week before week 2, that is 1, not 0.",
            ),
        ],
    ),
    "an entry in week 1": Row(
        START,
        but_for(0, START, gained=[WeekPoints(0, 0)]),
        [
            (POINTS, "R8.1", "It has an entry for each week before week 1, that is 0, not 1."),
        ],
    ),
    "more than eggs and young": Row(
        gained(2, (1800, 0), (0, 0)),
        gained(2, (1801, 0), (0, 0)),
        [
            (f"{POINTS}[0].points", "R8.2", "It is 1801 and must be 0 to 1800."),
        ],
    ),
    "seven full rows": Row(
        gained(3, (12, 0), (0, 0)),
        gained(3, (14, 0), (0, 0)),
        [
            (f"{POINTS}[1].points", "R8.2", "It is 14 and must be 0 to 12."),
        ],
    ),
    "half a row": Row(
        gained(3, (10, 0), (0, 0)),
        gained(3, (11, 0), (0, 0)),
        [
            (f"{POINTS}[1].points", "R8.2", "This achievement gives 2 at a time."),
        ],
    ),
    "19 schools": Row(
        gained(4, (36, 0), (0, 0)),
        gained(4, (38, 0), (0, 0)),
        [
            (f"{POINTS}[2].points", "R8.2", "It is 38 and must be 0 to 36."),
        ],
    ),
    "what no reefs bring": Row(
        reef_points(14),
        reef_points(7),
        [
            (f"{POINTS}[2].points", "R8.3", "There are no full reefs that bring 7 together."),
        ],
    ),
    "more than all reefs bring": Row(
        reef_points(19),
        reef_points(20),
        [
            (f"{POINTS}[2].points", "R8.2", "It is 20 and must be 0 to 19."),
        ],
    ),
    "more for less": Row(
        gained(2, (4, 3), (2, 0), side="b"),
        gained(2, (4, 3), (2, 3), side="b"),
        [
            ("players[1].achievement_points[0].most", "R8.1", "It is 3 and must be 0."),
        ],
    ),
    "no more for as much": Row(
        gained(2, (4, 3), (4, 3), side="b"),
        gained(2, (4, 3), (4, 0), side="b"),
        [
            ("players[1].achievement_points[0].most", "R8.1", "It is 0 and must be 3."),
        ],
    ),
    "more on side A": Row(
        gained(2, (4, 0), (2, 0)),
        gained(2, (4, 3), (2, 0)),
        [
            (f"{POINTS}[0].most", "R8.1", "It is 3 and must be 0."),
        ],
    ),
}
