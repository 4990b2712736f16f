"""R2: setting up a game."""

import pytest

from service.engine.cards import ACHIEVEMENTS, CARDS
from service.engine.check import check
from service.engine.digest import full_digest
from service.engine.errors import BadOptions
from service.engine.events import AchievementsChosen, CardDrawn, StarterDealt, WeekBegan
from service.engine.rules import Transition, new_game
from service.engine.samples import cards_in_game, unseen_cards
from service.engine.state import SHARKS_AND_REEFS, BoardSide, GameState, Options, divers_left
from tests.marks import rule
from tests.table import START_OCEAN, ocean_of, situation

SIDE_B = Options(side="b")
REEFS = Options(expansions=(SHARKS_AND_REEFS,))
NAMED = ("b1_if_activated", "b2_every_2_eggs", "b3_young")
SEEDS = [f"seed {number}" for number in range(60)]


def refusals(
    players: int = 2, options: Options = SIDE_B, seed: str = "r2", names: tuple[str, ...] = ()
) -> list[str]:
    """Return the fields and rules of all that is wrong with a game to be set up."""
    with pytest.raises(BadOptions) as refused:
        new_game(players, options, seed=seed, names=names)
    return [f"{fault.field} {fault.rule}" for fault in refused.value.faults]


def deck_of(card: int) -> str:
    return CARDS[card].deck


# R2.1


@rule("R2.1", "RU02")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_what_everyone_starts_with(players: int) -> None:
    state, _ = new_game(players, seed="r2")
    assert check(state) == []
    for seat, player in enumerate(state.players):
        assert ocean_of(player) == START_OCEAN == {"B5": "303 e", "G2": "301 e", "P3": "y"}
        assert sorted(map(deck_of, player.hand)) == ["main"] * 3 + ["starter"] * 2
        assert (player.discard, player.gained, divers_left(state, seat)) == ([], [], 6)


@rule("R2.1")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_undealt_starters_leave_the_game(players: int) -> None:
    state, _ = new_game(players, seed="r2")
    assert len(state.undealt) == 10 - 2 * players
    assert {deck_of(card) for card in state.undealt} <= {"starter"}
    assert len(state.deck) == 125 - 3 * players
    assert {deck_of(card) for card in state.deck} == {"main"}
    assert sorted(state.deck) == unseen_cards(state)


@rule("R2.1")
def test_each_player_takes_the_starters_before_anybody_draws() -> None:
    state, happened = new_game(3, seed="r2")
    dealt = [event for event in happened if isinstance(event, StarterDealt | CardDrawn)]
    assert [(type(event), event.seat) for event in dealt] == [
        *((StarterDealt, seat) for seat in (0, 0, 1, 1, 2, 2)),
        *((CardDrawn, seat) for seat in (0, 0, 0, 1, 1, 1, 2, 2, 2)),
    ]
    for seat, player in enumerate(state.players):
        assert player.hand == sorted(event.card for event in dealt if event.seat == seat)


@rule("R2.1")
def test_starters_and_cards_are_random() -> None:
    hands = [new_game(2, seed=seed).state.players[0].hand for seed in SEEDS]
    assert {card for hand in hands for card in hand if deck_of(card) == "starter"} == set(range(126, 136))
    assert len({card for hand in hands for card in hand if deck_of(card) == "main"}) > 80


@rule("R2.1")
@pytest.mark.parametrize("players", [-1, 0, 6])
def test_one_to_five_play(players: int) -> None:
    assert refusals(players) == ["players R2.1"]


@rule("R2.1")
@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Bo", "Cy"), ("Ann", "B" * 41)])
def test_names_are_one_per_player_and_short(names: tuple[str, ...]) -> None:
    assert [wrong.split()[1] for wrong in refusals(2, names=names)] == ["R2.1"]


@rule("R2.1")
@pytest.mark.parametrize(
    "state",
    [
        situation(oceans=[START_OCEAN] * 5, hands=[(126, 127)] * 2, valid=False),
        situation(oceans=[], hands=[], valid=False),
        situation(oceans=[START_OCEAN] * 6, valid=False),
    ],
    ids=["a starter twice", "nobody", "six"],
)
def test_a_state_that_no_setup_leads_to(state: GameState) -> None:
    assert {fault.rule for fault in check(state)} & {"R2.1", "R1.3"}


