"""The README's programs and commands run as they stand there, by somebody who has nothing else."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from finspan import cli
from finspan.channels import SERVICE_CONFIG

README = (Path(__file__).parents[2] / "clients" / "python" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
PROGRAMS = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
SEARCHER = "finspan match --bots searcher:Searcher,greedy --games 20 --seed begin --local"
"""It takes half a minute."""
FILE = re.compile(r"# (\w+\.py)\n")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return a directory with the files that the README has one write."""
    for text in PROGRAMS:
        if name := FILE.match(text):
            (tmp_path / name[1]).write_text(text)
    return tmp_path


def run(command: str) -> str:
    """Return what a command says, after it has ended well."""
    result = CliRunner().invoke(cli.main, shlex.split(command)[1:], input="quit\n")
    assert result.exit_code == 0, result.output
    return "\n".join(line.rstrip() for line in result.stdout.splitlines())


def test_the_commands_run(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(directory)
    monkeypatch.setattr(sys, "path", list(sys.path))
    environment, install, *commands = COMMANDS
    assert environment.startswith("python3 -m venv .venv && ")
    assert install == "pip install ./clients/python ."
    assert {command.split()[1] for command in commands} == {"demo", "match", "play", "replay"}
    said = {command: run(command) for command in commands if command != SEARCHER}
    assert said["finspan match --bots my_bot:Angler,greedy --games 20 --seed begin --local"] in README
    assert said["finspan replay games.jsonl --local"].startswith("4 of 4 games came out as recorded")


@pytest.mark.long
def test_the_searcher_wins_as_often_as_said(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(directory)
    monkeypatch.setattr(sys, "path", list(sys.path))
    claimed = re.search(re.escape(SEARCHER) + r"\n```\n\nThis one wins (\d+) of these 20 games\.", README)
    assert claimed
    wins = re.search(r"│ Wins +│ +(\d+) │", run(SEARCHER))
    assert wins
    assert wins[1] == claimed[1]


def test_the_searcher_plays(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(directory)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert SEARCHER in COMMANDS
    assert "2 of 2 games" in run(SEARCHER.replace("--games 20", "--games 2"))


def test_the_outage_that_is_bridged_is_the_one_said() -> None:
    """Each wait before a try may be a fifth shorter; a server that is back is met within a second."""
    policy = SERVICE_CONFIG["methodConfig"][0]["retryPolicy"]
    first, most = (float(policy[name].rstrip("s")) for name in ("initialBackoff", "maxBackoff"))
    waits = [
        min(first * policy["backoffMultiplier"] ** tried, most) for tried in range(policy["maxAttempts"] - 1)
    ]
    assert "after about 0.5, 1, 2 and 4\nseconds" in README
    assert waits == [0.5, 1, 2, 4]
    assert sum(waits) * 0.8 - 1 >= 5
    assert "away for up to five seconds" in README


def test_the_programs_run(real_server: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for text in PROGRAMS:
        if not FILE.match(text):
            exec(text.replace("localhost:50051", real_server), names)  # noqa: S102  our own README
    said = capsys.readouterr().out
    assert re.match(r"(Ada|Bob): play a fish or dive", said)
    assert said.count("total: ") == 4
    assert "R5.3" in said or "R5.1" in said
