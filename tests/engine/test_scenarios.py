"""The positions with the right outcome, each by its number: what a player at the table would see.

Seats are counted from 0, so that "player 2" is seat 1. Scenarios of parts of the game that are still to come
keep their text in their docstrings.
"""

import pytest

from service.engine.cards import CARDS
from service.engine.check import check
from service.engine.events import (
    CardDrawn,
    DeckRenewed,
    DiverPlaced,
    GameOver,
    TurnBegan,
    WeekScored,
)
from service.engine.moves import PASS
from service.engine.rules import Decision, DecisionKind, apply, decision, legal_moves, new_game
from service.engine.scoring import game_end_points, score, score_sheet
from service.engine.state import GameState, WeekPoints, divers_left
from tests.marks import rule, waits_for
from tests.table import (
    START_OCEAN,
    Ocean,
    deciding,
    legal,
    ocean_of,
    play,
    refused,
    settle,
    situation,
)


def question(state: GameState) -> Decision:
    """Return the open decision of a game that is not over."""
    asked = decision(state)
    assert asked is not None
    return asked


# Setup and turn


@rule("R2.1")
def test_s01_setup_for_three() -> None:
    state, _ = new_game(3, seed="s01")
    assert len(state.players) == 3
    for seat, player in enumerate(state.players):
        decks = sorted(CARDS[card].deck for card in player.hand)
        assert decks == ["main", "main", "main", "starter", "starter"]
        assert divers_left(state, seat) == 6
        assert ocean_of(player) == START_OCEAN
    assert len(state.deck) == 125 - 9
    assert len(state.undealt) == 4


@rule("R3.1")
def test_s03_four_players_take_96_turns_and_nobody_passes() -> None:
    state, happened = new_game(4, seed="s03")
    turns = [event for event in happened if isinstance(event, TurnBegan)]
    while moves := legal_moves(state):
        if question(state).kind is DecisionKind.TURN:
            assert PASS not in moves
        state, happened = apply(state, moves[state.version % len(moves)])
        turns += [event for event in happened if isinstance(event, TurnBegan)]
    assert state.is_over
    assert len(turns) == 96
    assert {seat: sum(turn.seat == seat for turn in turns) for seat in range(4)} == dict.fromkeys(
        range(4), 24
    )


@rule("R3.1")
def test_s04_without_cards_only_the_three_dives_are_legal() -> None:
    assert legal(situation(hands=[()])) == ["dive:blue", "dive:purple", "dive:green"]


# Paying and placing


@rule("R5.1")
def test_s06_a_card_does_not_pay_for_itself() -> None:
    state = situation(hands=[(95,)])
    assert legal(state, "play") == []
    assert refused(state, "play:95@B1") == "R5.1"


@rule("R5.1", "R5.3")
def test_s07_the_other_card_pays() -> None:
    state = situation(hands=[(95, 12)])
    places = [move.removeprefix("play:95@") for move in legal(state, "play:95")]
    assert places == ["B1", "B2", "B3", "P1", "P2", "P3", "G1", "G2", "G3"]
    played = play(state, "play:95@B1")
    assert played.me.discard == [12]
    assert played.me.hand == []
    assert ocean_of(played.me)["B1"] == "95"


@rule("R5.1", "R5.2", "R4.5", "R7.8")
def test_s08_great_white_shark_pays_young_and_covers_the_grenadier() -> None:
    mine = {**START_OCEAN, "B1": "y", "P5": "31"}
    yours = {**START_OCEAN, "P6": "123"}
    state = situation(oceans=[mine, yours], hands=[(57,)])
    played = play(state, "play:57@B5")
    assert ocean_of(played.me) == {"B5": "57 e <303", "G2": "301 e", "P5": "31"}
    assert (deciding(played.state), legal(played.state)) == ((0, "57@B5"), ["egg_each", "pass"])
    laid = play(played.state, "egg_each")
    assert ocean_of(laid.me)["P5"] == "31 e"
    assert (deciding(laid.state), legal(laid.state)) == ((1, "57@B5"), ["egg_each", "pass"])
    assert ocean_of(play(laid.state, "egg_each").state.players[1])["P6"] == "123 e"


