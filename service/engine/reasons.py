"""Why a move cannot be made: the rule that forbids it, and a sentence.

Every reason looks at the same predicates as the list of legal moves: a move is legal exactly when there is
no reason why not, which a test asserts over every move that can be said.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from service.engine.abilities import (
    SIZES,
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
from service.engine.cards import CARDS, FORAGE, LENGTHS, NO_CARD, Card, fits_filter, play_slots
from service.engine.errors import Refusal
from service.engine.events import FishSource, Source
from service.engine.moves import Move, MoveKind
from service.engine.ocean import LINES, SITES, SLOT_NAMES, ZONES, row_of, site_of, slots_in, zone_of
from service.engine.piles import can_draw
from service.engine.plays import PAYMENTS, allowed_slots, kind_due, plays_of, purse_of, shortfalls
from service.engine.reefs import has_room, purchases, slots_with_reef, slots_without_coral
from service.engine.resolvers import (
    can_begin_game_end,
    effects_of,
    fitting_fish,
    is_own_fish,
    place_of,
)
from service.engine.state import Benefits, Frame, GameState, Pay, Player, Scattering
from service.engine.tokens import fish_without_egg, school_destinations, young_destinations

_UNITS: Final = {
    "cards": ("card", "cards", "your hand holds"),
    "eggs": ("egg", "eggs", "your ocean holds"),
    "young": ("young", "young", "your ocean holds"),
    "schools": ("school", "schools", "your ocean holds"),
}


def _amount(kind: str, count: int) -> str:
    one, many, _ = _UNITS[kind]
    return f"{count} {one if count == 1 else many}"


# Playing a fish (R5).


def _not_in_hand(player: Player, id_: int, rule: str) -> Iterator[Refusal]:
    if id_ not in player.hand:
        yield Refusal(rule, f"{CARDS[id_].name} is not in your hand.")


def _shortfall(player: Player, card: Card) -> Iterator[Refusal]:
    """Yield what is missing of a card's cost (R5.1)."""
    purse = purse_of(player)
    for kind in shortfalls(purse, card.cost):
        have = getattr(purse, kind)
        other = "other" if kind == "cards" else "such"
        held = f"no {other}" if not have else f"only {have}"
        needed = _amount(kind, getattr(card.cost, kind))
        yield Refusal("R5.1", f"{card.name} costs {needed} and {_UNITS[kind][2]} {held}.")


def _wrong_place(card: Card, slot: int) -> Iterator[Refusal]:
    """Yield what the card itself has against a slot (R5.3)."""
    name = SLOT_NAMES[slot]
    if zone_of(slot) not in card.zones:
        allowed = " or ".join(ZONES[zone].capitalize() for zone in card.zones)
        yield Refusal("R5.3", f"{card.name} lives in the {allowed} zone, and {name} is elsewhere.")
    if card.site is not None and site_of(slot) != card.site:
        yield Refusal("R5.3", f"{card.name} belongs to the {SITES[card.site]} site, and {name} is elsewhere.")
    if card.row is not None and row_of(slot) != card.row:
        yield Refusal("R5.3", f"{card.name} goes to row {card.row + 1} only, and {name} is elsewhere.")


def _lacking_coral(player: Player, card: Card, slot: int) -> Iterator[Refusal]:
    """Yield what the reef of the slot's own site lacks for the card (R11.4)."""
    need = card.needs_coral
    if need is not None and slots_without_coral(player, need) >> slot & 1:
        colour = "" if need.site is None else f"{SITES[need.site]} "
        reef = f"the {SITES[site_of(slot)]} reef has {player.reefs[site_of(slot)]}"
        text = f"{card.name} needs {need.at_least} {colour}coral in the slot's own reef, and {reef}."
        yield Refusal("R11.4", text)


def _uncoverable(player: Player, card: Card, slot: int, *, free: bool) -> Iterator[Refusal]:
    """Yield what the fish on a slot, or its absence, has against the card (R5.2, R5.4)."""
    fish = player.fish[slot]
    must_consume = card.cost.consume and not free
    if fish == NO_CARD and must_consume:
        yield Refusal("R5.2", f"{card.name} must consume a shorter fish, and {SLOT_NAMES[slot]} has none.")
    if fish != NO_CARD and LENGTHS[fish] >= card.length_cm:
        text = (
            f"{card.name} ({card.length_cm} cm) is not longer than {CARDS[fish].name} ({LENGTHS[fish]} cm)."
        )
        yield Refusal("R5.2" if must_consume else "R5.4", text)


