"""Looking things up in the catalogue."""

from finspan import LocalService
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import CATALOG, DARTER, GIANT, GOBY, MINNOW, POLYP


def test_everything_is_found_by_its_id() -> None:
    assert CATALOG.cards[DARTER].name == "Darter"
    assert CATALOG.achievements["a1"].week == 1
    assert CATALOG.rules["R5.3"].text == "Where."
    assert CATALOG.rulings["RU05"].ruling == "All or none."
    assert CATALOG.slots[v1.SLOT_P4].name == "P4"
    assert CATALOG.reply.rules_version == "7"


def test_forage_fish_are_fish_but_no_cards() -> None:
    assert set(CATALOG.fish) - set(CATALOG.cards) == {GOBY}
    goby = CATALOG.fish[GOBY]
    assert (goby.name, goby.length_cm, goby.size) == ("Goby", 1, v1.SIZE_SMALL)
    assert (goby.points, list(goby.tags)) == (0, [])


def test_bonuses_are_those_of_the_site() -> None:
    stops = [bonus.stop for bonus in CATALOG.bonuses(v1.SITE_BLUE)]
    assert stops == [v1.DIVE_STOP_SUNLIGHT_BONUS, v1.DIVE_STOP_REEF, v1.DIVE_STOP_DEEP_BONUS]
    assert CATALOG.bonuses(v1.SITE_PURPLE) == []
    assert CATALOG.cards[MINNOW] != CATALOG.cards[GIANT]


def test_the_cards_of_a_game_are_those_of_its_sets() -> None:
    base, with_reefs = v1.GameOptions(), v1.GameOptions(expansions=[v1.EXPANSION_SHARKS_AND_REEFS])
    assert CATALOG.cards_of(with_reefs) == CATALOG.cards
    assert set(CATALOG.cards) - set(CATALOG.cards_of(base)) == {POLYP}


def test_what_a_card_needs_and_gives_besides_is_there(local: LocalService) -> None:
    catalog = local.catalog()
    added = [card for card in catalog.cards.values() if card.expansion]
    assert {card.expansion for card in added} == {v1.EXPANSION_SHARKS_AND_REEFS}
    assert len(added) == 80
    for has in (
        [card for card in added if card.HasField("needs_coral")],
        [card for card in added if card.ability.HasField("also")],
        [card for card in added if card.ability.HasField("condition")],
    ):
        assert has
    others = (card for card in catalog.cards.values() if not card.expansion)
    assert not any(card.HasField("needs_coral") or card.ability.HasField("also") for card in others)