@rule("R5.1", "R5.6")
def test_s09_one_young_does_not_pay_for_two() -> None:
    state = situation(hands=[(57,)])
    assert legal(state, "play") == []
    assert refused(state, "play:57@B5") == "R5.1"


@rule("R5.4")
def test_s11_a_longer_fish_without_consume_cost_covers_forage() -> None:
    assert CARDS[103].length_cm == 30
    played = play(situation(hands=[(103, 1, 3)]), "play:103@B5")
    assert ocean_of(played.me)["B5"] == "103 e <303"


@rule("R5.4")
@pytest.mark.parametrize("lying", [108, 100], ids=["longer", "as long"])
def test_s12_no_fish_covers_a_longer_one(lying: int) -> None:
    state = situation(oceans=[{**START_OCEAN, "B6": str(lying)}, START_OCEAN], hands=[(103, 1, 3)])
    assert refused(state, "play:103@B6") == "R5.4"


@rule("R5.2")
def test_s13_a_consume_cost_needs_a_fish_on_the_slot() -> None:
    state = situation(hands=[(89,)])
    assert refused(state, "play:89@P5") == "R5.2"
    assert legal(state, "play:89") == ["play:89@B5", "play:89@P4"]


@rule("R5.1", "R5.3")
def test_s14_barreleye_pays_both_eggs_and_goes_low_into_green() -> None:
    state = situation(hands=[(126,)])
    assert legal(state, "play") == ["play:126@G4", "play:126@G5", "play:126@G6"]
    assert ocean_of(play(state, "play:126@G5").me) == {"G5": "126", "P3": "y"}


@rule("R5.3")
def test_s15_barreleye_keeps_to_its_band() -> None:
    assert refused(situation(hands=[(126,)]), "play:126@B5") == "R5.3"


@rule("R4.5")
def test_s17_a_young_passes_to_the_fish_placed_on_its_slot() -> None:
    assert ocean_of(play(situation(hands=[(95, 12)]), "play:95@P3").me)["P3"] == "95 y"


@rule("R4.5", "R5.4")
def test_s18_all_that_lay_under_a_fish_stays_there() -> None:
    state = situation(oceans=[{"B1": "95 e 2y s <46,131"}, START_OCEAN], hands=[(25, 12)])
    assert ocean_of(play(state, "play:25@B1").me)["B1"] == "25 e 2y s <46,95,131"


@rule("R5.1")
@pytest.mark.parametrize(("paid", "kept"), [("B1", "P2"), ("P2", "B1")])
def test_s19_the_player_chooses_which_school_to_pay(paid: str, kept: str) -> None:
    state = situation(oceans=[{"B1": "s", "P2": "s"}, START_OCEAN], hands=[(119,)])
    asked = play(state, "play:119@P6").state
    assert legal(asked) == ["pay_school:B1", "pay_school:P2"]
    assert ocean_of(play(asked, f"pay_school:{paid}").me) == {kept: "s", "P6": "119"}


@rule("R5.3")
def test_s21_faceless_cusk_lives_in_the_bottom_row() -> None:
    state = situation(hands=[(44, 1, 3, 12)])
    assert refused(state, "play:44@P5") == "R5.3"
    assert ocean_of(play(state, "play:44@P6").me)["P6"] == "44"


@rule("R5.5", "R3.2")
@pytest.mark.parametrize(
    ("chosen", "tokens"),
    [
        (["egg:G5", "hatch:G5", "egg:G5"], {"G5": "47 e y", "B5": "303 e", "G2": "301 e"}),
        (["hatch:B5", "egg:B5", "egg:G5"], {"G5": "47 e", "B5": "303 e y", "G2": "301 e"}),
        (["egg:P4", "egg:G5", "pass"], {"G5": "47 e", "P4": "302 e", "B5": "303 e", "G2": "301 e"}),
        (["hatch:G2", "pass"], {"G5": "47", "B5": "303 e", "G2": "301 y"}),
        (["pass"], {"G5": "47", "B5": "303 e", "G2": "301 e"}),
    ],
)
def test_s23_benefits_in_any_order_and_any_of_them(chosen: list[str], tokens: Ocean) -> None:
    state = situation(hands=[(47, 1, 3, 12)])
    played = play(state, "play:47@G5", *chosen)
    assert ocean_of(played.me) == {**tokens, "P3": "y"}
    assert played.state.seat == 1