def _why_not_play(player: Player, id_: int, slot: int, *, free: bool = False) -> Iterator[Refusal]:
    card = CARDS[id_]
    yield from _not_in_hand(player, id_, "R5.1")
    yield from _wrong_place(card, slot)
    yield from _lacking_coral(player, card, slot)
    yield from _uncoverable(player, card, slot, free=free)
    if not free:
        yield from _shortfall(player, card)


# Benefits (R7). Per verb: the moves that it can offer, and what stands against one of them.


def _why_not_draw(
    state: GameState, _seat: int, _effect: Effect, _source: Source, _move: Move
) -> Iterator[Refusal]:
    if not can_draw(state):
        yield Refusal("R7.1", "There is no card to draw: the deck and all discard piles are empty.")


_RECOVERED: Final = Refusal("R7.2", "Your discard pile has cards, so a card is recovered from it, not drawn.")


def _why_not_recover(
    state: GameState, seat: int, effect: Recover, source: Source, move: Move
) -> Iterator[Refusal]:
    pile = state.players[seat].discard
    if move.kind is MoveKind.RECOVER and move.card not in pile:
        yield Refusal("R7.2", f"{CARDS[move.card].name} is not in your discard pile.")
    if move.kind is MoveKind.DRAW and pile:
        yield _RECOVERED
    if move.kind is MoveKind.DRAW:
        yield from _why_not_draw(state, seat, effect, source, move)


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
    if not fitting_fish(player, effect) & ~player.eggs:
        yield Refusal("R7.3", "None of your fish that this names is without an egg.")


def _why_not_move_token(
    state: GameState, seat: int, _effect: MoveToken, _source: Source, move: Move
) -> Iterator[Refusal]:
    player, name, to = state.players[seat], SLOT_NAMES[move.slot], SLOT_NAMES[move.to]
    is_young = move.kind is MoveKind.MOVE_YOUNG
    if not (player.young[move.slot] if is_young else player.schools >> move.slot & 1):
        yield Refusal("R4.4", f"There is no {'young' if is_young else 'school'} on {name} to move.")
    elif not LINES[move.slot] >> move.to & 1:
        yield Refusal("R4.4", f"{name} and {to} do not lie in one straight line.")
    elif is_young and not young_destinations(player, move.slot) >> move.to & 1:
        yield Refusal("R4.4", f"Between {name} and {to} a slot holds two young, which this one would join.")
    elif not is_young and not school_destinations(player, move.slot) >> move.to & 1:
        yield Refusal("R4.4", f"Another school lies on {to} or in between.")


def _not_shorter(prey_id: int, fish_id: int) -> Refusal:
    prey, fish = CARDS[prey_id], CARDS[fish_id]
    text = f"{prey.name} ({prey.length_cm} cm) is not shorter than {fish.name} ({fish.length_cm} cm)."
    return Refusal("R7.4", text)


def _why_not_consume(
    state: GameState, seat: int, _effect: ConsumeByThis, source: Source, move: Move
) -> Iterator[Refusal]:
    yield from _not_in_hand(state.players[seat], move.card, "R7.4")
    if not isinstance(source, FishSource) or not is_own_fish(state, seat, source):
        yield Refusal("R7.9", "The fish that would consume is covered.")
    elif move.slot != source.slot:
        yield Refusal("R7.4", f"Only {CARDS[source.card].name} on {SLOT_NAMES[source.slot]} may consume now.")
    elif LENGTHS[move.card] >= LENGTHS[source.card]:
        yield _not_shorter(move.card, source.card)


def _unfit(card: Card, effect: Play) -> Iterator[Refusal]:
    """Yield what a play's filter has against a card (R5.8)."""
    if not fits_filter(card, effect):
        wanted = effect.tag or SIZES[effect.size or 0]
        yield Refusal("R5.8", f"{card.name} is not {wanted}, as this play asks for.")


def _why_not_benefit_play(
    state: GameState, seat: int, effect: Play, _source: Source, move: Move
) -> Iterator[Refusal]:
    yield from _unfit(CARDS[move.card], effect)
    if effect.min_coral and not slots_with_reef(state.players[seat], effect.min_coral) >> move.to & 1:
        yield Refusal("R11.5", f"This play asks for {effect.min_coral} coral in the slot's own reef.")
    if not play_slots(effect) >> move.to & 1:
        yield Refusal("R5.7", f"{SLOT_NAMES[move.to]} lies outside the place that this play names.")
    yield from _why_not_play(state.players[seat], move.card, move.to, free=effect.free)


