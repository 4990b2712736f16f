"""Every card does what it prints, costs what it prints and goes where it prints, and no more.

What a card does is told in ``card_scenes`` and, for points, in a table below. Whether these tell everything
is tested by printing each ability otherwise, in every way that is near: something told must then come out
otherwise.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import pytest

from service.engine.cards import CARDS
from service.engine.errors import IllegalMove
from service.engine.rules import DecisionKind, decision
from service.engine.scoring import Score, score_sheet
from service.engine.state import Frame, GameState, Player
from tests import facts
from tests.engine.misprints import misprints, printed
from tests.engine.scenes import FILES, Scene, run, scenes_in
from tests.marks import rule
from tests.table import Ocean, legal, play, situation

ALL_CARDS = range(1, 216)
SCENES = [scene for name in FILES for scene in scenes_in(name)]

Reefs = tuple[int, int, int]
PointsRow = tuple[int, str, str, int]
POINTS: list[PointsRow] = [
    # no egg, young or school on this fish: 3; what it has consumed is none of them
    (1, "G5", "1", 3),
    (1, "B5", "1 <303", 3),
    (1, "G5", "1 e", 0),
    (1, "G5", "1 y", 0),
    (1, "G5", "1 s", 0),
    # at least 3 consumed under this: 10
    (4, "G2", "4 <42,95,301", 10),
    (4, "G2", "4 <42,70,95,301", 10),
    (4, "G2", "4 <42,301", 0),
    # at least 2 consumed under this: 6
    (8, "G2", "8 <42,301", 6),
    (8, "G2", "8 <42,95,301", 6),
    (8, "G2", "8 <301", 0),
    # exactly 2 young: 6; those inside a school do not count (S64)
    (30, "P3", "30 2y", 6),
    (30, "P3", "30 e 2y s", 6),
    (30, "P3", "30 y", 0),
    (30, "P3", "30 3y s", 0),
    (30, "P3", "30 s", 0),
    (30, "P3", "30 e", 0),
    (30, "G2", "57 2y <30,301", 0),  # covered (S66)
    # at least 1 consumed under this: 3
    (31, "B5", "31 <303", 3),
    (31, "P4", "31 y <110,302", 3),
    (31, "B6", "31 e y", 0),
    # in the bottom row: 5
    (32, "G6", "32", 5),
    (32, "B5", "32 <303", 0),
    (32, "P1", "32 s", 0),
    # a school on this fish: 3
    (70, "P3", "70 s", 3),
    (70, "P3", "70 y s", 3),
    (70, "P3", "70 e 2y", 0),
    # an egg, a young and a school on this fish: 10
    (85, "B6", "85 e y s", 10),
    (85, "B6", "85 e 2y s", 10),
    (85, "B6", "85 y s", 0),
    (85, "B6", "85 e s", 0),
    (85, "B6", "85 e 2y", 0),
]
"""A card with points at the end of the game, a slot, what lies there, and the points (R10)."""

ReefPointsRow = tuple[int, Reefs, int]
REEF_POINTS: list[ReefPointsRow] = [
    # at least 3 coral in each reef: 5 (S81)
    (202, (3, 3, 3), 5),
    (202, (4, 6, 3), 5),
    (202, (6, 6, 2), 0),
    (202, (6, 2, 6), 0),
    (202, (2, 6, 6), 0),
    # at least 5 coral in one of the reefs: 3
    (206, (5, 0, 0), 3),
    (206, (1, 5, 0), 3),
    (206, (1, 0, 6), 3),
    (206, (4, 4, 4), 0),
]
"""A card with points at the end of the game, which lies on B1, the reefs, and the points (R11.5)."""


def score(ocean: Ocean, reefs: Reefs | None = None) -> Score:
    held = None if reefs is None else [reefs, (6, 6, 6)]
    state = situation(oceans=[ocean, {}], reefs=held, week=4, turn=6, frame=Frame.GAME_OVER)
    return score_sheet(state)[0]


def count_points(row: PointsRow) -> None:
    """Beside the card lies a fish with all tokens, which must not matter."""
    _, slot, what, points = row
    assert score({"P1": "65 e 2y s", slot: what}).game_end == points


def count_reef_points(row: ReefPointsRow) -> None:
    """The reefs of the other player are full, which must not matter."""
    card, reefs, points = row
    assert score({"P6": "32", "B1": str(card)}, reefs).game_end == 5 + points


@rule("R5.5", "R5.7", "R5.8", "R6.2", "R7.1", "R7.2", "R7.3", "R7.4", "R7.5", "R7.6", "R7.8", "R9.1")
@rule("R11.3", "R11.5", "RU06", "RU07", "RU08", "RU09", "RU10", "RU17", "RU18")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.card} {scene.title}")
def test_a_card_does_what_it_prints(scene: Scene) -> None:
    run(scene)


@rule("R9.2", "R10")
@pytest.mark.parametrize("row", POINTS, ids=lambda row: f"{row[0]} {row[1]} {row[2]}")
def test_a_card_gives_points_where_its_condition_holds(row: PointsRow) -> None:
    count_points(row)


@rule("R9.2", "R10", "R11.5")
@pytest.mark.parametrize("row", REEF_POINTS, ids=str)
def test_a_card_gives_points_where_the_reefs_hold_enough(row: ReefPointsRow) -> None:
    count_reef_points(row)


def told_of(card: int) -> Sequence[Callable[[], None]]:
    """Return all that is told of a card's ability, to be tried."""
    scenes = [partial(run, scene) for scene in SCENES if scene.card == card]
    points = [partial(count_points, row) for row in POINTS if row[0] == card]
    return [*scenes, *points, *(partial(count_reef_points, row) for row in REEF_POINTS if row[0] == card)]


