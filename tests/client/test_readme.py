"""The README's programs and commands run as they stand there, by somebody who has nothing else."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from finspan import cli

README = (Path(__file__).parents[2] / "clients" / "python" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
PROGRAMS = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
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
    install, *commands = COMMANDS
    assert install == "pip install ./clients/python ."
    assert {command.split()[1] for command in commands} == {"demo", "match", "play", "replay"}
    said = {command: run(command) for command in commands}
    assert said["finspan match --bots my_bot:Angler,greedy --games 20 --seed begin --local"] in README
    assert said["finspan replay games.jsonl --local"].startswith("4 of 4 games came out as recorded")


def test_the_programs_run(real_server: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for text in PROGRAMS:
        if not FILE.match(text):
            exec(text.replace("localhost:50051", real_server), names)  # noqa: S102  our own README
    said = capsys.readouterr().out
    assert re.match(r"(Ada|Bob): play a fish or dive", said)
    assert said.count("total: ") == 4
    assert "R5.3" in said or "R5.1" in said
