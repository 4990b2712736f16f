"""What must be true of every state of every game, one named function for each sentence.

`INVARIANTS` are cheap enough for every state; `THOROUGH` ones look at every move that can be said (those of
`OF_EVERY_MOVE`) or at every state a move away; those of `WHOLE_GAME` look back over a finished game. A new
part of the game adds its own sentences to these tables, and whoever plays games in tests calls `assert_holds`
and `assert_whole`.
"""

import pickle
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.engine.abilities import Draw, Recover
from service.engine.check import check
from service.engine.decision_texts import decision_text, move_text
from service.engine.digest import full_digest, public_digest
from service.engine.errors import IllegalMove
from service.engine.event_texts import event_text
from service.engine.events import TurnBegan
from service.engine.moves import UNIVERSE, Move, MoveKind, is_sayable, parse_move
from service.engine.reasons import why_not, why_nothing
from service.engine.resolvers import effects_of
from service.engine.rules import (
    DecisionKind,
    Transition,
    apply,
    apply_all,
    decision,
    legal_moves,
    playout,
)
from service.engine.samples import sample
from service.engine.scoring import score_sheet, winners
from service.engine.state import Benefits, GameState, Scattering
from tests import layout, recount
from tests.facts import FORAGE, SITES, SLOTS, cards_of
from tests.fingerprints import fingerprint, mutable_parts
from tests.fold import fold
from tests.games import Moment
from tests.plain import PlainTable, empty_table, happening_of, table_of
from tests.wire import POSITIONS, event_messages, happening_of_message, state_message, table_of_message

Invariant = Callable[[Moment], None]
WholeGame = Callable[[Sequence[Moment]], None]

# Tools: a state to the last field, and another one that should be the same.


@lru_cache(maxsize=2)
def _picture(moment: Moment) -> Hashable:
    """Return the fingerprint that the state of a moment had when it was first asked for."""
    legal_moves(moment.state)
    return fingerprint(moment.state)


@lru_cache(maxsize=2)
def _ids(moment: Moment) -> frozenset[int]:
    return frozenset(map(id, mutable_parts(moment.state)))


@lru_cache(maxsize=2)
def _table(moment: Moment) -> PlainTable:
    """Return the plain table of a moment, not to be changed."""
    return table_of(moment.state)


@lru_cache(maxsize=2)
def _message(moment: Moment) -> pb.GameState:
    """Return the open message of a moment's state, not to be changed."""
    return state_message(moment.state)


def _is_same(twin: GameState, moment: Moment) -> bool:
    """Return whether a state equals a moment's to the last field, its legal moves found by itself."""
    legal_moves(twin)
    return fingerprint(twin) == _picture(moment)


def _shares_nothing(twin: GameState, moment: Moment) -> bool:
    return _ids(moment).isdisjoint(map(id, mutable_parts(twin)))


# The open question.


def _passes_the_check(moment: Moment) -> None:
    assert check(moment.state) == []


def _asks_one_real_question_unless_over(moment: Moment) -> None:
    question, moves = decision(moment.state), legal_moves(moment.state)
    assert (question is None) == moment.state.is_over == (not moves)
    assert question is None or len(moves) > 1
    assert question is None or question.seat in range(moment.setup.players)
    is_scattering = isinstance(moment.state.agenda[-1], Scattering)  # once begun, it is finished (R3.2)
    is_optional = question is not None and question.kind in (DecisionKind.BENEFIT, DecisionKind.GAME_END)
    assert (is_optional and not is_scattering) == any(move.kind is MoveKind.PASS for move in moves)


_MOVE_NAMES: Final = (
    "play",
    "dive",
    "pay_card",
    "pay_egg",
    "pay_young",
    "pay_school",
    "draw",
    "recover",
    "egg",
    "hatch",
    "young",
    "egg_each",
    "move_young",
    "move_school",
    "consume",
    "scatter",
    "coral",
    "buy_coral",
    "activate",
    "pass",
)
"""The kinds of move in the order of the decision protocol."""
_PRICES: Final = ("egg", "young", "card")
"""What a coral is bought with, in the order of the sites."""


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return next(names.index(word) for names in (SITES, SLOTS, _PRICES) if word in names)


def _place_in_order(id_: str) -> tuple[int, tuple[int, ...]]:
    """Return where a move stands in the pinned order, from its name: its kind, then its fields ascending."""
    name, *words = re.split("[:@>]", id_)
    fields = tuple(map(_number, words))
    return _MOVE_NAMES.index(name), fields[::-1] if name == "consume" else fields


