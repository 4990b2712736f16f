"""Calls of a server beside an echo of the same bytes, in the same run, by one caller and by many."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import grpc

from finspan import Client
from finspan.calls import Expansion
from finspan.v1 import finspan_pb2 as pb
from tests.bench.echo import METHOD as ECHO
from tests.bench.measures import Times, times_of, with_reefs

MANY = 32
"""How many callers there are at once."""
KEPT, COLD = 100, 1500
"""Fewer states than a worker keeps decoded, and more, so that each has to be read and unsealed anew."""
WAIT_SECONDS = 10
ROUNDS = 3
"""How often each kind of call has its turn, so that what else the machine does meets all."""


class Exchange(NamedTuple):
    """What is called: a method, and the requests that are sent to it in turn."""

    method: str
    requests: Sequence[bytes]


class Called(NamedTuple):
    """What the callers met: calls in a second in all, and how long one took, in microseconds."""

    rate: float
    times: Times


async def _call_on(
    call: "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]", requests: Iterator[bytes], end: float
) -> list[float]:
    taken = []
    while (begin := time.perf_counter()) < end:
        await call(next(requests))
        taken.append((time.perf_counter() - begin) * 1_000_000)
    return taken


async def _measure(address: str, exchange: Exchange, callers: int, seconds: float) -> Called:
    async with grpc.aio.insecure_channel(address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(exchange.method)
        turns = cycle(exchange.requests)
        await _call_on(call, turns, time.perf_counter() + seconds / 5)  # to warm up
        begin = time.perf_counter()
        each = await asyncio.gather(*(_call_on(call, turns, begin + seconds) for _ in range(callers)))
        passed = time.perf_counter() - begin
    taken = [one for times in each for one in times]
    return Called(len(taken) / passed, times_of(taken))


def _port_in(log: Path) -> int:
    """Return the port that a server has written to its output, as it will soon."""
    for _ in range(WAIT_SECONDS * 20):
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            port = entry if isinstance(entry, int) else entry.get("port")
            if port:
                return int(port)
        time.sleep(0.05)
    raise TimeoutError("the server did not start")


@contextmanager
def running(*command: str, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Run a server, its log in a file as it would be in use; yield its address."""
    with TemporaryDirectory() as directory:
        path = Path(directory, "log")
        program = [sys.executable, *command]
        with path.open("w") as log, subprocess.Popen(program, stdout=log, env=environment) as process:  # noqa: S603
            try:
                yield f"127.0.0.1:{_port_in(path)}"
            finally:
                process.terminate()


def _positions(
    address: str, count: int, expansions: Sequence[Expansion] = ()
) -> list[tuple[pb.GameState, pb.Move]]:
    """Return states in the middle of games that this server dealt, each with a move that is legal there."""
    positions: list[tuple[pb.GameState, pb.Move]] = []
    with Client(address) as client:
        while len(positions) < count:
            game = client.new_game(players=2, expansions=expansions)
            state, moves = game.state, game.legal_moves
            while moves:
                move = moves[len(positions) % len(moves)].move
                positions += [(state, move)] if state.week in (2, 3) else []
                after = client.apply_move(state, move)
                state, moves = after.state, after.legal_moves
    return positions[:count]


def _exchanges(address: str, expansions: Sequence[Expansion] = ()) -> dict[str, Exchange]:
    positions = _positions(address, COLD, expansions)
    legal = [pb.LegalMovesRequest(state=state).SerializeToString() for state, _ in positions]
    apply = [pb.ApplyMoveRequest(state=state, moves=[move]).SerializeToString() for state, move in positions]
    service = "/finspan.v1.FinspanService/"
    return {
        "LegalMoves, a state just seen": Exchange(f"{service}LegalMoves", legal[:KEPT]),
        "LegalMoves, an unknown state": Exchange(f"{service}LegalMoves", legal),
        "ApplyMove, a state just seen": Exchange(f"{service}ApplyMove", apply[:KEPT]),
        "ApplyMove, an unknown state": Exchange(f"{service}ApplyMove", apply),
    }


def _one_and_many(address: str, exchange: Exchange, seconds: float) -> tuple[Called, Called]:
    one = asyncio.run(_measure(address, exchange, 1, seconds / ROUNDS))
    return one, asyncio.run(_measure(address, exchange, MANY, seconds / ROUNDS))


def _middle(met: Sequence[Called]) -> Called:
    """Return what was met in the round of the middle rate."""
    return sorted(met)[len(met) // 2]


def measure(seconds: float) -> dict[str, tuple[Called, Called]]:
    """Return what one caller and many met, per kind of call; the echo has the bytes of LegalMoves.

    At the end are the same calls on states of games with reefs.
    """
    with running("-m", "tests.bench.echo") as echo, running("-m", "service.server", "--port", "0") as ours:
        exchanges = _exchanges(ours)
        measured = {"echo": (echo, Exchange(ECHO, exchanges["LegalMoves, an unknown state"].requests))}
        measured |= {name: (ours, exchange) for name, exchange in exchanges.items()}
        reefs = with_reefs(_exchanges(ours, ["sharks_and_reefs"]))
        measured |= {name: (ours, exchange) for name, exchange in reefs.items()}
        rounds = [
            {name: _one_and_many(*each, seconds) for name, each in measured.items()} for _ in range(ROUNDS)
        ]
    return {
        name: (_middle([each[name][0] for each in rounds]), _middle([each[name][1] for each in rounds]))
        for name in measured
    }