# R2.2


@rule("R2.2")
@pytest.mark.parametrize("players", [1, 3, 5])
def test_a_random_player_begins_and_holds_the_token(players: int) -> None:
    begun = [new_game(players, seed=seed) for seed in SEEDS]
    assert {state.first_player for state, _ in begun} == set(range(players))
    for state, happened in begun:
        assert (state.week, state.turn, state.seat) == (1, 1, state.first_player)
        weeks = [(event.week, event.first_player) for event in happened if isinstance(event, WeekBegan)]
        assert weeks == [(1, state.first_player)]


# R2.3


@rule("R2.3")
def test_side_a_has_its_own_achievements() -> None:
    assert {new_game(2, seed=seed).state.tiles for seed in SEEDS} == {("a1", "a2", "a3")}


@rule("R2.3")
def test_side_b_draws_one_tile_for_each_week_from_those_of_the_week() -> None:
    drawn = [new_game(2, SIDE_B, seed=seed) for seed in SEEDS]
    for week in (1, 2, 3):
        of_week = {tile.id for tile in ACHIEVEMENTS.values() if (tile.set, tile.week) == ("base", week)}
        assert {state.tiles[week - 1] for state, _ in drawn} == of_week
    for state, happened in drawn:
        assert [event.achievements for event in happened if isinstance(event, AchievementsChosen)] == [
            state.tiles
        ]


@rule("R2.3")
def test_the_caller_may_name_all_three_tiles() -> None:
    state, _ = new_game(2, Options(side="b", tiles=NAMED), seed="r2")
    assert state.tiles == NAMED


@rule("R2.3")
@pytest.mark.parametrize(
    ("side", "tiles", "wrong"),
    [
        pytest.param("b", NAMED[:2], ["options.tiles R2.3"], id="two"),
        pytest.param("b", (*NAMED, "b3_schools"), ["options.tiles R2.3"], id="four"),
        pytest.param(
            "b",
            ("b2_full_rows", "b1_if_activated", "b3_young"),
            ["options.tiles[0] R2.3", "options.tiles[1] R2.3"],
            id="of other weeks",
        ),
        pytest.param("b", ("s1_coral", *NAMED[1:]), ["options.tiles[0] R2.3"], id="of a set not in play"),
        pytest.param("b", (*NAMED[:2], "a3"), ["options.tiles[2] R2.3"], id="of side a"),
        pytest.param("b", (NAMED[0], "", NAMED[2]), ["options.tiles[1] R2.3"], id="no such tile"),
        pytest.param("a", ("a1", "a2", "a3"), ["options.tiles R2.3"], id="side a names its own"),
        pytest.param("a", NAMED, ["options.tiles R2.3"], id="side a names those of side b"),
    ],
)
def test_tiles_that_cannot_be_named(side: BoardSide, tiles: tuple[str, ...], wrong: list[str]) -> None:
    assert refusals(options=Options(side=side, tiles=tiles)) == wrong


# R2.4


@rule("R2.4")
def test_without_sharks_and_reefs_none_of_its_cards_or_tiles_is_there() -> None:
    for seed in SEEDS:
        state, _ = new_game(5, SIDE_B, seed=seed)
        assert {CARDS[card].set for card in (*cards_in_game(state), *state.undealt)} == {"base"}
        assert {ACHIEVEMENTS[tile].set for tile in state.tiles} == {"base"}


@rule("R2.4")
@pytest.mark.parametrize(
    "expansions",
    [("base",), ("something",), ("sharks and reefs",)],
    ids=["no expansion", "none", "another spelling"],
)
def test_an_expansion_that_is_not_known_is_refused(expansions: tuple[str, ...]) -> None:
    assert refusals(options=Options(expansions=expansions)) == ["options.expansions[0] R2.4"]


