"""R11.1, R11.2: reefs, and the purchase of coral in every dive."""

import pytest

from service.engine.events import CardPaid, CoralGained, EggPaid, YoungPaid
from service.engine.moves import parse_move
from service.engine.ocean import SITES
from service.engine.reasons import why_not
from service.engine.rules import legal_moves, new_game
from service.engine.scoring import score
from service.engine.state import SHARKS_AND_REEFS, Options
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    asked_on_the_way,
    deciding,
    dive_to,
    legal,
    ocean_of,
    play,
    reef_turn,
    refused,
    settle,
    situation,
    source_name,
)

Reefs = tuple[int, int, int]


# R11.1


@rule("R11.1")
def test_reefs_are_empty_at_first_and_each_players_own() -> None:
    state, _ = new_game(3, Options(expansions=(SHARKS_AND_REEFS,)), seed="r11")
    assert [player.reefs for player in state.players] == [[0, 0, 0]] * 3
    bought = play(dive_to(reef_turn({"B5": "303 e"}), "blue", "blue reef"), "buy_coral:egg:B5").state
    assert [player.reefs for player in bought.players] == [[1, 0, 0], [0, 0, 0]]


@rule("R11.1", "R2.4")
def test_without_the_expansion_a_reef_stays_empty() -> None:
    state, _ = new_game(2, seed="r11")
    while moves := legal_moves(state):
        state = play(state, moves[state.version % len(moves)].id).state
        assert [player.reefs for player in state.players] == [[0, 0, 0]] * 2


@rule("R11.1", "R9.2")
@pytest.mark.parametrize(
    ("reefs", "coral", "full"),
    [
        ((0, 0, 0), 0, 0),
        ((5, 5, 5), 15, 0),
        ((6, 0, 0), 6, 6),
        ((0, 6, 0), 6, 8),
        ((0, 0, 6), 6, 5),
        ((6, 6, 6), 18, 19),
    ],
)
def test_a_coral_is_a_point_and_a_full_reef_more(reefs: Reefs, coral: int, full: int) -> None:
    sheet = score(reef_turn({}, *reefs).players[0])
    assert (sheet.coral, sheet.full_reefs, sheet.total) == (coral, full, coral + full)


@rule("R11.1", "R9.2")
def test_the_sixth_coral_brings_the_points_of_the_reef() -> None:
    state = dive_to(reef_turn({"B5": "303 e"}, 5, 5, 5), "blue", "blue reef")
    before, after = score(state.players[0]), score(play(state, "buy_coral:egg:B5").me)
    assert (before.coral, before.full_reefs, before.eggs) == (15, 0, 1)
    assert (after.coral, after.full_reefs, after.eggs) == (16, 6, 0)


@rule("R11.1")
def test_coral_stays_over_the_weeks_and_to_the_end() -> None:
    state = situation(oceans=[{}, {}], reefs=[(1, 2, 3), (4, 5, 6)], turn=6, seat=1)
    while not state.is_over:
        state = settle(play(state, "dive:green").state).state
    assert [player.reefs for player in state.players] == [[1, 2, 3], [4, 5, 6]]


# R11.2: the purchase


ON_THE_WAY = {
    "blue": {"B1": "135", "B4": "120", "B5": "303 e"},
    "purple": {"P1": "133", "P3": "y", "P4": "111 <302"},
    "green": {"G1": "94", "G2": "301 e", "G4": "56"},
}


@rule("R11.2", "R6.1")
@pytest.mark.parametrize("site", SITES)
def test_the_purchase_comes_behind_the_twilight_bonus_and_before_row_4(site: str) -> None:
    asked = asked_on_the_way(reef_turn(ON_THE_WAY[site], hand=(14, 46)), site)
    row_4 = next(source for source in asked if source.endswith("4"))
    at = asked.index(f"{site} reef")
    assert (asked[at - 1], asked[at + 1]) == (f"{site} twilight", row_4)
    assert asked.count(f"{site} reef") == 1


