"""Everything that is wrong with a state, as a list.

A state that passes could stand on a table as far as it tells by itself: its cards add up, its tokens lie
where tokens may lie, its week and its agenda fit each other, and its open decision is a real question that
its owner could have. Whatever follows the first step of the agenda follows *from* it, so the agenda is
checked by writing down what must stand behind its first step.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final

from service.engine.abilities import ConsumeByThis, Play, Scatter
from service.engine.cards import (
    ACHIEVEMENTS,
    CARDS,
    DEEP_STOP,
    FORAGE,
    LENGTHS,
    NEXT_STOP,
    NO_CARD,
    REEF_STOP,
    ROW_OF_STOP,
    ZONE_OF_STOP,
    cards_of,
    effects_of_card,
    fits_filter,
)
from service.engine.conditions import holds
from service.engine.errors import Fault
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
from service.engine.reefs import REEF_SIZE, slots_without_coral
from service.engine.resolvers import YOUNG_PER_SCATTER, all_of, effects_of, is_own_fish, place_of
from service.engine.rules import choices
from service.engine.samples import cards_in_game, cards_of_player
from service.engine.scoring import POINTS_FOR_MOST
from service.engine.setup import (
    STARTERS_DEALT,
    name_faults,
    option_faults,
    seed_faults,
    tile_faults,
)
from service.engine.state import (
    MAX_PLAYERS,
    SCHOOL_SIZE,
    TURNS,
    WEEKS,
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
    WeekPoints,
    divers_left,
)

MAX_YOUNG: Final = 99
"""Young on a slot of a state from outside."""
MAX_VERSION: Final = 1_000_000
"""A bound on versions and on the generator's counter, far above what games reach."""
MAX_POINTS: Final = 10_000
"""A bound on what a week can have brought, far above what weeks bring."""

Faults = Iterator[Fault]


def check(state: GameState) -> list[Fault]:
    """Return everything that is wrong with a state, an empty list if nothing is.

    Every card id must be one of the catalogue, and every slot, site and stop one that exists; any other
    content is allowed and judged. While the frame of the game is wrong, only that is told.
    """
    faults = [*_frame_faults(state)]
    if faults:
        return faults
    faults = [*_table_faults(state), *_card_faults(state)]
    for seat, player in enumerate(state.players):
        faults += _player_faults(state, seat, player)
    return faults or [*_agenda_faults(state)]


# The frame: how many players, whose turn, which week.


def _is_within(value: int, low: int, high: int, field: str, rule: str) -> Faults:
    if not low <= value <= high:
        yield Fault(field, rule, f"It is {value} and must be {low} to {high}.")


def _frame_faults(state: GameState) -> Faults:
    yield from _is_within(len(state.players), 1, MAX_PLAYERS, "players", "R2.1")
    last = max(len(state.players) - 1, 0)
    yield from _is_within(state.seat, 0, last, "seat", "R3.1")
    yield from _is_within(state.first_player, 0, last, "first_player", "R2.2")
    yield from _is_within(state.week, 1, WEEKS, "week", "R3.1")
    yield from _is_within(state.turn, 1, TURNS, "turn", "R3.1")
    yield from _is_within(state.version, 0, MAX_VERSION, "version", "R2.5")
    yield from option_faults(state.options)
    if not state.agenda or not isinstance(state.agenda[0], Frame):
        text = "The last step must be turn, end_turn, game_end or game_over."
        yield Fault("agenda", "R3.1", text)


def _is_end(state: GameState) -> bool:
    return state.agenda[0] in (Frame.GAME_END, Frame.GAME_OVER)


def _table_faults(state: GameState) -> Faults:
    yield from name_faults(state.names, "players[{}].display_name")
    yield from seed_faults(state.seed, "open.seed")
    yield from _is_within(state.counter, 0, MAX_VERSION, "open.counter", "R2.5")
    wrong = tile_faults(state.options, state.tiles, "achievements")
    yield from wrong
    if not wrong and state.options.tiles and state.options.tiles != state.tiles:
        yield Fault("achievements", "R2.3", "They are not the tiles that the options name.")
    if not wrong:
        yield from _gain_faults(state)
    if _is_end(state) and (state.week, state.turn) != (WEEKS, TURNS):
        yield Fault("agenda", "R9.1", f"The game ends after turn {TURNS} of week {WEEKS}.")
    if state.agenda[0] is Frame.GAME_OVER and state.seat != state.first_player:
        yield Fault("seat", "R9.1", "When the game is over, it is the seat of the first-player token.")


def _gain_faults(state: GameState) -> Faults:
    """Yield what is wrong with the points of the weeks scored (R8)."""
    scored = state.week - 1
    for seat, player in enumerate(state.players):
        if len(player.gained) != scored:
            field = f"players[{seat}].achievement_points"
            yield Fault(field, "R8.1", f"{scored} weeks are scored, and it has {len(player.gained)} entries.")
            return
    for week in range(scored):
        yield from _week_faults(state, week, [player.gained[week] for player in state.players])


