"""Per verb: what may be chosen, and what then happens (R7). It ends in one table.

A resolver's ``choices`` lists the moves of one benefit that can change something; its ``take`` carries one
out. Both get the effect with its fields; neither knows any card.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from service.engine.abilities import (
    BuyCoral,
    ConsumeByAny,
    ConsumeByThis,
    Draw,
    Effect,
    GainCoral,
    Hatch,
    LayEgg,
    LayEggEach,
    MoveToken,
    PlaceYoung,
    Play,
    Recover,
    Scatter,
    Trigger,
    size_of,
)
from service.engine.cards import ABILITIES, BONUSES, CARDS, FORAGE, LENGTHS, fits_filter, play_slots
from service.engine.conditions import holds
from service.engine.events import CardConsumed, FishActivated, FishSource, GroupSource, Source
from service.engine.moves import (
    CONSUME,
    DRAW,
    GAIN_CORAL,
    HATCH,
    LAY_EGG,
    LAY_EGG_EACH,
    MOVE_SCHOOL,
    MOVE_YOUNG,
    PLACE_YOUNG,
    RECOVER,
    SCATTER,
    Move,
    MoveKind,
)
from service.engine.ocean import ALL_SLOTS, ROW_SLOTS, SITE_SLOTS, SITES, slots_in
from service.engine.piles import can_draw, draw, recover
from service.engine.plays import begin_play, can_pay, plays_of, purse_of, put_down
from service.engine.reefs import PAY_PRICE, gain_coral, has_room, purchases, slots_with_reef
from service.engine.state import (
    AllPlayers,
    AlsoIf,
    Benefits,
    GameState,
    Player,
    Scattering,
    Step,
    Table,
)
from service.engine.tokens import (
    fish_without_egg,
    hatch,
    lay_egg,
    move_school,
    move_young,
    place_young,
    scatter,
    school_destinations,
    slots_with_young,
    young_destinations,
)

YOUNG_PER_SCATTER: Final = 4
"""Young that a scattered school is put down as (R7.5, RU09)."""

Choices = Callable[[GameState, int, Any, Source], list[Move]]
Take = Callable[[Table, int, Any, Move], None]


class Resolver(NamedTuple):
    """What a verb offers, by state, seat, effect and source, and does, by table, seat, effect and move."""

    choices: Choices
    take: Take


def _draws(state: GameState, _seat: int, _effect: Draw, _source: Source) -> list[Move]:
    return [DRAW] if can_draw(state) else []


def _draw(table: Table, seat: int, _effect: Draw, _move: Move) -> None:
    draw(table, seat)


def _recoveries(state: GameState, seat: int, effect: Recover, source: Source) -> list[Move]:
    """With an empty discard pile, a recover is a draw (R7.2)."""
    pile = state.players[seat].discard
    return [RECOVER[card] for card in pile] if pile else _draws(state, seat, Draw(effect.count), source)


def _recover(table: Table, seat: int, _effect: Recover, move: Move) -> None:
    if move.kind is MoveKind.DRAW:
        draw(table, seat)
    else:
        recover(table, seat, move.card)


def _fish_to_lay_on(state: GameState, seat: int, _effect: LayEgg, _source: Source) -> list[Move]:
    return [LAY_EGG[slot] for slot in slots_in(fish_without_egg(state.players[seat]))]


def _lay_egg(table: Table, seat: int, _effect: LayEgg, move: Move) -> None:
    lay_egg(table, seat, move.slot)


def _eggs_to_hatch(state: GameState, seat: int, _effect: Hatch, _source: Source) -> list[Move]:
    return [HATCH[slot] for slot in slots_in(state.players[seat].eggs)]


def _hatch(table: Table, seat: int, _effect: Hatch, move: Move) -> None:
    hatch(table, seat, move.slot)


def _slots_for_young(_state: GameState, _seat: int, _effect: PlaceYoung, _source: Source) -> list[Move]:
    return list(PLACE_YOUNG)


def _place_young(table: Table, seat: int, _effect: PlaceYoung, move: Move) -> None:
    place_young(table, seat, move.slot)


def fitting_fish(player: Player, effect: LayEggEach) -> int:
    """Return the slots of the visible fish that an "egg on each" names (R7.3)."""
    slots = player.occupied
    slots &= ALL_SLOTS if effect.site is None else SITE_SLOTS[effect.site]
    slots &= ALL_SLOTS if effect.row is None else ROW_SLOTS[effect.row]
    fish = player.fish
    if effect.size is not None:
        slots = sum(1 << slot for slot in slots_in(slots) if size_of(LENGTHS[fish[slot]]) == effect.size)
    if effect.tag is not None:
        slots = sum(1 << slot for slot in slots_in(slots) if effect.tag in CARDS[fish[slot]].tags)
    return slots


def _egg_each(state: GameState, seat: int, effect: LayEggEach, _source: Source) -> list[Move]:
    player = state.players[seat]
    return [LAY_EGG_EACH] if fitting_fish(player, effect) & ~player.eggs else []


def _lay_egg_each(table: Table, seat: int, effect: LayEggEach, _move: Move) -> None:
    """All of them (RU05)."""
    player = table.state.players[seat]
    for slot in slots_in(fitting_fish(player, effect) & ~player.eggs):
        lay_egg(table, seat, slot)


def _token_moves(state: GameState, seat: int, _effect: MoveToken, _source: Source) -> list[Move]:
    player = state.players[seat]
    return [
        MOVE_YOUNG[slot][to]
        for slot in slots_with_young(player)
        for to in slots_in(young_destinations(player, slot))
    ] + [
        MOVE_SCHOOL[slot][to]
        for slot in slots_in(player.schools)
        for to in slots_in(school_destinations(player, slot))
    ]


def _move_token(table: Table, seat: int, _effect: MoveToken, move: Move) -> None:
    verb = move_young if move.kind is MoveKind.MOVE_YOUNG else move_school
    verb(table, seat, move.slot, move.to)


def is_own_fish(state: GameState, seat: int, source: Source) -> bool:
    """Return whether the fish of an ability still lies visible in this player's ocean (R7.9)."""
    return (
        isinstance(source, FishSource)
        and source.seat == seat
        and state.players[seat].fish[source.slot] == source.card
    )


