"""The RPCs that there are for hosted games alone, and what the others do when they are asked about one."""

import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from google.protobuf.timestamp_pb2 import Timestamp

from finspan.v1 import finspan_pb2 as pb
from service.convert import decision_fields, event_fields, legal_move_messages, open_fields
from service.convert.reading import Faults, Fields, note
from service.engine.errors import Fault
from service.engine.moves import Move
from service.engine.rules import RULES_VERSION, Transition
from service.errors import (
    GameIsOver,
    InvalidFields,
    NotAllowed,
    NotOffered,
    StaleVersion,
    VersionLost,
)
from service.handlers.calls import Call
from service.hosting.advance import advance
from service.hosting.games import (
    SECONDS_PER_DAY,
    Changed,
    Game,
    Games,
    new_game_id,
    readable_ones,
    wish_of,
)
from service.hosting.permits import is_administrator, require_administrator, require_watcher, seat_of
from service.hosting.plans import (
    Making,
    Plan,
    Standing,
    bot_plan,
    ending_plan,
    fork_plan,
    moves_plan,
    names_in_fork,
    new_plan,
    token_plan,
)
from service.hosting.seats import Access, Caller, Claims, Scope, SeatTokens
from service.hosting.snapshots import Hosted, Meta, public_message
from service.positions import Position
from service.seal import Seals, read_keys
from service.settings import Settings
from service.store import Store

SEED_BYTES: Final = 32
MAX_ENTRIES: Final = 200
DEFAULT_ENTRIES: Final = 50
MAX_GAMES: Final = 100
DEFAULT_GAMES: Final = 20


_PAGE_TOKEN: Final = re.compile(r"(\d{1,10})\.(\d{1,10})", re.ASCII)
"""Asks for a page of a log: the version and the number that it begins with."""
_SCOPES: Final = frozenset(map(int, Scope))


def new_seed() -> str:
    """Return a seed that nobody has named."""
    return secrets.token_urlsafe(SEED_BYTES)


def check_request_id(request_id: str, faults: Faults) -> None:
    """Note a request id that is no UUID."""
    try:
        is_one = str(UUID(request_id)) == request_id.lower()
    except ValueError:
        is_one = False
    if not is_one:
        note(faults, "request_id", "It must be a UUID, such as 6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75.")


def _refuse(faults: Faults) -> None:
    if faults:
        raise InvalidFields(faults)


def page_size_of(asked: int, default: int, most: int, faults: Faults) -> int:
    """Return the size of a page; 0 stands for the default."""
    if asked > most:
        note(faults, "page_size", f"It is {asked} and can be {most} at most.")
    return asked or default