def comes_out_otherwise(card: int) -> bool:
    try:
        for trial in told_of(card):
            trial()
    except (AssertionError, IllegalMove):
        return True
    return False


def test_of_each_card_something_is_told() -> None:
    assert [card for card in ALL_CARDS if not told_of(card)] == []


@pytest.mark.parametrize("card", ALL_CARDS)
def test_each_card_matters(card: int) -> None:
    ability = CARDS[card].ability
    assert ability is not None
    unnoticed = []
    for misprint in misprints(ability):
        with printed(card, misprint):
            unnoticed += [] if comes_out_otherwise(card) else [misprint]
    assert unnoticed == []


# Places, costs and printed points, from the printed facts alone.

KINDS = ("cards", "eggs", "young", "schools")
ROWS = {"sunlight": "123", "twilight": "4", "midnight": "56"}
LENGTHS = {id_: fish["length_cm"] for id_, fish in (facts.CARDS | facts.FORAGE).items()}
FORAGE = {fish["slot"]: id_ for id_, fish in facts.FORAGE.items()}

OCEANS: dict[str, Ocean] = {
    "empty": {"B5": "303 e", "P3": "2y", "P4": "302 e", "G2": "301 e", "G6": "s"},
    "full": (
        {"B1": "46 e", "B2": "34 e", "B3": "55 e", "B4": "100 e", "B5": "110 y <303", "B6": "44 s"}
        | {"P1": "78 e", "P2": "95 y", "P3": "17 y", "P4": "50 y <302", "P5": "45 s", "P6": "77 e"}
        | {"G1": "94 y", "G2": "79 s <301", "G3": "10 y", "G4": "13 s", "G5": "126 y", "G6": "2 e"}
    ),
}
"""An ocean with nothing but the forage fish, and one with a fish of 2 to 315 cm on every slot."""


def fish_of(ocean: Ocean) -> dict[str, int]:
    """Return the visible fish by slot."""
    first = {slot: what.split()[0] for slot, what in ocean.items()}
    return FORAGE | {slot: int(fish) for slot, fish in first.items() if fish.isdigit()}


FULL: Reefs = (6, 6, 6)


def full_reefs(card: int) -> list[Reefs] | None:
    """Return full reefs for a card of Sharks & Reefs, so that none lacks coral; None for the base game."""
    return [FULL] if facts.CARDS[card]["set"] == "sharks_and_reefs" else None


def is_allowed(card: int, slot: str) -> bool:
    """Return whether zone, band and row of a card allow a slot (R5.3)."""
    fact = facts.CARDS[card]
    rows = "6" if "row" in fact else "".join(ROWS[zone] for zone in fact["zones"])
    sites = fact["site"][0].upper() if "site" in fact else "BPG"
    return slot[0] in sites and slot[1] in rows


def is_free_for(card: int, fish: int | None) -> bool:
    """Return whether a card may be put on a slot with this fish or none (R5.2, R5.4)."""
    if fish is None:
        return "consume" not in facts.CARDS[card]["cost"]
    return bool(LENGTHS[fish] < LENGTHS[card])


def has_coral_for(card: int, slot: str, reefs: Reefs) -> bool:
    """Return whether the reef of a slot's own site holds what a card needs in the Sunlight zone (R11.4)."""
    need = facts.CARDS[card].get("needs_coral")
    if need is None or slot[1] in "456":
        return True
    site = "BPG".index(slot[0])
    return need["color"] in ("any", facts.SITES[site]) and reefs[site] >= need["at_least"]


def slots_for(card: int, ocean: Ocean, reefs: Reefs = FULL) -> list[str]:
    allowed = [slot for slot in facts.SLOTS if is_allowed(card, slot) and has_coral_for(card, slot, reefs)]
    fish = fish_of(ocean)
    return [slot for slot in allowed if is_free_for(card, fish.get(slot))]


