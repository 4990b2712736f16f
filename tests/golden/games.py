"""The golden games, and how they are written and read.

A file has a header, the setup, every move behind a ``>`` with what it brought about below it, oceans and
score sheet at the end of each week, and the digests. The moves alone bring the game back; the rest is for
people to judge. Oceans are written as in `tests.table`. Standard library and engine only, since
`tests.digests` reads the files where nothing else is installed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.engine.cards import CARDS
from service.engine.digest import full_digest, public_digest
from service.engine.event_texts import event_text
from service.engine.events import Event, GameOver, WeekScored
from service.engine.moves import Move, MoveKind
from service.engine.ocean import SITES
from service.engine.rules import RULES_VERSION, DecisionKind, decision
from service.engine.scoring import ranks, score_sheet
from service.engine.state import SHARKS_AND_REEFS, GameState, Options
from service.engine.texts import ability_text, cost_text, player_text
from tests.choosers import Choose, chooser, following
from tests.games import Moment, Setup, moments
from tests.table import ocean_of

DIRECTORY: Final = Path(__file__).parent
REEF_POINTS: Final = ("coral", "full_reefs")
"""The rows of the score sheet that only Sharks & Reefs has (R9.2)."""
MOVE_MARK: Final = " > "
INDENT: Final = "    "


class GoldenGame(NamedTuple):
    """A golden game: the name of its file, what it is set up with, who plays, and what it is there for."""

    name: str
    setup: Setup
    tastes: tuple[str, ...]
    shows: str

    @property
    def path(self) -> Path:
        return DIRECTORY / f"{self.name}.golden"

    def players(self, recorded: Sequence[str] = ()) -> Choose:
        """Return players who make the recorded moves again and choose anew where one is no longer legal."""
        return following(recorded, chooser(self.tastes, self.setup.seed))


REEFS: Final = (SHARKS_AND_REEFS,)
SIDE_B: Final = Options(side="b")
NAMED_TILES: Final = Options(side="b", tiles=("b1_if_activated", "b2_consumed_fish", "b3_every_3_eggs"))

GAMES: Final = (
    GoldenGame("alone", Setup(1, seed="alone 66"), ("breeder",), "one seat, young and schools"),
    GoldenGame("chain", Setup(2, SIDE_B, "chain 11"), ("chainer", "finisher"), "plays after plays"),
    GoldenGame("shared", Setup(3, seed="tie 78"), ("modest",), "little taken, and a shared win"),
    GoldenGame("tiles", Setup(3, NAMED_TILES, "three 28"), ("sharer", "coverer", "even"), "tiles named"),
    GoldenGame("hoard", Setup(4, SIDE_B, "hoard 2"), ("hoarder",), "a deck that runs out for good"),
    GoldenGame("renewal", Setup(5, seed="five 23"), ("hoarder", "spender"), "a deck that is renewed"),
    GoldenGame("reefs", Setup(2, Options(REEFS), "reefs 217"), ("gardener",), "coral, and schools broken up"),
    GoldenGame(
        "scattered",
        Setup(4, Options(REEFS, "b"), "scattered 304"),
        ("gardener", "breeder"),
        "four with reefs, and all that they are good for",
    ),
)


# Written.


def _header(game: GoldenGame) -> Iterator[str]:
    options = game.setup.options
    yield f"rules version: {RULES_VERSION}"
    yield f"shows: {game.shows}"
    yield f"seed: {game.setup.seed}"
    yield f"seats: {game.setup.players}"
    yield f"side: {options.side}"
    if options.expansions:
        yield f"expansions: {', '.join(options.expansions)}"
    if options.tiles:
        yield f"tiles: {', '.join(options.tiles)}"
    yield f"played by: {', '.join(game.tastes)}"


def _oceans(state: GameState, names: Sequence[str]) -> Iterator[str]:
    for name, player in zip(names, state.players, strict=True):
        ocean = ", ".join(f"{slot} {what}" for slot, what in ocean_of(player).items())
        yield f"{INDENT}{name}: {ocean or 'as printed'}"
        if state.options.has_reefs:
            coral = ", ".join(f"{site} {coral}" for site, coral in zip(SITES, player.reefs, strict=True))
            yield f"{INDENT}{name}'s coral: {coral}"


def _points(state: GameState) -> dict[str, list[int]]:
    """Return the rows of the score sheet: a number for each player in each."""
    scores = score_sheet(state)
    rows = {
        name: [getattr(score, name) for score in scores]
        for name in scores[0]._fields
        if state.options.has_reefs or name not in REEF_POINTS
    }
    hands = rows.pop("cards_in_hand")
    totals = [score.total for score in scores]
    return rows | {"total": totals, "cards_in_hand": hands, "rank": ranks(scores)}


def _summary(state: GameState, title: str) -> Iterator[str]:
    """Yield the oceans and the score sheet, a line for each category with a column for each player."""
    names = [player_text(seat, state.names) for seat in range(len(state.players))]
    yield ""
    yield f"{title}: oceans"
    yield from _oceans(state, names)
    yield f"{title + ': points':22}" + "".join(f"{name:>10}" for name in names)
    for name, row in _points(state).items():
        yield f"{INDENT + name.replace('_', ' '):22}" + "".join(f"{points:>10}" for points in row)


def _summary_due(moment: Moment) -> Iterator[str]:
    """Yield the summary when a week was scored or the game is over."""
    for event in moment.events:
        if isinstance(event, GameOver):
            yield from _summary(moment.state, "end of game")
        elif isinstance(event, WeekScored) and event.seat == 0:
            yield from _summary(moment.state, f"week {event.week}")


def _happened(events: Sequence[Event]) -> Iterator[str]:
    return (f"{INDENT}{event_text(event)}" for event in events)


def _card_line(move: Move) -> Iterator[str]:
    """Yield what a card that is played says, so that nobody has to look it up."""
    if move.kind is MoveKind.PLAY_FISH:
        card = CARDS[move.card]
        what = f"{card.name}, {card.length_cm} cm, costs {cost_text(card.cost)}. {ability_text(card)}"
        yield f"{INDENT}({what})"


def _move_lines(moment: Moment) -> Iterator[str]:
    """Yield the move with whoever made it; the moves of a turn stand together."""
    before, move = moment.before, moment.move
    question = decision(before) if before else None
    if question is None or question.kind is DecisionKind.TURN:
        yield ""
    if question is None or move is None:
        yield "setup"
    else:
        yield f"{player_text(question.seat, moment.state.names)}{MOVE_MARK}{move.id}"
        yield from _card_line(move)


def _digests(state: GameState) -> Iterator[str]:
    yield ""
    yield f"moves: {state.version}"
    yield f"public digest: {public_digest(state)}"
    yield f"full digest: {full_digest(state)}"


def text_of(game: GoldenGame, played: Sequence[Moment]) -> str:
    """Return a golden game as its file has it."""
    lines = list(_header(game))
    for moment in played:
        lines += [*_move_lines(moment), *_happened(moment.events), *_summary_due(moment)]
    lines += _digests(played[-1].state)
    return "\n".join(lines) + "\n"


def play(game: GoldenGame, recorded: Sequence[str] = ()) -> list[Moment]:
    """Play a golden game, with the moves that are recorded as far as they are legal."""
    return list(moments(game.setup, game.players(recorded)))


# Read.


class Recorded(NamedTuple):
    """What a file says of its game: the moves by id, and the digests at the end."""

    moves: tuple[str, ...]
    public_digest: str
    full_digest: str


def read(text: str) -> Recorded:
    """Return what the text of a golden game says."""
    lines = text.splitlines()
    moves = tuple(
        line.partition(MOVE_MARK)[2] for line in lines if MOVE_MARK in line and not line.startswith(INDENT)
    )
    public, full = (line.partition(": ")[2] for line in lines[-2:])
    return Recorded(moves, public, full)