@rule("R2.4")
def test_an_expansion_is_named_once() -> None:
    assert refusals(options=Options(expansions=(SHARKS_AND_REEFS,) * 2)) == ["options.expansions R2.4"]


@rule("R2.4", "R2.1", "R11.1")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_sharks_and_reefs_joins_its_cards_starters_and_reefs(players: int) -> None:
    state, _ = new_game(players, REEFS, seed="r2")
    assert check(state) == []
    hands = [card for player in state.players for card in player.hand]
    in_game = sorted([*state.deck, *state.undealt, *hands])
    assert in_game == [*range(1, 216)]
    assert (len(state.deck), len(state.undealt)) == (200 - 3 * players, 15 - 2 * players)
    assert {deck_of(card) for card in state.undealt} == {"starter"}
    assert {deck_of(card) for card in state.deck} == {"main"}
    for player in state.players:
        assert sorted(map(deck_of, player.hand)) == ["main"] * 3 + ["starter"] * 2
        assert ocean_of(player) == START_OCEAN
        assert player.reefs == [0, 0, 0]


@rule("R2.4", "R2.1")
def test_the_starters_of_both_sets_are_dealt_to_five() -> None:
    games = [new_game(5, REEFS, seed=seed).state for seed in SEEDS]
    for state in games:
        dealt = {card for player in state.players for card in player.hand if deck_of(card) == "starter"}
        assert dealt | {*state.undealt} == {*range(126, 136), *range(211, 216)}
        assert (len(dealt), len(state.undealt)) == (10, 5)
    assert {card for state in games for card in state.undealt} == {*range(126, 136), *range(211, 216)}


@rule("R2.4", "R2.3")
def test_with_sharks_and_reefs_side_b_draws_from_the_tiles_of_both_sets() -> None:
    options = REEFS._replace(side="b")
    drawn = [new_game(2, options, seed=f"{seed} b").state.tiles for seed in SEEDS]
    for week in (1, 2, 3):
        of_week = {tile.id for tile in ACHIEVEMENTS.values() if tile.set != "side_a" and tile.week == week}
        assert {tiles[week - 1] for tiles in drawn} == of_week
    named = ("s1_coral", "b2_full_rows", "s3_reef_bonuses")
    assert new_game(2, options._replace(tiles=named), seed="r2").state.tiles == named


@rule("R2.4", "R2.3")
def test_with_sharks_and_reefs_side_a_stays_as_it_is() -> None:
    assert {new_game(2, REEFS, seed=seed).state.tiles for seed in SEEDS} == {("a1", "a2", "a3")}


# R2.5


def outcome(game: Transition) -> tuple[str, object]:
    return full_digest(game.state), game.events


@rule("R2.5")
@pytest.mark.parametrize("options", [Options(), SIDE_B, Options(side="b", tiles=NAMED), REEFS])
def test_the_same_seed_and_options_give_the_same_game(options: Options) -> None:
    once, again = (new_game(3, options, seed="r2") for _ in range(2))
    assert outcome(once) == outcome(again)


@rule("R2.5")
def test_another_seed_gives_another_game() -> None:
    assert len({full_digest(new_game(2, seed=seed).state) for seed in SEEDS}) == len(SEEDS)


@rule("R2.5")
def test_names_have_no_influence() -> None:
    named, nameless = new_game(2, seed="r2", names=("Ann", "Bo")), new_game(2, seed="r2")
    assert outcome(named) == outcome(nameless)
    assert named.state.names == ("Ann", "Bo")


@rule("R2.5")
@pytest.mark.parametrize(("seed", "wrong"), [("", ["seed R2.5"]), ("s" * 65, ["seed R2.5"])])
def test_a_seed_has_1_to_64_characters(seed: str, wrong: list[str]) -> None:
    assert refusals(seed=seed) == wrong
    new_game(2, seed="s" * 64)


@rule("R2.5")
def test_all_that_is_wrong_is_told_at_once() -> None:
    assert refusals(6, Options(expansions=("x",), tiles=NAMED), seed="") == [
        "options.expansions[0] R2.4",
        "options.tiles R2.3",
        "seed R2.5",
        "players R2.1",
    ]
