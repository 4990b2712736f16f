"""What is asked and what may be answered, as short plain-English sentences made from the data.

A decision speaks to whoever decides, as "you"; a move is a label: an imperative without a full stop.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from service.engine.abilities import Draw, Effect, LayEggEach, PlaceYoung, Recover, Scatter
from service.engine.cards import CARDS, Cost
from service.engine.moves import Move, MoveKind
from service.engine.ocean import SITES, SLOT_NAMES
from service.engine.resolvers import YOUNG_PER_SCATTER, all_of, effects_of
from service.engine.state import Benefits, Frame, GameState, Pay, Player, Scattering, Step
from service.engine.texts import (
    CARD_NAMES,
    UNITS,
    amount_text,
    capitalized,
    effect_text,
    group_for,
    group_text,
    is_reef,
    listed,
    player_text,
    source_for,
)

# Moves.

_PRICE_TEXTS: Final[tuple[Callable[[Move], str], ...]] = (
    lambda move: f"the egg on {SLOT_NAMES[move.slot]}",
    lambda move: f"a young on {SLOT_NAMES[move.slot]}",
    lambda move: f"{CARD_NAMES[move.card]} from hand",
)


def _decider(state: GameState) -> int:
    step = state.agenda[-1]
    return step.seat if isinstance(step, Benefits | Scattering) else state.seat


def _fish_on(slot: int, state: GameState) -> str:
    """Return the fish that the decider has on a slot; a move that is not legal may name an empty slot."""
    fish = state.players[_decider(state)].fish[slot]
    return f"{CARD_NAMES.get(fish, 'the fish')} on {SLOT_NAMES[slot]}"


def _move_egg_each(_move: Move, state: GameState) -> str:
    step = state.agenda[-1]
    effects = effects_of(step.source) if isinstance(step, Benefits) else ()
    named = (effect for effect in effects if isinstance(effect, LayEggEach))
    return capitalized(effect_text(next(named, LayEggEach())))


def _move_pass(_move: Move, state: GameState) -> str:
    step = state.agenda[-1]
    if not isinstance(step, Benefits):
        return "Use no game-end ability from now on"
    if is_reef(step.source):
        return "Buy no coral"
    is_rest = step.left != all_of(step.source)
    return f"Decline {group_for(step.seat, step.source, state.names, is_rest=is_rest)}"


_MOVES: Final[dict[MoveKind, Callable[[Move, GameState], str]]] = {
    MoveKind.PLAY_FISH: lambda move, _: f"Play {CARD_NAMES[move.card]} on {SLOT_NAMES[move.to]}",
    MoveKind.DIVE: lambda move, _: f"Dive in the {SITES[move.site]} site",
    MoveKind.PAY_CARD: lambda move, _: f"Pay {CARD_NAMES[move.card]} from hand",
    MoveKind.PAY_EGG: lambda move, _: f"Pay the egg on {SLOT_NAMES[move.slot]}",
    MoveKind.PAY_YOUNG: lambda move, _: f"Pay a young on {SLOT_NAMES[move.slot]}",
    MoveKind.PAY_SCHOOL: lambda move, _: f"Pay the school on {SLOT_NAMES[move.slot]}",
    MoveKind.DRAW: lambda _move, _: "Draw a card",
    MoveKind.RECOVER: lambda move, _: f"Recover {CARD_NAMES[move.card]} from your discard pile",
    MoveKind.LAY_EGG: lambda move, _: f"Lay an egg on {SLOT_NAMES[move.slot]}",
    MoveKind.HATCH: lambda move, _: f"Hatch the egg on {SLOT_NAMES[move.slot]}",
    MoveKind.PLACE_YOUNG: lambda move, _: f"Put a young on {SLOT_NAMES[move.slot]}",
    MoveKind.LAY_EGG_EACH: _move_egg_each,
    MoveKind.MOVE_YOUNG: lambda move, _: (
        f"Move a young from {SLOT_NAMES[move.slot]} to {SLOT_NAMES[move.to]}"
    ),
    MoveKind.MOVE_SCHOOL: lambda move, _: (
        f"Move the school from {SLOT_NAMES[move.slot]} to {SLOT_NAMES[move.to]}"
    ),
    MoveKind.CONSUME: lambda move, state: f"Let {_fish_on(move.slot, state)} consume {CARD_NAMES[move.card]}",
    MoveKind.SCATTER: lambda move, _: f"Scatter the school on {SLOT_NAMES[move.slot]}",
    MoveKind.GAIN_CORAL: lambda move, _: f"Put a coral into the {SITES[move.site]} reef",
    MoveKind.BUY_CORAL: lambda move, _: f"Buy a {SITES[move.site]} coral for {_PRICE_TEXTS[move.site](move)}",
    MoveKind.ACTIVATE_FISH: lambda move, state: f"Use the game-end ability of {_fish_on(move.slot, state)}",
    MoveKind.PASS: _move_pass,
}


def move_text(move: Move, state: GameState) -> str:
    """Return a move of the state's open decision as a label, without a full stop."""
    return _MOVES[move.kind](move, state)


