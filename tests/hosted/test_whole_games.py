"""Whole games, hosted and in the engine side by side, move by move."""

from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.convert import event_fields
from service.engine.digest import public_digest
from service.engine.moves import MoveKind
from service.engine.rules import apply, legal_moves, new_game
from service.engine.scoring import winners
from service.engine.state import SHARKS_AND_REEFS, BoardSide, Options
from tests.hosted.tables import AS_ADMIN, SEED, Seats, deciding, new_request
from tests.service.support import Stub, chance


@pytest.mark.parametrize("expansions", [(), (SHARKS_AND_REEFS,)], ids=["base", "reefs"])
@pytest.mark.parametrize(
    ("players", "side"),
    [(1, "b"), (2, "a"), (3, "b"), (5, "a"), pytest.param(4, "b", marks=pytest.mark.long)],
)
async def test_a_hosted_game_is_the_engine_s_to_its_end(
    stub: Stub, players: int, side: BoardSide, expansions: tuple[str, ...]
) -> None:
    game = new_game(players, Options(expansions, side), seed=SEED)
    options = pb.GameOptions(
        side=pb.BOARD_SIDE_A if side == "a" else pb.BOARD_SIDE_B,
        expansions=[pb.EXPANSION_SHARKS_AND_REEFS for _ in expansions],
    )
    request = new_request(players=players, seed=SEED, options=options, with_legal_moves=True)
    reply: Any = await stub.NewGame(request, metadata=AS_ADMIN)
    seats = Seats(stub, reply.game.game_id, [token.token for token in reply.tokens])
    rng, digests = chance(players), [reply.digest]
    while moves := legal_moves(game.state):
        assert reply.decision.seat == deciding(game.state)
        assert [move.id for move in reply.legal_moves] == [move.id for move in moves]
        plays = [index for index, move in enumerate(moves) if move.kind is MoveKind.PLAY_FISH]
        index = rng.choice(plays or range(len(moves)))
        game = apply(game.state, moves[index])
        move = reply.legal_moves[index].move
        reply = await seats.move(reply.decision.seat, game.state.version - 1, move, with_legal_moves=True)
        assert [*reply.events] == [pb.Event(**fields) for fields in event_fields(game)]
        assert (reply.digest, reply.version) == (public_digest(game.state), game.state.version)
        digests.append(reply.digest)
    assert reply.over
    assert [entry.digest for entry in await seats.log()] == digests
    now = await seats.get()
    assert (now.over, now.game.status) == (True, pb.GAME_STATUS_OVER)
    assert now.game.opening.seed == SEED
    assert not now.HasField("decision")
    score = await stub.Score(pb.ScoreRequest(game_id=seats.id), metadata=seats.as_seat(0))
    assert list(score.winners) == list(winners(game.state))
