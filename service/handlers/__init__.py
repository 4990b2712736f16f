"""The RPCs, one file per group; this is the one place where they are registered."""

from typing import Final

import grpc

from finspan.v1 import finspan_pb2 as pb
from service.handlers.analysis import Analysis
from service.handlers.calls import Calls
from service.handlers.catalogue import Catalogue
from service.handlers.playing import Playing
from service.positions import Positions
from service.seal import Seals
from service.settings import Settings

SERVICE: Final = pb.DESCRIPTOR.services_by_name["FinspanService"].full_name
"""The full name of the service."""

MethodHandlers = dict[str, "grpc.RpcMethodHandler[bytes, bytes]"]


def method_handlers(settings: Settings, seals: Seals, calls: Calls) -> MethodHandlers:
    """Return what answers each RPC of the service, by its name."""
    positions = Positions(seals, settings.kept_states)
    playing = Playing(settings, positions)
    analysis = Analysis(settings, positions)
    catalogue = Catalogue()
    return {
        "NewGame": calls.handler("NewGame", pb.NewGameRequest, playing.NewGame),
        "LegalMoves": calls.handler("LegalMoves", pb.LegalMovesRequest, playing.LegalMoves),
        "ApplyMove": calls.handler("ApplyMove", pb.ApplyMoveRequest, playing.ApplyMove),
        "Score": calls.handler("Score", pb.ScoreRequest, playing.Score),
        "SampleStates": calls.handler("SampleStates", pb.SampleStatesRequest, analysis.SampleStates),
        "GetCatalog": calls.handler("GetCatalog", pb.GetCatalogRequest, catalogue.GetCatalog),
    }
