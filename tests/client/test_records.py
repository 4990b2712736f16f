"""The record of a game: written, read, and played again."""

import json
from dataclasses import replace
from typing import Any

import pytest

import finspan
from finspan import BadRecord, Game, LocalService, Record, ReplayDiffers, Setup, read_records, replay


@pytest.fixture(scope="module")
def record(local: LocalService) -> Record:
    setup = Setup("a record", ("Ada", "Bob", "Cleo"), "b")
    bots: list[finspan.Bot] = [finspan.GreedyBot(), finspan.RandomBot(1), finspan.RandomBot(2)]
    *_, last = finspan.play(setup.begin(local), bots)
    return Record.of(setup, last.after)


def test_it_has_all_that_the_game_is(local: LocalService, record: Record) -> None:
    *_, last = replay(local, record)
    assert last.after.digest == record.digest
    assert last.after.moves == record.moves
    assert record.rules_version == last.after.state.rules_version
    totals = [player.total for player in last.after.score().players]
    assert [score["total"] for score in record.scores] == totals
    assert record.winners == [record.setup.names[seat] for seat in last.after.score().winners]


def test_it_survives_a_file(record: Record) -> None:
    line = record.to_json()
    assert "\n" not in line
    assert Record.from_json(line) == record
    assert read_records([line + "\n", "\n", line]) == [record, record]


def test_a_game_with_reefs_is_written_and_played_again(local: LocalService) -> None:
    setup = Setup("reefs", ("Ada", "Bob"), expansions=("sharks_and_reefs",))
    *_, last = finspan.play(setup.begin(local), [finspan.GreedyBot(), finspan.RandomBot(1)])
    record = Record.from_json(Record.of(setup, last.after).to_json())
    assert record.setup == setup
    scores = last.after.score().players
    assert [(score["coral"], score["full_reefs"]) for score in record.scores] == [
        (score.coral, score.full_reefs) for score in scores
    ]
    *_, again = replay(local, record)
    assert again.after.digest == record.digest


def test_the_record_of_a_base_game_knows_nothing_of_reefs(record: Record) -> None:
    assert set(record.scores[0]) == {
        *("achievements", "game_end", "printed", "consumed", "eggs", "young", "schools"),
        *("total", "cards_in_hand", "rank"),
    }


def test_it_begins_the_same_game(local: LocalService, record: Record) -> None:
    game = record.setup.begin(local)
    assert [player.display_name for player in game.state.players] == ["Ada", "Bob", "Cleo"]
    assert game.digest == Game.new(local, 3, seed="a record", side="b").digest


DIFFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "another rules version": ({"rules_version": "0"}, r"The rules version is 1 and was 0\."),
    "another digest": ({"digest": "0" * 64}, r"The digest is [0-9a-f]{64} and was 0{64}\."),
    "another score": ({"scores": ()}, r"The score is .* and was \(\)\."),
    "a move that is not legal": (
        {"moves": ("draw",)},
        r"Move 1, draw, cannot be made: .*play a fish or dive",
    ),
    "a move that is none": ({"moves": ("jump",)}, r"Move 1, jump, cannot be made: 'jump' is no move\."),
    "no moves": ({"moves": ()}, "The digest is"),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_game_that_comes_out_otherwise_is_told(local: LocalService, record: Record, name: str) -> None:
    changes, said = DIFFERENCES[name]
    with pytest.raises(ReplayDiffers, match=said):
        list(replay(local, replace(record, **changes)))


def test_moves_after_the_end_are_told(local: LocalService, record: Record) -> None:
    longer = replace(record, moves=(*record.moves, "pass"))
    with pytest.raises(ReplayDiffers, match=rf"Move {len(longer.moves)}, pass, cannot be made"):
        list(replay(local, longer))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, "its format is 2, and only 1 is known here"),
        ({"digest": None}, "'digest' is missing"),
        ({"names": "Ada"}, "'Ada' is no list of texts"),
        ({"moves": [1]}, r"\[1\] is no list of texts"),
        ({"options": {"side": "c", "tiles": [], "expansions": []}}, "'c' is not known here"),
        ({"options": {"side": "a", "tiles": [], "expansions": ["x"]}}, "'x' is not known here"),
        ({"options": {}}, "'expansions' is missing"),
        ({"scores": [{"total": "many"}]}, "invalid literal"),
        ({"scores": 3}, "not iterable"),
    ],
)
def test_what_is_no_record_is_refused(record: Record, changes: dict[str, Any], said: str) -> None:
    fields = json.loads(record.to_json()) | changes
    line = json.dumps({name: value for name, value in fields.items() if value is not None})
    with pytest.raises(BadRecord, match=f"^line 2: no record of a game: .*{said}"):
        read_records([record.to_json(), line])


@pytest.mark.parametrize("line", ["no JSON", "[]", "3", '"text"', "null"])
def test_a_line_that_is_no_object_is_refused(line: str) -> None:
    with pytest.raises(BadRecord, match=r"^line 1: no record of a game: "):
        read_records([line])
