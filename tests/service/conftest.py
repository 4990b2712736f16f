import logging
from collections.abc import AsyncIterator, Iterator

import grpc
import pytest

from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.testing import RunningServer, running_server
from tests.service.support import Stub


@pytest.fixture(autouse=True)
def libraries_log_as_before() -> Iterator[None]:
    """Where libraries log to is the same after a test as before it.

    The program sets it for its whole process. Run within a test, it logs to that test's captured output,
    which closes with the test: a library that logs in a later one would then raise a ValueError there.
    """
    root = logging.getLogger()
    handlers, level = root.handlers.copy(), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


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