class Hosting:
    """Hosted games, as the handlers see them."""

    def __init__(self, settings: Settings, games: Games | None, tokens: SeatTokens) -> None:
        """Take the games, or None for a server that hosts none."""
        self._settings = settings
        self._games = games
        self._tokens = tokens

    @property
    def games(self) -> Games:
        """The games.

        Raises:
            NotOffered: this server hosts none.

        """
        if self._games is None:
            text = "This server hosts no games: several workers need Redis for that."
            raise NotOffered("hosted_games", text)
        return self._games

    def caller(self, call: Call) -> Caller:
        """Return who asks."""
        return self.games.access.caller(call.metadata)

    async def watched(self, game_id: str, call: Call) -> Game:
        """Return a game that the caller may see."""
        caller = self.caller(call)
        game = await self.games.find(game_id, call)
        require_watcher(game, caller)
        return game

    # New games.

    async def new_game(
        self, request: pb.NewGameRequest, call: Call, set_up: Callable[[], Transition]
    ) -> pb.NewGameResponse:
        """Make a hosted game, as it is set up."""
        caller = self.caller(call)
        faults: Faults = []
        check_request_id(request.request_id, faults)
        _refuse(faults)
        self._require_maker(caller)
        if request.HasField("seed") and not caller.is_admin:
            raise NotAllowed(
                "administrator", "Whoever names the seed knows the deck: only administrators do."
            )

        game = set_up()

        def make(game_id: str) -> Plan:
            return new_plan(self._making(game_id, request), game)

        changed = await self._create(request, caller, call, make)
        first = changed.game.hosted
        fields: Fields = {
            "state": public_message(first.state),
            "events": [*event_fields(game)] if changed.plan else await self._setup_events(changed.game, call),
            "game": await self.info(changed.game, caller, call),
            "tokens": self._seat_tokens(changed),
            **outlook_fields(first.position, with_legal_moves=request.with_legal_moves),
        }
        return pb.NewGameResponse(**fields)

    async def ForkGame(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        """Make a game from another one's public facts."""
        caller = self.caller(call)
        faults: Faults = []
        check_request_id(request.request_id, faults)
        _refuse(faults)
        self._require_maker(caller)
        source = await self.watched(request.game_id, call)
        version = request.version if request.HasField("version") else source.head.version
        hosted = await self.games.at_version(source, version, call)
        names = names_in_fork(hosted, request.display_names)

        def make(game_id: str) -> Plan:
            return fork_plan(self._making(game_id, request), hosted, new_seed(), names)

        changed = await self._create(request, caller, call, make)
        first = changed.game.hosted
        fields: Fields = {
            "game": await self.info(changed.game, caller, call),
            "tokens": self._seat_tokens(changed),
            "state": public_message(first.state),
            "decision": decision_fields(first.state),
            "digest": first.position.digest,
        }
        return pb.ForkGameResponse(**fields)

    def _making(self, game_id: str, request: pb.NewGameRequest | pb.ForkGameRequest) -> Making:
        return Making(game_id, request.public_watching, self._expiry())

    def _require_maker(self, caller: Caller) -> None:
        if not caller.may_create:
            raise NotAllowed("api_key", "To make games, a key is needed.")

    async def _create(
        self,
        request: pb.NewGameRequest | pb.ForkGameRequest,
        caller: Caller,
        call: Call,
        make: Callable[[str], Plan],
    ) -> Changed:
        wish = wish_of(request, caller)
        return await self.games.create(wish, call, new_game_id(), make)

    async def _setup_events(self, game: Game, call: Call) -> list[pb.Event]:
        entries = await self.games.entries(game.id, (0, 0), 0, call)
        return [event for logged in entries for event in logged.entry.events]

    # Tokens.

    def _expiry(self) -> int:
        return int(time.time()) + self._settings.token_days * SECONDS_PER_DAY

    def _token(self, claims: Claims) -> Fields:
        return {
            "scope": int(claims.scope),
            "seat": claims.seat,
            "token": self._tokens.issue(claims),
            "expires": Timestamp(seconds=claims.expires),
        }

    def _seat_tokens(self, changed: Changed) -> list[Fields]:
        """Return the tokens of a new game, one for each seat."""
        game, expires = changed.game, changed.outcome["expires"]
        seats = range(len(game.snapshot.meta.play_generations))
        return [self._token(Claims(game.id, Scope.PLAY, seat, 0, expires)) for seat in seats]

    async def IssueSeatToken(
        self, request: pb.IssueSeatTokenRequest, call: Call
    ) -> pb.IssueSeatTokenResponse:
        """Issue a token anew; the earlier ones are void."""
        caller = self.caller(call)
        scope, seat = _scope_of(request)

        def make(game: Game) -> Plan:
            return token_plan(game.hosted, scope, seat, self._expiry())

        wish = wish_of(request, caller, lambda game: require_administrator(game, caller))
        changed = await self.games.change(request.game_id, wish, call, make)
        outcome = changed.outcome
        claims = Claims(changed.game.id, scope, seat, outcome["generation"], outcome["expires"])
        return pb.IssueSeatTokenResponse(token=pb.SeatToken(**self._token(claims)))

    # Moves.

    async def apply(
        self, request: pb.ApplyMoveRequest, moves: Sequence[Move], call: Call
    ) -> pb.ApplyMoveResponse:
        """Carry out moves in a hosted game, up to the first one that reveals something."""
        caller = self.caller(call)
        faults: Faults = []
        if not request.validate_only:
            check_request_id(request.request_id, faults)
        if not request.HasField("expected_version"):
            note(faults, "expected_version", "It is missing.")
        _refuse(faults)
        if request.validate_only:
            return await self._try(request, moves, caller, call)
        expected = request.expected_version

        def make(game: Game) -> Plan:
            seat = self._moving_seat(game, caller, expected)
            done = advance(game.hosted.position, seat, moves, only_try=False)
            return moves_plan(game.hosted, done, request.request_id)

        wish = wish_of(request, caller, lambda game: seat_of(game, caller))
        changed = await self.games.change(request.game_id, wish, call, make, likely_version=expected)
        events, after = await self._what_happened(changed, call)
        fields: Fields = {
            "state": public_message(after.state) if changed.plan is None else changed.plan.message,
            "events": events,
            "over": after.state.is_over,
            "applied": changed.outcome["applied"],
            "version": after.state.version,
            **outlook_fields(after.position, with_legal_moves=request.with_legal_moves),
        }
        return pb.ApplyMoveResponse(**fields)

    def _moving_seat(self, game: Game, caller: Caller, expected: int) -> int:
        """Return the seat that may move now, or say why it may not."""
        seat = seat_of(game, caller)
        _require_version(game, expected)
        if game.snapshot.meta.is_ended:
            raise GameIsOver(0)
        return seat

    async def _try(
        self, request: pb.ApplyMoveRequest, moves: Sequence[Move], caller: Caller, call: Call
    ) -> pb.ApplyMoveResponse:
        game = await self.games.find(request.game_id, call)
        seat = self._moving_seat(game, caller, request.expected_version)
        tried = advance(game.hosted.position, seat, moves, only_try=True)
        position = tried.steps[-1].position if tried.steps else game.hosted.position
        fields: Fields = {
            "events": [event for step in tried.steps for event in event_fields(step.transition)],
            "over": position.state.is_over,
            "applied": tried.applied,
            "version": position.state.version,
            **outlook_fields(position, with_legal_moves=request.with_legal_moves),
        }
        return pb.ApplyMoveResponse(**fields)

    async def _what_happened(self, changed: Changed, call: Call) -> tuple[list[pb.Event], Hosted]:
        """Return the events of a change, and the game after it; of a repeated request, from the log."""
        if changed.plan is not None:
            return changed.plan.events, changed.plan.hosted
        first, last = changed.outcome["from"] + 1, changed.outcome["to"]
        entries = await self.games.entries(changed.game.id, (first, 0), last, call)
        events = [event for logged in entries for event in logged.entry.events]
        after = await self.games.at_version(changed.game, last, call)
        was_open = replace(after.position, is_ended=False)  # nobody moves in a game that was ended
        return events, after._replace(position=was_open)

    async def EndGame(self, request: pb.EndGameRequest, call: Call) -> pb.EndGameResponse:
        """End a game, or let a bot play on."""
        caller = self.caller(call)
        faults: Faults = []
        check_request_id(request.request_id, faults)
        if request.WhichOneof("action") is None:
            note(faults, "action", "It does not say what to do.")
        _refuse(faults)

        def make(game: Game) -> Plan:
            hosted = game.hosted
            if hosted.position.is_over:
                raise GameIsOver
            if request.HasField("end_now"):
                return ending_plan(hosted)
            return bot_plan(hosted, request.bot_seat)

        wish = wish_of(request, caller, lambda game: require_administrator(game, caller))
        changed = await self.games.change(request.game_id, wish, call, make)
        game = changed.game
        standing = Standing.of_note(changed.outcome, game.snapshot.meta)
        return pb.EndGameResponse(game=await self.info(game, caller, call, standing))

    # Looking.

    async def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        """Return a game, now or at a version."""
        caller = self.caller(call)
        game = await self.games.find(request.game_id, call)
        require_watcher(game, caller)
        with_hidden = self._wants_hidden(request, game, caller)
        info = await self.info(game, caller, call)
        version = request.version if request.HasField("version") else game.head.version
        snapshot = game.snapshot
        if snapshot.rules_version != RULES_VERSION and version == game.head.version and not with_hidden:
            return pb.GetGameResponse(
                game=info,
                state=pb.GameState.FromString(snapshot.state),
                digest=snapshot.digest,
                over=snapshot.meta.is_over or snapshot.meta.is_ended,
            )
        hosted = await self.games.at_version(game, version, call)
        state = public_message(hosted.state)
        if with_hidden:
            state.MergeFrom(pb.GameState(open=pb.OpenPart(**open_fields(hosted.state))))
        fields: Fields = {
            "game": info,
            "state": state,
            "over": hosted.position.is_over,
            **outlook_fields(hosted.position, with_legal_moves=request.with_legal_moves),
        }
        return pb.GetGameResponse(**fields)

    def _wants_hidden(self, request: pb.GetGameRequest, game: Game, caller: Caller) -> bool:
        if request.form in {pb.STATE_FORM_UNSPECIFIED, pb.STATE_FORM_HOSTED}:
            return False
        if request.form != pb.STATE_FORM_OPEN:
            raise InvalidFields([Fault("form", "", "A hosted game's state is open or has no hidden part.")])
        meta = game.snapshot.meta
        if not (meta.is_over or meta.is_ended or is_administrator(game, caller)):
            text = "Until the game is over, the hidden order is for administrators alone."
            raise NotAllowed("administrator", text)
        return True

    async def ListEvents(self, request: pb.ListEventsRequest, call: Call) -> pb.ListEventsResponse:
        """Return a page of a game's log."""
        faults: Faults = []
        size = page_size_of(request.page_size, DEFAULT_ENTRIES, MAX_ENTRIES, faults)
        start = _start_of(request, faults)
        _refuse(faults)
        game = await self.watched(request.game_id, call)
        if start[0] > game.head.version:
            raise VersionLost(game.head.version)
        entries = await self.games.page(game.id, start, size, call)
        more = f"{entries[-1].version}.{entries[-1].number + 1}" if len(entries) == size else ""
        return pb.ListEventsResponse(entries=entries, next_page_token=more)

    async def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        """Return a page of the list of games."""
        caller = self.caller(call)
        faults: Faults = []
        size = page_size_of(request.page_size, DEFAULT_GAMES, MAX_GAMES, faults)
        _refuse(faults)
        games, mark = await self.games.listed(request.page_token, size, call)
        shown = [game for game in games if caller.is_admin or game.snapshot.meta.public_watching]
        watcher = caller._replace(claims=None)  # a token is for one game, and says nothing about others
        asked = (self.info(game, watcher, call) for game in shown)
        return pb.ListGamesResponse(games=await readable_ones(asked), next_page_token=mark)

    async def DeleteGame(self, request: pb.DeleteGameRequest, call: Call) -> pb.DeleteGameResponse:
        """Delete a game."""
        caller = self.caller(call)
        faults: Faults = []
        check_request_id(request.request_id, faults)
        _refuse(faults)
        wish = wish_of(request, caller, lambda game: require_administrator(game, caller))
        await self.games.delete(request.game_id, wish, call)
        return pb.DeleteGameResponse()

    async def info(
        self, game: Game, caller: Caller, call: Call, standing: Standing | None = None
    ) -> pb.GameInfo:
        """Return what a caller may know about a game, as it stands or as it stood."""
        version, meta = standing = standing or game.standing
        times, claims = await self.games.times(game, standing, call), caller.claims
        own = claims if claims is not None and claims.game_id == game.id else None
        fields: dict[str, Any] = {
            "game_id": game.id,
            "version": version,
            "rules_version": game.snapshot.rules_version,
            "status": _status_of(meta),
            "display_names": game.names,
            "bot_seats": meta.bots,
            "public_watching": meta.public_watching,
            "created": times[0],
            "changed": times[1],
            "own_scope": None if own is None else int(own.scope),
            "own_seat": None if own is None else own.seat,
            "commitment": sha256(bytes.fromhex(meta.nonce) + meta.seed.encode()).hexdigest(),
        }
        if meta.is_over or meta.is_ended:
            fields["opening"] = {"nonce": meta.nonce, "seed": meta.seed}
        if meta.forked_from is not None:
            fields["forked_from"] = dict(zip(("game_id", "version"), meta.forked_from, strict=True))
        return pb.GameInfo(**fields)


def new_hosting(settings: Settings, store: Store | None, seals: Seals) -> Hosting:
    """Return the hosted games of a store; without one, none are offered."""
    tokens = SeatTokens(read_keys(settings.token_keys.get_secret_value()))
    access = Access(tokens, settings.api_keys.get_secret_value(), settings.admin_keys.get_secret_value())
    games = None if store is None else Games(settings, store, seals, access)
    return Hosting(settings, games, tokens)


def outlook_fields(position: Position, *, with_legal_moves: bool) -> Fields:
    """Return what every reply says about the position that it leads to."""
    if position.is_ended:
        return {"digest": position.digest}
    return {
        "decision": decision_fields(position.state),
        "legal_moves": legal_move_messages(position.state) if with_legal_moves else (),
        "digest": position.digest,
    }


def _scope_of(request: pb.IssueSeatTokenRequest) -> tuple[Scope, int | None]:
    faults: Faults = []
    check_request_id(request.request_id, faults)
    if request.scope not in _SCOPES:
        note(faults, "scope", f"There is no scope {request.scope} that a token could have.")
    if (request.scope == pb.TOKEN_SCOPE_PLAY) != request.HasField("seat"):
        note(faults, "seat", "It is needed for a token to play, and for no other.")
    _refuse(faults)
    return Scope(request.scope), request.seat if request.HasField("seat") else None


def _require_version(game: Game, expected: int) -> None:
    current = game.head.version
    if expected > current:
        raise VersionLost(current)
    if expected < current:
        raise StaleVersion(current)


def _start_of(request: pb.ListEventsRequest, faults: Faults) -> tuple[int, int]:
    """Return where a page of a log begins: version and number."""
    if not request.page_token:
        return request.from_version, 0
    place = _PAGE_TOKEN.fullmatch(request.page_token)
    if place is None:
        note(faults, "page_token", "It is none that a page came with.")
        return 0, 0
    return int(place[1]), int(place[2])


def _status_of(meta: Meta) -> pb.GameStatus.ValueType:
    if meta.is_ended:
        return pb.GAME_STATUS_ENDED
    return pb.GAME_STATUS_OVER if meta.is_over else pb.GAME_STATUS_RUNNING
