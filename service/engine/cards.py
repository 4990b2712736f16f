"""The catalogue: reads the data once into values and refuses to start on a malformed entry.

What it offers: `CARDS` (every fish card and forage fish by id), `FORAGE` (the three printed fish),
`ACHIEVEMENTS` (tiles by id), `BONUSES` (by site and dive stop), and small tables made from them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final, TypeVar, get_args

from service.engine.abilities import (
    SIZES,
    Ability,
    AlsoIf,
    BuyCoral,
    Condition,
    ConsumeByAny,
    ConsumeByThis,
    ConsumedAtLeast,
    Draw,
    Effect,
    EveryReefAtLeast,
    GainCoral,
    HasEggYoungAndSchool,
    HasSchool,
    Hatch,
    InRow,
    LayEgg,
    LayEggEach,
    MoveToken,
    NoTokens,
    PlaceYoung,
    Play,
    Points,
    Recover,
    Scatter,
    SiteCoralAtLeast,
    SiteCoralNone,
    SomeReefAtLeast,
    Tag,
    Trigger,
    YoungExactly,
    size_of,
)
from service.engine.ocean import (
    ALL_SLOTS,
    NAMED_ROWS,
    ROW_SLOTS,
    SITE_SLOTS,
    SITES,
    SLOTS_BY_NAME,
    ZONE_SLOTS,
    ZONES,
    zone_of,
)

T = TypeVar("T")
Facts = Mapping[str, Any]
"""One entry of a data file, as read."""

TAGS: Final[tuple[Tag, ...]] = get_args(Tag)
TRIGGERS: Final[tuple[Trigger, ...]] = get_args(Trigger)
SETS: Final = ("base", "sharks_and_reefs")
DECKS: Final = ("main", "starter")
SIDE_A_SET: Final = "side_a"
ANY_SITE: Final = "any"

COUNTS: Final = (
    "eggs_and_young",
    "eggs",
    "young",
    "schools",
    "coral",
    "full_rows",
    "small_fish",
    "medium_fish",
    "large_fish",
    "fish_with_token",
    "fish_without_token",
    "if_activated_fish",
    "sunlight_fish",
    "fish_of_1_to_3_points",
    "fish_over_4_points",
    "predator_tags",
    "tag_kinds",
    "consumed_fish",
    "discard_pile_cards",
    "reef_completion_points",
)
"""What an achievement can count; `scoring` defines each."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What playing a card takes (R5.1, R5.2), in units of each kind."""

    cards: int = 0
    eggs: int = 0
    young: int = 0
    schools: int = 0
    consume: int = 0


@dataclass(frozen=True, slots=True)
class CoralNeed:
    """The coral that must lie in the slot's own reef (R11.4); ``site`` None means any."""

    site: int | None
    at_least: int


@dataclass(frozen=True, slots=True)
class Card:
    """A fish card or a forage fish (R1.3, R1.5). A forage fish has no set, no slots and no ability."""

    id: int
    name: str
    latin: str
    set: str
    deck: str
    cost: Cost
    zones: tuple[int, ...]
    row: int | None
    site: int | None
    needs_coral: CoralNeed | None
    points: int
    length_cm: int
    tags: tuple[Tag, ...]
    ability: Ability | None
    slots: int
    """The slots whose zone, dive site and row the card allows (R5.3)."""

    @property
    def size(self) -> int:
        """The size, an index into `SIZES` (R1.4)."""
        return size_of(self.length_cm)


@dataclass(frozen=True, slots=True)
class Achievement:
    """A week's achievement: ``points`` for every ``per`` of what ``count`` counts (R8.2, R8.3)."""

    id: str
    set: str
    week: int
    count: str
    per: int
    points: int
    provisional: bool
    """Whether its value is not confirmed (RU12)."""


class DataError(ValueError):
    """An entry of the data files is malformed; the message names it."""


def _only(facts: Facts, *fields: str) -> None:
    """Refuse fields of other names: a slip there must not read as "not given"."""
    if unknown := facts.keys() - set(fields):
        raise ValueError(f"there is no field {', '.join(sorted(unknown))}")


def _whole(number: Any, least: int = 0) -> int:  # noqa: ANN401  what JSON holds has no one type
    """Return a number that is whole and at least ``least``; JSON's true is none."""
    if type(number) is not int or number < least:
        raise ValueError(f"{number!r} is no whole number of at least {least}")
    return number


