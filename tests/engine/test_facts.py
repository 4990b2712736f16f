"""No fact was lost on the way from the data files into the catalogue, and none slipped in the files.

The values of the catalogue are written back, by code of this file's own, into the notation of the data files
and compared entry by entry. The files themselves are pinned by their SHA-256: a wanted change renews the pin.
"""

import copy
import hashlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest

from service.engine.abilities import (
    Ability,
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
    Recover,
    Scatter,
    SiteCoralAtLeast,
    SiteCoralNone,
    SomeReefAtLeast,
    YoungExactly,
    size_of,
)
from service.engine.cards import (
    ACHIEVEMENTS,
    BONUSES,
    CARDS,
    FORAGE,
    Achievement,
    Card,
    DataError,
    _achievement,
    _card,
    _forage_fish,
    _read,
    cards_of,
    load,
)
from tests.marks import rule

Facts = dict[str, Any]

CARD_FACTS: list[Facts] = load("cards.json")
ACHIEVEMENT_FACTS: list[Facts] = load("achievements.json")
BOARD_FACTS: dict[str, list[Facts]] = load("board.json")

SITES = ("blue", "purple", "green")
ZONES = ("sunlight", "twilight", "midnight")
SIZES = ("small", "medium", "large")
ROWS = {0: "top", 5: "bottom"}


# Writing back.


def given(**fields: Any) -> Facts:  # noqa: ANN401  values of any kind
    """Return the fields that say something; the files leave the others out."""
    return {name: value for name, value in fields.items() if value}


def name_of(names: tuple[str, ...], index: int | None) -> str | None:
    return None if index is None else names[index]


def row_name(row: int | None) -> str | None:
    return None if row is None else ROWS[row]


COUNTED: dict[type[Effect], str] = {
    Draw: "draw",
    Recover: "recover",
    LayEgg: "egg",
    Hatch: "hatch",
    PlaceYoung: "young",
    MoveToken: "move",
    ConsumeByThis: "consume_by_this",
    ConsumeByAny: "consume_by_any",
    Scatter: "scatter",
}


def benefit(effect: Effect) -> Facts:
    match effect:
        case LayEggEach():
            return {"do": "egg_each"} | place(effect)
        case Play():
            zone, coral, free = name_of(ZONES, effect.zone), effect.min_coral, effect.free
            return {"do": "play"} | place(effect) | given(zone=zone, min_coral=coral, free=free)
        case GainCoral():
            return {"do": "coral", "color": name_of(SITES, effect.site) or "any", "count": effect.count}
        case _:
            return {"do": COUNTED[type(effect)], "count": effect.count}


def place(effect: LayEggEach | Play) -> Facts:
    site, size = name_of(SITES, effect.site), name_of(SIZES, effect.size)
    return given(site=site, row=row_name(effect.row), size=size, tag=effect.tag)


CONDITIONS: dict[type[Condition], Callable[[Any], Facts]] = {
    NoTokens: lambda _: {"on_this": "no_tokens"},
    HasSchool: lambda _: {"on_this": "school"},
    HasEggYoungAndSchool: lambda _: {"on_this": "egg_and_young_and_school"},
    YoungExactly: lambda condition: {"young_on_this_exactly": condition.count},
    ConsumedAtLeast: lambda condition: {"consumed_under_this_at_least": condition.count},
    InRow: lambda condition: {"this_in_row": ROWS[condition.row]},
    SiteCoralAtLeast: lambda condition: {
        "this_site_coral": {"color": SITES[condition.site], "at_least": condition.count}
    },
    SiteCoralNone: lambda _: {"this_site_coral_none": True},
    EveryReefAtLeast: lambda condition: {"every_site_coral_at_least": condition.count},
    SomeReefAtLeast: lambda condition: {"some_site_coral_at_least": condition.count},
}


def condition(value: Condition) -> Facts:
    return CONDITIONS[type(value)](value)


def ability(value: Ability) -> Facts:
    score, also = value.score, value.also
    return {"trigger": value.trigger, "all_players": value.all_players} | given(
        benefits=[benefit(effect) for effect in value.effects],
        score={"points": score.points, "if": condition(score.condition)} if score else None,
        bonus={"if": condition(also.condition), "benefits": [*map(benefit, also.effects)]} if also else None,
        **{"if": condition(value.condition) if value.condition else None},
    )


def cost(card: Card) -> Facts:
    kinds = ("cards", "eggs", "young", "schools", "consume")
    return given(**{kind: getattr(card.cost, kind) for kind in kinds})


def coral_need(card: Card) -> Facts | None:
    need = card.needs_coral
    return {"color": name_of(SITES, need.site) or "any", "at_least": need.at_least} if need else None


