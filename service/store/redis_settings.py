"""Where Redis is and how to talk to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Self

from redis.asyncio.connection import parse_url


class RedisMode(Enum):
    """How Redis is run."""

    SINGLE = "single"
    """One server, or one address behind which there always is the master."""
    SENTINEL = "sentinel"
    """Sentinels tell who the master is."""
    CLUSTER = "cluster"


@dataclass(frozen=True)
class RedisSettings:
    """Where Redis is and how to talk to it. Passwords are not shown by ``repr``."""

    nodes: Sequence[tuple[str, int]] = (("127.0.0.1", 6379),)
    """Host and port of the server, of the sentinels, or of some nodes of the cluster."""
    mode: RedisMode = RedisMode.SINGLE
    master: str = ""
    """The name that the sentinels know the master by."""
    database: int = 0
    """A cluster has only 0."""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    sentinel_username: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)
    tls: bool = False
    """Sentinels are then asked by TLS, too."""
    tls_ca_file: Path | None = None
    """The authorities that sign the servers' certificates, in PEM; None: those of the system."""
    tls_cert_file: Path | None = None
    tls_key_file: Path | None = None
    prefix: str = "finspan:"
    """What the name of every key and channel begins with."""
    connect_seconds: float = 0.5
    """How long one try to connect may take."""
    reply_seconds: float = 1.0
    """How long one try of a command may take."""
    call_seconds: float = 2.5
    """How long a method of the store may take, all tries and waiting for a connection included."""
    retries: int = 2
    """How often a command is tried again when the connection is lost."""
    connections: int = 32
    """How many connections there are at most (of a cluster: to each node)."""

    @classmethod
    def of_url(cls, url: str, **others: Any) -> Self:  # noqa: ANN401  whatever the fields take
        """Return the settings of one server: ``redis[s]://[user:password@]host[:port][/database]``.

        Raises:
            ValueError: this is no such URL.

        """
        parts: Mapping[str, Any] = parse_url(url)
        if not {"host", "port", "username", "password", "db", "connection_class"} >= parts.keys():
            raise ValueError("a URL of Redis has no options here, they are settings of their own")
        return cls(
            nodes=((parts.get("host", "127.0.0.1"), parts.get("port", 6379)),),
            database=parts.get("db", 0),
            username=parts.get("username"),
            password=parts.get("password"),
            tls="connection_class" in parts,
            **others,
        )
