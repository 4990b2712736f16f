"""A person in a seat of a hosted game, in the terminal; bots that are looked after in others."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

import finspan
from finspan import Game, LocalService, hosted
from finspan.hosted import HostedTable, look_after
from finspan.terminal import COMMANDS, Left
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer
from tests.client.relay import Fault, Relay, Relayed


class Evening:
    """A hosted game of Ada and Bob; Ada sits in a terminal, and Bob moves whenever she waits."""

    def __init__(self, service: finspan.Service, monkeypatch: pytest.MonkeyPatch) -> None:
        first, tokens = Game.host(service, 2, names=["Ada", "Bob"])
        self.service, self.id, self.tokens = service, first.game_id, tokens
        self.ada, self.bob = (Game.join(service, self.id, token) for token in tokens)
        self.waits = 0
        self.while_waiting: Callable[[], object] = self.bob_moves
        monkeypatch.setattr(hosted, "sleep", self._wait)
        if self.ada.seat == 1:
            self.bob_plays()

    def _wait(self, _seconds: float) -> None:
        self.waits += 1
        self.while_waiting()

    def bob_moves(self) -> None:
        """Let Bob make a first move, if he is to."""
        self.bob = self.bob.latest()
        if self.bob.is_own_turn:
            self.bob = self.bob.apply(self.bob.legal_moves[0])

    def bob_plays(self) -> None:
        """Let Bob move until Ada is to."""
        while (latest := self.bob.latest()).is_own_turn:
            self.bob = latest
            self.bob_moves()

    def sit(self, *said: str | Callable[[], str], token: str | None = None) -> "Sitting":
        game = Game.join(self.service, self.id, self.tokens[0] if token is None else token)
        return Sitting(game, *said)


class Sitting:
    """A time at the table, in which a person says these things and then leaves."""

    def __init__(self, game: Game, *said: str | Callable[[], str], pause: float = 1) -> None:
        self.said = list(said)
        self.console = Console(file=StringIO(), width=100, force_terminal=False)
        self.table = HostedTable(game, self.console, self._ask, pause)
        self.has_left = False

    def _ask(self, _prompt: str) -> str:
        if not self.said:
            raise EOFError
        line = self.said.pop(0)
        line = line if isinstance(line, str) else line()
        self.console.print("> " + line, markup=False)
        return line

    def shown(self) -> str:
        """Play on until the person leaves or the game is over, and return all that was shown."""
        with self.console.capture() as capture:
            try:
                self.table.play()
            except Left:
                self.has_left = True
        return "\n".join(line.rstrip() for line in capture.get().splitlines())

    def answer(self) -> str:
        """Return what was shown after the last thing that was said."""
        return self.shown().rpartition("\n> ")[2].partition("\n")[2]


pytestmark = pytest.mark.usefixtures("same_cards")


@pytest.fixture
def evening(local: LocalService, monkeypatch: pytest.MonkeyPatch) -> Evening:
    return Evening(local, monkeypatch)


def test_one_is_told_who_plays_and_what_is_to_decide(evening: Evening) -> None:
    text = evening.sit().shown()
    assert text.startswith("You are Ada. A number, or: ocean, hand, ")
    assert "At the table: Ada, Bob. Ctrl-C leaves it; you can come back." in text
    assert "Ada: play a fish or dive (week 1, turn 1)." in text
    assert "Hand of Ada" in text


def test_one_waits_for_the_others_and_sees_what_they_do(evening: Evening) -> None:
    sitting = evening.sit("dive:blue", *["pass"] * 6)
    text = sitting.shown()
    assert text.count("Waiting for Bob.\n") == 1
    assert evening.waits > 1
    assert BOB_MOVED in text
    assert "Week 1, turn 2 ─" in text.partition(BOB_MOVED)[2]


def test_one_leaves_and_comes_back_to_what_happened_meanwhile(evening: Evening) -> None:
    first = evening.sit("dive:blue", *["pass"] * 6)
    evening.while_waiting = evening.bob_plays
    first.shown()
    text = evening.sit().shown()
    assert first.has_left
    told = text.partition("you can come back.\n")[2].partition("Week 1, turn 2")[0]
    assert told.startswith("Bob ")
    assert "Ada" not in told


@pytest.mark.parametrize("who", [0, 1])
def test_a_whole_game_is_played_to_its_final_score(
    local: LocalService, monkeypatch: pytest.MonkeyPatch, who: int
) -> None:
    evening = Evening(local, monkeypatch)
    if who:
        evening.ada, evening.bob, evening.tokens = evening.bob, evening.ada, evening.tokens[::-1]
        evening.bob_plays()
    sitting = evening.sit(*["1"] * 400)
    text = sitting.shown()
    assert not sitting.has_left
    assert [text.count(f"Score after week {week}") for week in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert text.count("Final score") == 1
    assert text.splitlines()[-1].startswith("Winner")
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text
    assert "Traceback" not in text


def test_there_is_no_undo(evening: Evening) -> None:
    answer = evening.sit("dive:purple", "undo").answer()
    assert answer.startswith("There is no undo here: the others have seen what you did.")


def test_help_has_the_same_commands(evening: Evening) -> None:
    text = evening.sit("help").answer()
    assert all(f"  {command.usage} " in text for command in COMMANDS)
    assert "undo              not in a hosted game" in text


def test_the_log_has_what_was_before_one_came(evening: Evening) -> None:
    evening.sit("dive:blue", *["pass"] * 6).shown()
    text = evening.sit("log").answer()
    assert "Week 1 begins with Bob as first player.\n\nBob begins turn 1 of week 1.\nBob pays " in text
    assert "Ada dives in the blue site.\n" in text
    assert text.endswith(BOB_MOVED.partition("Waiting for Bob.\n")[2].rstrip())


def test_whoever_got_ahead_is_explained(evening: Evening) -> None:
    """A person has the same seat open in two terminals."""

    def made_elsewhere() -> str:
        evening.ada.latest().apply("dive:green")
        return "dive:blue"

    answer = evening.sit(made_elsewhere).answer()
    assert answer.startswith(hosted.STALE)
    assert evening.ada.latest().moves[-1] == "dive:green"


def cut_off(call: Relayed) -> None:
    """Carry the call out, and lose the connection then."""
    call.carry_out()
    call.lose_connection()


LOST: dict[str, Fault] = {"before": Relayed.lose_connection, "after": cut_off}


@pytest.mark.parametrize("when", LOST)
def test_a_move_without_an_answer_is_explained(
    local: LocalService, stub_server: StubServer, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    relay = Relay(local, stub_server)
    with finspan.Client(relay.address) as client:
        evening = Evening(client, monkeypatch)

        def in_bad_weather() -> str:
            relay.let("ApplyMove", *[LOST[when]] * 3)
            return "dive:purple"

        answer = evening.sit(in_bad_weather).answer()
        made = evening.ada.latest().moves
    assert answer.replace("\n", " ").startswith(hosted.UNANSWERED)
    assert ("dive:purple" in made) == (when == "after")


def test_a_server_that_is_away_is_asked_again(
    local: LocalService, stub_server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = Relay(local, stub_server)
    with finspan.Client(relay.address) as client:
        evening = Evening(client, monkeypatch)
        weather: Iterator[list[Fault]] = iter([[Relayed.lose_connection], [Relayed.lose_connection], []])

        def next_look() -> None:
            faults = next(weather, [])
            if not faults:
                evening.bob_plays()
            relay.let("GetGame", *faults)

        evening.while_waiting = next_look
        text = evening.sit("dive:blue", *["pass"] * 6).shown()
    assert text.count("The server does not answer (Gone.). It is asked again.") == 1
    assert "Bob " in text.partition("It is asked again.\n")[2]


def test_a_game_that_lost_its_newest_moves_goes_on(evening: Evening) -> None:
    """The person has seen versions that the store has not."""
    version = evening.ada.latest().state.version

    def has_seen_more() -> str:
        seen = v1.GameState()
        seen.CopyFrom(sitting.table.game.state)
        seen.version += 3
        sitting.table.game = replace(sitting.table.game, state=seen)
        return "dive:purple"

    sitting = evening.sit(has_seen_more)
    answer = sitting.answer().replace("\n", " ")
    assert answer.startswith(hosted.STALE)
    assert f"The server has lost what was newest; the game goes on from version {version}." in answer
    assert sitting.table.game.state.version == version


def test_who_watches_is_asked_nothing(local: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = Game.host(local, 1, names=["Ada"], public_watching=True)
    ada = [game]

    def ada_moves(_seconds: float) -> None:
        assert not ada[-1].is_over, "The game is over, and the watcher still waits."
        ada.append(ada[-1].apply(ada[-1].legal_moves[0]))

    monkeypatch.setattr(hosted, "sleep", ada_moves)
    sitting = Sitting(Game.join(local, game.game_id))
    text = sitting.shown()
    assert text.startswith("You watch.\n")
    assert not sitting.has_left
    assert "Winner: Ada" in text
    assert tokens[0] not in text


@pytest.fixture
def discarded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is noted whenever typed keys are discarded."""
    noted: list[str] = []
    monkeypatch.setattr(hosted, "discard_typed", lambda: noted.append("discarded"))
    return noted


