"""Bots at the table: what they are given, what they may answer, and who is blamed."""

from typing import cast

import pytest

import finspan
from finspan import AnyMove, AsyncGame, Game, LocalService, ThreadedService, play, play_async
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import DivesOnly


class Sees:
    """Takes the first move, by what names it, and keeps what it is shown."""

    def __init__(self, naming: str = "listed") -> None:
        self.naming = naming
        self.seen: list[finspan.Position] = []

    def choose(self, game: finspan.Position) -> AnyMove:
        self.seen.append(game)
        legal = game.legal_moves[0]
        named: dict[str, AnyMove] = {"listed": legal, "message": legal.move, "id": legal.id}
        return named[self.naming]


class SeesLater(Sees):
    """The same as a coroutine."""

    async def choose(self, game: finspan.Position) -> AnyMove:  # type: ignore[override]
        return super().choose(game)


class Says:
    """Says always the same."""

    def __init__(self, move: AnyMove) -> None:
        self.move = move

    def choose(self, _game: finspan.Position) -> AnyMove:
        return self.move


def dives_only() -> Game:
    return Game.new(DivesOnly(), names=["A", "B"])


def test_a_game_is_yielded_move_by_move_until_it_is_over() -> None:
    game = list(play(dives_only(), [finspan.GreedyBot(), finspan.RandomBot()]))
    assert [played.before.state.version for played in game] == list(range(8))
    assert [played.before.seat for played in game] == [0, 1] * 4
    assert [played.after.is_over for played in game] == [False] * 7 + [True]
    assert all(played.move in played.before.legal_moves for played in game)
    assert [played.move.id for played in game] == list(game[-1].after.moves)
    assert all(played.after.previous is played.before for played in game)


@pytest.mark.parametrize("naming", ["listed", "message", "id"])
def test_a_bot_may_name_its_move_in_any_way(naming: str) -> None:
    first, *_ = play(dives_only(), [Sees(naming), Sees(naming)])
    assert first.move.id == "dive:blue"


def test_a_bot_cannot_look_ahead(local: LocalService) -> None:
    bots = [Sees(), Sees()]
    *_, last = play(Game.new(local, seed="s"), bots)
    seen = [game for bot in bots for game in bot.seen]
    assert len(seen) == last.after.state.version
    assert {game.state.WhichOneof("hidden") for game in seen} == {None}
    assert {game.previous for game in seen} == {None}
    assert last.before.state.WhichOneof("hidden") == "sealed"


def test_a_bot_can_search_in_samples(local: LocalService) -> None:
    class Searches:
        def choose(self, game: Game) -> AnyMove:
            sample = game.samples()[0]
            return max(game.legal_moves, key=lambda move: sample.apply(move).score().players[game.seat].total)

    first = next(play(Game.new(local, seed="s"), [Searches(), Searches()]))
    assert first.after.state.version == 1


@pytest.mark.parametrize(("said", "error"), [("draw", finspan.IllegalMove), ("jump", finspan.NotAMove)])
def test_who_chose_what_is_not_legal_is_told(local: LocalService, said: str, error: type[Exception]) -> None:
    game = Game.new(local, seed="s")
    with pytest.raises(error) as caught:
        list(play(game, [Says(said), Says(said)]))
    assert caught.value.__notes__ == [f"Says had to choose in seat {game.seat} of {game!r}."]


NONSENSE = {
    "nothing": (None, "None is no move; return one of game.legal_moves."),
    "a number": (0, "0 is no move; return one of game.legal_moves."),
    "all moves": (("dive:blue",), "('dive:blue',) is no move; return one of game.legal_moves."),
    "another message": (v1.Dive(), " is no move; return one of game.legal_moves."),
}


@pytest.mark.parametrize("name", NONSENSE)
async def test_what_is_no_move_at_all_is_named(local: LocalService, name: str) -> None:
    said, text = NONSENSE[name]
    bot = Says(cast("AnyMove", said))
    with pytest.raises(finspan.NotAMove) as caught:
        next(play(Game.new(local, 1, seed="s"), [bot]))
    assert str(caught.value).endswith(text)
    assert caught.value.__notes__[0].startswith("Says had to choose in seat 0 of ")
    game = await AsyncGame.new(ThreadedService(local), 1, seed="s")
    with pytest.raises(finspan.NotAMove) as caught:
        await anext(play_async(game, [bot]))
    assert str(caught.value).endswith(text)


def test_a_bot_that_fails_is_named() -> None:
    with pytest.raises(AttributeError) as caught:
        list(play(dives_only(), [cast("finspan.Bot", object())]))
    assert "object had to choose in seat 0" in caught.value.__notes__[0]


async def test_asyncio_code_plays_the_same_game(local: LocalService) -> None:
    sees = SeesLater()
    bots: list[finspan.AsyncBot] = [sees, finspan.RandomBot("s")]
    game = await AsyncGame.new(ThreadedService(local), seed="s")
    theirs = [played async for played in play_async(game, bots)]
    ours = list(play(Game.new(local, seed="s"), [Sees(), finspan.RandomBot("s")]))
    assert [played.move for played in theirs] == [played.move for played in ours]
    assert theirs[-1].after.digest == ours[-1].after.digest
    assert {seen.state.WhichOneof("hidden") for seen in sees.seen} == {None}


async def test_asyncio_bots_are_blamed_too(local: LocalService) -> None:
    game = await AsyncGame.new(ThreadedService(local), seed="s")
    with pytest.raises(finspan.IllegalMove) as caught:
        async for _ in play_async(game, [Says("draw"), Says(v1.Move(draw=v1.Draw()))]):
            pass
    assert "Says had to choose" in caught.value.__notes__[0]
