"""Rare corners of the rules, each as a question about a moment of a game."""

from collections.abc import Callable
from itertools import pairwise, takewhile
from typing import Final

from service.engine.abilities import Effect, PlaceYoung, Play
from service.engine.cards import CARDS, Card, Cost
from service.engine.events import (
    DeckRenewed,
    Event,
    FishPlaced,
    FishSource,
    GameOver,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    YoungMoved,
)
from service.engine.moves import BLUE, GREEN, PURPLE, MoveKind
from service.engine.ocean import SLOT_COUNT
from service.engine.reefs import REEF_SIZE
from service.engine.resolvers import effects_of
from service.engine.rules import DecisionKind, decision, legal_moves
from service.engine.state import Benefits, Frame, Pay
from tests.games import Moment


def _nothing_to_draw(moment: Moment) -> bool:
    return not moment.state.deck and not any(player.discard for player in moment.state.players)


def _young_beside_school(moment: Moment) -> bool:
    return any(
        player.schools >> slot & 1 and player.young[slot] >= 3
        for player in moment.state.players
        for slot in range(SLOT_COUNT)
    )


def _school_formed_behind_another(moment: Moment) -> bool:
    return any(
        isinstance(one, SchoolMoved | SchoolScattered)
        and isinstance(following, SchoolFormed)
        and one.slot == following.slot
        for one, following in pairwise(moment.events)
    )


def _school_formed_by_a_move(moment: Moment) -> bool:
    return any(
        isinstance(one, YoungMoved) and isinstance(following, SchoolFormed)
        for one, following in pairwise(moment.events)
    )


def _asks_for_a_play(moment: Moment) -> bool:
    question = decision(moment.state)
    is_benefit = question is not None and question.kind is DecisionKind.BENEFIT
    return is_benefit and any(move.kind is MoveKind.PLAY_FISH for move in legal_moves(moment.state))


def _played_by_a_played_fish(moment: Moment) -> bool:
    """In one turn, a fish that was played as a benefit lets another one be played."""
    turn = takewhile(lambda earlier: not isinstance(earlier.state.agenda[-1], Frame), moment.backwards())
    return _asks_for_a_play(moment) and sum(map(_asks_for_a_play, turn)) > 1


def _has_three_under_a_fish(moment: Moment) -> bool:
    return any(len(under) >= 3 for player in moment.state.players for under in player.under.values())


def _someone_else_decides(moment: Moment) -> bool:
    question = decision(moment.state)
    return question is not None and question.seat != moment.state.seat


def _is_paid_for_at_the_end(moment: Moment) -> bool:
    return moment.state.agenda[0] is Frame.GAME_END and isinstance(moment.state.agenda[-1], Pay)


def _is_shared(moment: Moment) -> bool:
    return any(isinstance(event, GameOver) and len(event.winners) > 1 for event in moment.events)


def _effects_at_work(moment: Moment) -> tuple[Effect, ...]:
    """Return the effects of the group that the move was chosen from, none if it was chosen elsewhere."""
    step = moment.before.agenda[-1] if moment.before else None
    return effects_of(step.source) if isinstance(step, Benefits) else ()


def _cards_played_by(asks: Callable[[Play], bool], moment: Moment) -> list[Card]:
    """Return the card that a move played as a benefit that asks for this, if it did."""
    plays = [effect for effect in _effects_at_work(moment) if isinstance(effect, Play) and asks(effect)]
    is_play = moment.move is not None and moment.move.kind is MoveKind.PLAY_FISH
    return [CARDS[moment.move.card]] if moment.move and is_play and plays else []


def _is_played_free(moment: Moment) -> bool:
    """A card that costs something is played without its cost."""
    return any(card.cost != Cost() for card in _cards_played_by(lambda play: play.free, moment))


def _is_played_into_a_site_with_coral(moment: Moment) -> bool:
    return bool(_cards_played_by(lambda play: play.min_coral > 0, moment))


