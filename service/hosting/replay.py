"""Whether the record of a hosted game gives the game: its options, its seed and its moves, played again."""

from collections.abc import Iterator, Sequence

from finspan.v1 import finspan_pb2 as pb
from service.convert import event_fields, read_moves
from service.convert.reading import Faults
from service.engine.digest import full_digest
from service.engine.errors import IllegalMove, Refusal
from service.engine.rules import Transition, apply, new_game
from service.engine.state import GameState
from service.hosting.snapshots import Hosted, Logged
from service.positions import position_of


def _without_texts(events: Sequence[pb.Event]) -> list[bytes]:
    """Return events as bytes, without what may read otherwise in any release."""
    bare = []
    for event in events:
        copy = pb.Event()
        copy.CopyFrom(event)
        copy.ClearField("text")
        bare.append(copy.SerializeToString(deterministic=True))
    return bare


def _again(state: GameState, entry: pb.LogEntry) -> Transition:
    """Make the move of a log entry once more."""
    faults: Faults = []
    (move,) = read_moves([entry.move], "move", faults)
    if faults:
        raise IllegalMove(entry.move_id, Refusal("", faults[0].text))
    return apply(state, move)


def _step_differences(logged: Logged, transition: Transition) -> Iterator[str]:
    entry, state = logged.entry, transition.state
    again = [pb.Event(**fields) for fields in event_fields(transition)]
    if _without_texts(again) != _without_texts(entry.events):
        yield f"version {entry.version}, {entry.move_id}: other events"
    if position_of(state, is_open=False).digest != entry.digest:
        yield f"version {entry.version}, {entry.move_id}: other public facts"
    elif full_digest(state) != logged.full_digest:
        yield f"version {entry.version}, {entry.move_id}: another hidden order"


def _setup_differences(first: Hosted) -> Iterator[str]:
    """A game that was set up here, not forked, follows from its options and its seed."""
    if first.meta.forked_from is not None:
        return
    state = first.state
    again = new_game(len(state.players), state.options, seed=first.meta.seed, names=state.names)
    if full_digest(again.state) != full_digest(state):
        yield f"version {state.version}: another setup"


def differences(first: Hosted, entries: Sequence[Logged], last: Hosted) -> Iterator[str]:
    """Yield in which ways a game played again from its start differs from its log and its newest snapshot.

    It ends with the first difference of a kind after which nothing further can be compared.
    """
    yield from _setup_differences(first)
    state: GameState = first.state
    for logged in entries:
        if not logged.entry.HasField("move"):
            continue
        try:
            transition = _again(state, logged.entry)
        except IllegalMove as error:
            yield f"version {logged.entry.version}: {error}"
            return
        yield from _step_differences(logged, transition)
        state = transition.state
    if full_digest(state) != full_digest(last.state) or state.version != last.state.version:
        yield f"version {last.state.version}: the newest snapshot is another state"
