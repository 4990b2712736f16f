"""Everything as a short plain-English sentence, made from the data: abilities, moves, decisions, events.

One table per vocabulary (effects, conditions, moves, steps, events) says how each of its words reads; no
text is about one card. The text of a move is a label: a sentence in the imperative without a full stop. The
texts may change in any release, so nothing may ever read them back.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from service.engine.abilities import (
    SIZES,
    AlsoIf,
    BuyCoral,
    Condition,
    ConsumeByAny,
    ConsumeByThis,
    ConsumedAtLeast,
    Draw,
    Effect,
    EveryReefAtLeast,
    GainCoral,
    HasEggYoungAndSchool,
    HasSchool,
    Hatch,
    InRow,
    LayEgg,
    LayEggEach,
    MoveToken,
    NoTokens,
    PlaceYoung,
    Play,
    Points,
    Recover,
    Scatter,
    SiteCoralAtLeast,
    SiteCoralNone,
    SomeReefAtLeast,
    Tag,
    Trigger,
    YoungExactly,
)
from service.engine.cards import (
    ACHIEVEMENTS,
    BONUSES,
    CARDS,
    DEEP_STOP,
    REEF_STOP,
    SIDE_A_SET,
    ZONE_OF_STOP,
    Achievement,
    Card,
    Cost,
)
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
    FishSource,
    GameEndBegan,
    GameOver,
    GroupSource,
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
from service.engine.moves import Move, MoveKind
from service.engine.ocean import NAMED_ROWS, SITES, SLOT_NAMES, ZONES
from service.engine.resolvers import YOUNG_PER_SCATTER, effects_of
from service.engine.scoring import POINTS_FOR_MOST
from service.engine.state import Benefits, Frame, GameState, Pay, Scattering, Step

Names = Sequence[str]
"""Display names by seat; an empty one, or none at all, reads as the player's number."""

# Words and numbers.

_NO_PLURAL: Final = ("coral", "fish", "young")
_CARD_NAMES: Final = {id_: card.name for id_, card in CARDS.items()}
_ROW_NAMES: Final = {row: f"the {name} row" for name, row in NAMED_ROWS.items()}
_STOP_NAMES: Final = {stop: ZONES[zone].capitalize() for stop, zone in ZONE_OF_STOP.items()} | {
    DEEP_STOP: "deep"
}
_PRICES: Final = ("1 egg", "1 young", "1 card from hand")
"""Per site, what a coral costs (R11.2, RU15)."""
_PRICE_TEXTS: Final[tuple[Callable[[Move], str], ...]] = (
    lambda move: f"the egg on {SLOT_NAMES[move.slot]}",
    lambda move: f"a young on {SLOT_NAMES[move.slot]}",
    lambda move: f"{_CARD_NAMES[move.card]} from hand",
)
_UNITS: Final = {"cards": "card", "eggs": "egg", "young": "young", "schools": "school"}
"""The fields of a cost that are paid in units, in the order of payment, and what a unit is called."""


def amount_text(count: int, noun: str) -> str:
    """Return a number of things, such as "1 card" or "2 young"."""
    return f"{count} {noun}" if count == 1 or noun.endswith(_NO_PLURAL) else f"{count} {noun}s"


def _listed(parts: Iterable[str]) -> str:
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"


def _row(row: int) -> str:
    return _ROW_NAMES.get(row, f"row {row + 1}")


def _capitalized(text: str) -> str:
    return text[0].upper() + text[1:]


def player_text(seat: int, names: Names) -> str:
    """Return a player's display name, "Player 1" and so on for one who has none."""
    return (names[seat] if seat < len(names) else "") or f"Player {seat + 1}"


def cost_text(cost: Cost) -> str:
    """Return what playing a card takes, such as "1 card and 2 eggs" (R5.1, R5.2)."""
    parts = [amount_text(units, noun) for kind, noun in _UNITS.items() if (units := getattr(cost, kind))]
    if cost.consume:
        parts.append("a shorter fish to consume")
    return _listed(parts) if parts else "nothing"


# Effects (R7).


def _fish(size: int | None, tag: Tag | None) -> str:
    of_size = "" if size is None else f"{SIZES[size]} "
    with_tag = "" if tag is None else f" with the {tag} tag"
    return f"{of_size}fish{with_tag}"