# Played by an ability


@rule("R5.7", "R3.1")
def test_s24_abyssal_halosaur_plays_faceless_cusk_without_a_diver() -> None:
    state = situation(hands=[(2, 44, 1, 3, 12)])
    played = play(state, "play:2@G6")
    assert legal(played.state, "play:44") == ["play:44@B6", "play:44@P6"]
    assert refused(played.state, "play:1@B5") == "R5.7"
    ended = play(played.state, "play:44@B6")
    assert ocean_of(ended.me) == {"B5": "303 e", "B6": "44", "G2": "301 e", "G6": "2"}
    assert ended.me.discard == [1, 3, 12]
    assert len(played.all_of(DiverPlaced) + ended.all_of(DiverPlaced)) == 1
    assert (ended.state.seat, divers_left(ended.state, 0)) == (1, 5)


@rule("R5.7", "R5.5")
def test_s26_red_lionfish_plays_mandarinfish_whose_benefits_follow() -> None:
    state = situation(hands=[(95, 131, 1, 3)], deck=(6, 10, 12))
    played = play(state, "play:95@B1", "pay_card:1", "play:131@P1")
    assert played.me.discard == [1, 3]
    assert deciding(played.state) == (0, "131@P1")
    ended = play(played.state, "draw", "egg:P1", "draw", "draw")
    assert ended.me.hand == [6, 10, 12]
    assert ocean_of(ended.me) == {**START_OCEAN, "B1": "95", "P1": "131 e"}
    assert ended.state.seat == 1


@rule("R5.7", "R5.3")
def test_s27_a_blue_band_card_does_not_go_to_green() -> None:
    state = play(situation(hands=[(22, 90, 121)]), "play:22@B5").state
    assert legal(state) == ["play:121@G1", "play:121@G2", "play:121@G3", "pass"]
    assert refused(state, "play:90@G1") == "R5.3"
    assert refused(state, "play:90@B1") == "R5.7"


@rule("R5.8")
def test_s28_dwarf_lanternshark_plays_a_bioluminescent_fish_for_free() -> None:
    """Giant Hatchetfish costs 2 cards; Little Skate has no light. Both may lie in the Twilight zone."""
    state = situation(hands=[(150, 50, 71, 12, 94)], reefs=())
    state = play(state, "play:150@P4", "pay_card:12", "pay_card:94").state
    assert refused(state, "play:71@B4") == "R5.8"
    played = play(state, "play:50@B4")
    assert ocean_of(played.me)["B4"] == "50"
    assert (played.me.hand, played.me.discard) == ([71], [12, 94])
    assert deciding(played.state) == (1, "R3.1")


# Dives


@rule("R6.2", "R6.4", "R7.2")
def test_s30_the_first_blue_dive_draws_two_cards() -> None:
    played = play(situation(deck=(1, 3)), "dive:blue")
    assert (deciding(played.state), legal(played.state)) == ((0, "blue midnight"), ["draw", "pass"])
    deep = play(played.state, "draw")
    assert (deciding(deep.state), legal(deep.state)) == ((0, "blue deep"), ["draw", "pass"])
    ended = play(deep.state, "draw")
    assert ended.me.hand == [1, 3]
    assert ended.state.seat == 1


@rule("R6.2", "R6.4")
@pytest.mark.parametrize("hatched", ["B5", "G2"])
def test_s32_the_first_green_dive_hatches_and_moves(hatched: str) -> None:
    state = play(situation(), "dive:green").state
    assert (deciding(state), legal(state)) == ((0, "green sunlight"), ["hatch:B5", "hatch:G2", "pass"])
    state = play(state, f"hatch:{hatched}").state
    assert deciding(state) == (0, "green deep")
    assert f"move_young:{hatched}>{hatched[0]}1" in legal(state)
    moved = play(state, "move_young:P3>P1")
    assert ocean_of(moved.me)["P1"] == "y"
    assert moved.state.seat == 1


@rule("R6.3")
def test_s33_the_second_green_dive_of_a_week_has_no_deep_bonus() -> None:
    first = settle(play(situation(), "dive:green").state)
    second = settle(play(settle(play(first.state, "dive:blue").state).state, "dive:green").state)
    assert first.declined == ["green sunlight", "green deep"]
    assert second.declined == ["green sunlight"]


