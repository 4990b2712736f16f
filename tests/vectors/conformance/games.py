"""Whole games, in which the digest of each position chooses the move."""

from collections.abc import AsyncIterator
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from finspan.v1 import finspan_pb2 as pb
from tests.service.support import Stub
from tests.vectors.conformance.calls import Json, essence

SIDE_B: Final = pb.GameOptions(side=pb.BOARD_SIDE_B)
REEFS: Final = pb.GameOptions(expansions=[pb.EXPANSION_SHARKS_AND_REEFS])

GAMES: Final = {
    "One player": pb.NewGameRequest(players=1, seed="conformance"),
    "Two players": pb.NewGameRequest(players=2, seed="conformance"),
    "Three players, side B": pb.NewGameRequest(players=3, seed="conformance", options=SIDE_B),
    "Two players, Sharks & Reefs": pb.NewGameRequest(players=2, seed="conformance", options=REEFS),
}


def chosen(reply: Any) -> pb.LegalMove:  # noqa: ANN401  of NewGame or ApplyMove
    """Return the legal move that the digest chooses: its first 8 digits, modulo the number of moves."""
    legal: pb.LegalMove = reply.legal_moves[int(reply.digest[:8], 16) % len(reply.legal_moves)]
    return legal


async def moves_made(stub: Stub, reply: Any) -> AsyncIterator[tuple[pb.LegalMove, pb.ApplyMoveResponse]]:  # noqa: ANN401  as above
    """Play a game from the reply of NewGame to its end; yield each move and what is answered."""
    while reply.legal_moves:
        legal = chosen(reply)
        request = pb.ApplyMoveRequest(state=reply.state, moves=[legal.move], with_legal_moves=True)
        reply = await stub.ApplyMove(request)
        yield legal, reply


async def game_json(stub: Stub, request: pb.NewGameRequest) -> Json:
    """Play a game; return the digest at the start, each move with the digest after it, and the score."""
    opening = await stub.NewGame(_with_legal_moves(request))
    moves, state = [], opening.state
    async for legal, reply in moves_made(stub, opening):
        moves.append({"id": legal.id, "digest": reply.digest})
        state = reply.state
    score = await stub.Score(pb.ScoreRequest(state=state))
    return {
        "newGame": MessageToDict(request),
        "digest": opening.digest,
        "moves": moves,
        "score": essence(MessageToDict(score)),
    }


def _with_legal_moves(request: pb.NewGameRequest) -> pb.NewGameRequest:
    asking = pb.NewGameRequest(with_legal_moves=True)
    asking.MergeFrom(request)
    return asking
