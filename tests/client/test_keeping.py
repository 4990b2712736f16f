"""Files of recorded games: found fault with before a game, and read as far as they hold some."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from finspan import BadRecord, LocalService, Record, Setup, cli, play
from finspan.bots import RandomBot
from finspan.keeping import kept, recorded


def finspan(*arguments: str, said: str = "") -> Result:
    return CliRunner().invoke(cli.main, arguments, input=said)


@pytest.fixture(scope="module")
def record(local: LocalService) -> Record:
    setup = Setup("kept", ("Ada", "Bob"))
    *_, last = play(setup.begin(local), [RandomBot(1), RandomBot(2)])
    return Record.of(setup, last.after)


def with_fields(record: Record, **fields: object) -> str:
    return json.dumps(json.loads(record.to_json()) | fields)


@pytest.mark.parametrize("command", ["match", "play"])
def test_a_file_that_cannot_be_written_is_told_before_the_game(tmp_path: Path, command: str) -> None:
    out = tmp_path / "nowhere" / "games.jsonl"
    result = finspan(command, "--local", "--out", str(out), said="1\n" * 300)
    assert result.exit_code == 1
    assert result.output == f"Error: {out} cannot be written: No such file or directory.\n"


def test_a_file_that_can_no_longer_be_written_is_told(tmp_path: Path, record: Record) -> None:
    out = tmp_path / "gone" / "games.jsonl"
    out.parent.mkdir()
    bot = tmp_path / "tidy_bots.py"
    bot.write_text(
        "import shutil\nclass Tidy:\n  def choose(self, game):\n"
        f"    shutil.rmtree({str(out.parent)!r}, ignore_errors=True)\n    return game.legal_moves[0]\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.syspath_prepend(tmp_path)
        result = finspan("match", "--local", "--bots", "tidy_bots:Tidy", "--games", "2", "--out", str(out))
    assert result.exit_code == 1
    assert result.output.startswith("1 of 2 games, seed ")
    assert result.output.endswith(f"Error: {out} cannot be written: No such file or directory.\n")


def test_records_are_added_to_a_file(tmp_path: Path, record: Record) -> None:
    out = tmp_path / "games.jsonl"
    for _ in range(2):
        with kept(out) as keep:
            assert out.exists()
            keep(record)
    with out.open("rb") as file:
        assert recorded(file) == {1: record, 2: record}


def test_a_file_that_nothing_was_added_to_does_not_come_to_be(tmp_path: Path) -> None:
    there, new = tmp_path / "there", tmp_path / "new"
    there.touch()
    for out in (there, new):
        with kept(out):
            pass
    assert there.exists()
    assert not new.exists()


def test_games_are_numbered_as_they_stand(record: Record) -> None:
    line = record.to_json().encode()
    games = recorded([b"\n", line, b" \n", b"nonsense\n", b"\xff\xfe\n", line])
    assert [type(game) for game in games.values()] == [Record, BadRecord, BadRecord, Record]
    assert list(games) == [1, 2, 3, 4]
    assert str(games[3]) == "no record of a game: it is no text in UTF-8"


FAULTS: dict[str, tuple[dict[str, object] | bytes, str]] = {
    "no text": (b"\xff\xfe{}", "no record of a game: it is no text in UTF-8"),
    "nonsense": (b"nonsense", "no record of a game: Expecting value"),
    "deep": (b"[" * 100_000, "no record of a game: "),
    "scores": ({"scores": [3]}, "no record of a game: "),
    "infinite": ({"scores": [{"total": float("inf")}]}, "no record of a game: "),
    "nobody": ({"names": []}, "It cannot be begun: "),
    "a crowd": ({"names": list("ABCDEF")}, "It cannot be begun: "),
    "long seed": ({"seed": "s" * 65}, "It cannot be begun: "),
    "no such letter": ({"seed": "\ud800"}, "It cannot be begun: "),
    "unknown tile": ({"options": {"side": "b", "tiles": ["x"], "expansions": []}}, "It cannot be begun: "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_game_is_told_and_the_others_are_played(tmp_path: Path, record: Record, name: str) -> None:
    fault, said = FAULTS[name]
    line = fault if isinstance(fault, bytes) else with_fields(record, **fault).encode()
    good = record.to_json().encode()
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n".join([good, line, good]))
    result = finspan("replay", str(file), "--local")
    assert result.exit_code == 1
    first, second, *_ = result.output.splitlines()
    assert first.startswith(f"{file}, game 2")
    assert said in first
    assert second.startswith("2 of 3 games came out as recorded")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (b"", [], " has no game: it has 0."),
        (b"\n\n", [], " has no game: it has 0."),
        (b"{}", ["--game", "2"], " has no game 2: it has 1."),
        (b"nonsense\nnonsense", [], ", game 1: no record of a game: Expecting value"),
        (b"nonsense\nnonsense", ["--game", "2"], ", game 2: no record of a game: Expecting value"),
        (b"\x80\x81", [], ", game 1: no record of a game: it is no text in UTF-8"),
    ],
)
def test_a_file_without_games_is_refused(tmp_path: Path, text: bytes, options: list[str], said: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(text)
    result = finspan("replay", str(file), "--local", *options)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {file}{said}")
    assert result.output.count("\n") == 1


def test_games_with_and_without_reefs_are_in_one_file(tmp_path: Path) -> None:
    out = tmp_path / "mixed.jsonl"
    arguments = ["match", "--games", "2", "--local", "--out", str(out)]
    for options in ([], ["--expansion", "sharks-and-reefs"]):
        assert finspan(*arguments, *options).exit_code == 0
    result = finspan("replay", str(out), "--local")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("4 of 4 games came out as recorded")
    assert "│ Coral " in result.output