def written(card: Card) -> Facts:
    assert card.ability is not None
    facts = {
        name: getattr(card, name) for name in ("id", "name", "latin", "set", "deck", "points", "length_cm")
    }
    facts["zones"] = [ZONES[zone] for zone in card.zones]
    facts["tags"] = list(card.tags)
    facts["cost"] = cost(card)
    facts["ability"] = ability(card.ability)
    optional = {"site": name_of(SITES, card.site), "row": row_name(card.row), "needs_coral": coral_need(card)}
    return facts | given(**optional)


@rule("R1.3")
@pytest.mark.parametrize("facts", CARD_FACTS, ids=lambda facts: f"{facts['id']} {facts['name']}")
def test_a_card_holds_all_its_facts(facts: Facts) -> None:
    assert written(CARDS[facts["id"]]) == facts


@rule("R8.2", "R8.3")
@pytest.mark.parametrize("facts", ACHIEVEMENT_FACTS, ids=lambda facts: str(facts["id"]))
def test_an_achievement_holds_all_its_facts(facts: Facts) -> None:
    names = ("id", "set", "week", "count", "per", "points", "provisional")
    assert {name: getattr(ACHIEVEMENTS[facts["id"]], name) for name in names} == facts


@rule("R1.5")
@pytest.mark.parametrize("facts", BOARD_FACTS["forage_fish"], ids=lambda facts: str(facts["name"]))
def test_a_forage_fish_holds_all_its_facts(facts: Facts) -> None:
    fish = CARDS[facts["id"]]
    slot = FORAGE[fish.id]
    where = f"{SITES[slot // 6][0].upper()}{slot % 6 + 1}"
    assert {"id": fish.id, "name": fish.name, "length_cm": fish.length_cm, "slot": where} == facts
    assert (fish.points, fish.tags, fish.site, fish.ability) == (0, (), None, None)


@rule("R6.4", "RU04")
@pytest.mark.parametrize(("site", "facts"), [*enumerate(BOARD_FACTS["bonuses"])], ids=SITES)
def test_the_bonuses_hold_all_their_facts(site: int, facts: Facts) -> None:
    stops = {"sunlight": 0, "twilight": 4, "midnight": 7, "deep": 10}
    benefits = {name: [*map(benefit, BONUSES[site, stop])] for name, stop in stops.items()}
    assert {"site": facts["site"]} == {"site": SITES[site]}
    assert benefits == {name: [{"do": facts[name], "count": 1}] for name in stops}


def test_nothing_is_there_that_the_files_do_not_have() -> None:
    entries = CARD_FACTS + BOARD_FACTS["forage_fish"]
    assert list(CARDS) == [facts["id"] for facts in entries]
    assert list(ACHIEVEMENTS) == [facts["id"] for facts in ACHIEVEMENT_FACTS]
    assert list(FORAGE) == [301, 302, 303]
    assert len(BONUSES) == 12 + 3


@rule("R11.2", "RU15")
def test_each_reef_sells_its_own_coral_one_at_a_time() -> None:
    reef_stop = 5
    purchases = {place: effects for place, effects in BONUSES.items() if place[1] == reef_stop}
    assert purchases == {(site, reef_stop): (BuyCoral(site, 1),) for site in range(3)}