def _any_fish_consumes(moment: Moment) -> bool:
    """Another fish than the one whose ability it is."""
    step = moment.before.agenda[-1] if moment.before else None
    return (
        moment.move is not None
        and moment.move.kind is MoveKind.CONSUME
        and isinstance(step, Benefits)
        and isinstance(step.source, FishSource)
        and step.source.slot != moment.move.slot
    )


def _scatters_without_a_school(moment: Moment) -> bool:
    effects = _effects_at_work(moment)
    is_young = moment.move is not None and moment.move.kind is MoveKind.PLACE_YOUNG
    return is_young and effects != () and not any(isinstance(effect, PlaceYoung) for effect in effects)


def _is_bought_at(site: int) -> Callable[[Moment], bool]:
    return lambda moment: moment.move is not None and moment.move[:2] == (MoveKind.BUY_CORAL, site)


def _also_asks(moment: Moment) -> bool:
    step = moment.state.agenda[-1]
    return isinstance(step, Benefits) and isinstance(step.source, FishSource) and step.source.is_also


def _needs_coral(moment: Moment) -> bool:
    return any(isinstance(event, FishPlaced) and CARDS[event.card].needs_coral for event in moment.events)


def _has_full_reef(moment: Moment) -> bool:
    return any(coral == REEF_SIZE for player in moment.state.players for coral in player.reefs)


def _has_event(kind: type[Event]) -> Callable[[Moment], bool]:
    return lambda moment: any(isinstance(event, kind) for event in moment.events)


def _has_move(kind: MoveKind) -> Callable[[Moment], bool]:
    return lambda moment: moment.move is not None and moment.move.kind is kind


CORNERS: Final[dict[str, Callable[[Moment], bool]]] = {
    "R4.2: a school with three young beside it": _young_beside_school,
    "R4.2: a school forms of what a school left behind": _school_formed_behind_another,
    "R4.4: a move forms a school": _school_formed_by_a_move,
    "R5.1: a choice of young to pay": _has_move(MoveKind.PAY_YOUNG),
    "R5.1: a school is paid": _has_event(SchoolPaid),
    "R5.4: a fish with three under it": _has_three_under_a_fish,
    "R5.7: a chain of plays": _played_by_a_played_fish,
    "R7.1: the deck is renewed": _has_event(DeckRenewed),
    "R7.1: there is no card to draw": _nothing_to_draw,
    "R7.2: a card is recovered": _has_move(MoveKind.RECOVER),
    "R7.3: an egg on each": _has_move(MoveKind.LAY_EGG_EACH),
    "R7.4: a fish consumes": _has_move(MoveKind.CONSUME),
    "R7.8: another player takes part": _someone_else_decides,
    "R9.1: a game-end ability": _has_move(MoveKind.ACTIVATE_FISH),
    "R9.1: a fish is paid for at the end of the game": _is_paid_for_at_the_end,
    "R9.3: a shared win": _is_shared,
}
REEF_CORNERS: Final[dict[str, Callable[[Moment], bool]]] = {
    "R5.8: a fish is played free of its cost": _is_played_free,
    "R7.4: another fish consumes than the one whose ability it is": _any_fish_consumes,
    "R7.5: a school is broken up": _has_event(SchoolScattered),
    "R7.5: with no school, one young is put": _scatters_without_a_school,
    "R7.6: a coral is gained": _has_move(MoveKind.GAIN_CORAL),
    "R11.1: a full reef": _has_full_reef,
    "R11.2: a coral is bought for an egg": _is_bought_at(BLUE),
    "R11.2: a coral is bought for a young": _is_bought_at(PURPLE),
    "R11.2: a coral is bought for a card": _is_bought_at(GREEN),
    "R11.3: the second part of an ability": _also_asks,
    "R11.4: a fish that needs coral": _needs_coral,
    "R11.5: a fish is played into a site with coral": _is_played_into_a_site_with_coral,
}
"""The corners of the base game, and those of Sharks & Reefs; each has a name that begins with its rule."""
