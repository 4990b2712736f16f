"""A state with one thing wrong about Sharks & Reefs is told so: where, and by which rule."""

from collections.abc import Callable, Iterator

import pytest

from service.engine.check import check
from service.engine.events import BonusSource, FishSource
from service.engine.ocean import SLOT_COUNT, SLOTS_BY_NAME
from service.engine.resolvers import all_of
from service.engine.rng import Generator
from service.engine.rules import apply, legal_moves
from service.engine.state import (
    SHARKS_AND_REEFS,
    AlsoIf,
    Benefits,
    DiveOn,
    Frame,
    GameState,
    Options,
    Pay,
    Scattering,
    Step,
)
from tests.choosers import chooser
from tests.games import Setup, moments
from tests.marks import rule
from tests.table import Ocean, situation

Told = list[tuple[str, str]]
"""The field and the rule of each fault."""

BLUE_REEF = BonusSource(0, 5)
BEHIND_REEF = DiveOn(0, 6)
SEAROBIN = FishSource(0, SLOTS_BY_NAME["B1"], 138)
"""Armored Searobin on B1, if activated: recover 1, also draw 1; behind it comes the diver's way to row 2."""
ALSO = SEAROBIN._replace(is_also=True)
BEHIND_SEAROBIN = DiveOn(0, 2)
NINJA = FishSource(0, SLOTS_BY_NAME["P4"], 176)
"""Ninja Lanternshark on P4: when played 1 young, scatter 1."""
VELVET = FishSource(0, SLOTS_BY_NAME["P1"], 207)
"""Velvet Belly Lanternshark on P1: when played scatter 2."""


def told(state: GameState) -> Told:
    return [(fault.field, fault.rule) for fault in check(state)]


def slots(*names: str) -> int:
    return sum(1 << SLOTS_BY_NAME[name] for name in names)


# Reefs and the need for coral.


@rule("R11.1", "R11.4")
@pytest.mark.parametrize(
    ("ocean", "reefs", "faults"),
    [
        pytest.param({}, (6, 6, 6), [], id="full reefs"),
        pytest.param({}, (7, 0, 0), [("players[0].reefs[0]", "R11.1")], id="seven coral"),
        pytest.param({}, (0, 0, -1), [("players[0].reefs[2]", "R11.1")], id="less than none"),
        pytest.param({"P1": "204"}, (0, 2, 0), [], id="as much as is needed"),
        pytest.param(
            {"P1": "204"}, (6, 1, 6), [("players[0].ocean[P1].fish", "R11.4")], id="less than is needed"
        ),
        pytest.param(
            {"B1": "171"},
            (6, 6, 6),
            [("players[0].ocean[B1].fish", "R11.4")],
            id="another colour than needed",
        ),
        pytest.param({"P4": "146 <302"}, (0, 0, 0), [], id="in the Twilight zone nothing is needed"),
        pytest.param({"G1": "95 <171"}, (0, 0, 0), [], id="a consumed fish needs nothing"),
        pytest.param({"B1": "57 <46,190"}, (0, 0, 0), [], id="any fish card may have eaten"),
    ],
)
def test_reefs_and_what_fish_need(ocean: Ocean, reefs: tuple[int, int, int], faults: Told) -> None:
    assert told(situation(oceans=[ocean, {}], reefs=[reefs], valid=False)) == faults


@rule("R11.1", "R2.4")
def test_the_base_game_has_no_coral() -> None:
    state = situation(valid=False)
    state.players[1].reefs[2] = 1
    assert told(state) == [("players[1].reefs[2]", "R11.1")]


@rule("R2.4")
def test_the_base_game_has_no_card_of_the_expansion() -> None:
    state = situation(oceans=[{"B1": "190"}, {}], valid=False)
    assert told(state) == [("players[0].ocean[B1].fish", "R2.4")]


# The agenda.


def standing(
    *steps: Step,
    ocean: Ocean | None = None,
    reefs: tuple[int, int, int] | None = (3, 0, 0),
    frame: Frame = Frame.END_TURN,
    activated: str = "",
) -> GameState:
    """Return a state of the first player, with a fish for each step and something to use it on."""
    at_end = frame is Frame.GAME_END
    state = situation(
        oceans=[
            {"B1": "138", "P1": "207", "P2": "s", "P4": "176 <302", "B5": "303 e"}
            if ocean is None
            else ocean,
            {"P3": "y", "B5": "303 e"},
        ],
        hands=[(21, 46, 131)],
        discards=[(12,), (14,)],
        reefs=None if reefs is None else [reefs, (3, 3, 3)],
        frame=frame,
        steps=steps,
        week=4 if at_end else 1,
        turn=6 if at_end else 1,
        valid=False,
    )
    state.players[0].activated = slots(*activated.split())
    return state