@pytest.mark.parametrize(
    ("name", "pin"),
    [
        ("cards.json", "99b0d273b2cec01f21df78a9217fc453e935caa049a8f78fa24752670ecf468d"),
        ("achievements.json", "b999195a09bd0f8e8de0efa7f73bd9459ce4a12c1e069a40b7ef22764d1e91ea"),
        ("board.json", "f8cba9cddad905ae9a5727b80c37a334413c83918f902e7578db31326cbb5186"),
    ],
)
def test_the_facts_are_those_that_were_taken_over(name: str, pin: str) -> None:
    data = files("service.engine").joinpath("data", name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == pin


@rule("R1.3")
@pytest.mark.parametrize(
    ("set_", "deck", "ids"),
    [
        ("base", "main", range(1, 126)),
        ("base", "starter", range(126, 136)),
        ("sharks_and_reefs", "main", range(136, 211)),
        ("sharks_and_reefs", "starter", range(211, 216)),
    ],
)
def test_the_decks_are_those_of_the_box(set_: str, deck: str, ids: range) -> None:
    assert cards_of((set_,), deck) == tuple(ids)


@rule("R5.3")
@pytest.mark.parametrize("facts", CARD_FACTS, ids=lambda facts: str(facts["id"]))
def test_the_slots_follow_from_zones_band_and_row(facts: Facts) -> None:
    zones = ("sunlight", "sunlight", "sunlight", "twilight", "midnight", "midnight")
    slots = {
        site * 6 + row
        for site in range(3)
        for row in range(6)
        if zones[row] in facts["zones"]
        and facts.get("site", SITES[site]) == SITES[site]
        and ("row" not in facts or row == 5)
    }
    assert CARDS[facts["id"]].slots == sum(1 << slot for slot in slots)


@rule("R1.4", "RU03")
@pytest.mark.parametrize(
    ("length_cm", "size"), [(1, "small"), (49, "small"), (50, "medium"), (149, "medium"), (150, "large")]
)
def test_the_size_follows_from_the_length(length_cm: int, size: str) -> None:
    assert SIZES[size_of(length_cm)] == size


@rule("R7.3", "RU06")
@pytest.mark.parametrize("id_", [41, 42, 68, 69])
def test_the_slips_of_on_each_are_repaired(id_: int) -> None:
    ability = CARDS[id_].ability
    assert ability is not None
    (effect,) = ability.effects
    assert isinstance(effect, LayEggEach)


@rule("R8.3", "RU12")
def test_what_is_not_confirmed_says_so() -> None:
    assert {one.set for one in ACHIEVEMENTS.values() if not one.provisional} == {"side_a"}


# Combinations that no card has, so that the rules need not define them.


def groups(facts: Facts) -> Iterator[list[str]]:
    """Yield the verbs of each group of benefits of a card."""
    ability = facts["ability"]
    for group in (ability, ability.get("bonus", {})):
        yield [benefit["do"] for benefit in group.get("benefits", [])]


def verbs(facts: Facts) -> set[str]:
    return {verb for group in groups(facts) for verb in group}


UNDEFINED: dict[str, Callable[[Facts], bool]] = {
    "all players with also, if": lambda facts: is_for_all(facts) and "bonus" in facts["ability"],
    "all players with if": lambda facts: is_for_all(facts) and "if" in facts["ability"],
    "all players with play": lambda facts: is_for_all(facts) and "play" in verbs(facts),
    "all players with consume by this": lambda facts: is_for_all(facts) and "consume_by_this" in verbs(facts),
    "play beside other benefits": lambda facts: any(
        "play" in group and set(group) != {"play"} for group in groups(facts)
    ),
    "play when activated": lambda facts: (
        facts["ability"]["trigger"] == "if_activated" and "play" in verbs(facts)
    ),
    "two plays in one group": lambda facts: any(group.count("play") > 1 for group in groups(facts)),
    "both consumes in one group": lambda facts: any(
        {"consume_by_this", "consume_by_any"} <= set(group) for group in groups(facts)
    ),
    "a cost of young and schools": lambda facts: {"young", "schools"} <= facts["cost"].keys(),
}


def is_for_all(facts: Facts) -> bool:
    return bool(facts["ability"]["all_players"])


@pytest.mark.parametrize("combination", [*UNDEFINED.values()], ids=[*UNDEFINED])
def test_no_card_has_what_no_rule_defines(combination: Callable[[Facts], bool]) -> None:
    assert [facts["id"] for facts in CARD_FACTS if combination(facts)] == []


# Malformed entries.

GONE = object()
"""Stands for a field that is left out."""

Path = tuple[str | int, ...]


def changed(facts: Facts, path: Path, value: object) -> Facts:
    """Return a copy of an entry in which one place holds another value."""
    *way, last = path
    result = copy.deepcopy(facts)
    holder: Any = result
    for step in way:
        holder = holder[step]
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return result


ABILITY = "ability"
FIRST = (ABILITY, "benefits", 0)
MALFORMED_CARDS: list[tuple[int, Path, object]] = [
    *(
        (57, (field,), GONE)
        for field in ("name", "latin", "set", "deck", "cost", "zones", "points", "length_cm")
    ),
    *((57, (field,), GONE) for field in ("tags", "ability")),
    (57, ("colour",), "blue"),
    (57, ("name",), ""),
    (57, ("latin",), None),
    (57, ("set",), "bse"),
    (57, ("deck",), "side"),
    (57, ("site",), "red"),
    (57, ("row",), "middle"),
    (57, ("zones",), []),
    (57, ("zones",), ["sunlight", "sunlight"]),
    (57, ("zones", 0), "abyss"),
    (57, ("points",), -1),
    (57, ("points",), "10"),
    (57, ("length_cm",), 0),
    (57, ("length_cm",), 6.5),
    (57, ("tags", 0), "shiny"),
    (57, ("cost",), []),
    (57, ("cost", "young"), 0),
    (57, ("cost", "young"), True),
    (57, ("cost", "pearls"), 1),
    (57, (ABILITY, "trigger"), GONE),
    (57, (ABILITY, "trigger"), "sometimes"),
    (57, (ABILITY, "all_players"), GONE),
    (57, (ABILITY, "all_players"), 1),
    (57, (ABILITY, "benefits"), GONE),
    (57, (ABILITY, "benefits"), []),
    (57, (ABILITY, "score"), {"points": 1, "if": {"on_this": "school"}}),
    (57, (ABILITY, "extra"), 1),
    (57, (*FIRST, "do"), GONE),
    (57, (*FIRST, "do"), "sing"),
    (57, (*FIRST, "tag"), "shiny"),
    (57, (*FIRST, "count"), 2),
    (57, (*FIRST, "size"), "huge"),
    (57, (*FIRST, "row"), "middle"),
    (1, (ABILITY, "trigger"), "when_played"),
    (1, (ABILITY, "score"), GONE),
    (1, (ABILITY, "score", "points"), 0),
    (1, (ABILITY, "score", "if"), {}),
    (1, (ABILITY, "score", "if"), {"on_this": "gold"}),
    (1, (ABILITY, "score", "if"), {"young_on_this_exactly": 0}),
    (1, (ABILITY, "score", "if"), {"this_in_row": "middle"}),
    (1, (ABILITY, "score", "if"), {"on_this": "school", "this_in_row": "bottom"}),
    (1, (ABILITY, "score", "unless"), {}),
    (3, (*FIRST, "count"), GONE),
    (3, (*FIRST, "count"), 0),
    (3, (*FIRST, "site"), "blue"),
    (95, (*FIRST, "zone"), "abyss"),
    (95, (*FIRST, "free"), "yes"),
    (95, (*FIRST, "min_coral"), -1),
    (95, (*FIRST, "max_coral"), 1),
    (138, (ABILITY, "bonus", "if", "this_site_coral", "color"), "any"),
    (138, (ABILITY, "bonus", "if", "this_site_coral", "at_least"), 0),
    (138, (ABILITY, "bonus", "benefits"), GONE),
    (141, (ABILITY, "if"), {"this_site_coral_none": False}),
    (142, ("needs_coral", "color"), "red"),
    (142, ("needs_coral", "at_least"), GONE),
    (142, (*FIRST, "color"), GONE),
]


def mutation_id(value: object) -> str | None:
    if value is GONE:
        return "gone"
    return ".".join(map(str, value)) if isinstance(value, tuple) else None


@pytest.mark.parametrize(("id_", "path", "value"), MALFORMED_CARDS, ids=mutation_id)
def test_a_malformed_card_is_refused_by_its_id(id_: int, path: Path, value: object) -> None:
    facts = next(facts for facts in CARD_FACTS if facts["id"] == id_)
    with pytest.raises(DataError, match=f"^card {id_}: "):
        _read([changed(facts, path, value)], _card, "card")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("slot",), "B7"),
        (("slot",), GONE),
        (("length_cm",), 0),
        (("name",), ""),
        (("points",), 1),
    ],
    ids=mutation_id,
)
def test_a_malformed_forage_fish_is_refused_by_its_id(path: Path, value: object) -> None:
    facts = changed(BOARD_FACTS["forage_fish"][0], path, value)
    with pytest.raises(DataError, match=r"^forage fish 301: "):
        _read([facts], _forage_fish, "forage fish")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("set",), "bse"),
        (("week",), 0),
        (("count",), "bubbles"),
        (("count",), GONE),
        (("per",), 0),
        (("points",), "1"),
        (("provisional",), "no"),
        (("colour",), "blue"),
    ],
    ids=mutation_id,
)
def test_a_malformed_achievement_is_refused_by_its_id(path: Path, value: object) -> None:
    facts = changed(ACHIEVEMENT_FACTS[0], path, value)
    with pytest.raises(DataError, match=r"^achievement a1: "):
        _read([facts], _achievement, "achievement")


def test_an_entry_that_stands_twice_is_refused() -> None:
    with pytest.raises(DataError, match=r"^card 1 stands twice"):
        _read([CARD_FACTS[0], CARD_FACTS[0]], _card, "card")


def test_well_formed_entries_are_read_as_they_are_in_the_catalogue() -> None:
    """The same way of reading that refuses the entries above."""
    cards: dict[int, Card] = _read(CARD_FACTS, _card, "card")
    achievements: dict[str, Achievement] = _read(ACHIEVEMENT_FACTS, _achievement, "achievement")
    assert [CARDS[id_] for id_ in cards] == list(cards.values())
    assert [ACHIEVEMENTS[id_] for id_ in achievements] == list(achievements.values())
