"""Scenes: what a card does, as text that a player can judge and that runs.

The files in ``card_scenes`` were written by hand from the printed facts. A scene begins with the ids of the
cards that print the same, each of which plays it as ``this``, and a title:

    12 43  recover 1 when the diver passes
      ocean       B1 this; P3 y
      discard     20 21
      dive:blue   -> recover:20,21 pass
      recover:21  -> turn of 1
      hand        21
      discard     20

First comes what lies on the table, in the notation of `tests.table`. An ocean of which nothing is said is
that of the setup (R2.1). A number in front names another seat than 0, and there are as many players as are
named, at least two. Then come the moves, each with what is asked after it: all legal moves, of the seat in
front of them if it is not 0. Last comes what has changed; what is not named there lies as it did. A comma
lists what several moves would name, ``young:*`` every slot, ``young:*-B1,B2`` every slot but these and
``move_young:P3>*`` every slot in a line with P3. A move that is ``refused R5.3`` is not legal then, for this
rule. Bonuses and reef purchases are declined on the way and not written down.

A card of Sharks & Reefs is played with that expansion. ``reefs 1 2 0`` is the coral of the blue, purple and
green reef, none where nothing is said.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from service.engine.check import check
from service.engine.errors import IllegalMove
from service.engine.events import BonusSource
from service.engine.rules import DecisionKind, decision, legal_moves
from service.engine.state import Frame, GameState, Player
from tests import facts
from tests.facts import SLOTS
from tests.table import NO_CORAL, START_OCEAN, Ocean, ocean_of, play, situation

FILES = (
    "when_played",
    "if_activated",
    "game_end",
    "reefs_when_played",
    "reefs_if_activated",
    "reefs_game_end",
)


class Side(NamedTuple):
    """What is said of one seat; None: nothing."""

    ocean: Ocean | None = None
    hand: list[int] | None = None
    discard: list[int] | None = None
    reefs: list[int] | None = None


class Step(NamedTuple):
    """A move (none at the start), and what is asked after it or which rule refuses it."""

    move: str
    asked: str
    refused: str


class Scene(NamedTuple):
    """One card's scene: the table before, the moves, what lies otherwise after them."""

    card: int
    title: str
    start: GameState
    steps: list[Step]
    changes: dict[int, Side]


# Reading a scene.

_SCENE = re.compile(r"((?:\d+ )+) *(.+)((?:\n  .+)+)\n*")
_SIDE = re.compile(r"(?:(\d) +)?(ocean|hand|discard|reefs) +(.+)")
_TABLE = re.compile(r"(deck|turn of|game end) *(.*)")
_SEVERAL = re.compile(r"(.*?)(\*(?:-[^:>@]+)?|[^:>@]+,[^:>@]+)(.*)")
_STEP = re.compile(r"(\S*) *(?:-> *(.+)|refused (\S+))")