def _prey(state: GameState, seat: int, _effect: ConsumeByThis, source: Source) -> list[Move]:
    """The ability's own fish eats what is strictly shorter (R7.4, RU07)."""
    if not isinstance(source, FishSource) or not is_own_fish(state, seat, source):
        return []
    length = LENGTHS[source.card]
    return [CONSUME[source.slot][card] for card in state.players[seat].hand if LENGTHS[card] < length]


def _prey_of_any(state: GameState, seat: int, _effect: ConsumeByAny, _source: Source) -> list[Move]:
    """Every visible fish card eats what is strictly shorter (R7.4, RU08)."""
    player = state.players[seat]
    return [
        CONSUME[slot][card]
        for slot in slots_in(player.occupied)
        if player.fish[slot] not in FORAGE
        for card in player.hand
        if LENGTHS[card] < LENGTHS[player.fish[slot]]
    ]


def _consume(table: Table, seat: int, _effect: ConsumeByThis | ConsumeByAny, move: Move) -> None:
    player = table.state.players[seat]
    player.hand.remove(move.card)
    player.under[move.slot] = tuple(sorted((*player.under.get(move.slot, ()), move.card)))
    table.events.append(CardConsumed(seat, table.source, move.slot, move.card))


def _scatters(state: GameState, seat: int, _effect: Scatter, _source: Source) -> list[Move]:
    """With no school at all, a scatter is one young put (R7.5, RU09)."""
    schools = state.players[seat].schools
    return [SCATTER[slot] for slot in slots_in(schools)] if schools else list(PLACE_YOUNG)


def _scatter(table: Table, seat: int, _effect: Scatter, move: Move) -> None:
    if move.kind is MoveKind.PLACE_YOUNG:
        place_young(table, seat, move.slot)
        return
    scatter(table, seat, move.slot)
    assert isinstance(table.source, FishSource)  # noqa: S101  only fish scatter
    table.state.agenda.append(Scattering(seat, table.source, 0))


def slots_to_scatter_to(step: Scattering) -> list[Move]:
    """Return where the next young of a scattered school can be put: on a slot not used yet (R7.5)."""
    return [PLACE_YOUNG[slot] for slot in slots_in(ALL_SLOTS & ~step.used)]


def put_scattered(table: Table, step: Scattering, move: Move) -> None:
    """Put the next young of a scattered school (R7.5)."""
    agenda = table.state.agenda
    used = step.used | 1 << move.slot
    agenda.pop()
    if used.bit_count() < YOUNG_PER_SCATTER:
        agenda.append(step._replace(used=used))
    table.source = step.source
    place_young(table, step.seat, move.slot)


