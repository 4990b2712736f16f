"""What a test says about itself: the rules that it asserts, and what it waits for."""

from typing import Final

import pytest

rule: Final = pytest.mark.rule
"""Names rules ("R5.3") and rulings ("RU05") that a test asserts; `tests.coverage` reads it."""


def waits_for(part: str) -> pytest.MarkDecorator:
    """Leave a test out until a part of the game is there; its docstring says what it will assert."""
    return pytest.mark.skip(reason=f"waits for {part}")
