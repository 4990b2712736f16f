"""Rare corners of the rules, each as a question about a moment of a game."""

from collections.abc import Callable
from itertools import pairwise, takewhile
from typing import Final

from service.engine.events import (
    DeckRenewed,
    Event,
    GameOver,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    YoungMoved,
)
from service.engine.moves import MoveKind
from service.engine.ocean import SLOT_COUNT
from service.engine.rules import DecisionKind, decision, legal_moves
from service.engine.state import Frame, Pay
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
        isinstance(one, SchoolMoved) and isinstance(following, SchoolFormed) and one.slot == following.slot
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
"""Every corner has a name that begins with its rule."""
