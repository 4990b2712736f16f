"""Where tests get a server of Redis from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.redis_server import Source, container, find_source, serve


@pytest.fixture(scope="session")
def redis_source() -> Source:
    return find_source()


@pytest.fixture(scope="session")
def redis_program(redis_source: Source) -> Path:
    """Return the program that tests start which kill their servers."""
    if redis_source.program is None:
        pytest.skip("needs servers of its own; there is only a URL, or a container")
    return redis_source.program


@pytest.fixture(scope="session")
def redis_url(redis_source: Source) -> Iterator[str]:
    """Return where the server is that tests share."""
    if redis_source.program:
        with serve(redis_source.program) as server:
            yield f"redis://127.0.0.1:{server.port}"
    elif redis_source.url:
        yield redis_source.url
    else:
        with container() as url:
            yield url
