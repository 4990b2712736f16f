"""A person at the table, in the terminal, against bots; `finspan.hosted` has the same for hosted games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from finspan.bots import Bot
from finspan.errors import DeadlineExceeded, Unavailable
from finspan.game import Game
from finspan.moves import AnyMove, NotAMove
from finspan.tables import (
    choices_table,
    hand_table,
    kind_text,
    ocean_table,
    player_names,
    score_table,
    word_of,
)
from finspan.v1 import finspan_pb2 as v1

PROMPT: Final = "> "
HINT: Final = "A number, or: ocean, hand, score, ? (why not), undo, help, quit."
UNANSWERED: Final = "The server does not answer ({}). Nothing is lost: try again, or quit."
AGAIN: Final = "Enter tries again. "
"""The prompt where nobody is asked for anything else."""
LOG_LINES: Final = 30
"""How much of what has happened ``log`` shows."""
OPENING: Final = ("achievements_chosen", "week_began")
"""The events of setup that are told: what is dealt can be seen."""
UNTOLD: Final = ("bonus_gained", "fish_activated", "game_end_began")
"""Events that are not told: what comes of them is."""


WHICH_CARD: Final = "Which card? Say its id or a part of its name: card tuna."


class Left(Exception):
    """The person has left the table."""


class TerminalGame:
    """A game of a person against bots: shows it, listens, and makes the moves of all.

    Args:
        game: Where to begin.
        bots: The bots by seat; a seat without one is the person's.
        console: Where it is shown.
        ask: Returns what the person says to a prompt; EOFError or KeyboardInterrupt leave the table.

    """

    def __init__(
        self, game: Game, bots: Mapping[int, Bot], console: Console, ask: Callable[[str], str] = input
    ) -> None:
        self.game = game
        self._bots = bots
        self._console = console
        self._ask = ask
        self._names = player_names(game.state.players)
        self._turn_shown = (0, 0)

    def play(self) -> Game:
        """Play to the end and return the game that is over.

        Raises:
            Left: the person has left before.

        """
        try:
            self._begin()
            while not self.game.is_over:
                self._go_on()
        except (EOFError, KeyboardInterrupt):
            raise Left from None
        self._end()
        return self.game

    def _begin(self) -> None:
        self._say(HINT)
        self._open()

    def _open(self) -> None:
        """Tell what setup has brought."""
        self._tell(event for event in self.game.events if event.WhichOneof("event") in OPENING)

    def _end(self) -> None:
        while not self._is_answered(lambda: self._scores("Final score")):
            self._ask_again()

    def _go_on(self) -> None:
        bot = self._bots.get(self.game.seat)
        if bot is None:
            self._listen()
        elif not self._is_answered(lambda: self._make(bot.choose(self.game.without_hidden_part()))):
            self._ask_again()

    def _is_answered(self, step: Callable[[], None]) -> bool:
        """Do something, and return whether the server has answered; if not, say so: the game is as it was."""
        try:
            step()
        except (Unavailable, DeadlineExceeded) as error:
            self._say(UNANSWERED.format(error))
            return False
        return True

    def _ask_again(self) -> None:
        """Wait until the person wants to try again, or leaves."""
        said = self._ask(AGAIN).strip().lower()
        if said and "quit".startswith(said):
            self.quit()

    def _is_others(self, seat: int) -> bool:
        """Return whether a seat is that of another player."""
        return seat in self._bots

    def _commands(self) -> "Sequence[Command]":
        """Return what a person can say beside a move."""
        return COMMANDS

    def _command(self, word: str) -> "Command | None":
        """Return the first command that begins like this."""
        word = ALIASES.get(word.lower(), word.lower())
        return next((command for command in self._commands() if command.usage.startswith(word)), None)

    def _listen(self) -> None:
        """Ask for a decision, and do what the person says until the game has changed."""
        self._say()
        self._turn()
        self.moves()
        before = self.game
        while self.game is before:
            said = " ".join(self._ask(PROMPT).split())
            self._is_answered(partial(self._hear, said))

    def _hear(self, said: str) -> None:
        word, _, rest = (f"? {said[1:].strip()}" if said.startswith("?") else said).partition(" ")
        if said.isdecimal():
            self._choose(int(said))
        elif said in self.game.legal_moves:
            self._make(said)
        elif (command := self._command(word)) is not None:
            command.run(self, rest)
        else:
            self._refuse(said)

    def _choose(self, number: int) -> None:
        moves = self.game.legal_moves
        if 1 <= number <= len(moves):
            self._make(moves[number - 1])
        else:
            self._say(f"There is no move {number}: they are numbered from 1 to {len(moves)}.")

    def _refuse(self, said: str) -> None:
        """Say why something is no move now."""
        try:
            self._reasons(self.game.why_not(said), "That is legal.")
        except NotAMove:
            self._say(f"{said!r} is no move, and nothing else that is known here. {HINT}")

    def _make(self, move: AnyMove) -> None:
        self._go_to(self.game.apply(move))

    def _go_to(self, game: Game) -> None:
        """Take up a later moment of the game, and tell what has happened until then."""
        week, self.game = self.game.state.week, game
        self._tell(self.game.news)
        if week != self.game.state.week:
            self._is_answered(lambda: self._scores(f"Score after week {week}"))

    # What a person can ask for.

    def moves(self, _: str = "") -> None:
        """Show the decision and its moves."""
        game = self.game
        self._say(game.decision.text, style="bold")
        self._console.print(choices_table(game.legal_moves, game.player, game.catalog))

    def ocean(self, who: str = "") -> None:
        """Show an ocean."""
        seat = self._seat(who)
        if seat is None:
            return
        player = self.game.state.players[seat]
        used = ", ".join(word_of(v1.Site.Name(site)) for site in player.deep_bonuses_used)
        facts = [
            self._names[seat],
            f"divers left: {player.divers_left}",
            f"deep bonuses used: {used or 'none'}",
        ]
        self._show(ocean_table(player, self.game.catalog, ", ".join(facts)))

    def hand(self, who: str = "") -> None:
        """Show a hand."""
        seat = self._seat(who)
        if seat is not None:
            self._cards(self.game.state.players[seat].hand, f"Hand of {self._names[seat]}")

    def discard_pile(self, who: str = "") -> None:
        """Show a discard pile."""
        seat = self._seat(who)
        if seat is not None:
            self._cards(self.game.state.players[seat].discard_pile, f"Discard pile of {self._names[seat]}")

    def score(self, _: str = "") -> None:
        """Show the score sheet as it stands, and the achievements."""
        self._scores("Score as it stands")
        for achievement in self.game.state.achievements:
            self._say(self.game.catalog.achievements[achievement].text)

    def log(self, _: str = "") -> None:
        """Show what has happened lately."""
        self._tell(self.game.events[-LOG_LINES:])

    def card(self, name: str) -> None:
        """Show a card, named by its id or a part of its name."""
        cards = _cards_named(name, self.game)
        if not name:
            self._say(WHICH_CARD)
        elif cards:
            self._cards(cards, "")
        else:
            self._say(f"There is no card {name!r}.")

    def why(self, what: str = "") -> None:
        """Say why not: of a card, of a move, or of whatever is not offered."""
        cards = _cards_named(what, self.game) if what else []
        if not what:
            self._reasons(
                self.game.why_nothing(), "There is a move for each of your cards, and of every kind."
            )
        elif cards:
            self._why_card(cards[0])
        else:
            self._refuse(what)

    def rule(self, number: str) -> None:
        """Show a rule or a ruling."""
        catalog = self.game.catalog
        rule, ruling = catalog.rules.get(number.upper()), catalog.rulings.get(number.upper())
        texts = [rule.text] if rule else [ruling.ruling] if ruling else []
        self._say(*(texts or [f"There is no rule {number!r}; R5.3 is one, RU05 a ruling."]))

    def undo(self, _: str = "") -> None:
        """Go back to the person's own decision before."""
        older = self.game.previous
        while older is not None and self._is_others(older.seat):
            older = older.previous
        if older is None:
            self._say("There is nothing to undo.")
        else:
            taken_back = older.legal_moves[self.game.moves[len(older.moves)]]
            self._say(f"Taken back: {taken_back.text}.")
            self.game = older
            self._turn_shown = (0, 0)

    def help(self, _: str = "") -> None:
        """Say what can be said."""
        self._say("A number makes that move; so does its id, such as dive:blue. Words may be shortened.")
        for command in self._commands():
            self._say(f"  {command.usage:<18}{command.meaning}")

    def quit(self, _: str = "") -> None:
        """Leave the table."""
        raise Left

    # How it is shown.

    def _turn(self) -> None:
        """Show ocean and hand when a turn of the person's own begins."""
        state = self.game.state
        if state.seat == self.game.seat and self._turn_shown != (state.week, state.turn):
            self._turn_shown = (state.week, state.turn)
            self._console.print(Rule(Text(f"Week {state.week}, turn {state.turn}"), align="left"))
            self.ocean()
            self.hand()

    def _cards(self, cards: Iterable[int], title: str) -> None:
        held = list(cards)
        if held:
            self._show(hand_table(held, self.game.catalog, title))
        else:
            self._show(Text(f"{title}: no cards."))

    def _why_card(self, card: int) -> None:
        """Say where a card can be played, and why not elsewhere, the slots of the same rule together."""
        catalog, legal = self.game.catalog, self.game.legal_moves
        plays = {slot.name: f"play:{card}@{slot.name}" for slot in catalog.slots.values()}
        if slots := [name for name, play in plays.items() if play in legal]:
            self._say(f"{catalog.cards[card].name} can be played on {', '.join(slots)}.")
        reasons = self.game.why_not(*(play for play in plays.values() if play not in legal))
        for rule in dict.fromkeys(reason.rule for reason in reasons):
            self._why_slots([reason for reason in reasons if reason.rule == rule])

    def _why_slots(self, reasons: Sequence[v1.WhyNot]) -> None:
        """Say why a card cannot be played on slots that the same rule forbids."""
        slots = [self.game.catalog.slots[reason.move.play_fish.slot].name for reason in reasons]
        texts = list(dict.fromkeys(map(_reason_text, reasons)))
        where = "" if len(slots) == len(self.game.catalog.slots) else f"Not on {', '.join(slots)}: "
        self._say(f"{where}{'for example, ' if len(texts) > 1 else ''}{texts[0]}")

    def _reasons(self, reasons: Iterable[v1.WhyNot], otherwise: str) -> None:
        self._say(*([_reason_text(reason) for reason in reasons] or [otherwise]))

    def _scores(self, title: str) -> None:
        self._show(score_table(self.game.score(), self._names, title, has_reefs=self.game.has_reefs))

    def _tell(self, events: Iterable[v1.Event]) -> None:
        """Tell what has happened, each turn of another player after a blank line."""
        for event in events:
            if event.HasField("turn_began") and self._is_others(event.seat):
                self._say()
            if not self._goes_without_saying(event):
                self._say(event.text)

    def _goes_without_saying(self, event: v1.Event) -> bool:
        if event.HasField("turn_began"):
            return not self._is_others(event.seat)  # its heading follows
        if event.HasField("diver_placed"):
            return not event.diver_placed.site  # the fish that it is used for follows
        return event.WhichOneof("event") in UNTOLD

    def _seat(self, who: str) -> int | None:
        """Return the seat that a number or the beginning of a name means; nobody is the person asked.

        If there is no such player, that is said.
        """
        if not who:
            return self.game.seat
        if who.isdecimal() and 1 <= int(who) <= len(self._names):
            return int(who) - 1
        for seat, name in enumerate(self._names):
            if name.lower().startswith(who.lower()):
                return seat
        self._say(f"There is no player {who}.")
        return None

    def _say(self, *texts: str, style: str = "") -> None:
        for text in texts or ("",):
            self._console.print(Text(text, style))

    def _show(self, what: RenderableType) -> None:
        self._console.print(what, "")


