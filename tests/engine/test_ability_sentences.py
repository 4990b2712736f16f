"""The checked file of abilities says what the data file says, card by card."""

from pathlib import Path
from typing import Any

import pytest

from tests import facts
from tests.engine.ability_sentences import sentence

CHECKED = Path(__file__).with_name("ability_texts.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("line", "card"),
    [*zip(CHECKED, facts.CARDS.values(), strict=True)],
    ids=[f"{id_} {card['name']}" for id_, card in facts.CARDS.items()],
)
def test_a_line_says_what_the_notation_says(line: str, card: dict[str, Any]) -> None:
    assert line == f"{card['id']} | {card['name']} | {sentence(card)}"
