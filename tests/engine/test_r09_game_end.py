"""R9: the end of the game, its abilities, the score sheet and the ranking."""

import pytest

from service.engine.events import DiverPlaced, GameEndBegan, GameOver
from service.engine.rules import decision, legal_moves
from service.engine.scoring import Score, game_end_points, ranks, score, score_sheet
from service.engine.state import Frame, GameState
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    Played,
    deciding,
    legal,
    ocean_of,
    play,
    refused,
    settle,
    situation,
)


def at_game_end(*oceans: Ocean, hands: tuple[tuple[int, ...], ...] = (), first_player: int = 0) -> GameState:
    """Return the game end of the player who holds the token."""
    return situation(
        oceans=oceans,
        hands=hands,
        week=4,
        turn=6,
        seat=first_player,
        first_player=first_player,
        frame=Frame.GAME_END,
    )


def last_turn_taken(*oceans: Ocean, first_player: int = 0) -> Played:
    """Return where the last turn of the game leads, a blue dive without any benefit taken."""
    last = (first_player - 1) % len(oceans)
    state = situation(oceans=oceans, week=4, turn=6, seat=last, first_player=first_player)
    while not (state.is_over or state.agenda[-1] is Frame.GAME_END):
        state = play(state, "dive:blue" if state.agenda[-1] is Frame.TURN else "pass").state
    return Played(state, ())


YOUNG_AND_MOVE, THREE_HATCHES, PURPLE_EGGS = "62", "109", "125"
"""Game end: a young and a move; 3 hatches and a move; an egg on each fish in purple."""


# R9.1


@rule("R9.1", "RU13")
@pytest.mark.parametrize(("first_player", "order"), [(0, [0, 1, 2]), (1, [1, 2, 0]), (2, [2, 0, 1])])
def test_player_by_player_clockwise_from_the_token_holder(first_player: int, order: list[int]) -> None:
    state = last_turn_taken(*[START_OCEAN] * 3, first_player=first_player).state
    assert state.is_over
    oceans = [{**START_OCEAN, "G3": fish} for fish in ("62", "115", "69")]
    state = last_turn_taken(*oceans, first_player=first_player).state
    seen = []
    while not state.is_over:
        seen.append(deciding(state))
        state = play(state, "pass").state
    assert seen == [(seat, "R9.1") for seat in order if seat != 1]
    assert state.first_player == first_player


@rule("R9.1")
def test_who_has_nothing_to_activate_is_not_asked() -> None:
    """Nothing at all, points only, an ability of another trigger, and one that changes nothing."""
    oceans: list[Ocean] = [{}, {"B1": "30 2y"}, {"B1": "131"}, {"B1": "109"}]
    assert last_turn_taken(*oceans).state.is_over


@rule("R9.1", "R9.2")
@pytest.mark.parametrize(
    ("move", "rule_"),
    [
        pytest.param("activate:B1", "R9.2", id="an ability that gives points"),
        pytest.param("activate:B2", "R9.1", id="an ability of another trigger"),
        pytest.param("activate:B5", "R9.1", id="a forage fish"),
        pytest.param("activate:G6", "R9.1", id="no fish"),
        pytest.param("activate:G3", "R3.3", id="nothing to change"),
        pytest.param("dive:blue", "R9.1", id="a dive"),
        pytest.param("play:95@B3", "R9.1", id="a play"),
        pytest.param("young:B1", "R9.1", id="a benefit of a fish not activated"),
    ],
)
def test_what_cannot_be_done_at_the_game_end(move: str, rule_: str) -> None:
    ocean = {"B1": "30", "B2": "131", "P1": YOUNG_AND_MOVE, "G3": THREE_HATCHES}
    state = at_game_end(ocean, START_OCEAN, hands=((95, 12),))
    assert legal(state) == ["activate:P1", "pass"]
    assert refused(state, move) == rule_


