"""The run of a game from decision to decision: `new_game`, `decision`, `legal_moves`, `apply`.

To every caller these are pure functions: a state goes in and is left untouched. Inside, `apply` copies it
once and the verbs change that private copy. The agenda says what happens next; its first step is the open
decision, and after a move the engine runs on by itself until the next step that asks something.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Any, Final, NamedTuple

from service.engine.cards import (
    DEEP_STOP,
    NEXT_STOP,
    REEF_STOP,
    ROW_OF_STOP,
    STOPS,
    STOPS_FROM,
    ZONE_OF_STOP,
)
from service.engine.errors import IllegalMove
from service.engine.events import (
    BenefitsDeclined,
    BonusGained,
    BonusSource,
    DiverPlaced,
    Event,
    FishSource,
    GameEndBegan,
    GameOver,
    RuleSource,
    Source,
    TurnBegan,
    WeekBegan,
    WeekScored,
)
from service.engine.moves import ACTIVATE_FISH, DIVE, PASS, Move, MoveKind
from service.engine.ocean import ROW_COUNT, SITE_SLOTS, ZONE_SLOTS, slots_in
from service.engine.plays import (
    PAYMENTS,
    affordable_plays,
    begin_play,
    kind_due,
    pay_unit,
    payments,
    payments_to_choose,
    units_paid_unasked,
)
from service.engine.reasons import why_not
from service.engine.resolvers import (
    all_of,
    begin_ability,
    can_begin_game_end,
    group_choices,
    open_also_if,
    open_part,
    place_fish,
    put_scattered,
    slots_to_scatter_to,
    take_benefit,
)
from service.engine.scoring import week_points, winners
from service.engine.setup import set_up
from service.engine.state import (
    BASE_GAME,
    TURNS,
    WEEKS,
    AllPlayers,
    AlsoIf,
    Benefits,
    DiveOn,
    Frame,
    GameState,
    Options,
    Pay,
    Scattering,
    Step,
    Table,
)

RULES_VERSION: Final = "1"
"""Changes whenever rules, data, legal lists or results do."""


_A_TURN: Final = RuleSource("R3.1")
_A_WEEK: Final = RuleSource("R8.1")
_GAME_END: Final = RuleSource("R9.1")


class DecisionKind(IntEnum):
    """The kinds of decision (the decision protocol)."""

    TURN = 1
    PAY = 2
    BENEFIT = 3
    GAME_END = 4


class Decision(NamedTuple):
    """The one open question: who decides, what kind it is, what it comes from."""

    seat: int
    kind: DecisionKind
    source: Source


class Transition(NamedTuple):
    """The state after a move, and what happened on the way."""

    state: GameState
    events: tuple[Event, ...]


StepKind = Frame | type[Step]
"""What decides how a step is treated: its type, of a frame itself."""


def _kind_of(step: Step) -> StepKind:
    return step if type(step) is Frame else type(step)


# What may be chosen at a step. A step that offers nothing asks nothing: the engine runs on.


def game_end_slots(state: GameState) -> list[int]:
    """Return the slots of the seat's fish whose game-end ability can be begun (R9.1), ascending."""
    player = state.players[state.seat]
    return [
        slot
        for slot in slots_in(player.occupied & ~player.activated)
        if can_begin_game_end(state, FishSource(state.seat, slot, player.fish[slot]))
    ]


def _turn_choices(state: GameState, _frame: Frame) -> list[Move]:
    return [*affordable_plays(state.players[state.seat]), *DIVE]


def _game_end_choices(state: GameState, _frame: Frame) -> list[Move]:
    moves = [ACTIVATE_FISH[slot] for slot in game_end_slots(state)]
    return [*moves, PASS] if moves else []


def _pay_choices(state: GameState, pay: Pay) -> list[Move]:
    return payments_to_choose(state.players[state.seat], pay)


def _benefit_choices(state: GameState, step: Benefits) -> list[Move]:
    moves = group_choices(state, step)
    return [*moves, PASS] if moves else []


def _scattering_choices(_state: GameState, step: Scattering) -> list[Move]:
    return slots_to_scatter_to(step)


