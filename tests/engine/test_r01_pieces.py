"""R1: the ocean, the tokens, the cards, and what is open."""

import pytest

from service.engine.abilities import SIZES, size_of
from service.engine.cards import CARDS, DECKS, FORAGE, SETS, cards_of
from service.engine.check import check
from service.engine.digest import full_digest, public_digest
from service.engine.events import FishActivated
from service.engine.moves import UNIVERSE
from service.engine.ocean import SITES, SLOT_NAMES, SLOTS_BY_NAME, ZONES, row_of, site_of, zone_of
from service.engine.scoring import score
from service.engine.state import GameState
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, just_played, legal, ocean_of, play, settle, situation

TOP, BOTTOM = 67, 2
"""Cards that play a fish into the top and into the bottom row."""
EGG_ON_EACH = {"small": 76, "medium": 74, "large": 40, "predator": 6}
"""Cards that lay an egg on each fish of a size or a tag when played."""


def start_with(ocean: Ocean) -> GameState:
    """Return the start with something more in the first player's ocean, and cards that lay eggs in hand."""
    return situation(oceans=[{**START_OCEAN, **ocean}, START_OCEAN], hands=[EGG_ON_EACH.values()])


def slots(sites: str, rows: str) -> list[str]:
    return [site + row for site in sites for row in rows]


# R1.1


@rule("R1.1")
def test_an_ocean_has_three_sites_of_six_rows() -> None:
    assert list(SLOT_NAMES) == slots("BPG", "123456")
    assert [SITES[site_of(slot)] for slot in range(18)] == ["blue"] * 6 + ["purple"] * 6 + ["green"] * 6
    assert [row_of(slot) for slot in range(18)] == [0, 1, 2, 3, 4, 5] * 3


@rule("R1.1")
def test_rows_1_to_3_are_sunlight_row_4_twilight_rows_5_and_6_midnight() -> None:
    zones = ["sunlight"] * 3 + ["twilight"] + ["midnight"] * 2
    assert [ZONES[zone_of(slot)] for slot in range(18)] == zones * 3


@rule("R1.1")
@pytest.mark.parametrize(
    ("card", "to", "fish", "row"), [(TOP, "B2", 113, "1"), (BOTTOM, "B5", 123, "6")], ids=["top", "bottom"]
)
def test_the_top_row_is_row_1_and_the_bottom_row_is_row_6(card: int, to: str, fish: int, row: str) -> None:
    played = just_played(situation(hands=[(card, fish, 12)]), f"{card}@{to}")
    offered = [move.split("@")[1] for move in legal(played.state, f"play:{fish}@")]
    assert offered == slots("BPG", row)


# R1.2


@rule("R1.2", "RU01")
def test_tokens_never_run_out() -> None:
    """More than 90 eggs and young and more than 40 schools lie there, and one more of each still comes."""
    full = dict.fromkeys(SLOT_NAMES, "9y s")
    ocean = {**full, "B5": "303 e 9y s", "G2": "301 9y s", "P4": "302 e 9y s", "P1": "2y"}
    state = situation(oceans=[ocean] * 5, hands=[(24,)])
    assert ocean_of(just_played(state, "24@B1").me)["B1"] == "24 9y s"
    assert ocean_of(play(just_played(state, "24@B1").state, "young:P1").me)["P1"] == "s"
    assert ocean_of(play(state, "dive:purple", "egg:G2").me)["G2"] == "301 e 9y s"


# R1.3


@rule("R1.3")
@pytest.mark.parametrize(
    ("set_", "deck", "count"),
    [
        ("base", "main", 125),
        ("base", "starter", 10),
        ("sharks_and_reefs", "main", 75),
        ("sharks_and_reefs", "starter", 5),
    ],
)
def test_how_many_fish_cards_there_are(set_: str, deck: str, count: int) -> None:
    assert len(cards_of((set_,), deck)) == count


@rule("R1.3")
def test_every_card_has_what_a_card_has() -> None:
    for card in CARDS.values():
        if card.id not in FORAGE:
            assert card.set in SETS
            assert card.deck in DECKS
            assert card.slots
            assert card.ability is not None


@rule("R1.3")
def test_a_tag_can_be_printed_twice() -> None:
    assert CARDS[57].tags == ("predator", "predator")


@rule("R1.3")
@pytest.mark.parametrize(
    ("hands", "fault"),
    [
        ([(95,), (95,)], "Card 95 lies in 2 places."),
        ([(95, 150)], "Card 150 does not belong to the sets in play."),
    ],
)
def test_a_card_lies_in_one_place(hands: list[tuple[int, ...]], fault: str) -> None:
    assert fault in [found.text for found in check(situation(hands=hands, valid=False))]


# R1.4


@rule("R1.4", "RU03")
@pytest.mark.parametrize(
    ("length", "size"),
    [(1, "small"), (49, "small"), (50, "medium"), (149, "medium"), (150, "large"), (2000, "large")],
)
def test_sizes_begin_at_50_and_150_cm(length: int, size: str) -> None:
    assert SIZES[size_of(length)] == size