@rule("R9.1")
@pytest.mark.parametrize(
    ("moves", "seat"),
    [
        (["activate:P1", "pass"], 0),
        (["activate:P1", "young:B1", "pass"], 0),
        (["activate:P1", "pass", "activate:P2", "pass"], 1),
        (["activate:P2", "egg_each", "activate:P1", "pass"], 1),
        (["pass"], 1),
    ],
)
def test_each_in_any_order_until_nothing_is_left_or_passed(moves: list[str], seat: int) -> None:
    ocean = {"P1": YOUNG_AND_MOVE, "P2": PURPLE_EGGS}
    state = at_game_end(ocean, {"G1": "69"})
    assert legal(state) == ["activate:P1", "activate:P2", "pass"]
    assert deciding(play(state, *moves).state) == (seat, "R9.1")


@rule("R9.1")
@pytest.mark.parametrize("taken", [["pass"], ["young:B1", "pass"], ["young:B1", "move_young:B1>B2"]])
def test_an_activated_ability_is_used_whatever_was_taken_of_it(taken: list[str]) -> None:
    state = play(at_game_end({"P1": "62", "P2": "125"}, {}), "activate:P1", *taken).state
    assert legal(state) == ["activate:P2", "pass"]
    assert refused(state, "activate:P1") == "R9.1"


@rule("R9.1")
def test_what_can_be_activated_is_tested_anew_each_time() -> None:
    """Speckled Butterflyfish has no egg to hatch before Yellowtail Snapper has laid some."""
    state = at_game_end({"P1": THREE_HATCHES, "P2": PURPLE_EGGS}, {})
    assert legal(state) == ["activate:P2", "pass"]
    assert refused(state, "activate:P1") == "R3.3"
    laid = play(state, "activate:P2", "egg_each").state
    assert legal(laid) == ["activate:P1", "pass"]
    ended = play(laid, "activate:P1", "hatch:P1", "hatch:P2", "hatch:P4", "move_young:P1>P2")
    assert ocean_of(ended.me) == {"P1": "109", "P2": "125 2y", "P4": "302 y"}
    assert ended.state.is_over


@rule("R9.1", "RU13")
def test_a_fish_played_now_takes_part() -> None:
    """Faceless Cusk plays Mariana Snailfish into the bottom row, which lays an egg on each fish there."""
    state = at_game_end({"P6": "44"}, {}, hands=((77, 12, 94),))
    state = play(state, "activate:P6", "play:77@B6").state
    assert (deciding(state), legal(state)) == ((0, "R9.1"), ["activate:B6", "pass"])
    ended = play(state, "activate:B6", "egg_each")
    assert ocean_of(ended.me) == {"P6": "44 e", "B6": "77 e"}
    assert (ended.me.discard, ended.state.is_over) == ([12, 94], True)


@rule("R9.1", "R5.5")
def test_a_fish_played_now_has_its_when_played_at_once() -> None:
    """Striped Marlin plays Mandarinfish while another ability waits."""
    state = at_game_end({"B1": "115", "P1": YOUNG_AND_MOVE}, {}, hands=((131, 94),))
    played = play(state, "activate:B1", "play:131@B2")
    assert deciding(played.state) == (0, "131@B2")
    drawn = play(played.state, "draw", "draw", "draw", "egg:B2")
    assert (deciding(drawn.state), legal(drawn.state)) == ((0, "R9.1"), ["activate:P1", "pass"])
    assert played.all_of(DiverPlaced) + drawn.all_of(DiverPlaced) == []


@rule("R9.1", "R10")
def test_the_points_of_a_fish_played_now_count() -> None:
    """Faceless Cusk plays Cookiecutter Shark onto Mariana Snailfish: 5 points in the bottom row."""
    ocean = {"P6": "44", "B6": "77"}
    ended = settle(play(at_game_end(ocean, {}, hands=((32,),)), "activate:P6", "play:32@B6").state)
    assert ended.state.is_over
    assert game_end_points(ended.me) == 5