@rule("R6.3", "R8.1")
def test_s34_the_deep_bonus_is_back_next_week() -> None:
    state = situation(turn=6, seat=1, deep_used=[("green",)])
    state = settle(play(state, "dive:blue").state).state
    assert (state.week, state.seat) == (2, 1)
    state = settle(play(state, "dive:blue").state).state
    assert settle(play(state, "dive:green").state).declined == ["green sunlight", "green deep"]


@rule("R6.3")
def test_s35_the_deep_bonus_is_each_players_own() -> None:
    state = settle(play(situation(), "dive:blue").state).state
    assert settle(play(state, "dive:blue").state).declined == ["blue midnight", "blue deep"]


@rule("R6.1", "R6.2")
def test_s37_an_empty_zone_gives_no_bonus() -> None:
    mine = {**START_OCEAN, "G1": "94", "G6": "126"}
    down = settle(play(situation(oceans=[mine, START_OCEAN]), "dive:green").state)
    assert down.declined == ["green sunlight", "94@G1", "green midnight", "126@G6", "green deep"]


@rule("R5.4", "R6.2")
@pytest.mark.parametrize(("laid", "acting"), [("94", "94@G1"), ("95 <94", None), ("112 <94", "112@G1")])
def test_s38_only_the_covering_fish_may_act(laid: str, acting: str | None) -> None:
    state = situation(oceans=[{**START_OCEAN, "G1": laid}, START_OCEAN])
    fish = [source for source in settle(play(state, "dive:green").state).declined if "@" in source]
    assert fish == ([acting] if acting else [])


@rule("R3.2", "R6.1")
def test_s39_the_dive_goes_on_after_a_declined_benefit() -> None:
    mine = {**START_OCEAN, "P1": "133", "P5": "106"}
    state = play(situation(oceans=[mine, START_OCEAN]), "dive:purple").state
    assert deciding(state) == (0, "purple sunlight")
    below = ["133@P1", "purple twilight", "purple midnight", "106@P5", "purple deep"]
    assert settle(state).declined == ["purple sunlight", *below]
    assert ocean_of(play(state, "pass", "egg:P4").me)["P4"] == "302 e"


@rule("R7.8")
def test_s40_the_others_may_draw_when_the_active_player_declines() -> None:
    mine = {**START_OCEAN, "G1": "130"}
    state = situation(oceans=[mine, START_OCEAN, START_OCEAN], deck=(1, 3))
    state = play(state, "dive:green", "pass").state
    assert deciding(state) == (0, "130@G1")
    state = play(state, "pass").state
    assert (deciding(state), legal(state)) == ((1, "130@G1"), ["draw", "pass"])
    state = play(state, "draw").state
    assert (deciding(state), legal(state)) == ((2, "130@G1"), ["draw", "pass"])
    drawn = play(state, "draw").state
    assert [player.hand for player in drawn.players] == [[], [1], [3]]


# Tokens, young, schools


@rule("R3.3", "R4.1")
def test_s42_an_egg_bonus_without_a_fish_to_lay_on_does_nothing() -> None:
    full = {"B5": "303 e", "P4": "302 e", "G2": "301 e"}
    dived = play(situation(oceans=[full, START_OCEAN]), "dive:purple")
    assert ocean_of(dived.me) == full
    assert dived.state.seat == 1


@rule("R4.2", "R4.3")
def test_s43_the_third_young_makes_a_school_at_once() -> None:
    state = situation(oceans=[{"G2": "301 e 2y"}, START_OCEAN])
    assert ocean_of(play(state, "dive:green", "hatch:G2").me) == {"G2": "301 s"}


@rule("R4.2")
def test_s45_a_school_forms_from_what_a_moved_one_leaves() -> None:
    state = situation(oceans=[{"B1": "3y s"}, START_OCEAN])
    assert ocean_of(play(state, "dive:green", "move_school:B1>P1").me) == {"B1": "s", "P1": "s"}


@rule("R4.4")
def test_s47_a_school_is_stopped_by_another() -> None:
    state = play(situation(oceans=[{"B1": "s", "P1": "s"}, START_OCEAN]), "dive:green").state
    assert refused(state, "move_school:B1>G1") == "R4.4"
    assert refused(state, "move_school:B1>P1") == "R4.4"
    assert ocean_of(play(state, "move_school:B1>B6").me) == {"B6": "s", "P1": "s"}