class Command(NamedTuple):
    """What a person can say beside a move: its words, what it is for, and what does it."""

    usage: str
    meaning: str
    run: Callable[[TerminalGame, str], None]


COMMANDS: Final = (
    Command("ocean [player]", "an ocean, yours or that of a player by number or name", TerminalGame.ocean),
    Command("hand [player]", "a hand", TerminalGame.hand),
    Command("discard [player]", "a discard pile", TerminalGame.discard_pile),
    Command("moves", "the decision and its moves again; so does an empty line", TerminalGame.moves),
    Command("score", "the score sheet as it stands, and the achievements", TerminalGame.score),
    Command("?", "why there is no move for some of your cards, or of some kind", TerminalGame.why),
    Command("? card", "why a card, by id or name, cannot be played where", TerminalGame.why),
    Command("? move", "why a move such as egg:B2 is not legal", TerminalGame.why),
    Command("card name", "a card by id or name", TerminalGame.card),
    Command("rule R5.3", "a rule, or a ruling such as RU05", TerminalGame.rule),
    Command("log", "what has happened lately", TerminalGame.log),
    Command("undo", "back to your decision before", TerminalGame.undo),
    Command("help", "this", TerminalGame.help),
    Command("quit", "leave the game; so does Ctrl-D", TerminalGame.quit),
)


ALIASES: Final = {"": "moves", "why": "?"}
"""Other words for commands."""


def _cards_named(name: str, game: Game) -> list[int]:
    """Return the cards that an id or a part of a name means, those in hand first."""
    held = list(game.player.hand)
    every = [*held, *(card for card in game.catalog.cards_of(game.state.options) if card not in held)]
    if name.isdecimal():
        return [card for card in every if card == int(name)]
    return [card for card in every if name and name.lower() in game.catalog.cards[card].name.lower()]


def _reason_text(reason: v1.WhyNot) -> str:
    kind = f"{kind_text(reason.kind)}: " if reason.HasField("kind") else ""
    return f"{kind}{reason.text} ({reason.rule})"
