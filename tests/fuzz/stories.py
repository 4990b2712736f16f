"""What is asked about hosted games: a story of a few of them, in which one request leads to the next.

Their ids and tokens are made by the service, and differ each time a story is told. All else follows from
the chance that is given, as with requests about carried states.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.rules import apply, legal_moves
from service.engine.state import GameState
from tests.fuzz.asking import (
    HIDDEN_SEED,
    METHODS,
    NOTHING,
    Asked,
    Outage,
    Shown,
    limit,
    noise,
    seconds_left,
    some_moves,
    strange,
)
from tests.fuzz.doors import SERVERS
from tests.fuzz.messages import TEXTS, Value, change, invented
from tests.fuzz.showing import ADMINISTRATOR, MAKER, any_of, claims_of, good

LIKING: Final = {
    "ApplyMove": 10,
    "LegalMoves": 3,
    "GetGame": 3,
    "ListEvents": 2,
    "IssueSeatToken": 2,
    "Score": 1,
    "SampleStates": 1,
    "NewGame": 1,
    "ForkGame": 1,
    "ListGames": 1,
    "EndGame": 0.6,
    "DeleteGame": 0.5,
}
"""How often which RPC is asked."""
WRITING: Final = {"NewGame", "ApplyMove", "DeleteGame", "ForkGame", "IssueSeatToken", "EndGame"}
ADMINISTRATIVE: Final = {"DeleteGame", "IssueSeatToken", "EndGame"}
MOST_GAMES: Final = 4


def is_hosted(method: str, request: Value) -> bool:
    """Return whether a request is about hosted games."""
    if method == "NewGame":
        return bool(request.form == pb.STATE_FORM_HOSTED)
    if "position" in request.DESCRIPTOR.oneofs_by_name:
        return bool(request.HasField("game_id"))
    return method != "GetCatalog"


@dataclass
class Table:
    """A hosted game, as far as the story knows it."""

    id: str
    version: int = 0
    deciding: int | None = None
    moves: list[pb.Move] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def hear(self, version: int, reply: Value) -> None:
        """Take in what a reply says about a version."""
        if version < self.version:
            return
        if version > self.version or reply.legal_moves:
            self.moves = [legal.move for legal in reply.legal_moves]
        self.version = version
        self.deciding = reply.decision.seat if reply.HasField("decision") else None


class Story:
    """A few hosted games, from their beginning on."""

    def __init__(
        self,
        rng: random.Random,
        tables: Sequence[Table] = (),
        state_of: Callable[[str], GameState | None] | None = None,
    ) -> None:
        """``tables`` are there already; ``state_of`` tells the whole state of a game, by its id."""
        self._rng = rng
        self._state_of = state_of
        self.tables = [*tables]
        self.made: list[str] = []
        """The ids of all games that there were."""
        self._ids: list[str] = []
        self._earlier: list[Asked] = []
        self._page_tokens = ["", "0.0", "3.1", "99999999999.0"]
        self._kinds: dict[str, Callable[[Table], Value]] = {
            "NewGame": lambda _table: self._new_game(),
            "LegalMoves": self._legal_moves,
            "ApplyMove": self._apply_move,
            "Score": lambda table: pb.ScoreRequest(game_id=table.id),
            "SampleStates": lambda table: pb.SampleStatesRequest(
                game_id=table.id, seed=self._rng.choice(TEXTS), count=1
            ),
            "GetGame": self._get_game,
            "ListEvents": self._list_events,
            "ListGames": lambda _table: self._list_games(),
            "DeleteGame": lambda table: pb.DeleteGameRequest(game_id=table.id, request_id=self._id()),
            "ForkGame": self._fork_game,
            "IssueSeatToken": self._issue_token,
            "EndGame": self._end_game,
        }

    # What is asked.

    def asked(self) -> Asked:
        """Return the next call: one that begins a game, an earlier one again, or one of chance."""
        rng = self._rng
        if not self.tables:
            return self._call("NewGame", self._new_game(), "follow-up", MAKER)
        if self._earlier and rng.random() < 0.12:
            return self._again(rng.choice(self._earlier[-6:]))
        method = rng.choices(list(LIKING), list(LIKING.values()))[0]
        if len(self.tables) >= MOST_GAMES and method in {"NewGame", "ForkGame"}:
            method = "ApplyMove"
        table = rng.choice(self.tables)
        if method == "ApplyMove" and not table.moves and rng.random() < 0.7:
            method = "LegalMoves"
        kind = rng.choice(("follow-up",) * 5 + ("changed",) * 3 + ("invented", "bytes"))
        request = self._kinds[method](table)
        if kind == "invented":
            self._invent(request)
        for _ in range(rng.choice((1, 1, 2, 3)) if kind == "changed" else 0):
            change(rng, request)
        shown = self._fitting(method, table) if rng.random() < 0.8 else any_of(rng, self._tokens(table))
        return self._call(method, request, kind, shown)

    def _call(self, method: str, request: Value, kind: str, shown: Shown) -> Asked:
        rng = self._rng
        limit(request)
        raw = request.SerializeToString(deterministic=True)
        if kind == "bytes":
            raw = noise(rng, raw)
        outage = Outage(rng.choice((0, 0, 1, 1, 2)), rng.random() < 0.5) if rng.random() < 0.05 else None
        return Asked(
            method,
            raw,
            kind,
            shown.metadata + strange(rng),
            seconds_left(rng),
            server=rng.randrange(SERVERS),
            shown=shown,
            outage=outage,
        )

    def _again(self, earlier: Asked) -> Asked:
        """Ask the same once more, at any of the servers."""
        fields = {**vars(earlier), "server": self._rng.randrange(SERVERS), "outage": None}
        return Asked(**fields)

    def _invent(self, request: Value) -> None:
        """Make up a request, as a rule about the same game and with a new id."""
        made_up = invented(self._rng, METHODS[type(request).__name__.removesuffix("Request")].input_type)
        names = {"game_id", "request_id"} & set(request.DESCRIPTOR.fields_by_name)
        kept = {name: getattr(request, name) for name in sorted(names)}
        request.CopyFrom(made_up)
        for name, value in kept.items():
            if value and self._rng.random() < 0.8:
                setattr(request, name, value)
        if isinstance(request, pb.NewGameRequest):
            request.form = pb.STATE_FORM_HOSTED

    def _tokens(self, table: Table) -> list[str]:
        """Return tokens, those of a game behind the others."""
        others = [token for other in self.tables if other is not table for token in other.tokens[:1]]
        return others + table.tokens

    def _fitting(self, method: str, table: Table) -> Shown:
        """Show what the call needs, as far as it is there."""
        rng = self._rng
        if method in ADMINISTRATIVE:
            return ADMINISTRATOR
        if method == "NewGame":
            return rng.choice((MAKER, MAKER, ADMINISTRATOR))
        if method == "ListGames":
            return rng.choice((NOTHING, ADMINISTRATOR))
        seats = [token for token in table.tokens if claims_of(token).seat == table.deciding]
        tokens = seats if method == "ApplyMove" else table.tokens
        if not tokens:
            return ADMINISTRATOR
        shown = good(tokens[-1] if method == "ApplyMove" else rng.choice(tokens))
        if method == "ForkGame":
            return shown._replace(metadata=shown.metadata + MAKER.metadata, may_create=True)
        return shown

    # Requests.

    def _id(self) -> str:
        """Return a request id, as a rule a new one."""
        if self._ids and self._rng.random() < 0.04:
            return self._rng.choice(self._ids)
        self._ids.append(str(UUID(int=self._rng.getrandbits(128))))
        return self._ids[-1]

    def _new_game(self) -> Value:
        rng = self._rng
        expansions = [pb.EXPANSION_SHARKS_AND_REEFS] if rng.random() < 0.4 else []
        return pb.NewGameRequest(
            players=rng.choice((1, 2, 2, 3, 5)),
            options=pb.GameOptions(side=rng.choice(pb.BoardSide.values()), expansions=expansions),
            seed=HIDDEN_SEED if self.tables and rng.random() < 0.3 else None,
            form=pb.STATE_FORM_HOSTED,
            request_id=self._id(),
            public_watching=rng.random() < 0.3,
            with_legal_moves=True,
        )

    def _legal_moves(self, table: Table) -> Value:
        why = some_moves(self._rng, table.moves) if self._rng.random() < 0.2 else []
        return pb.LegalMovesRequest(game_id=table.id, why_not=bool(why), why_not_moves=why)

    def _apply_move(self, table: Table) -> Value:
        rng = self._rng
        step = rng.choice((*(0,) * 18, 1, -1))
        return pb.ApplyMoveRequest(
            game_id=table.id,
            moves=self._line(table) or some_moves(rng, table.moves),
            validate_only=rng.random() < 0.12,
            with_legal_moves=rng.random() < 0.9,
            request_id=self._id(),
            expected_version=max(table.version + step, 0),
        )

    def _line(self, table: Table) -> list[pb.Move]:
        """Return now and then several legal moves in a row, as nobody knows them without a look ahead."""
        state = self._state_of(table.id) if self._state_of and self._rng.random() < 0.3 else None
        line: list[pb.Move] = []
        for _ in range(self._rng.choice((2, 3, 5))):
            if state is None or state.is_over:
                break
            move = self._rng.choice(legal_moves(state))
            line.append(move_message(move))
            state = apply(state, move).state
        return line

    def _version(self, table: Table) -> int | None:
        return self._rng.choice((None, None, table.version, self._rng.randint(0, table.version + 1)))

    def _get_game(self, table: Table) -> Value:
        return pb.GetGameRequest(
            game_id=table.id,
            version=self._version(table),
            form=pb.STATE_FORM_OPEN if self._rng.random() < 0.2 else pb.STATE_FORM_UNSPECIFIED,
            with_legal_moves=self._rng.random() < 0.5,
        )

    def _list_events(self, table: Table) -> Value:
        rng = self._rng
        return pb.ListEventsRequest(
            game_id=table.id,
            from_version=self._version(table) or 0,
            page_size=rng.choice((0, 0, 1, 3, 200, 201)),
            page_token=rng.choice(self._page_tokens) if rng.random() < 0.3 else "",
        )

    def _list_games(self) -> Value:
        token = self._rng.choice(self._page_tokens) if self._rng.random() < 0.3 else ""
        return pb.ListGamesRequest(page_size=self._rng.choice((0, 1, 2, 100, 101)), page_token=token)

    def _fork_game(self, table: Table) -> Value:
        version = self._version(table)
        return pb.ForkGameRequest(
            game_id=table.id,
            version=version,
            request_id=self._id(),
            public_watching=self._rng.random() < 0.3,
        )

    def _issue_token(self, table: Table) -> Value:
        scope = self._rng.choice((pb.TOKEN_SCOPE_PLAY, pb.TOKEN_SCOPE_WATCH, pb.TOKEN_SCOPE_ADMIN))
        seat = self._rng.choice((0, 0, 1, 5)) if scope == pb.TOKEN_SCOPE_PLAY else None
        return pb.IssueSeatTokenRequest(game_id=table.id, request_id=self._id(), scope=scope, seat=seat)

    def _end_game(self, table: Table) -> Value:
        request = pb.EndGameRequest(game_id=table.id, request_id=self._id())
        if self._rng.random() < 0.5:
            request.end_now.SetInParent()
        else:
            request.bot_seat = self._rng.choice((0, 1, 1, 4, 5))
        return request

    # What is answered.

    def hear(self, asked: Asked, request: Value, reply: Value) -> None:
        """Take in what was answered to a call."""
        if asked.method in WRITING:
            self._earlier.append(asked)
        if reply is None or not is_hosted(asked.method, request):
            return
        if asked.method in {"NewGame", "ForkGame"}:
            self._hear_of_game(reply)
        if asked.method in {"ListEvents", "ListGames"} and reply.next_page_token:
            self._page_tokens.append(reply.next_page_token)
        for table in self.tables.copy():
            if table.id == getattr(request, "game_id", None):
                self._hear_of(table, request, reply)

    def _hear_of_game(self, reply: Value) -> None:
        if all(table.id != reply.game.game_id for table in self.tables):
            table = Table(reply.game.game_id, tokens=[token.token for token in reply.tokens])
            self.tables.append(table)
            self.made.append(table.id)
            if isinstance(reply, pb.NewGameResponse):
                table.hear(reply.state.version, reply)
            else:
                table.version, table.deciding = reply.state.version, reply.decision.seat

    def _hear_of(self, table: Table, request: Value, reply: Value) -> None:
        if isinstance(reply, pb.DeleteGameResponse) and self._rng.random() < 0.7:
            self.tables = [other for other in self.tables if other is not table]
        if isinstance(reply, pb.IssueSeatTokenResponse):
            table.tokens.append(reply.token.token)
        if isinstance(reply, pb.LegalMovesResponse):
            table.hear(reply.version, reply)
        if isinstance(reply, pb.ApplyMoveResponse) and not request.validate_only:
            table.hear(reply.version, reply)
        if isinstance(reply, pb.GetGameResponse) and reply.state.version == reply.game.version:
            table.hear(reply.state.version, reply)