def _why_not_consume_by_any(
    state: GameState, seat: int, _effect: ConsumeByAny, _source: Source, move: Move
) -> Iterator[Refusal]:
    player = state.players[seat]
    fish = player.fish[move.slot]
    yield from _not_in_hand(player, move.card, "R7.4")
    if fish == NO_CARD or fish in FORAGE:
        yield Refusal("R7.4", f"A visible fish card must eat, and {SLOT_NAMES[move.slot]} has none.")
    elif LENGTHS[move.card] >= LENGTHS[fish]:
        yield _not_shorter(move.card, fish)


_SCATTERED: Final = Refusal("R7.5", "You have a school, so one is scattered and no single young put.")


def _why_not_scatter(
    state: GameState, seat: int, _effect: Scatter, _source: Source, move: Move
) -> Iterator[Refusal]:
    schools = state.players[seat].schools
    if move.kind is MoveKind.SCATTER and not schools >> move.slot & 1:
        yield Refusal("R7.5", f"There is no school on {SLOT_NAMES[move.slot]} to scatter.")
    if move.kind is MoveKind.PLACE_YOUNG and schools:
        yield _SCATTERED


def _full_reef(player: Player, site: int, rule: str) -> Iterator[Refusal]:
    if not has_room(player, site):
        yield Refusal(rule, f"The {SITES[site]} reef is full.")


def _why_not_gain_coral(
    state: GameState, seat: int, effect: GainCoral, _source: Source, move: Move
) -> Iterator[Refusal]:
    if effect.site not in (None, move.site):
        yield Refusal("R7.6", f"This coral is not for the {SITES[move.site]} reef.")
    yield from _full_reef(state.players[seat], move.site, "R7.6")


def _why_not_buy_coral(
    state: GameState, seat: int, effect: BuyCoral, _source: Source, move: Move
) -> Iterator[Refusal]:
    player = state.players[seat]
    if move.site != effect.site:
        yield Refusal("R11.2", f"The diver is at the {SITES[effect.site]} reef, which has another price.")
    yield from _full_reef(player, move.site, "R11.2")
    if move not in purchases(player, move.site):
        yield Refusal("R11.2", "There is no such egg, young or card to pay with.")


WhyNot = Callable[[GameState, int, Any, Source, Move], Iterator[Refusal]]

_WHY_NOT: Final[dict[type[Effect], tuple[tuple[MoveKind, ...], WhyNot]]] = {
    Draw: ((MoveKind.DRAW,), _why_not_draw),
    Recover: ((MoveKind.DRAW, MoveKind.RECOVER), _why_not_recover),
    LayEgg: ((MoveKind.LAY_EGG,), _why_not_lay_egg),
    Hatch: ((MoveKind.HATCH,), _why_not_hatch),
    PlaceYoung: ((MoveKind.PLACE_YOUNG,), _why_not_place_young),
    LayEggEach: ((MoveKind.LAY_EGG_EACH,), _why_not_egg_each),
    MoveToken: ((MoveKind.MOVE_YOUNG, MoveKind.MOVE_SCHOOL), _why_not_move_token),
    ConsumeByThis: ((MoveKind.CONSUME,), _why_not_consume),
    ConsumeByAny: ((MoveKind.CONSUME,), _why_not_consume_by_any),
    Scatter: ((MoveKind.PLACE_YOUNG, MoveKind.SCATTER), _why_not_scatter),
    GainCoral: ((MoveKind.GAIN_CORAL,), _why_not_gain_coral),
    BuyCoral: ((MoveKind.BUY_CORAL,), _why_not_buy_coral),
    Play: ((MoveKind.PLAY_FISH,), _why_not_benefit_play),
}

# Per kind of decision.


def _why_not_turn(state: GameState, move: Move) -> Iterator[Refusal]:
    if move.kind is MoveKind.PLAY_FISH:
        yield from _why_not_play(state.players[state.seat], move.card, move.to)
    elif move.kind is MoveKind.PASS:
        yield Refusal("R3.1", "A turn cannot be passed: play a fish or dive.")
    elif move.kind is not MoveKind.DIVE:
        yield Refusal("R3.1", "It is a turn: play a fish or dive.")