_CHOICES: Final[dict[StepKind, Callable[[GameState, Any], list[Move]]]] = {
    Frame.TURN: _turn_choices,
    Frame.GAME_END: _game_end_choices,
    Pay: _pay_choices,
    Benefits: _benefit_choices,
    Scattering: _scattering_choices,
}


def choices(state: GameState) -> tuple[Move, ...]:
    """Return the moves that the next step offers, none if it asks nothing."""
    step = state.agenda[-1]
    offer = _CHOICES.get(_kind_of(step))
    return tuple(offer(state, step)) if offer is not None else ()


# How a step that asks nothing is carried out.


def _begin_turn(table: Table) -> None:
    state = table.state
    state.agenda[0] = Frame.TURN
    table.events.append(TurnBegan(state.seat, _A_TURN, state.week, state.turn))


def _begin_game_end(table: Table) -> None:
    state = table.state
    state.agenda[0] = Frame.GAME_END
    table.events.append(GameEndBegan(state.seat, _GAME_END))


def _score_week(table: Table) -> None:
    """Score the week's achievement for everybody (R8.1)."""
    state = table.state
    gains = week_points(state)
    for seat in state.seats_from(state.first_player):
        state.players[seat].gained.append(gains[seat])
        scored = WeekScored(seat, _A_WEEK, state.week, state.tiles[state.week - 1], *gains[seat])
        table.events.append(scored)


def _begin_week(table: Table) -> None:
    """Bring the divers home and pass the first-player token (R8.1)."""
    state = table.state
    for player in state.players:
        player.deep_used = 0
    state.week += 1
    state.turn = 1
    state.seat = state.first_player = (state.first_player + 1) % len(state.players)
    table.events.append(WeekBegan(None, _A_WEEK, state.week, state.first_player))


def _end_week(table: Table) -> None:
    if table.state.week == WEEKS:
        _begin_game_end(table)
    else:
        _score_week(table)
        _begin_week(table)
        _begin_turn(table)


def _end_turn(table: Table, _frame: Frame) -> None:
    """Go on to the next player, turn or week (R3.1)."""
    state = table.state
    state.seat = (state.seat + 1) % len(state.players)
    if state.seat == state.first_player and state.turn == TURNS:
        _end_week(table)
        return
    state.turn += state.seat == state.first_player
    _begin_turn(table)


def _end_game_end(table: Table, _frame: Frame) -> None:
    """Go on to the next player's game end; after the last the game is over (R9.1, RU13)."""
    state = table.state
    state.seat = (state.seat + 1) % len(state.players)
    if state.seat == state.first_player:
        state.agenda[0] = Frame.GAME_OVER
        table.events.append(GameOver(None, RuleSource("R9.3"), winners(state)))
    else:
        _begin_game_end(table)


def _carry_on_pay(table: Table, pay: Pay) -> None:
    """Pay the next unit without asking, or put the card down when all is paid (R5.1, R5.5)."""
    state = table.state
    kind = kind_due(pay)
    if kind is not None:
        pay_unit(table, pay, payments(state.players[state.seat], pay, kind)[0])
        return
    state.agenda.pop()
    place_fish(table, state.seat, pay.card, pay.slot)


def _close_group(table: Table, _step: Benefits) -> None:
    table.state.agenda.pop()


def _carry_on_dive(table: Table, step: DiveOn) -> None:
    """Go down to the next stop that gives something, and leave the way from there for later (R6.1)."""
    agenda, has_reefs = table.state.agenda, table.state.options.has_reefs
    agenda.pop()
    for stop in STOPS_FROM[has_reefs][step.stop]:
        opened = _VISITS[stop](table, step.site, stop)
        if opened:
            following = NEXT_STOP[has_reefs].get(stop)
            agenda += opened if following is None else (DiveOn(step.site, following), *opened)
            return


def _gain_bonus(table: Table, site: int, stop: int) -> tuple[Step, ...]:
    seat = table.state.seat
    source = BonusSource(site, stop)
    table.events.append(BonusGained(seat, source))
    return (Benefits(seat, source, all_of(source)),)


