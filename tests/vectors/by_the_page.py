"""docs/determinism.md as a program: generator, setup, new decks and samples, without anything of the service.

States are JSON, as the vectors write them, and what the cards are is read from a catalogue. `tests.layout` is
the page's part about digests.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

STARTERS_EACH: Final = 2
CARDS_EACH: Final = 3
START_TOKENS: Final[Json] = {"SLOT_B5": {"egg": True}, "SLOT_G2": {"egg": True}, "SLOT_P3": {"young": 1}}
SLOTS: Final = [f"SLOT_{site}{row}" for site in "BPG" for row in range(1, 7)]


class Draws:
    """The generator: a seed and a counter."""

    def __init__(self, seed: str, counter: int = 0) -> None:
        self.seed, self.counter = seed, counter

    def block(self) -> bytes:
        block = sha256(self.seed.encode("utf-8") + self.counter.to_bytes(8, "big")).digest()
        self.counter += 1
        return block

    def numbers(self) -> Iterator[int]:
        while True:
            block = self.block()
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))

    def below(self, bound: int) -> int:
        return fitting(self.numbers(), bound)

    def shuffled(self, items: Iterable[int]) -> list[int]:
        order, numbers = list(items), self.numbers()
        for place in range(len(order) - 1, 0, -1):
            other = fitting(numbers, place + 1)
            order[place], order[other] = order[other], order[place]
        return order


def fitting(numbers: Iterator[int], bound: int) -> int:
    multiple = 2**32 // bound * bound
    return next(number for number in numbers if number < multiple) % bound


def is_in_play(entry: Json, options: Json) -> bool:
    """Return whether a card or a tile of the catalogue is of a set in play."""
    return "expansion" not in entry or entry["expansion"] in options.get("expansions", [])


def cards(catalogue: Json, options: Json, *, starters: bool) -> list[int]:
    found = (card for card in catalogue["cards"] if card.get("starter", False) == starters)
    return sorted(card["id"] for card in found if is_in_play(card, options))


def tiles(catalogue: Json, options: Json, week: int) -> list[str]:
    found = (
        tile for tile in catalogue["achievements"] if (tile["side"], tile["week"]) == (side(options), week)
    )
    return sorted(tile["id"] for tile in found if is_in_play(tile, options))


def side(options: Json) -> str:
    return str(options.get("side", "BOARD_SIDE_A"))


def achievements(catalogue: Json, options: Json, draws: Draws) -> list[str]:
    if options.get("tiles"):
        return list(options["tiles"])
    laid_out = [tiles(catalogue, options, week) for week in (1, 2, 3)]
    if side(options) == "BOARD_SIDE_A":
        return [one for (one,) in laid_out]
    return [ids[draws.below(len(ids))] for ids in laid_out]


def start_ocean(catalogue: Json) -> list[Json]:
    fish = {one["slot"]: {"fish": one["id"]} for one in catalogue["forageFish"]}
    held = {slot: fish.get(slot, {}) | START_TOKENS.get(slot, {}) for slot in SLOTS}
    return [{"slot": slot, **things} for slot, things in held.items() if things]


def hands(players: int, starters: list[int], deck: list[int]) -> list[list[int]]:
    """Deal, which takes the cards from both piles."""
    dealt = [[starters.pop() for _ in range(STARTERS_EACH)] for _ in range(players)]
    for hand in dealt:
        hand += [deck.pop() for _ in range(CARDS_EACH)]
    return [sorted(hand) for hand in dealt]


def set_up(catalogue: Json, request: Json) -> Json:
    """Return the open state that a NewGame request brings about, without what is left out of digests."""
    players, options, draws = request["players"], request.get("options", {}), Draws(request["seed"])
    starters = draws.shuffled(cards(catalogue, options, starters=True))
    deck = draws.shuffled(cards(catalogue, options, starters=False))
    first = draws.below(players)
    laid_out = achievements(catalogue, options, draws)
    reefs = {"reefs": [0, 0, 0]} if "EXPANSION_SHARKS_AND_REEFS" in options.get("expansions", []) else {}
    dealt = hands(players, starters, deck)
    return {
        "options": {"side": side(options), **options},
        "players": [{"ocean": start_ocean(catalogue), "hand": hand, **reefs} for hand in dealt],
        "week": 1,
        "turn": 1,
        "seat": first,
        "firstPlayer": first,
        "achievements": laid_out,
        "undealtStarters": sorted(starters),
        "deckSize": len(deck),
        "agenda": [{"turn": {}}],
        "open": open_part(deck, draws),
    }


def open_part(pile: list[int], draws: Draws) -> Json:
    """Return the hidden part of a state; a message has the top card of the deck first."""
    return {"deck": {"cards": pile[::-1]}, "seed": draws.seed, "counter": draws.counter}


def new_deck(state: Json) -> Json:
    """Return the hidden part of a state whose deck is empty, when its discard piles are shuffled into one."""
    draws = Draws(state["open"]["seed"], state["open"].get("counter", 0))
    discarded = (card for player in state["players"] for card in player.get("discardPile", []))
    return open_part(draws.shuffled(sorted(discarded)), draws)


def sample(catalogue: Json, state: Json, seed: str, index: int) -> Json:
    """Return the hidden part of a sample of a state."""
    draws = Draws(sha256(f"{seed}/{index}".encode()).hexdigest())
    return open_part(draws.shuffled(unseen(catalogue, state)), draws)


def unseen(catalogue: Json, state: Json) -> list[int]:
    """Return the cards that lie nowhere."""
    seen = set(state.get("undealtStarters", []))
    for player in state["players"]:
        seen.update(player.get("hand", []), player.get("discardPile", []))
        for slot in player.get("ocean", []):
            seen.update([slot.get("fish", 0)], slot.get("consumed", []))
    options = state["options"]
    there = cards(catalogue, options, starters=True) + cards(catalogue, options, starters=False)
    return sorted(set(there) - seen)
