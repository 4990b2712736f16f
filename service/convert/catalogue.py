"""The catalogue: all that a client would otherwise hard-code, made once from the engine's data."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.options import EXPANSION_NUMBERS, SIDE_NUMBERS
from service.convert.reading import Fields
from service.engine.abilities import (
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
    YoungExactly,
)
from service.engine.cards import (
    ACHIEVEMENTS,
    BONUSES,
    CARDS,
    FORAGE,
    SIDE_A_SET,
    TAGS,
    TRIGGERS,
    Achievement,
    Card,
    CoralNeed,
    load,
)
from service.engine.ocean import SLOT_COUNT, SLOT_NAMES, row_of, site_of, zone_of
from service.engine.rules import RULES_VERSION
from service.engine.texts import ability_text, achievement_text, bonus_text

_VERBS: Final[dict[type[Effect], pb.Verb.ValueType]] = {
    Draw: pb.VERB_DRAW,
    Recover: pb.VERB_RECOVER,
    LayEgg: pb.VERB_LAY_EGG,
    Hatch: pb.VERB_HATCH,
    PlaceYoung: pb.VERB_PLACE_YOUNG,
    LayEggEach: pb.VERB_LAY_EGG_EACH,
    MoveToken: pb.VERB_MOVE,
    ConsumeByThis: pb.VERB_CONSUME_BY_THIS,
    Play: pb.VERB_PLAY,
    ConsumeByAny: pb.VERB_CONSUME_BY_ANY,
    Scatter: pb.VERB_SCATTER,
    GainCoral: pb.VERB_GAIN_CORAL,
    BuyCoral: pb.VERB_BUY_CORAL,
}

_CONDITIONS: Final[dict[type[Condition], tuple[pb.ConditionKind.ValueType, Callable[[Any], int | None]]]] = {
    NoTokens: (pb.CONDITION_KIND_NO_TOKENS, lambda _: None),
    HasSchool: (pb.CONDITION_KIND_HAS_SCHOOL, lambda _: None),
    HasEggYoungAndSchool: (pb.CONDITION_KIND_HAS_EGG_YOUNG_AND_SCHOOL, lambda _: None),
    YoungExactly: (pb.CONDITION_KIND_YOUNG_EXACTLY, lambda condition: condition.count),
    ConsumedAtLeast: (pb.CONDITION_KIND_CONSUMED_AT_LEAST, lambda condition: condition.count),
    InRow: (pb.CONDITION_KIND_IN_ROW, lambda condition: condition.row + 1),
    SiteCoralAtLeast: (pb.CONDITION_KIND_SITE_CORAL_AT_LEAST, lambda condition: condition.count),
    SiteCoralNone: (pb.CONDITION_KIND_SITE_CORAL_NONE, lambda _: None),
    EveryReefAtLeast: (pb.CONDITION_KIND_EVERY_REEF_AT_LEAST, lambda condition: condition.count),
    SomeReefAtLeast: (pb.CONDITION_KIND_SOME_REEF_AT_LEAST, lambda condition: condition.count),
}
"""How each condition is written, and the number that it speaks of."""


def _one_up(index: int | None) -> int | None:
    return None if index is None else index + 1


def _benefit_fields(effect: Effect) -> Fields:
    """Return a benefit's fields; what the effect does not name is not set."""
    tag = getattr(effect, "tag", None)
    place = {name: _one_up(getattr(effect, name, None)) for name in ("site", "row", "zone", "size")}
    return {
        "verb": _VERBS[type(effect)],
        "count": effect.count,
        "tag": None if tag is None else TAGS.index(tag) + 1,
        "min_coral": getattr(effect, "min_coral", 0),
        "free": getattr(effect, "free", False),
        **place,
    }


def _points_fields(score: Points) -> Fields:
    kind, number = _CONDITIONS[type(score.condition)]
    return {"points": score.points, "condition": kind, "number": number(score.condition)}


