"""The RPCs that play a game: NewGame, LegalMoves, ApplyMove, Score."""

import secrets
from collections.abc import Sequence
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert import (
    decision_fields,
    event_fields,
    legal_move_messages,
    read_moves,
    read_options,
    score_fields,
    why_not_fields,
)
from service.convert.reading import Faults, Fields, is_short, note
from service.engine.errors import Fault
from service.engine.moves import Move
from service.engine.reasons import why_not, why_nothing
from service.engine.rules import apply_all, legal_moves, new_game
from service.engine.scoring import winners
from service.engine.state import GameState
from service.errors import GameIsOver, InvalidFields, NotOffered
from service.handlers.calls import Call
from service.positions import Position, Positions, position_of, state_in
from service.settings import Settings

SEED_BYTES: Final = 32
"""How many random bytes a seed has that nobody named."""
PAUSE_EVERY: Final = 100
"""After how many moves a long call lets others have their turn."""

_IS_OPEN: Final = {
    pb.STATE_FORM_UNSPECIFIED: False,
    pb.STATE_FORM_SEALED: False,
    pb.STATE_FORM_OPEN: True,
}


def _is_open(form: pb.StateForm.ValueType, faults: Faults) -> bool:
    if form == pb.STATE_FORM_HOSTED:
        raise NotOffered("hosted_games")
    if form not in _IS_OPEN:
        note(faults, "form", f"There is no form {form}.")
    return _IS_OPEN.get(form, False)


def _outlook_fields(position: Position, *, with_legal_moves: bool) -> Fields:
    """Return what every reply says about the position that it leads to."""
    return {
        "decision": decision_fields(position.state),
        "legal_moves": legal_move_messages(position.state) if with_legal_moves else (),
        "digest": position.digest,
    }


async def _pause_sometimes(index: int, call: Call) -> None:
    if index % PAUSE_EVERY == PAUSE_EVERY - 1:
        await call.pause()


async def _why_not_moves(state: GameState, moves: list[Move], call: Call) -> list[Fields]:
    """Return why not for those of the moves that are not legal."""
    reasons: list[Fields] = []
    for index, move in enumerate(moves):
        refusal = why_not(state, move)
        if refusal is not None:
            reasons.append(why_not_fields(move, refusal))
        await _pause_sometimes(index, call)
    return reasons


class Playing:
    """NewGame, LegalMoves, ApplyMove and Score."""

    def __init__(self, settings: Settings, positions: Positions) -> None:
        self._settings = settings
        self._positions = positions

    async def NewGame(self, request: pb.NewGameRequest, _call: Call) -> pb.NewGameResponse:
        """Set up a game (R2)."""
        faults: Faults = []
        is_open = _is_open(request.form, faults)
        options = read_options(request.options, faults)
        if faults:
            raise InvalidFields(faults)
        seed = request.seed if request.HasField("seed") else secrets.token_urlsafe(SEED_BYTES)
        game = new_game(request.players, options, seed=seed, names=tuple(request.display_names))
        position = position_of(game.state, is_open=is_open)
        fields: Fields = {
            "state": self._positions.write(position),
            "events": [*event_fields(game)],
            **_outlook_fields(position, with_legal_moves=request.with_legal_moves),
        }
        return pb.NewGameResponse(**fields)

    async def LegalMoves(self, request: pb.LegalMovesRequest, call: Call) -> pb.LegalMovesResponse:
        """List the open decision's moves, and on request why not."""
        asked = self._moves(request.why_not_moves, "why_not_moves", self._settings.max_why_not_moves)
        position = self._positions.read(state_in(request))
        state = position.state
        reasons: list[Fields] = []
        if request.why_not:
            reasons = [why_not_fields(*entry) for entry in why_nothing(state, legal_moves(state))]
        reasons += await _why_not_moves(state, asked, call)
        fields: Fields = {
            "why_not": reasons,
            "over": state.is_over,
            **_outlook_fields(position, with_legal_moves=True),
        }
        return pb.LegalMovesResponse(**fields)

    async def ApplyMove(self, request: pb.ApplyMoveRequest, call: Call) -> pb.ApplyMoveResponse:
        """Carry out moves in a row, all or nothing."""
        moves = self._moves(request.moves, "moves", self._settings.max_moves)
        if not moves:
            raise InvalidFields([Fault("moves", "", "At least one move is needed.")])
        before = self._positions.read(state_in(request))
        state = before.state
        if state.is_over:
            raise GameIsOver
        events: list[Fields] = []
        for index, transition in enumerate(apply_all(state, moves)):
            if transition is not None:
                state = transition.state
                events += event_fields(transition)
            await _pause_sometimes(index, call)
        position = position_of(state, is_open=before.is_open)
        fields: Fields = {
            "state": None if request.validate_only else self._positions.write(position),
            "events": events,
            "over": state.is_over,
            "applied": len(moves),
            "version": state.version,
            **_outlook_fields(position, with_legal_moves=request.with_legal_moves),
        }
        return pb.ApplyMoveResponse(**fields)

    async def Score(self, request: pb.ScoreRequest, _call: Call) -> pb.ScoreResponse:
        """Return the score sheet as it stands (R9.2, R9.3)."""
        state = self._positions.read(state_in(request)).state
        won = winners(state) if state.is_over else ()
        fields: Fields = {"players": score_fields(state), "over": state.is_over, "winners": won}
        return pb.ScoreResponse(**fields)

    def _moves(self, messages: Sequence[pb.Move], field: str, limit: int) -> list[Move]:
        """Return the moves of a request, as many as the server takes at most."""
        faults: Faults = []
        moves = read_moves(messages, field, faults) if is_short(messages, limit, "", field, faults) else []
        if faults:
            raise InvalidFields(faults)
        return moves
