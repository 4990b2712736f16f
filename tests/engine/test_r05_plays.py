"""R5: playing a fish, its price and its place."""

import pytest

from service.engine.cards import CARDS
from service.engine.digest import public_digest
from service.engine.errors import IllegalMove
from service.engine.events import DiverPlaced, FishActivated, FishPlaced
from service.engine.moves import parse_move
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.reasons import why_not, why_nothing
from service.engine.rules import DecisionKind, apply_all, decision, legal_moves
from service.engine.scoring import COUNTERS, score
from service.engine.state import GameState, divers_left
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    deciding,
    just_played,
    legal,
    ocean_of,
    play,
    refused,
    situation,
)


def turn(hand: tuple[int, ...], ocean: Ocean = START_OCEAN) -> GameState:
    """Return the first player's turn with this hand and ocean."""
    return situation(oceans=[ocean, START_OCEAN], hands=[hand])


def places(state: GameState, card: int) -> str:
    """Return the slots where a card may be put now, in order."""
    return " ".join(move.split("@")[1] for move in legal(state, f"play:{card}@"))


def is_paying(state: GameState) -> bool:
    asked = decision(state)
    return asked is not None and asked.kind is DecisionKind.PAY


# R5.1: the cost


@rule("R5.1")
@pytest.mark.parametrize(
    ("hand", "ocean", "move"),
    [
        pytest.param((121,), {"P3": "2y s", "P1": "2y s"}, "play:121@G1", id="no egg, but young and schools"),
        pytest.param((78,), {"B5": "303 e", "P3": "s"}, "play:78@P1", id="no young, but an egg and a school"),
        pytest.param((119,), {"P3": "2y", "P1": "2y"}, "play:119@P6", id="no school, but four young"),
        pytest.param((131,), {"B5": "303 e", "P3": "y s"}, "play:131@B1", id="no other card, but tokens"),
        pytest.param((44, 12, 94), {}, "play:44@P6", id="two other cards for three"),
        pytest.param((126,), {"G2": "301 e"}, "play:126@G5", id="one egg for two"),
        pytest.param((10, 12), {"G2": "301 e"}, "play:10@B1", id="card and egg, but no young"),
    ],
)
def test_a_cost_that_cannot_be_met(hand: tuple[int, ...], ocean: Ocean, move: str) -> None:
    """Kinds never substitute each other, and the card does not pay for itself."""
    assert refused(turn(hand, ocean), move) == "R5.1"
    assert legal(turn(hand, ocean), move.partition("@")[0]) == []


@rule("R5.1")
@pytest.mark.parametrize(
    ("hand", "move", "sentence"),
    [
        ((95,), "play:95@B1", "Red Lionfish costs 1 card and your hand holds no other."),
        ((44, 1, 3), "play:44@P6", "Faceless Cusk costs 3 cards and your hand holds only 2 others."),
        ((57,), "play:57@B5", "Great White Shark costs 2 young and your ocean holds only 1."),
        ((119,), "play:119@B1", "Whale Shark costs 1 school and your ocean holds none."),
    ],
)
def test_a_refusal_says_what_is_missing(hand: tuple[int, ...], move: str, sentence: str) -> None:
    assert why_not(turn(hand), parse_move(move)) == ("R5.1", sentence)


@rule("R5.1")
def test_the_opponents_tokens_and_cards_pay_nothing() -> None:
    state = situation(oceans=[{}, {**START_OCEAN, "B1": "2y s"}], hands=[(121, 78, 119), (1, 3)])
    assert legal(state, "play") == []


@rule("R5.1")
def test_kinds_are_paid_in_order_and_each_unit_is_chosen() -> None:
    """Atlantic Sailfish: a card, an egg, a young."""
    state = turn((10, 1, 3))
    asked = play(state, "play:10@B1").state
    assert legal(asked) == ["pay_card:1", "pay_card:3"]
    assert refused(asked, "pay_egg:B5") == "R5.1"
    asked = play(asked, "pay_card:3").state
    assert legal(asked) == ["pay_egg:B5", "pay_egg:G2"]
    assert refused(asked, "pay_card:1") == "R5.1"
    assert refused(asked, "pay_young:P3") == "R5.1"
    paid = play(asked, "pay_egg:G2")
    assert ocean_of(paid.me) == {"B1": "10", "B5": "303 e"}
    assert (paid.me.hand, paid.me.discard) == ([1], [3])


