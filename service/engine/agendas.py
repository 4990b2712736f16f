"""What may stand in an agenda: its first step, and what must stand behind it.

Whatever follows the first step follows *from* it, so an agenda is judged by writing down what must stand
behind its first step, and by whether its owner could have the question that it asks.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from service.engine.abilities import Play, Scatter
from service.engine.cards import (
    CARDS,
    DEEP_STOP,
    NEXT_STOP,
    REEF_STOP,
    ROW_OF_STOP,
    ZONE_OF_STOP,
    effects_of_card,
    fits_filter,
)
from service.engine.conditions import holds
from service.engine.errors import Fault, Faults, within_faults
from service.engine.events import BonusSource, FishSource
from service.engine.ocean import (
    SITE_SLOTS,
    SITES,
    SLOT_NAMES,
    ZONE_SLOTS,
    row_of,
    site_of,
    slots_in,
)
from service.engine.plays import Purse, kind_due, purse_of, slots_to_cover
from service.engine.resolvers import YOUNG_PER_SCATTER, all_of, effects_of, is_own_fish, place_of
from service.engine.rules import choices
from service.engine.state import (
    AllPlayers,
    AlsoIf,
    Benefits,
    DiveOn,
    Frame,
    GameState,
    Pay,
    Player,
    Scattering,
    Step,
)

_NOTHING_ASKED: Final = Fault(
    "agenda[0]", "R3.3", "The first step asks nothing; it would have been carried out."
)


def agenda_faults(state: GameState) -> Faults:
    """Yield what is wrong with the agenda of a state whose frame, cards and tokens are sound."""
    step = state.agenda[-1]
    judge = _STEP_FAULTS.get(type(step))
    if judge is None:
        yield _NOTHING_ASKED
        return
    faults = [*judge(state, step)]
    if not faults and state.agenda != _expected_agenda(state, step):
        text = "What stands behind the first step does not follow from it."
        faults.append(Fault("agenda", "R3.1", text))
    if not faults and not state.is_over and not choices(state):
        faults.append(_NOTHING_ASKED)
    yield from faults


def _expected_agenda(state: GameState, step: Step) -> list[Step]:
    """Return the whole agenda, next step last, that has this first step."""
    if isinstance(step, Frame):
        return [step]
    rest = _rest_of(state, step) if isinstance(step, Benefits) else []
    if isinstance(step, Scattering):
        group = _group_behind(state, step)
        rest = _rest_of(state, group)
        rest += [group] if any(group.left) else []
    return [state.agenda[0], *rest, step]


def _group_behind(state: GameState, step: Scattering) -> Benefits:
    """Return what is left of the group of a scatter; with nothing left it does not stand there."""
    behind = state.agenda[-2]  # the frame, if nothing else stands there
    if isinstance(behind, Benefits) and (behind.seat, behind.source) == (step.seat, step.source):
        return behind
    return Benefits(step.seat, step.source, (0,) * len(all_of(step.source)))


def _rest_of(state: GameState, step: Benefits) -> list[Step]:
    """Return the steps between the frame and an open group: the dive, the other players."""
    source = step.source
    if isinstance(source, BonusSource):
        return _dive_behind(state, source.site, source.stop)
    assert isinstance(source, FishSource)  # noqa: S101  judged before
    ability = CARDS[source.card].ability
    rest: list[Step] = []
    if ability is not None and ability.trigger == "if_activated":
        stops = {row: stop for stop, row in ROW_OF_STOP.items()}
        rest += _dive_behind(state, site_of(source.slot), stops[row_of(source.slot)])
    if ability is not None and ability.also is not None and not source.is_also:
        rest.append(AlsoIf(source))
    following = (step.seat + 1) % len(state.players)
    if ability is not None and ability.all_players and following != source.seat:
        rest.append(AllPlayers(source, following))
    return rest


def _dive_behind(state: GameState, site: int, stop: int) -> list[Step]:
    following = NEXT_STOP[state.options.has_reefs].get(stop)
    return [DiveOn(site, following)] if following is not None else []


def _frame_step_faults(_state: GameState, _frame: Frame) -> Faults:
    yield from ()


def _acts(state: GameState, *frames: Frame) -> Faults:
    if state.agenda[0] not in frames:
        names = " or ".join(frame.value for frame in frames)
        yield Fault("agenda", "R3.1", f"Behind such a step stands {names}.")


def _pay_faults(state: GameState, pay: Pay) -> Faults:
    yield from _acts(state, Frame.END_TURN, Frame.GAME_END)
    player = state.players[state.seat]
    if pay.card not in player.hand:
        yield Fault("agenda[0].pay.card", "R5.1", "The card being played is in its owner's hand.")
        return
    card = CARDS[pay.card]
    if pay.slot not in slots_to_cover(player, card, must_consume=bool(card.cost.consume)):
        text = f"{card.name} cannot be played on {SLOT_NAMES[pay.slot]}."
        yield Fault("agenda[0].pay.slot", "R5.6", text)
    yield from _price_faults(player, pay)
    plays = _plays_at_game_end(player) if state.agenda[0] is Frame.GAME_END else [Play()]
    if not _lets_play(player, (play for play in plays if not play.free), pay.card, pay.slot):
        yield Fault("agenda[0].pay", "R9.1", "No ability of this player lets a fish be played there now.")


def _price_faults(player: Player, pay: Pay) -> Faults:
    """A cost is paid kind by kind, and what is left of it can be met (R5.1, R5.6)."""
    due = kind_due(pay)
    cost, purse = CARDS[pay.card].cost, purse_of(player)
    is_behind = False
    for kind in Purse._fields:
        left, printed = getattr(pay, kind), getattr(cost, kind)
        field = f"agenda[0].pay.{kind}"
        if not 0 <= left <= printed:
            yield from within_faults(left, 0, printed, field, "R5.1")
        elif is_behind and left != printed:
            yield Fault(field, "R5.1", f"It is not its turn yet, and {printed} must be left of it.")
        elif left > getattr(purse, kind):
            text = f"It is {left}, and there is no more than {getattr(purse, kind)} to pay with."
            yield Fault(field, "R5.6", text)
        is_behind = is_behind or kind == due
    if cost.cards - pay.cards > len(player.discard):
        yield Fault("agenda[0].pay.cards", "R5.1", "The cards already paid are not in the discard pile.")


def _lets_play(player: Player, plays: Iterable[Play], card: int, slot: int) -> bool:
    """Return whether one of these plays lets a card be put on a slot (R5.7, R5.8, R11.5)."""
    return any(place_of(player, play) >> slot & 1 and fits_filter(CARDS[card], play) for play in plays)


def _plays_at_game_end(player: Player) -> Iterator[Play]:
    """Yield the plays that can have been opened: by fish used, by fish played, by fish covered since."""
    fish = [player.fish[slot] for slot in slots_in(player.occupied)]
    used = [player.fish[slot] for slot in slots_in(player.activated)]
    under = [card for cards in player.under.values() for card in cards]
    effects = [effect for card in fish for effect in effects_of_card(card, "when_played")]
    effects += [effect for card in (*used, *under) for effect in effects_of_card(card, "game_end")]
    effects += [effect for card in under for effect in effects_of_card(card, "when_played")]
    return (effect for effect in effects if isinstance(effect, Play))


def _benefits_faults(state: GameState, step: Benefits) -> Faults:
    field = "agenda[0].benefits"
    return _group_faults(state, step, field, f"{field}.left")


def _group_faults(state: GameState, step: Benefits, field: str, left_field: str) -> Faults:
    yield from within_faults(step.seat, 0, len(state.players) - 1, f"{field}.seat", "R3.1")
    if len(step.left) != len(all_of(step.source)) or not step.left:
        yield Fault(left_field, "R7.9", "It has one entry for each benefit that the source prints.")
        return
    for index, (left, printed) in enumerate(zip(step.left, all_of(step.source), strict=True)):
        yield from within_faults(left, 0, printed, f"{left_field}[{index}]", "R3.2")
    if isinstance(step.source, BonusSource):
        yield from _bonus_faults(state, step, step.source, field)
    elif isinstance(step.source, FishSource):
        yield from _ability_faults(state, step, step.source, field)


def _scattering_faults(state: GameState, step: Scattering) -> Faults:
    """A scatter stands before what is left of its group, one of whose scatters it has used (R7.5)."""
    field = "agenda[0].scatter"
    group = _group_behind(state, step)
    if not _has_scattered(group):
        yield Fault(f"{field}.source", "R7.5", "It prints no scatter that has been used.")
        return
    faults = [*_group_faults(state, group, field, "agenda[1].benefits.left")]
    yield from faults or _used_faults(state.players[step.seat], step, f"{field}.used")


def _has_scattered(group: Benefits) -> bool:
    """Return whether a group of benefits prints a scatter that has been used."""
    printed = all_of(group.source)
    return len(printed) == len(group.left) > 0 and any(
        isinstance(effect, Scatter) and left < count
        for effect, left, count in zip(effects_of(group.source), group.left, printed, strict=True)
    )


def _used_faults(player: Player, step: Scattering, field: str) -> Faults:
    """Where a young of the school was put, it lies, or a school that it has formed (R4.2, R7.5)."""
    if step.used.bit_count() >= YOUNG_PER_SCATTER:
        yield Fault(field, "R7.5", "All young of the school are put.")
    for slot in slots_in(step.used):
        if not player.young[slot] and not player.schools >> slot & 1:
            yield Fault(field, "R7.5", f"No young of the school lies on {SLOT_NAMES[slot]}.")


def _bonus_faults(state: GameState, step: Benefits, source: BonusSource, field: str) -> Faults:
    yield from _acts(state, Frame.END_TURN)
    if step.seat != state.seat:
        yield Fault(f"{field}.seat", "R6.2", "A bonus belongs to the player who dives.")
    player = state.players[state.seat]
    if source.stop == DEEP_STOP:
        if not player.deep_used >> source.site & 1:
            yield Fault(field, "R6.3", "A deep bonus is used up on arrival.")
    elif source.stop == REEF_STOP:
        if not state.options.has_reefs:
            yield Fault(f"{field}.source", "R2.4", "There are no reefs in this game.")
    elif not player.occupied & SITE_SLOTS[source.site] & ZONE_SLOTS[ZONE_OF_STOP[source.stop]]:
        text = f"No visible fish lies in this zone of the {SITES[source.site]} site."
        yield Fault(f"{field}.source", "R6.2", text)


def _ability_faults(state: GameState, step: Benefits, source: FishSource, field: str) -> Faults:
    ability = CARDS[source.card].ability
    if ability is None or not is_own_fish(state, state.seat, source):
        text = "It must be a visible fish of the player whose turn or game end it is."
        yield Fault(f"{field}.source", "R7.9", text)
        return
    if not ability.all_players and step.seat != source.seat:
        yield Fault(f"{field}.seat", "R7.8", "Only the fish's owner takes part in this ability.")
    yield from _coral_faults(state.players[state.seat], step, source, f"{field}.source")
    yield from _TRIGGER_FAULTS[ability.trigger](state, source, f"{field}.source")


def _coral_faults(player: Player, step: Benefits, source: FishSource, field: str) -> Faults:
    """What opened a group holds still: coral is never removed, and nothing has come since (R11.3, R11.5)."""
    ability = CARDS[source.card].ability
    assert ability is not None  # noqa: S101  judged before
    if source.is_also and ability.also and not holds(player, source.slot, ability.also.condition):
        yield Fault(field, "R11.3", "The reef of this fish's site is too small for its second part.")
    is_untouched = step.left == all_of(source)
    if ability.condition and is_untouched and not holds(player, source.slot, ability.condition):
        yield Fault(field, "R11.5", "The condition of this ability does not hold.")


def _when_played_faults(state: GameState, source: FishSource, field: str) -> Faults:
    yield from _acts(state, Frame.END_TURN, Frame.GAME_END)
    player = state.players[state.seat]
    plays = _plays_at_game_end(player) if state.agenda[0] is Frame.GAME_END else [Play()]
    if not _lets_play(player, plays, source.card, source.slot):
        yield Fault(field, "R9.1", "No ability let this fish be played there now.")


def _if_activated_faults(state: GameState, _source: FishSource, _field: str) -> Faults:
    yield from _acts(state, Frame.END_TURN)


def _game_end_faults(state: GameState, source: FishSource, field: str) -> Faults:
    yield from _acts(state, Frame.GAME_END)
    if not state.players[state.seat].activated >> source.slot & 1:
        yield Fault(field, "R9.1", "A game-end ability at work counts as used.")


_TRIGGER_FAULTS: Final = {
    "when_played": _when_played_faults,
    "if_activated": _if_activated_faults,
    "game_end": _game_end_faults,
}

_STEP_FAULTS: Final[dict[type[Step], Callable[[GameState, Any], Faults]]] = {
    Frame: _frame_step_faults,
    Pay: _pay_faults,
    Benefits: _benefits_faults,
    Scattering: _scattering_faults,
}
