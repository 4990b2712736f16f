"""A game, to be looked at, played on, and gone back in: a value for each moment of it.

`Position` is all that is known of a game without asking anybody. `Game` can also ask the service, to play on
for example, and `AsyncGame` does so for asyncio. Both are the same for a carried state and for a hosted game,
which the service keeps and others play in as well; `latest`, `log` and `wait_for_turn` are for the latter.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from time import monotonic, sleep
from typing import Any, Final, Self, TypeAlias, TypedDict, Unpack

from finspan.calls import ExpansionName, Form, Side
from finspan.catalog import Catalog
from finspan.moves import AnyMove, LegalMoves, move_id
from finspan.seats import AsyncSeat, Seat
from finspan.services import AsyncService, Service, ThreadedService
from finspan.v1 import finspan_pb2 as v1

FIRST_SEAT: Final = 0
"""Whoever hosts a game sees it from this seat at first."""
POLL_SECONDS: Final = 1.0
"""How often one who waits for the others looks at a hosted game, unless told otherwise."""


class NotHosted(TypeError):
    """Something was asked of a game that only hosted games have."""

    def __init__(self) -> None:
        super().__init__("That is for hosted games: those of `host` and `join`.")


class _Options(TypedDict, total=False):
    seed: str
    """1 to 64 characters; without it the server makes one. Who names it knows the deck: in a hosted game that
    is for administrators."""
    side: Side
    """The side of the achievement board (R2.3); "a" unless it is given."""
    tiles: Iterable[str]
    """Side B only: the tiles of weeks 1, 2 and 3 by id; without them they are drawn."""
    expansions: Iterable[ExpansionName]
    """Sets mixed into the base game (R2.4)."""
    names: Iterable[str]
    """The players' names by seat."""


class HostedOptions(_Options, total=False):
    """What a hosted game is set up with beside its number of players."""

    public_watching: bool
    """Whether anybody may watch; else only who has a token."""


class Options(_Options, total=False):
    """What a game is set up with beside its number of players."""

    form: Form
    """Whether the hidden order leaves the service "sealed", or readable ("open"); sealed unless given."""


