"""The README's programs run as they stand there."""

import re
from pathlib import Path

import pytest

from finspan import serving

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_programs_run(capsys: pytest.CaptureFixture[str]) -> None:
    play, fail, bot = PROGRAMS
    names: dict[str, object] = {}
    with serving.server() as address:
        exec(play.replace("localhost:50051", address), names)  # noqa: S102  our own README
        exec(bot.replace("localhost:50051", address), names)  # noqa: S102  the same
    said = capsys.readouterr().out
    assert said.startswith("Ada: play a fish or dive")
    assert said.count("total: ") == 4
    compile(fail, "README", "exec")
