"""The golden games are played today as they were written down."""

from itertools import product

import pytest

from service.engine.digest import full_digest, public_digest
from tests.corners import CORNERS, REEF_CORNERS
from tests.games import replay
from tests.golden.games import DIRECTORY, GAMES, GoldenGame, play, read, text_of
from tests.invariants import assert_holds, assert_whole

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@each_game
def test_a_game_reads_as_it_was_written(game: GoldenGame) -> None:
    text = game.path.read_text(encoding="utf-8")
    assert text_of(game, play(game, read(text).moves)).splitlines() == text.splitlines()


@each_game
def test_its_moves_alone_lead_to_its_digests(game: GoldenGame) -> None:
    recorded = read(game.path.read_text(encoding="utf-8"))
    state = replay(game.setup, recorded.moves)
    assert state.is_over
    assert (public_digest(state), full_digest(state)) == (recorded.public_digest, recorded.full_digest)


@pytest.mark.timeout(300)
@each_game
def test_every_state_of_it_is_sound(game: GoldenGame) -> None:
    """These games reach corners that random ones reach too seldom to rely on."""
    played = play(game, read(game.path.read_text(encoding="utf-8")).moves)
    for moment in played:
        assert_holds(moment)
    assert_whole(played)


def test_every_file_is_of_a_game() -> None:
    assert {path.stem for path in DIRECTORY.glob("*.golden")} == {game.name for game in GAMES}


def test_the_games_differ_in_seats_and_sides() -> None:
    assert {game.setup.players for game in GAMES} == {1, 2, 3, 4, 5}
    assert {(game.setup.options.side, game.setup.options.has_reefs) for game in GAMES} == set(
        product("ab", (False, True))
    )


def test_the_games_show_every_rare_corner() -> None:
    played = [moment for game in GAMES for moment in play(game, read(game.path.read_text("utf-8")).moves)]
    corners = (CORNERS | REEF_CORNERS).items()
    assert [corner for corner, is_shown in corners if not any(map(is_shown, played))] == []
