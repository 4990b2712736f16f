"""The record of a game: what it was set up with, its moves, and what came of it.

A game can be played again from its record, and must then come out the same. In a file each record is a line
of JSON.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, get_args

from google.protobuf.json_format import MessageToDict

from finspan.calls import Expansion, Side
from finspan.errors import BadRequest, GameIsOver, IllegalMove, NotOffered
from finspan.game import Game
from finspan.playing import Played
from finspan.services import Service

FORMAT: Final = 1
"""The version of how a line of a file is laid out."""

Score = Mapping[str, int]
"""A player's points by category, as the contract names them."""

REEF_SCORES: Final = frozenset({"coral", "full_reefs"})
"""The categories that only games with reefs have (R11)."""


_REFUSALS: Final = (BadRequest, IllegalMove, GameIsOver, NotOffered, ValueError)
"""What says that a record is of no game: other errors, such as a lost connection, say nothing about it."""


class BadRecord(ValueError):
    """A text that is no record of a game."""


class ReplayDiffers(Exception):
    """A game that does not come out as its record says."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game is set up with; together with its moves it is the whole game."""

    seed: str
    names: tuple[str, ...]
    """The players by seat."""
    side: Side = "a"
    tiles: tuple[str, ...] = ()
    expansions: tuple[Expansion, ...] = ()

    def begin(self, service: Service) -> Game:
        """Return the game before its first move."""
        return Game.new(
            service,
            len(self.names),
            seed=self.seed,
            side=self.side,
            tiles=self.tiles,
            expansions=self.expansions,
            names=self.names,
        )


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a game that is over."""

    setup: Setup
    rules_version: str
    moves: tuple[str, ...]
    """The moves by id."""
    digest: str
    """The digest of the last state."""
    scores: tuple[Score, ...]
    """The score sheet by seat."""

    @classmethod
    def of(cls, setup: Setup, game: Game) -> Self:
        """Return the record of a game that was begun with this setup and is over."""
        return cls(setup, game.state.rules_version, game.moves, game.digest, _scores(game))

    @property
    def winners(self) -> list[str]:
        """The names of those who have won; several share the win (R9.3)."""
        pairs = zip(self.setup.names, self.scores, strict=True)
        return [name for name, score in pairs if score["rank"] == 1]

    def to_json(self) -> str:
        """Return the record as a line of JSON."""
        setup = self.setup
        options = {"side": setup.side, "tiles": setup.tiles, "expansions": setup.expansions}
        return json.dumps(
            {
                "format": FORMAT,
                "rules_version": self.rules_version,
                "seed": setup.seed,
                "options": options,
                "names": setup.names,
                "moves": self.moves,
                "digest": self.digest,
                "scores": self.scores,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the record that a line of JSON holds.

        Raises:
            BadRecord: it holds none.

        """
        try:
            return cls._read(json.loads(text))
        except KeyError as error:
            raise BadRecord(f"no record of a game: {error} is missing") from error
        except (AttributeError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise BadRecord(f"no record of a game: {error}") from error

    @classmethod
    def _read(cls, fields: Mapping[str, Any]) -> Self:
        if fields["format"] != FORMAT:
            raise ValueError(f"its format is {fields['format']}, and only {FORMAT} is known here")
        options = fields["options"]
        expansions = tuple(_known(name, Expansion) for name in _texts(options["expansions"]))
        side, tiles = _known(options["side"], Side), _texts(options["tiles"])
        setup = Setup(str(fields["seed"]), _texts(fields["names"]), side, tiles, expansions)
        scores = tuple(
            {str(name): int(points) for name, points in score.items()} for score in fields["scores"]
        )
        return cls(
            setup, str(fields["rules_version"]), _texts(fields["moves"]), str(fields["digest"]), scores
        )


def read_records(lines: Iterable[str]) -> list[Record]:
    """Return the records of a file's lines.

    Raises:
        BadRecord: a line holds none; the message says which and why.

    """
    return [_numbered(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def replay(service: Service, record: Record) -> Iterator[Played[Game]]:
    """Play a game again from its record, and yield each move as soon as it is carried out.

    Raises:
        ReplayDiffers: it does not come out as recorded; the message says what differs.

    """
    game = _begun(service, record.setup)
    _compare("rules version", game.state.rules_version, record.rules_version)
    for number, id_ in enumerate(record.moves, start=1):
        before, game = game, _replayed(game, number, id_)
        yield Played(before, before.legal_moves[id_], game)
    _compare("digest", game.digest, record.digest)
    _compare("score", _scores(game), record.scores)


def _begun(service: Service, setup: Setup) -> Game:
    try:
        return setup.begin(service)
    except _REFUSALS as error:
        raise ReplayDiffers(f"It cannot be begun: {error}") from error


def _replayed(game: Game, number: int, id_: str) -> Game:
    try:
        return game.apply(id_)
    except _REFUSALS as error:
        raise ReplayDiffers(f"Move {number}, {id_}, cannot be made: {error}") from error


def _compare(what: str, now: object, then: object) -> None:
    if now != then:
        raise ReplayDiffers(f"The {what} is {now} and was {then}.")


def _scores(game: Game) -> tuple[Score, ...]:
    """Return the score sheet by seat; a game without reefs has no points for them."""
    left_out = {"seat"} if game.has_reefs else {"seat", *REEF_SCORES}
    sheets = (
        MessageToDict(player, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
        for player in game.score().players
    )
    return tuple({name: points for name, points in sheet.items() if name not in left_out} for sheet in sheets)


def _numbered(number: int, line: str) -> Record:
    try:
        return Record.from_json(line)
    except BadRecord as error:
        raise BadRecord(f"line {number}: {error}") from error


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError(f"{value!r} is no list of texts")
    return tuple(value)


def _known(value: Any, words: Any) -> Any:  # noqa: ANN401  one of the words of a Literal
    if value not in get_args(words):
        raise ValueError(f"{value!r} is not known here")
    return value
