"""The rules and the rulings as texts, for the catalogue and for whoever meets a number such as "R5.3"."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from service.engine.cards import load


class Rule(NamedTuple):
    """A rule: its number, the section that it stands in, and what it says."""

    id: str
    section: str
    text: str


class Ruling(NamedTuple):
    """How a point that the printed rules leave open is decided."""

    id: str
    rule: str
    """What it is about: a rule, or cards."""
    ruling: str
    confidence: str
    other_reading: str
    """The reading that is not played, empty if there is none."""


RULES: Final = tuple(Rule(**entry) for entry in load("rules.json"))
"""Every rule, in the order of the rulebook."""

RULINGS: Final = tuple(Ruling(**entry) for entry in load("rulings.json"))
"""Every ruling, by id."""

_BY_ID: Final[Mapping[str, Rule]] = {rule.id: rule for rule in RULES}


def rule(id_: str) -> Rule:
    """Return the rule of a number such as "R5.3".

    Raises:
        KeyError: there is no such rule.

    """
    return _BY_ID[id_]
