"""The seed of a sample follows from what was asked for alone, as documented."""

from hashlib import sha256

import pytest

from service.engine.rules import new_game
from service.engine.samples import sample


@pytest.mark.parametrize("true_seed", ["one", "other"])
def test_a_sample_is_drawn_from_its_own_seed(true_seed: str) -> None:
    copy = sample(new_game(2, seed=true_seed).state, "mine", 7)
    assert copy.seed == sha256(b"mine/7").hexdigest()
