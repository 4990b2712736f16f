"""Where Redis is and how to talk to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote

MAX_PORT: Final = 65535
_URL: Final = re.compile(
    r"(?i:redis(?P<tls>s?))://"
    r"(?:(?P<user>[^:/?#]*)(?::(?P<password>[^/?#]*))?@)?"
    r"(?:\[(?P<ipv6>[0-9a-fA-F:.]+)\]|(?P<host>[^][:@/?#,\s]*))(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/(?P<database>[0-9]{0,9}))?"
)
NO_URL: Final = (
    "it is no URL of the form redis[s]://user:password@host:port/database; in user and password write / as "
    "%2F, # as %23, ? as %3F, @ as %40, : as %3A, % as %25; there are no options in it"
)


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
            ValueError: this is no such URL; no part of it is in the message.

        """
        parts = _URL.fullmatch(url)
        port = int(parts["port"] or 6379) if parts else 0
        if parts is None or not 0 < port <= MAX_PORT:
            raise ValueError(NO_URL)
        return cls(
            nodes=((parts["ipv6"] or parts["host"] or "127.0.0.1", port),),
            database=int(parts["database"] or 0),
            username=unquote(parts["user"] or "") or None,
            password=unquote(parts["password"] or "") or None,
            tls=bool(parts["tls"]),
            **others,
        )

    @property
    def address(self) -> str:
        """Where Redis is, as one may show it: without user and password."""
        nodes = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.nodes)
        return f"redis{'s' * self.tls}://{nodes}/{self.database}"
