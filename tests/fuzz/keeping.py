"""Judges what calls make of hosted games, by what the store has of them before and after."""

from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeVar, cast

from google.protobuf.message import DecodeError

from finspan.v1 import finspan_pb2 as pb
from service.convert import read_moves
from service.convert.reading import Faults
from service.engine.digest import full_digest
from service.engine.events import reveals
from service.engine.moves import Move
from service.engine.rules import apply, apply_all, decision
from service.engine.state import GameState
from service.hosting.seats import Claims, Scope
from service.hosting.snapshots import Hosted, Logged, Meta, decoded, read_item, read_snapshot
from service.seal import Seals, read_keys
from service.store import Head, LogEntry
from service.store.memory import MemoryStore
from tests.fuzz.asking import Asked, request_type
from tests.fuzz.corpus import RUN, SEAL_KEYS, Traces, traces_of
from tests.fuzz.messages import TEXTS, Value
from tests.fuzz.stories import ADMINISTRATIVE, WRITING, is_hosted

Result = TypeVar("Result")

MAKING: Final = {"NewGame", "ForkGame"}
UNAVAILABLE: Final = "ERROR_REASON_STORE_UNAVAILABLE"
REPEATED: Final = {
    *("OK", UNAVAILABLE, "ERROR_REASON_DEADLINE"),
    *("ERROR_REASON_TOKEN_REFUSED", "ERROR_REASON_GAME_NOT_FOUND"),
}
"""What a repeated call may be answered: its token may be void by now, its game deleted."""
SECRET_LENGTH: Final = 20
"""Shorter seeds stand in many a text."""
MOST: Final = 10_000
MOVED: Final = {pb.LOG_ENTRY_KIND_MOVE, pb.LOG_ENTRY_KIND_BOT_MOVE}
_SEALS: Final = Seals(read_keys(SEAL_KEYS))


class Kept(NamedTuple):
    """A hosted game as the store has it."""

    id: str
    head: Head
    log: Sequence[LogEntry]

    @property
    def hosted(self) -> Hosted:
        return _opened(self.id, self.head)

    @property
    def meta(self) -> Meta:
        return self.hosted.meta

    @property
    def is_done(self) -> bool:
        """Whether its hidden part may be shown to everybody who may see it."""
        return self.meta.is_over or self.meta.is_ended


Games = dict[str, Kept]


@lru_cache(16)
def _opened(game_id: str, head: Head) -> Hosted:
    return decoded(read_snapshot(game_id, head.version, head.snapshot, _SEALS))


@lru_cache(16)
def _traces(game_id: str, head: Head) -> Traces:
    """Return what of a game that goes on nobody may see; every second one of the deck's runs is enough."""
    hosted = _opened(game_id, head)
    state, meta = hosted.state, hosted.meta
    digest = full_digest(state)
    traces = {meta.nonce.encode(), meta.seed.encode(), digest.encode(), bytes.fromhex(digest)}
    told = {seed.encode() for seed in (*TEXTS, state.seed, meta.seed) if not _is_secret(seed)}
    return (traces_of(state, RUN) | traces) - told


def _is_secret(seed: str) -> bool:
    """Return whether a seed is one that stands nowhere else."""
    return len(seed) >= SECRET_LENGTH and seed not in TEXTS


def at_once(step: Coroutine[Any, Any, Result]) -> Result:
    """Return what a step of a store in memory gives, which never waits."""
    try:
        step.send(None)
    except StopIteration as end:
        return cast("Result", end.value)
    raise AssertionError("it waits")