def _lists_moves_once_and_in_the_pinned_order(moment: Moment) -> None:
    places = [_place_in_order(move.id) for move in legal_moves(moment.state)]
    assert places == sorted(set(places))


def _names_moves_that_can_be_read_back(moment: Moment) -> None:
    for move in legal_moves(moment.state):
        assert is_sayable(move)
        assert parse_move(move.id) == move


def _finds_the_same_moves_afresh(moment: Moment) -> None:
    assert legal_moves(moment.state.copy()) == legal_moves(moment.state)


def _accepts_every_legal_move(moment: Moment) -> None:
    for move in legal_moves(moment.state):
        following = apply(moment.state, move).state
        assert following.version == moment.state.version + 1
        assert following.is_over or len(legal_moves(following)) > 1


def _says_of_what_is_missing_why(moment: Moment) -> None:
    """R5.6: every hand card without a slot and every kind not offered gets its reason, and nothing else."""
    moves = legal_moves(moment.state)
    missing = [subject for subject, _ in why_nothing(moment.state, moves)]
    kinds = [subject for subject in missing if isinstance(subject, MoveKind)]
    cards = [subject for subject in missing if not isinstance(subject, MoveKind)]
    playable = {move.card for move in moves if move.kind is MoveKind.PLAY_FISH}
    assert kinds == sorted(set(kinds) - {move.kind for move in moves})
    assert cards == sorted(set(cards) - playable)
    question = decision(moment.state)
    if question is not None and question.kind is DecisionKind.TURN:
        assert playable.union(cards) == set(moment.state.players[question.seat].hand)


def _offers_a_draw_exactly_while_there_is_a_card(moment: Moment) -> None:
    """R7.1: in the deck or in any player's discard pile; R7.2: a recover with no own pile is a draw."""
    state = moment.state
    step = state.agenda[-1]
    drawing = 0
    if isinstance(step, Benefits):
        kinds = Draw if state.players[step.seat].discard else Draw | Recover
        group = zip(effects_of(step.source), step.left, strict=True)
        drawing = sum(left for effect, left in group if isinstance(effect, kinds))
    has_cards = bool(state.deck) or any(player.discard for player in state.players)
    assert (drawing > 0 and has_cards) == any(move.kind is MoveKind.DRAW for move in legal_moves(state))


def _speaks_of_everything(moment: Moment) -> None:
    """Everything has a text; a decision's moves are told apart by theirs."""
    assert decision_text(moment.state).endswith(".")
    labels = [move_text(move, moment.state) for move in legal_moves(moment.state)]
    assert len(labels) == len(set(labels))
    assert all(event_text(event, moment.state.names).endswith(".") for event in moment.events)


# Cards and tokens.


def _keeps_what_follows_true(moment: Moment) -> None:
    for player in moment.state.players:
        fish = [slot for slot, card in enumerate(player.fish) if card]
        assert player.occupied == sum(1 << slot for slot in fish)
        assert all(player.under.values())
        assert set(player.under) <= set(fish)
        piles = [player.hand, player.discard, *map(list, player.under.values())]
        assert piles == [sorted(pile) for pile in piles]


def _conserves_cards(moment: Moment) -> None:
    """Every card of the sets in play lies in exactly one place, every printed fish once per ocean."""
    places = Counter([*moment.state.deck, *moment.state.undealt])
    for player in moment.state.players:
        under = [card for cards in player.under.values() for card in cards]
        places.update([*player.hand, *player.discard, *filter(None, player.fish), *under])
    sets = moment.state.options.sets
    cards = Counter([*cards_of(sets, "main"), *cards_of(sets, "starter")])
    assert places == cards + Counter(dict.fromkeys(FORAGE, len(moment.state.players)))


_TOKENS: Final[dict[str, dict[str, int]]] = {
    "EggLaid": {"eggs": 1},
    "EggHatched": {"eggs": -1, "young": 1},
    "EggPaid": {"eggs": -1},
    "YoungPlaced": {"young": 1},
    "YoungPaid": {"young": -1},
    "SchoolFormed": {"young": -3, "schools": 1},
    "SchoolPaid": {"schools": -1},
    "SchoolScattered": {"schools": -1},
    "CoralGained": {"coral": 1},
}
"""What an event adds to its player's tokens; every other event leaves their number alone."""