def _why_not_game_end(state: GameState, move: Move) -> Iterator[Refusal]:
    if move.kind is MoveKind.ACTIVATE_FISH:
        yield from _why_not_activate(state, move.slot)
    elif move.kind is not MoveKind.PASS:
        yield Refusal("R9.1", "It is the end of the game: activate a game-end ability or pass.")


def _why_not_activate(state: GameState, slot: int) -> Iterator[Refusal]:
    player, name = state.players[state.seat], SLOT_NAMES[slot]
    ability = CARDS[player.fish[slot]].ability if player.occupied >> slot & 1 else None
    if ability is None or ability.trigger != "game_end" or not ability.effects:
        yield Refusal("R9.1", f"No fish with benefits at the end of the game lies on {name}.")
    elif player.activated >> slot & 1:
        yield Refusal("R9.1", f"The game-end ability of the fish on {name} is used.")
    elif not can_begin_game_end(state, FishSource(state.seat, slot, player.fish[slot])):
        yield Refusal("R3.3", f"The game-end ability of the fish on {name} could not change anything.")


_FRAMES: Final = {Frame.TURN: _why_not_turn, Frame.GAME_END: _why_not_game_end}


def _why_not_frame(state: GameState, frame: Frame, move: Move) -> Iterator[Refusal]:
    if frame is Frame.GAME_OVER:
        yield Refusal("R9.3", "The game is over.")
    else:
        yield from _FRAMES[frame](state, move)


def _why_not_pay(state: GameState, pay: Pay, move: Move) -> Iterator[Refusal]:
    kind = kind_due(pay) or ""
    name = CARDS[pay.card].name
    if move.kind not in PAYMENTS or PAYMENTS[move.kind].kind != kind:
        yield Refusal("R5.1", f"{name} is being paid for: {_amount(kind, getattr(pay, kind))} to go.")
    elif kind == "cards":
        yield from _why_not_pay_card(state.players[state.seat], pay, move.card)
    else:
        yield from _why_not_pay_token(state.players[state.seat], kind, move.slot)


def _why_not_pay_card(player: Player, pay: Pay, id_: int) -> Iterator[Refusal]:
    if id_ == pay.card:
        yield Refusal("R5.1", f"{CARDS[id_].name} does not pay for itself.")
    yield from _not_in_hand(player, id_, "R5.1")


def _why_not_pay_token(player: Player, kind: str, slot: int) -> Iterator[Refusal]:
    held = {
        "eggs": player.eggs >> slot & 1,
        "young": player.young[slot],
        "schools": player.schools >> slot & 1,
    }
    if not held[kind]:
        yield Refusal("R5.1", f"There is no {_UNITS[kind][0]} on {SLOT_NAMES[slot]} to pay with.")


def _open_effects(step: Benefits) -> list[Effect]:
    return [effect for effect, left in zip(effects_of(step.source), step.left, strict=True) if left]


def _why_not_benefit(state: GameState, step: Benefits, move: Move) -> Iterator[Refusal]:
    """A move is legal if one open benefit has nothing against it; otherwise the last word is the answer."""
    if move.kind is MoveKind.PASS:
        return
    refusal = Refusal("R3.2", "No benefit of this kind is open now.")
    for effect in _open_effects(step):
        kinds, why_not_effect = _WHY_NOT[type(effect)]
        if move.kind in kinds:
            reason = next(why_not_effect(state, step.seat, effect, step.source, move), None)
            if reason is None:
                return
            refusal = reason
    yield refusal


def _why_not_scattered(_state: GameState, step: Scattering, move: Move) -> Iterator[Refusal]:
    if move.kind is not MoveKind.PLACE_YOUNG:
        yield Refusal("R7.5", "A school is being scattered: put its young one by one.")
    elif step.used >> move.slot & 1:
        yield Refusal("R7.5", f"A young of this school lies on {SLOT_NAMES[move.slot]} already.")


_STEPS: Final[dict[type, Callable[[GameState, Any, Move], Iterator[Refusal]]]] = {
    Frame: _why_not_frame,
    Pay: _why_not_pay,
    Benefits: _why_not_benefit,
    Scattering: _why_not_scattered,
}


def why_not(state: GameState, move: Move) -> Refusal | None:
    """Return why a move cannot be made now: the rule and a sentence; None if it is legal."""
    step = state.agenda[-1]
    return next(_STEPS[type(step)](state, step, move), None)


# Why something is not offered at all.


