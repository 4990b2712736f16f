"""A person at the table: what is shown, what can be said, and how one leaves."""

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TypeVar

import grpc
import pytest
from google.protobuf.message import Message
from rich.console import Console

import finspan
from finspan import (
    Call,
    DeadlineExceeded,
    Failure,
    FinspanError,
    Game,
    LocalService,
    Service,
    Unavailable,
)
from finspan.calls import Expansion
from finspan.terminal import AGAIN, COMMANDS, UNANSWERED, Left, TerminalGame, _reason_text
from finspan.v1 import finspan_pb2 as v1

Reply = TypeVar("Reply", bound=Message)


class Shaky(Service):
    """A service whose first calls of one method fail where there is an x."""

    def __init__(
        self, service: Service, method: str, calls: str, error: type[FinspanError] = Unavailable
    ) -> None:
        self.service, self.method, self.calls, self.error = service, method, iter(calls), error

    def send(self, call: Call[Reply]) -> Reply:
        if call.method == self.method and next(self.calls, "") == "x":
            raise self.error(Failure(grpc.StatusCode.UNAVAILABLE, "Gone."))
        return self.service.send(call)


class Sitting:
    """A game of Ada against a greedy bot, in which she says these things and then leaves."""

    def __init__(
        self,
        local: Service,
        *said: str,
        seed: str = "t1",
        bots: int = 1,
        expansions: Sequence[Expansion] = (),
    ) -> None:
        self.said = list(said)
        names = ["Ada", *(f"Bot {number}" for number in range(bots))]
        self.console = Console(file=StringIO(), width=100, force_terminal=False)
        game = Game.new(local, len(names), seed=seed, names=names, expansions=expansions)
        others = {seat: finspan.GreedyBot() for seat in range(1, len(names))}
        self.table = TerminalGame(game, others, self.console, self._ask)
        self.has_left = False

    def _ask(self, _prompt: str) -> str:
        self.console.print("> ", end="")
        if not self.said:
            raise EOFError
        line = self.said.pop(0)
        self.console.print(line, markup=False)
        return line

    def shown(self) -> str:
        """Play on until she leaves or the game is over, and return all that was shown."""
        with self.console.capture() as capture:
            try:
                self.table.play()
            except Left:
                self.has_left = True
        return "\n".join(line.rstrip() for line in capture.get().splitlines())

    def answer(self) -> str:
        """Return what was shown after the last thing she said."""
        *_, last, _left = self.shown().split("\n>")
        return last.partition("\n")[2]


class Always:
    """Says always the first move, for as long as anybody asks."""

    def __call__(self, _prompt: str) -> str:
        return "1"


def test_a_turn_shows_ocean_hand_decision_and_numbered_moves(local: LocalService) -> None:
    text = Sitting(local).shown()
    assert TURN in text
    assert text.startswith(
        "A number, or: ocean, hand, score, ? (why not), undo, help, quit.\nThe achievements"
    )
    assert "Bot 0 places European Sturgeon on B1." in text
    assert "│ 5 midnight │ Glasshead Grenadier │" in text
    assert "│ 133 │ Porkfish                   │ 1 egg            │ 40 │ 2      │" in text
    assert "is dealt" not in text