def _tokens(state: GameState | None, seat: int) -> Counter[str]:
    if state is None:
        return Counter()
    player = state.players[seat]
    return Counter(
        eggs=player.eggs.bit_count(),
        young=sum(player.young),
        schools=player.schools.bit_count(),
        coral=sum(player.reefs),
    )


def _conserves_tokens(moment: Moment) -> None:
    for seat in range(moment.setup.players):
        tokens = _tokens(moment.before, seat)
        for event in moment.events:
            if event.seat == seat:
                tokens.update(_TOKENS.get(type(event).__name__, {}))
        now = _tokens(moment.state, seat)
        assert all(tokens[kind] == now[kind] for kind in ("eggs", "young", "schools", "coral"))


def _keeps_coral(moment: Moment) -> None:
    """R11.1: a reef holds at most six, and none is ever removed; without Sharks & Reefs there is none."""
    most = 6 if moment.state.options.has_reefs else 0
    for seat, player in enumerate(moment.state.players):
        before = moment.before.players[seat].reefs if moment.before else [0] * len(SITES)
        assert all(was <= now <= most for was, now in zip(before, player.reefs, strict=True))


# What a client can know: events and points.


def _table_before(moment: Moment) -> PlainTable:
    if moment.before is not None:
        return table_of(moment.before)
    return empty_table(moment.setup.players, moment.setup.options.side, moment.setup.options.sets)


def _folds_events_to_the_state(moment: Moment) -> None:
    after = fold(_table_before(moment), map(happening_of, moment.events))
    assert after == _table(moment)


def _folds_messages_to_the_state(moment: Moment) -> None:
    """A client keeps up with nothing but the messages that it gets."""
    previous = moment.previous
    table = table_of_message(_message(previous)) if previous else _table_before(moment)
    events = event_messages(Transition(moment.state, moment.events))
    after = table_of_message(_message(moment))
    assert fold(table, map(happening_of_message, events)) == after == _table(moment)
    assert [(event.version, event.number) for event in events] == [
        (moment.state.version, number) for number in range(len(events))
    ]


def _scores_as_recounted(moment: Moment) -> None:
    table = _table(moment)
    scores = [score._asdict() | {"total": score.total} for score in score_sheet(moment.state)]
    assert scores == [recount.score(player) for player in table.players]
    assert list(winners(moment.state)) == recount.winners(table)


def _scores_weeks_and_winners_as_recounted(moment: Moment) -> None:
    """They are told by events between two states, so the table is folded up to there."""
    table = _table_before(moment)
    for happening in map(happening_of, moment.events):
        if happening.kind == "WeekScored":
            gained = recount.week_points(table)[happening.seat or 0]
            assert (happening.facts["points"], happening.facts["most"]) == gained
        if happening.kind == "GameOver":
            assert list(happening.facts["winners"]) == recount.winners(table)
        fold(table, [happening])


# Copies, there and back.


def _shares_nothing_with_the_state_before(moment: Moment) -> None:
    if moment.before is not None:
        assert _shares_nothing(moment.before, moment)


def _copies_whole(moment: Moment) -> None:
    for twin in (moment.state.copy(), pickle.loads(pickle.dumps(moment.state))):  # noqa: S301  our own bytes
        assert _is_same(twin, moment)
        assert _shares_nothing(twin, moment)


def _survives_the_wire(moment: Moment) -> None:
    """Open and sealed, there and back, to the last field."""
    for is_open in (True, False):
        position = POSITIONS.read(state_message(moment.state, is_open=is_open))
        assert position.is_open == is_open
        assert _is_same(position.state, moment)


def _digests_by_the_layout(moment: Moment) -> None:
    assert public_digest(moment.state) == layout.public_digest(_message(moment))
    assert full_digest(moment.state) == layout.full_digest(_message(moment))


INVARIANTS: Final[tuple[Invariant, ...]] = (
    _passes_the_check,
    _asks_one_real_question_unless_over,
    _lists_moves_once_and_in_the_pinned_order,
    _names_moves_that_can_be_read_back,
    _finds_the_same_moves_afresh,
    _accepts_every_legal_move,
    _says_of_what_is_missing_why,
    _offers_a_draw_exactly_while_there_is_a_card,
    _speaks_of_everything,
    _keeps_what_follows_true,
    _conserves_cards,
    _conserves_tokens,
    _keeps_coral,
    _folds_events_to_the_state,
    _folds_messages_to_the_state,
    _scores_as_recounted,
    _scores_weeks_and_winners_as_recounted,
    _shares_nothing_with_the_state_before,
    _copies_whole,
    _survives_the_wire,
    _digests_by_the_layout,
)