@rule("R5.2", "R5.3", "R5.4")
@pytest.mark.parametrize("name", OCEANS)
@pytest.mark.parametrize("card", ALL_CARDS)
def test_a_card_goes_where_it_prints(card: int, name: str) -> None:
    ocean = {slot: what for slot, what in OCEANS[name].items() if what.split()[0] != str(card)}
    others = [other for other in (20, 21, 22, 23) if other != card]
    state = situation(oceans=[ocean, {}], hands=[[card, *others]], reefs=full_reefs(card))
    assert legal(state, f"play:{card}@") == [f"play:{card}@{slot}" for slot in slots_for(card, ocean)]


NEEDING = [card for card in ALL_CARDS if "needs_coral" in facts.CARDS[card]]


@rule("R11.4", "R5.3", "RU16")
@pytest.mark.parametrize("card", NEEDING)
def test_a_card_goes_where_the_reef_holds_what_it_needs(card: int) -> None:
    """Each reef holds just enough or one too few."""
    enough = facts.CARDS[card]["needs_coral"]["at_least"]
    for blue, purple, green in product((enough - 1, enough), repeat=3):
        reefs = (blue, purple, green)
        state = situation(oceans=[OCEANS["empty"], {}], hands=[[card, 20, 21, 22, 23]], reefs=[reefs])
        slots = slots_for(card, OCEANS["empty"], reefs)
        assert legal(state, f"play:{card}@") == [f"play:{card}@{slot}" for slot in slots]


Units = dict[str, int]


def cost_of(card: int, **more: int) -> Units:
    """Return what a card costs of each kind, and so many units more."""
    cost = facts.CARDS[card]["cost"]
    return {kind: cost.get(kind, 0) + more.get(kind, 0) for kind in KINDS}


def holding(card: int, units: Units) -> GameState:
    """Return the turn of a player who holds a card and, beside it, these units of each kind."""
    neighbour, *others = (other for other in (42, 20, 21, 22, 23, 24) if other != card)
    fish = {"P1": neighbour, **FORAGE}
    ocean = {"P1": str(neighbour)}
    ocean |= {slot: f"{fish[slot]} e" for slot in [*fish][: units["eggs"]]}
    ocean |= dict.fromkeys(["B3", "P3", "G3"][: units["young"]], "y")
    ocean |= dict.fromkeys(["B6", "P6"][: units["schools"]], "s")
    hand = [card, *others[: units["cards"]]]
    return situation(oceans=[ocean, {}], hands=[hand], reefs=full_reefs(card))


def held(player: Player) -> Units:
    return {
        "cards": len(player.hand),
        "eggs": player.eggs.bit_count(),
        "young": sum(player.young),
        "schools": player.schools.bit_count(),
    }


def paid(state: GameState) -> GameState:
    """Pay what is asked, with the first that is offered."""
    while (question := decision(state)) is not None and question.kind is DecisionKind.PAY:
        state = play(state, legal(state)[0]).state
    return state


@rule("R5.1")
@pytest.mark.parametrize("card", ALL_CARDS)
def test_a_card_takes_its_whole_cost_and_no_more(card: int) -> None:
    start = holding(card, cost_of(card, cards=1, eggs=1, young=1, schools=1))
    after = paid(play(start, legal(start, f"play:{card}@")[0]).state)
    player = after.players[0]
    assert held(player) == {"cards": 1, "eggs": 1, "young": 1, "schools": 1}
    assert len(player.discard) == facts.CARDS[card]["cost"].get("cards", 0)
    assert card in player.fish


@rule("R5.1")
@pytest.mark.parametrize("card", ALL_CARDS)
def test_a_card_can_be_played_with_just_its_cost(card: int) -> None:
    assert legal(holding(card, cost_of(card)), f"play:{card}@")


@rule("R5.1", "R5.6")
@pytest.mark.parametrize(
    ("card", "kind"),
    [(card, kind) for card in ALL_CARDS for kind in facts.CARDS[card]["cost"] if kind != "consume"],
)
def test_a_card_is_not_played_for_less(card: int, kind: str) -> None:
    more = dict.fromkeys(KINDS, 1) | {kind: -1}
    state = holding(card, cost_of(card, **more))
    assert legal(state, f"play:{card}@") == []


@rule("R9.2")
@pytest.mark.parametrize("card", ALL_CARDS)
def test_a_card_gives_its_printed_points(card: int) -> None:
    allowed = [slot for slot in facts.SLOTS if is_allowed(card, slot) and has_coral_for(card, slot, FULL)]
    slot = next(slot for slot in allowed if slot not in FORAGE)
    assert score({slot: str(card)}, FULL if full_reefs(card) else None).printed == facts.CARDS[card]["points"]
