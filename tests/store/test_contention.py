"""Several processes want to make the same moves: one wins each, and the log shows it."""

import asyncio
import json
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from service.store.redis_settings import RedisSettings
from tests.redis_server import HOST
from tests.store.changes import begin, head
from tests.store.conftest import Start
from tests.store.history import Attempt, Entry, faults
from tests.store.keepers import RedisKeeper

ROOT = Path(__file__).parents[2]
WON = Attempt("a-1", 1, "done", 1, 2, 2)
LOST = Attempt("b-1", 1, "conflict", 1, 2, 1)
LOG = [Entry(1, 0, "a-1"), Entry(1, 1, "a-1")]


async def _start(settings: RedisSettings, writer: str, versions: int) -> Process:
    """Start a writer and wait until it is ready to begin."""
    asked = {
        "settings": asdict(settings) | {"mode": settings.mode.value},
        "writer": writer,
        "versions": versions,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.writer",
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    assert await process.stdout.readline() == b"ready\n"
    return process


async def _contend(settings: RedisSettings, writers: int, versions: int) -> list[Attempt]:
    processes: list[Process] = []
    try:
        while len(processes) < writers:
            processes.append(await _start(settings, f"writer{len(processes)}", versions))
        answers = await asyncio.gather(*(process.communicate(b"begin\n") for process in processes))
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return [Attempt(*each) for answer, _ in answers for each in json.loads(answer)]


async def _log(keeper: RedisKeeper, versions: int) -> list[Entry]:
    """Return the log after version 0, and see to it that the head is the last one's."""
    log: list[Entry] = []
    while page := await keeper.store.log("game", (1, 0) if not log else (log[-1][0], log[-1][1] + 1), 500):
        log += [Entry(entry.version, entry.number, entry.data.decode()) for entry in page]
    assert await head(keeper.store, "game") == (versions, versions + 1, f"by {log[-1].request_id}".encode())
    return log


async def _test_contention(keeper: RedisKeeper, writers: int, versions: int) -> list[Attempt]:
    await begin(keeper.store, "game")
    attempts = await _contend(keeper.settings, writers, versions)
    log = await _log(keeper, versions)
    assert len(attempts) == writers * versions
    assert faults(attempts, log, versions) == []
    return attempts


async def test_each_version_has_one_winner(redis_keeper: RedisKeeper) -> None:
    attempts = await _test_contention(redis_keeper, 3, 500)
    winners = {attempt.request_id.split("-")[0] for attempt in attempts if attempt.verdict == "done"}
    assert len(winners) > 1


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_each_of_ten_thousand_versions_has_one_winner(redis_keeper: RedisKeeper) -> None:
    await _test_contention(redis_keeper, 4, 10_000)


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_each_version_has_one_winner_though_the_server_crashes(start: Start) -> None:
    server = start("appendonly yes", "appendfsync always")
    keeper = RedisKeeper(RedisSettings(nodes=[(HOST, server.port)]))

    async def crash() -> None:
        for _ in range(3):
            await asyncio.sleep(0.3)
            server.stop()
            await asyncio.to_thread(server.start)

    crashing = asyncio.create_task(crash())
    await _test_contention(keeper, 3, 6000)
    assert crashing.done()
    await keeper.remove()


@pytest.mark.parametrize(
    ("attempts", "log", "fault"),
    [
        ([WON, LOST._replace(verdict="done")], LOG, "version 1 has 2 winners"),
        ([LOST, LOST._replace(request_id="c-1")], [], "version 1 has 0 winners"),
        ([WON], LOG, "version 1 was not contested"),
        ([WON, LOST, WON._replace(version=2, request_id="a-2")], LOG, "version 2 is too high"),
        ([WON, LOST._replace(verdict="missing")], LOG, "b-1 was answered missing"),
        ([WON, LOST._replace(verdict="reused")], LOG, "b-1 was answered reused"),
        ([WON._replace(outcome_version=2), LOST], LOG, "a-1 was done and led to 2"),
        ([WON, LOST._replace(outcome_version=0)], LOG, "b-1 was told of version 0"),
        ([WON, LOST._replace(outcome_revision=1)], LOG, "b-1 was told of revision 1"),
        ([WON, LOST, LOST], LOG, "b-1 is there 2 times"),
        ([WON, LOST], LOG[:1], f"{LOG[1]} is missing in the log"),
        ([WON, LOST], [*LOG, LOG[1]], f"{LOG[1]} is too much in the log"),
        ([WON, LOST], [*LOG, Entry(1, 2, "b-1")], f"{Entry(1, 2, 'b-1')} is too much in the log"),
        ([WON, LOST], LOG[::-1], "the log is not in order"),
    ],
    ids=lambda value: value if isinstance(value, str) else ":",
)
def test_the_checker_finds_what_must_not_be(
    attempts: Sequence[Attempt], log: Sequence[Entry], fault: str
) -> None:
    assert fault in faults(attempts, log, 1)


@pytest.mark.parametrize("verdict", ["done", "repeated"])
def test_the_checker_finds_nothing_where_all_is_well(verdict: str) -> None:
    assert faults([WON._replace(verdict=verdict), LOST], LOG, 1) == []
