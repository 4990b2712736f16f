"""Requests that show a field or an error rather than a rule of the game."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from finspan.v1 import finspan_pb2 as pb
from service.engine.state import Frame
from tests.table import situation
from tests.vectors.conformance.calls import Call
from tests.vectors.conformance.positions import SCORE, Cases, applied, line, moves
from tests.wire import state_message

Change: TypeAlias = Callable[[pb.GameState], None]

REQUEST_ID: Final = "6f1c7f0a-4b3e-4d57-9a3e-0c9d2b1f8e75"
NO_GAME: Final = "a game"
NO_TOKENS: Final = (
    ("authorization", "Bearer a.b.c"),
    ("authorization", "a token, without the word before it"),
    ("x-api-key", "a key"),
)
"""What is shown with a call and was never issued."""
TILES: Final = ("b1_small_fish", "b2_full_rows", "b3_schools")


def new_game(players: int, *, form: pb.StateForm.ValueType = pb.STATE_FORM_OPEN, **options: Any) -> Call:  # noqa: ANN401  any
    """Return the call that sets up a game with these options."""
    request = pb.NewGameRequest(
        players=players,
        seed="conformance",
        form=form,
        options=pb.GameOptions(**options) if options else None,
        with_legal_moves=True,
    )
    return Call("NewGame", request)


def named_game(*names: str) -> Call:
    """Return the call that sets up a game of players with names."""
    _, request, _ = new_game(len(names))
    request.MergeFrom(pb.NewGameRequest(display_names=names))
    return Call("NewGame", request)


def asked(*changes: Change) -> Call:
    """Return the call that asks what is legal in a state that these changes were made to."""
    return Call("LegalMoves", pb.LegalMovesRequest(state=_changed(*changes)))


def _changed(*changes: Change) -> pb.GameState:
    state = state_message(situation(hands=[(42, 126, 127), (37, 128, 129)]))
    for change in changes:
        change(state)
    return state


def _no_hidden_part(state: pb.GameState) -> None:
    state.ClearField("open")


def _no_deck(state: pb.GameState) -> None:
    state.open.ClearField("deck")
    state.ClearField("deck_size")


def _no_agenda(state: pb.GameState) -> None:
    state.ClearField("agenda")
    for player in state.players:
        player.ClearField("divers_left")


def _nothing_that_follows(state: pb.GameState) -> None:
    state.ClearField("rules_version")
    state.ClearField("undealt_starters")
    state.ClearField("achievements")


def _school_not_formed(state: pb.GameState) -> None:
    state.players[0].ocean[0].young = 3


def _card_in_two_hands(state: pb.GameState) -> None:
    state.players[1].hand.append(42)


def _other_rules(state: pb.GameState) -> None:
    state.rules_version = "no such version"


def _other_key(state: pb.GameState) -> None:
    state.sealed.CopyFrom(pb.SealedPart(key_id="no such key", nonce=bytes(12), ciphertext=bytes(32)))


# Hosted games. What is answered about one that is there has random ids and tokens, and can be no vector.


def _hosted_game(**fields: Any) -> pb.NewGameRequest:  # noqa: ANN401  any
    return pb.NewGameRequest(players=2, form=pb.STATE_FORM_HOSTED, request_id=REQUEST_ID, **fields)


def about_no_game() -> tuple[Call, ...]:
    """Return the calls about a hosted game, complete but for the game."""
    game: dict[str, Any] = {"game_id": NO_GAME}
    changing = {**game, "request_id": REQUEST_ID}
    moved = pb.ApplyMoveRequest(**changing, moves=moves("dive:blue"), expected_version=0)
    token = pb.IssueSeatTokenRequest(**changing, scope=pb.TOKEN_SCOPE_PLAY, seat=0)
    return (
        Call("ApplyMove", moved),
        Call("Score", pb.ScoreRequest(**game)),
        Call("SampleStates", pb.SampleStatesRequest(**game, seed="samples", count=1)),
        Call("GetGame", pb.GetGameRequest(**game)),
        Call("ListEvents", pb.ListEventsRequest(**game)),
        Call("DeleteGame", pb.DeleteGameRequest(**changing)),
        Call("ForkGame", pb.ForkGameRequest(**changing)),
        Call("IssueSeatToken", token),
        Call("EndGame", pb.EndGameRequest(**changing, end_now=pb.EndNow())),
    )


def without_fields() -> tuple[Call, ...]:
    """Return calls about hosted games whose fields cannot be what they are, whatever the game."""
    game: dict[str, Any] = {"game_id": NO_GAME}
    return (
        Call("ApplyMove", pb.ApplyMoveRequest(**game, moves=moves("dive:blue"))),
        Call("ListEvents", pb.ListEventsRequest(**game, page_size=201, page_token="a page")),  # noqa: S106  none
        Call("ListGames", pb.ListGamesRequest(page_size=101)),
        Call("DeleteGame", pb.DeleteGameRequest(**game)),
        Call("ForkGame", pb.ForkGameRequest(**game)),
        Call("IssueSeatToken", pb.IssueSeatTokenRequest(**game, scope=pb.TOKEN_SCOPE_PLAY)),
        Call("EndGame", pb.EndGameRequest(**game)),
    )


NEW_GAMES: Final[Cases] = {
    "R2: one player": (new_game(1), SCORE),
    "R2: two players with names": (named_game("Ada", "Bob"), SCORE),
    "R2.3: three players, side B with the tiles named": (
        new_game(3, side=pb.BOARD_SIDE_B, tiles=TILES),
        applied("dive:blue"),
    ),
    "R2.3: five players, side B with the tiles drawn": (new_game(5, side=pb.BOARD_SIDE_B),),
    "R2.4: two players, Sharks & Reefs": (new_game(2, expansions=[pb.EXPANSION_SHARKS_AND_REEFS]), SCORE),
}

FIELDS: Final[Cases] = {
    "validate_only: a dry run gives no state, and the next call is about the same one": (
        asked(),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=moves("dive:blue"), validate_only=True)),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=moves("dive:blue"))),
    ),
    "A state built by hand, with all left out that may be": (
        asked(_no_deck, _no_agenda, _nothing_that_follows),
        applied("dive:blue"),
    ),
    "A list of games, with none on it": (Call("ListGames", pb.ListGamesRequest()),),
    "Samples: the same public facts, the hidden order drawn afresh": (
        Call(
            "SampleStates", pb.SampleStatesRequest(state=_changed(_no_hidden_part), seed="samples", count=2)
        ),
    ),
}

ERRORS: Final[Cases] = {
    "INVALID_FIELD: a number of players that cannot be": (new_game(6),),
    "INVALID_FIELD: no state": (Call("LegalMoves", pb.LegalMovesRequest()),),
    "INVALID_FIELD: no move": (
        asked(),
        Call("ApplyMove", pb.ApplyMoveRequest()),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=[pb.Move()])),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=[pb.Move(dive=pb.Dive())])),
    ),
    "INVALID_FIELD: a coral that nothing is paid for": (
        new_game(2, expansions=[pb.EXPANSION_SHARKS_AND_REEFS]),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=[pb.Move(buy_coral=pb.BuyCoral())])),
    ),
    "IMPOSSIBLE_STATE: a card in two hands, and three young that are no school": (
        asked(_card_in_two_hands, _school_not_formed),
    ),
    "SEAL_KEY_UNKNOWN": (asked(_other_key),),
    "HIDDEN_PART_MISSING": (asked(_no_hidden_part),),
    "ILLEGAL_MOVE: the fourth of five, so that none is made": (
        asked(),
        applied("play:42@P1 pass dive:purple pay_card:37 pass"),
    ),
    "GAME_OVER": line(situation(week=4, turn=6, frame=Frame.GAME_OVER), "?", "dive:blue"),
    "RULES_VERSION": (
        asked(_other_rules),
        Call("GetCatalog", pb.GetCatalogRequest(rules_version="no such version")),
    ),
    "INVALID_FIELD: a hosted game without a request id": (new_game(2, form=pb.STATE_FORM_HOSTED),),
    "GAME_NOT_FOUND": (Call("LegalMoves", pb.LegalMovesRequest(game_id="a game")),),
    "GAME_NOT_FOUND: every other call about a hosted game": about_no_game(),
    "INVALID_FIELD: hosted games, whichever they would be": without_fields(),
    "TOKEN_REFUSED: tokens and a key that are none": tuple(
        Call("ListGames", pb.ListGamesRequest(), (shown,)) for shown in NO_TOKENS
    ),
    "NOT_ALLOWED: whoever names the seed of a hosted game knows its deck": (
        Call("NewGame", _hosted_game(seed="conformance")),
    ),
}
