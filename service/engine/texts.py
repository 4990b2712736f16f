"""What cards and boards say as short plain-English sentences, made from the data.

One table per vocabulary (effects, conditions, counts) says how each of its words reads; no text is about one
card. Decisions and their moves stand in `decision_texts`, events in `event_texts`. Texts may change in any
release, so nothing may ever read them back.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from service.engine.abilities import (
    SIZES,
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
)
from service.engine.cards import (
    BONUSES,
    CARDS,
    DEEP_STOP,
    REEF_STOP,
    SIDE_A_SET,
    ZONE_OF_STOP,
    Achievement,
    Card,
    Cost,
)
from service.engine.events import BonusSource, FishSource, GroupSource, Source
from service.engine.ocean import NAMED_ROWS, SITES, SLOT_NAMES, ZONES
from service.engine.scoring import POINTS_FOR_MOST

Names = Sequence[str]
"""Display names by seat; an empty one, or none at all, reads as the player's number."""

# Words and numbers.

_NO_PLURAL: Final = ("coral", "fish", "young")
CARD_NAMES: Final = {id_: card.name for id_, card in CARDS.items()}
_ROW_NAMES: Final = {row: f"the {name} row" for name, row in NAMED_ROWS.items()}
_STOP_NAMES: Final = {stop: ZONES[zone].capitalize() for stop, zone in ZONE_OF_STOP.items()} | {
    DEEP_STOP: "deep"
}
_PRICES: Final = ("1 egg", "1 young", "1 card from hand")
"""Per site, what a coral costs (R11.2, RU15)."""
UNITS: Final = {"cards": "card", "eggs": "egg", "young": "young", "schools": "school"}
"""The fields of a cost that are paid in units, in the order of payment, and what a unit is called."""


def amount_text(count: int, noun: str) -> str:
    """Return a number of things, such as "1 card" or "2 young"."""
    return f"{count} {noun}" if count == 1 or noun.endswith(_NO_PLURAL) else f"{count} {noun}s"


def listed(parts: Iterable[str]) -> str:
    """Return an enumeration of at least one part, such as "1 card, 2 eggs and 1 young"."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def _times(count: int, whom: str) -> str:
    """Return how often, with a reminder that nobody is bound to the same one each time."""
    return "" if count == 1 else f" {count} times ({whom} each time)"


def _row(row: int) -> str:
    return _ROW_NAMES.get(row, f"row {row + 1}")


def capitalized(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[0].upper() + text[1:]


def player_text(seat: int, names: Names) -> str:
    """Return a player's display name, "Player 1" and so on for one who has none."""
    return (names[seat] if seat < len(names) else "") or f"Player {seat + 1}"


def owner_text(seat: int, names: Names) -> str:
    """Return a player's display name as an owner's, such as "Ann's" or "James'"."""
    name = player_text(seat, names)
    return f"{name}'" if name[-1] in "sS" else f"{name}'s"


def cost_text(cost: Cost) -> str:
    """Return what playing a card takes, such as "1 card and 2 eggs" (R5.1, R5.2)."""
    parts = [amount_text(units, noun) for kind, noun in UNITS.items() if (units := getattr(cost, kind))]
    if cost.consume:
        parts.append("a shorter fish to consume")
    return listed(parts) if parts else "nothing"


# Effects (R7).


def _fish(size: int | None, tag: Tag | None) -> str:
    of_size = "" if size is None else f"{SIZES[size]} "
    with_tag = "" if tag is None else f" with the {tag} tag"
    return f"{of_size}fish{with_tag}"


def _place(site: int | None, row: int | None) -> str:
    in_site = "" if site is None else f" in the {SITES[site]} site"
    in_row = "" if row is None else f" in {_row(row)}"
    return in_site + in_row


def _lay_egg_each(effect: LayEggEach) -> str:
    """Place and tag stand in clauses of their own, so that "no egg" is said of the fish alone."""
    place = _place(effect.site, effect.row)
    clauses = [f"lie{place}"] if place else []
    clauses.append("have no egg" if effect.tag is None else f"have the {effect.tag} tag and no egg")
    return f"lay an egg on each of your {_fish(effect.size, None)} that {listed(clauses)}"


def _gain_coral(effect: GainCoral) -> str:
    if effect.site is None:
        return f"gain {effect.count} coral of any {'colour' if effect.count == 1 else 'colours'}"
    return f"gain {effect.count} {SITES[effect.site]} coral"