def test_what_is_typed_while_others_decide_is_discarded(evening: Evening, discarded: list[str]) -> None:
    sitting = evening.sit(*["ocean", "hand"], "dive:blue", *["pass"] * 6)

    def bob_moves_at_last() -> None:
        assert not discarded
        evening.bob_moves()

    evening.while_waiting = bob_moves_at_last
    sitting.shown()
    assert evening.waits > 1
    assert discarded == ["discarded"]


def test_what_is_typed_before_a_move_is_refused_is_discarded(evening: Evening, discarded: list[str]) -> None:
    def made_elsewhere() -> str:
        evening.ada.latest().apply("dive:green")
        return "dive:blue"

    evening.sit("ocean", made_elsewhere).shown()
    assert discarded == ["discarded"]


def test_who_is_interrupted_while_waiting_has_left(evening: Evening) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    evening.while_waiting = interrupt
    sitting = evening.sit("dive:blue", *["pass"] * 6)
    sitting.shown()
    assert sitting.has_left


def test_bots_are_looked_after_until_the_game_is_over(evening: Evening) -> None:
    bots = {0: (evening.ada, finspan.GreedyBot())}
    last = look_after(evening.bob, bots)
    assert last.is_over
    assert evening.waits > 10
    moved = {entry.seat for entry in last.log() if entry.kind == v1.LOG_ENTRY_KIND_MOVE}
    assert moved == {0, 1}


