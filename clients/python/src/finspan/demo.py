"""A whole game of bots, told in the terminal."""

from collections.abc import Mapping, Sequence
from itertools import cycle, islice

from rich.console import Console

from finspan.bots import Bot, RandomBot
from finspan.calls import Expansion, Side
from finspan.greedy import GreedyBot
from finspan.narrator import Every, Narrator
from finspan.playing import play
from finspan.records import Setup
from finspan.services import Service


def demo_bots(players: int, seed: str) -> Mapping[str, Bot]:
    """Return the bots of a demo by name, in the order of their seats: greedy and random ones in turn."""
    kinds = islice(cycle(("Greedy", "Random")), players)
    return {
        f"{kind} {number}": GreedyBot() if kind == "Greedy" else RandomBot(f"{seed} {number}")
        for number, kind in enumerate(kinds, start=1)
    }


def play_demo(  # noqa: PLR0913  a game has as many options as it has
    service: Service,
    players: int,
    console: Console,
    *,
    seed: str,
    side: Side,
    expansions: Sequence[Expansion] = (),
    every: Every,
    quiet: bool,
) -> None:
    """Let bots play a game, and tell it as it happens."""
    bots = demo_bots(players, seed)
    setup = Setup(seed, tuple(bots), side, expansions=tuple(expansions))
    moves = play(setup.begin(service), list(bots.values()))
    Narrator(console, every=every, quiet=quiet).tell(setup, moves)
