"""Whole games over real gRPC against the real service, as a person runs them."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import finspan
from finspan.v1 import finspan_pb2 as v1

SECONDS = 50
Ask: TypeAlias = Callable[[finspan.Client], object]


@pytest.fixture(scope="module")
def client(real_server: str) -> Iterator[finspan.Client]:
    with finspan.Client(real_server) as client:
        client.wait_until_ready()
        yield client


def demo(*options: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603  our own command
        [sys.executable, "-m", "finspan", "demo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished(*options: str) -> str:
    """Return what a demo says, after it has ended well."""
    process = demo(*options)
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    return said


def digest_of(said: str) -> str:
    ending = re.search(r"^\d+ moves, digest ([0-9a-f]{64})$", said, re.MULTILINE)
    assert ending is not None
    return ending[1]


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_demo_plays_a_whole_game() -> None:
    said = finished("--seed", "demo")
    assert re.search(r"^1\.1 (Greedy 1|Random 2) ", said, re.MULTILINE)
    assert re.search(r"^4\.6 (Greedy 1|Random 2) ", said, re.MULTILINE)
    assert said.count("Score after week") == 3
    assert said.count("Final score") == 1
    assert re.search(r"^Winners?: ", said, re.MULTILINE)
    assert max(map(len, said.splitlines())) <= 100
    assert digest_of(said)


def test_the_same_seed_is_the_same_game_to_the_letter() -> None:
    first, second, other = (finished("--seed", seed, "--side", "b", "--players", "3") for seed in "aab")
    assert first == second
    assert digest_of(first) != digest_of(other)


def test_one_player_plays_alone() -> None:
    assert "Winner: Greedy 1" in finished("--players", "1", "--quiet")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the server's process in /proc")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 1), (signal.SIGTERM, 128 + signal.SIGTERM)],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_an_interrupted_demo_leaves_no_server_behind(number: signal.Signals, code: int) -> None:
    process = demo("--every", "move")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Rules version")
    servers = children(process.pid)
    process.send_signal(number)
    process.communicate(timeout=SECONDS)
    assert process.returncode == code
    assert len(servers) == 1
    assert not Path(f"/proc/{servers[0]}").exists()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_bots_play_games_to_their_end(client: finspan.Client, players: int) -> None:
    game = finspan.Game.new(client, players, seed="bots", side="b")
    bots: list[finspan.Bot] = [
        finspan.RandomBot(seat) if seat % 2 else finspan.GreedyBot() for seat in range(players)
    ]
    *_, last = finspan.play(game, bots)
    score = last.after.score()
    assert last.after.is_over
    assert score.over
    assert score.winners


def test_the_greedy_bot_beats_the_random_one(client: finspan.Client) -> None:
    for seed in ("x", "y", "z"):
        game = finspan.Game.new(client, 2, seed=seed)
        *_, last = finspan.play(game, [finspan.RandomBot(seed), finspan.GreedyBot()])
        assert list(last.after.score().winners) == [1]


async def test_asyncio_code_plays_many_games_at_once(real_server: str) -> None:
    async def digest(client: finspan.AsyncClient, seed: str) -> str:
        game = await finspan.AsyncGame.new(client, seed=seed)
        bots = [finspan.RandomBot(seat) for seat in range(2)]
        return [played.after.digest async for played in finspan.play_async(game, bots)][-1]

    async with finspan.AsyncClient(real_server) as client:
        await client.wait_until_ready()
        digests = await asyncio.gather(*(digest(client, str(number % 3)) for number in range(6)))
    assert digests[:3] == digests[3:]
    assert len(set(digests)) == 3


def test_every_call_is_answered(client: finspan.Client) -> None:
    game = client.new_game(2, seed="s", names=["Ada", "Bob"], form="open")
    assert client.legal_moves(game.state).legal_moves == game.legal_moves
    draw = v1.Move(draw=v1.Draw())
    assert [one.move for one in client.legal_moves(game.state, why_not_moves=[draw]).why_not] == [draw]
    assert client.apply_move(game.state, game.legal_moves[-1]).version == 1
    assert len(client.score(game.state).players) == 2
    assert len(client.sample_states(game.state, seed="s", count=3).states) == 3


def test_a_call_that_takes_too_long_is_given_up(client: finspan.Client) -> None:
    state = client.new_game(5, seed="s").state
    with pytest.raises(finspan.DeadlineExceeded):
        client.with_timeout(0.01).sample_states(state, seed="s", count=1000)


def test_an_illegal_move_is_refused_with_its_rule(client: finspan.Client) -> None:
    game = client.new_game(2, seed="s")
    with pytest.raises(finspan.IllegalMove) as caught:
        client.apply_move(game.state, v1.Move(draw=v1.Draw()))
    error = caught.value
    assert (error.move, error.move_index) == ("draw", 0)
    assert error.rule.startswith("R")
    assert error.request_id


def test_a_changed_state_is_refused(client: finspan.Client) -> None:
    game = client.new_game(2, seed="s")
    game.state.players[0].hand.pop()
    with pytest.raises(finspan.SealBroken):
        client.legal_moves(game.state)


def test_a_state_without_its_hidden_part_is_good_for_samples_only(client: finspan.Client) -> None:
    state = client.new_game(2, seed="s").state
    state.ClearField("sealed")
    with pytest.raises(finspan.HiddenPartMissing):
        client.legal_moves(state)
    assert client.sample_states(state, seed="s").states


def test_an_impossible_state_is_refused_with_its_faults(client: finspan.Client) -> None:
    game = client.new_game(2, seed="s", form="open")
    game.state.players[0].hand.append(game.state.players[1].hand[0])
    with pytest.raises(finspan.ImpossibleState) as caught:
        client.legal_moves(game.state)
    assert caught.value.faults


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda client: client.new_game(6), finspan.BadRequest),
        (lambda client: client.new_game(2, expansions=["sharks_and_reefs"] * 2), finspan.BadRequest),
        (lambda client: client.get_catalog("no such version"), finspan.RulesVersionMismatch),
    ],
    ids=["players", "expansion twice", "rules version"],
)
def test_what_cannot_be_is_refused(client: finspan.Client, ask: Ask, error: type[Exception]) -> None:
    with pytest.raises(error):
        ask(client)
