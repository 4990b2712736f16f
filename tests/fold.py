"""Folds events over the table before them, as a client does that keeps up with a game.

It knows what each event means for what lies on the table, and no rule. Whatever an event takes away must be
there: a fold that finds it missing raises.
"""

from collections.abc import Callable, Iterable

from tests.plain import SETUP_DIVERS, Happening, PlainPlayer, PlainSlot, PlainTable

DEEP_STOP = 11
"""The number of the deep bonus among the stops of a dive, as in the contract."""
REEF_SIZE = 6
"""The places for coral that a reef has."""


def _player(table: PlainTable, happening: Happening) -> PlainPlayer:
    assert happening.seat is not None
    return table.players[happening.seat]


def _slot(table: PlainTable, happening: Happening, name: str = "slot") -> PlainSlot:
    return _player(table, happening).ocean[happening.facts[name]]


def _move_card(card: int, source: list[int], target: list[int]) -> None:
    source.remove(card)
    target.append(card)
    target.sort()


def _take_egg(slot: PlainSlot) -> None:
    assert slot.egg
    slot.egg = False


def _take_young(slot: PlainSlot, count: int = 1) -> None:
    assert slot.young >= count
    slot.young -= count


def _take_school(slot: PlainSlot) -> None:
    assert slot.school
    slot.school = False


def _put_school(slot: PlainSlot) -> None:
    assert not slot.school
    slot.school = True


def _diver_placed(table: PlainTable, happening: Happening) -> None:
    player = _player(table, happening)
    assert player.divers > 0
    player.divers -= 1


def _card_paid(table: PlainTable, happening: Happening) -> None:
    player = _player(table, happening)
    _move_card(happening.facts["card"], player.hand, player.discard)


def _egg_paid(table: PlainTable, happening: Happening) -> None:
    _take_egg(_slot(table, happening))


def _young_paid(table: PlainTable, happening: Happening) -> None:
    _take_young(_slot(table, happening))


def _school_paid(table: PlainTable, happening: Happening) -> None:
    _take_school(_slot(table, happening))


def _fish_covered(table: PlainTable, happening: Happening) -> None:
    slot = _slot(table, happening)
    assert slot.fish == happening.facts["card"]
    slot.under = sorted([*slot.under, slot.fish])
    slot.fish = 0


def _fish_placed(table: PlainTable, happening: Happening) -> None:
    player, slot = _player(table, happening), _slot(table, happening)
    assert slot.fish == 0
    player.hand.remove(happening.facts["card"])
    player.game_end_used.discard(happening.facts["slot"])
    slot.fish = happening.facts["card"]


def _card_consumed(table: PlainTable, happening: Happening) -> None:
    slot = _slot(table, happening)
    assert slot.fish
    _move_card(happening.facts["card"], _player(table, happening).hand, slot.under)


def _starter_dealt(table: PlainTable, happening: Happening) -> None:
    _move_card(happening.facts["card"], table.undealt, _player(table, happening).hand)


def _card_drawn(table: PlainTable, happening: Happening) -> None:
    assert table.deck_size > 0
    table.deck_size -= 1
    player = _player(table, happening)
    player.hand = sorted([*player.hand, happening.facts["card"]])


def _card_recovered(table: PlainTable, happening: Happening) -> None:
    player = _player(table, happening)
    _move_card(happening.facts["card"], player.discard, player.hand)


def _deck_renewed(table: PlainTable, happening: Happening) -> None:
    assert table.deck_size == 0
    assert happening.facts["cards"] == sum(len(player.discard) for player in table.players)
    table.deck_size = happening.facts["cards"]
    for player in table.players:
        player.discard.clear()


def _egg_laid(table: PlainTable, happening: Happening) -> None:
    slot = _slot(table, happening)
    assert slot.fish
    assert not slot.egg
    slot.egg = True


def _egg_hatched(table: PlainTable, happening: Happening) -> None:
    slot = _slot(table, happening)
    _take_egg(slot)
    slot.young += 1