@rule("R11.2", "R11.3", "R7.5")
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([BEHIND_REEF, Benefits(0, BLUE_REEF, (1,))], id="a purchase"),
        pytest.param([BEHIND_SEAROBIN, AlsoIf(SEAROBIN), Benefits(0, SEAROBIN, (1,))], id="the first part"),
        pytest.param([BEHIND_SEAROBIN, Benefits(0, ALSO, (1,))], id="the second part"),
        pytest.param([Scattering(0, NINJA, 0)], id="a scatter with nothing behind it"),
        pytest.param([Benefits(0, NINJA, (1, 0)), Scattering(0, NINJA, 0)], id="a scatter and a young"),
        pytest.param([Benefits(0, VELVET, (1,)), Scattering(0, VELVET, slots("P2"))], id="a scatter begun"),
    ],
)
def test_what_may_stand_there(steps: list[Step]) -> None:
    assert told(standing(*steps)) == []


BENEFITS, SCATTER = "agenda[0].benefits", "agenda[0].scatter"


@rule("R11.2", "R2.4", "R3.3", "R6.2")
@pytest.mark.parametrize(
    ("state", "faults"),
    [
        pytest.param(
            standing(BEHIND_REEF, Benefits(1, BLUE_REEF, (1,))),
            [(f"{BENEFITS}.seat", "R6.2")],
            id="of another player",
        ),
        pytest.param(
            standing(BEHIND_REEF, Benefits(0, BLUE_REEF, (2,))),
            [(f"{BENEFITS}.left[0]", "R3.2")],
            id="twice in a dive",
        ),
        pytest.param(
            standing(BEHIND_REEF, Benefits(0, BLUE_REEF, (1,)), reefs=(6, 0, 0)),
            [("agenda[0]", "R3.3")],
            id="for a full reef",
        ),
        pytest.param(
            standing(BEHIND_REEF, Benefits(0, BLUE_REEF, (1,)), ocean={"P3": "2y"}),
            [("agenda[0]", "R3.3")],
            id="without an egg",
        ),
        pytest.param(
            standing(Benefits(0, BLUE_REEF, (1,))), [("agenda", "R3.1")], id="without the way down behind it"
        ),
        pytest.param(
            standing(DiveOn(0, 7), Benefits(0, BLUE_REEF, (1,))),
            [("agenda", "R3.1")],
            id="with another way down behind it",
        ),
        pytest.param(
            standing(BEHIND_REEF, Benefits(0, BLUE_REEF, (1,)), frame=Frame.GAME_END),
            [("agenda", "R3.1")],
            id="at the game's end",
        ),
        pytest.param(
            standing(BEHIND_REEF, Benefits(0, BLUE_REEF, (1,)), ocean={"B5": "303 e"}, reefs=None),
            [(f"{BENEFITS}.source", "R2.4")],
            id="in a base game",
        ),
    ],
)
def test_a_purchase_that_cannot_be(state: GameState, faults: Told) -> None:
    assert told(state) == faults


@rule("R11.3", "R7.8", "R7.9", "R3.3")
@pytest.mark.parametrize(
    ("state", "faults"),
    [
        pytest.param(
            standing(BEHIND_SEAROBIN, Benefits(0, ALSO, (1,)), reefs=(2, 6, 6)),
            [(f"{BENEFITS}.source", "R11.3")],
            id="the second part with 2 coral",
        ),
        pytest.param(
            standing(Benefits(0, NINJA._replace(is_also=True), ())),
            [(f"{BENEFITS}.left", "R7.9")],
            id="the second part of a fish that has none",
        ),
        pytest.param(
            standing(Benefits(0, NINJA._replace(is_also=True), (1, 1))),
            [(f"{BENEFITS}.left", "R7.9")],
            id="the benefits of a fish that has no second part as such",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, Benefits(1, ALSO, (1,))),
            [(f"{BENEFITS}.seat", "R7.8")],
            id="the second part for another player",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, Benefits(0, ALSO, (1,)), ocean={"B1": "57 <138"}),
            [(f"{BENEFITS}.source", "R7.9")],
            id="the second part of a covered fish",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, AlsoIf(SEAROBIN), Benefits(0, ALSO, (1,))),
            [("agenda", "R3.1")],
            id="the second part with itself behind",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, Benefits(0, SEAROBIN, (1,))),
            [("agenda", "R3.1")],
            id="the first part without the second behind",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, AlsoIf(VELVET), Benefits(0, SEAROBIN, (1,))),
            [("agenda", "R3.1")],
            id="the first part with that of another fish behind",
        ),
        pytest.param(
            standing(BEHIND_SEAROBIN, AlsoIf(SEAROBIN)),
            [("agenda[0]", "R3.3")],
            id="a second part that waits for nothing",
        ),
    ],
)
def test_an_also_if_that_cannot_be(state: GameState, faults: Told) -> None:
    assert told(state) == faults


