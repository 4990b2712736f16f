"""The RPC that says what there is: GetCatalog."""

from finspan.v1 import finspan_pb2 as pb
from service.convert import catalogue
from service.handlers.calls import Call
from service.positions import require_rules_version


class Catalogue:
    """GetCatalog."""

    def __init__(self) -> None:
        """Make the catalogue at once, so that the first caller need not wait for it."""
        self._catalogue = catalogue()

    async def GetCatalog(self, request: pb.GetCatalogRequest, _call: Call) -> pb.GetCatalogResponse:
        """Return the catalogue of this server's rules version."""
        require_rules_version(request.rules_version)
        return self._catalogue
