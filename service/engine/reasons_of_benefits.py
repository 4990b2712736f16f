"""Why a benefit cannot be taken as a move says (R7). It ends in one table.

Per verb: the moves that it can offer, what stands against one of them on the predicates of its choices, and
which of them it is about.
"""

from collections.abc import Callable, Iterable, Iterator
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
)
from service.engine.cards import CARDS, FORAGE, LENGTHS, NO_CARD, fits_filter, play_slots
from service.engine.errors import Refusal
from service.engine.events import FishSource, Source
from service.engine.moves import Move, MoveKind
from service.engine.ocean import LINES, RAYS, SITES, SLOT_NAMES
from service.engine.piles import can_draw
from service.engine.reasons_of_plays import no_unit, not_in_hand, why_not_benefit_play
from service.engine.reefs import has_room, purchases
from service.engine.resolvers import effects_of, fitting_fish, is_own_fish
from service.engine.state import Benefits, GameState, Player
from service.engine.texts import UNITS, amount_text, capitalized, group_for
from service.engine.tokens import (
    fish_without_egg,
    school_destinations,
    slots_about_to_school,
    young_destinations,
)


def giver_text(state: GameState, step: Benefits) -> str:
    """Return what gives a group of benefits, as the player who may take them sees it (R7.8)."""
    return group_for(step.seat, step.source, state.names, is_rest=False)


def _why_not_draw(
    state: GameState, _seat: int, _effect: Draw, _source: Source, _move: Move
) -> Iterator[Refusal]:
    if not can_draw(state):
        yield Refusal("R7.1", "There is no card to draw: the deck and all discard piles are empty.")


def _why_not_recover(
    state: GameState, seat: int, effect: Recover, source: Source, move: Move
) -> Iterator[Refusal]:
    pile = state.players[seat].discard
    if move.kind is MoveKind.RECOVER and move.card not in pile:
        yield Refusal("R7.2", f"{CARDS[move.card].name} is not in your discard pile.")
    if move.kind is MoveKind.DRAW and pile:
        yield Refusal("R7.2", "Your discard pile has cards, so a card is recovered from it, not drawn.")
    if move.kind is MoveKind.DRAW:
        yield from _why_not_draw(state, seat, Draw(effect.count), source, move)


def _why_not_lay_egg(
    state: GameState, seat: int, _effect: LayEgg, _source: Source, move: Move
) -> Iterator[Refusal]:
    player, name = state.players[seat], SLOT_NAMES[move.slot]
    if not player.occupied >> move.slot & 1:
        yield Refusal("R4.3", f"An egg goes on a visible fish, and {name} has none.")
    elif not fish_without_egg(player) >> move.slot & 1:
        yield Refusal("R4.1", f"The fish on {name} has an egg already.")


def _why_not_hatch(
    state: GameState, seat: int, _effect: Hatch, _source: Source, move: Move
) -> Iterator[Refusal]:
    if not state.players[seat].eggs >> move.slot & 1:
        yield Refusal("R4.3", f"There is no egg on {SLOT_NAMES[move.slot]} to hatch.")


def _why_not_place_young(
    _state: GameState, _seat: int, _effect: PlaceYoung, _source: Source, _move: Move
) -> Iterator[Refusal]:
    yield from ()


def _why_not_egg_each(
    state: GameState, seat: int, effect: LayEggEach, _source: Source, _move: Move
) -> Iterator[Refusal]:
    player = state.players[seat]
    fish = fitting_fish(player, effect)
    if not fish:
        yield Refusal("R7.3", "You have no visible fish that this names.")
    elif not fish & ~player.eggs:
        yield Refusal("R7.3", "Every fish that this names has an egg.")


def _way(slot: int, to: int) -> tuple[int, ...]:
    """Return the slots that a token goes through on its straight way, the last included."""
    ray = next(ray for ray in RAYS[slot] if to in ray)
    return ray[: ray.index(to) + 1]


def _first_on_way(slot: int, to: int, among: int) -> str:
    return next(SLOT_NAMES[passed] for passed in _way(slot, to) if among >> passed & 1)


def _why_not_move_token(
    state: GameState, seat: int, _effect: MoveToken, _source: Source, move: Move
) -> Iterator[Refusal]:
    player, name, to = state.players[seat], SLOT_NAMES[move.slot], SLOT_NAMES[move.to]
    is_young = move.kind is MoveKind.MOVE_YOUNG
    if not (player.young[move.slot] if is_young else player.schools >> move.slot & 1):
        yield Refusal("R4.4", f"There is no {'young' if is_young else 'school'} on {name} to move.")
    elif move.slot == move.to:
        yield Refusal("R4.4", "A token moves at least one slot.")
    elif not LINES[move.slot] >> move.to & 1:
        yield Refusal("R4.4", f"{name} and {to} do not lie in one straight line.")
    elif is_young and not young_destinations(player, move.slot) >> move.to & 1:
        where = _first_on_way(move.slot, move.to, slots_about_to_school(player))
        yield Refusal("R4.4", f"The young would form a school with the two on {where}, and go no further.")
    elif not is_young and not school_destinations(player, move.slot) >> move.to & 1:
        where = _first_on_way(move.slot, move.to, player.schools)
        yield Refusal("R4.4", f"Another school lies on {where}, where this one may not go or pass.")


