"""The example bot for Node.js plays as the Python client does; `make node-test` builds it and runs this."""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import finspan
from finspan import serving
from finspan.calls import Expansion

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "clients" / "examples" / "node"
MAIN = EXAMPLE / "dist" / "main.js"
TOUR = EXAMPLE / "dist" / "tour.js"
FOLD_TESTS = EXAMPLE / "dist" / "fold.test.js"
PAGE = ROOT / "docs" / "frontend.md"
SECONDS = 50
ENDING = re.compile(r"^(\d+) moves, digest ([0-9a-f]{64})$", re.MULTILINE)

pytestmark = pytest.mark.skipif(
    "FINSPAN_TEST_NODE" not in os.environ, reason="needs Node.js and what it builds: make node-test"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving.server() as address:
        yield address


def run(*command: str | Path, address: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603  our own example
        command,
        cwd=EXAMPLE,
        env={**os.environ, "FINSPAN_ADDRESS": address},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def played(address: str, *options: str) -> str:
    """Return what the bot says of a whole game."""
    done = run("node", MAIN, *options, address=address)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def refused(address: str, *options: str) -> str:
    """Return what the bot says when it fails."""
    done = run("node", MAIN, *options, address=address)
    assert done.returncode == 1
    assert not done.stdout
    return done.stderr


def ending(said: str) -> tuple[int, str]:
    """Return how many moves were made, and the last digest."""
    found = ENDING.search(said)
    assert found is not None, said
    return int(found[1]), found[2]


def ending_in_python(
    address: str, players: int, seed: str, expansions: Sequence[Expansion] = ()
) -> tuple[int, str]:
    """Return the same of a game in which the digests choose the moves, as they do for the digest bot."""
    with finspan.Client(address) as client:
        opening = client.new_game(players, seed=seed, expansions=expansions)
        state, digest, legal = opening.state, opening.digest, opening.legal_moves
        while legal:
            reply = client.apply_move(state, legal[int(digest[:8], 16) % len(legal)])
            state, digest, legal = reply.state, reply.digest, reply.legal_moves
        return state.version, digest


@pytest.mark.parametrize("players", [1, 2, 4])
def test_it_reaches_the_digest_that_the_python_client_reaches(address: str, players: int) -> None:
    said = played(address, "--bot", "digest", "--seed", "in every language", "--players", str(players))
    assert ending(said) == ending_in_python(address, players, "in every language")


def test_it_plays_with_reefs_as_the_python_client_does(address: str) -> None:
    said = played(address, "--bot", "digest", "--seed", "reefs", "--expansion", "sharks-and-reefs")
    assert ending(said) == ending_in_python(address, 2, "reefs", ["sharks_and_reefs"])
    assert re.search(r"^coral( +\d+){2}$", said, re.MULTILINE)
    assert re.search(r"^full reefs( +\d+){2}$", said, re.MULTILINE)


def test_it_reaches_the_digest_of_the_conformance_vectors(address: str) -> None:
    vectors = ROOT / "tests" / "vectors" / "conformance" / "games.json"
    games = json.loads(vectors.read_text(encoding="utf-8"))["games"]
    game = next(game for game in games if game["newGame"] == {"players": 2, "seed": "conformance"})
    said = played(address, "--bot", "digest", "--seed", "conformance")
    assert ending(said) == (len(game["moves"]), game["moves"][-1]["digest"])


def test_it_tells_a_game_and_its_score(address: str) -> None:
    said = played(address, "--seed", "a game", "--players", "3")
    assert said.startswith("Rules version ")
    assert {f"Bot {number}" for number in (1, 2, 3)} <= set(
        re.findall(r"^\d\.\d (Bot \d): ", said, re.MULTILINE)
    )
    assert re.search(r"^total( +\d+){3}$", said, re.MULTILINE)
    assert re.search(r"^Winners?: Bot \d", said, re.MULTILINE)


def test_it_tells_what_is_wrong_with_a_request(address: str) -> None:
    said = refused(address, "--players", "6")
    assert said.startswith("InvalidArgument: players: ")
    assert re.search(r"^  players: .*\(R2\.1\)$", said, re.MULTILINE)
    assert "ERROR_REASON_INVALID_FIELD" in said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--bot", "other"), "There is no bot other"),
        (("--expansion", "octopuses"), "There is no expansion octopuses"),
        (("--players", "two"), "two is no number of players"),
        (("--sed", "a game"), "Unknown option '--sed'"),
    ],
    ids=["bot", "expansion", "players", "option"],
)
def test_it_tells_how_it_is_used(address: str, options: tuple[str, ...], sentence: str) -> None:
    said = refused(address, *options)
    assert said.startswith(sentence)
    assert "--address HOST:PORT" in said


def test_it_tells_that_nobody_serves() -> None:
    assert refused("127.0.0.1:1").startswith("Unavailable: ")


def test_its_own_tests_pass(address: str) -> None:
    done = run("npm", "test", address=address)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)


def test_folded_events_give_the_tables_of_whole_games(address: str) -> None:
    done = run("node", "--test", "--test-reporter=tap", FOLD_TESTS, address=address)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)


def test_the_tour_prints_what_the_frontend_page_says(address: str) -> None:
    done = run("node", TOUR, address=address)
    assert done.returncode == 0, done.stderr
    for shown in re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        assert shown in done.stdout