def _flag(value: Any) -> bool:  # noqa: ANN401  what JSON holds has no one type
    if type(value) is not bool:
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _text(value: Any) -> str:  # noqa: ANN401  what JSON holds has no one type
    if type(value) is not str or not value:
        raise ValueError(f"{value!r} is no text")
    return value


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"{name!r} is none of {', '.join(names)}")
    return names.index(name)


def _index_if_given(names: Sequence[str], name: str | None) -> int | None:
    return None if name is None else _index(names, name)


def _site(facts: Facts) -> int | None:
    return _index_if_given(SITES, facts.get("site"))


def _row(facts: Facts) -> int | None:
    return NAMED_ROWS[facts["row"]] if "row" in facts else None


def _size(facts: Facts) -> int | None:
    return _index_if_given(SIZES, facts.get("size"))


def _tag(name: str) -> Tag:
    return TAGS[_index(TAGS, name)]


def _tag_if_given(facts: Facts) -> Tag | None:
    return _tag(facts["tag"]) if "tag" in facts else None


def _colour(name: str) -> int | None:
    return None if name == ANY_SITE else _index(SITES, name)


def _egg_each(facts: Facts) -> LayEggEach:
    _only(facts, "do", "site", "row", "size", "tag")
    return LayEggEach(site=_site(facts), row=_row(facts), size=_size(facts), tag=_tag_if_given(facts))


def _coral(facts: Facts) -> GainCoral:
    _only(facts, "do", "color", "count")
    return GainCoral(_colour(facts["color"]), _whole(facts["count"], 1))


def _play(facts: Facts) -> Play:
    _only(facts, "do", "site", "row", "zone", "min_coral", "free", "size", "tag")
    return Play(
        site=_site(facts),
        row=_row(facts),
        zone=_index_if_given(ZONES, facts.get("zone")),
        min_coral=_whole(facts.get("min_coral", 0)),
        free=_flag(facts.get("free", False)),
        size=_size(facts),
        tag=_tag_if_given(facts),
    )


_COUNTED: Final[Mapping[str, Callable[[int], Effect]]] = {
    "draw": Draw,
    "recover": Recover,
    "egg": LayEgg,
    "hatch": Hatch,
    "young": PlaceYoung,
    "move": MoveToken,
    "consume_by_this": ConsumeByThis,
    "consume_by_any": ConsumeByAny,
    "scatter": Scatter,
}
_EFFECTS: Final[Mapping[str, Callable[[Facts], Effect]]] = {
    "egg_each": _egg_each,
    "coral": _coral,
    "play": _play,
}


def _effect(facts: Facts) -> Effect:
    verb = facts["do"]
    if verb not in _COUNTED:
        return _EFFECTS[verb](facts)
    _only(facts, "do", "count")
    return _COUNTED[verb](_whole(facts["count"], 1))


def _effects(benefits: Sequence[Facts]) -> tuple[Effect, ...]:
    if not benefits:
        raise ValueError("there are no benefits")
    return tuple(map(_effect, benefits))


def _site_coral(facts: Facts) -> SiteCoralAtLeast:
    _only(facts, "color", "at_least")
    return SiteCoralAtLeast(_index(SITES, facts["color"]), _whole(facts["at_least"], 1))


_ON_THIS: Final[Mapping[str, Condition]] = {
    "no_tokens": NoTokens(),
    "school": HasSchool(),
    "egg_and_young_and_school": HasEggYoungAndSchool(),
}
_CONDITIONS: Final[Mapping[str, Callable[[Any], Condition]]] = {
    "on_this": _ON_THIS.__getitem__,
    "young_on_this_exactly": lambda count: YoungExactly(_whole(count, 1)),
    "consumed_under_this_at_least": lambda count: ConsumedAtLeast(_whole(count, 1)),
    "this_in_row": lambda row: InRow(NAMED_ROWS[row]),
    "this_site_coral": _site_coral,
    "this_site_coral_none": {True: SiteCoralNone()}.__getitem__,
    "every_site_coral_at_least": lambda count: EveryReefAtLeast(_whole(count, 1)),
    "some_site_coral_at_least": lambda count: SomeReefAtLeast(_whole(count, 1)),
}


def _condition(facts: Facts) -> Condition:
    ((name, value),) = facts.items()
    return _CONDITIONS[name](value)


def _points(facts: Facts) -> Points:
    _only(facts, "points", "if")
    return Points(_whole(facts["points"], 1), _condition(facts["if"]))


def _also_if(facts: Facts) -> AlsoIf:
    _only(facts, "if", "benefits")
    return AlsoIf(_condition(facts["if"]), _effects(facts["benefits"]))


