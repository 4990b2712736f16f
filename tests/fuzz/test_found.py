"""What the fuzz has found, each as a case of its own."""

import random
from uuid import UUID

import pytest

from finspan.v1 import finspan_pb2 as pb
from tests.fuzz.asking import Asked, Shown
from tests.fuzz.corpus import corpus
from tests.fuzz.doors import InProcess
from tests.fuzz.judging import Fuzz
from tests.fuzz.messages import Value
from tests.fuzz.showing import ADMINISTRATOR, good

NO_CHANCE = random.Random(0)  # noqa: S311  nothing is drawn from it
STOPS = [stop.number for stop in pb.DiveStop.DESCRIPTOR.values if stop.number]


def at_a_bonus() -> pb.GameState:
    """Return an open state in which somebody takes a bonus."""
    states = (real.state for real in corpus() if real.state.HasField("open"))
    return next(state for state in states if state.agenda[0].benefits.source.HasField("bonus"))


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("site", pb.Site.values()[1:])
def test_a_dive_stop_without_a_bonus_gives_nothing(
    site: pb.Site.ValueType, stop: pb.DiveStop.ValueType
) -> None:
    state = pb.GameState()
    state.CopyFrom(at_a_bonus())
    bonus = state.agenda[0].benefits.source.bonus
    is_same = (bonus.site, bonus.stop) == (site, stop)
    bonus.site, bonus.stop = site, stop
    request = pb.LegalMovesRequest(state=state).SerializeToString()
    reason = Fuzz(InProcess()).ask(Asked("LegalMoves", request), NO_CHANCE)
    assert reason == "OK" if is_same else reason in {"OK", "ERROR_REASON_IMPOSSIBLE_STATE"}


def answered(door: InProcess, request: Value, reply: type[Value], shown: Shown) -> Value:
    """Return the reply to a call about a hosted game."""
    method = type(request).__name__.removesuffix("Request")
    asked = Asked(method, request.SerializeToString(), metadata=shown.metadata, server=0)
    answer = door.ask(asked)
    assert answer.code == "OK", answer.details
    return reply.FromString(answer.reply)


def test_a_move_is_answered_as_the_first_time_after_the_game_was_ended() -> None:
    door, game = (
        InProcess(),
        pb.NewGameRequest(players=2, form=pb.STATE_FORM_HOSTED, request_id=str(UUID(int=1))),
    )
    game.with_legal_moves = True
    made = answered(door, game, pb.NewGameResponse, ADMINISTRATOR)
    mine = good(made.tokens[made.decision.seat].token)
    move = pb.ApplyMoveRequest(
        game_id=made.game.game_id,
        moves=[made.legal_moves[0].move],
        with_legal_moves=True,
        request_id=str(UUID(int=2)),
        expected_version=0,
    )
    end = pb.EndGameRequest(game_id=made.game.game_id, request_id=str(UUID(int=3)), end_now=pb.EndNow())
    first = answered(door, move, pb.ApplyMoveResponse, mine)
    answered(door, end, pb.EndGameResponse, ADMINISTRATOR)
    assert answered(door, move, pb.ApplyMoveResponse, mine) == first
    assert first.HasField("decision")
