"""The hosted games: found in the store, changed there in one atomic step, rebuilt from their log.

Any number of servers may serve the same games. None of them is asked whether a game is still as it was: the
store decides, by version and revision, and whoever comes second looks again. What a server keeps in its
memory only spares it to decode a snapshot twice, and to ask before a change that will most likely pass.
"""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from math import inf
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from finspan.v1 import finspan_pb2 as pb
from service.convert import read_moves
from service.engine.errors import Fault, FinspanError, IllegalMove
from service.engine.rules import RULES_VERSION, apply
from service.errors import (
    GameNotFound,
    InvalidFields,
    NoStore,
    OtherRulesVersion,
    RequestIdReused,
    SealKeyUnknown,
    ServiceError,
    StaleVersion,
    VersionLost,
)
from service.hosting.plans import Plan, Standing
from service.hosting.seats import Access, Caller
from service.hosting.snapshots import (
    DamagedSnapshot,
    Hosted,
    Logged,
    Snapshot,
    decoded,
    hosted_of,
    moves_of,
    read_item,
    read_snapshot,
    to_item,
    to_snapshot,
)
from service.positions import position_of
from service.seal import Seals
from service.settings import Settings
from service.store import Change, Head, Loaded, LogItem, Outcome, Record, Store, StoreUnavailable, Verdict

Told = TypeVar("Told")

SECONDS_PER_DAY: Final = 86_400
GAME_ID_BYTES: Final = 16
"""How many random bytes the id of a game has."""
_GAME_ID: Final = re.compile(r"[\w-]{22}", re.ASCII)
FIRST_REVISION: Final = 1
"""The revision of a game that was just made."""
MAX_TRIES: Final = 8
"""So often a change is tried again that another one got ahead of."""
PAGE: Final = 200
"""How many entries of a log are read at once."""
_EARLIER: Final = "an earlier one"
"""Stands for the rules version of a game before it was moved over."""
_SHARE_OF_TIME: Final = 0.8
"""Of the time that a caller still waits, so much is given to the store: an answer has to come in time."""


def new_game_id() -> str:
    """Return an id that nobody can guess; on a command line none is taken for an option."""
    while (game_id := secrets.token_urlsafe(GAME_ID_BYTES)).startswith("-"):
        pass
    return game_id


WritingRequest = (
    pb.NewGameRequest
    | pb.ApplyMoveRequest
    | pb.DeleteGameRequest
    | pb.ForkGameRequest
    | pb.IssueSeatTokenRequest
    | pb.EndGameRequest
)
"""A request that changes a hosted game."""


class Waiting(Protocol):
    """A call whose caller waits for its answer."""

    @property
    def remaining(self) -> float | None:
        """How many seconds the caller still waits; None: for ever."""


