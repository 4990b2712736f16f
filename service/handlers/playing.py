"""The RPCs that play a game: NewGame, LegalMoves, ApplyMove, Score."""

from collections.abc import Sequence
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert import (
    event_fields,
    read_moves,
    read_options,
    score_fields,
    why_not_fields,
)
from service.convert.reading import Faults, Fields, is_short, note
from service.engine.errors import Fault, IllegalMove, Refusal
from service.engine.moves import Move
from service.engine.reasons import why_not, why_nothing
from service.engine.rules import Transition, apply_all, legal_moves, new_game
from service.engine.scoring import winners
from service.engine.setup import game_faults
from service.engine.state import GameState
from service.errors import GameIsOver, InvalidFields
from service.handlers.calls import Call
from service.handlers.hosted import Hosting, new_seed, outlook_fields
from service.positions import Position, Positions, position_of, state_in
from service.settings import Settings

PAUSE_EVERY: Final = 100
"""After how many moves a long call lets others have their turn."""

_IS_OPEN: Final = {
    pb.STATE_FORM_UNSPECIFIED: False,
    pb.STATE_FORM_SEALED: False,
    pb.STATE_FORM_OPEN: True,
}


_ENDED: Final = Refusal("R9.3", "An administrator has ended this game.")


def _check_form(form: pb.StateForm.ValueType, faults: Faults) -> None:
    if form not in _IS_OPEN and form != pb.STATE_FORM_HOSTED:
        note(faults, "form", f"There is no form {form}.")


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


def _version_told(request: pb.LegalMovesRequest | pb.ScoreRequest, state: GameState) -> int | None:
    """Return the version that a reply tells: of a hosted game, since a carried state has it."""
    return state.version if request.HasField("game_id") else None


class Playing:
    """NewGame, LegalMoves, ApplyMove and Score."""

    def __init__(self, settings: Settings, positions: Positions, hosting: Hosting) -> None:
        self._settings = settings
        self._positions = positions
        self._hosting = hosting

    async def NewGame(self, request: pb.NewGameRequest, call: Call) -> pb.NewGameResponse:
        """Set up a game (R2)."""
        faults: Faults = []
        _check_form(request.form, faults)
        options = read_options(request.options, faults)
        seed = request.seed if request.HasField("seed") else new_seed()
        names = tuple(request.display_names)
        if request.form != pb.STATE_FORM_HOSTED:  # of which first has to be asked who makes it
            faults += game_faults(request.players, options, seed, names)
        if faults:
            raise InvalidFields(faults)

        def set_up() -> Transition:
            return new_game(request.players, options, seed=seed, names=names)

        if request.form == pb.STATE_FORM_HOSTED:
            return await self._hosting.new_game(request, call, set_up)
        game = set_up()
        position = position_of(game.state, is_open=_IS_OPEN[request.form])
        fields: Fields = {
            "state": self._positions.write(position),
            "events": [*event_fields(game)],
            **outlook_fields(position, with_legal_moves=request.with_legal_moves),
        }
        return pb.NewGameResponse(**fields)

    async def LegalMoves(self, request: pb.LegalMovesRequest, call: Call) -> pb.LegalMovesResponse:
        """List the open decision's moves, and on request why not."""
        asked = self._moves(request.why_not_moves, "why_not_moves", self._settings.max_why_not_moves)
        position = await self._position(request, call)
        state = position.state
        reasons: list[Fields] = []
        if position.is_ended:
            reasons = [why_not_fields(move, _ENDED) for move in asked]
        else:
            if request.why_not:
                reasons = [why_not_fields(*entry) for entry in why_nothing(state, legal_moves(state))]
            reasons += await _why_not_moves(state, asked, call)
        fields: Fields = {
            "why_not": reasons,
            "over": position.is_over,
            "version": _version_told(request, state),
            **outlook_fields(position, with_legal_moves=True),
        }
        return pb.LegalMovesResponse(**fields)

    async def ApplyMove(self, request: pb.ApplyMoveRequest, call: Call) -> pb.ApplyMoveResponse:
        """Carry out moves in a row, all or nothing."""
        moves = self._moves(request.moves, "moves", self._settings.max_moves)
        if not moves:
            raise InvalidFields([Fault("moves", "", "At least one move is needed.")])
        if request.HasField("game_id"):
            return await self._hosting.apply(request, moves, call)
        before = self._positions.read(state_in(request))
        state = before.state
        events: list[Fields] = []
        try:
            for index, transition in enumerate(apply_all(state, moves)):
                if transition is not None:
                    state = transition.state
                    events += event_fields(transition)
                await _pause_sometimes(index, call)
        except IllegalMove as error:
            if state.is_over:
                raise GameIsOver(error.index) from None
            raise
        position = position_of(state, is_open=before.is_open)
        fields: Fields = {
            "state": None if request.validate_only else self._positions.write(position),
            "events": events,
            "over": state.is_over,
            "applied": len(moves),
            "version": state.version,
            **outlook_fields(position, with_legal_moves=request.with_legal_moves),
        }
        return pb.ApplyMoveResponse(**fields)

    async def Score(self, request: pb.ScoreRequest, call: Call) -> pb.ScoreResponse:
        """Return the score sheet as it stands (R9.2, R9.3)."""
        position = await self._position(request, call)
        state = position.state
        fields: Fields = {
            "players": score_fields(state),
            "over": position.is_over,
            "winners": winners(state) if state.is_over else (),
            "version": _version_told(request, state),
        }
        return pb.ScoreResponse(**fields)

    async def _position(self, request: pb.LegalMovesRequest | pb.ScoreRequest, call: Call) -> Position:
        """Return the position that a request is about: a carried state, or a hosted game as it is now."""
        if request.HasField("game_id"):
            return (await self._hosting.watched(request.game_id, call)).hosted.position
        return self._positions.read(state_in(request))

    def _moves(self, messages: Sequence[pb.Move], field: str, limit: int) -> list[Move]:
        """Return the moves of a request, as many as the server takes at most."""
        faults: Faults = []
        moves = read_moves(messages, field, faults) if is_short(messages, limit, "", field, faults) else []
        if faults:
            raise InvalidFields(faults)
        return moves