def _condition_fields(condition: Condition | None) -> Fields | None:
    if condition is None:
        return None
    kind, number = _CONDITIONS[type(condition)]
    return {"kind": kind, "number": number(condition), "site": _one_up(getattr(condition, "site", None))}


def _also_fields(also: AlsoIf | None) -> Fields | None:
    if also is None:
        return None
    return {
        "condition": _condition_fields(also.condition),
        "benefits": [_benefit_fields(effect) for effect in also.effects],
    }


def _coral_need_fields(need: CoralNeed | None) -> Fields | None:
    return None if need is None else {"site": _one_up(need.site), "at_least": need.at_least}


def _ability_fields(card: Card, ability: Ability) -> Fields:
    return {
        "trigger": TRIGGERS.index(ability.trigger) + 1,
        "all_players": ability.all_players,
        "benefits": [_benefit_fields(effect) for effect in ability.effects],
        "points": _points_fields(ability.score) if ability.score else None,
        "condition": _condition_fields(ability.condition),
        "also": _also_fields(ability.also),
        "text": ability_text(card),
    }


def _card_fields(card: Card) -> Fields:
    cost = card.cost
    return {
        "id": card.id,
        "name": card.name,
        "latin": card.latin,
        "starter": card.deck == "starter",
        "cost": {
            "cards": cost.cards,
            "eggs": cost.eggs,
            "young": cost.young,
            "schools": cost.schools,
            "consume": bool(cost.consume),
        },
        "zones": [zone + 1 for zone in card.zones],
        "site": _one_up(card.site),
        "row": _one_up(card.row),
        "points": card.points,
        "length_cm": card.length_cm,
        "size": card.size + 1,
        "tags": [TAGS.index(tag) + 1 for tag in card.tags],
        "ability": _ability_fields(card, card.ability) if card.ability else None,
        "expansion": EXPANSION_NUMBERS.get(card.set),
        "needs_coral": _coral_need_fields(card.needs_coral),
    }


def _forage_fields(card: Card) -> Fields:
    return {
        "id": card.id,
        "name": card.name,
        "length_cm": card.length_cm,
        "size": card.size + 1,
        "slot": FORAGE[card.id] + 1,
    }


def _achievement_fields(achievement: Achievement) -> Fields:
    return {
        "id": achievement.id,
        "side": SIDE_NUMBERS["a" if achievement.set == SIDE_A_SET else "b"],
        "week": achievement.week,
        "counts": achievement.count,
        "per": achievement.per,
        "points": achievement.points,
        "provisional": achievement.provisional,
        "text": achievement_text(achievement),
        "expansion": EXPANSION_NUMBERS.get(achievement.set),
    }


def _slot_fields(slot: int) -> Fields:
    return {
        "slot": slot + 1,
        "name": SLOT_NAMES[slot],
        "site": site_of(slot) + 1,
        "zone": zone_of(slot) + 1,
        "row": row_of(slot) + 1,
    }


def _bonus_fields(site: int, stop: int) -> Fields:
    return {
        "site": site + 1,
        "stop": stop + 1,
        "benefits": [_benefit_fields(effect) for effect in BONUSES[site, stop]],
        "text": bonus_text(site, stop),
    }


@cache
def catalogue() -> pb.GetCatalogResponse:
    """Return the catalogue of this rules version, all sets in it."""
    cards = sorted(CARDS.values(), key=lambda card: card.id)
    fields: Fields = {
        "rules_version": RULES_VERSION,
        "cards": [_card_fields(card) for card in cards if card.id not in FORAGE],
        "forage_fish": [_forage_fields(card) for card in cards if card.id in FORAGE],
        "achievements": [_achievement_fields(tile) for tile in ACHIEVEMENTS.values()],
        "slots": [_slot_fields(slot) for slot in range(SLOT_COUNT)],
        "bonuses": [_bonus_fields(site, stop) for site, stop in sorted(BONUSES)],
        "rules": load("rules.json"),
        "rulings": load("rulings.json"),
    }
    return pb.GetCatalogResponse(**fields)