def _reefs_to_grow(state: GameState, seat: int, effect: GainCoral, _source: Source) -> list[Move]:
    sites = range(len(SITES)) if effect.site is None else (effect.site,)
    return [GAIN_CORAL[site] for site in sites if has_room(state.players[seat], site)]


def _gain_coral(table: Table, seat: int, _effect: GainCoral, move: Move) -> None:
    gain_coral(table, seat, move.site)


def _purchases(state: GameState, seat: int, effect: BuyCoral, _source: Source) -> list[Move]:
    return purchases(state.players[seat], effect.site)


def _buy_coral(table: Table, seat: int, effect: BuyCoral, move: Move) -> None:
    PAY_PRICE[effect.site](table, seat, move)
    gain_coral(table, seat, effect.site)


def place_of(player: Player, effect: Play) -> int:
    """Return the slots of the place that a play names, its coral included (R5.7, R11.5)."""
    place = play_slots(effect)
    return place & slots_with_reef(player, effect.min_coral) if effect.min_coral else place


def cards_to_play(player: Player, effect: Play) -> list[int]:
    """Return the hand cards that fit a play's filter and whose cost can be met or is waived (R5.7, R5.8)."""
    purse = purse_of(player)
    return [
        id_
        for id_ in player.hand
        if fits_filter(CARDS[id_], effect) and (effect.free or can_pay(purse, CARDS[id_].cost))
    ]


def _plays(state: GameState, seat: int, effect: Play, _source: Source) -> list[Move]:
    player = state.players[seat]
    place = place_of(player, effect)
    return [
        move
        for id_ in cards_to_play(player, effect)
        for move in plays_of(player, id_, within=place, free=effect.free)
    ]


def _play(table: Table, seat: int, effect: Play, move: Move) -> None:
    if effect.free:
        place_fish(table, seat, move.card, move.to)
    else:
        begin_play(table, move.card, move.to)


RESOLVERS: Final[dict[type[Effect], Resolver]] = {
    Draw: Resolver(_draws, _draw),
    Recover: Resolver(_recoveries, _recover),
    LayEgg: Resolver(_fish_to_lay_on, _lay_egg),
    Hatch: Resolver(_eggs_to_hatch, _hatch),
    PlaceYoung: Resolver(_slots_for_young, _place_young),
    LayEggEach: Resolver(_egg_each, _lay_egg_each),
    MoveToken: Resolver(_token_moves, _move_token),
    ConsumeByThis: Resolver(_prey, _consume),
    ConsumeByAny: Resolver(_prey_of_any, _consume),
    Scatter: Resolver(_scatters, _scatter),
    GainCoral: Resolver(_reefs_to_grow, _gain_coral),
    BuyCoral: Resolver(_purchases, _buy_coral),
    Play: Resolver(_plays, _play),
}
"""All behaviour of all cards, the narrower of two that offer the same move first."""

_RANKS: Final = {verb: rank for rank, verb in enumerate(RESOLVERS)}


def _narrowness(effect: Effect) -> tuple[int, bool]:
    """Return what the narrower of two effects has less of: its verb's place, whether any reef will do."""
    return _RANKS[type(effect)], isinstance(effect, GainCoral) and effect.site is None


_ABILITY_EFFECTS: Final = {id_: card.ability.effects for id_, card in CARDS.items() if card.ability}


def _printed(effects: tuple[Effect, ...]) -> tuple[int, ...]:
    return tuple(effect.count for effect in effects)


_ABILITY_COUNTS: Final = {id_: _printed(effects) for id_, effects in _ABILITY_EFFECTS.items()}
_ALSO_EFFECTS: Final = {
    id_: card.ability.also.effects for id_, card in CARDS.items() if card.ability and card.ability.also
}
_ALSO_COUNTS: Final = {id_: _printed(effects) for id_, effects in _ALSO_EFFECTS.items()}
_BONUS_COUNTS: Final = {source: _printed(effects) for source, effects in BONUSES.items()}


def effects_of(source: GroupSource) -> tuple[Effect, ...]:
    """Return the printed effects of a fish's ability or a bonus."""
    if isinstance(source, FishSource):
        effects = _ALSO_EFFECTS if source.is_also else _ABILITY_EFFECTS
        return effects.get(source.card, ())
    return BONUSES[source]


