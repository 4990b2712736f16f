"""A game as a value: looked at, played on, gone back in; blocking and for asyncio alike."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

import finspan
from finspan import AsyncGame, Game, LocalService, ThreadedService
from finspan.v1 import finspan_pb2 as v1


@pytest.fixture
def game(local: LocalService) -> Game:
    return Game.new(local, players=2, seed="a game", names=["Ada", "Bob"])


@pytest.fixture(scope="module")
def over(local: LocalService) -> Game:
    """Return a game at its end."""
    *_, last = finspan.play(Game.new(local, seed="over"), [finspan.GreedyBot(), finspan.RandomBot()])
    return last.after


def test_a_new_game_shows_all_that_may_be_known(game: Game) -> None:
    assert game.state.version == 0
    assert [player.display_name for player in game.state.players] == ["Ada", "Bob"]
    assert game.seat == game.state.first_player
    assert game.player == game.state.players[game.seat]
    assert game.decision.kind == v1.DECISION_KIND_TURN
    assert {"dive:blue", "dive:purple", "dive:green"} <= set(game.legal_moves.by_id)
    assert game.catalog.cards[game.player.hand[0]].name
    assert (game.moves, game.previous, game.is_over) == ((), None, False)
    assert len(game.digest) == 64
    assert game.events == game.news != ()


def test_options_reach_the_service(local: LocalService) -> None:
    tiles = [tile.id for week in (1, 2, 3) for tile in _tiles(local, week)[:1]]
    game = Game.new(local, 3, side="b", tiles=tiles, form="open", seed="s")
    assert list(game.state.achievements) == tiles
    assert game.state.open.seed == "s"
    assert len(game.state.players) == 3


def test_a_game_with_reefs(local: LocalService, game: Game) -> None:
    with_reefs = Game.new(local, seed="a game", expansions=["sharks_and_reefs"])
    assert (game.has_reefs, with_reefs.has_reefs) == (False, True)
    assert (list(game.player.reefs), list(with_reefs.player.reefs)) == ([], [0, 0, 0])
    assert with_reefs.digest != game.digest
    assert with_reefs.for_asyncio().has_reefs


def _tiles(local: LocalService, week: int) -> list[v1.AchievementInfo]:
    board = local.catalog().achievements.values()
    return [tile for tile in board if tile.side == v1.BOARD_SIDE_B and tile.week == week]


@pytest.mark.parametrize(
    "named",
    [lambda legal: legal, lambda legal: legal.move, lambda legal: legal.id],
    ids=["as listed", "as a message", "by its id"],
)
def test_a_move_is_made_however_it_is_named(
    game: Game, named: Callable[[v1.LegalMove], finspan.AnyMove]
) -> None:
    later = game.apply(named(game.legal_moves["dive:blue"]))
    assert later.moves == ("dive:blue",)
    assert later.state.version == 1


def test_going_on_leaves_the_older_game_as_it_was(game: Game) -> None:
    state, digest = game.state.SerializeToString(deterministic=True), game.digest
    later = game.apply("dive:purple")
    assert game.state.SerializeToString(deterministic=True) == state
    assert later.previous is game
    assert later.digest != digest == game.digest
    assert game.apply("dive:purple").digest == later.digest


def test_what_happened_adds_up(game: Game) -> None:
    later = game.apply("dive:purple")
    last = later.apply(later.legal_moves[-1])
    assert last.moves == ("dive:purple", later.legal_moves[-1].id)
    assert last.events == game.news + later.news + last.news
    assert [event.version for event in later.news] == [1] * len(later.news)


def test_several_moves_are_made_in_a_row_or_none(game: Game) -> None:
    later = game.apply("dive:purple")
    following = later.legal_moves[0].id
    both = game.apply("dive:purple", following)
    assert both.digest == later.apply(following).digest
    assert both.moves == ("dive:purple", following)
    assert both.previous is game
    with pytest.raises(finspan.IllegalMove) as caught:
        game.apply("dive:purple", "dive:purple")
    assert (caught.value.move, caught.value.move_index) == ("dive:purple", 1)


def test_an_illegal_move_is_refused_with_its_reason(game: Game) -> None:
    with pytest.raises(finspan.IllegalMove) as caught:
        game.apply("draw")
    assert caught.value.rule == "R3.1"
    with pytest.raises(finspan.NotAMove):
        game.apply("jump")


def test_why_not(game: Game) -> None:
    reasons = game.why_not("draw", "dive:blue", v1.Move(hatch=v1.Hatch(slot=v1.SLOT_B5)))
    assert [finspan.move_id(reason.move) for reason in reasons] == ["draw", "hatch:B5"]
    assert all(reason.rule and reason.text for reason in reasons)
    assert game.why_not(*game.legal_moves) == []


def test_why_nothing(local: LocalService) -> None:
    for seed in range(20):
        game = Game.new(local, seed=str(seed))
        cards = [reason.card for reason in game.why_nothing() if reason.HasField("card")]
        plays = {legal.move.play_fish.card for legal in game.legal_moves.of_kind("play_fish")}
        assert set(cards) == set(game.player.hand) - plays


def test_the_score_as_it_stands(game: Game, over: Game) -> None:
    assert [player.eggs for player in game.score().players] == [2, 2]
    assert not game.score().over
    assert over.score().winners


def test_when_the_game_is_over_the_seat_is_that_of_the_state(over: Game) -> None:
    for seat in (0, 1):
        state = v1.GameState()
        state.CopyFrom(over.state)
        state.seat = seat
        ended = replace(over, state=state)
        assert (ended.seat, ended.player) == (seat, state.players[seat])


def test_a_game_that_is_over(over: Game) -> None:
    assert over.is_over
    assert not over.legal_moves
    assert repr(over).endswith(": over>")
    with pytest.raises(finspan.GameIsOver):
        over.apply("pass")


def test_it_says_what_it_is(game: Game) -> None:
    legal = len(game.legal_moves)
    assert repr(game) == f"<Game version 0: {game.decision.text} {legal} legal moves>"


def test_samples_are_open_and_share_what_is_public(game: Game) -> None:
    first, second = game.samples(2)
    assert first.digest == second.digest == game.digest == first.service.legal_moves(first.state).digest
    assert first.legal_moves is game.legal_moves
    assert first.state.open.deck != second.state.open.deck
    assert first.previous is None
    assert first.apply("dive:blue").state.HasField("open")


def test_samples_are_the_same_for_the_same_seed(game: Game) -> None:
    decks = [
        game.samples(1, seed=seed)[0].state.open.deck.SerializeToString() for seed in ("a", "a", "b", "", "")
    ]
    assert decks[0] == decks[1] != decks[2]
    assert decks[3] == decks[4]


def test_without_its_hidden_part_nobody_can_look_ahead(game: Game) -> None:
    later = game.apply("dive:blue")
    seen = later.without_hidden_part()
    assert seen.state.WhichOneof("hidden") is None
    assert later.state.WhichOneof("hidden") == "sealed"
    assert seen.previous is None
    assert (seen.digest, seen.moves, seen.events) == (later.digest, later.moves, later.events)
    with pytest.raises(finspan.HiddenPartMissing):
        seen.apply(seen.legal_moves[0])
    assert seen.samples(1)[0].apply(seen.legal_moves[0]).state.version == 2


def test_a_game_is_taken_up_from_its_state(local: LocalService, game: Game) -> None:
    later = game.apply("dive:blue")
    resumed = Game.resume(local, later.state)
    assert resumed.legal_moves.by_id == later.legal_moves.by_id
    assert (resumed.digest, resumed.decision) == (later.digest, later.decision)
    assert (resumed.moves, resumed.events, resumed.previous) == ((), (), None)
    assert resumed.apply(resumed.legal_moves[0]).state.version == 2


def test_a_finished_game_is_taken_up_too(local: LocalService, over: Game) -> None:
    assert Game.resume(local, over.state).is_over


def test_the_catalogue_is_asked_for_once(local: LocalService) -> None:
    assert Game.new(local).catalog is Game.new(local).catalog is local.catalog("1")


def public(game: finspan.Position) -> dict[str, Any]:
    """Return all that a game shows, apart from seals, which differ each time."""
    shown = {field.name: getattr(game, field.name) for field in fields(finspan.Position)}
    del shown["catalog"], shown["previous"]
    return shown | {"legal_moves": list(game.legal_moves), "state": game.without_hidden_part().state}


async def test_for_asyncio_it_is_the_same(local: LocalService) -> None:
    ours = Game.new(local, 2, seed="both", names=["Ada", "Bob"])
    theirs = await AsyncGame.new(ThreadedService(local), 2, seed="both", names=["Ada", "Bob"])
    for _ in range(12):
        assert public(ours) == public(theirs)
        assert ours.score() == await theirs.score()
        assert ours.why_nothing() == await theirs.why_nothing()
        assert ours.why_not("draw", "pass") == await theirs.why_not("draw", "pass")
        assert [one.state for one in ours.samples(2)] == [one.state for one in await theirs.samples(2)]
        move = ours.legal_moves[len(ours.legal_moves) // 2]
        ours, theirs = ours.apply(move), await theirs.apply(move)
    resumed = await AsyncGame.resume(ThreadedService(local), theirs.state)
    assert public(resumed) == public(Game.resume(local, ours.state))
    assert theirs.previous is not None


async def test_a_game_goes_over_to_asyncio(game: Game) -> None:
    later = await game.apply("dive:blue").for_asyncio().apply("draw")
    assert later.moves == ("dive:blue", "draw")


def test_both_kinds_of_game_can_do_the_same() -> None:
    ours, theirs = ({name for name in vars(kind) if not name.startswith("_")} for kind in (Game, AsyncGame))
    assert ours - theirs == {"for_asyncio"}
    assert theirs <= ours