# What costs more.


def _has_a_reason_exactly_for_what_is_not_legal(moment: Moment) -> None:
    reasonless = tuple(move for move in UNIVERSE if why_not(moment.state, move) is None)
    assert reasonless == legal_moves(moment.state)


def _refuses_what_is_not_legal(moment: Moment) -> None:
    legal = set(legal_moves(moment.state))
    for move in UNIVERSE[moment.state.version % 97 :: 97]:
        assert move in legal or _is_refused(moment.state, move)


def _is_refused(state: GameState, move: Move) -> bool:
    try:
        apply(state, move)
    except IllegalMove as error:
        return error.refusal == why_not(state, move)
    return False


def _leads_only_to_states_that_pass_the_check(moment: Moment) -> None:
    for move in legal_moves(moment.state):
        assert check(apply(moment.state, move).state) == [], move.id


def _samples_the_same_public_facts(moment: Moment) -> None:
    drawn = sample(moment.state, "a sample", moment.state.version)
    assert check(drawn) == []
    assert public_digest(drawn) == public_digest(moment.state)
    assert _shares_nothing(drawn, moment)


OF_EVERY_MOVE: Final[tuple[Invariant, ...]] = (_has_a_reason_exactly_for_what_is_not_legal,)
THOROUGH: Final[tuple[Invariant, ...]] = (
    *OF_EVERY_MOVE,
    _refuses_what_is_not_legal,
    _leads_only_to_states_that_pass_the_check,
    _samples_the_same_public_facts,
)

# A finished game.


def _replays_to_the_same_digests(game: Sequence[Moment]) -> None:
    state = game[0].setup.begin().state
    for moment in game[1:]:
        assert full_digest(state) == full_digest(moment.before or state)
        assert moment.move is not None
        state = apply(state, parse_move(moment.move.id)).state
    assert full_digest(state) == full_digest(game[-1].state)


def _plays_in_place_as_with_copies(game: Sequence[Moment]) -> None:
    moves = game[-1].moves
    end = playout(game[0].state, lambda state, _moves: moves[state.version])
    assert _is_same(end, game[-1])


def _plays_in_a_row_as_one_by_one(game: Sequence[Moment]) -> None:
    transitions = list(apply_all(game[0].state, game[-1].moves))
    for transition, moment in zip(transitions, game[1:], strict=True):
        assert transition is not None
        assert transition.events == moment.events
        assert _is_same(transition.state, moment)


def _gives_every_player_all_turns_clockwise(game: Sequence[Moment]) -> None:
    """R3.1, R8.1: 4 weeks of 6 turns, clockwise from the token, which passes clockwise."""
    players, first = game[0].setup.players, game[0].state.first_player
    began = [event for moment in game for event in moment.events if isinstance(event, TurnBegan)]
    assert [(event.week, event.turn, event.seat) for event in began] == [
        (week, turn, (first + week - 1 + place) % players)
        for week in range(1, 5)
        for turn in range(1, 7)
        for place in range(players)
    ]


def _is_over_at_last(game: Sequence[Moment]) -> None:
    assert [moment.state.is_over for moment in game] == [False] * (len(game) - 1) + [True]


def _never_comes_to_the_same_state_twice(game: Sequence[Moment]) -> None:
    """So every game ends, and a digest names one moment of it."""
    assert len({public_digest(moment.state) for moment in game}) == len(game)


WHOLE_GAME: Final[tuple[WholeGame, ...]] = (
    _replays_to_the_same_digests,
    _plays_in_place_as_with_copies,
    _plays_in_a_row_as_one_by_one,
    _gives_every_player_all_turns_clockwise,
    _is_over_at_last,
    _never_comes_to_the_same_state_twice,
)


def assert_holds(moment: Moment, invariants: Iterable[Invariant] = INVARIANTS) -> None:
    """Assert each invariant, and that asking all of them left the state untouched to the last field."""
    untouched = _picture(moment)
    try:
        for invariant in invariants:
            invariant(moment)
        assert fingerprint(moment.state) == untouched
    except Exception as error:
        error.add_note(moment.record)
        raise


def assert_whole(game: Sequence[Moment]) -> None:
    """Assert everything that is true of a finished game."""
    try:
        for invariant in WHOLE_GAME:
            invariant(game)
    except Exception as error:
        error.add_note(game[-1].record)
        raise
