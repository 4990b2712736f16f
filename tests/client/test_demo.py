"""A game told move by move, without a server: what is shown, and when."""

from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from finspan import GreedyBot, RandomBot, Setup, play
from finspan.demo import demo_bots, play_demo
from finspan.narrator import Every, Narrator
from tests.client.messages import DivesOnly


def told(*, every: Every = "week", quiet: bool = False) -> str:
    console = Console(file=StringIO(), width=100, force_terminal=False)
    with console.capture() as capture:
        play_demo(DivesOnly(), 2, console, seed="s", side="a", every=every, quiet=quiet)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_bots_are_seated_in_turn() -> None:
    bots = demo_bots(3, "s")
    assert list(bots) == ["Greedy 1", "Random 2", "Greedy 3"]
    assert [type(bot) for bot in bots.values()] == [GreedyBot, RandomBot, GreedyBot]


def test_the_game_is_asked_for_as_set_up() -> None:
    service = DivesOnly()
    console = Console(file=StringIO())
    play_demo(service, 2, console, seed="s", side="a", every="week", quiet=True)
    new_game = next(call.request for call in service.calls if call.method == "NewGame")
    assert '"s"' in str(new_game)
    assert "BOARD_SIDE_A" in str(new_game)
    assert "Greedy 1" in str(new_game)


def test_a_whole_game_is_told() -> None:
    text = told()
    assert text.startswith("Rules version 7, seed s\nWeek 1: 1 point for each egg.\n\n")
    assert text.count("Dive in the") == 8
    assert "1.1 Greedy 1    Dive in the green site\n1.1 Random 2    Dive in the" in text
    assert [f"Score after week {week}" in text for week in (1, 2, 3, 4)] == [True, True, True, False]
    assert text.count("Final score") == 1
    assert "Winner: Random 2" in text
    assert text.endswith("8 moves, digest d8")


@pytest.mark.parametrize("name", ["Nebuchadnezzar", "Ada 2 of the long names", "日本海の大きなさかな"])
def test_headings_never_touch_what_is_told(name: str) -> None:
    console = Console(file=StringIO(), width=100, force_terminal=False)
    setup = Setup("s", (name, "Bob"))
    with console.capture() as capture:
        Narrator(console).tell(setup, play(setup.begin(DivesOnly()), [GreedyBot(), GreedyBot()]))
    lines = [line for line in capture.get().splitlines() if "Dive in the" in line]
    assert lines[0].startswith(f"1.1 {name} Dive in the")
    assert len({cell_len(line.partition("Dive in")[0]) for line in lines}) == 1


@pytest.mark.parametrize(("every", "oceans"), [("week", 8), ("turn", 16), ("move", 16)])
def test_oceans_are_shown_as_often_as_asked(every: Every, oceans: int) -> None:
    assert told(every=every).count("│ Row") == oceans


def test_quiet_leaves_the_score_sheets() -> None:
    text = told(quiet=True)
    assert "Dive in" not in text
    assert "│ Row" not in text
    assert text.count("│ Total") == 4
    assert text.endswith("8 moves, digest d8")