def _not_shorter(prey_id: int, fish_id: int) -> Refusal:
    prey, fish = CARDS[prey_id], CARDS[fish_id]
    text = f"{prey.name} ({prey.length_cm} cm) is not shorter than {fish.name} ({fish.length_cm} cm)."
    return Refusal("R7.4", text)


def _why_not_consume(
    state: GameState, seat: int, _effect: ConsumeByThis, source: Source, move: Move
) -> Iterator[Refusal]:
    yield from not_in_hand(state.players[seat], move.card, "R7.4")
    if not isinstance(source, FishSource) or not is_own_fish(state, seat, source):
        yield Refusal("R7.9", "The fish that would consume is covered.")
    elif move.slot != source.slot:
        yield Refusal("R7.4", f"Only {CARDS[source.card].name} on {SLOT_NAMES[source.slot]} may consume now.")
    elif LENGTHS[move.card] >= LENGTHS[source.card]:
        yield _not_shorter(move.card, source.card)


def _why_not_consume_by_any(
    state: GameState, seat: int, _effect: ConsumeByAny, _source: Source, move: Move
) -> Iterator[Refusal]:
    player, name = state.players[seat], SLOT_NAMES[move.slot]
    fish = player.fish[move.slot]
    yield from not_in_hand(player, move.card, "R7.4")
    if fish == NO_CARD:
        yield Refusal("R7.4", f"Only a visible fish card can eat, and no fish lies on {name}.")
    elif fish in FORAGE:
        yield Refusal("R7.4", f"{CARDS[fish].name} on {name} is a forage fish, which never consumes.")
    elif LENGTHS[move.card] >= LENGTHS[fish]:
        yield _not_shorter(move.card, fish)


def _why_not_scatter(
    state: GameState, seat: int, _effect: Scatter, _source: Source, move: Move
) -> Iterator[Refusal]:
    schools = state.players[seat].schools
    if move.kind is MoveKind.SCATTER and not schools >> move.slot & 1:
        yield Refusal("R7.5", f"There is no school on {SLOT_NAMES[move.slot]} to scatter.")
    if move.kind is MoveKind.PLACE_YOUNG and schools:
        yield Refusal("R7.5", "You have a school, so one is scattered and no single young is put.")


def _full_reef(player: Player, site: int, rule: str) -> Iterator[Refusal]:
    if not has_room(player, site):
        yield Refusal(rule, f"The {SITES[site]} reef is full.")


def _why_not_gain_coral(
    state: GameState, seat: int, effect: GainCoral, _source: Source, move: Move
) -> Iterator[Refusal]:
    if effect.site not in (None, move.site):
        yield Refusal("R7.6", f"This ability gives no {SITES[move.site]} coral.")
    yield from _full_reef(state.players[seat], move.site, "R7.6")


_PRICES: Final = ("eggs", "young", "cards")
"""Per site, the kind of cost of which a coral costs one (R11.2, RU15)."""


def _why_not_buy_coral(
    state: GameState, seat: int, effect: BuyCoral, _source: Source, move: Move
) -> Iterator[Refusal]:
    player = state.players[seat]
    if move.site != effect.site:
        price = amount_text(1, UNITS[_PRICES[effect.site]])
        yield Refusal("R11.2", f"The diver is at the {SITES[effect.site]} reef, where a coral costs {price}.")
    yield from _full_reef(player, move.site, "R11.2")
    if move not in purchases(player, move.site):
        yield from no_unit(player, _PRICES[move.site], move, "R11.2")


def _why_not_play(
    state: GameState, seat: int, effect: Play, _source: Source, move: Move
) -> Iterator[Refusal]:
    yield from why_not_benefit_play(state.players[seat], effect, move)


class _Verb(NamedTuple):
    """What a verb's reasons are.

    ``why_not`` gets the state, the seat, the effect, the source and the move; ``is_about`` the effect, the
    source and the move. Of several effects that offer a kind of move, the one that a move is about answers.
    """

    kinds: tuple[MoveKind, ...]
    why_not: Callable[[GameState, int, Any, Source, Move], Iterator[Refusal]]
    is_about: Callable[[Any, Source, Move], bool] = lambda _effect, _source, _move: True


def _is_of_colour(effect: GainCoral, _source: Source, move: Move) -> bool:
    return effect.site in (None, move.site)


def _is_of_this_fish(_effect: ConsumeByThis, source: Source, move: Move) -> bool:
    return isinstance(source, FishSource) and source.slot == move.slot


def _is_of_kind_and_place(effect: Play, _source: Source, move: Move) -> bool:
    return fits_filter(CARDS[move.card], effect) and bool(play_slots(effect) >> move.to & 1)


