"""The RPC for search: SampleStates."""

from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert import open_fields, state_fields
from service.convert.reading import Faults, Fields, note
from service.engine.samples import sample
from service.engine.setup import seed_faults
from service.errors import InvalidFields, ReplyTooLarge
from service.handlers.calls import Call
from service.handlers.hosted import Hosting
from service.positions import Positions, state_in
from service.settings import Settings

MAX_SAMPLES: Final = 1000
PAUSE_EVERY: Final = 8
"""After how many samples others have their turn."""


class Analysis:
    """SampleStates."""

    def __init__(self, settings: Settings, positions: Positions, hosting: Hosting) -> None:
        self._settings = settings
        self._positions = positions
        self._hosting = hosting

    async def SampleStates(self, request: pb.SampleStatesRequest, call: Call) -> pb.SampleStatesResponse:
        """Draw the hidden order afresh, so many times."""
        faults: Faults = seed_faults(request.seed, "seed")
        if not 1 <= request.count <= MAX_SAMPLES:
            note(faults, "count", f"It is {request.count} and must be 1 to {MAX_SAMPLES}.")
        if faults:
            raise InvalidFields(faults)
        if request.HasField("game_id"):
            state = (await self._hosting.watched(request.game_id, call)).hosted.state
        else:
            state = self._positions.read_public(state_in(request)).state
        reply, size = pb.SampleStatesResponse(), 0
        for index in range(request.count):
            copy = sample(state, request.seed, index)
            fields: Fields = {**state_fields(copy), "open": open_fields(copy)}
            size += reply.states.add(**fields).ByteSize()
            if size > self._settings.max_reply_bytes:
                raise ReplyTooLarge(self._settings.max_reply_bytes)
            if index % PAUSE_EVERY == PAUSE_EVERY - 1:
                await call.pause()
        return reply
