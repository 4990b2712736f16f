"""Callers of a real server, each on a line of its own where that matters."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.handlers import SERVICE
from tests.service.support import Stub, ask, played
from tests.wire import state_message

OWN_LINE: Final = [("grpc.use_local_subchannel_pool", 1)]
"""Otherwise channels to one address share one connection."""
MANY: Final = 1000
"""The samples of the longest call there is."""
PATIENCE: Final = 30
"""Seconds after which a caller gives up."""
MID_GAME: Final = state_message(played(60))
"""An open state, so that any server takes it."""


@asynccontextmanager
async def line(address: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(address, options=OWN_LINE) as channel:
        yield channel


def long_request() -> pb.SampleStatesRequest:
    return pb.SampleStatesRequest(state=MID_GAME, seed="s", count=MANY)


async def score(stub: Stub) -> pb.ScoreResponse:
    return await stub.Score(pb.ScoreRequest(state=MID_GAME), timeout=PATIENCE)


async def health(channel: grpc.aio.Channel) -> int:
    request = health_pb2.HealthCheckRequest(service=SERVICE)
    asked = ask(channel, "/grpc.health.v1.Health/Check", request.SerializeToString())
    reply = await asyncio.wait_for(asked, PATIENCE)
    return health_pb2.HealthCheckResponse.FromString(reply).status


async def keep_asking(
    address: str, outcomes: Counter[str], is_over: Callable[[], bool], *, patient: bool = False
) -> None:
    """Ask again and again and count what comes back, a patient caller until it is over and answered OK."""
    code = ""
    while not is_over() or (patient and code != "OK"):
        async with line(address) as channel:
            try:
                await score(FinspanServiceStub(channel))
                code = "OK"
            except grpc.aio.AioRpcError as error:
                code = error.code().name
                await asyncio.sleep(0.01)
            outcomes[code] += 1