def _ability(facts: Facts) -> Ability:
    gives_points = "score" in facts
    _only(facts, "trigger", "all_players", *(("score",) if gives_points else ("benefits", "if", "bonus")))
    trigger = TRIGGERS[_index(TRIGGERS, facts["trigger"])]
    if gives_points and trigger != "game_end":
        raise ValueError(f"points are given at the game's end, not {trigger}")
    return Ability(
        trigger,
        all_players=_flag(facts["all_players"]),
        effects=() if gives_points else _effects(facts["benefits"]),
        score=_points(facts["score"]) if gives_points else None,
        condition=_condition(facts["if"]) if "if" in facts else None,
        also=_also_if(facts["bonus"]) if "bonus" in facts else None,
    )


def _slots(zones: Iterable[int], site: int | None, row: int | None) -> int:
    slots = sum(ZONE_SLOTS[zone] for zone in zones)
    slots &= ALL_SLOTS if site is None else SITE_SLOTS[site]
    return slots & (ALL_SLOTS if row is None else ROW_SLOTS[row])


def _zones(names: Sequence[str]) -> tuple[int, ...]:
    zones = tuple(_index(ZONES, name) for name in names)
    if not zones or len(zones) != len(set(zones)):
        raise ValueError(f"{names!r} are no zones, each once")
    return zones


def _cost(facts: Facts) -> Cost:
    return Cost(**{kind: _whole(units, 1) for kind, units in facts.items()})


def _coral_need(facts: Facts) -> CoralNeed:
    _only(facts, "color", "at_least")
    return CoralNeed(_colour(facts["color"]), _whole(facts["at_least"], 1))


_NEEDED: Final = (
    "id",
    "name",
    "latin",
    "set",
    "deck",
    "cost",
    "zones",
    "points",
    "length_cm",
    "tags",
    "ability",
)
_OPTIONAL: Final = ("site", "row", "needs_coral")


def _card(facts: Facts) -> Card:
    _only(facts, *_NEEDED, *_OPTIONAL)
    zones, site, row = _zones(facts["zones"]), _site(facts), _row(facts)
    return Card(
        id=_whole(facts["id"], 1),
        name=_text(facts["name"]),
        latin=_text(facts["latin"]),
        set=SETS[_index(SETS, facts["set"])],
        deck=DECKS[_index(DECKS, facts["deck"])],
        cost=_cost(facts["cost"]),
        zones=zones,
        row=row,
        site=site,
        needs_coral=_coral_need(facts["needs_coral"]) if "needs_coral" in facts else None,
        points=_whole(facts["points"]),
        length_cm=_whole(facts["length_cm"], 1),
        tags=tuple(map(_tag, facts["tags"])),
        ability=_ability(facts["ability"]),
        slots=_slots(zones, site, row),
    )


def _forage_fish(facts: Facts) -> Card:
    _only(facts, "id", "name", "length_cm", "slot")
    return Card(
        id=_whole(facts["id"], 1),
        name=_text(facts["name"]),
        latin="",
        set="",
        deck="",
        cost=Cost(),
        zones=(zone_of(SLOTS_BY_NAME[facts["slot"]]),),
        row=None,
        site=None,
        needs_coral=None,
        points=0,
        length_cm=_whole(facts["length_cm"], 1),
        tags=(),
        ability=None,
        slots=0,
    )


def _achievement(facts: Facts) -> Achievement:
    achievement = Achievement(**facts)
    _text(achievement.id)
    _index((SIDE_A_SET, *SETS), achievement.set)
    _index(COUNTS, achievement.count)
    for number in (achievement.week, achievement.per, achievement.points):
        _whole(number, 1)
    _flag(achievement.provisional)
    return achievement


def _read(entries: Iterable[Facts], make: Callable[[Facts], T], what: str) -> dict[Any, T]:
    """Return the values made from a data file's entries by id, in the file's order."""
    values: dict[Any, T] = {}
    for facts in entries:
        try:
            value = make(facts)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{what} {facts.get('id')}: {error!r}") from error
        if facts["id"] in values:
            raise DataError(f"{what} {facts['id']} stands twice")
        values[facts["id"]] = value
    return values


def load(name: str) -> Any:  # noqa: ANN401  what JSON holds has no one type
    """Return what a data file of the engine holds, as read."""
    return json.loads(files("service.engine").joinpath("data", name).read_text(encoding="utf-8"))


_BOARD: Final = load("board.json")

