"""Bots by name: one's own from a module, with a seed, for asyncio, or with something to close."""

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from finspan import Game, GreedyBot, LocalService, NotAMove, RandomBot, play
from finspan.bots import AsyncBot, Bot
from finspan.entries import BadBot, entered
from finspan.playing import Awaiting
from tests.client.messages import DivesOnly

MODULE = """
    import asyncio

    class First:
        def choose(self, game):
            return game.legal_moves[0]

    class Seeded(First):
        def __init__(self, seed):
            self.seed = seed

    class Typed:
        def choose(self, game):
            return self.later(game)
        async def later(self, game):
            return (await game.samples())[0].legal_moves[-1].id

    class Waiting(Typed):
        log = []
        async def __aenter__(self):
            self.loop = asyncio.get_running_loop()
            self.log.append("entered")
            return self
        async def __aexit__(self, kind, *_):
            assert self.loop is asyncio.get_running_loop()
            self.log.append("left" if kind is None else f"left by {kind.__name__}")

    class Closing(First):
        log = []
        def __enter__(self):
            self.log.append("entered")
            return self
        def __exit__(self, *_):
            self.log.append("left")

    class Later:
        def __init__(self):
            self.loops = set()
        async def choose(self, game):
            self.loops.add(asyncio.get_running_loop())
            await asyncio.sleep(0)
            samples = await game.samples()
            return samples[0].legal_moves[0].id

    class Gives:
        def choose(self, game):
            pass

    class NoBot:
        pass

    class Needy(First):
        def __init__(self, weights):
            pass
"""


@pytest.fixture(autouse=True)
def my_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a module with bots into the current directory."""
    (tmp_path / "my_bots.py").write_text(dedent(MODULE))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)


def own(bot: Bot) -> Bot | AsyncBot:
    """Return a bot of somebody's own as it was made."""
    assert isinstance(bot, Awaiting)
    return bot.bot


def test_bots_that_come_with_the_client() -> None:
    with entered(["greedy", "random"], seed="s") as bots:
        assert [(name, type(bot)) for name, bot in bots.items()] == [
            ("greedy", GreedyBot),
            ("random", RandomBot),
        ]


def test_a_bot_of_ones_own_is_found_in_the_current_directory() -> None:
    with entered(["my_bots:First"], seed="s") as bots:
        *_, last = play(Game.new(DivesOnly(), names=["A", "B"]), [bots["First"], bots["First"]])
        assert last.after.is_over


def test_several_of_a_kind_are_numbered() -> None:
    with entered(["greedy", "my_bots:First", "greedy", "greedy", "my_bots:First"], seed="s") as bots:
        assert list(bots) == ["greedy", "First", "greedy 2", "greedy 3", "First 2"]


def test_a_long_name_is_cut_so_that_it_is_a_display_name(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(f"class {'X' * 60}:\n    def choose(self, game): ...\n")
    with entered([f"long:{'X' * 60}"] * 2, seed="s") as bots:
        assert [len(name) for name in bots] == [36, 38]


def test_who_takes_a_seed_gets_one_of_its_own() -> None:
    with entered(["my_bots:Seeded", "my_bots:Seeded"], seed="s") as bots:
        assert [vars(own(bot))["seed"] for bot in bots.values()] == ["s 1", "s 2"]


def test_what_can_be_entered_is_left_at_the_end() -> None:
    with entered(["my_bots:Closing"], seed="s") as bots:
        log: list[str] = vars(type(own(bots["Closing"])))["log"]
        assert log == ["entered"]
    assert log == ["entered", "left"]


def test_a_bot_for_asyncio_plays_among_the_others(local: LocalService) -> None:
    with entered(["my_bots:Later", "greedy"], seed="s") as bots:
        moves = play(Game.new(local, seed="s"), list(bots.values()))
        for _ in range(4):
            next(moves)
        assert len(vars(own(bots["Later"]))["loops"]) == 1


def test_a_bot_whose_answers_are_to_be_awaited_is_one_for_asyncio(local: LocalService) -> None:
    with entered(["my_bots:Typed", "my_bots:Typed"], seed="s") as bots:
        moves = play(Game.new(local, seed="s"), list(bots.values()))
        first = next(moves)
        assert first.move == first.before.legal_moves[-1]
        assert next(moves).before.moves == (first.move.id,)


def test_what_asyncio_code_can_enter_is_left_at_the_end(local: LocalService) -> None:
    with entered(["my_bots:Waiting"], seed="s") as bots:
        log: list[str] = vars(type(own(bots["Waiting"])))["log"]
        assert log == ["entered"]
        next(play(Game.new(local, 1, seed="s"), list(bots.values())))
    assert log == ["entered", "left"]


def test_it_is_told_why_it_is_left() -> None:
    log: list[str] = []

    def fail() -> None:
        with entered(["my_bots:Waiting"], seed="s") as bots:
            type(own(bots["Waiting"])).log = log  # type: ignore[union-attr]  # the class is in a text
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert log == ["left by KeyError"]


def test_ones_own_bot_is_blamed_by_its_name(local: LocalService) -> None:
    with entered(["my_bots:Gives"], seed="s") as bots, pytest.raises(NotAMove) as caught:
        next(play(Game.new(local, 1, seed="s"), list(bots.values())))
    assert caught.value.__notes__[0].startswith("Gives had to choose in seat 0 of ")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "clever",
            "There is no bot clever: it is one of greedy, random, or a class of yours, as module:Class.",
        ),
        ("no_such:Bot", "no_such:Bot cannot be imported: No module named 'no_such'"),
        ("my_bots:Nobody", "my_bots:Nobody cannot be imported: module 'my_bots' has no attribute 'Nobody'"),
        (":First", ":First cannot be imported: Empty module name"),
        ("my_bots:NoBot", "my_bots:NoBot is no bot: it has no method choose."),
        ("my_bots:asyncio", "my_bots:asyncio is no class."),
        ("my_bots:Needy", "my_bots:Needy cannot be made: Needy.__init__() missing 1 required positional"),
    ],
)
def test_what_is_no_bot_is_refused(entry: str, said: str) -> None:
    with pytest.raises(BadBot) as caught, entered([entry], seed="s"):
        pass
    assert str(caught.value).startswith(said)
