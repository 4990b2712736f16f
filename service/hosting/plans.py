"""What requests make of a hosted game: plans, for the store to carry out or not.

Everything here is a function of the game as it stands; nothing asks the store or the clock.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Self

from finspan.v1 import finspan_pb2 as pb
from service.convert import event_fields
from service.convert.reading import Faults, Fields
from service.engine.errors import Fault
from service.engine.rules import Transition
from service.engine.samples import sample
from service.engine.setup import name_faults
from service.errors import InvalidFields
from service.hosting.advance import Advance, Step, bot_steps
from service.hosting.seats import Scope
from service.hosting.snapshots import Hosted, Meta, public_message
from service.positions import Position, position_of

NONCE_BYTES: Final = 32
"""The random bytes of a commitment."""


class Noted(NamedTuple):
    """An entry for the log, and the game after it."""

    entry: pb.LogEntry
    position: Position


class Plan(NamedTuple):
    """What a change makes of a game."""

    hosted: Hosted
    message: pb.GameState
    """The state's message, without its hidden part."""
    log: Sequence[Noted]
    outcome: Mapping[str, Any]
    """What a repeated request is answered from."""

    @property
    def events(self) -> list[pb.Event]:
        """What happens."""
        return [event for noted in self.log for event in noted.entry.events]


_CHANGING: Final = {"bots", "is_over", "is_ended", "number"}


class Standing(NamedTuple):
    """How a game stands, or stood: all that is told about it beside its state."""

    version: int
    meta: Meta

    def noted(self) -> dict[str, Any]:
        """Return it for the record of a request, without what never changes, some of which is secret."""
        return {"version": self.version, "meta": self.meta.model_dump(include=_CHANGING)}

    @classmethod
    def of_note(cls, noted: Mapping[str, Any], now: Meta) -> Self:
        """Return it from such a record and from what the game has now."""
        return cls(noted["version"], Meta(**{**now.model_dump(), **noted["meta"]}))


def _number_after(hosted: Hosted, log: Sequence[Noted]) -> int:
    """Return the number of the log's newest entry when these are written behind it."""
    version, number = hosted.state.version, hosted.meta.number
    for entry, _ in log:
        number = number + 1 if entry.version == version else 0
        version = entry.version
    return number


def _plan(
    hosted: Hosted, position: Position, log: Sequence[Noted], outcome: Mapping[str, Any] | None = None
) -> Plan:
    """Return the plan that leads to a position; without an outcome, that is how the game stands then."""
    state = position.state
    changes = {"is_over": state.is_over, "number": _number_after(hosted, log)}
    meta = hosted.meta.model_copy(update=changes)
    after = hosted._replace(meta=meta, position=position)
    noted = Standing(state.version, meta).noted() if outcome is None else outcome
    return Plan(after, public_message(state), log, noted)


def _noted(
    position: Position,
    kind: pb.LogEntryKind.ValueType,
    seat: int | None = None,
    events: Iterable[Fields] = (),
) -> Noted:
    """Return an entry about something that is no move."""
    fields: Fields = {
        "version": position.state.version,
        "kind": kind,
        "seat": seat,
        "events": [*events],
        "digest": position.digest,
    }
    return Noted(pb.LogEntry(**fields), position)


def _moved(steps: Iterable[Step], kind: pb.LogEntryKind.ValueType, request_id: str = "") -> list[Noted]:
    return [Noted(step.entry(kind, request_id), step.position) for step in steps]


# New games.


class Making(NamedTuple):
    """What a new game has, whatever it is made from."""

    game_id: str
    public_watching: bool
    expires: int
    """When the tokens of its seats end, in seconds since 1970."""


def _new_meta(
    seed: str, position: Position, making: Making, forked_from: tuple[str, int] | None = None
) -> Meta:
    return Meta(
        number=-1,  # the first entry's will be 0
        public_watching=making.public_watching,
        nonce=secrets.token_hex(NONCE_BYTES),
        seed=seed,
        play_generations=(0,) * len(position.state.players),
        forked_from=forked_from,
    )


def new_plan(making: Making, game: Transition) -> Plan:
    """Return the plan of a game that was just set up."""
    position = position_of(game.state, is_open=False)
    meta = _new_meta(game.state.seed, position, making)
    log = [_noted(position, pb.LOG_ENTRY_KIND_SETUP, events=event_fields(game))]
    return _plan(Hosted(making.game_id, meta, position), position, log, {"expires": making.expires})