def _week_faults(state: GameState, week: int, gains: list[WeekPoints]) -> Faults:
    each = ACHIEVEMENTS[state.tiles[week]].points
    best = max(gain.points for gain in gains)
    for seat, gain in enumerate(gains):
        field = f"players[{seat}].achievement_points[{week}]"
        yield from _is_within(gain.points, 0, MAX_POINTS, f"{field}.points", "R8.2")
        if gain.points % each:
            yield Fault(f"{field}.points", "R8.2", f"This achievement gives {each} at a time.")
        most = POINTS_FOR_MOST if state.options.side == "b" and gain.points == best else 0
        if gain.most != most:
            yield Fault(f"{field}.most", "R8.1", f"It is {gain.most} and must be {most}.")


# Cards: each lies in one place, none is missing, none is foreign.


def _card_faults(state: GameState) -> Faults:
    starters = cards_of(state.options.sets, "starter")
    undealt = len(starters) - STARTERS_DEALT * len(state.players)
    if len(state.undealt) != undealt or not set(state.undealt) <= set(starters):
        yield Fault("undealt_starters", "R2.1", f"{undealt} starter cards of the sets in play are not dealt.")
    places = Counter(state.undealt) + Counter(state.deck)
    for player in state.players:
        places.update(card for card in cards_of_player(player) if card not in FORAGE)
    in_game = {*cards_in_game(state), *state.undealt}
    for card in sorted(places):
        if places[card] > 1:
            yield Fault(_where(state, card), "R1.3", f"Card {card} lies in {places[card]} places.")
        if card not in in_game:
            yield Fault(_where(state, card), "R2.4", f"Card {card} does not belong to the sets in play.")
    for card in sorted(in_game - places.keys()):
        yield Fault("open.deck", "R1.3", f"Card {card} lies nowhere.")


def _piles(state: GameState) -> Iterator[tuple[str, Collection[int]]]:
    yield "undealt_starters", state.undealt
    yield "open.deck", state.deck
    for seat, player in enumerate(state.players):
        yield f"players[{seat}].hand", player.hand
        yield f"players[{seat}].discard_pile", player.discard
        for slot, name in enumerate(SLOT_NAMES):
            yield f"players[{seat}].ocean[{name}].fish", (player.fish[slot],)
            yield f"players[{seat}].ocean[{name}].consumed", player.under.get(slot, ())


def _where(state: GameState, card: int) -> str:
    """Return the path of the last pile or slot that holds a card."""
    return [field for field, cards in _piles(state) if card in cards][-1]


# One player's side of the table.


def _player_faults(state: GameState, seat: int, player: Player) -> Faults:
    field = f"players[{seat}]"
    for name, pile in (("hand", player.hand), ("discard_pile", player.discard)):
        for card in FORAGE.keys() & set(pile):
            yield Fault(f"{field}.{name}", "R1.5", f"{CARDS[card].name} is printed on the ocean.")
    for slot, name in enumerate(SLOT_NAMES):
        yield from _slot_faults(state, player, slot, f"{field}.ocean[{name}]")
    for card, home in FORAGE.items():
        if player.fish[home] != card and card not in player.under.get(home, ()):
            text = (
                f"{CARDS[card].name} is printed on {SLOT_NAMES[home]} and lies there or under a fish there."
            )
            yield Fault(f"{field}.ocean[{SLOT_NAMES[home]}]", "R1.5", text)
    yield from _reef_faults(state, player, field)
    yield from _deep_bonus_faults(state, seat, player)
    yield from _activated_faults(state, seat, player)


def _reef_faults(state: GameState, player: Player, field: str) -> Faults:
    """A reef holds up to six coral, and coral is never removed (R11.1, R11.4)."""
    most = REEF_SIZE if state.options.has_reefs else 0
    for site, coral in enumerate(player.reefs):
        yield from _is_within(coral, 0, most, f"{field}.reefs[{site}]", "R11.1")
    for slot in slots_in(player.occupied):
        need = CARDS[player.fish[slot]].needs_coral
        if need is not None and slots_without_coral(player, need) >> slot & 1:
            text = f"{CARDS[player.fish[slot]].name} needs more coral in the reef of this site."
            yield Fault(f"{field}.ocean[{SLOT_NAMES[slot]}].fish", "R11.4", text)