def _read(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not in the notation")
    return match


def _ocean(text: str) -> Ocean:
    """``B1 12 e; P3 -`` names slots and what lies there, ``-`` being nothing."""
    slots = (entry.split(maxsplit=1) for entry in text.split(";"))
    return {name: "" if what == "-" else what for name, what in slots}


def _cards(text: str) -> list[int]:
    return [] if text == "-" else [int(card) for card in text.split()]


def _side(said: dict[str, str]) -> Side:
    ocean = _ocean(said["ocean"]) if "ocean" in said else None
    hand, discard, reefs = (
        _cards(said[key]) if key in said else None for key in ("hand", "discard", "reefs")
    )
    return Side(ocean, hand, discard, reefs)


def _sides(lines: Iterable[str]) -> dict[int, Side]:
    said: dict[int, dict[str, str]] = defaultdict(dict)
    for line in lines:
        seat, key, value = _read(_SIDE, line).groups("0")
        said[int(seat)][key] = value
    return {seat: _side(of_seat) for seat, of_seat in said.items()}


def _start(card: int, lines: list[str]) -> GameState:
    sides = _sides(line for line in lines if _SIDE.fullmatch(line))
    rest = [_read(_TABLE, line) for line in lines if not _SIDE.fullmatch(line)]
    table = {match[1]: match[2] for match in rest}
    seats = [sides.get(seat, Side()) for seat in range(max(1, *sides) + 1)]
    week, turn, frame = (4, 6, Frame.GAME_END) if "game end" in table else (1, 1, Frame.TURN)
    has_reefs = facts.CARDS[card]["set"] == "sharks_and_reefs"
    return situation(
        oceans=[START_OCEAN if side.ocean is None else side.ocean for side in seats],
        hands=[side.hand or () for side in seats],
        discards=[side.discard or () for side in seats],
        reefs=[side.reefs or NO_CORAL for side in seats] if has_reefs else None,
        deck=_cards(table["deck"]) if "deck" in table else None,
        seat=int(table.get("turn of", 0)),
        week=week,
        turn=turn,
        frame=frame,
    )


def _scene(card: int, title: str, text: str) -> Scene:
    lines = [line.strip() for line in re.sub(r"\bthis\b", str(card), text).splitlines()]
    steps = [index for index, line in enumerate(lines) if _STEP.fullmatch(line)]
    first, end = steps[0], steps[-1] + 1
    moves = [Step(*_read(_STEP, line).groups("")) for line in lines[first:end]]
    return Scene(card, title, _start(card, lines[:first]), moves, _sides(lines[end:]))


def scenes_in(name: str) -> Iterator[Scene]:
    """Yield the scenes of a file, one for each card that a heading names."""
    text = Path(__file__).with_name("card_scenes").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    _, *scenes = re.split(r"\n\n+", text)
    for scene in scenes:
        cards, title, lines = _read(_SCENE, scene).groups()
        for card in cards.split():
            yield _scene(int(card), title, lines.strip("\n"))


# Playing a scene.


def _in_line(slot: str) -> list[str]:
    return [to for to in SLOTS if to != slot and (to[0] == slot[0] or to[1] == slot[1])]


def _spelt_out(word: str) -> Iterator[str]:
    """``egg:B1,P2`` is ``egg:B1`` and ``egg:P2``."""
    match = _SEVERAL.fullmatch(word)
    if match is None:
        yield word
        return
    before, names, after = match.groups()
    for name in _named(before, names):
        yield f"{before}{name}{after}"


def _named(before: str, names: str) -> list[str]:
    every, _, but = names.partition("-")
    if every != "*":
        return names.split(",")
    slots = _in_line(before[-3:-1]) if before.endswith(">") else SLOTS
    return [slot for slot in slots if slot not in but.split(",")]


def _expected(asked: str) -> str:
    if asked == "over" or asked.startswith("turn of "):
        return asked
    seat, moves = asked.split(": ") if ": " in asked else ("0", asked)
    return f"{seat}: " + " ".join(sorted(id_ for word in moves.split() for id_ in _spelt_out(word)))


def _asked(state: GameState) -> str:
    """Write down the open decision as a scene does, spelt out."""
    question = decision(state)
    if question is None:
        return "over"
    if question.kind is DecisionKind.TURN:
        return f"turn of {question.seat}"
    return f"{question.seat}: " + " ".join(sorted(move.id for move in legal_moves(state)))


def _without_bonuses(state: GameState) -> GameState:
    while (question := decision(state)) is not None and isinstance(question.source, BonusSource):
        state = play(state, "pass").state
    return state


def _refusal(state: GameState, move: str) -> str:
    try:
        play(state, move)
    except IllegalMove as error:
        return error.refusal.rule
    return "accepted"


def _take(state: GameState, step: Step) -> GameState:
    if step.refused:
        refusal = _refusal(state, step.move)
        assert refusal == step.refused, f"{step.move} is {refusal}, not refused {step.refused}"
        return state
    after = _without_bonuses(play(state, step.move).state) if step.move else state
    asked, expected = _asked(after), _expected(step.asked)
    assert asked == expected, f"after {step.move or 'the start'} it asks {asked}, not {expected}"
    return after


def _all_of(player: Player) -> Side:
    return Side(ocean_of(player), player.hand, player.discard, player.reefs)


def _changed(side: Side, change: Side) -> Side:
    ocean = {**(side.ocean or {}), **(change.ocean or {})}
    return Side(
        {slot: what for slot, what in ocean.items() if what},
        side.hand if change.hand is None else change.hand,
        side.discard if change.discard is None else change.discard,
        side.reefs if change.reefs is None else change.reefs,
    )


def run(scene: Scene) -> None:
    """Play a scene; raise AssertionError or IllegalMove where it comes out otherwise."""
    state = scene.start.copy()  # the copy has not looked up its legal moves with another ability
    for step in scene.steps:
        state = _take(state, step)
    assert check(state) == []
    for seat, player in enumerate(scene.start.players):
        lies, expected = (
            _all_of(state.players[seat]),
            _changed(_all_of(player), scene.changes.get(seat, Side())),
        )
        assert lies == expected, f"at the end seat {seat} has {lies}, not {expected}"