FORAGE: Final[Mapping[int, int]] = {fish["id"]: SLOTS_BY_NAME[fish["slot"]] for fish in _BOARD["forage_fish"]}
"""Each forage fish and the slot that it is printed on (R1.5)."""

CARDS: Final[Mapping[int, Card]] = _read(load("cards.json"), _card, "card") | _read(
    _BOARD["forage_fish"], _forage_fish, "forage fish"
)
ACHIEVEMENTS: Final[Mapping[str, Achievement]] = _read(load("achievements.json"), _achievement, "achievement")

ABILITIES: Final[Mapping[Trigger, Mapping[int, Ability]]] = {
    trigger: {
        id_: card.ability for id_, card in CARDS.items() if card.ability and card.ability.trigger == trigger
    }
    for trigger in TRIGGERS
}
"""The abilities of each trigger by card id."""

NO_CARD: Final = 0
"""What stands for "no fish" where a card id is expected."""

LENGTHS: Final = tuple(CARDS[id_].length_cm if id_ in CARDS else 0 for id_ in range(max(CARDS) + 1))
"""Length in cm by card id; 0 for no fish, so that every fish is longer than an empty slot."""


@cache
def cards_of(sets: tuple[str, ...], deck: str) -> tuple[int, ...]:
    """Return the ids of a deck's cards in these sets, ascending."""
    return tuple(id_ for id_, card in sorted(CARDS.items()) if card.set in sets and card.deck == deck)


SUNLIGHT_STOP: Final = 0
TWILIGHT_STOP: Final = 4
MIDNIGHT_STOP: Final = 7
DEEP_STOP: Final = 10
REEF_STOP: Final = 5
STOPS: Final = (0, 1, 2, 3, 4, REEF_STOP, 6, 7, 8, 9, 10)
"""The stops of a dive in order (R6.1); the reef's is there with Sharks & Reefs only (R11.2)."""


def stops(*, with_reefs: bool) -> tuple[int, ...]:
    """Return the stops of a dive in order."""
    return tuple(stop for stop in STOPS if with_reefs or stop != REEF_STOP)


def _ways_down(way: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    return {stop: way[index:] for index, stop in enumerate(way)}


STOPS_FROM: Final = tuple(_ways_down(stops(with_reefs=with_reefs)) for with_reefs in (False, True))
"""Without and with reefs: the way down from each stop, itself included."""

NEXT_STOP: Final[tuple[Mapping[int, int], ...]] = tuple(
    dict(pairwise(stops(with_reefs=with_reefs))) for with_reefs in (False, True)
)
"""Without and with reefs: the stop behind each stop but the last."""

ROW_OF_STOP: Final[Mapping[int, int]] = {1: 0, 2: 1, 3: 2, 6: 3, 8: 4, 9: 5}
ZONE_OF_STOP: Final[Mapping[int, int]] = {SUNLIGHT_STOP: 0, TWILIGHT_STOP: 1, MIDNIGHT_STOP: 2}
BONUS_STOPS: Final[Mapping[int, str]] = {
    SUNLIGHT_STOP: "sunlight",
    TWILIGHT_STOP: "twilight",
    MIDNIGHT_STOP: "midnight",
    DEEP_STOP: "deep",
}
BONUSES: Final[Mapping[tuple[int, int], tuple[Effect, ...]]] = {
    **{
        (site, stop): (_COUNTED[bonus[name]](1),)
        for site, bonus in enumerate(_BOARD["bonuses"])
        for stop, name in BONUS_STOPS.items()
    },
    **{(site, REEF_STOP): (BuyCoral(site, 1),) for site in range(len(SITES))},
}
"""What each site gives at each of its stops: its bonuses (R6.4, RU04), and the reef purchase (R11.2)."""


def play_slots(play: Play) -> int:
    """Return the slots of the place that a play names (R5.7); coral is not looked at."""
    zones = range(len(ZONES)) if play.zone is None else (play.zone,)
    return _slots(zones, play.site, play.row)


def fits_filter(card: Card, play: Play) -> bool:
    """Return whether a card has the size and the tag that a play asks for (R5.8)."""
    fits_size = play.size is None or card.size == play.size
    return fits_size and (play.tag is None or play.tag in card.tags)


def effects_of_card(id_: int, trigger: Trigger) -> tuple[Effect, ...]:
    """Return the effects that a card has under this trigger; none for a forage fish or no fish."""
    ability = ABILITIES[trigger].get(id_)
    return ability.effects if ability is not None else ()
