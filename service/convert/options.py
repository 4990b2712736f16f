"""What a game is played with, both ways."""

from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.reading import Faults, Fields, is_short, note
from service.engine.state import BoardSide, Options

EXPANSIONS: Final = {pb.EXPANSION_SHARKS_AND_REEFS: "sharks_and_reefs"}
SIDES: Final[dict[int, BoardSide]] = {
    pb.BOARD_SIDE_UNSPECIFIED: "a",
    pb.BOARD_SIDE_A: "a",
    pb.BOARD_SIDE_B: "b",
}
SIDE_NUMBERS: Final = {side: number for number, side in SIDES.items()}
EXPANSION_NUMBERS: Final = {name: number for number, name in EXPANSIONS.items()}
MAX_TILES: Final = 3


def _read_expansions(message: pb.GameOptions, faults: Faults) -> tuple[str, ...]:
    if not is_short(message.expansions, len(EXPANSIONS), "options", "expansions", faults):
        return ()
    for index, number in enumerate(message.expansions):
        if number not in EXPANSIONS:
            note(faults, f"options.expansions[{index}]", f"There is no expansion {number}.")
    return tuple(EXPANSIONS[number] for number in message.expansions if number in EXPANSIONS)


def read_options(message: pb.GameOptions, faults: Faults) -> Options:
    """Return the options of a message; its side may be left out and is then A."""
    if message.side not in SIDES:
        note(faults, "options.side", f"There is no side {message.side}.")
    return Options(
        expansions=_read_expansions(message, faults),
        side=SIDES.get(message.side, "a"),
        tiles=tuple(message.tiles) if is_short(message.tiles, MAX_TILES, "options", "tiles", faults) else (),
    )


def options_fields(options: Options) -> Fields:
    """Return the fields of a message of options."""
    return {
        "expansions": [EXPANSION_NUMBERS[name] for name in options.expansions],
        "side": SIDE_NUMBERS[options.side],
        "tiles": options.tiles,
    }
