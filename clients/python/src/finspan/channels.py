"""How a channel is set up, the same for `grpc` and `grpc.aio`: address, TLS, retries, message size."""

import json
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import grpc

from finspan.calls import SERVICE

DEFAULT_TIMEOUT: Final = 10.0
"""Seconds that a call may take, retries included, unless its client says otherwise."""

MAX_REPLY_BYTES: Final = 64 * 1024 * 1024
"""The largest reply taken: the server has its limit too, gRPC's own 4 MiB is few for 1000 samples."""

ATTEMPTS: Final = 3
"""How often a call that carries a request id is sent if no answer comes; each time it is the same call."""

SERVICE_CONFIG: Final[dict[str, Any]] = {
    "methodConfig": [
        {
            "name": [{"service": SERVICE}],
            "retryPolicy": {
                "maxAttempts": 5,  # gRPC makes no more
                "initialBackoff": "0.5s",
                "maxBackoff": "4s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
"""gRPC itself retries what no server took on: after 0.5, 1, 2 and 4 seconds, each a fifth more or less. All
calls may be repeated: those on carried states store nothing, those that change a hosted game carry a request
id."""

CHANNEL_OPTIONS: Final[tuple[tuple[str, Any], ...]] = (
    ("grpc.enable_retries", 1),
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1000),  # a server that comes back is met by the next try
    ("grpc.use_local_subchannel_pool", 1),  # a connection for each client, or all would meet one worker
    ("grpc.max_receive_message_length", MAX_REPLY_BYTES),
)

TLS: Final = "https"
"""The scheme of an address that is to be spoken to by TLS."""
PORTS: Final = {"http": 80, TLS: 443}
"""The schemes that an address may begin with, and the port of one that names none."""
_ADDRESS: Final = "An address is host and port, such as localhost:50051, for TLS https://games.example:443"


def is_tls(address: str) -> bool:
    """Return whether an address asks for TLS."""
    return _scheme(address) == TLS


def target(
    address: str, credentials: grpc.ChannelCredentials | None = None
) -> tuple[str, grpc.ChannelCredentials | None]:
    """Return what gRPC calls an address, and the credentials to speak to it with; None for no TLS.

    Args:
        address: Host and port, with ``https://`` before them for TLS, or any other name that gRPC resolves.
        credentials: Those for TLS that are given; then it is spoken without ``https://`` too.

    Raises:
        ValueError: it is no address.

    """
    if not address.strip():
        raise ValueError(f"{_ADDRESS}; this one is empty.")
    if _scheme(address) not in PORTS:
        return address.strip(), credentials
    where = _host_and_port(address)
    if not is_tls(address):
        if credentials is not None:
            raise ValueError(f"{address!r} is without TLS, which credentials are for: write https://.")
        return where, None
    return where, credentials or grpc.ssl_channel_credentials()


def _scheme(address: str) -> str:
    scheme, separator, _ = address.strip().partition("://")
    return scheme.lower() if separator else ""


def _host_and_port(address: str) -> str:
    """Return host and port of an address that has a scheme."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or PORTS[parts.scheme]
    except ValueError as error:
        raise ValueError(f"{_ADDRESS}; {address!r} is none: {error}.") from error
    if not parts.hostname or _has_more(parts):
        raise ValueError(f"{_ADDRESS}; {address!r} is none.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{port}"


def _has_more(parts: SplitResult) -> bool:
    """Return whether an address has something that no server's has, such as a path."""
    return bool(parts.path.strip("/") or parts.query or parts.fragment or parts.username)