def _play(effect: Play) -> str:
    place = _place(effect.site, effect.row)
    if effect.zone is not None:
        place += f" in the {ZONES[effect.zone].capitalize()} zone"
    if effect.min_coral:
        place += f" in a site with at least {effect.min_coral} coral"
    price = " for free" if effect.free else ", paying its cost"
    return f"play a {_fish(effect.size, effect.tag)}{place}{price}"


_EFFECTS: Final[dict[type[Effect], Callable[[Any], str]]] = {
    Draw: lambda effect: f"draw {amount_text(effect.count, 'card')}",
    Recover: lambda effect: f"recover {amount_text(effect.count, 'card')} from your discard pile",
    LayEgg: lambda effect: f"lay {amount_text(effect.count, 'egg')}",
    Hatch: lambda effect: f"hatch {amount_text(effect.count, 'egg')}",
    PlaceYoung: lambda effect: f"put {effect.count} young{', each' * (effect.count > 1)} on any slot",
    LayEggEach: _lay_egg_each,
    MoveToken: lambda effect: f"move a young or a school{_times(effect.count, 'any one')}",
    ConsumeByThis: lambda effect: (
        f"let this fish consume {amount_text(effect.count, 'shorter card')} from hand"
    ),
    ConsumeByAny: lambda effect: (
        "let any one of your fish cards consume 1 shorter card from hand"
        + _times(effect.count, "any of them")
    ),
    Scatter: lambda effect: f"scatter {amount_text(effect.count, 'school')}",
    GainCoral: _gain_coral,
    BuyCoral: lambda effect: f"buy {effect.count} coral for {_PRICES[effect.site]}",
    Play: _play,
}


def effect_text(effect: Effect) -> str:
    """Return an effect in the imperative, such as "draw 2 cards"."""
    return _EFFECTS[type(effect)](effect)


def group_text(effects: Sequence[Effect], text: Callable[[Effect], str] = effect_text) -> str:
    """Return effects as one enumeration; coral of several colours has a common verb.

    Args:
        effects: at least one.
        text: how one of them reads.

    """
    colours = [effect for effect in effects if isinstance(effect, GainCoral) and effect.site is not None]
    if len(colours) == len(effects):
        return f"gain {listed(f'{effect.count} {SITES[effect.site or 0]}' for effect in colours)} coral"
    return listed(map(text, effects))


# Conditions (R10, R11.3, R11.5), abilities, bonuses, achievements.

_CONDITIONS: Final[dict[type[Condition], Callable[[Any], str]]] = {
    NoTokens: lambda _: "no egg, young or school is on this fish",
    HasSchool: lambda _: "a school is on this fish",
    HasEggYoungAndSchool: lambda _: "an egg, a young and a school are on this fish",
    YoungExactly: lambda condition: f"exactly {condition.count} young are on this fish",
    ConsumedAtLeast: lambda condition: (
        f"at least {condition.count} consumed fish lie{'s' * (condition.count == 1)} under this fish"
    ),
    InRow: lambda condition: f"this fish is in {_row(condition.row)}",
    SiteCoralAtLeast: lambda condition: (
        f"this fish's site holds at least {condition.count} {SITES[condition.site]} coral"
    ),
    SiteCoralNone: lambda _: "this fish's site holds no coral",
    EveryReefAtLeast: lambda condition: f"each of your sites holds at least {condition.count} coral",
    SomeReefAtLeast: lambda condition: f"one of your sites holds at least {condition.count} coral",
}


def condition_text(condition: Condition) -> str:
    """Return a condition as the clause that follows "if"."""
    return _CONDITIONS[type(condition)](condition)


_TRIGGERS: Final[dict[Trigger, str]] = {
    "when_played": "When played",
    "if_activated": "If activated",
    "game_end": "Game end",
}


def _points(score: Points) -> str:
    return f"{amount_text(score.points, 'point')} if {condition_text(score.condition)}"


def _also_if(also: AlsoIf) -> str:
    return f"; also, if {condition_text(also.condition)}, {group_text(also.effects)}"


def ability_text(card: Card) -> str:
    """Return a card's ability as a player would read it aloud, from its trigger on."""
    ability = card.ability
    if ability is None:
        return "No ability."
    who = ", all players" if ability.all_players else ""
    condition = f", if {condition_text(ability.condition)}" if ability.condition else ""
    what = _points(ability.score) if ability.score else group_text(ability.effects)
    also = _also_if(ability.also) if ability.also else ""
    return f"{_TRIGGERS[ability.trigger]}{who}{condition}: {what}{also}."