@rule("R4.4")
def test_s48_a_young_passes_a_school() -> None:
    state = situation(oceans=[{"B1": "y", "P1": "s"}, START_OCEAN])
    assert ocean_of(play(state, "dive:green", "move_young:B1>G1").me) == {"G1": "y", "P1": "s"}


@rule("R4.4")
def test_s49_a_bend_takes_two_moves() -> None:
    state = situation(oceans=[{"B1": "y", "G1": "107"}, START_OCEAN])
    state = play(state, "dive:green").state
    assert deciding(state) == (0, "107@G1")
    assert refused(state, "move_young:B1>P2") == "R4.4"
    moved = play(state, "move_young:B1>P1", "move_young:P1>P2")
    assert ocean_of(moved.me) == {"G1": "107", "P2": "y"}


@rule("R4.1", "R4.3")
def test_s51_a_young_may_lie_on_an_empty_slot_and_an_egg_may_not() -> None:
    state = play(situation(hands=[(24,)]), "play:24@B2").state
    assert ocean_of(play(state, "young:B1").me)["B1"] == "y"
    assert refused(play(situation(), "dive:purple").state, "egg:B1") == "R4.3"


@rule("R7.1")
def test_s53_the_discard_piles_become_the_new_deck() -> None:
    discards = [(1, 3, 5, 127), (2, 4, 6)]
    state = situation(discards=discards, deck=(), spare="hand")
    assert [len(player.discard) for player in state.players] == [4, 3]
    drawn = play(state, "dive:blue", "draw")
    assert drawn.all_of(DeckRenewed)[0].cards == 7
    assert [player.discard for player in drawn.state.players] == [[], []]
    assert len(drawn.state.deck) == 6
    assert {*drawn.state.deck, *drawn.me.hand} == {1, 2, 3, 4, 5, 6, 127}
    assert [event.card for event in drawn.all_of(CardDrawn)] == drawn.me.hand


# Weeks


def week_of(ocean: Ocean, week: int) -> WeekPoints:
    """Return what the first player gains when a week of side A ends; the second one has the last turn."""
    state = situation(oceans=[ocean, START_OCEAN], week=week, turn=6, seat=1)
    dived = play(state, "dive:blue")
    ended = settle(dived.state)
    (scored,) = [event for event in (*dived.events, *ended.events) if _is_scored(event, seat=0)]
    assert isinstance(scored, WeekScored)
    assert ended.me.gained[-1] == (scored.points, scored.most)
    assert scored.achievement == f"a{week}"
    return ended.me.gained[-1]


def _is_scored(event: object, seat: int) -> bool:
    return isinstance(event, WeekScored) and event.seat == seat


@rule("R8.2")
def test_s55_five_eggs_and_two_young_are_7_points() -> None:
    ocean = {"B5": "303 e", "P4": "302 e", "G2": "301 e y", "B1": "95 e", "G1": "94 e", "P3": "y"}
    assert week_of(ocean, 1) == (7, 0)


@rule("R8.2", "R1.5")
def test_s56_three_full_rows_are_6_points() -> None:
    rows = {"B2": "46", "P2": "133", "B4": "100", "G4": "108", "P5": "103", "G5": "126"}
    assert week_of({**START_OCEAN, **rows, "P1": "39"}, 2) == (6, 0)


@rule("R8.2")
def test_s57_four_schools_are_8_points() -> None:
    assert week_of({"B1": "2y s", "P2": "s", "G2": "301 e s", "G6": "3y s", "P3": "2y"}, 3) == (8, 0)


@rule("R8.2")
def test_s59_young_do_not_fill_a_row() -> None:
    assert week_of({"B2": "46", "P2": "2y", "G2": "301 e"}, 2) == (0, 0)


