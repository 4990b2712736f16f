from collections.abc import AsyncIterator

import grpc
import pytest

from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.testing import RunningServer, running_server
from tests.service.support import Stub


@pytest.fixture
async def server() -> AsyncIterator[RunningServer]:
    async with running_server() as running:
        yield running


@pytest.fixture
async def channel(server: RunningServer) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(server.address) as channel:
        yield channel


@pytest.fixture
def stub(channel: grpc.aio.Channel) -> Stub:
    return FinspanServiceStub(channel)
