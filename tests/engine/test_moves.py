"""What can be said, by name, and what `playout` does with it."""

import pytest

from service.engine.digest import full_digest
from service.engine.moves import UNIVERSE, parse_move
from service.engine.rules import new_game, playout


def test_every_move_is_found_by_its_name() -> None:
    assert all(parse_move(move.id) is move for move in UNIVERSE)


@pytest.mark.parametrize("name", ["", "jump", " pass", "pass ", "PASS", "play:1", "play:301@B1", "egg:B7"])
def test_what_no_move_is_called_is_quoted(name: str) -> None:
    with pytest.raises(ValueError, match="no move has the name") as told:
        parse_move(name)
    assert repr(name) in str(told.value)


def test_a_playout_takes_no_move_that_was_not_offered() -> None:
    state = new_game(2, seed="s").state
    before = full_digest(state)
    with pytest.raises(ValueError, match="egg:B1 is not among the moves offered"):
        playout(state, lambda _state, _moves: parse_move("egg:B1"))
    assert full_digest(state) == before