@rule("R5.1")
def test_the_card_being_played_waits_in_the_hand_and_cannot_pay() -> None:
    asked = play(turn((44, 1, 3, 12, 94)), "play:44@P6").state
    assert asked.players[0].hand == [1, 3, 12, 44, 94]
    assert legal(asked) == ["pay_card:1", "pay_card:3", "pay_card:12", "pay_card:94"]
    assert refused(asked, "pay_card:44") == "R5.1"
    assert refused(asked, "pay_card:95") == "R5.1"
    assert "P6" not in ocean_of(asked.players[0])


@rule("R5.1")
@pytest.mark.parametrize(
    ("hand", "ocean", "moves", "left"),
    [
        pytest.param((44, 1, 3, 12), {}, ["play:44@P6"], {"P6": "44"}, id="all cards of the hand"),
        pytest.param(
            (44, 1, 3, 12, 94),
            {},
            ["play:44@P6", "pay_card:1", "pay_card:3", "pay_card:12"],
            {"P6": "44"},
            id="3 of 4 cards",
        ),
        pytest.param((126,), START_OCEAN, ["play:126@G5"], {"G5": "126", "P3": "y"}, id="all eggs"),
        pytest.param((17,), {"B1": "2y"}, ["play:17@P1"], {"P1": "17"}, id="all young of one slot"),
        pytest.param(
            (17,), {"B1": "y", "G6": "y"}, ["play:17@P1"], {"P1": "17"}, id="all young of two slots"
        ),
        pytest.param(
            (17,), {"B1": "5y s"}, ["play:17@P1"], {"B1": "3y s", "P1": "17"}, id="one distinct unit, twice"
        ),
        pytest.param(
            (17,),
            {"B1": "y", "G6": "2y"},
            ["play:17@P1", "pay_young:B1"],
            {"G6": "y", "P1": "17"},
            id="one distinct unit is left",
        ),
        pytest.param(
            (17,),
            {"B1": "y", "G6": "2y"},
            ["play:17@P1", "pay_young:G6", "pay_young:G6"],
            {"B1": "y", "P1": "17"},
            id="a choice each time",
        ),
        pytest.param((119,), {"B1": "s"}, ["play:119@P6"], {"P6": "119"}, id="the only school"),
        pytest.param((121,), {"B5": "303 e"}, ["play:121@B1"], {"B1": "121"}, id="the only egg"),
    ],
)
def test_what_is_no_choice_is_paid_without_asking(
    hand: tuple[int, ...], ocean: Ocean, moves: list[str], left: Ocean
) -> None:
    """Tested again after each unit."""
    paid = play(turn(hand, ocean), *moves)
    assert not is_paying(paid.state)
    assert ocean_of(paid.me) == left
    for upto in range(1, len(moves)):
        assert is_paying(play(turn(hand, ocean), *moves[:upto]).state)


@rule("R5.1")
def test_each_distinct_unit_is_offered_once() -> None:
    asked = play(turn((17,), {"B1": "5y s", "G6": "2y"}), "play:17@P1").state
    assert legal(asked) == ["pay_young:B1", "pay_young:G6"]


@rule("R5.1")
def test_a_token_that_is_not_there_pays_nothing() -> None:
    asked = play(turn((17,), {"B1": "5y s", "G6": "2y"}), "play:17@P1").state
    assert refused(asked, "pay_young:P1") == "R5.1"
    assert refused(asked, "pay_school:B1") == "R5.1"
    eggs = play(turn((121,)), "play:121@B1").state
    assert refused(eggs, "pay_egg:P4") == "R5.1"


@rule("R5.1")
@pytest.mark.parametrize(
    ("egg", "after"), [("B1", {"B1": "121 <131", "G2": "301 e"}), ("G2", {"B1": "121 e <131"})]
)
def test_the_egg_on_the_fish_to_be_covered_may_be_paid(egg: str, after: Ocean) -> None:
    state = turn((121,), {"B1": "131 e", "G2": "301 e"})
    assert ocean_of(play(state, "play:121@B1", f"pay_egg:{egg}").me) == after