_Reply: TypeAlias = v1.NewGameResponse | v1.LegalMovesResponse | v1.ApplyMoveResponse | v1.GetGameResponse


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A moment of a game: its open decision, and all that may be known about it."""

    state: v1.GameState
    """The state as the contract has it."""
    decision: v1.Decision
    """The open decision; empty when the game is over."""
    legal_moves: LegalMoves
    """Exactly the moves that are legal; none when the game is over, and only then."""
    catalog: Catalog
    """Cards, slots, bonuses, achievements and rules, to look up."""
    _: KW_ONLY
    digest: str = ""
    """SHA-256 of the public facts: the same for the same position."""
    moves: tuple[str, ...] = ()
    """The ids of the moves so far, that is since the game was begun, resumed or joined here; of a hosted game
    `log` has those before."""
    events: tuple[v1.Event, ...] = ()
    """What has happened so far, in the same sense."""
    news: tuple[v1.Event, ...] = ()
    """The part of it that the last `apply` has brought about, or that `latest` has found."""
    previous: Self | None = None
    """The game before the last `apply` or `latest`; None where it was begun, resumed or joined, and for
    bots."""
    info: v1.GameInfo | None = None
    """What is known of a hosted game beside its state, as it was when it was last looked at."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return not self.legal_moves

    @property
    def has_reefs(self) -> bool:
        """Whether it is played with Sharks & Reefs (R11)."""
        return v1.EXPANSION_SHARKS_AND_REEFS in self.state.options.expansions

    @property
    def seat(self) -> int:
        """Who decides, counted from 0; when the game is over nobody does, and it is the seat of the state."""
        return self.state.seat if self.is_over else self.decision.seat

    @property
    def player(self) -> v1.PlayerState:
        """The side of the table of ``seat``: of the one who decides."""
        return self.state.players[self.seat]

    @property
    def game_id(self) -> str:
        """The id of a hosted game; empty for a carried state."""
        return self.info.game_id if self.info else ""

    @property
    def own_seat(self) -> int | None:
        """The seat that the token of a hosted game is for; None without one, and for a carried state."""
        return self.info.own_seat if self.info and self.info.HasField("own_seat") else None

    @property
    def is_own_turn(self) -> bool:
        """Whether the own seat of a hosted game decides."""
        return not self.is_over and self.seat == self.own_seat

    def without_hidden_part(self) -> Self:
        """Return the game as its players see it: nobody can look ahead in it, but samples can be drawn."""
        state = v1.GameState()
        state.CopyFrom(self.state)
        state.ClearField(state.WhichOneof("hidden") or "sealed")
        return replace(self, state=state, previous=None)

    def __repr__(self) -> str:
        asked = "over" if self.is_over else f"{self.decision.text} {len(self.legal_moves)} legal moves"
        return f"<{type(self).__name__} version {self.state.version}: {asked}>"

    def _after(self, moves: Iterable[AnyMove], reply: v1.ApplyMoveResponse) -> Self:
        facts = _facts(reply.state, reply)
        events = self.events + facts["events"]
        ids = [*map(move_id, moves)]
        made = (*self.moves, *ids[: reply.applied or None])  # a hosted game stops where something is revealed
        return replace(self, **facts | {"events": events, "moves": made, "previous": self})

    def _now(self, reply: v1.GetGameResponse, entries: Sequence[v1.LogEntry]) -> Self:
        """Return the game as a reply shows it; the entries of the log are those that have come since."""
        if self.info is not None and _standing(reply.game) == _standing(self.info, self.state.version):
            return self
        news = tuple(event for entry in entries for event in entry.events)
        made = tuple(entry.move_id for entry in entries if entry.move_id)
        told = {"news": news, "events": self.events + news, "moves": self.moves + made, "previous": self}
        return replace(self, **_facts(reply.state, reply) | told, info=reply.game)

    def _sampled(self, reply: v1.SampleStatesResponse) -> list[Self]:
        """Decision, legal moves and digest follow from the public facts, which all samples share."""
        return [replace(self, state=state, previous=None) for state in reply.states]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Game(Position):
    """A game that is played through a service: a value for each moment of it, which never changes.

        game = finspan.Game.new(client, players=2, seed="first game")
        later = game.apply("dive:blue")

    Going on makes a new game. To undo, keep the older one, or go back to `previous`.
    Every method may raise a `finspan.FinspanError`.
    """

    service: Service
    """What is asked."""

    @classmethod
    def new(cls, service: Service, players: int = 2, **options: Unpack[Options]) -> Self:
        """Begin a game (R2).

        Args:
            service: What it is played through, such as a `Client`.
            players: How many, 1 to 5.
            options: See `Options`.

        """
        reply = service.new_game(players, **options)
        catalog = service.catalog(reply.state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(reply.state, reply))

    @classmethod
    def host(
        cls, service: Service, players: int = 2, **options: Unpack[HostedOptions]
    ) -> tuple[Self, tuple[str, ...]]:
        """Begin a hosted game, and return it as seat 0 has it, with the tokens of all seats to hand out.

        Args:
            service: Where it is to be kept, such as a `Client`.
            players: How many, 1 to 5.
            options: See `HostedOptions`.

        """
        reply = service.host_game(players, **options)
        tokens = _tokens_of(reply)
        catalog = service.catalog(reply.state.rules_version)
        seat = Seat(service, reply.game.game_id, tokens[FIRST_SEAT])
        return cls(service=seat, catalog=catalog, info=reply.game, **_facts(reply.state, reply)), tokens

    @classmethod
    def join(cls, service: Service, game_id: str, token: str = "") -> Self:
        """Take a seat in a hosted game, now or again, or watch it.

        Args:
            service: Where it is kept, such as a `Client`.
            game_id: The game.
            token: The token of a seat, or one to watch; none for a game that anybody may watch.

        Raises:
            GameNotFound: there is no such game, or no longer.
            TokenRefused: the token is none, or no longer one.

        """
        seat = Seat(service, game_id, token)
        reply = seat.get_game(game_id)
        catalog = seat.catalog(reply.state.rules_version)
        return cls(service=seat, catalog=catalog, info=reply.game, **_facts(reply.state, reply))

    @classmethod
    def resume(cls, service: Service, state: v1.GameState) -> Self:
        """Take up a game from its state: one that was kept, or an open one that was built by hand."""
        reply = service.legal_moves(state)
        catalog = service.catalog(state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(state, reply))

    def apply(self, *moves: AnyMove) -> Self:
        """Return the game after one or several moves, of which all are carried out or none.

        In a hosted game that goes for the moves up to the first one that reveals something: the others are
        not even looked at, and `moves` then has no more than that one.

        Raises:
            IllegalMove: the rules do not allow one of them; its rule and text say why.
            GameIsOver: the game is over.
            NotAMove: a text is the id of no move.
            StaleVersion: a hosted game has moved on; `latest` shows it as it is.
            NotYourSeat: another seat of a hosted game decides.

        """
        return self._after(moves, self.service.apply_move(self.state, *moves))

    def latest(self) -> Self:
        """Return a hosted game as it is now; `news` and `moves` have what was done since, by whomever."""
        seat, version = self._seat(), self.state.version
        reply = seat.get_game(seat.game_id)
        entries = seat.log(version + 1) if reply.state.version > version else []
        return self._now(reply, _up_to(reply, entries))

    def wait_for_turn(self, *, pause: float = POLL_SECONDS, seconds: float | None = None) -> Self:
        """Return a hosted game as soon as the own seat decides, or the game is over.

        Args:
            pause: How many seconds are between two looks at it.
            seconds: How long to wait; None for as long as it takes.

        Raises:
            TimeoutError: it took longer.

        """
        started = monotonic()
        while not ((game := self.latest()).is_own_turn or game.is_over):
            _require_time(started, seconds)
            sleep(pause)
        return game

    def log(self, from_version: int = 0) -> list[v1.LogEntry]:
        """Return the log of a hosted game: its moves with their events, and what else was done to it."""
        return self._seat().log(from_version)

    def without_hidden_part(self) -> Self:
        """Return the game as bots are given it; of a hosted game they have no seat, so they cannot move."""
        ours = self.service
        return replace(
            super().without_hidden_part(), service=ours.service if isinstance(ours, Seat) else ours
        )

    def score(self) -> v1.ScoreResponse:
        """Return the score sheet as it stands, game-end conditions included (R9.2, R9.3)."""
        return self.service.score(self.state)

    def why_not(self, *moves: AnyMove) -> list[v1.WhyNot]:
        """Return why moves are not legal now, the rule and a sentence for each; a legal one has no entry."""
        return list(self.service.legal_moves(self.state, why_not_moves=moves).why_not)

    def why_nothing(self) -> list[v1.WhyNot]:
        """Return why not, for each hand card without a legal move and each kind of move not offered now."""
        return list(self.service.legal_moves(self.state, why_not=True).why_not)

    def samples(self, count: int = 1, *, seed: str = "") -> list[Self]:
        """Return open games with the same public facts and the hidden order drawn afresh, for search.

        Args:
            count: How many, 1 to 1000.
            seed: The same seed gives the same samples; by default the digest.

        """
        return self._sampled(self.service.sample_states(self.state, seed=seed or self.digest, count=count))

    def for_asyncio(self) -> "AsyncGame":
        """Return the same game for asyncio code; its calls wait in threads."""
        known = {field.name: getattr(self, field.name) for field in fields(Position)}
        ours = self.service
        service = ours.for_asyncio() if isinstance(ours, Seat) else ThreadedService(ours)
        return AsyncGame(service=service, **known | {"previous": None})

    def _seat(self) -> Seat:
        if not isinstance(self.service, Seat):
            raise NotHosted
        return self.service


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AsyncGame(Position):
    """As `Game`, for asyncio: what asks the service is awaited."""

    service: AsyncService
    """What is asked."""

    @classmethod
    async def new(cls, service: AsyncService, players: int = 2, **options: Unpack[Options]) -> Self:
        """Begin a game, as `Game.new` does."""
        reply = await service.new_game(players, **options)
        catalog = await service.catalog(reply.state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(reply.state, reply))

    @classmethod
    async def host(
        cls, service: AsyncService, players: int = 2, **options: Unpack[HostedOptions]
    ) -> tuple[Self, tuple[str, ...]]:
        """Begin a hosted game, as `Game.host` does."""
        reply = await service.host_game(players, **options)
        tokens = _tokens_of(reply)
        catalog = await service.catalog(reply.state.rules_version)
        seat = AsyncSeat(service, reply.game.game_id, tokens[FIRST_SEAT])
        return cls(service=seat, catalog=catalog, info=reply.game, **_facts(reply.state, reply)), tokens

    @classmethod
    async def join(cls, service: AsyncService, game_id: str, token: str = "") -> Self:
        """Take a seat in a hosted game, as `Game.join` does."""
        seat = AsyncSeat(service, game_id, token)
        reply = await seat.get_game(game_id)
        catalog = await seat.catalog(reply.state.rules_version)
        return cls(service=seat, catalog=catalog, info=reply.game, **_facts(reply.state, reply))

    @classmethod
    async def resume(cls, service: AsyncService, state: v1.GameState) -> Self:
        """Take up a game from its state, as `Game.resume` does."""
        reply = await service.legal_moves(state)
        catalog = await service.catalog(state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(state, reply))

    async def apply(self, *moves: AnyMove) -> Self:
        """Return the game after moves, as `Game.apply` does."""
        return self._after(moves, await self.service.apply_move(self.state, *moves))

    async def latest(self) -> Self:
        """Return a hosted game as it is now, as `Game.latest` does."""
        seat, version = self._seat(), self.state.version
        reply = await seat.get_game(seat.game_id)
        entries = await seat.log(version + 1) if reply.state.version > version else []
        return self._now(reply, _up_to(reply, entries))

    async def wait_for_turn(self, *, pause: float = POLL_SECONDS, seconds: float | None = None) -> Self:
        """Return a hosted game as soon as the own seat decides, as `Game.wait_for_turn` does."""
        started = monotonic()
        while not ((game := await self.latest()).is_own_turn or game.is_over):
            _require_time(started, seconds)
            await asyncio.sleep(pause)
        return game

    async def log(self, from_version: int = 0) -> list[v1.LogEntry]:
        """Return the log of a hosted game, as `Game.log` does."""
        return await self._seat().log(from_version)

    def without_hidden_part(self) -> Self:
        """Return the game as bots are given it, as `Game.without_hidden_part` does."""
        ours = self.service
        service = ours.service if isinstance(ours, AsyncSeat) else ours
        return replace(super().without_hidden_part(), service=service)

    async def score(self) -> v1.ScoreResponse:
        """Return the score sheet as it stands, as `Game.score` does."""
        return await self.service.score(self.state)

    async def why_not(self, *moves: AnyMove) -> list[v1.WhyNot]:
        """Return why moves are not legal now, as `Game.why_not` does."""
        return list((await self.service.legal_moves(self.state, why_not_moves=moves)).why_not)

    async def why_nothing(self) -> list[v1.WhyNot]:
        """Return why cards and kinds of move have no legal one, as `Game.why_nothing` does."""
        return list((await self.service.legal_moves(self.state, why_not=True)).why_not)

    async def samples(self, count: int = 1, *, seed: str = "") -> list[Self]:
        """Return open games with the hidden order drawn afresh, as `Game.samples` does."""
        seed = seed or self.digest
        return self._sampled(await self.service.sample_states(self.state, seed=seed, count=count))

    def _seat(self) -> AsyncSeat:
        if not isinstance(self.service, AsyncSeat):
            raise NotHosted
        return self.service


