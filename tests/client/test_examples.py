"""The examples run as they stand, against the real service."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "clients" / "python" / "examples").glob("*.py"))
SAID = {
    "first_game": r"Ada: 66 points",
    "hosted_game": "The deck was fixed before the first move.",
    "many_games": "game 3: ",
    "my_bot": "greedy: 6 wins",
    "puzzle": "Red Lionfish lives in the Sunlight zone, and G6 is elsewhere. (R5.3)",
    "searching_bot": "[",
}


def test_every_example_is_run() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(SAID)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_runs(path: Path, real_server: str) -> None:
    command = [sys.executable, "-W", "error", str(path), real_server]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)  # noqa: S603  our own
    assert result.returncode == 0, result.stderr
    assert SAID[path.stem] in result.stdout
    assert not result.stderr
