"""Asks the service again and rewrites the vectors: ``python -m tests.vectors.conformance.regenerate``."""

import asyncio

from tests.vectors.conformance.calls import stub_of_a_server
from tests.vectors.conformance.files import path_of, texts


async def regenerate() -> None:
    """Write every file."""
    async with stub_of_a_server() as stub:
        async for name, text in texts(stub):
            path_of(name).write_text(text, encoding="utf-8")
            print(f"{path_of(name).name}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    asyncio.run(regenerate())
