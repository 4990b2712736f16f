"""Health and reflection, whose streams have no end of their own: they end when the server has drained.

gRPC would cancel them, and complain in the log that it was.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any, TypeVar

import grpc
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

T = TypeVar("T")


async def _unless(ended: asyncio.Event, work: Awaitable[T]) -> T | None:
    """Return what some work returns, or None as soon as an event is set; the work is then cancelled."""
    tasks = asyncio.ensure_future(work), asyncio.ensure_future(ended.wait())
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return tasks[0].result() if tasks[0].done() else None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Health(health.aio.HealthServicer):
    """Tells how the server is."""

    def __init__(self, ended: asyncio.Event) -> None:
        """Be ready to tell; all watches end with an event."""
        super().__init__()
        self._ended = ended

    async def Watch(  # noqa: N802  so gRPC has it
        self,
        request: health_pb2.HealthCheckRequest,
        context: grpc.aio.ServicerContext[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse],
    ) -> None:
        """Tell every change of the health of a service."""
        await _unless(self._ended, super().Watch(request, context))


class Reflection(reflection.aio.ReflectionServicer):
    """Tells the contract."""

    def __init__(self, names: Sequence[str], ended: asyncio.Event) -> None:
        """Be ready to tell of the services of these names; all streams end with an event."""
        super().__init__(names)
        self._ended = ended

    async def _until_ended(
        self, requests: AsyncIterator[reflection_pb2.ServerReflectionRequest]
    ) -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        while (request := await _unless(self._ended, anext(requests, None))) is not None:
            yield request

    async def ServerReflectionInfo(  # type: ignore[override]  # noqa: N802  its stub takes it for a coroutine
        self, requests: AsyncIterator[reflection_pb2.ServerReflectionRequest], context: object
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        """Answer each request."""
        replies: Any = super().ServerReflectionInfo(self._until_ended(requests), context)
        async for reply in replies:
            yield reply