@rule("R5.1")
def test_the_young_on_the_slot_to_be_filled_may_be_paid() -> None:
    state = turn((78,), {"P1": "y", "B1": "y"})
    assert ocean_of(play(state, "play:78@P1", "pay_young:P1").me) == {"P1": "78", "B1": "y"}


@rule("R5.1", "R7.2")
def test_a_paid_card_lies_in_the_discard_pile_before_the_ability_resolves() -> None:
    """Hogfish costs 2 cards and a young and recovers 2."""
    state = play(turn((61, 1, 3)), "play:61@B1").state
    assert state.players[0].discard == [1, 3]
    assert legal(state, "recover") == ["recover:1", "recover:3"]


@rule("R5.1")
def test_cards_are_paid_into_the_own_pile() -> None:
    state = situation(oceans=[START_OCEAN] * 3, hands=[(), (95, 12)], seat=1, discards=[(1,), (3,), (94,)])
    paid = play(state, "play:95@B1").state
    assert [player.discard for player in paid.players] == [[1], [3, 12], [94]]


# R5.2: consume as a cost


@rule("R5.2")
@pytest.mark.parametrize(
    ("lying", "rule_"),
    [
        pytest.param("", "R5.2", id="no fish"),
        pytest.param("2y s", "R5.2", id="only tokens"),
        pytest.param("84", "R5.2", id="a longer one"),
        pytest.param("108", None, id="a shorter one"),
        pytest.param("108 <44,123", None, id="a shorter one that has eaten"),
    ],
)
def test_a_consume_cost_wants_a_shorter_visible_fish(lying: str, rule_: str | None) -> None:
    """Pelican Eel is 100 cm long, Pacific White Skate 150, Snipe Eel 80."""
    state = turn((89,), {"B6": lying})
    assert places(state, 89) == ("B5 B6 P4" if rule_ is None else "B5 P4")
    if rule_:
        assert refused(state, "play:89@B6") == rule_


@rule("R5.2")
def test_a_consume_cost_is_not_met_by_a_fish_as_long() -> None:
    assert CARDS[5].length_cm == CARDS[73].length_cm == 200
    assert refused(turn((73,), {"B1": "5 <46"}), "play:73@B1") == "R5.2"


@rule("R5.2")
@pytest.mark.parametrize(("card", "where"), [(8, "G2"), (5, "P4 G2"), (73, "B5 P4 G2"), (89, "B5 P4")])
def test_forage_fish_are_consumed_in_the_zones_of_the_card(card: int, where: str) -> None:
    assert places(turn((card,)), card) == where


# R5.3: the place


@rule("R5.3")
@pytest.mark.parametrize(
    ("card", "where"),
    [
        pytest.param(95, "B1 B2 B3 P1 P2 P3 G1 G2 G3", id="Sunlight"),
        pytest.param(50, "B4 P4 G4", id="Twilight"),
        pytest.param(3, "B5 B6 P5 P6 G5 G6", id="Midnight"),
        pytest.param(41, "B1 B2 B3 B4 P1 P2 P3 P4 G1 G2 G3 G4", id="Sunlight and Twilight"),
        pytest.param(47, "B4 B5 B6 P4 P5 P6 G4 G5 G6", id="Twilight and Midnight"),
        pytest.param(21, "B1 B2 B3 B4 B5 B6 P1 P2 P3 P4 P5 P6 G1 G2 G3 G4 G5 G6", id="everywhere"),
        pytest.param(97, "B1 B2 B3", id="Sunlight, blue"),
        pytest.param(133, "P1 P2 P3", id="Sunlight, purple"),
        pytest.param(94, "G1 G2 G3", id="Sunlight, green"),
        pytest.param(120, "B1 B2 B3 B4", id="Sunlight and Twilight, blue"),
        pytest.param(126, "G4 G5 G6", id="Twilight and Midnight, green"),
        pytest.param(44, "B6 P6 G6", id="bottom row"),
        pytest.param(77, "B6 P6 G6", id="bottom row, for two cards"),
    ],
)
def test_zone_band_and_row(card: int, where: str) -> None:
    state = turn((card, 17, 48, 107))
    assert places(state, card) == where
    for slot in SLOTS_BY_NAME.keys() - set(where.split()):
        assert refused(state, f"play:{card}@{slot}") == "R5.3"