def fork_plan(making: Making, source: Hosted, seed: str, names: tuple[str, ...]) -> Plan:
    """Return the plan of a game with another one's public facts, its hidden order drawn from a seed."""
    state = sample(source.state, seed, 0)
    state.names = names
    position = position_of(state, is_open=False)
    meta = _new_meta(seed, position, making, forked_from=(source.game_id, state.version))
    log = [_noted(position, pb.LOG_ENTRY_KIND_FORK)]
    return _plan(Hosted(making.game_id, meta, position), position, log, {"expires": making.expires})


def names_in_fork(source: Hosted, given: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a fork: those given, else those of the other game.

    Raises:
        InvalidFields: one is too long, or there are not as many as seats.

    """
    names = tuple(given) or source.state.names
    faults: Faults = name_faults(names, "display_names[{}]")
    seats = len(source.state.players)
    if len(names) != seats:
        text = f"Give a name to each of the {seats} players, or to none."
        faults.append(Fault("display_names", "R2.1", text))
    if faults:
        raise InvalidFields(faults)
    return names


# Changes.


def moves_plan(hosted: Hosted, done: Advance, request_id: str) -> Plan:
    """Return the plan of a player's moves, with those of the bots behind them."""
    position = done.steps[-1].position if done.steps else hosted.position
    bots = [*bot_steps(position, hosted.meta.bots)]
    log = [
        *_moved(done.steps, pb.LOG_ENTRY_KIND_MOVE, request_id),
        *_moved(bots, pb.LOG_ENTRY_KIND_BOT_MOVE),
    ]
    position = log[-1].position if log else position
    outcome = {
        "from": hosted.state.version,
        "to": position.state.version,
        "applied": done.applied,
    }
    return _plan(hosted, position, log, outcome)


def token_plan(hosted: Hosted, scope: Scope, seat: int | None, expires: int) -> Plan:
    """Return the plan of a token that is issued anew; a bot gives its seat back to the bearer."""
    meta, generation = _with_new_token(hosted.meta, scope, seat)
    log = [_noted(hosted.position, pb.LOG_ENTRY_KIND_TOKEN_ISSUED, seat)]
    outcome = {"generation": generation, "expires": expires}
    return _plan(hosted._replace(meta=meta), hosted.position, log, outcome)


def ending_plan(hosted: Hosted) -> Plan:
    """Return the plan of a game that ends as it stands."""
    meta = hosted.meta.model_copy(update={"is_ended": True})
    log = [_noted(hosted.position, pb.LOG_ENTRY_KIND_ENDED)]
    return _plan(hosted._replace(meta=meta), replace(hosted.position, is_ended=True), log)


def rules_plan(hosted: Hosted) -> Plan:
    """Return the plan of a game of another rules version that goes on by ours as it stands."""
    return _plan(hosted, hosted.position, [_noted(hosted.position, pb.LOG_ENTRY_KIND_RULES_CHANGED)])


def bot_plan(hosted: Hosted, seat: int) -> Plan:
    """Return the plan of a bot that takes a seat; the player's tokens are void.

    Raises:
        InvalidFields: there is no such seat.

    """
    _require_seat(hosted.meta, seat, "bot_seat")
    meta = _with_void_tokens(hosted.meta, seat)
    bots = tuple(sorted({*meta.bots, seat}))
    hosted = hosted._replace(meta=meta.model_copy(update={"bots": bots}))
    steps = bot_steps(hosted.position, bots)
    log = [
        _noted(hosted.position, pb.LOG_ENTRY_KIND_BOT_SEATED, seat),
        *_moved(steps, pb.LOG_ENTRY_KIND_BOT_MOVE),
    ]
    return _plan(hosted, log[-1].position, log)


def _require_seat(meta: Meta, seat: int, field: str) -> None:
    if seat >= len(meta.play_generations):
        raise InvalidFields([Fault(field, "R3.1", f"There is no seat {seat} in this game.")])


def _with_new_token(meta: Meta, scope: Scope, seat: int | None) -> tuple[Meta, int]:
    """Return what a game has beside its state when a token is issued anew, and the token's generation."""
    if seat is not None:
        _require_seat(meta, seat, "seat")
        meta = _with_void_tokens(meta, seat)
        bots = tuple(bot for bot in meta.bots if bot != seat)
        return meta.model_copy(update={"bots": bots}), meta.play_generations[seat]
    field = "watch_generation" if scope is Scope.WATCH else "admin_generation"
    generation = getattr(meta, field) + 1
    return meta.model_copy(update={field: generation}), generation


def _with_void_tokens(meta: Meta, seat: int) -> Meta:
    """Return what a game has beside its state when all tokens of a seat are void."""
    generations = [*meta.play_generations]
    generations[seat] += 1
    return meta.model_copy(update={"play_generations": tuple(generations)})