def _place(site: int | None, row: int | None) -> str:
    in_site = "" if site is None else f" in the {SITES[site]} site"
    in_row = "" if row is None else f" in {_row(row)}"
    return in_site + in_row


def _lay_egg_each(effect: LayEggEach, _count: int) -> str:
    fish, place = _fish(effect.size, effect.tag), _place(effect.site, effect.row)
    return f"lay an egg on each of your {fish}{place} that has none"


def _gain_coral(effect: GainCoral, count: int) -> str:
    any_, colour = ("", " of any colour") if effect.site is None else (f"{SITES[effect.site]} ", "")
    return f"gain {count} {any_}coral{colour}"


def _play(effect: Play, _count: int) -> str:
    place = _place(effect.site, effect.row)
    if effect.zone is not None:
        place += f" in the {ZONES[effect.zone].capitalize()} zone"
    if effect.min_coral:
        place += f" in a site with at least {effect.min_coral} coral"
    price = " for free" if effect.free else ", paying its cost"
    return f"play a {_fish(effect.size, effect.tag)}{place}{price}"


_EFFECTS: Final[dict[type[Effect], Callable[[Any, int], str]]] = {
    Draw: lambda _, count: f"draw {amount_text(count, 'card')}",
    Recover: lambda _, count: f"recover {amount_text(count, 'card')} from your discard pile",
    LayEgg: lambda _, count: f"lay {amount_text(count, 'egg')}",
    Hatch: lambda _, count: f"hatch {amount_text(count, 'egg')}",
    PlaceYoung: lambda _, count: f"put {count} young on any slot{'' if count == 1 else 's'}",
    LayEggEach: _lay_egg_each,
    MoveToken: lambda _, count: f"move a young or a school{_times(count)}",
    ConsumeByThis: lambda _, count: f"let this fish consume {amount_text(count, 'shorter card')} from hand",
    ConsumeByAny: lambda _, count: (
        f"let any of your fish cards consume {amount_text(count, 'shorter card')} from hand"
    ),
    Scatter: lambda _, count: f"scatter {amount_text(count, 'school')}",
    GainCoral: _gain_coral,
    BuyCoral: lambda effect, _: f"put 1 coral into your {SITES[effect.site]} reef for {_PRICES[effect.site]}",
    Play: _play,
}


def _effect(effect: Effect, count: int) -> str:
    """Return an effect of which ``count`` are there or left."""
    return _EFFECTS[type(effect)](effect, count)


def effect_text(effect: Effect) -> str:
    """Return an effect as printed, in the imperative, such as "draw 2 cards"."""
    return _effect(effect, effect.count)


def _group(effects: Iterable[Effect]) -> str:
    return _listed(map(effect_text, effects))


# Conditions (R10, R11.3, R11.5), abilities, bonuses, achievements.

_CONDITIONS: Final[dict[type[Condition], Callable[[Any], str]]] = {
    NoTokens: lambda _: "no egg, young or school is on this fish",
    HasSchool: lambda _: "a school is on this fish",
    HasEggYoungAndSchool: lambda _: "an egg, a young and a school are on this fish",
    YoungExactly: lambda condition: f"exactly {condition.count} young are on this fish",
    ConsumedAtLeast: lambda condition: (
        f"at least {condition.count} fish {'is' if condition.count == 1 else 'are'} consumed under this fish"
    ),
    InRow: lambda condition: f"this fish is in {_row(condition.row)}",
    SiteCoralAtLeast: lambda condition: (
        f"this fish's site holds at least {condition.count} {SITES[condition.site]} coral"
    ),
    SiteCoralNone: lambda _: "this fish's site holds no coral",
    EveryReefAtLeast: lambda condition: f"each of your sites holds at least {condition.count} coral",
    SomeReefAtLeast: lambda condition: f"one of your sites holds at least {condition.count} coral",
}


def condition_text(condition: Condition) -> str:
    """Return a condition as the clause that follows "if"."""
    return _CONDITIONS[type(condition)](condition)


_TRIGGERS: Final[dict[Trigger, str]] = {
    "when_played": "When played",
    "if_activated": "If activated",
    "game_end": "Game end",
}