class Game:
    """A hosted game as it was found."""

    def __init__(self, head: Head, snapshot: Snapshot, hosted: Hosted | None = None) -> None:
        self.head = head
        self.snapshot = snapshot
        self._hosted = hosted

    @property
    def id(self) -> str:
        """Its id."""
        return self.snapshot.game_id

    @property
    def hosted(self) -> Hosted:
        """The game, ready to be played.

        Raises:
            OtherRulesVersion: it is of another rules version.

        """
        if self._hosted is None:
            self._hosted = hosted_of(self.snapshot)
        return self._hosted

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat, of a game of another rules version too."""
        if self._hosted is not None:
            return self._hosted.state.names
        players = pb.GameState.FromString(self.snapshot.state).players
        return tuple(player.display_name for player in players)

    @property
    def standing(self) -> Standing:
        """How it stands."""
        return Standing(self.head.version, self.snapshot.meta)

    @property
    def first_version(self) -> int:
        """The version that its log begins with."""
        origin = self.snapshot.meta.forked_from
        return 0 if origin is None else origin[1]


class Changed(NamedTuple):
    """A game after a change, and what the request's record says; ``plan`` is None if it was a repetition.

    After a repetition the game is the one of now; of a request that made it, the one that it made.
    """

    game: Game
    outcome: Mapping[str, Any]
    plan: Plan | None


class Wish(NamedTuple):
    """A request that changes something."""

    request_id: str
    fingerprint: bytes
    """Of who asks for what."""
    permit: Callable[[Game], object] = lambda _: None
    """Refuses a caller who may not ask for it, and who is not told either what became of it."""


def wish_of(
    request: WritingRequest, caller: Caller, permit: Callable[[Game], object] = lambda _: None
) -> Wish:
    """Return the wish of a request."""
    claims = caller.claims
    who = "anybody" if claims is None else f"{claims.scope.name} {claims.seat}"
    content = request.SerializeToString(deterministic=True)
    name = request.DESCRIPTOR.name
    fingerprint = sha256(f"{name}\n{who}\n".encode() + content).digest()
    return Wish(request.request_id.lower(), fingerprint, permit)


class Games:
    """Finds and changes hosted games."""

    def __init__(self, settings: Settings, store: Store, seals: Seals, access: Access) -> None:
        self._settings = settings
        self._store = store
        self._seals = seals
        self.access = access
        self._kept: dict[str, Game] = {}

    @asynccontextmanager
    async def _asking(self, call: Waiting) -> AsyncIterator[Store]:
        """Give the store, and end in time for an answer: as `NoStore`, if it does not answer.

        The store ends by itself in time for callers who wait for longer than its own timeout.
        """
        remaining = inf if call.remaining is None else max(call.remaining, 0) * _SHARE_OF_TIME
        try:
            if remaining > self._settings.redis_timeout_seconds:
                yield self._store
            else:
                async with asyncio.timeout(remaining):
                    yield self._store
        except (StoreUnavailable, TimeoutError) as error:
            raise NoStore from error

    def _keep(self, game: Game) -> Game:
        """Keep a game in the place of the one that was longest untouched; the newest of each."""
        self._kept.pop(game.id, None)
        if self._settings.kept_games > 0:
            if len(self._kept) >= self._settings.kept_games:
                del self._kept[next(iter(self._kept))]
            self._kept[game.id] = game
        return game

    def _game_of(self, game_id: str, head: Head) -> Game:
        known = self._kept.get(game_id)
        if known is not None and known.head == head:
            return self._keep(known)
        snapshot = read_snapshot(game_id, head.version, head.snapshot, self._seals)
        return self._keep(Game(head, snapshot))

    async def find(self, game_id: str, call: Waiting) -> Game:
        """Return a game as it is now.

        Raises:
            GameNotFound, NoStore: as their names say.

        """
        found = await self._load(game_id, None, call)
        if found.head is None:
            raise GameNotFound
        return self._game_of(game_id, found.head)

    async def _load(self, game_id: str, request_id: str | None, call: Waiting) -> Loaded:
        """Ask the store for a game; it need not be asked about what cannot be the id of one."""
        if not _GAME_ID.fullmatch(game_id):
            return Loaded(None, None)
        async with self._asking(call) as store:
            found = await store.load(game_id, request_id)
        if found.head is None:
            self._kept.pop(game_id, None)
        return found

    async def _find_or_repeat(self, game_id: str, wish: Wish, call: Waiting) -> tuple[Game, Record | None]:
        found = await self._load(game_id, wish.request_id, call)
        if found.head is None:
            raise GameNotFound
        return self._game_of(game_id, found.head), found.record

    async def change(
        self,
        game_id: str,
        wish: Wish,
        call: Waiting,
        make: Callable[[Game], Plan],
        *,
        likely_version: int | None = None,
    ) -> Changed:
        """Change a game in one atomic step, or find out that this very request has already done so.

        ``make`` plans the change of the game as it is given, or refuses it. It may be asked several times, if
        others get ahead. Where the game in memory has the ``likely_version``, it is asked about that one
        first; should it refuse, the store is asked before anybody believes it.

        Raises:
            GameNotFound, RequestIdReused, StaleVersion, NoStore: as their names say; what ``make`` raises.

        """
        known = self._kept.get(game_id)
        if known is not None and known.head.version == likely_version:
            try:
                plan = make(known)
            except (ServiceError, FinspanError):
                plan = None
            changed = plan and await self._carry_out(known, wish, call, plan)
            if changed:
                return changed
        for _ in range(MAX_TRIES):
            game, record = await self._find_or_repeat(game_id, wish, call)
            wish.permit(game)
            if record is not None:
                return Changed(game, _outcome_again(record, wish), None)
            changed = await self._carry_out(game, wish, call, make(game))
            if changed:
                return changed
        raise StaleVersion((await self.find(game_id, call)).head.version)

    async def _carry_out(self, game: Game, wish: Wish, call: Waiting, plan: Plan) -> Changed | None:
        """Try to put a plan into effect; None: the game has changed meanwhile."""
        change = self._change_of(wish, plan)
        async with self._asking(call) as store:
            outcome = await store.commit(change, game.head)
        if outcome.verdict is Verdict.DONE:
            return self._done(change, plan, outcome)
        if outcome.verdict is Verdict.MISSING:
            self._kept.pop(game.id, None)
            raise GameNotFound
        return None  # a conflict, or a request id that was there: the game has to be looked at again

    def _change_of(self, wish: Wish, plan: Plan) -> Change:
        meta = plan.hosted.meta
        days = (
            self._settings.finished_days if meta.is_over or meta.is_ended else self._settings.abandoned_days
        )
        return Change(
            game_id=plan.hosted.game_id,
            request_id=wish.request_id,
            record=Record(wish.fingerprint, json.dumps(plan.outcome).encode()),
            items=[LogItem(noted.entry.version, to_item(*noted)) for noted in plan.log],
            snapshot=to_snapshot(plan.hosted, self._seals, plan.message),
            version=plan.hosted.state.version,
            keep_seconds=days * SECONDS_PER_DAY,
        )

    async def create(self, wish: Wish, call: Waiting, game_id: str, make: Callable[[str], Plan]) -> Changed:
        """Begin a game, or find the one that this very request has begun; ``game_id`` is for a new one.

        Raises:
            RequestIdReused, GameNotFound (it was deleted since), NoStore: as their names say.

        """
        keep = self._settings.abandoned_days * SECONDS_PER_DAY
        async with self._asking(call) as store:
            bound_to, fingerprint = await store.claim(
                wish.request_id, wish.fingerprint, game_id, keep_seconds=keep
            )
            if fingerprint != wish.fingerprint:
                raise RequestIdReused
        return await self._begin(wish, call, make(bound_to))

    async def _begin(self, wish: Wish, call: Waiting, plan: Plan) -> Changed:
        change = self._change_of(wish, plan)
        async with self._asking(call) as store:
            outcome = await store.create(change)
        if outcome.verdict is Verdict.DONE:
            return self._done(change, plan, outcome)
        game, record = await self._find_or_repeat(change.game_id, wish, call)
        if record is None:
            raise GameNotFound
        first = await self.origin(game, call)
        return Changed(first, _outcome_again(record, wish), None)

    def _done(self, change: Change, plan: Plan, outcome: Outcome) -> Changed:
        head = Head(change.version, outcome.revision, change.snapshot)
        return Changed(self._keep(_game_after(head, plan.hosted)), plan.outcome, plan)

    async def delete(self, game_id: str, wish: Wish, call: Waiting) -> None:
        """Delete a game; again with the same request it is still deleted.

        Raises:
            GameNotFound, RequestIdReused, NoStore: as their names say.

        """
        head, record = await self._load(game_id, wish.request_id, call)
        if head is not None:
            game = self._game_of(game_id, head)
            wish.permit(game)
            await self._delete(game, wish, call)
        elif record is None:
            raise GameNotFound
        else:
            _outcome_again(record, wish)

    async def _delete(self, game: Game, wish: Wish, call: Waiting) -> None:
        record = Record(wish.fingerprint, b"{}")
        keep = self._settings.finished_days * SECONDS_PER_DAY
        change = Change(game.id, wish.request_id, record, (), b"", game.head.version, keep)
        async with self._asking(call) as store:
            outcome = await store.delete(change)
        self._kept.pop(game.id, None)
        if outcome.verdict is Verdict.REUSED:
            raise RequestIdReused
        if outcome.verdict is Verdict.MISSING:
            raise GameNotFound

    async def at_version(self, game: Game, version: int, call: Waiting) -> Hosted:
        """Return a game as it was at a version, rebuilt from its first snapshot and its log.

        Raises:
            VersionLost: it has no such version yet, or no longer.
            InvalidFields: it begins later.
            OtherRulesVersion: it is of another rules version.

        """
        if version == game.head.version:
            return game.hosted
        if version > game.head.version:
            raise VersionLost(game.head.version)
        if version < game.first_version:
            text = f"The game begins with version {game.first_version}."
            raise InvalidFields([Fault("version", "", text)])
        if game.snapshot.rules_version != RULES_VERSION:
            raise OtherRulesVersion(game.snapshot.rules_version)
        first = (await self.origin(game, call)).hosted
        entries = await self.entries(game.id, (game.first_version + 1, 0), version, call)
        return replayed(first, entries, game)

    async def origin(self, game: Game, call: Waiting) -> Game:
        """Return a game as it was when it was made."""
        async with self._asking(call) as store:
            blob = await store.origin(game.id)
        if blob is None:
            raise GameNotFound
        snapshot = read_snapshot(game.id, game.first_version, blob, self._seals)
        return Game(Head(game.first_version, FIRST_REVISION, blob), snapshot, decoded(snapshot))

    async def page(
        self, game_id: str, start: tuple[int, int], count: int, call: Waiting
    ) -> list[pb.LogEntry]:
        """Return entries of a log as the contract has them, with their numbers and times."""
        async with self._asking(call) as store:
            items = await store.log(game_id, start, count)
        entries = []
        for item in items:
            entry = read_item(item.data).entry
            entry.number = item.number
            entry.time.FromDatetime(item.at)
            entries.append(entry)
        return entries

    async def times(self, game: Game, standing: Standing, call: Waiting) -> tuple[Timestamp, Timestamp]:
        """Return when a game was made, and since when it stands like this."""
        first, last = await asyncio.gather(
            self.page(game.id, (game.first_version, 0), 1, call),
            self.page(game.id, (standing.version, standing.meta.number), 1, call),
        )
        if not (first and last):
            raise GameNotFound
        return first[0].time, last[-1].time

    async def listed(self, mark: str, count: int, call: Waiting) -> tuple[list[Game], str]:
        """Return a page of all games, newest first, and where the next one begins.

        Raises:
            InvalidFields: the mark is none that a page came with.

        """
        try:
            async with self._asking(call) as store:
                page = await store.games(mark, count)
        except (ValueError, OverflowError):
            raise InvalidFields([Fault("page_token", "", "It is none that a page came with.")]) from None
        return await readable_ones(self.find(listed.game_id, call) for listed in page.games), page.next_mark

    async def entries(
        self, game_id: str, start: tuple[int, int], last_version: int, call: Waiting
    ) -> list[Logged]:
        """Return the entries of a log from one on to the last of a version."""
        entries: list[Logged] = []
        while True:
            async with self._asking(call) as store:
                page = await store.log(game_id, start, PAGE)
            entries += [read_item(item.data) for item in page if item.version <= last_version]
            if len(page) < PAGE or page[-1].version > last_version:
                return entries
            start = (page[-1].version, page[-1].number + 1)


async def readable_ones(asked: Iterable[Awaitable[Told]]) -> list[Told]:
    """Return what is told about games, without those that go meanwhile, or that our keys do not open."""

    async def told(one: Awaitable[Told]) -> Told | None:
        try:
            return await one
        except (GameNotFound, DamagedSnapshot, SealKeyUnknown):
            return None

    return [one for one in await asyncio.gather(*map(told, asked)) if one is not None]


def _game_after(head: Head, hosted: Hosted) -> Game:
    """Return a game that was just written, without reading it again."""
    position = hosted.position
    snapshot = Snapshot(hosted.game_id, head.version, RULES_VERSION, position.digest, hosted.meta, b"", b"")
    return Game(head, snapshot, hosted)


def _outcome_again(record: Record, wish: Wish) -> Mapping[str, Any]:
    """Return what came of a request that is made again."""
    if record.fingerprint != wish.fingerprint:
        raise RequestIdReused
    outcome: Mapping[str, Any] = json.loads(record.outcome)
    return outcome


def replayed(first: Hosted, entries: Sequence[Logged], game: Game) -> Hosted:
    """Return a game after the moves of its log.

    Raises:
        OtherRulesVersion: by our rules they lead elsewhere, since the game was moved over to them later.

    """
    state = first.state
    try:
        for move in read_moves(moves_of(entries), "log", []):
            state = apply(state, move).state
    except IllegalMove:
        raise OtherRulesVersion(_EARLIER) from None
    position = position_of(state, is_open=False)
    if entries and position.digest != entries[-1].entry.digest:
        raise OtherRulesVersion(_EARLIER)
    return Hosted(game.id, game.snapshot.meta, position)
