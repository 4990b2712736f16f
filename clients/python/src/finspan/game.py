"""A game, to be looked at, played on, and gone back in: a value for each moment of it.

`Position` is all that is known of a game without asking anybody. `Game` can also ask the service, to play on
for example, and `AsyncGame` does so for asyncio.
"""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, Self, TypeAlias, TypedDict, Unpack

from finspan.calls import Expansion, Form, Side
from finspan.catalog import Catalog
from finspan.moves import AnyMove, LegalMoves, move_id
from finspan.services import AsyncService, Service, ThreadedService
from finspan.v1 import finspan_pb2 as v1


class Options(TypedDict, total=False):
    """What a game is set up with beside its number of players."""

    seed: str
    """1 to 64 characters; without it the server makes one. Who names it knows the deck."""
    side: Side
    """The side of the achievement board (R2.3); "a" unless it is given."""
    tiles: Iterable[str]
    """Side B only: the tiles of weeks 1, 2 and 3 by id; without them they are drawn."""
    expansions: Iterable[Expansion]
    """Sets mixed into the base game (R2.4)."""
    names: Iterable[str]
    """The players' names by seat."""
    form: Form
    """Whether the hidden order leaves the service "sealed", or readable ("open"); sealed unless given."""


_Reply: TypeAlias = v1.NewGameResponse | v1.LegalMovesResponse | v1.ApplyMoveResponse


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
    """The ids of the moves so far, that is since the game was begun or resumed here."""
    events: tuple[v1.Event, ...] = ()
    """What has happened so far, in the same sense."""
    news: tuple[v1.Event, ...] = ()
    """The part of it that the last `apply` has brought about."""
    previous: Self | None = None
    """The game before the last `apply`; None where it was begun or resumed, and for bots."""

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
        """Who decides, counted from 0."""
        return self.decision.seat

    @property
    def player(self) -> v1.PlayerState:
        """The side of the table of the one who decides."""
        return self.state.players[self.seat]

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
        made = (*self.moves, *map(move_id, moves))
        return replace(self, **facts | {"events": events, "moves": made, "previous": self})

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
    def resume(cls, service: Service, state: v1.GameState) -> Self:
        """Take up a game from its state: one that was kept, or an open one that was built by hand."""
        reply = service.legal_moves(state)
        catalog = service.catalog(state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(state, reply))

    def apply(self, *moves: AnyMove) -> Self:
        """Return the game after one or several moves, of which all are carried out or none.

        Raises:
            IllegalMove: the rules do not allow one of them; its rule and text say why.
            GameIsOver: the game is over.
            NotAMove: a text is the id of no move.

        """
        return self._after(moves, self.service.apply_move(self.state, *moves))

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
        return AsyncGame(service=ThreadedService(self.service), **known | {"previous": None})


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
    async def resume(cls, service: AsyncService, state: v1.GameState) -> Self:
        """Take up a game from its state, as `Game.resume` does."""
        reply = await service.legal_moves(state)
        catalog = await service.catalog(state.rules_version)
        return cls(service=service, catalog=catalog, **_facts(state, reply))

    async def apply(self, *moves: AnyMove) -> Self:
        """Return the game after moves, as `Game.apply` does."""
        return self._after(moves, await self.service.apply_move(self.state, *moves))

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


def _facts(state: v1.GameState, reply: _Reply) -> dict[str, Any]:
    """Return what a reply tells of the state that it is about."""
    events = () if isinstance(reply, v1.LegalMovesResponse) else tuple(reply.events)
    return {
        "state": state,
        "decision": reply.decision,
        "legal_moves": LegalMoves(reply.legal_moves),
        "digest": reply.digest,
        "events": events,
        "news": events,
    }