def _why_no_slot(player: Player, id_: int, effect: Play) -> Iterator[Refusal]:
    """Yield why a hand card has no legal slot in the place that a play names (R5.6)."""
    card = CARDS[id_]
    yield from _unfit(card, effect)
    if not effect.free:
        yield from _shortfall(player, card)
    place = allowed_slots(player, card) & place_of(player, effect)
    if not card.slots & play_slots(effect):
        yield Refusal("R5.7", f"{card.name} has no slot in the place that this play names.")
    elif not card.slots & place_of(player, effect):
        yield Refusal("R11.5", f"{card.name} has no slot in a site with at least {effect.min_coral} coral.")
    elif not place:
        yield Refusal("R11.4", f"{card.name} has no slot whose reef has the coral that is needed.")
    elif not plays_of(player, id_, within=place, free=effect.free):
        slot = slots_in(place & player.occupied or place)[0]
        yield from _uncoverable(player, card, slot, free=effect.free)


_ANYWHERE: Final = Play()


def _open_plays(state: GameState) -> list[tuple[int, Play]]:
    """Return who may play a fish now, and where: by the turn, or by a benefit."""
    step = state.agenda[-1]
    if step is Frame.TURN:
        return [(state.seat, _ANYWHERE)]
    if isinstance(step, Benefits):
        return [(step.seat, effect) for effect in _open_effects(step) if isinstance(effect, Play)]
    return []


def _why_no_card(state: GameState) -> Iterator[tuple[int, Refusal]]:
    for seat, effect in _open_plays(state):
        player = state.players[seat]
        for id_ in player.hand:
            refusal = next(_why_no_slot(player, id_, effect), None)
            if refusal is not None:
                yield id_, refusal


_NOTHING: Final[dict[MoveKind, Refusal]] = {
    MoveKind.PLAY_FISH: Refusal("R5.6", "No card of your hand can be played: cost or place cannot be met."),
    MoveKind.DRAW: Refusal("R7.1", "There is no card to draw."),
    MoveKind.RECOVER: Refusal("R7.2", "Your discard pile is empty."),
    MoveKind.LAY_EGG: Refusal("R4.1", "Every visible fish of yours has an egg."),
    MoveKind.HATCH: Refusal("R4.3", "There is no egg in your ocean."),
    MoveKind.PLACE_YOUNG: _SCATTERED,
    MoveKind.LAY_EGG_EACH: Refusal("R7.3", "None of your fish that this names is without an egg."),
    MoveKind.MOVE_YOUNG: Refusal("R4.4", "There is no young in your ocean beside those in schools."),
    MoveKind.MOVE_SCHOOL: Refusal("R4.4", "No school of yours can move."),
    MoveKind.CONSUME: Refusal("R7.4", "Your hand has no card that is shorter than a fish that may eat."),
    MoveKind.SCATTER: Refusal("R7.5", "There is no school in your ocean."),
    MoveKind.GAIN_CORAL: Refusal("R7.6", "The reef is full."),
    MoveKind.BUY_CORAL: Refusal("R11.2", "The reef is full, or you have not what a coral costs here."),
}


def _kinds_of(state: GameState) -> list[MoveKind]:
    """Return the kinds of move that the open decision could have, ascending; Pass apart."""
    step = state.agenda[-1]
    if step is Frame.TURN:
        return [MoveKind.PLAY_FISH]
    if isinstance(step, Benefits):
        return sorted({kind for effect in _open_effects(step) for kind in _WHY_NOT[type(effect)][0]})
    return []


def _why_no_kind(state: GameState, kind: MoveKind) -> Refusal:
    """Return why no move of a kind is offered; a draw may be missing only because a card is recovered."""
    return _RECOVERED if kind is MoveKind.DRAW and can_draw(state) else _NOTHING[kind]


def why_nothing(state: GameState, offered: tuple[Move, ...]) -> list[tuple[int | MoveKind, Refusal]]:
    """Return what the open decision does not offer, and why.

    Args:
        state: a game.
        offered: its legal moves.

    Returns:
        First each hand card of the decider without a legal slot (by id) where a fish may be played, then
        each kind of move that this decision could have and has not, both ascending.

    """
    kinds = {move.kind for move in offered}
    missing = [
        (kind, _why_no_kind(state, kind))
        for kind in _kinds_of(state)
        if kind not in kinds and kind in _NOTHING
    ]
    return [*_why_no_card(state), *missing]
