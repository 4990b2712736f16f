"""The README's programs and commands run as they stand there, by somebody who has nothing else."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_commands_run(directory: Path) -> None:
    assert [shlex.split(command)[:2] for command in COMMANDS] == [
        ["pip", "install"],
        ["finspan", "demo"],
        ["finspan", "match"],
        ["finspan", "match"],
        ["finspan", "play"],
        ["finspan", "match"],
        ["finspan", "replay"],
        ["finspan", "replay"],
    ]
    for command in COMMANDS[1:]:
        arguments = [sys.executable, "-m", *shlex.split(command.replace("--games 20", "--games 2"))]
        result = subprocess.run(  # noqa: S603  our own README
            arguments, cwd=directory, input="quit\n", capture_output=True, text=True, check=False, timeout=50
        )
        assert result.returncode == 0, result.stdout + result.stderr
    assert "4 of 4" not in result.stdout
    assert result.stdout.startswith("Rules version")


def test_the_programs_run(real_server: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for text in PROGRAMS:
        if not FILE.match(text):
            exec(text.replace("localhost:50051", real_server), names)  # noqa: S102  our own README
    said = capsys.readouterr().out
    assert re.match(r"(Ada|Bob): play a fish or dive", said)
    assert said.count("total: ") == 4
    assert "R5.3" in said or "R5.1" in said