def _visit_zone(table: Table, site: int, stop: int) -> tuple[Step, ...]:
    """Gain a zone's bonus if a visible fish of the site lies in it (R6.2)."""
    zone = ZONE_SLOTS[ZONE_OF_STOP[stop]] & SITE_SLOTS[site]
    return _gain_bonus(table, site, stop) if table.state.players[table.state.seat].occupied & zone else ()


def _visit_reef(table: Table, site: int, stop: int) -> tuple[Step, ...]:
    """Offer the reef purchase, once a dive (R11.2)."""
    source = BonusSource(site, stop)
    return (Benefits(table.state.seat, source, all_of(source)),)


def _visit_bottom(table: Table, site: int, stop: int) -> tuple[Step, ...]:
    """Gain the deep bonus, once a week; it is used up on arrival (R6.3)."""
    player = table.state.players[table.state.seat]
    if player.deep_used >> site & 1:
        return ()
    player.deep_used |= 1 << site
    return _gain_bonus(table, site, stop)


def _visit_fish(table: Table, site: int, stop: int) -> tuple[Step, ...]:
    """Activate the visible fish of a row (R6.2)."""
    return begin_ability(table, table.state.seat, site * ROW_COUNT + ROW_OF_STOP[stop], "if_activated")


_VISITS: Final[dict[int, Callable[[Table, int, int], tuple[Step, ...]]]] = {
    **dict.fromkeys(ZONE_OF_STOP, _visit_zone),
    **dict.fromkeys(ROW_OF_STOP, _visit_fish),
    REEF_STOP: _visit_reef,
    DEEP_STOP: _visit_bottom,
}
"""What a diver finds at each stop (R6.1)."""

_CARRY_ON: Final[dict[StepKind, Callable[[Table, Any], None]]] = {
    Frame.END_TURN: _end_turn,
    Frame.GAME_END: _end_game_end,
    Pay: _carry_on_pay,
    Benefits: _close_group,
    AllPlayers: open_part,
    AlsoIf: open_also_if,
    DiveOn: _carry_on_dive,
}


def _run(table: Table) -> None:
    """Carry out every step that asks nothing, up to the next decision or the end."""
    state = table.state
    moves: list[Move] = []
    while not moves and (kind := _kind_of(step := state.agenda[-1])) is not Frame.GAME_OVER:
        moves = _CHOICES[kind](state, step) if kind in _CHOICES else []
        if not moves:
            _CARRY_ON[kind](table, step)
    state.known_moves = tuple(moves)


# How a move answers the step that asked.


def _answer_turn(table: Table, _frame: Frame, move: Move) -> None:
    """Place a diver (R3.1, R3.4), to play a fish or to dive."""
    state = table.state
    state.agenda[0] = Frame.END_TURN
    if move.kind is MoveKind.DIVE:
        table.events.append(DiverPlaced(state.seat, table.source, move.site))
        state.agenda.append(DiveOn(move.site, STOPS[0]))
    else:
        table.events.append(DiverPlaced(state.seat, table.source, None))
        begin_play(table, move.card, move.to)


def _answer_game_end(table: Table, frame: Frame, move: Move) -> None:
    """Begin a game-end ability, which is then used, or be done for good (R9.1)."""
    state = table.state
    if move == PASS:
        table.events.append(BenefitsDeclined(state.seat, _GAME_END))
        _end_game_end(table, frame)
        return
    state.players[state.seat].activated |= 1 << move.slot
    state.agenda.extend(begin_ability(table, state.seat, move.slot, "game_end"))


def _answer_benefits(table: Table, step: Benefits, move: Move) -> None:
    if move == PASS:
        table.state.agenda.pop()
        is_rest = step.left != all_of(step.source)
        table.events.append(BenefitsDeclined(step.seat, step.source, is_rest))
    else:
        take_benefit(table, step, move)


_ANSWERS: Final[dict[StepKind, Callable[[Table, Any, Move], None]]] = {
    Frame.TURN: _answer_turn,
    Frame.GAME_END: _answer_game_end,
    Pay: pay_unit,
    Benefits: _answer_benefits,
    Scattering: put_scattered,
}