@rule("R8.1")
def test_s60_the_token_passes_after_week_3_and_stays_after_week_4() -> None:
    oceans = [START_OCEAN] * 3
    third = situation(oceans=oceans, week=3, turn=6, seat=0, first_player=1)
    fourth = settle(play(third, "dive:blue").state).state
    assert (fourth.week, fourth.first_player, fourth.seat) == (4, 2, 2)
    last = situation(oceans=oceans, week=4, turn=6, seat=1, first_player=2)
    ended = settle(play(last, "dive:blue").state)
    assert ended.state.is_over
    assert ended.all_of(WeekScored) == []
    assert [len(player.gained) for player in ended.state.players] == [3, 3, 3]
    assert ended.state.first_player == 2


# Game end


OFFICIAL_EXAMPLE: Ocean = {
    "P4": "31 y <302",
    "B5": "27 e s <303",
    "G2": "57 e y <301",
    "G1": "10 e <94",
    "B1": "12 e s",
    "P1": "53 e",
    "P2": "y",
    "G6": "s",
}
"""Consumed 3 forage fish and a card; 5 eggs, 3 young, 3 schools; 46 printed points; 3 by Common Fangtooth."""


def finished(ocean: Ocean, gained: list[tuple[int, int]]) -> GameState:
    """Return the game over, with this ocean and these weeks; the second player had the last turn."""
    state = situation(oceans=[ocean, START_OCEAN], week=4, turn=6, seat=1, gained=[gained])
    over = settle(play(state, "dive:blue").state).state
    assert over.is_over
    return over


@rule("R9.2")
def test_s61_the_official_example_is_79_and_achievements() -> None:
    sheet = score(finished(OFFICIAL_EXAMPLE, [(5, 0), (2, 0), (4, 0)]).players[0])
    assert (sheet.game_end, sheet.printed, sheet.consumed) == (3, 46, 4)
    assert (sheet.eggs, sheet.young, sheet.eggs + sheet.young, sheet.schools) == (5, 3, 8, 18)
    assert sheet.total - sheet.achievements == 79
    assert sheet.total == 79 + 11


@rule("R9.2")
def test_s62_the_french_example_is_99() -> None:
    ocean = {**OFFICIAL_EXAMPLE, "P2": ""}
    sheet = score(finished(ocean, [(7, 0), (6, 0), (8, 0)]).players[0])
    assert (sheet.achievements, sheet.game_end, sheet.printed, sheet.consumed) == (7 + 6 + 8, 3, 46, 4)
    assert (sheet.eggs + sheet.young, sheet.schools) == (7, 18)
    assert sheet.total == 99


@rule("R10", "R4.2")
def test_s64_clown_anemonefish_wants_exactly_two_young() -> None:
    three, two = (situation(oceans=[{"P1": f"30 {young}y s"}, START_OCEAN]).players[0] for young in (3, 2))
    assert (game_end_points(three), game_end_points(two)) == (0, 6)
    impossible = situation(oceans=[{"P1": "30 3y"}, START_OCEAN], valid=False)
    assert [fault.rule for fault in check(impossible)] == ["R4.2"]


@rule("R5.4", "R9.1", "R9.2")
@pytest.mark.parametrize("covered", [30, 28], ids=["points", "benefits"])
def test_s66_a_covered_game_end_ability_gives_nothing(covered: int) -> None:
    ocean = {**START_OCEAN, "P3": "", "P1": f"{covered} 2y", "B1": "42"}
    state = situation(oceans=[ocean, START_OCEAN], hands=[(12, 67, 131, 94)], week=4, turn=6, first_player=1)
    over = settle(play(state, "play:67@P1", "pay_card:12", "pay_card:94").state)
    assert over.state.is_over
    assert "R9.1" not in over.declined
    assert ocean_of(over.me)["P1"].endswith(f"<{covered}")
    sheet = score(over.me)
    assert (sheet.game_end, sheet.consumed) == (0, 1)


@rule("R9.3")
@pytest.mark.parametrize(("hands", "winners"), [([(1, 3, 12), (6, 10)], (0,)), ([(1, 3), (6, 10)], (0, 1))])
def test_s68_a_tie_goes_to_the_larger_hand_or_is_shared(
    hands: list[tuple[int, ...]], winners: tuple[int, ...]
) -> None:
    gained = [[(85, 0), (0, 0), (0, 0)]] * 2
    state = situation(hands=hands, week=4, turn=6, seat=1, gained=gained)
    over = settle(play(state, "dive:purple").state)
    assert [sheet.total for sheet in score_sheet(over.state)] == [88, 88]
    assert [event.winners for event in over.all_of(GameOver)] == [winners]