def _points(score: Points) -> str:
    return f"{amount_text(score.points, 'point')} if {condition_text(score.condition)}"


def _also_if(also: AlsoIf) -> str:
    return f"; also, if {condition_text(also.condition)}, {_group(also.effects)}"


def ability_text(card: Card) -> str:
    """Return a card's ability as a player would read it aloud, from its trigger on."""
    ability = card.ability
    if ability is None:
        return "No ability."
    who = ", all players" if ability.all_players else ""
    condition = f", if {condition_text(ability.condition)}" if ability.condition else ""
    what = _points(ability.score) if ability.score else _group(ability.effects)
    also = _also_if(ability.also) if ability.also else ""
    return f"{_TRIGGERS[ability.trigger]}{who}{condition}: {what}{also}."


def _bonus(site: int, stop: int) -> str:
    if stop == REEF_STOP:
        return f"{SITES[site]} reef"
    return f"{_STOP_NAMES[stop]} bonus of the {SITES[site]} site"


def bonus_text(site: int, stop: int) -> str:
    """Return what the bonus of a site at a stop of the dive gives (R6.4)."""
    return f"{_capitalized(_bonus(site, stop))}: {_group(BONUSES[site, stop])}."


_COUNTED: Final = {
    "eggs_and_young": ("egg or young", "eggs and young"),
    "eggs": ("egg", "eggs"),
    "young": ("young", "young"),
    "schools": ("school", "schools"),
    "coral": ("coral", "coral"),
    "full_rows": ("row full of fish", "rows full of fish"),
    "small_fish": ("small fish", "small fish"),
    "medium_fish": ("medium fish", "medium fish"),
    "large_fish": ("large fish", "large fish"),
    "fish_with_token": ("fish with an egg, young or school", "fish with an egg, young or school"),
    "fish_without_token": ("fish with no egg, young or school", "fish with no egg, young or school"),
    "if_activated_fish": ("fish with an if-activated ability", "fish with an if-activated ability"),
    "sunlight_fish": ("fish in the Sunlight zone", "fish in the Sunlight zone"),
    "fish_of_1_to_3_points": ("fish card of 1 to 3 points", "fish cards of 1 to 3 points"),
    "fish_over_4_points": ("fish card of more than 4 points", "fish cards of more than 4 points"),
    "predator_tags": ("predator tag", "predator tags"),
    "tag_kinds": ("kind of tag", "kinds of tag"),
    "consumed_fish": ("consumed fish", "consumed fish"),
    "discard_pile_cards": ("card in your discard pile", "cards in your discard pile"),
    "reef_completion_points": ("point of your full reefs", "points of your full reefs"),
}
"""What achievements count, as one and as many."""


def _worth(achievement: Achievement) -> str:
    one, many = _COUNTED[achievement.count]
    each = f"each {one}" if achievement.per == 1 else f"every {achievement.per} {many}"
    return f"{amount_text(achievement.points, 'point')} for {each}"


def achievement_text(achievement: Achievement) -> str:
    """Return an achievement with its week (R8.2, R8.3), on side B with the points for scoring most (R8.1)."""
    most = "" if achievement.set == SIDE_A_SET else f", and {POINTS_FOR_MOST} more for scoring most"
    return f"Week {achievement.week}: {_worth(achievement)}{most}."


# Sources.


def source_text(source: Source) -> str:
    """Return what brought something about, as a noun: a fish on its slot, a bonus, a rule."""
    if isinstance(source, FishSource):
        return f"{_CARD_NAMES[source.card]} on {SLOT_NAMES[source.slot]}"
    return f"the {_bonus(*source)}" if isinstance(source, BonusSource) else f"rule {source.rule}"


def _source_for(seat: int, source: Source, names: Names) -> str:
    """Return a source as a player sees it, with its owner where that is another player (R7.8)."""
    if isinstance(source, FishSource) and source.seat != seat:
        return f"{player_text(source.seat, names)}'s {source_text(source)}"
    return source_text(source)


# Moves.


def _decider(state: GameState) -> int:
    step = state.agenda[-1]
    return step.seat if isinstance(step, Benefits | Scattering) else state.seat


def _fish_on(slot: int, state: GameState) -> str:
    """Return the fish that the decider has on a slot; a move that is not legal may name an empty slot."""
    fish = state.players[_decider(state)].fish[slot]
    return f"{_CARD_NAMES.get(fish, 'the fish')} on {SLOT_NAMES[slot]}"


