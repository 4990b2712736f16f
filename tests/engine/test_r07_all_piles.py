"""A renewed deck is made of all players' discard piles, whoever draws and however many there are (R7.1)."""

from collections.abc import Iterable

import pytest

from service.engine.events import CardDrawn, DeckRenewed
from service.engine.state import MAX_PLAYERS, GameState
from tests.marks import rule
from tests.table import START_OCEAN, deciding, legal, play, situation

HELD = [(players, seat) for players in range(1, MAX_PLAYERS + 1) for seat in range(players)]
PILE = (12, 94)


def without_deck(players: int, piles: dict[int, Iterable[int]]) -> GameState:
    """Return the first player's turn; the deck is empty, and what is not in these piles is in hands."""
    return situation(
        oceans=[START_OCEAN] * players,
        discards=[piles.get(seat, ()) for seat in range(players)],
        deck=(),
        spare="hand",
    )


@rule("R7.1")
@pytest.mark.parametrize(("players", "seat"), HELD)
def test_the_only_pile_is_drawn_from_whoever_has_it(players: int, seat: int) -> None:
    asked = play(without_deck(players, {seat: PILE}), "dive:blue")
    assert deciding(asked.state) == (0, "blue midnight")
    assert "draw" in legal(asked.state)
    drawn = play(asked.state, "draw")
    assert [event.cards for event in drawn.all_of(DeckRenewed)] == [2]
    (card,) = (event.card for event in drawn.all_of(CardDrawn))
    assert {card, *drawn.state.deck} == {*PILE}
    assert [player.discard for player in drawn.state.players] == [[]] * players


@rule("R7.1")
@pytest.mark.parametrize("players", range(1, MAX_PLAYERS + 1))
def test_all_piles_are_shuffled_together(players: int) -> None:
    cards = [12, 94, 7, 46, 88][:players]
    drawn = play(
        without_deck(players, {seat: [card] for seat, card in enumerate(cards)}), "dive:blue", "draw"
    )
    assert [event.cards for event in drawn.all_of(DeckRenewed)] == [players]
    (card,) = (event.card for event in drawn.all_of(CardDrawn))
    assert sorted([card, *drawn.state.deck]) == sorted(cards)
    assert [player.discard for player in drawn.state.players] == [[]] * players


@rule("R7.1")
@pytest.mark.parametrize("players", range(1, MAX_PLAYERS + 1))
def test_without_any_card_nothing_is_drawn(players: int) -> None:
    done = play(without_deck(players, {}), "dive:blue")
    assert legal(done.state, "draw") == []
    assert not done.all_of(CardDrawn)
    assert not done.all_of(DeckRenewed)