@rule("R11.2")
@pytest.mark.parametrize(
    ("site", "ocean", "hand"),
    [
        ("blue", {"G2": "301 e", "B5": "57 <303"}, ()),
        ("purple", {"P4": "302", "B1": "y"}, ()),
        ("green", {}, (12,)),
    ],
)
def test_no_fish_is_needed(site: str, ocean: Ocean, hand: tuple[int, ...]) -> None:
    """Without a fish in the Twilight zone there is no bonus of it, and a reef all the same."""
    state = reef_turn(ocean, hand=hand)
    assert f"{site} reef" in asked_on_the_way(state, site)


@rule("R11.2", "RU15")
@pytest.mark.parametrize(
    ("site", "moves"),
    [
        ("blue", ["buy_coral:egg:B5", "buy_coral:egg:G2"]),
        ("purple", ["buy_coral:young:B1", "buy_coral:young:P3", "buy_coral:young:G6"]),
        ("green", ["buy_coral:card:12", "buy_coral:card:94"]),
    ],
)
def test_each_site_has_its_price(site: str, moves: list[str]) -> None:
    """An egg of any slot, one of the young of any slot, a card of the hand."""
    ocean = {**START_OCEAN, "B1": "2y", "G6": "y s"}
    state = dive_to(reef_turn(ocean, hand=(12, 94)), site, f"{site} reef")
    assert legal(state) == [*moves, "pass"]
    others = {"buy_coral:egg:B5", "buy_coral:young:P3", "buy_coral:card:12"} - {*moves}
    assert {refused(state, move) for move in others} == {"R11.2"}


@rule("R11.2")
@pytest.mark.parametrize(
    ("site", "move", "paid"),
    [
        ("blue", "buy_coral:egg:G2", EggPaid),
        ("purple", "buy_coral:young:B1", YoungPaid),
        ("green", "buy_coral:card:94", CardPaid),
    ],
)
def test_a_purchase_pays_and_puts_one_coral(
    site: str, move: str, paid: type[EggPaid] | type[YoungPaid] | type[CardPaid]
) -> None:
    ocean = {**START_OCEAN, "B1": "2y"}
    bought = play(dive_to(reef_turn(ocean, 1, 2, 3, hand=(12, 94)), site, f"{site} reef"), move)
    index = SITES.index(site)
    assert bought.me.reefs == [coral + (place == index) for place, coral in enumerate((1, 2, 3))]
    assert [type(event) for event in bought.events[:2]] == [paid, CoralGained]
    assert [event.site for event in bought.all_of(CoralGained)] == [index]
    assert {source_name(event.source) for event in bought.events[:2]} == {f"{site} reef"}
    left = {
        "blue": ({**ocean, "G2": ""}, [12, 94], []),
        "purple": ({**ocean, "B1": "y"}, [12, 94], []),
        "green": (ocean, [12], [94]),
    }[site]
    shown = {slot: what for slot, what in left[0].items() if what}
    assert (ocean_of(bought.me), bought.me.hand, bought.me.discard) == (shown, left[1], left[2])


@rule("R11.2", "R3.3")
@pytest.mark.parametrize(
    ("site", "ocean", "hand"),
    [
        pytest.param("blue", {"P3": "2y s"}, (12,), id="blue without an egg"),
        pytest.param(
            "purple", {"B5": "303 e", "P3": "s"}, (12,), id="purple without a young beside a school"
        ),
        pytest.param("green", {"B5": "303 e", "P3": "2y"}, (), id="green without a card"),
    ],
)
def test_without_its_price_a_purchase_is_not_asked(site: str, ocean: Ocean, hand: tuple[int, ...]) -> None:
    assert f"{site} reef" not in asked_on_the_way(reef_turn(ocean, hand=hand), site)


@rule("R11.2", "R11.1")
@pytest.mark.parametrize("site", SITES)
def test_a_full_reef_sells_nothing(site: str) -> None:
    full = {"blue": (6, 5, 5), "purple": (5, 6, 5), "green": (5, 5, 6)}[site]
    ocean = {**START_OCEAN, "P3": "2y"}
    assert f"{site} reef" not in asked_on_the_way(reef_turn(ocean, *full, hand=(12,)), site)
    room = tuple(5 for _ in full)
    assert f"{site} reef" in asked_on_the_way(reef_turn(ocean, *room, hand=(12,)), site)