@rule("R5.3")
def test_a_card_that_is_not_in_the_hand_is_not_played() -> None:
    state = situation(hands=[(), (95, 12)], discards=[(131,)])
    assert {refused(state, f"play:{card}@B1") for card in (95, 12, 131, 25)} == {"R5.1"}


# R5.4: covering


@rule("R5.4")
@pytest.mark.parametrize(
    ("lying", "refusal"),
    [
        pytest.param("14", None, id="9 cm"),
        pytest.param("92", "R5.4", id="50 cm"),
        pytest.param("79", "R5.4", id="50 cm too"),
        pytest.param("25", "R5.4", id="70 cm"),
    ],
)
def test_only_a_strictly_longer_fish_covers(lying: str, refusal: str | None) -> None:
    """White-Spotted Puffer is 50 cm long."""
    state = turn((121,), {"G1": lying, "B5": "303 e"})
    if refusal is None:
        assert ocean_of(play(state, "play:121@G1").me)["G1"] == f"121 <{lying}"
    else:
        assert refused(state, "play:121@G1") == refusal


@rule("R5.4")
def test_what_lay_under_the_fish_stays_under_the_card() -> None:
    state = turn((95, 12), {"B1": "46 <131"})
    assert ocean_of(play(state, "play:95@B1").me)["B1"] == "95 <46,131"


@rule("R5.4", "R9.2")
@pytest.mark.parametrize(
    ("ocean", "printed", "consumed", "predators", "activated"),
    [
        ({"G4": "5 e"}, 4, 0, 1, 1),
        ({"G4": "81 e <5"}, 4, 1, 0, 0),
        ({"G4": "53 e <5,81"}, 9, 2, 2, 0),
    ],
    ids=["Angler", "covered by Ocean Sunfish", "covered again by Giant Oarfish"],
)
def test_a_covered_fish_counts_as_consumed_only(
    ocean: Ocean, printed: int, consumed: int, predators: int, activated: int
) -> None:
    player = turn((), ocean).players[0]
    assert (score(player).printed, score(player).consumed) == (printed, consumed)
    assert COUNTERS["predator_tags"](player) == predators
    assert COUNTERS["if_activated_fish"](player) == activated


# R5.5: when played


@rule("R5.5")
@pytest.mark.parametrize(
    ("fish", "begun"),
    [
        pytest.param("131@B1", [131], id="when played"),
        pytest.param("133@P1", [], id="if activated"),
        pytest.param("30@B1", [], id="points at the end"),
        pytest.param("62@B1", [], id="benefits at the end"),
    ],
)
def test_only_a_when_played_ability_begins(fish: str, begun: list[int]) -> None:
    card = int(fish.partition("@")[0])
    played = just_played(turn((card,)), fish)
    assert deciding(played.state) == ((0, fish) if begun else (1, "R3.1"))
    assert [event.source.card for event in played.all_of(FishActivated)] == begun


@rule("R5.5", "R3.2")
@pytest.mark.parametrize("order", ["draw egg draw draw", "egg draw draw draw", "draw draw draw egg"])
def test_benefits_are_taken_in_the_order_the_player_picks(order: str) -> None:
    state = just_played(situation(hands=[(131,)], deck=(1, 3, 5)), "131@B1").state
    ended = play(state, *order.replace("egg", "egg:B1").split())
    assert ended.me.hand == [1, 3, 5]
    assert ocean_of(ended.me)["B1"] == "131 e"
    assert ended.state.seat == 1


@rule("R5.5")
def test_the_card_lies_there_before_its_benefits() -> None:
    """It can take the egg that it lays, and fills the zone for the dive of the next turn."""
    assert "egg:B1" in legal(just_played(turn((131,)), "131@B1").state)


# R5.6: all or nothing