@rule("R7.5", "R7.8", "R7.9")
@pytest.mark.parametrize(
    ("steps", "faults"),
    [
        pytest.param(
            [Scattering(0, SEAROBIN, 0)],
            [(f"{SCATTER}.source", "R7.5")],
            id="by a fish that scatters nothing",
        ),
        pytest.param([Scattering(0, BLUE_REEF, 0)], [(f"{SCATTER}.source", "R7.5")], id="by a reef"),
        pytest.param(
            [Scattering(0, BonusSource(0, 1), 0)],
            [(f"{SCATTER}.source", "R7.5")],
            id="by a stop that gives nothing",
        ),
        pytest.param(
            [Benefits(0, VELVET, (2,)), Scattering(0, VELVET, 0)],
            [(f"{SCATTER}.source", "R7.5")],
            id="none of whose scatters is used",
        ),
        pytest.param(
            [Benefits(0, NINJA, (3, 0)), Scattering(0, NINJA, 0)],
            [("agenda[1].benefits.left[0]", "R3.2")],
            id="with more left than is printed",
        ),
        pytest.param([Scattering(1, VELVET, 0)], [(f"{SCATTER}.seat", "R7.8")], id="of another player"),
        pytest.param(
            [Scattering(9, VELVET, 0)],
            [(f"{SCATTER}.seat", "R3.1"), (f"{SCATTER}.seat", "R7.8")],
            id="of nobody",
        ),
        pytest.param(
            [Scattering(0, VELVET._replace(slot=0), 0)],
            [(f"{SCATTER}.source", "R7.9")],
            id="by a fish that lies elsewhere",
        ),
        pytest.param(
            [Scattering(0, VELVET._replace(card=142), 0)],
            [(f"{SCATTER}.source", "R7.9")],
            id="by a fish that does not lie there",
        ),
        pytest.param(
            [Scattering(0, VELVET, slots("P2", "B2"))],
            [(f"{SCATTER}.used", "R7.5")],
            id="a young of which has vanished",
        ),
        pytest.param(
            [Benefits(0, NINJA, (1, 0)), Scattering(0, VELVET, 0)],
            [("agenda", "R3.1")],
            id="before the benefits of another fish",
        ),
        pytest.param(
            [AlsoIf(SEAROBIN), Scattering(0, VELVET, 0)],
            [("agenda", "R3.1")],
            id="before a second part that is not its own",
        ),
    ],
)
def test_a_scatter_that_cannot_be(steps: list[Step], faults: Told) -> None:
    assert told(standing(*steps)) == faults


@rule("R7.5")
def test_a_scatter_of_four_is_over() -> None:
    lying = {"P1": "207", "P2": "y", "P3": "y", "P4": "302 s", "P5": "2y"}
    three = Scattering(0, VELVET, slots("P2", "P3", "P4"))
    assert told(standing(three, ocean=lying)) == []
    four = three._replace(used=slots("P2", "P3", "P4", "P5"))
    assert told(standing(four, ocean=lying)) == [(f"{SCATTER}.used", "R7.5")]


@rule("R7.5", "R3.1")
def test_a_scatter_belongs_to_a_turn_or_to_the_game_end() -> None:
    assert told(standing(Scattering(0, VELVET, 0), frame=Frame.TURN)) == [("agenda", "R3.1")]
    sevengill = FishSource(0, SLOTS_BY_NAME["P4"], 146)
    step: list[Step] = [Benefits(0, sevengill, (1,)), Scattering(0, sevengill, 0)]
    ocean = {"P4": "146 <302", "P1": "s"}
    used, unused = (
        standing(*step, ocean=ocean, frame=Frame.GAME_END, activated=activated) for activated in ("P4", "")
    )
    assert (told(used), told(unused)) == ([], [(f"{SCATTER}.source", "R9.1")])
    assert told(standing(*step, ocean=ocean)) == [("agenda", "R3.1"), (f"{SCATTER}.source", "R9.1")]


ANGLER = FishSource(0, SLOTS_BY_NAME["B1"], 141)
SLICKHEAD = FishSource(0, SLOTS_BY_NAME["B6"], 209)


@rule("R11.5", "R9.1")
@pytest.mark.parametrize(("blue", "faults"), [(0, []), (1, [(f"{BENEFITS}.source", "R11.5")])])
def test_an_ability_with_a_condition_is_open_only_while_it_holds(blue: int, faults: Told) -> None:
    """Blackmouth Angler: free play, if no coral lies in its site."""
    step = Benefits(0, ANGLER, all_of(ANGLER))
    state = standing(step, ocean={"B1": "141"}, reefs=(blue, 6, 6), frame=Frame.GAME_END, activated="B1")
    assert told(state) == faults


