"""What the fuzz has found, each as a case of its own."""

import random

import pytest

from finspan.v1 import finspan_pb2 as pb
from tests.fuzz.asking import Asked
from tests.fuzz.corpus import corpus
from tests.fuzz.doors import InProcess
from tests.fuzz.judging import Fuzz

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
