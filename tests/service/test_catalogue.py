"""GetCatalog: all that a client would otherwise hard-code, as the engine has it."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.convert import catalogue
from service.engine.abilities import SIZES
from service.engine.cards import ACHIEVEMENTS, CARDS, FORAGE, TAGS, TRIGGERS
from service.engine.moves import MoveKind
from service.engine.ocean import SITES, SLOT_NAMES, ZONES
from service.engine.rules import RULES_VERSION, DecisionKind
from service.engine.texts import ability_text
from tests.facts import CARDS as PRINTED
from tests.service.support import Stub, refusal_of

CATALOGUE: Final = catalogue()


async def test_it_is_of_the_rules_version_served(stub: Stub) -> None:
    assert await stub.GetCatalog(pb.GetCatalogRequest()) == CATALOGUE
    assert await stub.GetCatalog(pb.GetCatalogRequest(rules_version=RULES_VERSION)) == CATALOGUE
    assert CATALOGUE.rules_version == RULES_VERSION


async def test_another_rules_version_is_not_there(stub: Stub) -> None:
    refusal = await refusal_of(stub.GetCatalog(pb.GetCatalogRequest(rules_version="0")))
    assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "RULES_VERSION")
    assert refusal.metadata == {"requested": "0", "served": RULES_VERSION}


def test_cards_are_those_of_all_sets() -> None:
    assert [info.id for info in CATALOGUE.cards] == sorted(CARDS.keys() - FORAGE.keys())
    decks = Counter((info.expansion, info.starter) for info in CATALOGUE.cards)
    base, reefs = pb.EXPANSION_UNSPECIFIED, pb.EXPANSION_SHARKS_AND_REEFS
    assert decks == {(base, False): 125, (base, True): 10, (reefs, False): 75, (reefs, True): 5}
    assert all(bool(info.expansion) == (CARDS[info.id].set != "base") for info in CATALOGUE.cards)


def test_a_card_says_what_the_engine_knows_of_it() -> None:
    for info in CATALOGUE.cards:
        card = CARDS[info.id]
        cost = info.cost
        assert (info.name, info.latin, info.points, info.length_cm) == (
            card.name,
            card.latin,
            card.points,
            card.length_cm,
        )
        assert (cost.cards, cost.eggs, cost.young, cost.schools, cost.consume) == (
            card.cost.cards,
            card.cost.eggs,
            card.cost.young,
            card.cost.schools,
            bool(card.cost.consume),
        )
        assert tuple(zone - 1 for zone in info.zones) == card.zones
        assert (info.site - 1 if info.site else None) == card.site
        assert (info.row - 1 if info.HasField("row") else None) == card.row
        assert info.size - 1 == card.size
        assert tuple(TAGS[tag - 1] for tag in info.tags) == card.tags
        need = info.needs_coral
        assert (need.site - 1 if need.site else None, need.at_least) == (
            (card.needs_coral.site, card.needs_coral.at_least) if card.needs_coral else (None, 0)
        )
        assert info.HasField("needs_coral") == (card.needs_coral is not None)


def test_an_ability_is_written_with_its_numbers_and_its_sentence() -> None:
    for info in CATALOGUE.cards:
        ability = CARDS[info.id].ability
        assert ability is not None
        assert TRIGGERS[info.ability.trigger - 1] == ability.trigger
        assert info.ability.all_players == ability.all_players
        assert info.ability.text == ability_text(CARDS[info.id])
        assert [benefit.count for benefit in info.ability.benefits] == [
            effect.count for effect in ability.effects
        ]
        assert all(benefit.verb for benefit in info.ability.benefits)
        assert bool(info.ability.benefits) != info.ability.HasField("points")
        assert info.ability.points.points == (ability.score.points if ability.score else 0)
        assert bool(info.ability.points.condition) == bool(ability.score)
        assert info.ability.HasField("condition") == (ability.condition is not None)
        assert info.ability.HasField("also") == (ability.also is not None)
        assert [benefit.count for benefit in info.ability.also.benefits] == [
            effect.count for effect in (ability.also.effects if ability.also else ())
        ]


def _fields_set(message: Message) -> set[str]:
    """Return the full names of all fields that are set in a message and inside it."""
    names = set()
    for field, value in message.ListFields():
        names.add(field.full_name)
        inner = value if field.is_repeated else [value]
        names |= set().union(*(_fields_set(item) for item in inner if isinstance(item, Message)))
    return names


OF_REEFS: Final = {
    f"finspan.v1.{name}"
    for name in (
        "CardInfo.expansion",
        "CardInfo.needs_coral",
        "AbilityInfo.condition",
        "AbilityInfo.also",
        "BenefitInfo.min_coral",
        "BenefitInfo.free",
    )
}
"""What only cards of Sharks & Reefs set."""


def test_a_card_of_the_base_game_sets_nothing_of_sharks_and_reefs() -> None:
    base = set().union(*(_fields_set(info) for info in CATALOGUE.cards if not info.expansion))
    reefs = set().union(*(_fields_set(info) for info in CATALOGUE.cards if info.expansion))
    assert not base & OF_REEFS
    assert reefs >= OF_REEFS


VERBS: Final = {
    "draw": pb.VERB_DRAW,
    "recover": pb.VERB_RECOVER,
    "egg": pb.VERB_LAY_EGG,
    "hatch": pb.VERB_HATCH,
    "young": pb.VERB_PLACE_YOUNG,
    "egg_each": pb.VERB_LAY_EGG_EACH,
    "move": pb.VERB_MOVE,
    "consume_by_this": pb.VERB_CONSUME_BY_THIS,
    "play": pb.VERB_PLAY,
    "consume_by_any": pb.VERB_CONSUME_BY_ANY,
    "scatter": pb.VERB_SCATTER,
    "coral": pb.VERB_GAIN_CORAL,
}
ROWS: Final = {"top": 1, "bottom": 6}
ON_THIS: Final = {
    "no_tokens": pb.CONDITION_KIND_NO_TOKENS,
    "school": pb.CONDITION_KIND_HAS_SCHOOL,
    "egg_and_young_and_school": pb.CONDITION_KIND_HAS_EGG_YOUNG_AND_SCHOOL,
}
CONDITIONS: Final[dict[str, Callable[[Any], pb.ConditionInfo]]] = {
    "on_this": lambda what: pb.ConditionInfo(kind=ON_THIS[what]),
    "young_on_this_exactly": lambda young: _condition(pb.CONDITION_KIND_YOUNG_EXACTLY, young),
    "consumed_under_this_at_least": lambda fish: _condition(pb.CONDITION_KIND_CONSUMED_AT_LEAST, fish),
    "this_in_row": lambda row: _condition(pb.CONDITION_KIND_IN_ROW, ROWS[row]),
    "this_site_coral": lambda of: _condition(
        pb.CONDITION_KIND_SITE_CORAL_AT_LEAST, of["at_least"], 1 + SITES.index(of["color"])
    ),
    "this_site_coral_none": lambda _: pb.ConditionInfo(kind=pb.CONDITION_KIND_SITE_CORAL_NONE),
    "every_site_coral_at_least": lambda coral: _condition(pb.CONDITION_KIND_EVERY_REEF_AT_LEAST, coral),
    "some_site_coral_at_least": lambda coral: _condition(pb.CONDITION_KIND_SOME_REEF_AT_LEAST, coral),
}


def _condition(kind: pb.ConditionKind.ValueType, number: int, site: int = 0) -> pb.ConditionInfo:
    return pb.ConditionInfo(kind=kind, number=number, site=pb.Site.ValueType(site))


def _printed_condition(facts: dict[str, Any]) -> pb.ConditionInfo:
    ((name, value),) = facts.items()
    return CONDITIONS[name](value)


def _printed_benefit(facts: dict[str, Any]) -> pb.BenefitInfo:
    fields: dict[str, Any] = {"verb": VERBS[facts["do"]], "count": facts.get("count", 1)}
    colour = facts.get("site", facts.get("color", "any"))
    if colour != "any":
        fields["site"] = 1 + SITES.index(colour)
    for name, names in (("zone", ZONES), ("size", SIZES), ("tag", TAGS)):
        if name in facts:
            fields[name] = 1 + names.index(facts[name])
    if "row" in facts:
        fields["row"] = ROWS[facts["row"]]
    return pb.BenefitInfo(**fields, free=facts.get("free", False), min_coral=facts.get("min_coral", 0))


def _printed_ability(facts: dict[str, Any], text: str) -> pb.AbilityInfo:
    ability = pb.AbilityInfo(all_players=facts["all_players"], text=text)
    ability.trigger = pb.Trigger.ValueType(1 + TRIGGERS.index(facts["trigger"]))
    ability.benefits.extend(map(_printed_benefit, facts.get("benefits", ())))
    if "score" in facts:
        asked = _printed_condition(facts["score"]["if"])
        ability.points.points, ability.points.condition = facts["score"]["points"], asked.kind
        if asked.HasField("number"):
            ability.points.number = asked.number
    if "if" in facts:
        ability.condition.CopyFrom(_printed_condition(facts["if"]))
    if "bonus" in facts:
        ability.also.condition.CopyFrom(_printed_condition(facts["bonus"]["if"]))
        ability.also.benefits.extend(map(_printed_benefit, facts["bonus"]["benefits"]))
    return ability


@pytest.mark.parametrize("info", CATALOGUE.cards, ids=lambda info: info.name)
def test_an_ability_is_the_printed_one(info: pb.CardInfo) -> None:
    assert info.ability == _printed_ability(PRINTED[info.id]["ability"], info.ability.text)


def test_some_cards_in_full() -> None:
    """Written by hand from the printed cards: an egg on each, a play into a place, points if."""
    by_id = {info.id: info.ability for info in CATALOGUE.cards}
    (each,) = by_id[57].benefits
    assert (each.verb, each.tag) == (pb.VERB_LAY_EGG_EACH, pb.TAG_PREDATOR)
    assert by_id[57].all_players
    (play,) = by_id[2].benefits
    assert (play.verb, play.row) == (pb.VERB_PLAY, 6)
    assert not play.site
    points = by_id[4].points
    assert (points.points, points.condition, points.number) == (10, pb.CONDITION_KIND_CONSUMED_AT_LEAST, 3)


def test_some_cards_of_sharks_and_reefs_in_full() -> None:
    """Written by hand from the printed cards: "also, if", a condition, free plays, coral, points."""
    by_id = {info.id: info for info in CATALOGUE.cards}
    also = by_id[186].ability.also
    assert also.condition == pb.ConditionInfo(
        kind=pb.CONDITION_KIND_SITE_CORAL_AT_LEAST, number=3, site=pb.SITE_GREEN
    )
    assert list(also.benefits) == [pb.BenefitInfo(verb=pb.VERB_CONSUME_BY_ANY, count=1)]
    assert by_id[141].ability.condition == pb.ConditionInfo(kind=pb.CONDITION_KIND_SITE_CORAL_NONE)
    assert list(by_id[141].ability.benefits) == [pb.BenefitInfo(verb=pb.VERB_PLAY, count=1, free=True)]
    free = pb.BenefitInfo(verb=pb.VERB_PLAY, count=1, free=True, tag=pb.TAG_BIOLUMINESCENT)
    assert list(by_id[150].ability.benefits) == [free]
    assert list(by_id[209].ability.benefits) == [pb.BenefitInfo(verb=pb.VERB_PLAY, count=1, min_coral=5)]
    assert list(by_id[168].ability.benefits) == [
        pb.BenefitInfo(verb=pb.VERB_GAIN_CORAL, count=1, site=pb.SITE_BLUE),
        pb.BenefitInfo(verb=pb.VERB_HATCH, count=1),
        pb.BenefitInfo(verb=pb.VERB_SCATTER, count=1),
    ]
    assert by_id[168].needs_coral == pb.CoralNeedInfo(at_least=2)
    assert by_id[154].needs_coral == pb.CoralNeedInfo(site=pb.SITE_GREEN, at_least=1)
    every, some = by_id[202].ability.points, by_id[206].ability.points
    assert (every.points, every.condition, every.number) == (5, pb.CONDITION_KIND_EVERY_REEF_AT_LEAST, 3)
    assert (some.points, some.condition, some.number) == (3, pb.CONDITION_KIND_SOME_REEF_AT_LEAST, 5)


def test_every_verb_and_every_condition_is_on_some_card_or_bonus() -> None:
    abilities = [info.ability for info in CATALOGUE.cards]
    benefits = [
        *(benefit for ability in abilities for benefit in (*ability.benefits, *ability.also.benefits)),
        *(benefit for bonus in CATALOGUE.bonuses for benefit in bonus.benefits),
    ]
    assert {benefit.verb for benefit in benefits} == set(pb.Verb.values()[1:])
    conditions = {ability.points.condition for ability in abilities if ability.HasField("points")}
    conditions |= {ability.condition.kind for ability in abilities if ability.HasField("condition")}
    conditions |= {ability.also.condition.kind for ability in abilities if ability.HasField("also")}
    assert conditions == set(pb.ConditionKind.values()[1:])


def test_the_table_s_other_pieces() -> None:
    assert {info.id: info.slot - 1 for info in CATALOGUE.forage_fish} == dict(FORAGE)
    assert [info.name for info in CATALOGUE.slots] == list(SLOT_NAMES)
    assert [info.slot for info in CATALOGUE.slots] == list(range(1, 19))
    assert [(info.site, info.row) for info in CATALOGUE.slots] == [
        (site, row) for site in (1, 2, 3) for row in range(1, 7)
    ]
    assert len({(info.site, info.stop) for info in CATALOGUE.bonuses}) == len(CATALOGUE.bonuses) == 12 + 3
    assert all(info.benefits and info.text for info in CATALOGUE.bonuses)


def test_at_each_reef_a_coral_of_its_site_can_be_bought() -> None:
    reefs = [info for info in CATALOGUE.bonuses if info.stop == pb.DIVE_STOP_REEF]
    assert [info.site for info in reefs] == [pb.SITE_BLUE, pb.SITE_PURPLE, pb.SITE_GREEN]
    for info in reefs:
        assert list(info.benefits) == [pb.BenefitInfo(verb=pb.VERB_BUY_CORAL, count=1, site=info.site)]


def test_achievements_are_those_of_all_sets() -> None:
    assert [info.id for info in CATALOGUE.achievements] == list(ACHIEVEMENTS)
    expansions = Counter((info.side, info.expansion) for info in CATALOGUE.achievements)
    assert expansions == {
        (pb.BOARD_SIDE_A, pb.EXPANSION_UNSPECIFIED): 3,
        (pb.BOARD_SIDE_B, pb.EXPANSION_UNSPECIFIED): 14,
        (pb.BOARD_SIDE_B, pb.EXPANSION_SHARKS_AND_REEFS): 10,
    }
    assert all(bool(info.expansion) == info.id.startswith("s") for info in CATALOGUE.achievements)
    assert [info.id for info in CATALOGUE.achievements if info.side == pb.BOARD_SIDE_A] == ["a1", "a2", "a3"]
    assert all(info.text and info.counts for info in CATALOGUE.achievements)


def test_rules_and_rulings_are_there_to_be_cited() -> None:
    assert {rule.id.split(".")[0] for rule in CATALOGUE.rules} >= {f"R{number}" for number in range(1, 12)}
    assert all(
        re.fullmatch(r"R\d+(\.\d+)?", rule.id) and rule.section and rule.text for rule in CATALOGUE.rules
    )
    assert [ruling.id for ruling in CATALOGUE.rulings] == sorted(ruling.id for ruling in CATALOGUE.rulings)
    assert all(ruling.rule and ruling.ruling and ruling.confidence for ruling in CATALOGUE.rulings)


def test_enums_of_the_contract_are_the_engine_s_one_up() -> None:
    """What the conversions rest on."""
    assert [name.removeprefix("SLOT_") for name in pb.Slot.keys()[1:]] == list(SLOT_NAMES)
    assert [name.removeprefix("SITE_").lower() for name in pb.Site.keys()[1:]] == list(SITES)
    assert [name.removeprefix("ZONE_").lower() for name in pb.Zone.keys()[1:]] == list(ZONES)
    assert [name.removeprefix("SIZE_").lower() for name in pb.Size.keys()[1:]] == list(SIZES)
    assert [name.removeprefix("TAG_").lower() for name in pb.Tag.keys()[1:]] == list(TAGS)
    assert [name.removeprefix("TRIGGER_").lower() for name in pb.Trigger.keys()[1:]] == list(TRIGGERS)
    assert {f"MOVE_KIND_{kind.name}": kind.value for kind in MoveKind} == dict(pb.MoveKind.items()[1:])
    assert {f"DECISION_KIND_{kind.name}": kind.value for kind in DecisionKind} == dict(
        pb.DecisionKind.items()[1:]
    )
