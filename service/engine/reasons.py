"""Why a move cannot be made: the rule that forbids it, and a sentence.

Every reason looks at the same predicates as the list of legal moves: a move is legal exactly when there is
no reason why not, which a test asserts over every move that can be said. Here are the kinds of decision, and
why something is not offered at all; what stands against a play or a payment is in `reasons_of_plays`, against
a benefit in `reasons_of_benefits`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from service.engine.abilities import Condition, Effect, GainCoral, Play, SiteCoralNone
from service.engine.cards import CARDS
from service.engine.conditions import holds
from service.engine.errors import Refusal
from service.engine.events import FishSource
from service.engine.moves import DRAW, GAIN_CORAL, LAY_EGG_EACH, PLACE_YOUNG, Move, MoveKind
from service.engine.ocean import SITES, SLOT_NAMES, site_of
from service.engine.piles import can_draw
from service.engine.plays import PAYMENTS
from service.engine.reasons_of_benefits import (
    giver_text,
    is_of_benefits,
    kinds_of,
    open_effects,
    why_not_benefit,
)
from service.engine.reasons_of_plays import why_no_slot, why_not_pay, why_not_play
from service.engine.resolvers import can_begin_game_end
from service.engine.state import Benefits, Frame, GameState, Pay, Player, Scattering
from service.engine.texts import player_text

# Per kind of decision.


def _why_not_turn(state: GameState, move: Move) -> Iterator[Refusal]:
    if move.kind is MoveKind.PLAY_FISH:
        yield from why_not_play(state.players[state.seat], move)
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
    if not player.occupied >> slot & 1:
        yield Refusal("R9.1", f"No fish lies on {name}.")
        return
    card = CARDS[player.fish[slot]]
    fish, ability = f"{card.name} on {name}", card.ability
    if ability is None or ability.trigger != "game_end":
        yield Refusal("R9.1", f"{fish} has no game-end ability.")
    elif ability.score is not None:
        yield Refusal("R9.2", f"{fish} only gives points, which are counted by themselves.")
    elif player.activated >> slot & 1:
        yield Refusal("R9.1", f"The game-end ability of {fish} is used.")
    elif ability.condition is not None and not holds(player, slot, ability.condition):
        yield _UNMET[type(ability.condition)](player, slot)
    elif not can_begin_game_end(state, FishSource(state.seat, slot, card.id)):
        yield Refusal("R3.3", f"The game-end ability of {fish} could not change anything.")


def _unmet_without_coral(player: Player, slot: int) -> Refusal:
    name, site = CARDS[player.fish[slot]].name, site_of(slot)
    reef = f"the {SITES[site]} reef has {player.reefs[site]}"
    return Refusal("R11.5", f"{name} asks for a site without coral, and {reef}.")


_UNMET: Final[dict[type[Condition], Callable[[Player, int], Refusal]]] = {
    SiteCoralNone: _unmet_without_coral,
}
"""Per condition of a whole ability, what is said if it does not hold."""

_FRAMES: Final = {Frame.TURN: _why_not_turn, Frame.GAME_END: _why_not_game_end}


def _why_not_frame(state: GameState, frame: Frame, move: Move) -> Iterator[Refusal]:
    if frame is Frame.GAME_OVER:
        yield Refusal("R9.3", "The game is over.")
    else:
        yield from _FRAMES[frame](state, move)


_ACTIONS: Final = (MoveKind.PLAY_FISH, MoveKind.DIVE)
"""What a turn's diver is placed for (R3.1)."""


def _why_not_now(state: GameState, seat: int, kind: MoveKind, instead: str) -> Iterator[Refusal]:
    """Yield what stands against a move of another kind of decision; ``instead`` says what there is to do."""
    is_end = state.agenda[0] is Frame.GAME_END
    if kind in _ACTIONS and is_end:
        yield Refusal("R9.1", f"It is the end of the game: {instead}.")
    elif kind in _ACTIONS and seat != state.seat:
        yield Refusal("R3.1", f"It is the turn of {player_text(state.seat, state.names)}: {instead}.")
    elif kind in _ACTIONS:
        yield Refusal("R3.1", f"This turn's diver is placed: {instead}.")
    elif kind is MoveKind.ACTIVATE_FISH and is_end:
        yield Refusal("R9.1", f"One game-end ability after the other: {instead}.")
    elif kind is MoveKind.ACTIVATE_FISH:
        yield Refusal("R9.1", "Game-end abilities are activated at the end of the game only.")
    elif kind in PAYMENTS:
        yield Refusal("R5.1", "Nothing is being paid for.")


def _why_not_pay(state: GameState, pay: Pay, move: Move) -> Iterator[Refusal]:
    if move.kind not in PAYMENTS:
        yield from _why_not_now(state, state.seat, move.kind, f"finish paying for {CARDS[pay.card].name}")
    yield from why_not_pay(state, pay, move)


def _why_not_benefits(state: GameState, step: Benefits, move: Move) -> Iterator[Refusal]:
    if move.kind is MoveKind.PASS:
        return
    if is_of_benefits(move.kind, step):
        yield from why_not_benefit(state, step, move)
    else:
        instead = f"use or decline what {giver_text(state, step)} gives"
        yield from _why_not_now(state, step.seat, move.kind, instead)