def test_a_whole_game_is_played_to_its_final_score(local: LocalService) -> None:
    sitting = Sitting(local, bots=2)
    sitting.table._ask = Always()
    text = sitting.shown()
    assert not sitting.has_left
    assert sitting.table.game.is_over
    assert [text.count(f"Score after week {week}") for week in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert text.count("Week 4, turn 6 ─") == 1
    assert text.splitlines()[-1].startswith("Winner: ")
    assert text.count("Final score") == 1
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


def test_a_whole_game_with_reefs_is_played_to_its_final_score(local: LocalService) -> None:
    sitting = Sitting(local, expansions=["sharks_and_reefs"])
    sitting.table._ask = Always()
    text = sitting.shown()
    assert sitting.table.game.is_over
    assert text.count("│ Coral ") == 4
    assert re.search(r"^│ Reef +│ (\d coral|-) ", text, re.MULTILINE)
    assert "Ada puts a coral into the blue reef." in text
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


def test_cards_of_sets_that_are_not_played_are_not_found(local: LocalService) -> None:
    assert Sitting(local, "card zebra seahorse").answer() == "There is no card 'zebra seahorse'."
    shown = Sitting(local, "card zebra seahorse", expansions=["sharks_and_reefs"]).answer()
    assert "│ 210 │ Zebra Seahorse │" in shown
    assert "sunlight, green, needs 1" in shown


@pytest.mark.parametrize("said", ["22", "dive:blue", " dive:blue  "])
def test_a_move_is_made_by_its_number_or_its_id(local: LocalService, said: str) -> None:
    sitting = Sitting(local, said)
    sitting.shown()
    assert "dive:blue" in sitting.table.game.moves


ANSWERS = {
    "99": "There is no move 99: they are numbered from 1 to 24.",
    "0": "There is no move 0: they are numbered from 1 to 24.",
    "jump": "'jump' is no move, and nothing else that is known here. A number, or: ocean, ",
    "play:95@P3": "Red Lionfish is not in your hand. (R5.1)",
    "egg:B5": "It is a turn: play a fish or dive. (R3.1)",
    "?": "There is a move for each of your cards, and of every kind.",
    "? dive:blue": "That is legal.",
    "? draw": "It is a turn: play a fish or dive. (R3.1)",
    "? 95": "Red Lionfish is not in your hand. (R5.1)",
    "? red lion": "Red Lionfish is not in your hand. (R5.1)",
    "? hatchet": "Giant Hatchetfish can be played on B4, P4, G4.\nNot on B1, B2, B3, B5, B6, ",
    "?95": "Red Lionfish is not in your hand. (R5.1)",
    "?dive:blue": "That is legal.",
    "why 133": "Porkfish can be played on P1, P2, P3.\nNot on B1, ",
    "card 131": "╭─────┬───────────────┬",
    "card nobody": "There is no card 'nobody'.",
    "card": "Which card? Say its id or a part of its name: card tuna.",
    "rule r5.3": "Where: an allowed zone; ",
    "rule RU05": "",
    "rule": "There is no rule ''; R5.3 is one, RU05 a ruling.",
    "ocean": "Ada, divers left: 6, deep bonuses used: none\n╭",
    "o 2": "Bot 0, divers left: 5, deep bonuses used: none\n╭",
    "ocean bot": "Bot 0, divers left: 5",
    "ocean 3": "There is no player 3.",
    "ocean 0": "There is no player 0.",
    "ocean zzz": "There is no player zzz.",
    "hand 9": "There is no player 9.",
    "discard 9": "There is no player 9.",
    "hand": "Hand of Ada\n╭",
    "hand 2": "Hand of Bot 0\n╭",
    "discard": "Discard pile of Ada: no cards.",
    "score": "Score as it stands\n╭",
    "log": "Ada lays an egg on B5.\n",
    "undo": "There is nothing to undo.",
    "": "Ada: play a fish or dive (week 1, turn 1).\nGiant Hatchetfish (50)  2 cards",
    "MOVES": "Ada: play a fish or dive (week 1, turn 1).",
}


@pytest.mark.parametrize("said", ANSWERS)
def test_what_is_said_is_answered(local: LocalService, said: str) -> None:
    sitting = Sitting(local, said)
    assert sitting.answer().startswith(ANSWERS[said])
    assert sitting.has_left


def test_help_names_every_command_and_every_command_is_known(local: LocalService) -> None:
    text = Sitting(local, "help").answer()
    assert all(f"  {command.usage} " in text and command.meaning in text for command in COMMANDS)


def test_why_nothing_names_the_cards_that_cannot_be_played(local: LocalService) -> None:
    for seed in range(10):
        sitting = Sitting(local, "?", seed=str(seed))
        text = sitting.answer()
        for reason in sitting.table.game.why_nothing():
            assert f"{reason.text} ({reason.rule})" in text.replace("\n", " ")


@pytest.mark.parametrize("kind", v1.MoveKind.values())
def test_a_kind_of_move_is_called_in_words(kind: v1.MoveKind.ValueType) -> None:
    text = _reason_text(v1.WhyNot(kind=kind, text="No.", rule="R1"))
    assert re.fullmatch(r"[a-z]+( [a-z]+)*: No\. \(R1\)", text)
    assert "kind" not in text


GONE = UNANSWERED.format("Gone.")


@pytest.mark.parametrize("error", [Unavailable, DeadlineExceeded])
def test_a_move_without_an_answer_can_be_made_again(local: LocalService, error: type[FinspanError]) -> None:
    sitting = Sitting(Shaky(local, "ApplyMove", "x", error), "dive:blue", "ocean", "dive:blue", bots=0)
    text = sitting.shown()
    assert text.count(GONE) == 1
    assert "Ada, divers left: 6" in text.partition(GONE)[2].partition("> dive:blue")[0]
    assert sitting.table.game.moves[0] == "dive:blue"
    assert sitting.has_left


def test_a_question_without_an_answer_can_be_asked_again(local: LocalService) -> None:
    text = Sitting(Shaky(local, "LegalMoves", "x"), "? draw", "? draw").shown()
    assert text.count(GONE) == 1
    assert "> ? draw\nIt is a turn: play a fish or dive. (R3.1)" in text


def test_bots_move_on_when_the_server_answers_again(local: LocalService) -> None:
    sitting = Sitting(Shaky(local, "ApplyMove", "xx"), "", "again")
    text = sitting.shown()
    assert text.count(GONE) == 2
    assert text.endswith("Ada: play a fish or dive (week 1, turn 1).\n" + TURN.partition("1).\n")[2])


@pytest.mark.parametrize("said", [["q"], ["", "QUIT"], []])
def test_one_can_leave_a_server_that_does_not_answer(local: LocalService, said: list[str]) -> None:
    sitting = Sitting(Shaky(local, "ApplyMove", "x" * 9), *said)
    assert sitting.shown().count(GONE) == len(said) or not said
    assert sitting.has_left


def test_a_score_without_an_answer_ends_nothing(local: LocalService) -> None:
    sitting = Sitting(Shaky(local, "Score", "x..xx"), bots=0)
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return "1"

    sitting.table._ask = ask
    text = sitting.shown()
    assert [text.count(f"Score after week {week}") for week in (1, 2, 3)] == [0, 1, 1]
    assert text.count(GONE) == 3
    assert prompts[-2:] == [AGAIN, AGAIN]
    assert text.count("Final score") == 1
    assert text.splitlines()[-1] == "Winner: Ada"


@pytest.mark.parametrize("said", [["dive:purple"], ["dive:purple", "pass"], ["dive:purple", "pass", "1"]])
def test_undo_goes_back_to_ones_own_decision_before(local: LocalService, said: list[str]) -> None:
    once, again = Sitting(local, *said), Sitting(local, *said, "undo", said[-1])
    once.shown()
    assert again.shown().count("Taken back: ") == 1
    assert again.table.game.digest == once.table.game.digest
    assert again.table.game.moves == once.table.game.moves


def test_undo_passes_over_the_moves_of_bots(local: LocalService) -> None:
    sitting = Sitting(local, "dive:blue", *["pass"] * 4, *["undo"] * 9)
    assert sitting.answer().startswith("There is nothing to undo.")
    assert sitting.table.game.seat == 0
    assert sitting.table.game.state.turn == 1


def people(error: type[BaseException]) -> Iterator[str]:
    yield "dive:blue"
    raise error


@pytest.mark.parametrize("error", [EOFError, KeyboardInterrupt])
def test_who_is_interrupted_has_left(local: LocalService, error: type[BaseException]) -> None:
    said = people(error)
    sitting = Sitting(local)
    sitting.table._ask = lambda _: next(said)
    sitting.shown()
    assert sitting.has_left


def test_quit_leaves(local: LocalService) -> None:
    sitting = Sitting(local, "q", "dive:blue")
    sitting.shown()
    assert sitting.has_left
    assert sitting.said == ["dive:blue"]


def test_one_can_play_alone(local: LocalService) -> None:
    sitting = Sitting(local, bots=0)
    sitting.table._ask = Always()
    assert "Winner: Ada" in sitting.shown()


def test_names_are_no_markup(local: LocalService) -> None:
    game = Game.new(local, 1, seed="s", names=["[red]Ada[/blue]"])
    console = Console(file=StringIO(), width=100)
    with console.capture() as capture, pytest.raises(Left):
        TerminalGame(game, {}, console, lambda _: "quit").play()
    assert "Hand of [red]Ada[/blue]" in capture.get()


TURN = """\

Ada: play a fish or dive (week 1, turn 1).
Giant Hatchetfish (50)  2 cards            1 B4    2 P4*   3 G4
Pygmy Seahorse (94)     1 card             4 G1    5 G2*   6 G3
Sargassum Fish (99)     1 card, 1 young    7 B1    8 B2    9 B3
Mandarinfish (131)      1 card            10 B1   11 B2   12 B3   13 P1   14 P2   15 P3
                                          16 G1   17 G2*  18 G3
Porkfish (133)          1 egg             19 P1   20 P2   21 P3
                                         * onto a fish
 22 Dive in the blue site    23 Dive in the purple site    24 Dive in the green site
>"""
