"""The deck, the hands and the discard piles (R7.1, R7.2)."""

from bisect import insort

from service.engine.events import CardDrawn, CardPaid, CardRecovered, DeckRenewed
from service.engine.rng import Generator
from service.engine.state import GameState, Table


def can_draw(state: GameState) -> bool:
    """Return whether there is a card to draw, in the deck or to be shuffled into a new one (R7.1)."""
    return bool(state.deck) or any(player.discard for player in state.players)


def renew_deck(table: Table) -> None:
    """Shuffle all discard piles together into a new deck (R7.1, RU14)."""
    state = table.state
    cards = sorted(card for player in state.players for card in player.discard)
    for player in state.players:
        player.discard.clear()
    generator = Generator(state.seed, state.counter)
    state.deck = generator.shuffled(cards)
    state.counter = generator.counter
    table.events.append(DeckRenewed(None, table.source, len(cards)))


def draw(table: Table, seat: int) -> None:
    """Take the top card of the deck, of a new one if it is empty (R7.1)."""
    if not table.state.deck:
        renew_deck(table)
    card = table.state.deck.pop()
    insort(table.state.players[seat].hand, card)
    table.events.append(CardDrawn(seat, table.source, card))


def recover(table: Table, seat: int, card: int) -> None:
    """Take a card of the own discard pile to hand (R7.2)."""
    player = table.state.players[seat]
    player.discard.remove(card)
    insort(player.hand, card)
    table.events.append(CardRecovered(seat, table.source, card))


def pay_card(table: Table, seat: int, card: int) -> None:
    """Pay a hand card: it goes onto the own discard pile (R5.1)."""
    player = table.state.players[seat]
    player.hand.remove(card)
    insort(player.discard, card)
    table.events.append(CardPaid(seat, table.source, card))
