"""The hidden order drawn afresh, by someone who does not know the true one: for search.

docs/determinism.md says how a sample's seed and deck follow from what was asked for.
"""

from hashlib import sha256

from service.engine.cards import cards_of
from service.engine.rng import Generator
from service.engine.state import GameState, Player


def cards_of_player(player: Player) -> list[int]:
    """Return every card that a player's hand, discard pile and ocean hold, forage fish included."""
    under = [card for cards in player.under.values() for card in cards]
    return [*player.hand, *player.discard, *(fish for fish in player.fish if fish), *under]


def cards_in_game(state: GameState) -> list[int]:
    """Return the cards of the sets in play that have not left the game (R2.1), ascending."""
    sets = state.options.sets
    undealt = frozenset(state.undealt)
    return sorted(
        card for deck in ("main", "starter") for card in cards_of(sets, deck) if card not in undealt
    )


def unseen_cards(state: GameState) -> list[int]:
    """Return the cards that lie nowhere visible, which the deck must consist of, ascending."""
    seen = {card for player in state.players for card in cards_of_player(player)}
    return [card for card in cards_in_game(state) if card not in seen]


def sample(state: GameState, seed: str, index: int) -> GameState:
    """Return a copy of a state with its hidden order drawn from ``seed`` and ``index`` alone.

    The copy's own generator starts from a seed made of both. The true order and the true generator are not
    looked at.
    """
    copy = state.copy()
    copy.seed = sha256(f"{seed}/{index}".encode()).hexdigest()
    generator = Generator(copy.seed)
    copy.deck = generator.shuffled(unseen_cards(state))
    copy.counter = generator.counter
    return copy