def _slot_faults(state: GameState, player: Player, slot: int, field: str) -> Faults:
    fish, under = player.fish[slot], player.under.get(slot, ())
    if fish == NO_CARD and under:
        yield Fault(f"{field}.consumed", "R5.4", "Consumed fish lie under a visible fish, and there is none.")
    if fish == NO_CARD and player.eggs >> slot & 1:
        yield Fault(f"{field}.egg", "R4.1", "An egg lies on a visible fish, and there is none.")
    yield from _is_within(player.young[slot], 0, MAX_YOUNG, f"{field}.young", "R4.1")
    if player.young[slot] >= SCHOOL_SIZE and not player.schools >> slot & 1:
        yield Fault(f"{field}.young", "R4.2", "Three young without a school would have become a school.")
    if fish != NO_CARD:
        yield from _fish_faults(state, fish, under, slot, field)


def _lies_by_rule(card: int, slot: int) -> bool:
    """Return whether a card may be played here, or a forage fish is printed here (R1.5, R5.3)."""
    return FORAGE[card] == slot if card in FORAGE else bool(CARDS[card].slots >> slot & 1)


def _fish_faults(state: GameState, fish: int, under: tuple[int, ...], slot: int, field: str) -> Faults:
    if not _lies_by_rule(fish, slot):
        yield Fault(f"{field}.fish", "R5.3", f"{CARDS[fish].name} cannot lie on {SLOT_NAMES[slot]}.")
    eaters = [card for card in (fish, *under) if state.options.has_reefs or _can_eat(card)]
    for card in under:
        if LENGTHS[card] >= LENGTHS[fish]:
            text = f"{CARDS[card].name} is not shorter than {CARDS[fish].name}."
            yield Fault(f"{field}.consumed", "R5.4", text)
        elif not _lies_by_rule(card, slot) and not any(LENGTHS[card] < LENGTHS[eater] for eater in eaters):
            text = f"{CARDS[card].name} cannot be played here, and no fish here could eat it."
            yield Fault(f"{field}.consumed", "R7.4", text)
    if fish in FORAGE and under:
        yield Fault(f"{field}.consumed", "R7.4", f"{CARDS[fish].name} never consumes.")


def _can_eat(card: int) -> bool:
    """Return whether a card lets itself eat cards from hand (R7.4); with Sharks & Reefs others let it too."""
    ability = CARDS[card].ability
    return ability is not None and any(isinstance(effect, ConsumeByThis) for effect in ability.effects)


def _deep_bonus_faults(state: GameState, seat: int, player: Player) -> Faults:
    """A deep bonus takes a dive that reached the bottom this week (R6.3)."""
    dives = TURNS - divers_left(state, seat)
    if seat == state.seat and state.agenda[0] is Frame.END_TURN and not _is_at_bottom(state.agenda[-1]):
        dives -= 1
    used = player.deep_used.bit_count()
    if used > dives:
        text = f"{used} deep bonuses are used, and at most {dives} dives reached a bottom this week."
        yield Fault(f"players[{seat}].deep_bonuses_used", "R6.3", text)


def _is_at_bottom(step: Step) -> bool:
    return (
        isinstance(step, Benefits) and isinstance(step.source, BonusSource) and step.source.stop == DEEP_STOP
    )


def _activated_faults(state: GameState, seat: int, player: Player) -> Faults:
    """Only fish with benefits at the game's end are used, and only when their owner's turn for it came."""
    field = f"players[{seat}].game_end_fish_used"
    order = state.seats_from(state.first_player)
    is_due = state.agenda[0] is Frame.GAME_OVER or (
        state.agenda[0] is Frame.GAME_END and order.index(seat) <= order.index(state.seat)
    )
    if player.activated and not is_due:
        yield Fault(field, "R9.1", "This player's game end has not begun.")
    for slot in slots_in(player.activated):
        if not effects_of_card(player.fish[slot], "game_end"):
            yield Fault(field, "R9.1", f"No fish with benefits at the game's end lies on {SLOT_NAMES[slot]}.")


# The agenda: its first step, and what must stand behind it.


_NOTHING_ASKED: Final = Fault(
    "agenda[0]", "R3.3", "The first step asks nothing; it would have been carried out."
)


def _agenda_faults(state: GameState) -> Faults:
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
        faults.append(
            Fault("agenda[0]", "R3.3", "The first step asks nothing; it would have been carried out.")
        )
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
    behind = state.agenda[-2] if len(state.agenda) > 1 else None
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
        yield from _is_within(left, 0, printed, field, "R5.1")
        if is_behind and left != printed:
            yield Fault(field, "R5.1", f"It is not its turn yet, and {printed} must be left of it.")
        if left > getattr(purse, kind):
            yield Fault(field, "R5.6", f"{left} are left to pay, and there are {getattr(purse, kind)}.")
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
    yield from _is_within(step.seat, 0, len(state.players) - 1, f"{field}.seat", "R3.1")
    if len(step.left) != len(all_of(step.source)) or not step.left:
        yield Fault(left_field, "R7.9", "It has one entry for each benefit that the source prints.")
        return
    for index, (left, printed) in enumerate(zip(step.left, all_of(step.source), strict=True)):
        yield from _is_within(left, 0, printed, f"{left_field}[{index}]", "R3.2")
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