class Books:
    """What is kept of all hosted games, call by call."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._games = self._look()
        self._replies: dict[tuple[object, ...], Value] = {}
        """What was answered to the calls that changed something; None: it was lost."""
        self._carried_out: set[tuple[str, bytes]] = set()
        self._secret_ids: set[str] = set()
        self._others = b""
        """All requests that were not to make a game."""

    def _look(self) -> Games:
        games: Games = {}
        for listed in at_once(self._store.games("", MOST)).games:
            head = at_once(self._store.load(listed.game_id)).head
            assert head is not None
            log = at_once(self._store.log(listed.game_id, (0, 0), MOST))
            games[listed.game_id] = Kept(listed.game_id, head, log)
        return games

    def state_of(self, game_id: str) -> GameState | None:
        """Return the state of a game that is there."""
        game = self._games.get(game_id)
        return None if game is None else game.hosted.state

    def judge(self, asked: Asked, reason: str, reply: Value) -> Traces:
        """See to it that a call did what it may, and nothing else; return what its answer must not hold."""
        before, after = self._games, self._look()
        self._games = after
        request = request_of(asked)
        changed = [id_ for id_ in before | after if before.get(id_) != after.get(id_)]
        assert len(changed) <= 1, "a call changed two games"
        if reason == UNAVAILABLE:
            assert asked.outage, "the store was there"
        if changed:
            assert reason in {"OK", UNAVAILABLE}, "a call was refused and changed something"
            assert _is_writing(asked.method, request), "a call that only looks changed something"
            _judge_change(Shift(before.get(changed[0]), after.get(changed[0])), asked, request, reply)
        if reason == "OK" and is_hosted(asked.method, request):
            _judge_permit(asked, request, reply, before)
            _judge_look(asked.method, request, reply, before)
        if _is_writing(asked.method, request):
            self._judge_repetition(asked, reason, reply, is_changed=bool(changed))
            self._judge_effect(asked.method, request, reason, is_changed=bool(changed))
        return self._traces(asked, request, reply)

    def _judge_repetition(self, asked: Asked, reason: str, reply: Value, *, is_changed: bool) -> None:
        """What was carried out is not carried out again, and is answered as the first time."""
        key = (asked.method, asked.raw, asked.shown.metadata)
        if key not in self._replies:
            if is_changed:
                self._replies[key] = reply
            return
        assert not is_changed, "a repeated call was carried out again"
        assert reason in REPEATED, "a repeated call was refused"
        if reply is not None:
            first = self._replies[key] or reply
            assert reply == first, "a repeated call is answered otherwise"
            self._replies[key] = reply

    def _judge_effect(self, method: str, request: Value, reason: str, *, is_changed: bool) -> None:
        """What is answered as done was done, now or at an earlier call."""
        wish = (method, request.SerializeToString(deterministic=True))
        self._carried_out |= {wish} if is_changed else set()
        assert reason != "OK" or wish in self._carried_out, "a call was answered and not carried out"

    def _traces(self, asked: Asked, request: Value, reply: Value) -> Traces:
        """Return what an answer must not hold: of the games that go on, and the ids that made games.

        An administrator may give a seed to two games. Whatever opens one, its end or an open look by an
        administrator, then opens the other, too.
        """
        self._note_id(asked, request, reply)
        shows = isinstance(reply, pb.GetGameResponse) and request.form == pb.STATE_FORM_OPEN
        shown = request.game_id if shows else None
        games = self._games.values()
        opened = {game.meta.seed for game in games if game.is_done or game.id == shown}
        hidden = [_traces(game.id, game.head) for game in games if game.meta.seed not in opened]
        return frozenset().union(*hidden, (id_.encode() for id_ in self._secret_ids))

    def _note_id(self, asked: Asked, request: Value, reply: Value) -> None:
        """Remember the id of a request that made a game, unless it was or is used for something else."""
        if asked.method not in MAKING:
            self._others += asked.raw
        elif reply is not None and is_hosted(asked.method, request):
            once = asked.raw.count(request.request_id.encode()) == 1
            self._secret_ids |= {request.request_id} if once else set()
        self._secret_ids = {id_ for id_ in self._secret_ids if id_.encode() not in self._others}


class Shift(NamedTuple):
    """A game before and after a call; None: it was not, or is no longer there."""

    before: Kept | None
    after: Kept | None


def request_of(asked: Asked) -> Value:
    """Return a call's request; None: its bytes are none."""
    try:
        return request_type(asked.method).FromString(asked.raw)
    except DecodeError:
        return None