def _move_egg_each(_move: Move, state: GameState) -> str:
    step = state.agenda[-1]
    effects = effects_of(step.source) if isinstance(step, Benefits) else ()
    named = (effect for effect in effects if isinstance(effect, LayEggEach))
    return _capitalized(effect_text(next(named, LayEggEach())))


def _move_pass(_move: Move, state: GameState) -> str:
    step = state.agenda[-1]
    if not isinstance(step, Benefits):
        return "Use no more game-end abilities"
    return f"Decline what is left of {_source_for(step.seat, step.source, state.names)}"


_MOVES: Final[dict[MoveKind, Callable[[Move, GameState], str]]] = {
    MoveKind.PLAY_FISH: lambda move, _: f"Play {_CARD_NAMES[move.card]} on {SLOT_NAMES[move.to]}",
    MoveKind.DIVE: lambda move, _: f"Dive in the {SITES[move.site]} site",
    MoveKind.PAY_CARD: lambda move, _: f"Pay {_CARD_NAMES[move.card]} from hand",
    MoveKind.PAY_EGG: lambda move, _: f"Pay the egg on {SLOT_NAMES[move.slot]}",
    MoveKind.PAY_YOUNG: lambda move, _: f"Pay a young on {SLOT_NAMES[move.slot]}",
    MoveKind.PAY_SCHOOL: lambda move, _: f"Pay the school on {SLOT_NAMES[move.slot]}",
    MoveKind.DRAW: lambda _move, _: "Draw a card",
    MoveKind.RECOVER: lambda move, _: f"Recover {_CARD_NAMES[move.card]} from your discard pile",
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
    MoveKind.CONSUME: lambda move, state: (
        f"Let {_fish_on(move.slot, state)} consume {_CARD_NAMES[move.card]}"
    ),
    MoveKind.SCATTER: lambda move, _: f"Scatter the school on {SLOT_NAMES[move.slot]}",
    MoveKind.GAIN_CORAL: lambda move, _: f"Put a coral into the {SITES[move.site]} reef",
    MoveKind.BUY_CORAL: lambda move, _: f"Buy a {SITES[move.site]} coral for {_PRICE_TEXTS[move.site](move)}",
    MoveKind.ACTIVATE_FISH: lambda move, state: f"Activate {_fish_on(move.slot, state)}",
    MoveKind.PASS: _move_pass,
}


def move_text(move: Move, state: GameState) -> str:
    """Return a move of the state's open decision as a label, without a full stop."""
    return _MOVES[move.kind](move, state)


# Decisions.


def _frame_decision(state: GameState, frame: Frame) -> str:
    if frame is Frame.TURN:
        return f"play a fish or dive (week {state.week}, turn {state.turn})."
    return "activate a fish with a game-end ability, or use no more of them."


def _pay_decision(_state: GameState, pay: Pay) -> str:
    cost = CARDS[pay.card].cost
    has_begun = any(getattr(pay, kind) < getattr(cost, kind) for kind in _UNITS)
    due = {noun: units for kind, noun in _UNITS.items() if (units := getattr(pay, kind))}
    amounts = [amount_text(units, f"more {noun}" if has_begun else noun) for noun, units in due.items()]
    return f"pay {_listed(amounts)} for {_CARD_NAMES[pay.card]} on {SLOT_NAMES[pay.slot]}."


def _benefits_decision(state: GameState, step: Benefits) -> str:
    offers = [
        _effect(effect, left) for effect, left in zip(effects_of(step.source), step.left, strict=True) if left
    ]
    return f"with {_source_for(step.seat, step.source, state.names)} you may {_listed(offers)}."


def _scattering_decision(_state: GameState, step: Scattering) -> str:
    left = YOUNG_PER_SCATTER - step.used.bit_count()
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


# Events. Each text is what follows the player's name, or the whole sentence where it happened to all.


def _diver_placed(event: DiverPlaced, _names: Names) -> str:
    return "places a diver to play a fish" if event.site is None else f"dives in the {SITES[event.site]} site"