_VERBS: Final[dict[type[Effect], _Verb]] = {
    Draw: _Verb((MoveKind.DRAW,), _why_not_draw),
    Recover: _Verb((MoveKind.DRAW, MoveKind.RECOVER), _why_not_recover),
    LayEgg: _Verb((MoveKind.LAY_EGG,), _why_not_lay_egg),
    Hatch: _Verb((MoveKind.HATCH,), _why_not_hatch),
    PlaceYoung: _Verb((MoveKind.PLACE_YOUNG,), _why_not_place_young),
    LayEggEach: _Verb((MoveKind.LAY_EGG_EACH,), _why_not_egg_each),
    MoveToken: _Verb((MoveKind.MOVE_YOUNG, MoveKind.MOVE_SCHOOL), _why_not_move_token),
    ConsumeByThis: _Verb((MoveKind.CONSUME,), _why_not_consume, _is_of_this_fish),
    ConsumeByAny: _Verb((MoveKind.CONSUME,), _why_not_consume_by_any),
    Scatter: _Verb((MoveKind.PLACE_YOUNG, MoveKind.SCATTER), _why_not_scatter),
    GainCoral: _Verb((MoveKind.GAIN_CORAL,), _why_not_gain_coral, _is_of_colour),
    BuyCoral: _Verb((MoveKind.BUY_CORAL,), _why_not_buy_coral),
    Play: _Verb((MoveKind.PLAY_FISH,), _why_not_play, _is_of_kind_and_place),
}

_GIFTS: Final[dict[MoveKind, tuple[str, str]]] = {
    MoveKind.PLAY_FISH: ("R5.7", "play"),
    MoveKind.DRAW: ("R7.1", "card to draw"),
    MoveKind.RECOVER: ("R7.2", "card to recover"),
    MoveKind.LAY_EGG: ("R7.3", "egg"),
    MoveKind.HATCH: ("R7.3", "hatch"),
    MoveKind.PLACE_YOUNG: ("R7.3", "young"),
    MoveKind.LAY_EGG_EACH: ("R7.3", "egg on each fish"),
    MoveKind.MOVE_YOUNG: ("R7.3", "move of a young"),
    MoveKind.MOVE_SCHOOL: ("R7.3", "move of a school"),
    MoveKind.CONSUME: ("R7.4", "card to consume"),
    MoveKind.SCATTER: ("R7.5", "school to scatter"),
    MoveKind.GAIN_CORAL: ("R7.6", "coral"),
    MoveKind.BUY_CORAL: ("R11.2", "coral to buy"),
}
"""Per kind of move that takes a benefit: its rule, and what is taken."""


def open_effects(step: Benefits) -> list[Effect]:
    """Return the effects of a group that are left, in the order printed."""
    return [effect for effect, left in zip(effects_of(step.source), step.left, strict=True) if left]


def kinds_of(effects: Iterable[Effect]) -> set[MoveKind]:
    """Return the kinds of move that effects can offer."""
    return {kind for effect in effects for kind in _VERBS[type(effect)].kinds}


def is_of_benefits(kind: MoveKind, step: Benefits) -> bool:
    """Return whether moves of a kind take benefits; plays do so where the source gives one (R5.7)."""
    return kind in (_GIFTS if kind is not MoveKind.PLAY_FISH else kinds_of(effects_of(step.source)))


def _gift(move: Move) -> str:
    colour = f"{SITES[move.site]} " if move.kind is MoveKind.GAIN_CORAL else ""
    return colour + _GIFTS[move.kind][1]


def _used_up(state: GameState, step: Benefits, move: Move) -> Refusal:
    return Refusal("R3.2", f"No {_gift(move)} of {giver_text(state, step)} is left.")


def _not_given(state: GameState, step: Benefits, move: Move) -> Refusal:
    kinds = kinds_of(effects_of(step.source))
    is_one_of_each = move.kind is MoveKind.LAY_EGG and MoveKind.LAY_EGG_EACH in kinds
    what = f"single {_gift(move)}" if is_one_of_each else _gift(move)
    return Refusal(_GIFTS[move.kind][0], f"{capitalized(giver_text(state, step))} gives no {what}.")


def why_not_benefit(state: GameState, step: Benefits, move: Move) -> Iterator[Refusal]:
    """Yield why a move takes no benefit of a group; nothing does if one open benefit allows it.

    Of the benefits that offer moves of this kind, one that the move is about answers, be it used up; failing
    that, any other that is open.
    """
    answers = [(True, True, _not_given(state, step, move))]
    for effect, left in zip(effects_of(step.source), step.left, strict=True):
        kinds, why_not, is_about = _VERBS[type(effect)]
        if move.kind in kinds:
            reasons = why_not(state, step.seat, effect, step.source, move)
            reason = next(reasons, None) if left else _used_up(state, step, move)
            if reason is None:
                return
            answers.append((not is_about(effect, step.source, move), not left, reason))
    yield min(answers, key=lambda answer: answer[:2])[2]
