"""GetCatalog: all that a client would otherwise hard-code, as the engine has it."""

import re
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert import catalogue
from service.engine.abilities import SIZES
from service.engine.cards import ACHIEVEMENTS, CARDS, FORAGE, SIDE_A_SET, TAGS, TRIGGERS
from service.engine.moves import MoveKind
from service.engine.ocean import SITES, SLOT_NAMES, ZONES
from service.engine.rules import RULES_VERSION, DecisionKind
from service.engine.texts import ability_text
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


def test_cards_are_those_of_the_sets_played() -> None:
    base = [card for card in CARDS.values() if card.set == "base"]
    assert [info.id for info in CATALOGUE.cards] == sorted(card.id for card in base)
    assert len(CATALOGUE.cards) == 125 + 10
    assert sum(info.starter for info in CATALOGUE.cards) == 10


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


def test_the_table_s_other_pieces() -> None:
    assert {info.id: info.slot - 1 for info in CATALOGUE.forage_fish} == dict(FORAGE)
    assert [info.name for info in CATALOGUE.slots] == list(SLOT_NAMES)
    assert [info.slot for info in CATALOGUE.slots] == list(range(1, 19))
    assert [(info.site, info.row) for info in CATALOGUE.slots] == [
        (site, row) for site in (1, 2, 3) for row in range(1, 7)
    ]
    assert len({(info.site, info.stop) for info in CATALOGUE.bonuses}) == 12
    assert all(info.benefits and info.text for info in CATALOGUE.bonuses)


def test_achievements_are_those_of_the_sets_played() -> None:
    expected = {id_ for id_, tile in ACHIEVEMENTS.items() if tile.set in ("base", SIDE_A_SET)}
    assert {info.id for info in CATALOGUE.achievements} == expected
    assert [info.id for info in CATALOGUE.achievements if info.side == pb.BOARD_SIDE_A] == ["a1", "a2", "a3"]
    assert all(info.text and info.counts for info in CATALOGUE.achievements)


def test_rules_and_rulings_are_there_to_be_cited() -> None:
    assert {rule.id.split(".")[0] for rule in CATALOGUE.rules} >= {f"R{number}" for number in range(1, 11)}
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