@rule("R1.4", "RU03")
@pytest.mark.parametrize(
    ("size", "slot", "fish", "after"),
    [
        pytest.param("small", "G6", "44", "44 e", id="46 cm is small"),
        pytest.param("small", "G4", "71", "71", id="50 cm is not small"),
        pytest.param("medium", "G6", "44", "44", id="46 cm is not medium"),
        pytest.param("medium", "G4", "71", "71 e", id="50 cm is medium"),
        pytest.param("medium", "G1", "86", "86 e", id="140 cm is medium"),
        pytest.param("medium", "G5", "84", "84", id="150 cm is not medium"),
        pytest.param("large", "G1", "86", "86", id="140 cm is not large"),
        pytest.param("large", "G5", "84", "84 e", id="150 cm is large"),
    ],
)
def test_a_benefit_goes_by_size(size: str, slot: str, fish: str, after: str) -> None:
    layer = f"{EGG_ON_EACH[size]}@{'B4' if size == 'large' else 'B1'}"
    laid = play(just_played(start_with({slot: fish}), layer).state, "egg_each")
    assert ocean_of(laid.me)[slot] == after


# R1.5


@rule("R1.5")
@pytest.mark.parametrize(
    ("name", "length", "slot"),
    [("Catalina Goby", 1, "G2"), ("Showy Bristlemouth", 3, "P4"), ("Glasshead Grenadier", 9, "B5")],
)
def test_three_forage_fish_are_printed_on_every_ocean(name: str, length: int, slot: str) -> None:
    for player in situation(oceans=[{}] * 5).players:
        fish = CARDS[player.fish[SLOTS_BY_NAME[slot]]]
        assert (fish.name, fish.length_cm, fish.points) == (name, length, 0)
        assert (fish.tags, fish.ability, fish.site) == ((), None, None)


@rule("R1.5")
def test_forage_fish_are_small_fish_and_take_eggs() -> None:
    state = just_played(situation(oceans=[{}, {}], hands=[(76,)]), "76@B1").state
    assert ocean_of(play(state, "egg_each").me) == {
        "B1": "76 e",
        "B5": "303 e",
        "P4": "302 e",
        "G2": "301 e",
    }


@rule("R1.5")
def test_forage_fish_have_no_tags() -> None:
    """Only the card that lays the eggs is a predator."""
    state = just_played(situation(oceans=[{}, {}], hands=[(6,)]), "6@B1").state
    assert ocean_of(play(state, "egg_each").me) == {"B1": "6 e"}


@rule("R1.5")
def test_forage_fish_do_nothing_when_passed() -> None:
    for site in ("blue", "purple", "green"):
        dived = play(situation(), f"dive:{site}")
        assert [*dived.all_of(FishActivated), *settle(dived.state).all_of(FishActivated)] == []


@rule("R1.5")
def test_forage_fish_score_nothing_while_visible_and_1_when_consumed() -> None:
    seen, eaten = (situation(oceans=[ocean, {}]).players[0] for ocean in ({}, {"B5": "19 <303"}))
    assert score(seen).total == 0
    assert (score(eaten).printed, score(eaten).consumed) == (1, 1)


@rule("R1.5")
@pytest.mark.parametrize(
    "state",
    [situation(hands=[(303,)], valid=False), situation(discards=[(303,)], valid=False)],
    ids=["hand", "discard pile"],
)
def test_forage_fish_are_never_in_a_hand_or_pile(state: GameState) -> None:
    assert [fault.rule for fault in check(state)] == ["R1.5"]
    assert {move.card for move in UNIVERSE} & set(FORAGE) == set()


@rule("R1.5")
@pytest.mark.parametrize("ocean", [{"G2": "95 e"}, {"P4": "108"}])
def test_forage_fish_lie_on_their_slot_or_under_a_fish_there(ocean: Ocean) -> None:
    faults = check(situation(oceans=[{**START_OCEAN, **ocean}, START_OCEAN], valid=False))
    assert [fault.rule for fault in faults] == ["R1.5"]


# R1.6


def with_cards_swapped(state: GameState) -> GameState:
    """Return a copy with the two top cards of the deck in each other's place."""
    twin = state.copy()
    twin.deck[-1], twin.deck[-2] = twin.deck[-2], twin.deck[-1]
    return twin


@rule("R1.6")
def test_only_the_order_of_the_deck_is_hidden() -> None:
    state = situation(hands=[(95, 12)], discards=[(1,), (3,)])
    twin = with_cards_swapped(state)
    assert public_digest(twin) == public_digest(state)
    assert full_digest(twin) != full_digest(state)
    assert legal(twin) == legal(state)


@rule("R1.6")
@pytest.mark.parametrize(
    "other",
    [
        situation(hands=[(95, 14)], discards=[(1,), (3,)]),
        situation(hands=[(95, 12)], discards=[(1,), (5,)]),
        situation(hands=[(95, 12)], discards=[(3,), (1,)]),
    ],
    ids=["hand", "discard pile", "whose pile"],
)
def test_hands_and_discard_piles_are_open(other: GameState) -> None:
    state = situation(hands=[(95, 12)], discards=[(1,), (3,)])
    assert public_digest(other) != public_digest(state)
