"""Looking things up in the catalogue."""

import pytest

import finspan
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import CATALOG, DARTER, GIANT, GOBY, MINNOW


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
    assert (goby.name, goby.length_cm, goby.points, list(goby.tags)) == ("Goby", 1, 0, [])


@pytest.mark.parametrize(("length", "size"), [(1, v1.SIZE_SMALL), (60, v1.SIZE_MEDIUM), (999, v1.SIZE_LARGE)])
def test_the_size_of_a_forage_fish_is_that_of_cards_of_its_length(
    length: int, size: v1.Size.ValueType
) -> None:
    forage = v1.ForageFishInfo(id=GOBY, length_cm=length)
    catalog = finspan.Catalog(v1.GetCatalogResponse(cards=CATALOG.reply.cards, forage_fish=[forage]))
    assert catalog.fish[GOBY].size == size


def test_bonuses_are_those_of_the_site() -> None:
    stops = [bonus.stop for bonus in CATALOG.bonuses(v1.SITE_BLUE)]
    assert stops == [v1.DIVE_STOP_SUNLIGHT_BONUS, v1.DIVE_STOP_DEEP_BONUS]
    assert CATALOG.bonuses(v1.SITE_PURPLE) == []
    assert CATALOG.cards[MINNOW] != CATALOG.cards[GIANT]