@rule("R9.1")
def test_a_fish_that_covers_a_used_one_is_not_used() -> None:
    """Faceless Cusk plays Pudgy Cusk-Eel onto itself, which then lays eggs in blue."""
    state = at_game_end({"P6": "44", "B5": "303 e", "G2": "301 e", "B1": "95"}, {}, hands=((93, 12),))
    state = play(state, "activate:P6", "play:93@P6").state
    assert ocean_of(state.players[0])["P6"] == "93 <44"
    assert legal(state) == ["activate:P6", "pass"]
    assert ocean_of(play(state, "activate:P6", "egg_each").me)["B1"] == "95 e"


@rule("R9.1", "R5.4")
def test_a_covered_ability_is_lost() -> None:
    """Striped Marlin plays Indo-Pacific Sailfish onto Yellowtail Snapper."""
    ocean = {"B1": "115", "P2": "125", "P3": "y", "B5": "303 e"}
    state = play(at_game_end(ocean, {}, hands=((65, 12, 94),)), "activate:B1", "play:65@P2").state
    ended = settle(state)
    assert "R9.1" not in ended.declined
    assert ended.state.is_over


@rule("R9.1", "R7.8", "RU13")
def test_who_is_done_is_done_whatever_a_later_player_brings() -> None:
    """The first player has nothing to hatch; the second one's Giant Oarfish lays in everybody's blue site."""
    mine: Ocean = {"P1": THREE_HATCHES}
    yours: Ocean = {"B1": "115", "P3": "2y"}
    state = last_turn_taken(mine, yours).state
    assert state.is_over
    state = situation(
        oceans=[mine, yours], hands=[(), (53, 12)], week=4, turn=6, seat=1, frame=Frame.GAME_END
    )
    state = play(state, "activate:B1", "play:53@B2", "egg_each").state
    assert deciding(state) == (0, "53@B2")
    ended = play(state, "egg_each")
    assert ocean_of(ended.me)["B5"] == "303 e"
    assert ended.state.is_over


@rule("R9.1")
def test_a_pass_ends_it_for_good() -> None:
    state = play(at_game_end({"P1": "62", "P2": "125"}, {"G1": "109", "G2": "301 e"}), "pass").state
    assert (deciding(state), legal(state)) == ((1, "R9.1"), ["activate:G1", "pass"])
    ended = play(state, "activate:G1", "pass")
    assert ended.state.is_over


@rule("R9.1", "R3.1")
def test_the_game_ends_after_the_last_turn_of_week_4() -> None:
    state = situation(oceans=[{"P1": "62"}, {"P1": "125"}], week=4, turn=6, seat=1)
    ended = settle(play(state, "dive:blue").state)
    dived = play(state, "dive:blue")
    assert [event.seat for event in ended.all_of(GameEndBegan) + dived.all_of(GameEndBegan)] == [0, 1]
    assert ended.state.is_over


@rule("R9.3", "R9.1")
def test_when_it_is_over_nothing_is_asked() -> None:
    over = last_turn_taken({}, {}).state
    assert (legal_moves(over), decision(over)) == ((), None)
    assert {refused(over, move) for move in ("dive:blue", "pass", "activate:B1")} == {"R9.3"}


# R9.2