def test_bots_wait_for_a_server_that_is_away(
    local: LocalService, stub_server: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = Relay(local, stub_server)
    with finspan.Client(relay.address) as client:
        evening = Evening(client, monkeypatch)
        evening.while_waiting = lambda: None
        relay.let("GetGame", *[Relayed.lose_connection] * 2)
        relay.let("ApplyMove", *[Relayed.lose_connection] * 3)
        bots = {seat: (game, finspan.GreedyBot()) for seat, game in enumerate((evening.ada, evening.bob))}
        assert look_after(evening.ada, bots).is_over
    assert evening.waits == 3


def test_bots_that_are_overtaken_go_on(evening: Evening) -> None:
    class Slow:
        is_first = True

        def choose(self, game: Game) -> finspan.AnyMove:
            if self.is_first:
                self.is_first = False
                evening.ada.latest().apply(game.legal_moves[-1])
            return game.legal_moves[0]

    assert look_after(evening.ada, {0: (evening.ada, Slow())}).is_over


BOB_MOVED = """\

Bob begins turn 2 of week 1.
Waiting for Bob.
Bob dives in the blue site.
Bob draws Whitemargin Stargazer.
Bob draws Great Northern Tilefish.
Bob draws Mahi-Mahi.
Bob draws Silver Lightfish.
"""
