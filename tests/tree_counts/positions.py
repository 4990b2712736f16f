"""The positions that are counted from, and the counting.

A count is the number of sequences of exactly so many moves. Positions of games are kept as a record (setup
and moves), those laid out by hand stand here.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.engine.digest import full_digest
from service.engine.rules import apply, legal_moves
from service.engine.state import SHARKS_AND_REEFS, Frame, GameState, Options
from tests.choosers import chooser, following
from tests.games import Setup, moments, replay
from tests.table import START_OCEAN, situation

PATH: Final = Path(__file__).parent / "counts.json"
MANY: Final = 100_000
"""The first depth with at least so many sequences is the last that is counted."""

REEFS: Final = (SHARKS_AND_REEFS,)
SIDE_B: Final = Options(side="b")


class Line(NamedTuple):
    """A position of a game: its setup, who plays, and how many moves."""

    setup: Setup
    tastes: tuple[str, ...] = ("even",)
    length: int = 0

    def moves(self, recorded: Sequence[str]) -> tuple[str, ...]:
        """Return the moves that lead there, those recorded as long as they are legal."""
        players = following(recorded, chooser(self.tastes, self.setup.seed))
        *_, last = islice(moments(self.setup, players), self.length + 1)
        return tuple(move.id for move in last.moves)


LINES: Final[dict[str, Line]] = {
    "start, one player": Line(Setup(1, seed="count 1")),
    "start, two players": Line(Setup(2, seed="count 2")),
    "start, five players, side B": Line(Setup(5, SIDE_B, "count 5")),
    "week 2, two players who play on": Line(Setup(2, seed="count eager"), ("eager",), 60),
    "week 3, schools": Line(Setup(2, SIDE_B, "count breeder"), ("breeder",), 110),
    "week 3, four players who share": Line(Setup(4, seed="count sharer"), ("sharer",), 200),
    "week 3, five players, few cards left": Line(Setup(5, SIDE_B, "count hoarder"), ("hoarder",), 250),
    "week 4, fish under fish": Line(Setup(3, seed="count coverer"), ("coverer",), 200),
    "week 4, plays after plays": Line(Setup(2, SIDE_B, "count chainer"), ("chainer",), 110),
    "start, two players, reefs": Line(Setup(2, Options(REEFS), "count reefs 2")),
    "start, four players, side B, reefs": Line(Setup(4, Options(REEFS, "b"), "count reefs 4")),
    "week 3, reefs": Line(Setup(2, Options(REEFS), "count gardener"), ("gardener",), 120),
    "week 4, three players, side B, reefs": Line(
        Setup(3, Options(REEFS, "b"), "count gardeners"), ("gardener", "breeder"), 260
    ),
}

SITUATIONS: Final[dict[str, GameState]] = {
    "R4.2, R4.4: moves among young and schools": situation(
        oceans=[{"P3": "2y", "B3": "2y", "G3": "s 3y", "G5": "s", "B1": "y", "G2": "301 e"}, START_OCEAN]
    ),
    "R5.1: prices of each kind": situation(
        oceans=[{"B5": "303 e", "G2": "301 e", "P4": "302 e", "P3": "2y", "B1": "2y", "G1": "s", "P6": "s"}],
        hands=[(2, 7, 16, 44, 47, 57, 119)],
    ),
    "R5.7: plays that follow from plays": situation(hands=[(2, 44, 95, 131, 22, 29, 134)]),
    "R7.2: little to recover and nothing to draw": situation(
        oceans=[{"B5": "303", "P5": "132"}, START_OCEAN],
        hands=[(7, 34, 65, 131)],
        discards=[(3, 16)],
        deck=(2, 41),
        spare="hand",
        week=4,
        turn=6,
        first_player=1,
    ),
    "R7.4: fish that consume": situation(
        oceans=[{"B1": "34", "B2": "120", "B5": "100 <303"}, START_OCEAN], hands=[(3, 16, 117, 131)]
    ),
    "R7.8: three players take part": situation(
        oceans=[{"G1": "134", "G2": "301 e", "P3": "2y"}, START_OCEAN, START_OCEAN], hands=[(57,)]
    ),
    "R9.1: the end of the game": situation(
        oceans=[
            {"P1": "54", "B1": "11", "G6": "44", "B4": "117", "P3": "2y", "G2": "301 e", "B5": "303 e"},
            {"B3": "41", "P5": "19"},
        ],
        hands=[(3, 131, 16, 2), ()],
        week=4,
        turn=6,
        frame=Frame.GAME_END,
    ),
    "R7.5: schools broken up, and young that follow": situation(
        oceans=[{"P1": "61 s 3y", "G2": "301 s", "B5": "303"}, START_OCEAN],
        hands=[(137, 176, 207)],
        reefs=(),
    ),
    "R11.2: coral for an egg, a young or a card": situation(
        oceans=[{"B5": "303 e", "G2": "301 e", "P3": "2y", "B1": "y"}, START_OCEAN],
        hands=[(131, 16)],
        reefs=[(5, 0, 6)],
    ),
    "R11.3: second parts of abilities": situation(
        oceans=[{"P1": "144", "P4": "214 <302", "P5": "180", "B5": "303 e", "P3": "y"}, START_OCEAN],
        hands=[(131, 205)],
        reefs=[(0, 2, 5)],
    ),
    "R11.4, R11.5: fish that need coral": situation(
        oceans=[{"G2": "301 e", "B5": "303 e", "P4": "302 e", "P3": "2y"}, START_OCEAN],
        hands=[(142, 159, 171, 182, 204, 206, 208)],
        reefs=[(2, 3, 2)],
    ),
    "R11.5: the end of the game, with reefs": situation(
        oceans=[
            {"P1": "141", "B1": "174", "G1": "181", "B6": "209", "P3": "2y", "B5": "303 e"},
            {"B1": "146", "P4": "302 s"},
        ],
        hands=[(131, 16, 205), ()],
        reefs=[(5, 0, 4), (1, 0, 0)],
        week=4,
        turn=6,
        frame=Frame.GAME_END,
    ),
}


class Counted(NamedTuple):
    """An entry of the file: a position, the record that leads to it if it is of a game, and its counts."""

    name: str
    record: dict[str, Any] | None
    digest: str
    counts: list[int]

    def position(self) -> GameState:
        """Return the position counted from."""
        if self.record is None:
            return SITUATIONS[self.name]
        return replay(_setup(self.record), self.record["moves"])


def _setup(record: dict[str, Any]) -> Setup:
    options = Options(tuple(record.get("expansions", ())), record["side"])
    return Setup(record["players"], options, record["seed"])


def _record(line: Line, old: dict[str, Any] | None) -> dict[str, Any]:
    players, options, seed = line.setup
    moves = line.moves(old["moves"] if old else ())
    expansions = {"expansions": options.expansions} if options.expansions else {}
    return {"players": players, "side": options.side, **expansions, "seed": seed, "moves": list(moves)}


def read() -> dict[str, Counted]:
    """Return the entries of the file by name."""
    entries = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else []
    return {entry["name"]: Counted(**entry) for entry in entries}


def ways(state: GameState, depth: int) -> int:
    """Return how many sequences of exactly so many moves there are."""
    moves = legal_moves(state)
    return len(moves) if depth == 1 else sum(ways(apply(state, move).state, depth - 1) for move in moves)


def counts(state: GameState) -> Iterator[int]:
    """Yield the counts of depth 1, 2 and so on, until there are many, or none because the game is over."""
    depth, count = 0, 1
    while 0 < count < MANY:
        depth += 1
        count = ways(state, depth)
        yield count


def count_again() -> Iterator[Counted]:
    """Yield every position with its counts of today."""
    old = read()
    for name, line in LINES.items():
        record = _record(line, old[name].record if name in old else None)
        state = replay(line.setup, record["moves"])
        yield Counted(name, record, full_digest(state), list(counts(state)))
    for name, state in SITUATIONS.items():
        yield Counted(name, None, full_digest(state), list(counts(state)))