@rule("R9.2")
@pytest.mark.parametrize(
    ("ocean", "categories"),
    [
        pytest.param({}, {}, id="forage fish alone"),
        pytest.param({"B1": "12", "P1": "53"}, {"printed": 8 + 9}, id="printed points"),
        pytest.param(
            {"B1": "12 <46,95"}, {"printed": 8, "consumed": 2}, id="no printed points of consumed fish"
        ),
        pytest.param(
            {"B5": "27 <303", "G2": "57 <301"}, {"printed": 18, "consumed": 2}, id="forage consumed"
        ),
        pytest.param({"B5": "303 e", "G2": "301 e"}, {"eggs": 2}, id="eggs"),
        pytest.param({"B1": "2y", "B2": "4y s"}, {"young": 6, "schools": 6}, id="young and a school"),
        pytest.param({"B1": "s", "B2": "s", "G2": "301 s"}, {"schools": 18}, id="schools"),
        pytest.param({"B1": "30 2y"}, {"printed": 2, "game_end": 6, "young": 2}, id="game-end points"),
        pytest.param(
            {"B1": "95 <30"}, {"printed": 1, "consumed": 1}, id="no game-end points of consumed fish"
        ),
        pytest.param({"B1": "115", "P2": "125"}, {"printed": 3}, id="game-end benefits are no points"),
    ],
)
def test_points_by_category(ocean: Ocean, categories: dict[str, int]) -> None:
    sheet = score(last_turn_taken(ocean, START_OCEAN).state.players[0])
    assert {name: points for name, points in sheet._asdict().items() if points} == categories
    assert sheet.total == sum(categories.values())


@rule("R9.2", "R8.1")
def test_achievement_points_and_those_for_most_count() -> None:
    gained = [[(4, 0), (6, 3), (3, 3)], [(6, 3), (0, 0), (0, 0)]]
    state = situation(oceans=[{}, {}], week=4, side="b", gained=gained)
    assert [sheet.achievements for sheet in score_sheet(state)] == [19, 9]


@rule("R9.2")
def test_cards_in_hand_and_in_the_pile_are_no_points() -> None:
    state = situation(oceans=[{}, {}], hands=[(1, 3, 12)], discards=[(57, 94)])
    sheet = score(state.players[0])
    assert (sheet.total, sheet.cards_in_hand) == (0, 3)


# R9.3


@rule("R9.3")
@pytest.mark.parametrize(
    ("points_and_hands", "expected", "winners"),
    [
        pytest.param([(10, 0), (9, 9)], [1, 2], (0,), id="most points"),
        pytest.param([(9, 9), (10, 0)], [2, 1], (1,), id="wherever he or she sits"),
        pytest.param([(10, 2), (10, 3)], [2, 1], (1,), id="then most cards in hand"),
        pytest.param([(10, 2), (10, 2)], [1, 1], (0, 1), id="then shared"),
        pytest.param([(10, 2), (12, 1), (10, 2), (12, 1), (10, 3)], [4, 1, 4, 1, 3], (1, 3), id="five"),
        pytest.param([(0, 0), (0, 0), (0, 0)], [1, 1, 1], (0, 1, 2), id="all at nothing"),
        pytest.param([(3, 0)], [1], (0,), id="alone"),
    ],
)
def test_ranking(
    points_and_hands: list[tuple[int, int]], expected: list[int], winners: tuple[int, ...]
) -> None:
    hands, spare = [], iter(range(1, 126))
    for _, count in points_and_hands:
        hands.append([next(spare) for _ in range(count)])
    gained = [[(points, 0), (0, 0), (0, 0)] for points, _ in points_and_hands]
    last = len(gained) - 1
    state = situation(oceans=[{}] * len(gained), hands=hands, week=4, turn=6, seat=last, gained=gained)
    over = settle(play(state, "dive:green").state)
    dived = play(state, "dive:green")
    assert [event.winners for event in over.all_of(GameOver) + dived.all_of(GameOver)] == [winners]
    assert ranks(score_sheet(over.state)) == expected


@rule("R9.3")
def test_nothing_but_points_and_hand_breaks_a_tie() -> None:
    nothing = Score(*[0] * len(Score._fields))._replace(cards_in_hand=1)
    achieved = nothing._replace(achievements=9)
    fished = nothing._replace(printed=3, schools=6)
    reefs = nothing._replace(coral=1, full_reefs=8)
    assert ranks([achieved, fished, reefs]) == [1, 1, 1]
