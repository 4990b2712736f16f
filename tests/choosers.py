"""Players for tests: each picks a legal move at random, with a taste of its own.

A taste gives each move a weight; it leads games to corners that even chance seldom reaches. What is picked is
drawn from the engine's own generator, so a game is the same on every machine and Python. Standard library and
engine only, since `tests.digests` runs where nothing else is installed.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from service.engine.abilities import (
    Ability,
    ConsumeByAny,
    Draw,
    GainCoral,
    Hatch,
    MoveToken,
    PlaceYoung,
    Play,
    Scatter,
)
from service.engine.cards import CARDS
from service.engine.moves import Move, MoveKind
from service.engine.rng import Generator
from service.engine.rules import decision
from service.engine.state import GameState, Player

Choose = Callable[[GameState, tuple[Move, ...]], Move]
"""Picks one of the legal moves, as `playout` asks for it."""

Taste = Callable[[Player, Move], int]
"""The weight, at least 1, that a move of a player has."""


def _by_kind(weights: Mapping[MoveKind, int]) -> Taste:
    return lambda _player, move: weights.get(move.kind, 1)


def _by_ability(weight: Callable[[Ability], int]) -> Taste:
    """Like to play cards with certain abilities rather than to pay with them, and to use what they give."""

    def taste(_player: Player, move: Move) -> int:
        ability = CARDS[move.card].ability if move.card else None
        liking = weight(ability) if ability is not None else 1
        if move.kind is MoveKind.PLAY_FISH:
            return liking
        if move.kind is MoveKind.PAY_CARD:
            return max(1, 100 // liking)
        return 1 if move.kind is MoveKind.PASS else 10

    return taste


def _breed(player: Player, move: Move) -> int:
    """Like young, many of them on one slot, best of all beside a school, and to pay with schools."""
    if move.kind in (MoveKind.PLACE_YOUNG, MoveKind.HATCH):
        return 10 + 40 * player.young[move.slot] + 40 * (player.schools >> move.slot & 1)
    if move.kind is MoveKind.MOVE_YOUNG:
        return 1 + 40 * player.young[move.to] + 20 * (player.schools >> move.to & 1)
    if move.kind is MoveKind.PLAY_FISH:
        return 1 + 30 * _gives(move, PlaceYoung, Hatch, MoveToken) + 200 * CARDS[move.card].cost.schools
    return {MoveKind.PASS: 1, MoveKind.LAY_EGG: 30, MoveKind.DIVE: 20}.get(move.kind, 5)


def _gives(move: Move, *verbs: type) -> bool:
    ability = CARDS[move.card].ability
    return ability is not None and any(isinstance(effect, verbs) for effect in ability.effects)


def _hoard(_player: Player, move: Move) -> int:
    """Like cards in hand, so that the deck runs out and no discard pile can renew it."""
    if move.kind is MoveKind.DIVE:
        return 100 if move.site == 0 else 1
    if move.kind is MoveKind.PLAY_FISH:
        return 1 + 20 * _gives(move, Draw) * (CARDS[move.card].cost.cards == 0)
    return 100 if move.kind in (MoveKind.DRAW, MoveKind.RECOVER) else 1


def _spend(_player: Player, move: Move) -> int:
    """Like to draw cards and to pay with them, so that the deck is renewed."""
    if move.kind is MoveKind.PLAY_FISH:
        return 1 + 20 * CARDS[move.card].cost.cards ** 2
    if move.kind is MoveKind.DIVE:
        return 50 if move.site == 0 else 1
    return {MoveKind.PASS: 1, MoveKind.RECOVER: 1, MoveKind.DRAW: 50}.get(move.kind, 5)


def _cover(player: Player, move: Move) -> int:
    """Like fish that cover and eat fish."""
    if move.kind is MoveKind.PLAY_FISH:
        return 100 if player.occupied >> move.to & 1 else 2
    return {MoveKind.CONSUME: 100, MoveKind.PASS: 1}.get(move.kind, 5)


def _at_game_end(ability: Ability) -> int:
    return 100 if ability.trigger == "game_end" and ability.effects else 2


def _shared(ability: Ability) -> int:
    return 100 if ability.all_players else 2


def _is_chained(card: int) -> bool:
    ability = CARDS[card].ability
    return ability is not None and any(isinstance(effect, Play) for effect in ability.effects)


def _chain(player: Player, move: Move) -> int:
    """Like to gather cards that let cards be played, and then to play one after another."""
    if move.kind is MoveKind.PLAY_FISH:
        gathered = sum(map(_is_chained, player.hand))
        return 1 + 10 * gathered**2 if _is_chained(move.card) else 1
    if move.kind is MoveKind.PAY_CARD:
        return 1 if _is_chained(move.card) else 100
    return {MoveKind.DIVE: 20, MoveKind.PASS: 1, MoveKind.DRAW: 50}.get(move.kind, 10)


def _garden(player: Player, move: Move) -> int:
    """Like coral and whatever asks for it, and schools to break up."""
    if move.kind is MoveKind.PLAY_FISH:
        card = CARDS[move.card]
        is_of_reefs = card.needs_coral is not None or (card.ability is not None and card.ability.also)
        scatters = bool(player.schools) and _gives(move, Scatter)
        return 1 + 20 * bool(is_of_reefs) + 20 * _gives(move, GainCoral, ConsumeByAny) + 100 * scatters
    if move.kind in (MoveKind.PLACE_YOUNG, MoveKind.HATCH, MoveKind.MOVE_YOUNG):
        return _breed(player, move)
    if move.kind in (MoveKind.BUY_CORAL, MoveKind.GAIN_CORAL, MoveKind.SCATTER):
        return 100
    return {MoveKind.DIVE: 20, MoveKind.PASS: 1, MoveKind.PAY_SCHOOL: 1}.get(move.kind, 5)


TASTES: Final[dict[str, Taste]] = {
    "even": lambda _player, _move: 1,
    "eager": _by_kind({MoveKind.PLAY_FISH: 20, MoveKind.DIVE: 10, MoveKind.PASS: 1}),
    "modest": _by_kind({MoveKind.PASS: 30}),
    "breeder": _breed,
    "hoarder": _hoard,
    "spender": _spend,
    "coverer": _cover,
    "finisher": _by_ability(_at_game_end),
    "sharer": _by_ability(_shared),
    "chainer": _chain,
    "gardener": _garden,
}


def chooser(tastes: Sequence[str], seed: str) -> Choose:
    """Return players who choose by their tastes, in turn from seat 0 on, and by the generator of a seed."""
    generator = Generator(seed)

    def choose(state: GameState, moves: tuple[Move, ...]) -> Move:
        open_decision = decision(state)
        assert open_decision is not None
        seat = open_decision.seat
        taste = TASTES[tastes[seat % len(tastes)]]
        limits = list(accumulate(taste(state.players[seat], move) for move in moves))
        drawn = generator.below(limits[-1])
        return next(move for move, limit in zip(moves, limits, strict=True) if drawn < limit)

    return choose


def script(numbers: Sequence[int]) -> Choose:
    """Return players who choose by a list of numbers, over and over."""
    return lambda state, moves: moves[numbers[state.version % len(numbers)] % len(moves)]


def following(ids: Sequence[str], otherwise: Choose) -> Choose:
    """Return players who make these moves as long as they are legal, and from then on choose otherwise."""
    left = list(reversed(ids))

    def choose(state: GameState, moves: tuple[Move, ...]) -> Move:
        recorded = next((move for move in moves if left and move.id == left[-1]), None)
        if recorded is None:
            left.clear()
            return otherwise(state, moves)
        left.pop()
        return recorded

    return choose