# Decisions.


def _frame_decision(state: GameState, frame: Frame) -> str:
    if frame is Frame.TURN:
        return f"play a fish or dive (week {state.week}, turn {state.turn})."
    return "use a game-end ability, or stop."


def _due(cost: Cost, pay: Pay) -> Iterator[str]:
    """Yield what is left to pay of each kind, "more" of those of which some is paid."""
    for kind, noun in UNITS.items():
        if left := getattr(pay, kind):
            yield amount_text(left, noun if left == getattr(cost, kind) else f"more {noun}")


def _pay_decision(_state: GameState, pay: Pay) -> str:
    card = CARDS[pay.card]
    return f"pay {listed(_due(card.cost, pay))} for {card.name} on {SLOT_NAMES[pay.slot]}."


def _recover_offer(effect: Recover, player: Player) -> str:
    """With an empty discard pile, a recover is a draw (R7.2)."""
    if not player.discard:
        return f"{effect_text(Draw(effect.count))} (your discard pile has none to recover)"
    is_enough = len(player.discard) >= effect.count
    return f"{effect_text(effect)}{'' if is_enough else ' (once it is empty, draw instead)'}"


def _scatter_offer(effect: Scatter, player: Player) -> str:
    """With no school at all, a scatter is one young put (R7.5, RU09)."""
    if not player.schools:
        return f"{effect_text(PlaceYoung(effect.count))} (you have no school to scatter)"
    is_enough = player.schools.bit_count() >= effect.count
    return f"{effect_text(effect)}{'' if is_enough else ' (once you have none, put 1 young instead)'}"


def _offer(effect: Effect, player: Player) -> str:
    """Return an effect with what it turns into where its own object is lacking."""
    if isinstance(effect, Recover):
        return _recover_offer(effect, player)
    return _scatter_offer(effect, player) if isinstance(effect, Scatter) else effect_text(effect)


def _benefits_decision(state: GameState, step: Benefits) -> str:
    left = [
        replace(effect, count=count)
        for effect, count in zip(effects_of(step.source), step.left, strict=True)
        if count
    ]
    where = "at" if is_reef(step.source) else "with"
    source = source_for(step.seat, step.source, state.names)
    offers = group_text(left, lambda effect: _offer(effect, state.players[step.seat]))
    return f"{where} {source} you may {offers}."


def _scattering_decision(_state: GameState, step: Scattering) -> str:
    left = YOUNG_PER_SCATTER - step.used.bit_count()
    if left == YOUNG_PER_SCATTER:
        return f"put the {left} young of the scattered school, each on a different slot."
    if left == 1:
        return "put the last young of the scattered school on another slot."
    return f"put {left} more young of the scattered school, each on another slot."


_DECISIONS: Final[dict[type[Step], Callable[[GameState, Any], str]]] = {
    Frame: _frame_decision,
    Pay: _pay_decision,
    Benefits: _benefits_decision,
    Scattering: _scattering_decision,
}


def decision_text(state: GameState) -> str:
    """Return the open decision: who is asked what, from which source, and what is left of it."""
    if state.is_over:
        return "The game is over."
    step = state.agenda[-1]
    return f"{player_text(_decider(state), state.names)}: {_DECISIONS[type(step)](state, step)}"