def _is_writing(method: str, request: Value) -> bool:
    if request is None or method not in WRITING or not is_hosted(method, request):
        return False
    return not (method == "ApplyMove" and request.validate_only)


# Changes.


def _judge_change(shift: Shift, asked: Asked, request: Value, reply: Value) -> None:
    before, after = shift
    assert not asked.shown.is_bad, "a token or key that is none was accepted"
    if before is None:
        assert after is not None
        assert asked.method in MAKING, "a game came to be"
        assert after.head.revision == len(after.log) == 1, "a game begins with one entry"
        return
    assert before.id == request.game_id, "another game than the one named was changed"
    assert (after is None) == (asked.method == "DeleteGame"), "only DeleteGame deletes"
    if after is None:
        return
    written = _written(before, after)
    _replay(before.hosted.state, written, after)
    entries = [logged.entry for logged in written]
    _JUDGES[asked.method](before, entries, request, asked.shown.claims)
    if isinstance(reply, pb.ApplyMoveResponse):
        assert reply.version == after.head.version
        assert reply.digest == after.hosted.position.digest
        assert [*reply.events] == [event for entry in entries for event in entry.events]


def _written(before: Kept, after: Kept) -> list[Logged]:
    """Return what was written into the log, behind what was there; it is in order and has no gaps."""
    assert after.head.revision == before.head.revision + 1
    count = len(before.log)
    assert after.log[:count] == before.log
    places = [(entry.version, entry.number) for entry in after.log[max(count - 1, 0) :]]
    for (version, number), place in pairwise(places):
        assert place in {(version, number + 1), (version + 1, 0)}, "a gap in the log, or one entry twice"
    return [read_item(entry.data) for entry in after.log[count:]]


def _replay(state: GameState, written: Sequence[Logged], after: Kept) -> None:
    """Play what was written once more: the deciding seat moves, and it leads to what is kept."""
    for digest, entry in written:
        assert entry.HasField("move") == (entry.kind in MOVED)
        if entry.HasField("move"):
            question = decision(state)
            assert question is not None
            assert question.seat == entry.seat, "a seat moved that does not decide"
            state = apply(state, _move(entry)).state
        assert entry.version == state.version
        assert digest == full_digest(state), "an entry is about another state"
    assert state.version == after.head.version
    assert full_digest(state) == full_digest(after.hosted.state), "the log leads to another state"


def _move(entry: pb.LogEntry) -> Move:
    faults: Faults = []
    (move,) = read_moves([entry.move], "move", faults)
    assert not faults
    return move


def _judge_moves(before: Kept, entries: Sequence[pb.LogEntry], request: Value, claims: Claims | None) -> None:
    """A seat moved for itself, up to the first card shown, under a new request id; then bots."""
    assert not before.is_done, "a move in a game that is over"
    assert claims is not None, "a move without a token"
    moved = [entry for entry in entries if entry.kind == pb.LOG_ENTRY_KIND_MOVE]
    bots = entries[len(moved) :]
    assert {entry.kind for entry in bots} <= {pb.LOG_ENTRY_KIND_BOT_MOVE}
    assert {entry.seat for entry in bots} <= {*before.meta.bots}
    own = {(entry.seat, entry.request_id) for entry in moved}
    assert own <= {(claims.seat, request.request_id)}, "a move for another seat"
    earlier = (read_item(item.data).entry.request_id for item in before.log)
    assert not moved or request.request_id not in earlier, "a request is in the log twice"
    _judge_reveals(before.hosted.state, [_move(entry) for entry in moved])


def _judge_reveals(state: GameState, moves: Sequence[Move], last: int = 1) -> None:
    """Only the last of some moves, if any, has shown something hidden."""
    for index, transition in enumerate(apply_all(state, moves)):
        if transition is not None and index < len(moves) - last:
            assert not reveals(transition.events), "a look ahead"