def _make(table: Table, move: Move) -> None:
    """Carry a legal move out on the table's own state, and run on to the next decision."""
    state = table.state
    step = state.agenda[-1]
    table.source = _A_TURN
    _ANSWERS[_kind_of(step)](table, step, move)
    state.version += 1
    _run(table)


# The public face.


def new_game(
    players: int = 2, options: Options = BASE_GAME, *, seed: str, names: tuple[str, ...] = ()
) -> Transition:
    """Set up a game (R2); a pure function of its arguments.

    Args:
        players: how many, 1 to 5.
        options: what to play with.
        seed: 1 to 64 characters; whoever knows it knows the deck.
        names: display names by seat, or none.

    Raises:
        BadOptions: with all that is wrong.

    """
    table = set_up(players, options, seed, names)
    _begin_turn(table)
    _run(table)
    return Transition(table.state, tuple(table.events))


def legal_moves(state: GameState) -> tuple[Move, ...]:
    """Return exactly the moves that `apply` accepts, in their fixed order; none when the game is over."""
    if state.known_moves is None:
        state.known_moves = choices(state)
    return state.known_moves


_FRAME_DECISIONS: Final = {
    Frame.TURN: (DecisionKind.TURN, _A_TURN),
    Frame.GAME_END: (DecisionKind.GAME_END, _GAME_END),
}


def decision(state: GameState) -> Decision | None:
    """Return the open decision, None when the game is over."""
    step = state.agenda[-1]
    if isinstance(step, Pay):
        return Decision(state.seat, DecisionKind.PAY, FishSource(state.seat, step.slot, step.card))
    if isinstance(step, Benefits | Scattering):
        return Decision(step.seat, DecisionKind.BENEFIT, step.source)
    if isinstance(step, Frame) and step in _FRAME_DECISIONS:
        return Decision(state.seat, *_FRAME_DECISIONS[step])
    return None


def apply(state: GameState, move: Move) -> Transition:
    """Return the state after a move and what happened; the state given is left untouched.

    Raises:
        IllegalMove: the move is not among the legal ones; nothing changes.

    """
    if move not in legal_moves(state):
        refusal = why_not(state, move)
        assert refusal is not None  # noqa: S101  what is not legal has a reason: tested over all moves
        raise IllegalMove(move.id, refusal)
    table = Table(state.copy(), _A_TURN)
    _make(table, move)
    return Transition(table.state, tuple(table.events))


def apply_all(state: GameState, moves: Iterable[Move]) -> Iterator[Transition | None]:
    """Carry out moves in a row, so that a whole composed play can be given at once.

    Each move is carried out when its transition is asked for: who wants all or nothing asks for all.

    A payment that names a unit which has just been paid without asking is passed over: each such unit takes
    up at most one move, only before the next move that is no payment, and yields None.

    Raises:
        IllegalMove: with the index of the first move that is not legal.

    """
    unasked: list[Move] = []
    for index, move in enumerate(moves):
        if move in unasked and move not in legal_moves(state):
            unasked.remove(move)
            yield None
            continue
        try:
            transition = apply(state, move)
        except IllegalMove as error:
            raise IllegalMove(error.move_id, error.refusal, index) from None
        unasked = units_paid_unasked(move, transition.events) + (unasked if move.kind in PAYMENTS else [])
        state = transition.state
        yield transition


def playout(state: GameState, choose: Callable[[GameState, tuple[Move, ...]], Move]) -> GameState:
    """Play a copy of a game to its end and return it; the state given is left untouched.

    ``choose`` gets the state, which it must not change or keep, and its legal moves, and returns one of them.
    """
    moves = legal_moves(state)
    table = Table(state.copy(), _A_TURN)
    while moves:
        move = choose(table.state, moves)
        if move not in moves:
            raise ValueError(f"{move.id} is not among the moves offered")
        _make(table, move)
        table.events.clear()
        moves = legal_moves(table.state)
    return table.state
