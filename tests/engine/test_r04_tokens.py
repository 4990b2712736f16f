"""R4: eggs, young and schools."""

import pytest

from service.engine.check import check
from service.engine.events import (
    EggHatched,
    EggLaid,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    YoungMoved,
    YoungPlaced,
)
from service.engine.moves import MoveKind
from service.engine.state import GameState
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, deciding, just_played, legal, ocean_of, play, refused, situation

MANTA, LOOSEJAW, WHALEFISH = 52, 114, 47
"""When played: 3 young; 3 moves; 2 eggs and a hatch."""


def playing(card: int, ocean: Ocean, to: str = "G4") -> GameState:
    """Return the state in which a card has just been played and its benefits are open."""
    return just_played(situation(oceans=[ocean, START_OCEAN], hands=[(card,)]), f"{card}@{to}").state


def destinations(ocean: Ocean, token: str, start: str) -> str:
    """Return where a ``young`` or a ``school`` can move to, as slots in order."""
    return " ".join(move.split(">")[1] for move in legal(playing(LOOSEJAW, ocean), f"move_{token}:{start}>"))


# R4.1


@rule("R4.1")
def test_a_fish_has_at_most_one_egg() -> None:
    assert refused(playing(WHALEFISH, {"B5": "303 e"}), "egg:B5") == "R4.1"


@rule("R4.1", "R4.3")
@pytest.mark.parametrize("ocean", [{}, {"B1": "y"}, {"B1": "2y s"}])
def test_an_egg_lies_only_on_a_visible_fish(ocean: Ocean) -> None:
    assert refused(playing(WHALEFISH, ocean), "egg:B1") == "R4.3"


@rule("R4.1")
def test_young_lie_anywhere_in_any_number() -> None:
    moved = play(playing(MANTA, {"B1": "98y s", "G2": "301 e s"}), "young:B1", "young:G2", "young:P6")
    assert ocean_of(moved.me) == {"B1": "99y s", "G2": "301 e y s", "P6": "y", "G4": "52"}


@rule("R4.1")
@pytest.mark.parametrize(
    ("ocean", "rules"),
    [
        ({"B1": "e"}, ["R4.1"]),
        ({"B1": "3y"}, ["R4.2"]),
        ({"B1": "100y s"}, ["R4.1"]),
        ({"B1": "e 3y", "G2": "301 3y"}, ["R4.1", "R4.2", "R4.2"]),
        ({"B1": "2y", "B2": "s", "G2": "301 e 5y s"}, []),
    ],
)
def test_a_slot_that_cannot_hold_what_it_holds(ocean: Ocean, rules: list[str]) -> None:
    state = situation(oceans=[ocean, START_OCEAN], valid=False)
    assert sorted(fault.rule for fault in check(state)) == rules


# R4.2


@rule("R4.2")
@pytest.mark.parametrize(
    ("card", "before", "moves", "after"),
    [
        pytest.param(MANTA, {"B1": "2y"}, ["young:B1"], {"B1": "s"}, id="put"),
        pytest.param(MANTA, {}, ["young:B1"] * 3, {"B1": "s"}, id="put one by one"),
        pytest.param(MANTA, {"B1": "2y s"}, ["young:B1"] * 3, {"B1": "5y s"}, id="put beside a school"),
        pytest.param(WHALEFISH, {"B5": "303 e 2y"}, ["hatch:B5"], {"B5": "303 s"}, id="hatched"),
        pytest.param(
            WHALEFISH, {"B5": "303 e 2y s"}, ["hatch:B5"], {"B5": "303 3y s"}, id="hatched beside a school"
        ),
        pytest.param(LOOSEJAW, {"B1": "2y", "P1": "y"}, ["move_young:P1>B1"], {"B1": "s"}, id="moved in"),
        pytest.param(
            LOOSEJAW,
            {"B1": "2y s", "P1": "y"},
            ["move_young:P1>B1"],
            {"B1": "3y s"},
            id="moved in beside a school",
        ),
        pytest.param(
            LOOSEJAW, {"B1": "3y s"}, ["move_school:B1>B2"], {"B1": "s", "B2": "s"}, id="the school leaves"
        ),
        pytest.param(
            LOOSEJAW, {"B1": "2y s"}, ["move_school:B1>B2"], {"B1": "2y", "B2": "s"}, id="it leaves two"
        ),
        pytest.param(
            LOOSEJAW,
            {"B1": "7y s"},
            ["move_school:B1>B2"],
            {"B1": "4y s", "B2": "s"},
            id="the rest stays beside it",
        ),
        pytest.param(
            LOOSEJAW,
            {"B1": "6y s"},
            ["move_school:B1>B2", "move_school:B1>P1"],
            {"B1": "s", "B2": "s", "P1": "s"},
            id="one after the other",
        ),
        pytest.param(
            LOOSEJAW, {"B1": "s", "B2": "2y"}, ["move_school:B1>B2"], {"B2": "2y s"}, id="a school joins two"
        ),
    ],
)
def test_three_young_without_a_school_become_one(
    card: int, before: Ocean, moves: list[str], after: Ocean
) -> None:
    ended = ocean_of(play(playing(card, before), *moves).me)
    assert {slot: what for slot, what in ended.items() if slot != "G4"} == after


