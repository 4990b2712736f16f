"""A cluster made by hand: its masters, a replica, a slot that moves."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from redis import Redis

from service.store.redis_settings import RedisMode, RedisSettings
from tests.redis_server import HOST, RedisServer, serve

SLOTS = 16384
MASTERS = 3
LINES = ("cluster-enabled yes", "cluster-node-timeout 1000")


def ask(server: RedisServer, *words: str | int | bytes) -> Any:  # noqa: ANN401  each question has its own answer
    """Send one server a command and return its answer."""
    with closing(Redis(host=HOST, port=server.port)) as client:
        return client.execute_command(*words)  # type: ignore[no-untyped-call]


def _wait_for_all(servers: Sequence[RedisServer]) -> None:
    for server in servers:
        state: dict[str, str] = {}
        while state.get("cluster_state") != "ok" or int(state["cluster_known_nodes"]) < len(servers):
            time.sleep(0.05)
            state = ask(server, "CLUSTER INFO")


def join(servers: Sequence[RedisServer]) -> None:
    """Make a cluster of masters, each with its share of the slots."""
    for number, server in enumerate(servers):
        slots = range(number * SLOTS // len(servers), (number + 1) * SLOTS // len(servers))
        ask(server, "CLUSTER SET-CONFIG-EPOCH", number + 1)
        ask(server, "CLUSTER ADDSLOTS", *slots)
        ask(server, "CLUSTER MEET", HOST, servers[0].port)
    _wait_for_all(servers)


def join_replica(masters: Sequence[RedisServer], replica: RedisServer) -> None:
    """Add a replica of the first master."""
    ask(replica, "CLUSTER MEET", HOST, masters[0].port)
    _wait_for_all([*masters, replica])
    ask(replica, "CLUSTER REPLICATE", ask(masters[0], "CLUSTER MYID"))
    while ask(replica, "INFO", "replication").get("master_link_status") != "up":
        time.sleep(0.05)
    # The others must have heard of it before they can vote for it.
    for master in masters:
        while "slave" not in str(ask(master, "CLUSTER NODES")):
            time.sleep(0.05)


def move_slot(servers: Sequence[RedisServer], key: str) -> Iterator[None]:
    """Move a key's slot, with all that is in it, from its master to another one, step by step."""
    slot = ask(servers[0], "CLUSTER KEYSLOT", key)
    (source,) = (server for server in servers if ask(server, "CLUSTER COUNTKEYSINSLOT", slot))
    target = servers[servers.index(source) - 1]
    source_id, target_id = (ask(server, "CLUSTER MYID") for server in (source, target))
    ask(target, "CLUSTER SETSLOT", slot, "IMPORTING", source_id)
    ask(source, "CLUSTER SETSLOT", slot, "MIGRATING", target_id)
    yield
    while keys := ask(source, "CLUSTER GETKEYSINSLOT", slot, 1):
        ask(source, "MIGRATE", HOST, target.port, keys[0], 0, 1000)
        yield
    for server in (target, source):
        ask(server, "CLUSTER SETSLOT", slot, "NODE", target_id)
    yield


@contextmanager
def run_cluster(program: Path) -> Iterator[RedisSettings]:
    """Run a cluster and return its settings."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serve(program, *LINES)) for _ in range(MASTERS)]
        join(servers)
        yield RedisSettings(nodes=[(HOST, server.port) for server in servers], mode=RedisMode.CLUSTER)
