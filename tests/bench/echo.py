"""A server that gives back the bytes it gets, to compare ours with: ``python -m tests.bench.echo``."""

import asyncio

import grpc

METHOD = "/echo.Echo/Echo"


async def _echo(request: bytes, _context: object) -> bytes:
    return request


async def serve() -> None:
    """Serve until the end of the process; print the port."""
    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(_echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", {"Echo": handler}),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve())
