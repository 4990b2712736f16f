"""Whatever can happen can be folded, from the engine and from the wire."""

from typing import get_args

from finspan.v1 import finspan_pb2 as pb
from service.engine.events import Event
from tests.fold import FOLDS
from tests.wire import name_of


def test_every_event_of_the_engine_can_be_folded() -> None:
    assert {event.__name__ for event in get_args(Event)} == FOLDS.keys()


def test_every_event_of_the_contract_can_be_folded() -> None:
    kinds = pb.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    assert {name_of(kind.name) for kind in kinds} == FOLDS.keys()
