"""Several writers through several servers want each version of a game: one gets it, and the log shows it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import count

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.digest import public_digest
from service.engine.moves import Move
from service.engine.rules import apply, legal_moves
from service.engine.state import GameState
from tests.hosted.conftest import Place, Start
from tests.hosted.history import Answer, Attempt, faults
from tests.hosted.processes import program, stub_at
from tests.hosted.tables import AS_ADMIN, REEFS, Seats, bearer, deciding, known_seats, new_id
from tests.service.support import Stub, chance, refusal_of

Tick = Iterator[int]


async def ask(seats: Seats, request: pb.ApplyMoveRequest, seat: int, attempt: Attempt, tick: Tick) -> None:
    """Ask once, and note how it was answered."""
    asked_at = next(tick)
    call = seats.stub.ApplyMove(request, metadata=seats.as_seat(seat))
    try:
        reply = await call
    except grpc.aio.AioRpcError:
        refusal = await refusal_of(call)
        told = int(refusal.metadata.get("current_version", -1))
        attempt.answers.append(Answer(asked_at, next(tick), refusal.code.name, told))
    else:
        written = reply.SerializeToString(deterministic=True)
        attempt.answers.append(Answer(asked_at, next(tick), "OK", reply.version, written))


class Contest:
    """Writers at several servers who all want to move in one game."""

    def __init__(self, stubs: list[Stub], writers: int, seed: int) -> None:
        self.stubs = stubs
        self.writers = writers
        self.rng = chance(seed)
        self.attempts: list[Attempt] = []
        self.tick = count()

    async def _want(self, seats: Seats, state: GameState, move: Move) -> tuple[Attempt, Move]:
        """Want a version as one writer, who now and then asks again, here or elsewhere, at once or later."""
        request = seats.request(state.version, move)
        attempt = Attempt(request.request_id, state.version + 1)
        times = self.rng.choice((1, 1, 1, 2, 3))
        at = [seats.at(self.rng.choice(self.stubs)) for _ in range(times)]
        asking = [ask(each, request, deciding(state), attempt, self.tick) for each in at]
        if self.rng.random() < 0.5:
            await asyncio.gather(*asking)
        else:
            for each in asking:
                await each
        self.attempts.append(attempt)
        return attempt, move

    async def _round(self, seats: Seats, state: GameState) -> GameState:
        moves = legal_moves(state)
        wanted = [self.rng.choice(moves) for _ in range(self.writers)]
        outcomes = await asyncio.gather(*(self._want(seats, state, move) for move in wanted))
        ((winner, move),) = [each for each in outcomes if each[0].has_won]
        after = apply(state, move).state
        reply = pb.ApplyMoveResponse.FromString(winner.answers[0].reply)
        assert reply.digest == public_digest(after)
        return after

    async def play(self, players: int, versions: int, options: pb.GameOptions | None = None) -> int:
        """Contest the versions of one game, so many or to its end; return how many there were."""
        self.attempts.clear()
        seats, state = await known_seats(self.stubs[0], players=players, options=options)
        while state.version < versions and legal_moves(state):
            state = await self._round(seats, state)
        assert faults(self.attempts, await seats.log(), state.version) == []
        for stub in self.stubs:
            now = await seats.at(stub).get()
            assert (now.game.version, now.digest) == (state.version, public_digest(state))
        return state.version


@pytest.fixture
async def stubs(redis_place: Place) -> AsyncIterator[list[Stub]]:
    """Three processes of the service on one Redis."""
    async with AsyncExitStack() as stack:
        programs = await asyncio.gather(*(stack.enter_async_context(program(redis_place)) for _ in range(3)))
        yield [await stack.enter_async_context(stub_at(each.port)) for each in programs]


async def test_each_version_has_one_winner(stubs: list[Stub]) -> None:
    contest = Contest(stubs, 3, seed=1)
    assert await contest.play(4, 200) == 200
    servers_that_lost = [attempt for attempt in contest.attempts if not attempt.has_won]
    assert len(servers_that_lost) >= 400


async def test_each_version_has_one_winner_in_memory(start: Start, place: Place) -> None:
    stubs = [(await start(**place)).stub for _ in range(2)]
    assert await Contest(stubs, 4, seed=2).play(2, 40) == 40


async def test_changes_without_a_move_do_not_pass_each_other_unseen(start: Start, place: Place) -> None:
    """Tokens are issued and moves are made at once: each that is answered has its own place in the log."""
    stubs = [(await start(**place)).stub for _ in range(2)]
    seats, state = await known_seats(stubs[0])

    async def issue(stub: Stub) -> str:
        request = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_WATCH)
        try:
            return (await stub.IssueSeatToken(request, metadata=AS_ADMIN)).token.token
        except grpc.aio.AioRpcError as error:
            return error.code().name

    issuing = asyncio.gather(*(issue(stubs[number % 2]) for number in range(12)))
    state = await seats.play(state, 5)
    tokens = await issuing
    issued = {token for token in tokens if token != "ABORTED"}  # noqa: S105  no password
    assert issued
    kinds = [entry.kind for entry in await seats.log()]
    assert kinds.count(pb.LOG_ENTRY_KIND_TOKEN_ISSUED) == len(issued)
    assert kinds.count(pb.LOG_ENTRY_KIND_MOVE) == 5
    good = 0
    for token in issued:
        call = stubs[0].GetGame(pb.GetGameRequest(game_id=seats.id), metadata=bearer(token))
        try:
            await call
            good += 1
        except grpc.aio.AioRpcError:
            assert (await refusal_of(call)).reason == "TOKEN_REFUSED"
    assert good == 1


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_ten_thousand_versions_have_one_winner_each(stubs: list[Stub]) -> None:
    contested = 0
    for seed in count():
        contest = Contest(stubs, 2 + seed % 4, seed)
        contested += await contest.play(1 + seed % 5, 1000, REEFS if seed % 2 else None)
        if contested >= 10_000:
            return


# The checker finds what must not be.


def entry(version: int, request_id: str = "") -> pb.LogEntry:
    return pb.LogEntry(version=version, request_id=request_id)


def won(id_: str, version: int, *moments: int, reply: bytes = b"1") -> Attempt:
    return Attempt(id_, version, [Answer(at, at + 1, "OK", version, reply) for at in moments])


def lost(id_: str, version: int, at: int, told: int) -> Attempt:
    return Attempt(id_, version, [Answer(at, at + 1, "ABORTED", told)])


GOOD = [won("a", 1, 0), lost("b", 1, 2, 1), won("c", 2, 4), lost("d", 2, 6, 2)]
LOG = [entry(0), entry(1, "a"), entry(2, "c")]


def test_the_checker_finds_nothing_where_nothing_is() -> None:
    assert faults(GOOD, LOG, 2) == []


@pytest.mark.parametrize(
    ("attempts", "log", "text"),
    [
        ([*GOOD, won("e", 2, 8)], LOG, "2 winners"),
        (GOOD[:3], LOG, "not contested"),
        ([GOOD[0], GOOD[1], lost("c", 2, 4, 2), GOOD[3]], LOG, "0 winners"),
        (GOOD, LOG[:2], "gaps or doubles"),
        (GOOD, [*LOG, entry(2, "c")], "gaps or doubles"),
        (GOOD, [*LOG[:2], entry(2, "d")], "made by d"),
        ([*GOOD, lost("e", 1, 10, 1)], LOG, "was told after"),
        ([*GOOD, lost("e", 2, 3, 1)], LOG, "lost to nobody"),
        ([*GOOD, Attempt("e", 2, [Answer(8, 9, "INTERNAL", -1)])], LOG, "INTERNAL"),
        (
            [Attempt("a", 1, [*GOOD[0].answers, Answer(2, 3, "ABORTED", 1)]), *GOOD[1:]],
            LOG,
            "['ABORTED', 'OK']",
        ),
        (
            [Attempt("a", 1, [*GOOD[0].answers, Answer(2, 3, "OK", 1, b"2")]), *GOOD[1:]],
            LOG,
            "several ways",
        ),
        ([*GOOD, lost("d", 2, 8, 2)], LOG, "2 wishes"),
    ],
)
def test_the_checker_finds(attempts: list[Attempt], log: list[pb.LogEntry], text: str) -> None:
    assert any(text in fault for fault in faults(attempts, log, 2))
