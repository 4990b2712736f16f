"""Every game that is kept by its digest is played to the bit as it was."""

import pytest

from tests.digests.games import differences, golden_games, kept, today


@pytest.mark.timeout(300)
def test_all_games_are_the_same_to_the_bit() -> None:
    assert differences(kept(), today()) == []


def test_golden_games_are_kept_too() -> None:
    assert {name for name, _ in golden_games()} <= kept().keys()
