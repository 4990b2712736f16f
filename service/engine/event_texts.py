"""What happened, as short plain-English sentences made from the data.

A table says how each kind of event reads. An event is told to everybody, so no sentence says "you".
"""

from collections.abc import Callable
from typing import Any, Final

from service.engine.cards import ACHIEVEMENTS
from service.engine.events import (
    AchievementsChosen,
    BenefitsDeclined,
    BonusGained,
    BonusSource,
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
    RuleSource,
    SchoolFormed,
    SchoolMoved,
    SchoolPaid,
    SchoolScattered,
    Source,
    StarterDealt,
    TurnBegan,
    WeekBegan,
    WeekScored,
    YoungMoved,
    YoungPaid,
    YoungPlaced,
)
from service.engine.ocean import SITES, SLOT_NAMES
from service.engine.texts import (
    CARD_NAMES,
    Names,
    amount_text,
    group_for,
    is_reef,
    listed,
    owner_text,
    player_text,
    source_text,
    worth_text,
)

# Each function gets the event, the name of whom it happened to, and all names.


def _paid(what: Callable[[Any], str]) -> Callable[[Any, str, Names], str]:
    return lambda event, who, _: f"{who} pays {what(event)} for {_bought(event.source)}"


def _bought(source: Source) -> str:
    """Return what something is paid for: a fish that is played (R5.1), or a coral (R11.2)."""
    return f"a {SITES[source.site]} coral" if isinstance(source, BonusSource) else source_text(source)


def _diver_placed(event: DiverPlaced, who: str, _names: Names) -> str:
    if event.site is None:
        return f"{who} places a diver to play a fish"
    return f"{who} dives in the {SITES[event.site]} site"


def _declined(event: BenefitsDeclined, who: str, names: Names) -> str:
    if isinstance(event.source, RuleSource):
        return f"{who} uses no game-end ability from now on"
    if is_reef(event.source):
        return f"{who} buys no coral"
    return f"{who} declines {group_for(event.seat, event.source, names, is_rest=event.is_rest)}"


def _week_scored(event: WeekScored, who: str, _names: Names) -> str:
    most = f", and {event.most} more for scoring most" if event.most else ""
    return f"{who} scores {amount_text(event.points, 'point')} for the achievement of week {event.week}{most}"


def _week_began(event: WeekBegan, _who: str, names: Names) -> str:
    return f"Week {event.week} begins with {player_text(event.first_player, names)} as first player"


def _game_over(event: GameOver, _who: str, names: Names) -> str:
    verb = "wins" if len(event.winners) == 1 else "share the win"
    return f"The game is over: {listed(player_text(seat, names) for seat in event.winners)} {verb}"


def _achievements_chosen(event: AchievementsChosen, _who: str, _names: Names) -> str:
    whose = "a player's own"
    chosen = (ACHIEVEMENTS[id_] for id_ in event.achievements)
    worth = (f"{worth_text(one, whose)} (week {one.week})" for one in chosen)
    return f"The achievements are {listed(worth)}"


_EVENTS: Final[dict[type[Event], Callable[[Any, str, Names], str]]] = {
    DiverPlaced: _diver_placed,
    CardPaid: _paid(lambda event: f"{CARD_NAMES[event.card]} from hand"),
    EggPaid: _paid(lambda event: f"the egg on {SLOT_NAMES[event.slot]}"),
    YoungPaid: _paid(lambda event: f"a young on {SLOT_NAMES[event.slot]}"),
    SchoolPaid: _paid(lambda event: f"the school on {SLOT_NAMES[event.slot]}"),
    FishCovered: lambda event, who, _: f"{who} covers {CARD_NAMES[event.card]} on {SLOT_NAMES[event.slot]}",
    FishPlaced: lambda event, who, _: f"{who} places {CARD_NAMES[event.card]} on {SLOT_NAMES[event.slot]}",
    SchoolScattered: lambda event, who, _: f"{who} scatters the school on {SLOT_NAMES[event.slot]}",
    CoralGained: lambda event, who, _: f"{who} puts a coral into the {SITES[event.site]} reef",
    CardConsumed: lambda event, who, _: (
        f"{who} lets the fish on {SLOT_NAMES[event.slot]} consume {CARD_NAMES[event.card]}"
    ),
    StarterDealt: lambda event, who, _: f"{who} is dealt the starter card {CARD_NAMES[event.card]}",
    CardDrawn: lambda event, who, _: f"{who} draws {CARD_NAMES[event.card]}",
    CardRecovered: lambda event, who, _: f"{who} recovers {CARD_NAMES[event.card]} from the discard pile",
    DeckRenewed: lambda event, _who, _names: (
        f"All discard piles are shuffled into a new deck of {amount_text(event.cards, 'card')}"
    ),
    EggLaid: lambda event, who, _: f"{who} lays an egg on {SLOT_NAMES[event.slot]}",
    EggHatched: lambda event, who, _: f"{who} hatches the egg on {SLOT_NAMES[event.slot]}",
    YoungPlaced: lambda event, who, _: f"{who} puts a young on {SLOT_NAMES[event.slot]}",
    SchoolFormed: lambda event, _who, names: (
        f"{owner_text(event.seat, names)} young on {SLOT_NAMES[event.slot]} form a school"
    ),
    YoungMoved: lambda event, who, _: (
        f"{who} moves a young from {SLOT_NAMES[event.slot]} to {SLOT_NAMES[event.to]}"
    ),
    SchoolMoved: lambda event, who, _: (
        f"{who} moves the school from {SLOT_NAMES[event.slot]} to {SLOT_NAMES[event.to]}"
    ),
    BonusGained: lambda event, who, _: f"{who} reaches {source_text(event.source)}",
    FishActivated: lambda event, who, _: (
        f"{who} begins the {event.trigger.replace('_', '-')} ability of {source_text(event.source)}"
    ),
    BenefitsDeclined: _declined,
    WeekScored: _week_scored,
    WeekBegan: _week_began,
    TurnBegan: lambda event, who, _: f"{who} begins turn {event.turn} of week {event.week}",
    GameEndBegan: lambda _event, who, _names: f"The game end of {who} begins",
    GameOver: _game_over,
    AchievementsChosen: _achievements_chosen,
}


def event_text(event: Event, names: Names = ()) -> str:
    """Return what happened, and to whom."""
    who = "" if event.seat is None else player_text(event.seat, names)
    return f"{_EVENTS[type(event)](event, who, names)}."
