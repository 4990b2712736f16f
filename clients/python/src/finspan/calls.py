"""The calls of the service as values: how a request is built is written here once, for every kind of client.

Each function has the arguments of one RPC and returns the `Call` that a client then sends.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import update_wrapper
from inspect import Parameter, signature
from typing import Any, Final, Generic, Literal, TypeVar, get_args

from google.protobuf.message import Message

from finspan.moves import AnyMove, as_move
from finspan.v1 import finspan_pb2 as v1

SERVICE: Final = v1.DESCRIPTOR.services_by_name["FinspanService"].full_name
"""The full name of the service in the contract."""

Side = Literal["a", "b"]
Expansion = Literal["sharks_and_reefs"]
Form = Literal["sealed", "open"]
Reply = TypeVar("Reply", bound=Message)
Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Call(Generic[Reply]):
    """One call: the RPC by its name in the contract, its request, and the message that answers it."""

    method: str
    request: Message
    reply: type[Reply]


def new_game(  # noqa: PLR0913  a game has as many options as it has
    players: int = 2,
    *,
    seed: str | None = None,
    side: Side = "a",
    tiles: Iterable[str] = (),
    expansions: Iterable[Expansion] = (),
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

    """
    request = v1.NewGameRequest(
        players=players,
        options=v1.GameOptions(
            expansions=[v1.Expansion.Value(f"EXPANSION_{name.upper()}") for name in expansions],
            side=v1.BoardSide.Value(f"BOARD_SIDE_{side.upper()}"),
            tiles=tiles,
        ),
        seed=seed,
        display_names=names,
        form=v1.StateForm.Value(f"STATE_FORM_{form.upper()}"),
        with_legal_moves=with_legal_moves,
    )
    return Call("NewGame", request, v1.NewGameResponse)


def legal_moves(
    state: v1.GameState, *, why_not: bool = False, why_not_moves: Iterable[AnyMove] = ()
) -> Call[v1.LegalMovesResponse]:
    """Ask for the open decision and exactly the moves that it accepts.

    Args:
        state: The state.
        why_not: Whether to say why not, for every hand card without a legal slot and every kind of move
            of this decision that is not offered.
        why_not_moves: Moves to say why not about.

    """
    request = v1.LegalMovesRequest(state=state, why_not=why_not, why_not_moves=map(as_move, why_not_moves))
    return Call("LegalMoves", request, v1.LegalMovesResponse)


def apply_move(
    state: v1.GameState, *moves: AnyMove, validate_only: bool = False, with_legal_moves: bool = True
) -> Call[v1.ApplyMoveResponse]:
    """Carry out one or several moves in a row, all or nothing; the state given stays as it is.

    Args:
        state: The state.
        moves: The moves, at least one.
        validate_only: Whether to try only: the reply then has no state to go on from.
        with_legal_moves: Whether the reply lists the next decision's legal moves.

    """
    request = v1.ApplyMoveRequest(
        state=state,
        moves=map(as_move, moves),
        validate_only=validate_only,
        with_legal_moves=with_legal_moves,
    )
    return Call("ApplyMove", request, v1.ApplyMoveResponse)


def score(state: v1.GameState) -> Call[v1.ScoreResponse]:
    """Ask for the score sheet as it stands, game-end conditions included (R9.2, R9.3).

    Args:
        state: The state.

    """
    return Call("Score", v1.ScoreRequest(state=state), v1.ScoreResponse)


def sample_states(state: v1.GameState, *, seed: str, count: int = 1) -> Call[v1.SampleStatesResponse]:
    """Ask for open copies of a state whose hidden order is drawn afresh, for search.

    Args:
        state: The state, with or without its hidden part.
        seed: 1 to 64 characters; the same seed gives the same samples.
        count: How many, 1 to 1000.

    """
    request = v1.SampleStatesRequest(state=state, seed=seed, count=count)
    return Call("SampleStates", request, v1.SampleStatesResponse)


def get_catalog(rules_version: str = "") -> Call[v1.GetCatalogResponse]:
    """Ask for the cards, tiles, board, rules and rulings; `finspan.Catalog` looks things up in the reply.

    Args:
        rules_version: The rules version; empty for the one that the server plays.

    """
    request = v1.GetCatalogRequest(rules_version=rules_version)
    return Call("GetCatalog", request, v1.GetCatalogResponse)


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
