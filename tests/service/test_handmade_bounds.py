"""Open states at the bounds of what may come from outside are played on, and what comes of them is taken."""

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.bounds import MAX_VERSION, moves_left_at_most
from service.engine.errors import Fault, ImpossibleState
from service.engine.rules import apply, legal_moves
from service.positions import Position, Positions, position_of
from service.seal import Seals
from tests.service.support import played
from tests.service.test_handmade import by_hand, player

POSITIONS = Positions(Seals({"k": bytes(32)}))
"""It keeps nothing, so what is read is checked."""


def faults_of(message: pb.GameState) -> list[Fault]:
    try:
        POSITIONS.read(message)
    except ImpossibleState as error:
        return error.faults
    return []


def played_on(position: Position) -> Position:
    """Return the game after its first legal move, once there and back."""
    after = apply(position.state, legal_moves(position.state)[0]).state
    return POSITIONS.read(POSITIONS.write(position_of(after, is_open=True)))


@pytest.mark.parametrize(("counter", "is_fine"), [(1_000_000, True), (1_000_001, False), (2**32 - 1, False)])
def test_a_wrong_counter_is_told_as_it_came(counter: int, *, is_fine: bool) -> None:
    """The deck is left out: it is shuffled from there, and the counter goes on."""
    told = faults_of(by_hand(open={"seed": "by hand", "counter": counter}))
    text = f"It is {counter} and must be 0 to 1000000."
    assert told == ([] if is_fine else [Fault("open.counter", "R2.5", text)])


@pytest.mark.parametrize(("counter", "is_fine"), [(1_000_100, True), (1_000_101, False)])
def test_a_counter_beside_a_deck_may_stand_behind_its_shuffle(counter: int, *, is_fine: bool) -> None:
    told = faults_of(by_hand(open={"seed": "s", "counter": counter, "deck": {"cards": range(1, 126)}}))
    text = f"It is {counter} and must be 0 to 1000100."
    assert told == ([] if is_fine else [Fault("open.counter", "R2.5", text)])


def test_what_comes_of_a_state_at_the_bounds_is_taken() -> None:
    crowded = {"slot": 1, "young": 99, "school": True}
    message = by_hand(
        players=[player(crowded, seat=0), player(crowded, seat=1)],
        open={"seed": "by hand", "counter": 1_000_000},
    )
    position = POSITIONS.read(message)
    assert position.state.counter > 1_000_000
    for _ in range(40):
        position = played_on(position)


def test_a_game_at_the_highest_version_goes_on_to_its_end() -> None:
    state = played(40)
    state.version = MAX_VERSION - moves_left_at_most(state)
    position = POSITIONS.read(POSITIONS.write(position_of(state, is_open=True)))
    while not position.is_over:
        position = played_on(position)
    state.version += 1
    told = faults_of(POSITIONS.write(position_of(state, is_open=True)))
    assert [(fault.field, fault.rule) for fault in told] == [("version", "R2.5")]


def test_a_week_left_out_hides_nothing_else() -> None:
    message = by_hand(
        week=0,
        players=[player({"slot": 1, "egg": True}, hand=[126, 301]), player(seat=1, display_name="\u202e")],
        deck_size=3,
    )
    assert [fault.field for fault in faults_of(message)] == [
        "week",
        "players[1].display_name",
        "players[0].hand",
        "players[0].ocean[B1].egg",
        "deck_size",
    ]
