"""A state with one thing wrong is told so: where, and by which rule."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from service.engine.cards import CARDS, NO_CARD
from service.engine.check import check
from service.engine.errors import Fault
from service.engine.events import BonusSource, FishSource
from service.engine.ocean import SITE_SLOTS, SLOTS_BY_NAME, ZONE_SLOTS
from service.engine.setup import MAX_NAME_LENGTH, name_faults, option_faults
from service.engine.state import Benefits, Frame, GameState, Options, Pay
from tests.choosers import TASTES, chooser
from tests.games import Setup, moments


@cache
def states() -> list[GameState]:
    """Return every state of a game of each taste."""
    setups = {taste: Setup(2 + number % 2, seed=f"{taste} for checks") for number, taste in enumerate(TASTES)}
    return [
        moment.state
        for taste, setup in setups.items()
        for moment in moments(setup, chooser([taste], setup.seed))
    ]


def group(state: GameState) -> Benefits:
    step = state.agenda[-1]
    assert isinstance(step, Benefits)
    return step


def in_group(state: GameState, source: type, frame: Frame = Frame.END_TURN) -> bool:
    step = state.agenda[-1]
    return isinstance(step, Benefits) and isinstance(step.source, source) and state.agenda[0] is frame


def replace(state: GameState, **fields: object) -> None:
    step: Any = state.agenda[-1]
    state.agenda[-1] = step._replace(**fields)


class Wrong(NamedTuple):
    """Where it may happen, what is then changed, and what is told."""

    happens: Callable[[GameState], object]
    change: Callable[[GameState], object]
    field: str
    rule: str


def bonus(state: GameState) -> bool:
    return in_group(state, BonusSource)


def ability(state: GameState) -> bool:
    return in_group(state, FishSource)


def at_game_end(state: GameState) -> bool:
    step = state.agenda[-1]
    return in_group(state, FishSource, Frame.GAME_END) and bool(
        isinstance(step, Benefits)
        and isinstance(step.source, FishSource)
        and state.players[state.seat].activated >> step.source.slot & 1
    )


def paying(state: GameState) -> bool:
    return isinstance(state.agenda[-1], Pay)


def over(state: GameState) -> bool:
    return state.is_over


def fresh(state: GameState) -> bool:
    return state.version == 0


def _no_fish_in_twilight(state: GameState) -> bool:
    empty = state.players[state.seat].occupied & SITE_SLOTS[0] & ZONE_SLOTS[1] == 0
    return bonus(state) and empty


def _unused(state: GameState) -> None:
    state.players[state.seat].activated = 0


def _egg_on_nothing(state: GameState) -> None:
    state.players[1].eggs |= 1 << SLOTS_BY_NAME["B1"]


def _used_where_nothing_is(state: GameState) -> None:
    state.players[1].activated |= 1 << SLOTS_BY_NAME["B1"]


def _elsewhere(state: GameState) -> None:
    source = group(state).source
    assert isinstance(source, FishSource)
    replace(state, source=source._replace(slot=0))


def _has_one_owner(state: GameState) -> bool:
    step = state.agenda[-1]
    if not ability(state) or not isinstance(step, Benefits) or not isinstance(step.source, FishSource):
        return False
    text = CARDS[step.source.card].ability
    return text is not None and not text.all_players


def _misplaced(state: GameState) -> None:
    """Move a forage fish, which is printed elsewhere, to B1."""
    player, to = state.players[0], SLOTS_BY_NAME["B1"]
    home = next(slot for slot, card in enumerate(player.fish) if card)
    player.fish[to], player.fish[home] = player.fish[home], NO_CARD
    player.occupied ^= 1 << home | 1 << to


def _too_much_left(state: GameState) -> None:
    replace(state, left=(99, *group(state).left[1:]))


WRONG = {
    "the seat of a game that is over": Wrong(
        over, lambda state: setattr(state, "seat", 1 - state.first_player), "seat", "R9.1"
    ),
    "a fish where it may not lie": Wrong(fresh, _misplaced, "players[0].ocean[B1].fish", "R1.5"),
    "an egg on nothing": Wrong(fresh, _egg_on_nothing, "players[1].ocean[B1].egg", "R4.1"),
    "a fish used that is not there": Wrong(
        fresh, _used_where_nothing_is, "players[1].game_end_fish_used", "R9.1"
    ),
    "benefits of nobody": Wrong(
        ability, lambda state: replace(state, seat=9), "agenda[0].benefits.seat", "R3.1"
    ),
    "more benefits than are printed": Wrong(ability, _too_much_left, "agenda[0].benefits.left[0]", "R3.2"),
    "other benefits than are printed": Wrong(
        ability, lambda state: replace(state, left=(1,) * 9), "agenda[0].benefits.left", "R7.9"
    ),
    "a stop without a bonus": Wrong(
        bonus, lambda state: replace(state, source=BonusSource(0, 1)), "agenda[0].benefits.left", "R7.9"
    ),
    "another player's benefits": Wrong(
        _has_one_owner,
        lambda state: replace(state, seat=1 - state.seat),
        "agenda[0].benefits.seat",
        "R7.8",
    ),
    "another player's bonus": Wrong(
        bonus, lambda state: replace(state, seat=1 - state.seat), "agenda[0].benefits.seat", "R6.2"
    ),
    "a bonus without a fish in its zone": Wrong(
        _no_fish_in_twilight,
        lambda state: replace(state, source=BonusSource(0, 4), left=(1,)),
        "agenda[0].benefits.source",
        "R6.2",
    ),
    "the ability of a fish that lies elsewhere": Wrong(
        ability,
        _elsewhere,
        "agenda[0].benefits.source",
        "R7.9",
    ),
    "a game-end ability at work that is not used": Wrong(
        at_game_end, _unused, "agenda[0].benefits.source", "R9.1"
    ),
    "a fish paid for that is not in hand": Wrong(
        paying, lambda state: replace(state, card=301), "agenda[0].pay.card", "R5.1"
    ),
    "more to pay than is printed": Wrong(
        paying, lambda state: replace(state, eggs=99), "agenda[0].pay.eggs", "R5.1"
    ),
}


def spoiled(wrong: Wrong) -> Iterator[list[tuple[str, str]]]:
    """Yield what is told wherever it may happen."""
    for state in states():
        if wrong.happens(state):
            copy = state.copy()
            wrong.change(copy)
            yield [(fault.field, fault.rule) for fault in check(copy)]


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_with_its_place_and_rule(wrong: Wrong) -> None:
    told = [faults for _, faults in zip(range(50), spoiled(wrong), strict=False)]
    assert any((wrong.field, wrong.rule) in faults for faults in told)
    assert [] not in told


@pytest.mark.parametrize(("length", "is_fine"), [(MAX_NAME_LENGTH, True), (MAX_NAME_LENGTH + 1, False)])
def test_a_name_may_be_as_long_as_the_limit(length: int, *, is_fine: bool) -> None:
    state = states()[0].copy()
    state.names = ("x" * length, *state.names[1:])
    assert (check(state) == []) is is_fine


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Żółw",
        "\u05e9\u05dc\u05d5\u05dd Bo",
        "\u0645\u0631\u062d\u0628\u0627",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\U0001f469\u200d\U0001f52c",
        "\u2764\ufe0f",
        "\u65e5\u672c\u3000\u8a9e",
        "a\u00a0b",
        "e\u0301",
        " x ",
        "",
    ],
)
def test_whatever_is_written_in_one_line_is_a_name(name: str) -> None:
    assert name_faults((name,), "names[{}]") == []


@pytest.mark.parametrize(
    "sign",
    [
        *("\0", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ud800"),
        *("\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff", "\U000e0041"),
        *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    ],
)
def test_what_ends_lines_reorders_or_commands_is_no_part_of_a_name(sign: str) -> None:
    code = f"U+{ord(sign):04X}"
    text = f"A name has no control or formatting characters; this one has {code}."
    assert name_faults(("", f"a{sign}b", sign), "names[{}]") == [
        Fault("names[1]", "R2.1", text),
        Fault("names[2]", "R2.1", text),
    ]


@pytest.mark.parametrize("name", [" ", "   ", "\u00a0", "\u3000 ", "\u200d", " \u200c"])
def test_a_name_is_not_blank(name: str) -> None:
    assert [fault.text for fault in name_faults((name,), "names[{}]")] == [
        "A name is not of blanks alone; leave it out to give none."
    ]


@pytest.mark.parametrize(
    ("expansions", "text"),
    [
        (("no such set",), "There is no expansion 'no such set'."),
        (("sharks_and_reefs",) * 2, "Name each expansion once, in ascending order."),
    ],
)
def test_expansions_are_sets_of_cards_each_named_once(expansions: tuple[str, ...], text: str) -> None:
    told = {fault.text: fault for fault in option_faults(Options(expansions=expansions))}
    assert told[text].rule == "R2.4"