@rule("R5.6")
@pytest.mark.parametrize(
    ("hand", "ocean", "card", "reason"),
    [
        pytest.param((95,), {}, 95, "R5.1", id="no card to pay"),
        pytest.param((126,), {"G2": "301 e"}, 126, "R5.1", id="an egg too few"),
        pytest.param((27,), {"G2": "301 e"}, 27, "R5.1", id="a young too few"),
        pytest.param((119,), {}, 119, "R5.1", id="a school too few"),
        pytest.param((4,), {"G2": "57 <301"}, 4, "R5.2", id="nothing to consume"),
        pytest.param((94, 12), {"G1": "14", "G2": "25 <301", "G3": "112"}, 94, "R5.4", id="no free place"),
    ],
)
def test_a_card_whose_cost_or_place_cannot_be_met_is_not_offered(
    hand: tuple[int, ...], ocean: Ocean, card: int, reason: str
) -> None:
    state = turn(hand, ocean)
    assert legal(state, f"play:{card}@") == []
    assert dict(why_nothing(state, legal_moves(state)))[card].rule == reason


@rule("R5.6")
def test_a_card_that_can_be_played_has_no_such_reason() -> None:
    state = turn((95, 12))
    assert legal(state, "play:95@")
    assert 95 not in dict(why_nothing(state, legal_moves(state)))


@rule("R5.6")
def test_moves_in_a_row_stop_at_the_first_that_is_refused() -> None:
    state = turn((95, 131, 1, 3))
    before = public_digest(state)
    with pytest.raises(IllegalMove) as refusal:
        list(apply_all(state, map(parse_move, ["play:95@B1", "pay_card:1", "play:131@B4"])))
    assert (refusal.value.index, refusal.value.refusal.rule) == (2, "R5.7")
    assert public_digest(state) == before


# R5.7: play as a benefit


@rule("R5.7")
def test_a_play_as_a_benefit_is_paid_and_placed_like_any_other() -> None:
    """Chola Guitarfish plays Emperor Red Snapper into purple, for a card and an egg."""
    state = just_played(turn((29, 39, 1, 3), {"B5": "303 e", "P4": "302 e"}), "29@B1").state
    assert places(state, 39) == "P1 P2 P3"
    asked = play(state, "play:39@P2").state
    assert deciding(asked) == (0, "39@P2")
    paid = play(asked, "pay_card:3", "pay_egg:P4")
    assert (paid.me.hand, paid.me.discard) == ([1], [3])
    assert ocean_of(paid.me) == {"B1": "29", "B5": "303 e", "P2": "39"}
    assert paid.state.seat == 1


@rule("R5.7", "R3.1")
def test_plays_chain_without_a_further_diver() -> None:
    ocean = {"B5": "303 e", "P4": "302 e", "G2": "301 e"}
    moves = ["play:95@B1", "pay_card:1", "play:33@P1", "pay_card:3", "pay_egg:B5", "play:29@P2"]
    played = play(turn((95, 33, 29, 1, 3, 115), ocean), *moves)
    assert [event.card for event in played.all_of(FishPlaced)] == [95, 33, 29]
    assert len(played.all_of(DiverPlaced)) == 1
    assert ocean_of(played.me) == {"B1": "95", "P1": "33", "P2": "29"}
    assert (played.state.seat, divers_left(played.state, 0)) == (1, 5)


@rule("R5.7", "R7.8")
def test_the_inner_card_resolves_completely_before_the_turn_goes_on() -> None:
    """Abyssal Halosaur plays Humpback Anglerfish, whose all-players ability reaches everybody first."""
    ocean = {**START_OCEAN, "P3": "2y"}
    state = just_played(turn((2, 63), ocean), "2@B6").state
    state = play(state, "play:63@P6").state
    assert (deciding(state), legal(state)) == ((0, "63@P6"), ["egg_each", "pass"])
    laid = play(state, "egg_each")
    assert ocean_of(laid.me) == {"B5": "303 e", "B6": "2 e", "P6": "63 e", "G2": "301 e"}
    assert deciding(laid.state) == (1, "R3.1")


