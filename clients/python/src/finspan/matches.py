"""Matches: many games of the same bots, with the seats changing, and what comes of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev

from finspan.bots import Bot
from finspan.calls import Expansion, Side
from finspan.game import Game
from finspan.playing import Played, play
from finspan.records import REEF_SCORES, Record, Score, Setup
from finspan.services import Service


def schedule(
    names: Sequence[str], games: int, *, seed: str, side: Side = "a", expansions: Sequence[Expansion] = ()
) -> Iterator[Setup]:
    """Return the setups of a match.

    Each seed is played as often as there are players, each time with everybody one seat further on, so that
    all have had the same cards from the same seat. `whole` says how many games that takes.

    Raises:
        ValueError: there are no names.

    """
    if not names:
        raise ValueError("A match needs somebody who plays: names is empty.")
    seatings = (divmod(number, len(names)) for number in range(games))
    return (
        Setup(f"{seed}-{deal + 1}", (*names[turn:], *names[:turn]), side, expansions=tuple(expansions))
        for deal, turn in seatings
    )


def whole(games: int, players: int) -> int:
    """Return how many games it takes, these at least, that everybody plays each seed in every seat."""
    return games + -games % players


def play_match(
    service: Service,
    bots: Mapping[str, Bot],
    setups: Iterable[Setup],
    on_move: Callable[[Played[Game]], object] = lambda _: None,
) -> Iterator[Record]:
    """Play games one after the other, and yield the record of each as soon as it is over.

    Args:
        service: What the games are played through.
        bots: The bots by the names that the setups give them.
        setups: The games, such as those of `schedule`.
        on_move: Called after each move.

    """
    for setup in setups:
        game = setup.begin(service)
        for played in play(game, [bots[name] for name in setup.names]):
            on_move(played)
            game = played.after
        yield Record.of(setup, game)


@dataclass(slots=True)
class Standing:
    """How one bot has done in the games of a match."""

    wins: int = 0
    shared_wins: int = 0
    scores: list[Score] = field(default_factory=list)
    """Its score sheet of each game."""

    def mean(self, category: str) -> float:
        """Return the mean points of a category, or of the ``total``; without reefs those for reefs are 0."""
        return fmean(
            score.get(category, 0) if category in REEF_SCORES else score[category] for score in self.scores
        )

    @property
    def standard_error(self) -> float:
        """The standard error of the mean total; 0 after a single game."""
        totals = [score["total"] for score in self.scores]
        return stdev(totals) / sqrt(len(totals)) if len(totals) > 1 else 0.0


def standings(records: Iterable[Record]) -> dict[str, Standing]:
    """Return how each player has done, by name, in the order of the first game's seats."""
    table: dict[str, Standing] = {}
    for record in records:
        for name, score in zip(record.setup.names, record.scores, strict=True):
            table.setdefault(name, Standing()).scores.append(score)
        winners = record.winners
        for name in winners:
            table[name].wins += len(winners) == 1
            table[name].shared_wins += len(winners) > 1
    return table