@rule("R4.2", "R5.1")
@pytest.mark.parametrize(("young", "left"), [("", ""), ("2y ", "2y"), ("3y ", "s"), ("5y ", "2y s")])
def test_a_school_that_is_paid_leaves_its_young(young: str, left: str) -> None:
    state = situation(oceans=[{"B1": f"{young}s"}, START_OCEAN], hands=[(119,)])
    paid = play(state, "play:119@P6")
    assert ocean_of(paid.me).get("B1", "") == left
    assert [type(event) for event in paid.events if isinstance(event, SchoolPaid | SchoolFormed)] == [
        SchoolPaid,
        *([SchoolFormed] if "s" in left else []),
    ]


@rule("R4.2")
@pytest.mark.parametrize(
    ("card", "ocean", "move", "cause"),
    [
        (MANTA, {"B1": "2y"}, "young:B1", YoungPlaced),
        (WHALEFISH, {"B5": "303 e 2y"}, "hatch:B5", EggHatched),
        (LOOSEJAW, {"B1": "2y", "B2": "y"}, "move_young:B2>B1", YoungMoved),
        (LOOSEJAW, {"B1": "3y s"}, "move_school:B1>B2", SchoolMoved),
    ],
)
def test_the_school_forms_before_anything_else_happens(
    card: int, ocean: Ocean, move: str, cause: type
) -> None:
    events = play(playing(card, ocean), move).events
    assert [type(event) for event in events[:2]] == [cause, SchoolFormed]


@rule("R4.2")
def test_a_school_of_this_turn_can_be_moved_in_this_turn() -> None:
    state = playing(LOOSEJAW, {"B1": "2y", "P1": "y"})
    assert ocean_of(play(state, "move_young:P1>B1", "move_school:B1>B6").me) == {"B6": "s", "G4": "114"}


# R4.3


@rule("R4.3")
def test_an_egg_may_be_laid_on_each_visible_fish_without_one() -> None:
    state = playing(WHALEFISH, {"B5": "303 e", "B1": "95 y", "P1": "30 s", "P6": "57 <44"})
    assert legal(state, "egg") == ["egg:B1", "egg:P1", "egg:P4", "egg:P6", "egg:G2", "egg:G4"]


@rule("R4.3")
def test_every_egg_may_hatch_and_becomes_a_young_on_its_slot() -> None:
    state = playing(WHALEFISH, {"B5": "303 e", "B1": "95 e y", "G2": "301 e 2y s"})
    assert legal(state, "hatch") == ["hatch:B1", "hatch:B5", "hatch:G2"]
    assert refused(state, "hatch:P4") == "R4.3"
    assert [ocean_of(play(state, f"hatch:{slot}").me)[slot] for slot in ("B1", "B5", "G2")] == [
        "95 2y",
        "303 y",
        "301 3y s",
    ]


@rule("R4.3")
def test_an_egg_may_be_laid_where_one_has_hatched() -> None:
    state = play(playing(WHALEFISH, {"B5": "303 e"}), "hatch:B5", "egg:B5")
    assert ocean_of(state.me)["B5"] == "303 e y"
    assert [type(event) for event in state.events] == [EggHatched, EggLaid]


@rule("R4.3")
def test_a_young_may_be_put_on_every_slot() -> None:
    assert len(legal(playing(MANTA, {"B1": "2y s"}), "young:")) == 18


# R4.4


@rule("R4.4")
@pytest.mark.parametrize(("token", "sign"), [("young", "y"), ("school", "s")])
@pytest.mark.parametrize(
    ("start", "reached"),
    [
        ("B1", "B2 B3 B4 B5 B6 P1 G1"),
        ("P3", "B3 P1 P2 P4 P5 P6 G3"),
        ("G6", "B6 P6 G1 G2 G3 G4 G5"),
        ("B4", "B1 B2 B3 B5 B6 P4 G4"),
    ],
)
def test_a_token_goes_straight_as_far_as_it_likes(token: str, sign: str, start: str, reached: str) -> None:
    assert destinations({start: sign}, token, start) == reached


@rule("R4.4")
@pytest.mark.parametrize(
    ("others", "reached"),
    [
        pytest.param({}, "B1 B3 B4 B5 B6 P2 G2", id="nothing there"),
        pytest.param({"B3": "95 e y"}, "B1 B3 B4 B5 B6 P2 G2", id="passes fish, egg and one young"),
        pytest.param({"B3": "2y"}, "B1 B3 P2 G2", id="stops where it makes a school"),
        pytest.param({"B3": "95 2y"}, "B1 B3 P2 G2", id="stops there on a fish too"),
        pytest.param({"B6": "2y"}, "B1 B3 B4 B5 B6 P2 G2", id="makes a school in the last slot"),
        pytest.param({"B3": "2y s"}, "B1 B3 B4 B5 B6 P2 G2", id="passes two young beside a school"),
        pytest.param({"B3": "4y s"}, "B1 B3 B4 B5 B6 P2 G2", id="passes a school with young"),
        pytest.param(
            {"B3": "s", "B1": "s", "P2": "s"}, "B1 B3 B4 B5 B6 P2 G2", id="passes and joins schools"
        ),
        pytest.param({"B4": "2y", "P2": "2y"}, "B1 B3 B4 P2", id="stops in two directions"),
        pytest.param(
            {"B1": "2y", "B3": "2y", "P2": "2y"}, "B1 B3 P2", id="stops at the next slot everywhere"
        ),
        pytest.param({"P3": "2y"}, "B1 B3 B4 B5 B6 P2 G2", id="two young off its lines"),
    ],
)
def test_where_a_young_can_move(others: Ocean, reached: str) -> None:
    assert destinations({"B2": "y", **others}, "young", "B2") == reached


