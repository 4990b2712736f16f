"""Requests that show a field or an error rather than a rule of the game."""

from collections.abc import Callable
from typing import Any, Final

from finspan.v1 import finspan_pb2 as pb
from service.engine.state import Frame
from tests.table import situation
from tests.vectors.conformance.calls import Call
from tests.vectors.conformance.positions import SCORE, Cases, applied, moves
from tests.wire import state_message

OPEN: Final = pb.STATE_FORM_OPEN


def new_game(players: int, seed: str = "conformance", **fields: Any) -> Call:  # noqa: ANN401  any of them
    """Return the call that sets up an open game."""
    request = pb.NewGameRequest(players=players, seed=seed, form=OPEN, with_legal_moves=True, **fields)
    return Call("NewGame", request)


def changed(change: Callable[[pb.GameState], object]) -> pb.GameState:
    """Return a state with one thing changed."""
    state = state_message(situation(hands=[(42, 126, 127), (37, 128, 129)]))
    change(state)
    return state


def legal_moves(state: pb.GameState | None, **fields: Any) -> Call:  # noqa: ANN401  any of them
    """Return the call that asks what is legal."""
    return Call("LegalMoves", pb.LegalMovesRequest(state=state, **fields))


def _without(*names: str) -> Callable[[pb.GameState], None]:
    def change(state: pb.GameState) -> None:
        for name in names:
            state.ClearField(name)  # type: ignore[arg-type]  # fields by name

    return change


def _without_hidden_and_derived(state: pb.GameState) -> None:
    _without("rules_version", "deck_size", "undealt_starters", "agenda", "achievements")(state)
    state.open.ClearField("deck")
    for player in state.players:
        player.ClearField("divers_left")


NEW_GAMES: Final[Cases] = {
    "R2: one player": (new_game(1), SCORE),
    "R2: two players with names": (new_game(2, display_names=["Ada", "Bob"]), SCORE),
    "R2.3: three players, side B with the tiles named": (
        new_game(
            3,
            options=pb.GameOptions(
                side=pb.BOARD_SIDE_B, tiles=["b1_small_fish", "b2_full_rows", "b3_schools"]
            ),
        ),
        applied("dive:blue"),
    ),
    "R2.3: five players, side B with the tiles drawn": (
        new_game(5, "seed of 64 characters at most: ÄÖÜ 🐟", options=pb.GameOptions(side=pb.BOARD_SIDE_B)),
    ),
}

FIELDS: Final[Cases] = {
    "validate_only: a dry run gives no state, and the next call is about the same one": (
        legal_moves(changed(lambda state: None)),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=moves("dive:blue"), validate_only=True)),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=moves("dive:blue"))),
    ),
    "A state built by hand, with all left out that may be": (
        legal_moves(changed(_without_hidden_and_derived)),
        applied("dive:blue"),
    ),
    "Samples: the same public facts, the hidden order drawn afresh": (
        Call(
            "SampleStates",
            pb.SampleStatesRequest(state=changed(_without("open")), seed="samples", count=2),
        ),
    ),
}


def _no_school_yet(state: pb.GameState) -> None:
    state.players[0].ocean[0].young = 3


def _card_twice(state: pb.GameState) -> None:
    state.players[1].hand.append(42)


def _other_rules(state: pb.GameState) -> None:
    state.rules_version = "no such version"


def _other_key(state: pb.GameState) -> None:
    state.sealed.CopyFrom(pb.SealedPart(key_id="no such key", nonce=bytes(12), ciphertext=bytes(32)))


ERRORS: Final[Cases] = {
    "INVALID_FIELD: a number of players that cannot be": (new_game(6),),
    "INVALID_FIELD: no state": (legal_moves(None),),
    "INVALID_FIELD: no move": (
        legal_moves(changed(lambda state: None)),
        Call("ApplyMove", pb.ApplyMoveRequest()),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=[pb.Move()])),
        Call("ApplyMove", pb.ApplyMoveRequest(moves=[pb.Move(dive=pb.Dive())])),
    ),
    "IMPOSSIBLE_STATE: a card in two places, and three young that are no school": (
        legal_moves(changed(lambda state: (_card_twice(state), _no_school_yet(state)))),
    ),
    "SEAL_KEY_UNKNOWN": (legal_moves(changed(_other_key)),),
    "HIDDEN_PART_MISSING": (legal_moves(changed(_without("open"))),),
    "ILLEGAL_MOVE: the fourth of five, so that none is made": (
        legal_moves(changed(lambda state: None)),
        applied("play:42@P1 pass dive:purple pay_card:37 pass"),
    ),
    "GAME_OVER": (
        legal_moves(state_message(situation(week=4, turn=6, frame=Frame.GAME_OVER))),
        applied("dive:blue"),
    ),
    "RULES_VERSION": (
        legal_moves(changed(_other_rules)),
        Call("GetCatalog", pb.GetCatalogRequest(rules_version="no such version")),
    ),
    "NOT_OFFERED": (
        new_game(2, options=pb.GameOptions(expansions=[pb.EXPANSION_SHARKS_AND_REEFS])),
        Call("NewGame", pb.NewGameRequest(players=2, form=pb.STATE_FORM_HOSTED)),
        Call("LegalMoves", pb.LegalMovesRequest(game_id="any")),
    ),
}
