"""Client of the Finspan engine, an unofficial rules service of the board game.

    with finspan.Client("localhost:50051") as client:
        game = client.new_game(players=2, seed="first game")
        game = client.apply_move(game.state, game.legal_moves[0])

The messages are those of the contract, `finspan.v1.finspan_pb2`. `finspan.tables` draws them.
"""

from finspan.bots import Bot, Position, RandomBot
from finspan.calls import Call
from finspan.catalog import Catalog
from finspan.client import Client, Service
from finspan.errors import (
    BadRequest,
    DeadlineExceeded,
    Failure,
    Fault,
    FinspanError,
    GameIsOver,
    HiddenPartMissing,
    IllegalMove,
    ImpossibleState,
    NotOffered,
    ReplyTooLarge,
    ResourceExhausted,
    RulesVersionMismatch,
    SealBroken,
    SealKeyUnknown,
    TooManyCalls,
    Unavailable,
    Undecodable,
    UnusableState,
)
from finspan.greedy import GreedyBot
from finspan.matches import Played, play

__all__ = [
    "BadRequest",
    "Bot",
    "Call",
    "Catalog",
    "Client",
    "DeadlineExceeded",
    "Failure",
    "Fault",
    "FinspanError",
    "GameIsOver",
    "GreedyBot",
    "HiddenPartMissing",
    "IllegalMove",
    "ImpossibleState",
    "NotOffered",
    "Played",
    "Position",
    "RandomBot",
    "ReplyTooLarge",
    "ResourceExhausted",
    "RulesVersionMismatch",
    "SealBroken",
    "SealKeyUnknown",
    "Service",
    "TooManyCalls",
    "Unavailable",
    "Undecodable",
    "UnusableState",
    "play",
]