def _judge_token(_before: Kept, entries: Sequence[pb.LogEntry], _request: Value, _claims: object) -> None:
    assert [entry.kind for entry in entries] == [pb.LOG_ENTRY_KIND_TOKEN_ISSUED]


def _judge_end(before: Kept, entries: Sequence[pb.LogEntry], request: Value, _claims: object) -> None:
    assert not before.is_done
    first, *moved = entries
    ends = request.WhichOneof("action") == "end_now"
    assert first.kind == (pb.LOG_ENTRY_KIND_ENDED if ends else pb.LOG_ENTRY_KIND_BOT_SEATED)
    assert not (ends and moved)
    assert {entry.seat for entry in moved} <= {*before.meta.bots, request.bot_seat}


_JUDGES: Final[dict[str, Callable[[Kept, Sequence[pb.LogEntry], Value, Claims | None], None]]] = {
    "ApplyMove": _judge_moves,
    "IssueSeatToken": _judge_token,
    "EndGame": _judge_end,
}


# Permits and replies.


def _is_current(game: Kept, claims: Claims) -> bool:
    """Return whether a token is for a game, and not void."""
    meta = game.meta
    generation = {
        Scope.PLAY: lambda: meta.play_generations[claims.seat or 0],
        Scope.WATCH: lambda: meta.watch_generation,
        Scope.ADMIN: lambda: meta.admin_generation,
    }
    return claims.game_id == game.id and claims.generation == generation[claims.scope]()


def _judge_permit(asked: Asked, request: Value, reply: Value, games: Games) -> None:
    """What was answered was for whoever asked."""
    shown, method = asked.shown, asked.method
    assert asked.server is not None
    assert not shown.is_bad, "a token or key that is none was accepted"
    if method in MAKING:
        assert shown.may_create, "a game without a key"
    if method == "NewGame":
        assert shown.is_admin or not request.HasField("seed")
    elif method == "ListGames":
        told = [games[info.game_id] for info in reply.games if info.game_id in games]
        assert shown.is_admin or all(game.meta.public_watching for game in told)
    elif request.game_id in games:
        _judge_permit_for(games[request.game_id], asked, request)
    else:
        assert method == "DeleteGame", "a game that is not there"


def _judge_permit_for(game: Kept, asked: Asked, request: Value) -> None:
    shown, method = asked.shown, asked.method
    claims = shown.claims
    assert claims is None or _is_current(game, claims), "a token that is void, or another game's"
    is_admin = shown.is_admin or (claims is not None and claims.scope is Scope.ADMIN)
    if method == "ApplyMove":
        assert claims is not None, "a move without a token"
        assert claims.scope is Scope.PLAY, "a move without a seat"
    elif method in ADMINISTRATIVE:
        assert is_admin, "this is for administrators"
    else:
        assert is_admin or claims is not None or game.meta.public_watching, "a private game was shown"
    if method == "GetGame" and request.form == pb.STATE_FORM_OPEN:
        assert is_admin or game.is_done, "the hidden part was shown"


def _judge_look(method: str, request: Value, reply: Value, games: Games) -> None:
    """A reply has no hidden part that was not asked for, and is about the version that was."""
    is_open = method == "GetGame" and request.form == pb.STATE_FORM_OPEN
    if "state" in reply.DESCRIPTOR.fields_by_name and not is_open:
        assert reply.state.WhichOneof("hidden") is None, "a hidden part was shown"
    if method == "GetGame":
        head = games[request.game_id].head
        assert reply.game.version == head.version
        assert reply.state.version == (request.version if request.HasField("version") else head.version)
    if method in {"LegalMoves", "Score"}:
        assert reply.version == games[request.game_id].head.version
    if method == "ApplyMove" and request.validate_only:
        faults: Faults = []
        moves = read_moves(request.moves[: reply.applied], "moves", faults)
        _judge_reveals(games[request.game_id].hosted.state, moves, last=0)
