"""Matches: who sits where with which cards, and what the results say."""

from collections import Counter
from dataclasses import replace

import pytest

import finspan
from finspan import LocalService, Record, Setup, play_match, schedule, standings
from finspan.matches import whole
from finspan.tables import results_table
from tests.client.test_tables import drawn


def test_each_seed_is_played_with_everybody_in_every_seat() -> None:
    setups = list(schedule("ABC", 9, seed="s"))
    assert [setup.seed for setup in setups] == ["s-1"] * 3 + ["s-2"] * 3 + ["s-3"] * 3
    assert [setup.names for setup in setups[:3]] == [("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B")]
    seatings = Counter((setup.names[seat], seat) for setup in setups for seat in range(3))
    assert set(seatings.values()) == {3}


@pytest.mark.parametrize(("players", "games"), [(1, 3), (2, 5), (5, 1)])
def test_any_number_of_games_can_be_played(players: int, games: int) -> None:
    setups = list(schedule("ABCDE"[:players], games, seed="s", side="b"))
    assert len(setups) == games
    assert {len(setup.names) for setup in setups} == {players}
    assert {setup.side for setup in setups} == {"b"}


def test_a_match_of_nobody_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="A match needs somebody who plays"):
        schedule([], 3, seed="s")


@pytest.mark.parametrize(("games", "players", "all_games"), [(1, 1, 1), (20, 2, 20), (20, 3, 21), (1, 5, 5)])
def test_a_whole_match_has_everybody_in_every_seat(games: int, players: int, all_games: int) -> None:
    assert whole(games, players) == all_games
    names = "ABCDE"[:players]
    setups = schedule(names, all_games, seed="s")
    seatings = Counter((setup.seed, name, seat) for setup in setups for seat, name in enumerate(setup.names))
    assert set(seatings.values()) == {1}
    assert len(seatings) == all_games * players


def test_a_match_is_played_with_its_expansions(local: LocalService) -> None:
    bots: dict[str, finspan.Bot] = {"a": finspan.RandomBot("a"), "b": finspan.RandomBot("b")}
    setups = schedule(list(bots), 2, seed="s", expansions=["sharks_and_reefs"])
    records = list(play_match(local, bots, setups))
    assert {record.setup.expansions for record in records} == {("sharks_and_reefs",)}
    assert sum(score["coral"] for record in records for score in record.scores) > 0
    text = drawn(results_table(standings(records)))
    assert text.index("│ Schools ") < text.index("│ Coral ") < text.index("│ Full reefs ")


def test_a_match_yields_a_record_after_each_game(local: LocalService) -> None:
    bots: dict[str, finspan.Bot] = {"greedy": finspan.GreedyBot(), "random": finspan.RandomBot(1)}
    moves: list[str] = []
    records: list[Record] = []
    setups = schedule(list(bots), 2, seed="s")
    for record in play_match(local, bots, setups, lambda played: moves.append(played.move.id)):
        records.append(record)
        assert moves == [move for game in records for move in game.moves]
    assert [record.setup.names for record in records] == [("greedy", "random"), ("random", "greedy")]
    assert records[0].moves != records[1].moves
    assert standings(records)["greedy"].wins == 2


def test_the_same_seed_is_the_same_match(local: LocalService) -> None:
    def match() -> list[Record]:
        bots: dict[str, finspan.Bot] = {"a": finspan.RandomBot("a"), "b": finspan.RandomBot("b")}
        return list(play_match(local, bots, schedule("ab", 2, seed="s")))

    assert match() == match()


def record(names: str, *totals: int, eggs: int = 0) -> Record:
    """Return a record of a game with these points; a tie is not broken."""
    scores = tuple(
        dict.fromkeys(("achievements", "game_end", "printed", "consumed", "young", "schools"), 0)
        | {"eggs": eggs, "total": total, "rank": 1 + sum(other > total for other in totals)}
        for total in totals
    )
    return Record(Setup("s", tuple(names)), "1", (), "", scores)


RECORDS = [
    record("AB", 10, 20, eggs=4),
    record("BA", 30, 10, eggs=3),
    record("AB", 40, 40, eggs=2),
]


def test_standings_follow_the_players_not_the_seats() -> None:
    table = standings(RECORDS)
    assert list(table) == ["A", "B"]
    assert [(bot.wins, bot.shared_wins, len(bot.scores)) for bot in table.values()] == [(0, 1, 3), (2, 1, 3)]
    assert [bot.mean("total") for bot in table.values()] == [20, 30]
    assert table["A"].mean("eggs") == 3


def test_the_standard_error_is_that_of_the_mean() -> None:
    table = standings(RECORDS)
    assert table["A"].standard_error == pytest.approx(10)
    assert table["B"].standard_error == pytest.approx(5.7735, abs=1e-4)
    assert standings(RECORDS[:1])["A"].standard_error == 0


def test_games_with_and_without_reefs_make_one_table() -> None:
    with_reefs = record("AB", 12, 8)
    scores = tuple({**score, "coral": 6, "full_reefs": 3} for score in with_reefs.scores)
    table = standings([replace(with_reefs, scores=scores), record("AB", 10, 20)])
    assert [table["A"].mean(category) for category in ("coral", "full_reefs", "total")] == [3, 1.5, 11]
    text = drawn(results_table(table))
    assert "│ Coral              │  3.0 │  3.0 │" in text
    with pytest.raises(KeyError):
        table["A"].mean("corals")


def test_no_games_have_no_standings() -> None:
    assert standings([]) == {}


def test_results_as_a_table() -> None:
    assert drawn(results_table(standings(RECORDS), "3 games")) == RESULTS_DRAWN


RESULTS_DRAWN = """\
3 games
╭────────────────────┬──────┬──────╮
│                    │    A │    B │
├────────────────────┼──────┼──────┤
│ Wins               │    0 │    2 │
│ Shared wins        │    1 │    1 │
├────────────────────┼──────┼──────┤
│ Achievements       │  0.0 │  0.0 │
│ Game-end abilities │  0.0 │  0.0 │
│ Printed points     │  0.0 │  0.0 │
│ Consumed fish      │  0.0 │  0.0 │
│ Eggs               │  3.0 │  3.0 │
│ Young              │  0.0 │  0.0 │
│ Schools            │  0.0 │  0.0 │
├────────────────────┼──────┼──────┤
│ Total              │ 20.0 │ 30.0 │
│ Standard error     │ 10.0 │  5.8 │
╰────────────────────┴──────┴──────╯"""
