"""The RPCs, one file per group; this is the one place where they are registered."""

from typing import Final

import grpc

from finspan.v1 import finspan_pb2 as pb
from service.handlers.analysis import Analysis
from service.handlers.calls import Calls
from service.handlers.catalogue import Catalogue
from service.handlers.hosted import new_hosting
from service.handlers.playing import Playing
from service.positions import Positions
from service.seal import Seals
from service.settings import Settings
from service.store import Store

SERVICE: Final = pb.DESCRIPTOR.services_by_name["FinspanService"].full_name
"""The full name of the service."""

MethodHandlers = dict[str, "grpc.RpcMethodHandler[bytes, bytes]"]


def method_handlers(settings: Settings, seals: Seals, calls: Calls, store: Store | None) -> MethodHandlers:
    """Return what answers each RPC of the service, by its name; without a store no games are hosted."""
    positions = Positions(seals, settings.kept_states)
    hosting = new_hosting(settings, store, seals)
    playing = Playing(settings, positions, hosting)
    analysis = Analysis(settings, positions, hosting)
    catalogue = Catalogue()
    return {
        "NewGame": calls.handler("NewGame", pb.NewGameRequest, playing.NewGame),
        "LegalMoves": calls.handler("LegalMoves", pb.LegalMovesRequest, playing.LegalMoves),
        "ApplyMove": calls.handler("ApplyMove", pb.ApplyMoveRequest, playing.ApplyMove),
        "Score": calls.handler("Score", pb.ScoreRequest, playing.Score),
        "SampleStates": calls.handler("SampleStates", pb.SampleStatesRequest, analysis.SampleStates),
        "GetCatalog": calls.handler("GetCatalog", pb.GetCatalogRequest, catalogue.GetCatalog),
        "GetGame": calls.handler("GetGame", pb.GetGameRequest, hosting.GetGame),
        "ListEvents": calls.handler("ListEvents", pb.ListEventsRequest, hosting.ListEvents),
        "ListGames": calls.handler("ListGames", pb.ListGamesRequest, hosting.ListGames),
        "DeleteGame": calls.handler("DeleteGame", pb.DeleteGameRequest, hosting.DeleteGame),
        "ForkGame": calls.handler("ForkGame", pb.ForkGameRequest, hosting.ForkGame),
        "IssueSeatToken": calls.handler("IssueSeatToken", pb.IssueSeatTokenRequest, hosting.IssueSeatToken),
        "EndGame": calls.handler("EndGame", pb.EndGameRequest, hosting.EndGame),
    }