@rule("R11.2")
def test_once_per_dive_and_again_in_the_next() -> None:
    """In the week's second dive there is no deep bonus, but a purchase."""
    state = dive_to(situation(oceans=[{"B5": "303 e", "G2": "301 e"}], reefs=()), "blue", "blue reef")
    state = play(state, "buy_coral:egg:B5").state
    assert deciding(state) == (0, "blue midnight")
    assert refused(state, "buy_coral:egg:G2") == "R11.2"
    state = play(dive_to(settle(state).state, "blue", "blue reef"), "buy_coral:egg:G2").state
    assert state.players[0].reefs == [2, 0, 0]


@rule("R11.2")
def test_the_purchase_may_be_declined_and_the_dive_goes_on() -> None:
    state = dive_to(reef_turn({"B5": "303 e"}), "blue", "blue reef")
    declined = play(state, "pass")
    assert declined.me.reefs == [0, 0, 0]
    assert deciding(declined.state) == (0, "blue midnight")


@rule("R11.2", "R6.1")
@pytest.mark.parametrize(
    ("site", "ocean", "moves", "purchase"),
    [
        pytest.param("blue", {"B2": "75"}, ["pass", "egg:B2"], "egg:B2", id="an egg just laid"),
        pytest.param(
            "purple",
            {"P3": "112", "B5": "303 e"},
            ["pass", "hatch:B5", "pass"],
            "young:B5",
            id="just hatched",
        ),
        pytest.param("green", {"G1": "130"}, ["draw", "pass"], "card:30", id="a card just drawn"),
    ],
)
def test_what_the_diver_got_higher_up_pays(site: str, ocean: Ocean, moves: list[str], purchase: str) -> None:
    """Mahi-Mahi lays an egg, Spotted Parrotfish hatches one, Longfin Batfish lets all players draw."""
    state = reef_turn(ocean, deck=(30, 31))
    assert f"{site} reef" not in asked_on_the_way(state, site)
    state = play(state, f"dive:{site}", *moves).state
    assert (deciding(state), legal(state)) == ((0, f"{site} reef"), [f"buy_coral:{purchase}", "pass"])


@rule("R11.2")
def test_a_coral_bought_counts_for_the_fish_further_down() -> None:
    """Armored Searobin on B4 wants 3 coral when the diver comes to it."""
    state = dive_to(reef_turn({"B4": "138", "B5": "303 e"}, 2, 0, 0, discard=(12, 94)), "blue", "blue reef")
    bought = play(state, "buy_coral:egg:B5", "recover:12").state
    assert deciding(bought) == (0, "138@B4 also")
    declined = play(state, "pass", "recover:12").state
    assert deciding(declined) == (0, "blue midnight")


@rule("R11.2")
def test_who_dives_buys_for_the_own_reef() -> None:
    oceans: list[Ocean] = [{}, {"B5": "303 e"}]
    state = dive_to(situation(oceans=oceans, seat=1, reefs=[(3, 0, 0), (1, 0, 0)]), "blue", "blue reef")
    assert deciding(state) == (1, "blue reef")
    assert [player.reefs[0] for player in play(state, "buy_coral:egg:B5").state.players] == [3, 2]


@rule("R11.2")
@pytest.mark.parametrize(
    ("site", "move", "text"),
    [
        ("blue", "buy_coral:young:P3", "The diver is at the blue reef, where a coral costs 1 egg."),
        ("blue", "buy_coral:egg:P4", "There is no egg on P4 to pay with."),
        ("purple", "buy_coral:young:B2", "There is no young on B2 to pay with."),
        ("green", "buy_coral:card:95", "Red Lionfish is not in your hand."),
    ],
)
def test_a_refused_purchase_says_why(site: str, move: str, text: str) -> None:
    state = dive_to(reef_turn({**START_OCEAN, "B1": "y"}, hand=(12, 94)), site, f"{site} reef")
    assert why_not(state, parse_move(move)) == ("R11.2", text)