def _bonus(site: int, stop: int) -> str:
    if stop == REEF_STOP:
        return f"{SITES[site]} reef"
    return f"{_STOP_NAMES[stop]} bonus of the {SITES[site]} site"


def bonus_text(site: int, stop: int) -> str:
    """Return what the bonus of a site at a stop of the dive gives (R6.4)."""
    return f"{capitalized(_bonus(site, stop))}: {group_text(BONUSES[site, stop])}."


_LONE_YOUNG: Final = "young besides those in schools"
_COUNTED: Final = {
    "eggs_and_young": (f"egg and each {_LONE_YOUNG}", f"eggs and {_LONE_YOUNG}"),
    "eggs": ("egg", "eggs"),
    "young": (_LONE_YOUNG, _LONE_YOUNG),
    "schools": ("school", "schools"),
    "coral": ("coral", "coral"),
    "full_rows": ("row full of fish", "rows full of fish"),
    "small_fish": ("small fish", "small fish"),
    "medium_fish": ("medium fish", "medium fish"),
    "large_fish": ("large fish", "large fish"),
    "fish_with_token": ("fish with an egg, a young or a school", "fish with an egg, a young or a school"),
    "fish_without_token": ("fish with no egg, young or school", "fish with no egg, young or school"),
    "if_activated_fish": ("fish with an if-activated ability", "fish with an if-activated ability"),
    "sunlight_fish": ("fish in the Sunlight zone", "fish in the Sunlight zone"),
    "fish_of_1_to_3_points": ("fish card worth 1 to 3 points", "fish cards worth 1 to 3 points"),
    "fish_over_4_points": (
        "fish card worth more than 4 points",
        "fish cards worth more than 4 points",
    ),
    "predator_tags": ("predator tag", "predator tags"),
    "tag_kinds": ("different kind of tag", "different kinds of tag"),
    "consumed_fish": ("consumed fish", "consumed fish"),
    "discard_pile_cards": ("card in {whose} discard pile", "cards in {whose} discard pile"),
    "reef_completion_points": (
        "point that {whose} full reefs bring at the end of the game",
        "points that {whose} full reefs bring at the end of the game",
    ),
}
"""What achievements count, as one and as many."""


def worth_text(achievement: Achievement, whose: str) -> str:
    """Return what an achievement gives for what, such as "2 points for each school" (R8.2, R8.3).

    Args:
        achievement: one of the weekly achievements.
        whose: how the sentence calls the owner of what is counted, such as "your".

    """
    one, many = (counted.format(whose=whose) for counted in _COUNTED[achievement.count])
    each = f"each {one}" if achievement.per == 1 else f"every {achievement.per} {many}"
    return f"{amount_text(achievement.points, 'point')} for {each}"


def achievement_text(achievement: Achievement) -> str:
    """Return an achievement with its week (R8.2, R8.3), on side B with the points for scoring most (R8.1)."""
    most = "" if achievement.set == SIDE_A_SET else f", and {POINTS_FOR_MOST} more for scoring most"
    return f"Week {achievement.week}: {worth_text(achievement, 'your')}{most}."


# Sources.


def source_text(source: Source) -> str:
    """Return what brought something about, as a noun: a fish on its slot, a bonus, a rule."""
    if isinstance(source, FishSource):
        return f"{CARD_NAMES[source.card]} on {SLOT_NAMES[source.slot]}"
    return f"the {_bonus(*source)}" if isinstance(source, BonusSource) else f"rule {source.rule}"


def source_for(seat: int, source: Source, names: Names) -> str:
    """Return a source as a player sees it, with its owner where that is another player (R7.8)."""
    if isinstance(source, FishSource) and source.seat != seat:
        return f"{owner_text(source.seat, names)} {source_text(source)}"
    return source_text(source)


def is_reef(source: Source) -> bool:
    """Return whether a source is the reef purchase of a dive (R11.2)."""
    return isinstance(source, BonusSource) and source.stop == REEF_STOP


def _part(fish: FishSource) -> str:
    """Return which part of an ability with "also, if" a group is (R11.3)."""
    ability = CARDS[fish.card].ability
    if ability is None or ability.also is None:
        return ""
    return "second part of the " if fish.is_also else "first part of the "


def group_for(seat: int, source: GroupSource, names: Names, *, is_rest: bool) -> str:
    """Return a group of benefits as a noun, as a player sees it, or the rest of one that was begun."""
    of_fish = f"the {_part(source)}ability of " if isinstance(source, FishSource) else ""
    return f"{'the rest of ' if is_rest else ''}{of_fish}{source_for(seat, source, names)}"
