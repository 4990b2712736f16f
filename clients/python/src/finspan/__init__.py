"""Client of the Finspan engine, an unofficial rules service of the board game.

    with finspan.Client("localhost:50051") as client:
        game = finspan.Game.new(client, players=2, seed="first game")
        while not game.is_over:
            game = game.apply(game.legal_moves[0])
        print(game.score())

The messages are those of the contract, `finspan.v1.finspan_pb2`. `finspan.tables` draws them.
"""

from finspan.bots import AsyncBot, Bot, RandomBot
from finspan.calls import Call
from finspan.catalog import Catalog
from finspan.client import AsyncClient, Client
from finspan.errors import (
    BadRequest,
    ClientClosed,
    DeadlineExceeded,
    Failure,
    Fault,
    FinspanError,
    GameIsOver,
    GameNotFound,
    HiddenPartMissing,
    IllegalMove,
    ImpossibleState,
    MoveRefused,
    NotAllowed,
    NotOffered,
    NotYourSeat,
    ReplyTooLarge,
    RequestIdReused,
    ResourceExhausted,
    RulesVersionMismatch,
    SealBroken,
    SealKeyUnknown,
    StaleVersion,
    StoreUnavailable,
    TokenRefused,
    TooManyCalls,
    Unavailable,
    Undecodable,
    UnusableState,
    VersionLost,
)
from finspan.game import AsyncGame, Game, HostedOptions, NotHosted, Options, Position
from finspan.greedy import GreedyBot
from finspan.local import LocalService
from finspan.matches import Standing, play_match, schedule, standings
from finspan.moves import AnyMove, LegalMoves, NotAMove, move_id, parse_move
from finspan.playing import (
    Played,
    play,
    play_async,
    play_seat,
    play_seat_async,
    seat_moves,
    seat_moves_async,
)
from finspan.records import BadRecord, Record, ReplayDiffers, Setup, read_records, replay
from finspan.seats import AsyncSeat, Seat
from finspan.services import AsyncService, Service, ThreadedService
from finspan.serving import ServiceNotInstalled

__all__ = [
    "AnyMove",
    "AsyncBot",
    "AsyncClient",
    "AsyncGame",
    "AsyncSeat",
    "AsyncService",
    "BadRecord",
    "BadRequest",
    "Bot",
    "Call",
    "Catalog",
    "Client",
    "ClientClosed",
    "DeadlineExceeded",
    "Failure",
    "Fault",
    "FinspanError",
    "Game",
    "GameIsOver",
    "GameNotFound",
    "GreedyBot",
    "HiddenPartMissing",
    "HostedOptions",
    "IllegalMove",
    "ImpossibleState",
    "LegalMoves",
    "LocalService",
    "MoveRefused",
    "NotAMove",
    "NotAllowed",
    "NotHosted",
    "NotOffered",
    "NotYourSeat",
    "Options",
    "Played",
    "Position",
    "RandomBot",
    "Record",
    "ReplayDiffers",
    "ReplyTooLarge",
    "RequestIdReused",
    "ResourceExhausted",
    "RulesVersionMismatch",
    "SealBroken",
    "SealKeyUnknown",
    "Seat",
    "Service",
    "ServiceNotInstalled",
    "Setup",
    "StaleVersion",
    "Standing",
    "StoreUnavailable",
    "ThreadedService",
    "TokenRefused",
    "TooManyCalls",
    "Unavailable",
    "Undecodable",
    "UnusableState",
    "VersionLost",
    "move_id",
    "parse_move",
    "play",
    "play_async",
    "play_match",
    "play_seat",
    "play_seat_async",
    "read_records",
    "replay",
    "schedule",
    "seat_moves",
    "seat_moves_async",
    "standings",
]
