"""Matches with several games at once: the same games, told in the same order, and nothing left behind."""

from collections.abc import Generator
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path
from pickle import dumps, loads
from textwrap import dedent

import click
import grpc
import pytest
from click.testing import CliRunner, Result

from finspan import Failure, FinspanError, IllegalMove, LocalService, NotYourSeat, Record, cli, schedule
from finspan.entries import BadBot
from finspan.jobs import BotFailed, Place, play_games, play_in_processes

MODULE = """
    import os
    import time

    class First:
        def choose(self, game):
            return game.legal_moves[0]

    class Hidden(Exception):
        def __init__(self, one, other):
            super().__init__(one)

    class Moody(First):
        def choose(self, game):
            return self.in_front() if game.state.players[0].display_name != "First" else game.legal_moves[0]

    class Cheats(Moody):
        def in_front(self):
            return "draw"

    class Breaks(Moody):
        def in_front(self):
            raise Hidden("It is broken.", 1)

    class Sleeps(Moody):
        def in_front(self):
            time.sleep(3600)

    class Dies(Moody):
        def in_front(self):
            os._exit(3)
"""


@pytest.fixture(autouse=True)
def my_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a module with bots into the current directory; some fail where they sit in front of the others."""
    (tmp_path / "job_bots.py").write_text(dedent(MODULE))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def finspan_match(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, ["match", "--seed", "m", "--games", "4", *arguments])


def two_games(*names: str) -> Generator[Record, None, None]:
    """Play two games in two processes."""
    entries = [f"job_bots:{name}" for name in names]
    return play_in_processes(Place(), entries, schedule(names, 2, seed="s"), 2)


@pytest.mark.parametrize("place", ["here", "on a server"])
def test_the_games_are_the_same_as_one_after_the_other(tmp_path: Path, place: str, real_server: str) -> None:
    where = ["--local"] if place == "here" else ["--address", real_server]
    outs = {jobs: tmp_path / f"{jobs}.jsonl" for jobs in "12"}
    results = {jobs: finspan_match(*where, "--jobs", jobs, "--out", str(out)) for jobs, out in outs.items()}
    assert [result.exit_code for result in results.values()] == [0, 0], results["2"].output
    assert outs["1"].read_text() == outs["2"].read_text()
    assert outs["2"].read_text().count("\n") == 4
    assert results["1"].output == results["2"].output


def test_a_game_is_the_same_whatever_was_played_before_it(local: LocalService) -> None:
    setups = list(schedule(["random", "random 2"], 2, seed="s"))
    *_, last = play_games(local, ["random", "random"], setups)
    assert [last] == list(play_games(local, ["random", "random"], setups[1:]))


def test_each_game_that_is_over_is_noted() -> None:
    noted: list[str] = []
    setups = schedule(["greedy", "random"], 3, seed="s")
    records = play_in_processes(Place(), ["greedy", "random"], setups, 2, lambda: noted.append("over"))
    assert len(list(records)) == len(noted) == 3


def test_a_game_that_fails_comes_after_those_that_are_over() -> None:
    games = two_games("First", "Cheats")
    assert next(games).setup.names == ("First", "Cheats")
    with pytest.raises(IllegalMove) as caught:
        next(games)
    assert caught.value.rule == "R3.1"
    assert caught.value.__notes__[0].startswith("Cheats had to choose in seat ")


def test_an_error_that_cannot_be_brought_here_is_named() -> None:
    games = two_games("First", "Breaks")
    next(games)
    with pytest.raises(BotFailed) as caught:
        next(games)
    assert str(caught.value) == "Hidden: It is broken."
    assert caught.value.__notes__[0].startswith("Breaks had to choose in seat ")


def test_a_process_that_ends_in_the_middle_is_told() -> None:
    with pytest.raises(click.ClickException, match="A process that played has ended"):
        list(two_games("Dies", "First"))


def test_a_bot_that_is_none_is_refused_before_anything_is_played() -> None:
    with pytest.raises(BadBot):
        next(two_games("First", "Nobody"))


def test_who_stops_early_leaves_no_process_behind() -> None:
    with closing(two_games("First", "Sleeps")) as games:
        next(games)
        ours = active_children()
    assert len(ours) == 2
    assert not any(process.is_alive() for process in ours)


def test_errors_of_calls_survive_the_way_between_processes() -> None:
    failure = Failure(grpc.StatusCode.ABORTED, "Wait.", "NOT_YOUR_SEAT", {"own_seat": "1"})
    error = NotYourSeat(failure)
    error.add_note("Said of it.")
    again = loads(dumps(error))  # noqa: S301  made here
    assert (type(again), str(again), again.failure) == (NotYourSeat, "Wait.", failure)
    assert (again.own_seat, again.__notes__) == (1, ["Said of it."])


@pytest.mark.parametrize("kind", FinspanError.__subclasses__())
def test_every_error_of_a_call_survives_it(kind: type[FinspanError]) -> None:
    error = kind.__new__(kind, "Said.")
    FinspanError.__init__(error, Failure(grpc.StatusCode.UNKNOWN, "Said."))
    assert str(loads(dumps(error))) == "Said."  # noqa: S301  made here
