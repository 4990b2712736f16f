"""Writes the vectors: ``python -m tests.vectors.regenerate``.

They change only with a new rules version or a new layout; a difference otherwise is a fault.
"""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Any, Final, TypeAlias

from google.protobuf.json_format import MessageToDict

from service.engine.cards import REEF_STOP
from service.engine.digest import full_digest, public_bytes, public_digest
from service.engine.events import BonusSource, FishSource
from service.engine.rng import Generator
from service.engine.state import AllPlayers, AlsoIf, Benefits, Frame, GameState, Pay, Scattering
from tests.games import Setup
from tests.golden.games import GAMES, play, read
from tests.wire import state_message

DIRECTORY: Final = Path(__file__).parent
SEEDS: Final = ("a", "a game", "Nördlicher Hai 🦈", "0123456789abcdef" * 4)
COUNTERS: Final = (0, 1, 255, 256, 1_000_000)
BOUNDS: Final = (1, 2, 3, 5, 6, 1000, 2**31 + 1, 2**32)
"""From 2**31 + 1 almost half of all numbers is passed over."""
LENGTHS: Final = (0, 1, 2, 9, 10, 125)


def blocks() -> Iterator[dict[str, Any]]:
    for seed in SEEDS:
        for counter in COUNTERS:
            block = sha256(seed.encode() + counter.to_bytes(8, "big")).hexdigest()
            yield {"seed": seed, "counter": counter, "block": block}


def numbers_below() -> Iterator[dict[str, Any]]:
    for seed in SEEDS:
        for counter, bound in enumerate(BOUNDS):
            generator = Generator(seed, counter)
            drawn = {"number": generator.below(bound), "counter_after": generator.counter}
            yield {"seed": seed, "counter": counter, "bound": bound} | drawn


def shuffles() -> Iterator[dict[str, Any]]:
    for seed in SEEDS:
        for counter, length in enumerate(LENGTHS):
            generator = Generator(seed, counter)
            drawn = {
                "shuffled": generator.shuffled(range(1, length + 1)),
                "counter_after": generator.counter,
            }
            yield {"seed": seed, "counter": counter, "items": list(range(1, length + 1))} | drawn


def _has_source(kind: type) -> Callable[[GameState], bool]:
    return lambda state: isinstance(state.agenda[-1], Benefits) and isinstance(state.agenda[-1].source, kind)


def _has_step(kind: type) -> Callable[[GameState], bool]:
    return lambda state: any(isinstance(step, kind) for step in state.agenda)


def _is_at_reef(state: GameState) -> bool:
    step = state.agenda[-1]
    return (
        isinstance(step, Benefits) and isinstance(step.source, BonusSource) and step.source.stop == REEF_STOP
    )


def _is_second_part(state: GameState) -> bool:
    step = state.agenda[-1]
    return isinstance(step, Benefits) and isinstance(step.source, FishSource) and step.source.is_also


Kinds: TypeAlias = dict[str, Callable[[GameState], bool]]

KINDS: Final[Kinds] = {
    "a turn": lambda state: state.agenda == [Frame.TURN] and state.week > 1,
    "a price": _has_step(Pay),
    "a bonus": _has_source(BonusSource),
    "the benefits of a fish": _has_source(FishSource),
    "benefits for all players": _has_step(AllPlayers),
    "the end of the game": lambda state: state.agenda == [Frame.GAME_END],
    "a game that is over": lambda state: state.is_over,
}
REEF_KINDS: Final[Kinds] = {
    "a purchase at a reef": _is_at_reef,
    "a school that is being scattered": _has_step(Scattering),
    "a second part that waits": _has_step(AlsoIf),
    "a second part of an ability": _is_second_part,
    "reefs when the game is over": lambda state: state.is_over,
}
"""What the states are chosen for, without and with Sharks & Reefs."""


def _chosen(kinds: Kinds, *, has_reefs: bool) -> Iterator[tuple[str, GameState]]:
    games = [game for game in GAMES if game.setup.options.has_reefs == has_reefs]
    for (kind, is_one), game in zip(kinds.items(), cycle(games), strict=False):
        played = play(game, read(game.path.read_text(encoding="utf-8")).moves)
        yield (
            f"{kind}, in the golden game {game.name}",
            next(moment.state for moment in played if is_one(moment.state)),
        )


def states() -> Iterator[tuple[str, GameState]]:
    """Yield the first state of each kind, each from another golden game, and a start with an odd seed."""
    yield "the start", Setup(2, seed=SEEDS[2]).begin().state
    yield from _chosen(KINDS, has_reefs=False)
    yield from _chosen(REEF_KINDS, has_reefs=True)


def digests() -> Iterator[dict[str, Any]]:
    for name, state in states():
        yield {
            "name": name,
            "state": MessageToDict(state_message(state)),
            "public_bytes": public_bytes(state).hex(),
            "public_digest": public_digest(state),
            "full_digest": full_digest(state),
        }


def _lines(entries: Iterator[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]"


def main() -> None:
    """Write both files, an entry per line."""
    parts = {"blocks": blocks(), "below": numbers_below(), "shuffles": shuffles()}
    generator = ",\n".join(f'"{name}": {_lines(entries)}' for name, entries in parts.items())
    (DIRECTORY / "generator.json").write_text(f"{{\n{generator}\n}}\n", encoding="utf-8")
    (DIRECTORY / "digests.json").write_text(_lines(digests()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