@rule("R4.4")
def test_the_two_young_that_it_leaves_do_not_stop_a_young() -> None:
    assert destinations({"B2": "2y"}, "young", "B2") == "B1 B3 B4 B5 B6 P2 G2"
    assert destinations({"B2": "4y s"}, "young", "B2") == "B1 B3 B4 B5 B6 P2 G2"


@rule("R4.4")
@pytest.mark.parametrize(
    ("others", "reached"),
    [
        pytest.param({}, "B1 B3 B4 B5 B6 P2 G2", id="nothing there"),
        pytest.param({"B3": "95 e y"}, "B1 B3 B4 B5 B6 P2 G2", id="passes fish and egg"),
        pytest.param({"B3": "2y", "P2": "2y"}, "B1 B3 B4 B5 B6 P2 G2", id="passes two young"),
        pytest.param({"B3": "s"}, "B1 P2 G2", id="not past a school below"),
        pytest.param({"B5": "303 e s"}, "B1 B3 B4 P2 G2", id="not onto a school on a fish"),
        pytest.param({"B6": "s"}, "B1 B3 B4 B5 P2 G2", id="not onto a school in the last slot"),
        pytest.param({"P2": "s"}, "B1 B3 B4 B5 B6", id="not past a school beside"),
        pytest.param({"G2": "301 s"}, "B1 B3 B4 B5 B6 P2", id="up to a school beside"),
        pytest.param({"B1": "s", "B3": "s", "P2": "s"}, "", id="shut in"),
        pytest.param({"P3": "s"}, "B1 B3 B4 B5 B6 P2 G2", id="a school off its lines"),
    ],
)
def test_where_a_school_can_move(others: Ocean, reached: str) -> None:
    assert destinations({"B2": "s", **others}, "school", "B2") == reached


@rule("R4.4")
@pytest.mark.parametrize(
    "move",
    [
        "move_young:B2>B2",
        "move_young:B2>P1",
        "move_young:B2>G6",
        "move_young:B2>B5",
        "move_young:B1>B2",
        "move_young:B3>B2",
        "move_school:B2>B3",
        "move_school:P2>P2",
        "move_school:P2>G1",
        "move_school:P2>G2",
    ],
)
def test_moves_that_are_refused(move: str) -> None:
    assert refused(playing(LOOSEJAW, {"B2": "y", "B4": "2y", "P2": "s", "G2": "301 s"}), move) == "R4.4"


@rule("R4.4")
def test_eggs_never_move() -> None:
    assert legal(playing(LOOSEJAW, {"B5": "303 e", "G2": "301 e", "P3": "y"}), "move_young:B5") == []
    assert [kind.name for kind in MoveKind if kind.name.startswith("MOVE")] == ["MOVE_YOUNG", "MOVE_SCHOOL"]


@rule("R4.4")
def test_a_move_leaves_all_else_where_it_is() -> None:
    before = {"B2": "95 e 2y s", "B4": "y", "P4": "302 e"}
    young = play(playing(LOOSEJAW, before), "move_young:B2>B4").me
    school = play(playing(LOOSEJAW, before), "move_school:B2>B4").me
    assert ocean_of(young) == {"B2": "95 e y s", "B4": "2y", "P4": "302 e", "G4": "114"}
    assert ocean_of(school) == {"B2": "95 e 2y", "B4": "y s", "P4": "302 e", "G4": "114"}


@rule("R4.4", "R3.3")
def test_a_move_without_anything_to_move_is_not_asked() -> None:
    assert deciding(playing(LOOSEJAW, {"B5": "303 e"})) == (1, "R3.1")


# R4.5


@rule("R4.5")
@pytest.mark.parametrize(
    ("slot", "before", "after"),
    [
        ("B1", "", "25"),
        ("B1", "2y", "25 2y"),
        ("B1", "4y s", "25 4y s"),
        ("B1", "95 e", "25 e <95"),
        ("B1", "95 e y s", "25 e y s <95"),
        ("G2", "301 e 2y", "25 e 2y <301"),
    ],
)
def test_all_tokens_of_the_slot_pass_to_the_card(slot: str, before: str, after: str) -> None:
    state = situation(oceans=[{slot: before}, START_OCEAN], hands=[(25, 12)])
    assert ocean_of(play(state, f"play:25@{slot}").me)[slot] == after
