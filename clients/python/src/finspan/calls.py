"""The calls of the service as values: how a request is built is written here once, for every kind of client.

Each function has the arguments of one RPC and returns the `Call` that a client then sends.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import update_wrapper
from inspect import Parameter, signature
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args
from uuid import uuid4

from google.protobuf.message import Message

from finspan.moves import AnyMove, as_move
from finspan.v1 import finspan_pb2 as v1

SERVICE: Final = v1.DESCRIPTOR.services_by_name["FinspanService"].full_name
"""The full name of the service in the contract."""

Side = Literal["a", "b"]
Expansion = Literal["sharks_and_reefs"]
ExpansionName: TypeAlias = Expansion | Literal["sharks-and-reefs"]
"""An expansion, or as the command line spells it."""
Form = Literal["sealed", "open"]
Scope = Literal["play", "watch", "admin"]
GameForm = Literal["hosted", "open"]
Metadata: TypeAlias = tuple[tuple[str, str], ...]
Reply = TypeVar("Reply", bound=Message)
Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Call(Generic[Reply]):
    """One call: the RPC by its name in the contract, its request, and the message that answers it.

    Its repr shows neither request nor metadata: who knows some request ids, or a token, can play.
    """

    method: str
    request: Message = field(repr=False)
    reply: type[Reply]
    metadata: Metadata = field(default=(), repr=False)
    """What is sent beside the request, such as a token."""


def new_request_id() -> str:
    """Return an id for a new wish: a call with it is carried out once, however often it is sent."""
    return str(uuid4())


def new_game(  # noqa: PLR0913  a game has as many options as it has
    players: int = 2,
    *,
    seed: str | None = None,
    side: Side = "a",
    tiles: Iterable[str] = (),
    expansions: Iterable[ExpansionName] = (),
    names: Iterable[str] = (),
    form: Form = "sealed",
    with_legal_moves: bool = True,
) -> Call[v1.NewGameResponse]:
    """Set up a game (R2).

    Args:
        players: How many, 1 to 5.
        seed: 1 to 64 characters, or None for one of the server's; who names it knows the deck.
        side: The side of the achievement board (R2.3).
        tiles: Side B only: the tiles of weeks 1, 2 and 3 by id, or none, then they are drawn.
        expansions: Sets mixed into the base game (R2.4).
        names: The players' names by seat, or none.
        form: Whether the hidden order leaves the service sealed or readable ("open").
        with_legal_moves: Whether the reply lists the first decision's legal moves.

    Raises:
        ValueError: an option is none of the words that it can be; the message names them.

    """
    request = v1.NewGameRequest(
        players=players,
        options=_options(side, tiles, expansions),
        seed=seed,
        display_names=_texts("names", names),
        form=v1.StateForm.Value(f"STATE_FORM_{_word('form', form, Form)}"),
        with_legal_moves=with_legal_moves,
    )
    return Call("NewGame", request, v1.NewGameResponse)


def host_game(  # noqa: PLR0913  a game has as many options as it has
    players: int = 2,
    *,
    seed: str | None = None,
    side: Side = "a",
    tiles: Iterable[str] = (),
    expansions: Iterable[ExpansionName] = (),
    names: Iterable[str] = (),
    public_watching: bool = False,
    with_legal_moves: bool = True,
    request_id: str | None = None,
) -> Call[v1.NewGameResponse]:
    """Set up a hosted game (R2): the service keeps it, and the reply has a token for each seat.

    Args:
        players: How many, 1 to 5.
        seed: For administrators: 1 to 64 characters, or None for one of the server's.
        side: The side of the achievement board (R2.3).
        tiles: Side B only: the tiles of weeks 1, 2 and 3 by id, or none, then they are drawn.
        expansions: Sets mixed into the base game (R2.4).
        names: The players' names by seat, or none.
        public_watching: Whether anybody may watch; else only who has a token.
        with_legal_moves: Whether the reply lists the first decision's legal moves.
        request_id: A UUID that is new for each game, or None for one. Whoever knows it gets the tokens.

    Raises:
        ValueError: an option is none of the words that it can be; the message names them.

    """
    request = v1.NewGameRequest(
        players=players,
        options=_options(side, tiles, expansions),
        seed=seed,
        display_names=_texts("names", names),
        form=v1.STATE_FORM_HOSTED,
        with_legal_moves=with_legal_moves,
        request_id=request_id or new_request_id(),
        public_watching=public_watching,
    )
    return Call("NewGame", request, v1.NewGameResponse)


def _options(side: Side, tiles: Iterable[str], expansions: Iterable[ExpansionName]) -> v1.GameOptions:
    sets = [name.replace("-", "_") for name in _texts("expansions", expansions)]
    return v1.GameOptions(
        expansions=[v1.Expansion.Value(f"EXPANSION_{_word('expansions', name, Expansion)}") for name in sets],
        side=v1.BoardSide.Value(f"BOARD_SIDE_{_word('side', side, Side)}"),
        tiles=_texts("tiles", tiles),
    )


def _word(option: str, given: str, words: Any) -> str:  # noqa: ANN401  a Literal
    """Return the word that was given for an option as the contract writes it, if it is one of the words."""
    known = get_args(words)
    if given not in known:
        raise ValueError(f"{option}: {given!r} is none of {', '.join(map(repr, known))}.")
    return given.upper()


def _texts(option: str, given: Iterable[str]) -> list[str]:
    """Return the texts that were given for an option, which a single one would be too, letter by letter."""
    if isinstance(given, str):
        raise TypeError(f"{option}: a list of texts is needed, such as [{given!r}], not a text.")
    return list(given)


def legal_moves(
    state: v1.GameState | str, *, why_not: bool = False, why_not_moves: Iterable[AnyMove] = ()
) -> Call[v1.LegalMovesResponse]:
    """Ask for the open decision and exactly the moves that it accepts.

    Args:
        state: The state, or the id of a hosted game.
        why_not: Whether to say why not, for every hand card without a legal slot and every kind of move
            of this decision that is not offered.
        why_not_moves: Moves to say why not about.

    """
    request = v1.LegalMovesRequest(
        **_position(state), why_not=why_not, why_not_moves=map(as_move, why_not_moves)
    )
    return Call("LegalMoves", request, v1.LegalMovesResponse)


def apply_move(
    state: v1.GameState | str,
    *moves: AnyMove,
    validate_only: bool = False,
    with_legal_moves: bool = True,
    expected_version: int | None = None,
    request_id: str | None = None,
) -> Call[v1.ApplyMoveResponse]:
    """Carry out one or several moves in a row, all or nothing; the state given stays as it is.

    In a hosted game they are carried out up to the first one that reveals something hidden.

    Args:
        state: The state, or the id of a hosted game.
        moves: The moves, at least one.
        validate_only: Whether to try only: the reply then has no state to go on from.
        with_legal_moves: Whether the reply lists the next decision's legal moves.
        expected_version: Hosted: the version that the moves are meant for; needed.
        request_id: Hosted: a UUID that is new for each wish, or None for one.

    """
    request = v1.ApplyMoveRequest(
        **_position(state),
        moves=map(as_move, moves),
        validate_only=validate_only,
        with_legal_moves=with_legal_moves,
        expected_version=expected_version,
        request_id=request_id or (new_request_id() if isinstance(state, str) else ""),
    )
    return Call("ApplyMove", request, v1.ApplyMoveResponse)


def score(state: v1.GameState | str) -> Call[v1.ScoreResponse]:
    """Ask for the score sheet as it stands, game-end conditions included (R9.2, R9.3).

    Args:
        state: The state, or the id of a hosted game.

    """
    return Call("Score", v1.ScoreRequest(**_position(state)), v1.ScoreResponse)


def sample_states(state: v1.GameState | str, *, seed: str, count: int = 1) -> Call[v1.SampleStatesResponse]:
    """Ask for open copies of a state whose hidden order is drawn afresh, for search.

    Args:
        state: The state, with or without its hidden part, or the id of a hosted game.
        seed: 1 to 64 characters; the same seed gives the same samples.
        count: How many, 1 to 1000.

    """
    request = v1.SampleStatesRequest(**_position(state), seed=seed, count=count)
    return Call("SampleStates", request, v1.SampleStatesResponse)


def get_catalog(rules_version: str = "") -> Call[v1.GetCatalogResponse]:
    """Ask for the cards, tiles, board, rules and rulings; `finspan.Catalog` looks things up in the reply.

    Args:
        rules_version: The rules version; empty for the one that the server plays.

    """
    request = v1.GetCatalogRequest(rules_version=rules_version)
    return Call("GetCatalog", request, v1.GetCatalogResponse)


def get_game(
    game_id: str,
    *,
    version: int | None = None,
    form: GameForm = "hosted",
    with_legal_moves: bool = True,
) -> Call[v1.GetGameResponse]:
    """Ask for a hosted game, now or at an earlier version, and for whose token it is asked with.

    Args:
        game_id: The game.
        version: The version; None for the newest.
        form: "open" for its hidden part as well, which is for administrators until the game is over.
        with_legal_moves: Whether the reply lists the legal moves.

    """
    request = v1.GetGameRequest(
        game_id=game_id,
        version=version,
        form=v1.StateForm.Value(f"STATE_FORM_{_word('form', form, GameForm)}"),
        with_legal_moves=with_legal_moves,
    )
    return Call("GetGame", request, v1.GetGameResponse)


def list_events(
    game_id: str, *, from_version: int = 0, page_size: int = 0, page_token: str = ""
) -> Call[v1.ListEventsResponse]:
    """Ask for a page of the log of a hosted game.

    Args:
        game_id: The game.
        from_version: The first version to list.
        page_size: How many entries at most, 1 to 200; 0 for 50.
        page_token: The `next_page_token` of the page before, which then says where to begin.

    """
    request = v1.ListEventsRequest(
        game_id=game_id, from_version=from_version, page_size=page_size, page_token=page_token
    )
    return Call("ListEvents", request, v1.ListEventsResponse)


def list_games(*, page_size: int = 0, page_token: str = "") -> Call[v1.ListGamesResponse]:
    """Ask for a page of the list of hosted games: for administrators all, else those that anybody may watch.

    Args:
        page_size: How many games at most, 1 to 100; 0 for 20.
        page_token: The `next_page_token` of the page before.

    """
    request = v1.ListGamesRequest(page_size=page_size, page_token=page_token)
    return Call("ListGames", request, v1.ListGamesResponse)


def delete_game(game_id: str, *, request_id: str | None = None) -> Call[v1.DeleteGameResponse]:
    """Delete a hosted game and its log; for administrators.

    Args:
        game_id: The game.
        request_id: A UUID that is new for each wish, or None for one.

    """
    request = v1.DeleteGameRequest(game_id=game_id, request_id=request_id or new_request_id())
    return Call("DeleteGame", request, v1.DeleteGameResponse)


def fork_game(
    game_id: str,
    *,
    version: int | None = None,
    names: Iterable[str] = (),
    public_watching: bool = False,
    request_id: str | None = None,
) -> Call[v1.ForkGameResponse]:
    """Make a hosted game from the public facts of another one; what is hidden is drawn afresh.

    Args:
        game_id: The other game.
        version: Its version to go on from; None for the newest.
        names: The players' names by seat, or none, then they are those of the other game.
        public_watching: Whether anybody may watch; else only who has a token.
        request_id: A UUID that is new for each fork, or None for one. Whoever knows it gets the tokens.

    """
    request = v1.ForkGameRequest(
        game_id=game_id,
        version=version,
        request_id=request_id or new_request_id(),
        display_names=_texts("names", names),
        public_watching=public_watching,
    )
    return Call("ForkGame", request, v1.ForkGameResponse)


def issue_seat_token(
    game_id: str, *, scope: Scope = "play", seat: int | None = None, request_id: str | None = None
) -> Call[v1.IssueSeatTokenResponse]:
    """Issue a new token for a hosted game, the earlier ones for the same are void; for administrators.

    Args:
        game_id: The game.
        scope: What it is for: to play a seat, to watch, or to administer the game.
        seat: The seat, of a token to play. A bot that sits there gives it back.
        request_id: A UUID that is new for each wish, or None for one.

    """
    request = v1.IssueSeatTokenRequest(
        game_id=game_id,
        request_id=request_id or new_request_id(),
        scope=v1.TokenScope.Value(f"TOKEN_SCOPE_{_word('scope', scope, Scope)}"),
        seat=seat,
    )
    return Call("IssueSeatToken", request, v1.IssueSeatTokenResponse)


def end_game(
    game_id: str, *, bot_seat: int | None = None, request_id: str | None = None
) -> Call[v1.EndGameResponse]:
    """End a hosted game as it stands, or let a bot of the service play on in a seat; for administrators.

    Args:
        game_id: The game.
        bot_seat: The seat that a bot is to take; None to end the game, then nobody wins.
        request_id: A UUID that is new for each wish, or None for one.

    """
    request = v1.EndGameRequest(game_id=game_id, request_id=request_id or new_request_id())
    if bot_seat is None:
        request.end_now.SetInParent()
    else:
        request.bot_seat = bot_seat
    return Call("EndGame", request, v1.EndGameResponse)


def _position(state: v1.GameState | str) -> dict[str, Any]:
    """Return the field that says what a request is about."""
    return {"game_id" if isinstance(state, str) else "state": state}


def described_by(build: Callable[..., Call[Any]], method: Method) -> Method:
    """Return a client's method with the name, text and signature of what builds its call."""
    own = signature(build)
    update_wrapper(method, build)
    del method.__wrapped__  # type: ignore[attr-defined]  # else inspect would take its first argument for self
    method.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[Parameter("self", Parameter.POSITIONAL_ONLY), *own.parameters.values()],
        return_annotation=get_args(own.return_annotation)[0],
    )
    return method
