"""Misprints: a card's ability with one thing about it otherwise, in every way that is near.

A test plays a card's scenes with each of its misprints and asks that the scenes notice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace

import pytest

from service.engine import resolvers
from service.engine.abilities import (
    SIZES,
    Ability,
    AlsoIf,
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
from service.engine.cards import ABILITIES, CARDS, TAGS, TRIGGERS
from service.engine.ocean import NAMED_ROWS, SITES, ZONES

COUNTED = (Draw, Recover, LayEgg, Hatch, PlaceYoung, MoveToken, ConsumeByAny, Scatter)
CORAL = range(1, 7)
VALUES = {
    "site": (None, *range(len(SITES))),
    "row": (None, *NAMED_ROWS.values()),
    "zone": (None, *range(len(ZONES))),
    "size": (None, *range(len(SIZES))),
    "tag": (None, *TAGS),
    "free": (False, True),
    "min_coral": (0, *CORAL),
}
"""What the fields of an effect that names a place or a kind of fish can say."""
CONDITIONS: tuple[Condition, ...] = (
    NoTokens(),
    HasSchool(),
    HasEggYoungAndSchool(),
    *(YoungExactly(count) for count in (1, 2, 3)),
    *(ConsumedAtLeast(count) for count in (1, 2, 3, 4)),
    *(InRow(row) for row in range(6)),
    SiteCoralNone(),
    *(SiteCoralAtLeast(site, count) for site in range(len(SITES)) for count in CORAL),
    *(EveryReefAtLeast(count) for count in CORAL),
    *(SomeReefAtLeast(count) for count in CORAL),
)


def _otherwise(effect: LayEggEach | Play | GainCoral) -> Iterator[Effect]:
    """Yield an effect with one of its fields otherwise, or one more of them; a row has its zone already."""
    names = VALUES.keys() & {field.name for field in fields(effect)}
    for name in sorted(names - ({"zone"} if getattr(effect, "row", None) is not None else set())):
        for value in VALUES[name]:
            if value != getattr(effect, name):
                yield replace(effect, **{name: value})


def _effects_near(effect: Effect) -> Iterator[Effect]:
    if isinstance(effect, LayEggEach | Play | GainCoral):
        yield from _otherwise(effect)
    if isinstance(effect, LayEggEach | Play):
        return
    if isinstance(effect, ConsumeByAny):
        yield ConsumeByThis(effect.count)
    yield replace(effect, count=effect.count + 1)
    if effect.count > 1:
        yield replace(effect, count=effect.count - 1)
    for verb in COUNTED:
        if not isinstance(effect, verb):
            yield verb(effect.count)


def _groups_near(effects: tuple[Effect, ...]) -> Iterator[tuple[Effect, ...]]:
    for index, effect in enumerate(effects):
        before, after = effects[:index], effects[index + 1 :]
        if before or after:
            yield before + after
        for near in _effects_near(effect):
            yield (*before, near, *after)


def _conditions_near(condition: Condition) -> Iterator[Condition]:
    return (other for other in CONDITIONS if other != condition)


def _points_near(score: Points) -> Iterator[Points]:
    for points in (score.points - 1, score.points + 1):
        yield replace(score, points=points)
    for condition in _conditions_near(score.condition):
        yield replace(score, condition=condition)


def _also_near(also: AlsoIf) -> Iterator[AlsoIf | None]:
    yield None
    for condition in _conditions_near(also.condition):
        yield replace(also, condition=condition)
    for effects in _groups_near(also.effects):
        yield replace(also, effects=effects)


def _ifs_near(ability: Ability) -> Iterator[Ability]:
    """Yield an ability with its condition or its second part otherwise or gone, if it has them."""
    if ability.condition is not None:
        for condition in (None, *_conditions_near(ability.condition)):
            yield replace(ability, condition=condition)
    if ability.also is not None:
        for also in _also_near(ability.also):
            yield replace(ability, also=also)


def _is_for_one(effect: Effect) -> bool:
    """Return whether no all-players ability may hold such an effect."""
    return isinstance(effect, Play | ConsumeByThis)


def misprints(ability: Ability) -> Iterator[Ability | None]:
    """Yield an ability with one thing otherwise, each once; first none at all."""
    yield None
    if ability.score is not None:
        for score in _points_near(ability.score):
            yield replace(ability, score=score)
        return
    for trigger in TRIGGERS:
        if trigger != ability.trigger:
            yield replace(ability, trigger=trigger)
    if not any(map(_is_for_one, ability.effects)):
        yield replace(ability, all_players=not ability.all_players)
    for effects in _groups_near(ability.effects):
        yield replace(ability, effects=effects)
    yield from _ifs_near(ability)


@contextmanager
def printed(card: int, ability: Ability | None) -> Iterator[None]:
    """Let a card bear another ability for a while, in the catalogue and in the tables made from it."""
    effects = ability.effects if ability is not None else ()
    also = ability.also.effects if ability is not None and ability.also is not None else ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CARDS, card, replace(CARDS[card], ability=ability))
        for trigger, abilities in ABILITIES.items():
            patch.delitem(abilities, card, raising=False)
            if ability is not None and ability.trigger == trigger:
                patch.setitem(abilities, card, ability)
        patch.setitem(resolvers._ABILITY_EFFECTS, card, effects)
        patch.setitem(resolvers._ABILITY_COUNTS, card, tuple(effect.count for effect in effects))
        patch.setitem(resolvers._ALSO_EFFECTS, card, also)
        patch.setitem(resolvers._ALSO_COUNTS, card, tuple(effect.count for effect in also))
        yield