def _tokens_of(reply: v1.NewGameResponse) -> tuple[str, ...]:
    """Return the tokens of a new game by seat, and note in it that it is seen from the first one."""
    reply.game.own_scope, reply.game.own_seat = v1.TOKEN_SCOPE_PLAY, FIRST_SEAT
    return tuple(token.token for token in reply.tokens)


def _standing(info: v1.GameInfo, version: int | None = None) -> tuple[int, int, list[int]]:
    """Return how a hosted game stands; it is the same moment as long as that is the same."""
    return info.version if version is None else version, info.status, list(info.bot_seats)


def _up_to(reply: v1.GetGameResponse, entries: Iterable[v1.LogEntry]) -> list[v1.LogEntry]:
    """Return the entries that a reply knows: more may have come between two calls."""
    return [entry for entry in entries if entry.version <= reply.state.version]


def _require_time(started: float, seconds: float | None) -> None:
    if seconds is not None and monotonic() >= started + seconds:
        raise TimeoutError(f"It was nobody's turn here for {seconds} seconds.")


def _facts(state: v1.GameState, reply: _Reply) -> dict[str, Any]:
    """Return what a reply tells of the state that it is about; in a game that was ended nothing is open."""
    is_ended = isinstance(reply, v1.GetGameResponse) and reply.game.status == v1.GAME_STATUS_ENDED
    events = tuple(reply.events) if isinstance(reply, v1.NewGameResponse | v1.ApplyMoveResponse) else ()
    return {
        "state": state,
        "decision": v1.Decision() if is_ended else reply.decision,
        "legal_moves": LegalMoves(() if is_ended else reply.legal_moves),
        "digest": reply.digest,
        "events": events,
        "news": events,
    }