@rule("R9.1", "R5.8", "R11.5")
@pytest.mark.parametrize(
    ("ocean", "reefs", "faults"),
    [
        pytest.param({"B6": "209"}, (5, 0, 0), [], id="where 5 coral are, as asked for"),
        pytest.param({"B6": "209"}, (4, 6, 6), [("agenda[0].pay", "R9.1")], id="where 4 coral are"),
        pytest.param({"B6": "156"}, (0, 6, 6), [("agenda[0].pay", "R9.1")], id="by a play that is free"),
    ],
)
def test_a_price_is_paid_only_where_a_play_asks_for_it(
    ocean: Ocean, reefs: tuple[int, int, int], faults: Told
) -> None:
    """Black Hagfish, 64 cm, onto B2 for 3 cards, two of which are paid."""
    state = situation(
        oceans=[ocean, {}],
        hands=[(21, 131, 132)],
        discards=[(12, 46)],
        reefs=[reefs],
        frame=Frame.GAME_END,
        steps=[Pay(21, SLOTS_BY_NAME["B2"], 1, 0, 0, 0)],
        week=4,
        turn=6,
        valid=False,
    )
    state.players[0].activated = slots("B6")
    assert told(state) == faults


# What is accepted can be played on.


def _other_reef(state: GameState, dice: Generator) -> None:
    state.players[dice.below(len(state.players))].reefs[dice.below(3)] = dice.below(8)


def _other_tokens(state: GameState, dice: Generator) -> None:
    player, slot = state.players[dice.below(len(state.players))], dice.below(SLOT_COUNT)
    player.young[slot] = dice.below(5)
    player.schools ^= dice.below(2) << slot


def _other_fields(state: GameState, dice: Generator) -> None:
    """Change one field of the step that asks."""
    step = state.agenda[-1]
    if isinstance(step, Benefits):
        left = tuple(dice.below(3) for _ in step.left)
        state.agenda[-1] = (step._replace(left=left), step._replace(seat=0))[dice.below(2)]
    elif isinstance(step, Scattering):
        used = 1 << dice.below(SLOT_COUNT) | 1 << dice.below(SLOT_COUNT)
        state.agenda[-1] = (step._replace(used=used), step._replace(seat=0))[dice.below(2)]


def _a_fish_at_work(state: GameState, dice: Generator) -> None:
    """Open the ability of a visible fish, as it is or in the midst of a scatter, before the turn ends."""
    player = state.players[state.seat]
    slot = dice.below(SLOT_COUNT)
    source = FishSource(state.seat, slot, player.fish[slot], is_also=dice.below(2) == 1)
    group = Benefits(state.seat, source, all_of(source))
    fewer = group._replace(left=tuple(dice.below(count + 1) for count in group.left))
    scatter = (
        [fewer, Scattering(state.seat, source, 0)] if any(fewer.left) else [Scattering(state.seat, source, 0)]
    )
    state.agenda = [Frame.END_TURN, *([group], scatter)[dice.below(2)]]


def _a_purchase(state: GameState, dice: Generator) -> None:
    site = dice.below(3)
    state.agenda = [Frame.END_TURN, DiveOn(site, 6), Benefits(state.seat, BonusSource(site, 5), (1,))]


CHANGES: tuple[Callable[[GameState, Generator], None], ...] = (
    _other_reef,
    _other_tokens,
    _other_fields,
    _a_fish_at_work,
    _a_purchase,
)


def changed_states(setup: Setup) -> Iterator[GameState]:
    """Yield what is accepted of the states of a game, each changed in one way."""
    dice = Generator(setup.seed)
    for moment in moments(setup, chooser(["gardener"], setup.seed)):
        copy = moment.state.copy()
        CHANGES[dice.below(len(CHANGES))](copy, dice)
        if not check(copy):
            yield copy


@pytest.mark.parametrize("players", [1, 2, 3])
def test_what_is_accepted_can_be_played_on(players: int) -> None:
    setup = Setup(players, Options(expansions=(SHARKS_AND_REEFS,)), "a garden to check")
    dice = Generator("moves")
    kinds = set()
    for state in changed_states(setup):
        kinds.add(type(state.agenda[-1]))
        after = state
        for _ in range(6):
            moves = legal_moves(after)
            assert moves or after.is_over
            if not moves:
                break
            after = apply(after, moves[dice.below(len(moves))]).state
            assert check(after) == []
    assert {Frame, Benefits} <= kinds
