"""R3: weeks and turns, declining, skipping what cannot change anything."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from service.engine.digest import public_digest
from service.engine.events import DiverPlaced, TurnBegan
from service.engine.moves import DIVE, PASS
from service.engine.rules import DecisionKind, apply, decision, legal_moves, new_game
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
    settle,
    situation,
)

FULL_OF_EGGS: Ocean = {"B5": "303 e", "P4": "302 e", "G2": "301 e"}


def states_of_a_game(players: int, seed: str) -> Iterator[GameState]:
    """Yield every state of a whole game in which the moves are picked in turn."""
    state, _ = new_game(players, seed=seed)
    yield state
    while moves := legal_moves(state):
        state, _ = apply(state, moves[state.version % len(moves)])
        yield state


def kind_of(state: GameState) -> DecisionKind | None:
    asked = decision(state)
    return asked.kind if asked else None


# R3.1


@rule("R3.1")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_four_weeks_of_six_turns_each_clockwise_from_the_token_holder(players: int) -> None:
    begun, happened = new_game(players, seed="r3")
    turns = [event for event in happened if isinstance(event, TurnBegan)]
    state = begun
    while moves := legal_moves(state):
        state, happened = apply(state, moves[state.version % len(moves)])
        turns += [event for event in happened if isinstance(event, TurnBegan)]
    assert [(event.week, event.turn, event.seat) for event in turns] == [
        (week, turn, (begun.first_player + week - 1 + place) % players)
        for week in (1, 2, 3, 4)
        for turn in (1, 2, 3, 4, 5, 6)
        for place in range(players)
    ]


@rule("R3.1")
@pytest.mark.parametrize("players", [1, 3])
def test_a_dive_is_always_possible_and_a_turn_is_never_passed(players: int) -> None:
    turns = 0
    for state in states_of_a_game(players, "r3"):
        if kind_of(state) is DecisionKind.TURN:
            turns += 1
            assert set(DIVE) <= set(legal_moves(state))
            assert PASS not in legal_moves(state)
            assert divers_left(state, state.seat) == 7 - state.turn
    assert turns == 24 * players


@rule("R3.1")
def test_a_turn_places_one_diver_whatever_follows() -> None:
    """Red Lionfish plays Mandarinfish, and Longfin Batfish lets everybody draw."""
    played = play(situation(hands=[(95, 131, 1, 3)]), "play:95@B1", "pay_card:1", "play:131@P1", "pass")
    dived = play(situation(oceans=[{**START_OCEAN, "G1": "130"}, START_OCEAN]), "dive:green")
    down = settle(dived.state)
    for events in (played.all_of(DiverPlaced), dived.all_of(DiverPlaced) + down.all_of(DiverPlaced)):
        assert [event.seat for event in events] == [0]


@rule("R3.1")
@pytest.mark.parametrize(
    "move", ["pass", "draw", "recover:1", "egg:B5", "hatch:B5", "young:B1", "activate:B5", "pay_card:12"]
)
def test_a_turn_is_a_play_or_a_dive(move: str) -> None:
    assert refused(situation(hands=[(95, 12)], discards=[(1,)]), move) == "R3.1"


# R3.2


@rule("R3.2")
@pytest.mark.parametrize(
    "taken", [[], ["draw"], ["recover:1"], ["recover:3", "draw"], ["draw", "recover:3", "recover:1"]]
)
def test_benefits_are_used_one_by_one_and_the_rest_declined(taken: list[str]) -> None:
    """Atlantic Bluefin Tuna: draw 2, recover 2."""
    state = just_played(situation(hands=[(7,)], discards=[(1, 3)], deck=(94, 95)), "7@B1").state
    ended = play(state, *taken, "pass")
    drawn = [94, 95][: taken.count("draw")]
    recovered = [int(move.removeprefix("recover:")) for move in taken if move != "draw"]
    assert ended.me.hand == sorted(drawn + recovered)
    assert ended.state.seat == 1


@rule("R3.2")
def test_a_benefit_is_used_at_most_as_often_as_it_is_printed() -> None:
    state = just_played(situation(hands=[(7,)], discards=[(1, 3, 5)]), "7@B1").state
    once = play(state, "recover:1").state
    twice = play(once, "recover:3").state
    assert legal(twice) == ["draw", "pass"]
    assert refused(twice, "recover:5") == "R3.2"


@rule("R3.2")
def test_declining_one_group_leaves_the_next() -> None:
    state = play(situation(), "dive:blue").state
    assert deciding(state) == (0, "blue midnight")
    assert deciding(play(state, "pass").state) == (0, "blue deep")


@rule("R3.2", "R5.1")
def test_a_cost_is_never_paid_in_part() -> None:
    asked = play(situation(hands=[(44, 1, 3, 12, 94)]), "play:44@P6").state
    while kind_of(asked) is DecisionKind.PAY:
        assert PASS not in legal_moves(asked)
        assert refused(asked, "pass") == "R3.2"
        asked = play(asked, legal(asked)[0]).state
    assert len(asked.players[0].discard) == 3


@rule("R3.2", "R7.5")
def test_a_scatter_once_begun_is_finished() -> None:
    """Velvet Belly Lanternshark scatters 2; between the four young of a school nothing else can be done."""
    ocean = {"B1": "s", "G6": "s"}
    state = just_played(situation(oceans=[ocean, {}], hands=[(207,)], reefs=()), "207@P1").state
    state = play(state, "scatter:B1").state
    for slot in ("P1", "P2", "P3", "P4"):
        assert (kind_of(state), deciding(state)) == (DecisionKind.BENEFIT, (0, "207@P1"))
        assert {move.split(":")[0] for move in legal(state)} == {"young"}
        others = ("pass", "scatter:G6", "dive:blue")
        assert [refused(state, other) for other in others] == ["R3.2", "R7.5", "R3.1"]
        state = play(state, f"young:{slot}").state
    assert legal(state) == ["scatter:G6", "pass"]
    assert deciding(play(state, "pass").state) == (1, "R3.1")


# R3.3


@rule("R3.3")
@pytest.mark.parametrize(
    ("ocean", "dive"),
    [
        pytest.param(FULL_OF_EGGS, "purple", id="every fish has an egg"),
        pytest.param({}, "green", id="no egg to hatch, nothing to move"),
        pytest.param({"G4": "104", "G5": "126"}, "green", id="hatching fish without an egg"),
        pytest.param({"B1": "90", "B3": "99"}, "blue", id="no card to eat or to draw"),
    ],
)
def test_what_cannot_change_anything_is_not_asked(ocean: Ocean, dive: str) -> None:
    state = situation(oceans=[ocean, {}], deck=(), spare="hand")
    assert deciding(play(state, f"dive:{dive}").state) == (1, "R3.1")


@rule("R3.3")
@pytest.mark.parametrize(
    ("hand", "what", "ocean"),
    [
        pytest.param((95, 12), "95@B1", {}, id="nothing to play into the Sunlight zone"),
        pytest.param((95,), "95@B1", {}, id="no card to play"),
        pytest.param((22, 12, 1), "22@B5", {}, id="nothing to play into green"),
        pytest.param((6,), "6@B1", {"B1": "46 e"}, id="no predator without an egg"),
        pytest.param((3,), "3@B6", {"P3": "y"}, id="no egg to hatch"),
        pytest.param((72, 57), "72@B1", START_OCEAN, id="no shorter card to eat"),
        pytest.param((37,), "37@B1", {}, id="nothing to recover or move"),
    ],
)
def test_what_cannot_be_done_when_played_is_not_asked(hand: tuple[int, ...], what: str, ocean: Ocean) -> None:
    state = situation(oceans=[ocean, START_OCEAN], hands=[hand], deck=(), spare="hand")
    assert deciding(just_played(state, what).state) == (1, "R3.1")


@rule("R3.3")
def test_a_benefit_that_another_one_makes_possible_is_offered_at_once() -> None:
    """Flabby Whalefish lays 2 eggs and hatches 1; Pacific Sardine lays 2 and hatches 2."""
    state = just_played(situation(oceans=[{}, START_OCEAN], hands=[(83,)]), "83@B1").state
    assert legal(state, "hatch") == []
    laid = play(state, "egg:B1").state
    assert legal(laid, "hatch") == ["hatch:B1"]
    assert deciding(play(laid, "hatch:B1", "egg:B1", "hatch:B1").state) == (1, "R3.1")


@rule("R3.3")
def test_a_group_closes_when_nothing_in_it_is_possible_any_more() -> None:
    """Abyssal Spiderfish hatches 3 eggs, and there is one."""
    state = just_played(situation(oceans=[{"B5": "303 e"}, START_OCEAN], hands=[(3,)]), "3@B6").state
    assert legal(state) == ["hatch:B5", "pass"]
    assert deciding(play(state, "hatch:B5").state) == (1, "R3.1")


@rule("R3.3")
def test_a_group_that_was_skipped_is_not_reopened() -> None:
    """The Sunlight hatch finds no egg; the egg that Bonefish lays one row down comes too late for it."""
    ocean = {"G1": "128"}
    down = settle(play(situation(oceans=[ocean, START_OCEAN]), "dive:green").state)
    assert down.declined == ["128@G1", "128@G1"]
    laid = play(play(situation(oceans=[ocean, START_OCEAN]), "dive:green").state, "egg:G1").state
    assert deciding(laid) == (1, "128@G1")
    assert deciding(settle(laid).state) == (1, "R3.1")


# R3.4


@rule("R3.4")
@pytest.mark.parametrize("order", list(permutations((1, 3, 12))))
def test_the_order_of_a_pile_has_no_meaning(order: tuple[int, ...]) -> None:
    """However three cards are paid, or eaten, the same game is left."""
    state = situation(hands=[(44, 1, 3, 12, 94)])
    paid = play(state, "play:44@P6", *(f"pay_card:{card}" for card in order)).state
    assert public_digest(paid) == public_digest(
        play(state, "play:44@P6", "pay_card:1", "pay_card:3", "pay_card:12").state
    )
    assert paid.players[0].discard == [1, 3, 12]


@rule("R3.4")
def test_the_order_under_a_fish_has_no_meaning() -> None:
    state = just_played(situation(hands=[(72, 94, 46)]), "72@B1").state
    eaten = [play(state, *(f"consume:{card}@B1" for card in order)) for order in ((94, 46), (46, 94))]
    assert [ocean_of(each.me)["B1"] for each in eaten] == ["72 <46,94"] * 2
    assert len({public_digest(each.state) for each in eaten}) == 1


@rule("R3.4")
@pytest.mark.parametrize(
    ("hand", "move"),
    [((), "dive:blue"), ((), "dive:green"), ((44, 1, 3, 12, 94), "play:44@P6"), ((24,), "play:24@B1")],
)
def test_the_diver_counts_as_placed_at_once(hand: tuple[int, ...], move: str) -> None:
    state = situation(hands=[hand])
    assert divers_left(state, 0) == 6
    placed = play(state, move)
    assert placed.state.seat == 0
    assert (divers_left(placed.state, 0), divers_left(placed.state, 1)) == (5, 6)
    assert isinstance(placed.events[0], DiverPlaced)