def _young_placed(table: PlainTable, happening: Happening) -> None:
    _slot(table, happening).young += 1


def _school_formed(table: PlainTable, happening: Happening) -> None:
    slot = _slot(table, happening)
    _take_young(slot, 3)
    _put_school(slot)


def _young_moved(table: PlainTable, happening: Happening) -> None:
    _take_young(_slot(table, happening))
    _slot(table, happening, "to").young += 1


def _school_moved(table: PlainTable, happening: Happening) -> None:
    _take_school(_slot(table, happening))
    _put_school(_slot(table, happening, "to"))


def _school_scattered(table: PlainTable, happening: Happening) -> None:
    _take_school(_slot(table, happening))


def _coral_gained(table: PlainTable, happening: Happening) -> None:
    reefs, site = _player(table, happening).reefs, happening.facts["site"]
    assert reefs[site] < REEF_SIZE
    reefs[site] += 1


def _bonus_gained(table: PlainTable, happening: Happening) -> None:
    if happening.source["stop"] == DEEP_STOP:
        _player(table, happening).deep_used.add(happening.source["site"])


def _fish_activated(table: PlainTable, happening: Happening) -> None:
    if happening.facts["trigger"] == "game_end":
        _player(table, happening).game_end_used.add(happening.source["slot"])


def _benefits_declined(_table: PlainTable, _happening: Happening) -> None:
    """Nothing on the table changes."""


def _week_scored(table: PlainTable, happening: Happening) -> None:
    gained = _player(table, happening).gained
    gained.append((happening.facts["points"], happening.facts["most"]))
    assert len(gained) == happening.facts["week"] == table.week
    assert table.achievements[table.week - 1] == happening.facts["achievement"]


def _week_began(table: PlainTable, happening: Happening) -> None:
    assert happening.facts["week"] == table.week + 1
    table.week, table.first_player = happening.facts["week"], happening.facts["first_player"]
    for player in table.players:
        player.divers = SETUP_DIVERS
        player.deep_used.clear()


def _turn_began(table: PlainTable, happening: Happening) -> None:
    assert table.week == happening.facts["week"]
    table.seat, table.turn = happening.seat, happening.facts["turn"]


def _game_end_began(table: PlainTable, happening: Happening) -> None:
    table.seat = happening.seat


def _game_over(table: PlainTable, _happening: Happening) -> None:
    table.seat = None


def _achievements_chosen(table: PlainTable, happening: Happening) -> None:
    table.achievements = tuple(happening.facts["achievements"])


FOLDS: dict[str, Callable[[PlainTable, Happening], None]] = {
    "DiverPlaced": _diver_placed,
    "CardPaid": _card_paid,
    "EggPaid": _egg_paid,
    "YoungPaid": _young_paid,
    "SchoolPaid": _school_paid,
    "FishCovered": _fish_covered,
    "FishPlaced": _fish_placed,
    "CardConsumed": _card_consumed,
    "StarterDealt": _starter_dealt,
    "CardDrawn": _card_drawn,
    "CardRecovered": _card_recovered,
    "DeckRenewed": _deck_renewed,
    "EggLaid": _egg_laid,
    "EggHatched": _egg_hatched,
    "YoungPlaced": _young_placed,
    "SchoolFormed": _school_formed,
    "YoungMoved": _young_moved,
    "SchoolMoved": _school_moved,
    "SchoolScattered": _school_scattered,
    "CoralGained": _coral_gained,
    "BonusGained": _bonus_gained,
    "FishActivated": _fish_activated,
    "BenefitsDeclined": _benefits_declined,
    "WeekScored": _week_scored,
    "WeekBegan": _week_began,
    "TurnBegan": _turn_began,
    "GameEndBegan": _game_end_began,
    "GameOver": _game_over,
    "AchievementsChosen": _achievements_chosen,
}
"""What each event means for the table."""


def fold(table: PlainTable, happenings: Iterable[Happening]) -> PlainTable:
    """Carry a table on by what happened, in place, and return it."""
    for happening in happenings:
        FOLDS[happening.kind](table, happening)
    return table
