"""Looking things up in the catalogue."""

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
    assert (goby.name, goby.length_cm, goby.size) == ("Goby", 1, v1.SIZE_SMALL)
    assert (goby.points, list(goby.tags)) == (0, [])


def test_bonuses_are_those_of_the_site() -> None:
    stops = [bonus.stop for bonus in CATALOG.bonuses(v1.SITE_BLUE)]
    assert stops == [v1.DIVE_STOP_SUNLIGHT_BONUS, v1.DIVE_STOP_DEEP_BONUS]
    assert CATALOG.bonuses(v1.SITE_PURPLE) == []
    assert CATALOG.cards[MINNOW] != CATALOG.cards[GIANT]
