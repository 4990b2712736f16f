"""How a channel is set up, the same for `grpc` and `grpc.aio`: retries, keepalive, message size."""

import json
from typing import Any, Final

from finspan.calls import SERVICE

DEFAULT_TIMEOUT: Final = 10.0
"""Seconds that a call may take, retries included, unless its client says otherwise."""

MAX_REPLY_BYTES: Final = 64 * 1024 * 1024
"""The largest reply taken: the server has its limit too, gRPC's own 4 MiB is few for 1000 samples."""

ATTEMPTS: Final = 3
"""How often a call that carries a request id is sent if no answer comes; each time it is the same call."""

SERVICE_CONFIG: Final = {
    "methodConfig": [
        {
            "name": [{"service": SERVICE}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
"""gRPC itself retries what no server took on. All calls may be repeated: those on carried states store
nothing, those that change a hosted game carry a request id."""

CHANNEL_OPTIONS: Final[tuple[tuple[str, Any], ...]] = (
    ("grpc.enable_retries", 1),
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    ("grpc.use_local_subchannel_pool", 1),  # a connection for each client, or all would meet one worker
    ("grpc.max_receive_message_length", MAX_REPLY_BYTES),
)
