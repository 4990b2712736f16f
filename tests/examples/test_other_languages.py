"""The commands of docs/other-languages.md do what the page says."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from finspan import serving

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```sh\n(?P<commands>.*?)```\n\n```text\n(?P<output>.*?)```", re.DOTALL)


class Block(NamedTuple):
    """Commands of the page, and what they print."""

    commands: str
    output: str


BLOCKS = [Block(match["commands"], match["output"]) for match in BLOCK.finditer(PAGE)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving.server() as address:
        yield address


def run(commands: str, address: str, folder: Path) -> str:
    """Return what commands print that are run in the repository's folder, with another one for /tmp."""
    script = commands.replace("localhost:50051", address).replace("/tmp/", f"{folder}/")  # noqa: S108  the page's
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(  # noqa: S603  our own page
        ["bash", "-euc", script],  # noqa: S607  whichever bash there is
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_every_command_has_its_output_beside_it() -> None:
    assert PAGE.count("```sh") == PAGE.count("buf curl ") - PAGE.count("`buf curl ") == len(BLOCKS)


@pytest.mark.parametrize("rpc", ["NewGame", "LegalMoves", "ApplyMove", "Score", "GetCatalog"])
def test_the_page_shows_every_call(rpc: str) -> None:
    assert any(f"FinspanService/{rpc}" in block.commands for block in BLOCKS)


def test_the_commands_print_what_the_page_says(address: str, tmp_path: Path) -> None:
    if shutil.which("jq") is None and "CI" not in os.environ:
        pytest.skip("jq is not installed")
    for commands, output in BLOCKS:
        assert run(commands, address, tmp_path) == output, commands


def test_no_lock_names_the_place_where_packages_came_from() -> None:
    locks = (ROOT / "clients" / "examples").glob("*/package-lock.json")
    assert [lock for lock in locks if '"resolved"' in lock.read_text(encoding="utf-8")] == []
