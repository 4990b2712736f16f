"""The rules and rulings as they are served: complete, plain, and the only ones that the code cites."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.engine.cards import CARDS
from service.engine.rulebook import RULES, RULINGS, Rule, Ruling, rule
from tests import rulings_page

ROOT = Path(__file__).parents[2]
CITED_BY = ("service", "clients/python/src", "proto")
RULE_NUMBER = re.compile(r"\bR\d+(?:\.\d+)?\b")
RULING_NUMBER = re.compile(r"\bRU\d+\b")


def citations(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield each file of the code and the contract with each number that it cites."""
    for folder in CITED_BY:
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix in {".py", ".proto"}:
                for number in pattern.findall(path.read_text(encoding="utf-8")):
                    yield str(path.relative_to(ROOT)), number


def test_every_rule_that_is_cited_exists() -> None:
    """A chapter may be cited as a whole: "R5" for R5.1 and the rest."""
    known = {one.id for one in RULES} | {one.id.split(".")[0] for one in RULES}
    assert [citation for citation in citations(RULE_NUMBER) if citation[1] not in known] == []


def test_every_ruling_that_is_cited_exists() -> None:
    known = {ruling.id for ruling in RULINGS}
    assert [citation for citation in citations(RULING_NUMBER) if citation[1] not in known] == []


def test_the_code_does_cite() -> None:
    """The two tests above would pass if they looked in the wrong place."""
    assert ("service/engine/plays.py", "R5.1") in set(citations(RULE_NUMBER))


def test_the_rules_are_numbered_without_gaps() -> None:
    chapters: dict[str, list[str]] = {}
    for one in RULES:
        chapter, _, number = one.id.partition(".")
        chapters.setdefault(chapter, []).append(number)
    assert list(chapters) == [f"R{number}" for number in range(1, 13)]
    assert chapters.pop("R10") == [""]
    for numbers in chapters.values():
        assert numbers == [str(number + 1) for number in range(len(numbers))]


def test_a_chapter_is_one_section() -> None:
    sections = {one.id.split(".")[0]: one.section for one in RULES}
    assert [one.section for one in RULES] == [sections[one.id.split(".")[0]] for one in RULES]
    assert len(set(sections.values())) == len(sections) == 12


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.id)
def test_a_rule_is_plain_text(one: Rule) -> None:
    assert one.text == " ".join(one.text.split())
    assert one.text[0].isupper() or one.text[0] in '0123456789"'
    assert one.text.endswith((".", ".)"))
    assert not re.search(r"[*`|]|\[ruling\]", one.text)


def test_a_rule_speaks_only_of_rules_that_exist() -> None:
    known = {one.id for one in RULES} | {one.id.split(".")[0] for one in RULES}
    assert {number for one in RULES for number in RULE_NUMBER.findall(one.text)} <= known


def test_the_rulings_are_numbered_without_gaps() -> None:
    assert [ruling.id for ruling in RULINGS] == [f"RU{number:02}" for number in range(1, len(RULINGS) + 1)]


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_a_ruling_is_about_rules_or_cards_that_exist(ruling: Ruling) -> None:
    if ruling.rule.startswith("card"):
        assert {int(number) for number in re.findall(r"\d+", ruling.rule)} <= set(CARDS)
    else:
        assert rule(ruling.rule).id == ruling.rule


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_a_ruling_says_what_is_played_and_how_sure_it_is(ruling: Ruling) -> None:
    assert ruling.ruling.endswith(".")
    assert ruling.other_reading.endswith(".") or not ruling.other_reading
    assert ruling.confidence.startswith(("certain", "likely", "guess", "literal text"))


def test_a_rule_is_found_by_its_number() -> None:
    assert rule("R5.3").section == "Playing a fish"
    with pytest.raises(KeyError):
        rule("R5.99")


def test_the_page_of_rulings_is_fresh() -> None:
    """If it is not: python -m tests.rulings_page."""
    assert rulings_page.PAGE.read_text(encoding="utf-8") == rulings_page.page()
