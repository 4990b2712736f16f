"""Events, written; nobody sends any."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from service.convert.reading import Fields
from service.convert.sources import source_fields
from service.engine.cards import TRIGGERS
from service.engine.event_texts import event_text
from service.engine.events import (
    AchievementsChosen,
    BenefitsDeclined,
    BonusGained,
    CardConsumed,
    CardDrawn,
    CardPaid,
    CardRecovered,
    CoralGained,
    DeckRenewed,
    DiverPlaced,
    EggHatched,
    EggLaid,
    EggPaid,
    Event,
    FishActivated,
    FishCovered,
    FishPlaced,
    GameEndBegan,
    GameOver,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    StarterDealt,
    TurnBegan,
    WeekBegan,
    WeekScored,
    YoungMoved,
    YoungPaid,
    YoungPlaced,
)
from service.engine.rules import Transition


def _card(event: Any) -> Fields:  # noqa: ANN401  any event that has a card
    return {"card": event.card}


def _slot(event: Any) -> Fields:  # noqa: ANN401  any event that has a slot
    return {"slot": event.slot + 1}


def _card_and_slot(event: Any) -> Fields:  # noqa: ANN401  any event that has both
    return {"card": event.card, "slot": event.slot + 1}


def _from_to(event: Any) -> Fields:  # noqa: ANN401  any event of something that moved
    return {"from": event.slot + 1, "to": event.to + 1}


def _nothing(_event: Any) -> Fields:  # noqa: ANN401  any event that says all by its kind
    return {}


def _diver_placed(event: DiverPlaced) -> Fields:
    return {} if event.site is None else {"site": event.site + 1}


def _fish_activated(event: FishActivated) -> Fields:
    return {
        "slot": event.source.slot + 1,
        "card": event.source.card,
        "trigger": TRIGGERS.index(event.trigger) + 1,
    }


def _week_scored(event: WeekScored) -> Fields:
    return {
        "week": event.week,
        "achievement": event.achievement,
        "points": event.points,
        "most": event.most,
    }


class _Form(NamedTuple):
    """How a kind of event is written: its name in the contract, and its fields there."""

    name: str
    fields: Callable[[Any], Fields]


_FORMS: Final[dict[type[Event], _Form]] = {
    DiverPlaced: _Form("diver_placed", _diver_placed),
    CardPaid: _Form("card_paid", _card),
    EggPaid: _Form("egg_paid", _slot),
    YoungPaid: _Form("young_paid", _slot),
    SchoolPaid: _Form("school_paid", _slot),
    FishCovered: _Form("fish_covered", _card_and_slot),
    FishPlaced: _Form("fish_placed", _card_and_slot),
    CardConsumed: _Form("card_consumed", _card_and_slot),
    StarterDealt: _Form("starter_dealt", _card),
    CardDrawn: _Form("card_drawn", _card),
    CardRecovered: _Form("card_recovered", _card),
    DeckRenewed: _Form("deck_renewed", lambda event: {"cards": event.cards}),
    EggLaid: _Form("egg_laid", _slot),
    EggHatched: _Form("egg_hatched", _slot),
    YoungPlaced: _Form("young_placed", _slot),
    SchoolFormed: _Form("school_formed", _slot),
    YoungMoved: _Form("young_moved", _from_to),
    SchoolMoved: _Form("school_moved", _from_to),
    SchoolScattered: _Form("school_scattered", _slot),
    CoralGained: _Form("coral_gained", lambda event: {"site": event.site + 1}),
    BonusGained: _Form("bonus_gained", _nothing),
    FishActivated: _Form("fish_activated", _fish_activated),
    BenefitsDeclined: _Form("benefits_declined", _nothing),
    WeekScored: _Form("week_scored", _week_scored),
    WeekBegan: _Form("week_began", lambda event: {"week": event.week, "first_player": event.first_player}),
    TurnBegan: _Form("turn_began", lambda event: {"week": event.week, "turn": event.turn}),
    GameEndBegan: _Form("game_end_began", _nothing),
    GameOver: _Form("game_over", lambda event: {"winners": event.winners}),
    AchievementsChosen: _Form("achievements_chosen", lambda event: {"achievements": event.achievements}),
}


def _event_fields(event: Event, version: int, number: int, names: tuple[str, ...]) -> Fields:
    form = _FORMS[type(event)]
    fields = {
        "version": version,
        "number": number,
        "source": source_fields(event.source),
        "text": event_text(event, names),
        form.name: form.fields(event),
    }
    if event.seat is not None:
        fields["seat"] = event.seat
    return fields


def event_fields(transition: Transition) -> Iterator[Fields]:
    """Yield the fields of the events that led to a state, numbered within its version."""
    state = transition.state
    for number, event in enumerate(transition.events):
        yield _event_fields(event, state.version, number, state.names)