@rule("R5.7")
@pytest.mark.parametrize(
    ("move", "rule_"),
    [
        pytest.param("play:25@G1", "R5.7", id="outside the place"),
        pytest.param("play:133@B1", "R5.7", id="outside the place and the band"),
        pytest.param("play:94@P1", "R5.3", id="against its band"),
        pytest.param("play:3@P3", "R5.3", id="against its zone"),
        pytest.param("play:4@P1", "R5.2", id="nothing to consume"),
        pytest.param("play:25@P2", "R5.4", id="onto a longer fish"),
        pytest.param("play:119@P1", "R5.1", id="cannot be paid"),
        pytest.param("play:12@P1", "R5.7", id="not in the hand"),
        pytest.param("dive:blue", "R3.1", id="no dive"),
    ],
)
def test_a_play_as_a_benefit_that_is_refused(move: str, rule_: str) -> None:
    state = turn((29, 25, 133, 94, 3, 4, 119), {**START_OCEAN, "P2": "39"})
    assert refused(just_played(state, "29@B1").state, move) == rule_


@rule("R5.7")
def test_the_fish_that_plays_may_itself_be_covered() -> None:
    """Black Swallower is 25 cm long, Silver Lightfish 30."""
    state = just_played(turn((22, 103, 12, 94)), "22@G4").state
    assert ocean_of(play(state, "play:103@G4").me)["G4"] == "103 <22"


# R5.8: free play, by cards of Sharks & Reefs


def playing_for_free(card: int, hand: tuple[int, ...], ocean: Ocean) -> GameState:
    """Return the state in which a card just played on P4 lets another be played for free."""
    state = situation(oceans=[ocean, START_OCEAN], hands=[(card, *hand)], deck=(1, 3, 5, 7), reefs=())
    return just_played(state, f"{card}@P4").state


BIOLUMINESCENT, SMALL, MEDIUM, CAMOUFLAGE = 150, 170, 192, 200


@rule("R5.8")
def test_a_free_play_costs_nothing() -> None:
    state = playing_for_free(BIOLUMINESCENT, (50, 12, 94), {})
    played = play(state, "play:50@B4")
    assert (played.me.hand, played.me.discard) == ([12, 94], [])
    assert ocean_of(played.me)["B4"] == "50"
    assert played.state.seat == 1


@rule("R5.8")
def test_a_free_play_waives_a_consume_cost() -> None:
    """Elsman's Whipnose costs a young and consumes; there is no young, and most slots are empty."""
    state = playing_for_free(BIOLUMINESCENT, (38,), {"P5": "108"})
    assert places(state, 38) == "B4 B5 B6 P4 P6 G4 G5 G6"
    assert refused(state, "play:38@P5") == "R5.4"
    assert ocean_of(play(state, "play:38@G5").me)["G5"] == "38"
    assert ocean_of(play(state, "play:38@B5").me)["B5"] == "38 <303"


@rule("R5.8", "R5.3", "R5.4")
@pytest.mark.parametrize(
    ("move", "rule_"),
    [
        ("play:50@B3", "R5.3"),
        ("play:100@G4", "R5.3"),
        ("play:44@P5", "R5.8"),
        ("play:103@P5", "R5.4"),
        ("play:127@B4", "R5.7"),
    ],
    ids=["zone", "band", "filter", "longer fish", "not in the hand"],
)
def test_a_free_play_waives_nothing_else(move: str, rule_: str) -> None:
    assert refused(playing_for_free(BIOLUMINESCENT, (44, 50, 100, 103), {"P5": "108"}), move) == rule_


@rule("R5.8")
@pytest.mark.parametrize(
    ("card", "fits"),
    [
        (BIOLUMINESCENT, [50, 103]),
        (SMALL, [50, 103, 69]),
        (MEDIUM, [108, 71, 29]),
        (CAMOUFLAGE, [29, 50, 69]),
    ],
    ids=["tag bioluminescent", "small", "medium", "tag camouflage"],
)
def test_the_filter_holds(card: int, fits: list[int]) -> None:
    state = playing_for_free(card, (29, 50, 69, 71, 84, 103, 108), {})
    offered = {move.card for move in legal_moves(state) if move.card}
    assert offered == set(fits)
    for other in {29, 50, 69, 71, 84, 103, 108} - set(fits):
        assert refused(state, f"play:{other}@B4") == "R5.8"


@rule("R5.8", "R5.5")
def test_a_fish_played_for_free_has_its_when_played() -> None:
    played = play(playing_for_free(BIOLUMINESCENT, (127,), {}), "play:127@G4")
    assert deciding(played.state) == (0, "127@G4")
    assert play(played.state, *["draw"] * 4).me.hand == [1, 3, 5, 7]
