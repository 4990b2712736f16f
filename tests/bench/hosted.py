"""Moves of hosted games with their commit in a real Redis, beside an echo and bare commits in the same run.

What is sent is known before: an administrator may name the seeds, so the engine plays the same games first.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Final, NamedTuple
from uuid import uuid4

import grpc

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.convert import move_message
from service.engine.rules import apply, decision, legal_moves, new_game
from service.engine.state import BASE_GAME
from service.seal import new_key
from service.store.redis_settings import RedisSettings
from tests.bench.calls import MANY, Called, running
from tests.bench.measures import times_of
from tests.bench.store import commits
from tests.redis_server import find_source, serve
from tests.service.support import Stub

CALM_RATE: Final = 500
"""Moves a second at which the 99th percentile is told."""
ADMIN_KEY: Final = "the key of the bench"
ADMIN: Final = (("x-api-key", ADMIN_KEY),)
SCRIPTS: Final = 40
"""How many different games are played."""


class Turn(NamedTuple):
    """One move of a game that was played before: whose, and what."""

    seat: int
    move: pb.Move


class Hosted(NamedTuple):
    """What the callers met."""

    one: Called
    many: Called
    calm: Called
    bare: Called


def _script(number: int) -> list[Turn]:
    state, turns = new_game(2, BASE_GAME, seed=f"bench {number}").state, list[Turn]()
    while moves := legal_moves(state):
        move = moves[(number + len(turns) * 7) % len(moves)]
        question = decision(state)
        assert question is not None
        turns.append(Turn(question.seat, move_message(move)))
        state = apply(state, move).state
    return turns


class Player:
    """A caller who plays one hosted game after the other, all seats of them."""

    def __init__(self, stub: Stub, scripts: Sequence[list[Turn]], numbers: Iterator[int]) -> None:
        self._stub = stub
        self._scripts = scripts
        self._numbers = numbers
        self._moves = self._all_moves()

    async def _all_moves(self) -> AsyncIterator[float]:
        """Make the next move whenever asked, and yield how long it took, in microseconds."""
        while True:
            number = next(self._numbers) % len(self._scripts)
            request = pb.NewGameRequest(
                players=2, seed=f"bench {number}", form=pb.STATE_FORM_HOSTED, request_id=str(uuid4())
            )
            game = await self._stub.NewGame(request, metadata=ADMIN)
            shown = [(("authorization", f"Bearer {token.token}"),) for token in game.tokens]
            for version, turn in enumerate(self._scripts[number]):
                move = pb.ApplyMoveRequest(
                    game_id=game.game.game_id,
                    moves=[turn.move],
                    expected_version=version,
                    request_id=str(uuid4()),
                    with_legal_moves=True,
                )
                begin = time.perf_counter()
                await self._stub.ApplyMove(move, metadata=shown[turn.seat])
                yield (time.perf_counter() - begin) * 1_000_000

    async def play_until(self, end: float) -> list[float]:
        """Move after move, until a time."""
        taken = []
        while time.perf_counter() < end:
            taken.append(await anext(self._moves))
        return taken

    async def play_at(self, rate: float, due: float, end: float) -> list[float]:
        """Move so many times a second, however long a move takes, from a time on."""
        taken = []
        while due < end:
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            taken.append(await anext(self._moves))
            due += 1 / rate
        return taken


def _called(each: Sequence[list[float]], seconds: float) -> Called:
    taken = [one for times in each for one in times]
    return Called(len(taken) / seconds, times_of(taken))


async def _measure(
    address: str, scripts: Sequence[list[Turn]], seconds: float
) -> tuple[Called, Called, Called]:
    async with grpc.aio.insecure_channel(address) as channel:
        numbers = count()
        players = [Player(FinspanServiceStub(channel), scripts, numbers) for _ in range(MANY)]
        await players[0].play_until(time.perf_counter() + seconds / 5)  # to warm up
        one = [await players[0].play_until(time.perf_counter() + seconds)]
        begin = time.perf_counter()
        many = await asyncio.gather(*(player.play_until(begin + seconds) for player in players))
        passed = time.perf_counter() - begin
        begin = time.perf_counter()
        calm = await asyncio.gather(
            *(
                player.play_at(CALM_RATE / MANY, begin + number / CALM_RATE, begin + seconds)
                for number, player in enumerate(players)
            )
        )
    return _called(one, seconds), _called(many, passed), _called(calm, seconds)


@contextmanager
def _hosting(redis_url: str) -> Iterator[str]:
    settings = {
        "FINSPAN_REDIS_URL": redis_url,
        "FINSPAN_SEAL_KEYS": new_key(),
        "FINSPAN_TOKEN_KEYS": new_key(),
        "FINSPAN_ADMIN_KEYS": ADMIN_KEY,
    }
    with running("-m", "service.server", "--port", "0", environment=os.environ | settings) as address:
        yield address


def measure(seconds: float) -> Hosted:
    """Return what one caller and many met who play as fast as they can, and many who do not."""
    program = find_source().program
    if program is None:
        raise RuntimeError("a Redis server is needed, on PATH or from a wheel")
    scripts = [_script(number) for number in range(SCRIPTS)]
    with serve(program, "appendonly yes", "appendfsync everysec") as redis:
        url = f"redis://127.0.0.1:{redis.port}/0"
        with _hosting(url) as address:
            one, many, calm = asyncio.run(_measure(address, scripts, seconds))
        bare = Called(*commits(RedisSettings.of_url(url), seconds))
    return Hosted(one, many, calm, bare)
