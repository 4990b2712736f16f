"""The facts as the data files print them, for checks that must not trust what the engine makes of them."""

import json
from pathlib import Path
from typing import Any, Final

_DATA: Final = Path(__file__).parents[1] / "service" / "engine" / "data"


def read(name: str) -> Any:  # noqa: ANN401  what JSON holds has no one type
    """Return what a data file holds."""
    return json.loads((_DATA / name).read_text(encoding="utf-8"))


_BOARD: Final = read("board.json")

CARDS: Final[dict[int, dict[str, Any]]] = {card["id"]: card for card in read("cards.json")}
FORAGE: Final[dict[int, dict[str, Any]]] = {fish["id"]: fish for fish in _BOARD["forage_fish"]}
TILES: Final[dict[str, dict[str, Any]]] = {tile["id"]: tile for tile in read("achievements.json")}

SITES: Final = ("blue", "purple", "green")
SLOTS: Final = tuple(f"{site}{row}" for site in "BPG" for row in range(1, 7))


def cards_of(sets: tuple[str, ...], deck: str) -> list[int]:
    """Return the cards of a deck that belong to these sets, ascending."""
    return sorted(id_ for id_, card in CARDS.items() if card["set"] in sets and card["deck"] == deck)