def _why_not_scattering(state: GameState, step: Scattering, move: Move) -> Iterator[Refusal]:
    yield from _why_not_now(state, step.seat, move.kind, "put the young of the scattered school")
    if move.kind is MoveKind.PASS:
        yield Refusal("R3.2", "A scatter once begun is finished: put its young one by one.")
    elif move.kind is not MoveKind.PLACE_YOUNG:
        yield Refusal("R7.5", "A school is being scattered: put its young one by one.")
    elif step.used >> move.slot & 1:
        yield Refusal("R7.5", f"A young of this school was put on {SLOT_NAMES[move.slot]} already.")


_STEPS: Final[dict[type, Callable[[GameState, Any, Move], Iterator[Refusal]]]] = {
    Frame: _why_not_frame,
    Pay: _why_not_pay,
    Benefits: _why_not_benefits,
    Scattering: _why_not_scattering,
}


def why_not(state: GameState, move: Move) -> Refusal | None:
    """Return why a move cannot be made now: the rule and a sentence; None if it is legal."""
    step = state.agenda[-1]
    return next(_STEPS[type(step)](state, step, move), None)


# Why something is not offered at all.


def _open_to(state: GameState) -> tuple[Player, Sequence[Effect]]:
    """Return who decides, and the effects that are open: a turn is for a play anywhere, or for a dive."""
    step = state.agenda[-1]
    if isinstance(step, Benefits):
        return state.players[step.seat], open_effects(step)
    return state.players[state.seat], (_ANYWHERE,) if step is Frame.TURN else ()


_ANYWHERE: Final = Play()


def _why_no_card(player: Player, effects: Sequence[Effect]) -> Iterator[tuple[int, Refusal]]:
    plays = [effect for effect in effects if isinstance(effect, Play)]
    for effect in plays:
        for id_ in player.hand:
            refusal = next(why_no_slot(player, id_, effect), None)
            if refusal is not None:
                yield id_, refusal


WhyNone = Callable[[GameState, Player, Sequence[Effect]], Refusal]


def _like(move: Move) -> WhyNone:
    """Return the reason of a kind of which all moves are refused alike: that of one of them."""

    def reason(state: GameState, _player: Player, _effects: Sequence[Effect]) -> Refusal:
        refusal = why_not(state, move)
        assert refusal is not None  # noqa: S101  asked of what is not offered
        return refusal

    return reason


def _always(rule: str, text: str) -> WhyNone:
    return lambda _state, _player, _effects: Refusal(rule, text)


def _no_play(_state: GameState, player: Player, _effects: Sequence[Effect]) -> Refusal:
    none = "No card in your hand can be played: cost or place cannot be met."
    return Refusal("R5.6", none if player.hand else "Your hand is empty.")


def _no_recover(state: GameState, _player: Player, _effects: Sequence[Effect]) -> Refusal:
    instead = ", so a card is drawn instead" if can_draw(state) else ""
    return Refusal("R7.2", f"Your discard pile is empty{instead}.")


def _no_young_moves(_state: GameState, player: Player, _effects: Sequence[Effect]) -> Refusal:
    besides = " besides those in schools" if player.schools else ""
    return Refusal("R4.4", f"There is no young in your ocean{besides}.")


def _no_school_moves(_state: GameState, player: Player, _effects: Sequence[Effect]) -> Refusal:
    every = "No school of yours can move: every slot holds one."
    return Refusal("R4.4", every if player.schools else "There is no school in your ocean.")


def _nothing_is_consumed(_state: GameState, player: Player, _effects: Sequence[Effect]) -> Refusal:
    none = "Your hand has no card that is shorter than a fish that may eat."
    return Refusal("R7.4", none if player.hand else "Your hand is empty.")


def _no_room(state: GameState, player: Player, effects: Sequence[Effect]) -> Refusal:
    """Return that the reef is full; of several, which all are, the first that a coral could go to."""
    site = next(effect.site or 0 for effect in effects if isinstance(effect, GainCoral))
    return _like(GAIN_CORAL[site])(state, player, effects)


_NOTHING: Final[dict[MoveKind, WhyNone]] = {
    MoveKind.PLAY_FISH: _no_play,
    MoveKind.DRAW: _like(DRAW),
    MoveKind.RECOVER: _no_recover,
    MoveKind.LAY_EGG: _always("R4.1", "Every visible fish of yours has an egg."),
    MoveKind.HATCH: _always("R4.3", "There is no egg in your ocean."),
    MoveKind.PLACE_YOUNG: _like(PLACE_YOUNG[0]),
    MoveKind.LAY_EGG_EACH: _like(LAY_EGG_EACH),
    MoveKind.MOVE_YOUNG: _no_young_moves,
    MoveKind.MOVE_SCHOOL: _no_school_moves,
    MoveKind.CONSUME: _nothing_is_consumed,
    MoveKind.SCATTER: _always("R7.5", "There is no school in your ocean, so a single young is put instead."),
    MoveKind.GAIN_CORAL: _no_room,
    MoveKind.BUY_CORAL: _always("R11.2", "The reef is full, or you do not have what a coral costs here."),
}


def why_nothing(state: GameState, offered: tuple[Move, ...]) -> list[tuple[int | MoveKind, Refusal]]:
    """Return what the open decision does not offer, and why.

    Args:
        state: a game.
        offered: its legal moves.

    Returns:
        First each hand card of the decider without a legal slot (by id) where a fish may be played, then
        each kind of move that this decision could have and has not, both ascending.

    """
    player, effects = _open_to(state)
    missing = sorted(kinds_of(effects) - {move.kind for move in offered})
    return [
        *_why_no_card(player, effects),
        *((kind, _NOTHING[kind](state, player, effects)) for kind in missing),
    ]