def _declined(event: BenefitsDeclined, names: Names) -> str:
    if not isinstance(event.source, GroupSource):
        return "uses no more game-end abilities"
    return f"declines what is left of {_source_for(event.seat, event.source, names)}"


def _week_scored(event: WeekScored, _names: Names) -> str:
    most = f", and {event.most} more for scoring most" if event.most else ""
    return f"scores {amount_text(event.points, 'point')} for the achievement of week {event.week}{most}"


def _week_began(event: WeekBegan, names: Names) -> str:
    return f"Week {event.week} begins with {player_text(event.first_player, names)} as first player"


def _game_over(event: GameOver, names: Names) -> str:
    verb = "wins" if len(event.winners) == 1 else "share the win"
    return f"The game is over: {_listed(player_text(seat, names) for seat in event.winners)} {verb}"


def _achievements_chosen(event: AchievementsChosen, _names: Names) -> str:
    chosen = (ACHIEVEMENTS[id_] for id_ in event.achievements)
    return f"The achievements are {_listed(f'{_worth(one)} (week {one.week})' for one in chosen)}"


_EVENTS: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    DiverPlaced: _diver_placed,
    CardPaid: lambda event, _: f"pays {_CARD_NAMES[event.card]} from hand for {source_text(event.source)}",
    EggPaid: lambda event, _: f"pays the egg on {SLOT_NAMES[event.slot]} for {source_text(event.source)}",
    YoungPaid: lambda event, _: f"pays a young on {SLOT_NAMES[event.slot]} for {source_text(event.source)}",
    SchoolPaid: lambda event, _: (
        f"pays the school on {SLOT_NAMES[event.slot]} for {source_text(event.source)}"
    ),
    FishCovered: lambda event, _: f"covers {_CARD_NAMES[event.card]} on {SLOT_NAMES[event.slot]}",
    FishPlaced: lambda event, _: f"places {_CARD_NAMES[event.card]} on {SLOT_NAMES[event.slot]}",
    SchoolScattered: lambda event, _: f"scatters the school on {SLOT_NAMES[event.slot]}",
    CoralGained: lambda event, _: f"puts a coral into the {SITES[event.site]} reef",
    CardConsumed: lambda event, _: (
        f"lets the fish on {SLOT_NAMES[event.slot]} consume {_CARD_NAMES[event.card]}"
    ),
    StarterDealt: lambda event, _: f"is dealt the starter card {_CARD_NAMES[event.card]}",
    CardDrawn: lambda event, _: f"draws {_CARD_NAMES[event.card]}",
    CardRecovered: lambda event, _: f"recovers {_CARD_NAMES[event.card]} from the discard pile",
    DeckRenewed: lambda event, _: (
        f"All discard piles are shuffled into a new deck of {amount_text(event.cards, 'card')}"
    ),
    EggLaid: lambda event, _: f"lays an egg on {SLOT_NAMES[event.slot]}",
    EggHatched: lambda event, _: f"hatches the egg on {SLOT_NAMES[event.slot]}",
    YoungPlaced: lambda event, _: f"puts a young on {SLOT_NAMES[event.slot]}",
    SchoolFormed: lambda event, _: f"forms a school of the young on {SLOT_NAMES[event.slot]}",
    YoungMoved: lambda event, _: f"moves a young from {SLOT_NAMES[event.slot]} to {SLOT_NAMES[event.to]}",
    SchoolMoved: lambda event, _: f"moves the school from {SLOT_NAMES[event.slot]} to {SLOT_NAMES[event.to]}",
    BonusGained: lambda event, _: f"reaches {source_text(event.source)}",
    FishActivated: lambda event, _: (
        f"begins the {event.trigger.replace('_', '-')} ability of {source_text(event.source)}"
    ),
    BenefitsDeclined: _declined,
    WeekScored: _week_scored,
    WeekBegan: _week_began,
    TurnBegan: lambda event, _: f"begins turn {event.turn} of week {event.week}",
    GameEndBegan: lambda _event, _: "may use game-end abilities",
    GameOver: _game_over,
    AchievementsChosen: _achievements_chosen,
}


def event_text(event: Event, names: Names = ()) -> str:
    """Return what happened, and to whom."""
    text = _EVENTS[type(event)](event, names)
    return f"{text}." if event.seat is None else f"{player_text(event.seat, names)} {text}."