# Sharks & Reefs


@rule("R11.2", "RU15")
def test_s69_a_purple_dive_buys_one_coral_for_a_young() -> None:
    state = situation(oceans=[{**START_OCEAN, "B1": "y"}, START_OCEAN], reefs=[(0, 3, 0)])
    state = play(state, "dive:purple", "pass").state
    assert deciding(state) == (0, "purple reef")
    assert legal(state) == ["buy_coral:young:B1", "buy_coral:young:P3", "pass"]
    bought = play(state, "buy_coral:young:P3")
    assert bought.me.reefs == [0, 4, 0]
    assert ocean_of(bought.me) == {"B1": "y", "B5": "303 e", "G2": "301 e"}
    assert deciding(bought.state) == (0, "purple deep")
    assert refused(bought.state, "buy_coral:young:B1") == "R11.2"
    assert deciding(play(bought.state, "pass").state) == (1, "R3.1")


@rule("R11.2", "RU15")
def test_s71_a_blue_dive_buys_no_coral_without_an_egg() -> None:
    state = situation(oceans=[{"P3": "2y"}, START_OCEAN], hands=[(12, 94)], reefs=())
    state = play(state, "dive:blue").state
    assert deciding(state) == (0, "blue midnight")
    assert {refused(state, f"buy_coral:{price}") for price in ("egg:B5", "young:P3", "card:12")} == {"R11.2"}


@rule("R9.2", "R11.1")
def test_s73_coral_and_full_reefs_score() -> None:
    state = situation(oceans=[{}, {}], reefs=[(6, 6, 4)], week=4, turn=6, seat=1)
    over = settle(play(state, "dive:blue").state).state
    assert over.is_over
    sheet = score(over.players[0])
    assert (sheet.coral, sheet.full_reefs, sheet.total) == (16, 6 + 8, 30)


@rule("R11.4", "RU16")
def test_s74_tomato_clownfish_needs_coral_and_does_not_pay_it() -> None:
    assert refused(situation(hands=[(204,)], reefs=[(6, 1, 6)]), "play:204@P1") == "R11.4"
    state = situation(hands=[(204,)], reefs=[(0, 2, 0)])
    assert legal(state, "play") == ["play:204@P1", "play:204@P2", "play:204@P3"]
    assert play(state, "play:204@P3").me.reefs == [0, 2, 0]


@rule("R7.6", "R7.8", "RU18")
def test_s79_great_barracuda_gives_everybody_two_coral_up_to_the_cap() -> None:
    state = situation(hands=[(161, 12, 94)], reefs=[(0, 0, 2), (5, 0, 0)])
    mine = play(state, "play:161@G2", "coral:blue", "coral:blue")
    assert mine.me.reefs == [2, 0, 2]
    assert (deciding(mine.state), legal(mine.state)) == ((1, "161@G2"), ["coral:blue", "pass"])
    yours = play(mine.state, "coral:blue").state
    assert yours.players[1].reefs == [6, 0, 0]
    assert deciding(yours) == (1, "R3.1")


@rule("R10", "R11.5")
@pytest.mark.parametrize(("reefs", "points"), [((3, 3, 3), 5), ((6, 6, 2), 0)])
def test_s81_tasseled_scorpionfish_wants_three_coral_in_every_reef(
    reefs: tuple[int, int, int], points: int
) -> None:
    state = situation(oceans=[{"G3": "202"}, START_OCEAN], reefs=[reefs])
    assert game_end_points(state.players[0]) == points


# Solo


@rule("R12.4", "RU19")
@waits_for("solo")
def test_s82_the_nautoma_scores_by_its_level() -> None:
    """Level with 4 per fish, 6 per school.

    5 fish, 2 schools, 3 young, 5 eggs, achievements 9 -> 20+12+3+2+9 = 46.
    """


@rule("R12.4")
@waits_for("solo")
def test_s83_a_tie_with_the_nautoma_is_your_win() -> None:
    """You 46, Nautoma 46 -> you win."""


@rule("R12.1")
@waits_for("solo")
def test_s84_you_take_the_first_turn_of_every_week() -> None:
    """Week 3 in solo -> you take the first turn again."""