def all_of(source: GroupSource) -> tuple[int, ...]:
    """Return how often each effect of a source is printed; nothing where there is no ability or bonus."""
    if isinstance(source, FishSource):
        counts = _ALSO_COUNTS if source.is_also else _ABILITY_COUNTS
        return counts.get(source.card, ())
    return _BONUS_COUNTS.get(source, ())


def group_choices(state: GameState, step: Benefits) -> list[Move]:
    """Return the moves of every benefit that is still open in a group, without Pass (R3.2, R3.3)."""
    offers = [
        RESOLVERS[type(effect)].choices(state, step.seat, effect, step.source)
        for effect, left in zip(effects_of(step.source), step.left, strict=True)
        if left
    ]
    return offers[0] if len(offers) == 1 else sorted({move for offer in offers for move in offer})


def take_benefit(table: Table, step: Benefits, move: Move) -> None:
    """Take one benefit of the group at the head of the agenda; the narrower of two that offer the move."""
    state = table.state
    state.agenda.pop()
    index = _index_of_benefit(state, step, move)
    left = (*step.left[:index], step.left[index] - 1, *step.left[index + 1 :])
    if any(left):
        state.agenda.append(Benefits(step.seat, step.source, left))
    table.source = step.source
    effect = effects_of(step.source)[index]
    RESOLVERS[type(effect)].take(table, step.seat, effect, move)


def _index_of_benefit(state: GameState, step: Benefits, move: Move) -> int:
    open_ = [index for index, left in enumerate(step.left) if left]
    if len(open_) == 1:
        return open_[0]
    effects = effects_of(step.source)
    return next(
        index
        for index in sorted(open_, key=lambda index: _narrowness(effects[index]))
        if move in RESOLVERS[type(effects[index])].choices(state, step.seat, effects[index], step.source)
    )


def begin_ability(table: Table, seat: int, slot: int, trigger: Trigger) -> tuple[Step, ...]:
    """Return the steps that the visible fish of a slot asks for (R5.5, R6.2, R7.8, R9.1, R11.3).

    The one to be carried out first stands last; there are none if the fish has no ability of this trigger.
    """
    card = table.state.players[seat].fish[slot]
    ability = ABILITIES[trigger].get(card)
    if ability is None:
        return ()
    source = FishSource(seat, slot, card)
    table.events.append(FishActivated(seat, source, trigger))
    if ability.all_players:
        return (AllPlayers(source, seat),)
    group = Benefits(seat, source, all_of(source))
    return (AlsoIf(source), group) if ability.also is not None else (group,)


def place_fish(table: Table, seat: int, card: int, slot: int) -> None:
    """Put a card down on its slot and queue its when-played benefits (R5.4, R5.5)."""
    put_down(table, seat, card, slot)
    table.state.agenda.extend(begin_ability(table, seat, slot, "when_played"))


def open_also_if(table: Table, step: AlsoIf) -> None:
    """Open the second part of "also, if", if its condition holds now (R11.3)."""
    state, fish = table.state, step.fish
    state.agenda.pop()
    ability = CARDS[fish.card].ability
    assert ability is not None and ability.also is not None  # noqa: S101, PT018  only such fish have the step
    if holds(state.players[fish.seat], fish.slot, ability.also.condition):
        source = fish._replace(is_also=True)
        state.agenda.append(Benefits(fish.seat, source, all_of(source)))


def open_part(table: Table, step: AllPlayers) -> None:
    """Open the next player's part of an all-players ability, and queue the parts behind it (R7.8, RU10)."""
    state = table.state
    state.agenda.pop()
    following = (step.next_seat + 1) % len(state.players)
    if following != step.fish.seat:
        state.agenda.append(AllPlayers(step.fish, following))
    state.agenda.append(Benefits(step.next_seat, step.fish, all_of(step.fish)))


def can_begin_game_end(state: GameState, source: FishSource) -> bool:
    """Return whether a fish has a game-end ability without points that could change something (R9.1)."""
    ability = CARDS[source.card].ability
    if ability is None or ability.trigger != "game_end" or not ability.effects:
        return False
    player = state.players[source.seat]
    if ability.condition is not None and not holds(player, source.slot, ability.condition):
        return False
    return bool(group_choices(state, Benefits(source.seat, source, all_of(source))))
