"""How decisions and moves read in English."""

from collections.abc import Sequence

import pytest

from service.engine.cards import REEF_STOP
from service.engine.decision_texts import decision_text, move_text
from service.engine.event_texts import event_text
from service.engine.events import BonusSource, FishSource, GroupSource
from service.engine.moves import UNIVERSE, MoveKind, parse_move
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.rules import decision, legal_moves
from service.engine.state import Benefits, Frame, GameState, Scattering
from tests.sentences import is_label, is_sentence
from tests.table import START_OCEAN, Ocean, play, situation

B4, G2, G4, P1, P3 = (SLOTS_BY_NAME[name] for name in ("B4", "G2", "G4", "P1", "P3"))
WHITE_SHARK, ROUGHY, BLUEFIN, SNIPE_EEL, COELACANTH = 57, 132, 7, 108, 211
SEAROBIN, HAMMERHEAD, LANTERNSHARK, GROUPER, MAKO, ROUGHSHARK = 138, 162, 207, 172, 191, 137
SUNLIGHT = 0
SITTING = ("", "Ann")
"""Seat 0 has no name."""


def benefits(
    seat: int,
    source: GroupSource,
    *left: int,
    oceans: Sequence[Ocean] = (START_OCEAN, START_OCEAN),
    discards: Sequence[Sequence[int]] = (),
) -> GameState:
    """Return a situation in which so much of a group of benefits is open to ``seat``."""
    state = situation(oceans=oceans, discards=discards, valid=False)
    state.names = SITTING
    state.agenda = [Frame.END_TURN, Benefits(seat, source, left)]
    return state


def game_end() -> GameState:
    return situation(week=4, turn=6, frame=Frame.GAME_END, valid=False)


# Moves.

MOVES = [
    ("play:95@P3", "Play Red Lionfish on P3"),
    ("dive:blue", "Dive in the blue site"),
    ("pay_card:126", "Pay Barreleye from hand"),
    ("pay_egg:G2", "Pay the egg on G2"),
    ("pay_young:P3", "Pay a young on P3"),
    ("pay_school:B1", "Pay the school on B1"),
    ("draw", "Draw a card"),
    ("recover:126", "Recover Barreleye from your discard pile"),
    ("egg:P4", "Lay an egg on P4"),
    ("egg_each", "Lay an egg on each of your fish that have the predator tag and no egg"),
    ("hatch:G2", "Hatch the egg on G2"),
    ("young:P1", "Put a young on P1"),
    ("move_young:B1>P1", "Move a young from B1 to P1"),
    ("move_school:B1>B4", "Move the school from B1 to B4"),
    ("consume:126@P3", "Let Great White Shark on P3 consume Barreleye"),
    ("scatter:B1", "Scatter the school on B1"),
    ("coral:blue", "Put a coral into the blue reef"),
    ("buy_coral:egg:G2", "Buy a blue coral for the egg on G2"),
    ("buy_coral:young:P3", "Buy a purple coral for a young on P3"),
    ("buy_coral:card:126", "Buy a green coral for Barreleye from hand"),
    ("activate:P3", "Use the game-end ability of Great White Shark on P3"),
    ("pass", "Decline the ability of Great White Shark on P3"),
]


@pytest.fixture(scope="module")
def shark_open() -> GameState:
    """The first player's shark on P3 asks the first player."""
    return benefits(0, FishSource(0, P3, WHITE_SHARK), 1, oceans=[{"P3": "57"}, {}])


@pytest.mark.parametrize(("id_", "text"), MOVES)
def test_moves(shark_open: GameState, id_: str, text: str) -> None:
    assert move_text(parse_move(id_), shark_open) == text


def test_every_kind_of_move_is_in_the_table_above() -> None:
    assert {parse_move(id_).kind for id_, _ in MOVES} == set(MoveKind)


@pytest.mark.parametrize("state", [situation(), game_end()], ids=["turn", "game end"])
def test_a_move_has_a_text_wherever_it_is_named(state: GameState, shark_open: GameState) -> None:
    """A caller may ask why a move is not legal, so also moves that make no sense are named."""
    for move in UNIVERSE:
        assert is_label(move_text(move, state))
        assert is_label(move_text(move, shark_open))


def test_the_decider_sees_the_own_ocean() -> None:
    state = benefits(1, FishSource(0, G4, SNIPE_EEL), 1, oceans=[{"G4": "108"}, {"P3": "99"}])
    assert move_text(parse_move("consume:95@P3"), state) == "Let Sargassum Fish on P3 consume Red Lionfish"


@pytest.mark.parametrize(
    ("seat", "source", "left", "text"),
    [
        (0, BonusSource(1, SUNLIGHT), [1], "Decline the Sunlight bonus of the purple site"),
        (0, BonusSource(0, REEF_STOP), [1], "Buy no coral"),
        (0, FishSource(0, P3, ROUGHY), [3, 1], "Decline the ability of Orange Roughy on P3"),
        (0, FishSource(0, P3, ROUGHY), [3, 0], "Decline the rest of the ability of Orange Roughy on P3"),
        (1, FishSource(0, G4, SNIPE_EEL), [1], "Decline the ability of Player 1's Snipe Eel on G4"),
        (
            1,
            FishSource(0, G2, HAMMERHEAD),
            [0, 1],
            "Decline the rest of the ability of Player 1's Great Hammerhead on G2",
        ),
        (
            0,
            FishSource(0, B4, SEAROBIN),
            [1],
            "Decline the first part of the ability of Armored Searobin on B4",
        ),
        (
            0,
            FishSource(0, B4, SEAROBIN, is_also=True),
            [1],
            "Decline the second part of the ability of Armored Searobin on B4",
        ),
    ],
)
def test_a_pass_says_what_is_declined(seat: int, source: GroupSource, left: list[int], text: str) -> None:
    """It is the rest only if something was used before (R3.2)."""
    assert move_text(parse_move("pass"), benefits(seat, source, *left)) == text


def test_passing_the_game_end_is_for_good() -> None:  # R9.1
    assert move_text(parse_move("pass"), game_end()) == "Use no game-end ability from now on"


# Decisions.


def test_a_turn_is_asked_with_its_place_in_the_week() -> None:  # R3.1
    state = situation(week=2, turn=3)
    assert decision_text(state) == "Player 1: play a fish or dive (week 2, turn 3)."


def test_a_payment_is_asked_with_all_that_is_left_of_it() -> None:  # R5.1
    ocean = {"B5": "303 e", "G2": "301 e", "P4": "302 e", "B1": "95 e", "P3": "2y"}
    state = situation(oceans=[ocean, {}], hands=[[BLUEFIN, ROUGHY]])
    state = play(state, "play:7@P1").state
    assert decision_text(state) == "Player 1: pay 2 eggs and 1 young for Atlantic Bluefin Tuna on P1."
    state = play(state, "pay_egg:B1").state
    assert decision_text(state) == "Player 1: pay 1 more egg and 1 young for Atlantic Bluefin Tuna on P1."


@pytest.mark.parametrize(
    ("paid", "text"),
    [
        ([], "pay 1 card and 1 egg for Cownose Ray on P1."),
        (["pay_card:132"], "pay 1 egg for Cownose Ray on P1."),
    ],
)
def test_nothing_more_is_asked_of_a_kind_of_which_nothing_is_paid(paid: list[str], text: str) -> None:
    state = situation(hands=[[33, ROUGHY, BLUEFIN]])
    state = play(state, "play:33@P1", *paid).state
    assert decision_text(state) == f"Player 1: {text}"


@pytest.mark.parametrize(
    ("seat", "source", "left", "text"),
    [
        (0, BonusSource(1, SUNLIGHT), [1], "with the Sunlight bonus of the purple site you may lay 1 egg."),
        (0, FishSource(0, G4, 126), [1], "with Barreleye on G4 you may hatch 1 egg."),
        (1, FishSource(0, G4, SNIPE_EEL), [1], "with Player 1's Snipe Eel on G4 you may lay 1 egg."),
        (0, FishSource(0, P3, ROUGHY), [2, 0], "with Orange Roughy on P3 you may draw 2 cards."),
        (
            0,
            FishSource(0, P3, ROUGHY),
            [1, 1],
            "with Orange Roughy on P3 you may draw 1 card and recover 1 card from your discard pile.",
        ),
        (0, BonusSource(0, REEF_STOP), [1], "at the blue reef you may buy 1 coral for 1 egg."),
        (0, BonusSource(2, REEF_STOP), [1], "at the green reef you may buy 1 coral for 1 card from hand."),
        (
            0,
            FishSource(0, B4, SEAROBIN),
            [1],
            "with Armored Searobin on B4 you may recover 1 card from your discard pile.",
        ),
        (
            0,
            FishSource(0, B4, SEAROBIN, is_also=True),
            [1],
            "with Armored Searobin on B4 you may draw 1 card.",
        ),
        (
            1,
            FishSource(0, G2, HAMMERHEAD),
            [1, 1],
            (
                "with Player 1's Great Hammerhead on G2 you may scatter 1 school and let any one of your fish"
                " cards consume 1 shorter card from hand."
            ),
        ),
        (
            0,
            FishSource(0, P1, MAKO),
            [2],
            (
                "with Shortfin Mako on P1 you may let any one of your fish cards consume 1 shorter card from"
                " hand 2 times (any of them each time)."
            ),
        ),
        (
            0,
            FishSource(0, P1, GROUPER),
            [1, 0, 1],
            "with Malabar Grouper on P1 you may gain 1 blue and 1 green coral.",
        ),
        (
            0,
            FishSource(0, P1, ROUGHSHARK),
            [2, 1],
            (
                "with Angular Roughshark on P1 you may move a young or a school 2 times (any one each time)"
                " and scatter 1 school."
            ),
        ),
    ],
)
def test_benefits_are_asked_with_their_source_and_what_is_left(
    seat: int, source: GroupSource, left: list[int], text: str
) -> None:  # R3.2
    state = benefits(seat, source, *left, oceans=[{"B1": "s"}] * 2, discards=[[BLUEFIN], [BLUEFIN]])
    assert decision_text(state) == f"{('Player 1', 'Ann')[seat]}: {text}"


@pytest.mark.parametrize(
    ("schools", "left", "text"),
    [
        (["B1", "P1"], 2, "scatter 2 schools."),
        (["B1"], 2, "scatter 2 schools (once you have none, put 1 young instead)."),
        (["B1"], 1, "scatter 1 school."),
        ([], 2, "put 2 young, each on any slot (you have no school to scatter)."),
        ([], 1, "put 1 young on any slot (you have no school to scatter)."),
    ],
)
def test_without_a_school_a_young_is_offered(schools: list[str], left: int, text: str) -> None:
    """R7.5. Only the decider's own schools count."""
    oceans = [dict.fromkeys(schools, "s"), {"G6": "s"}]
    state = benefits(0, FishSource(0, G2, LANTERNSHARK), left, oceans=oceans)
    assert decision_text(state) == f"Player 1: with Velvet Belly Lanternshark on G2 you may {text}"


@pytest.mark.parametrize(
    ("pile", "left", "text"),
    [
        ([7, 95], 2, "recover 2 cards from your discard pile."),
        ([7], 2, "recover 2 cards from your discard pile (once it is empty, draw instead)."),
        ([7], 1, "recover 1 card from your discard pile."),
        ([], 2, "draw 2 cards (your discard pile has none to recover)."),
        ([], 1, "draw 1 card (your discard pile has none to recover)."),
    ],
)
def test_without_a_discard_pile_a_draw_is_offered(pile: list[int], left: int, text: str) -> None:
    """R7.2. Only the decider's own discard pile counts."""
    state = benefits(0, FishSource(0, G2, COELACANTH), left, discards=[pile, [57]])
    assert decision_text(state) == f"Player 1: with African Coelacanth on G2 you may {text}"


@pytest.mark.parametrize(
    ("used", "text"),
    [
        ((), "Ann: put the 4 young of the scattered school, each on a different slot."),
        ((B4,), "Ann: put 3 more young of the scattered school, each on another slot."),
        ((B4, G2), "Ann: put 2 more young of the scattered school, each on another slot."),
        ((B4, G2, P1), "Ann: put the last young of the scattered school on another slot."),
    ],
)
def test_a_scatter_is_asked_with_what_is_left_of_it(used: tuple[int, ...], text: str) -> None:  # R7.5
    state = benefits(1, FishSource(0, G2, HAMMERHEAD), 0, 1)
    state.agenda.append(Scattering(1, FishSource(0, G2, HAMMERHEAD), sum(1 << slot for slot in used)))
    assert decision_text(state) == text
    assert move_text(parse_move("young:P3"), state) == "Put a young on P3"


def test_the_game_end_is_asked() -> None:  # R9.1
    assert decision_text(game_end()) == "Player 1: use a game-end ability, or stop."


def test_nothing_is_asked_when_the_game_is_over() -> None:  # R9.3
    assert decision_text(situation(week=4, turn=6, frame=Frame.GAME_OVER, valid=False)) == "The game is over."


# All that is said in a game.


@pytest.mark.parametrize("reefs", [None, ()], ids=["base game", "Sharks & Reefs"])
def test_a_whole_game_can_be_told(reefs: Sequence[Sequence[int]] | None) -> None:
    state = situation(hands=[[2, 95, 132], [7, 96, 131]], reefs=reefs)
    while decision(state) is not None:
        moves = legal_moves(state)
        assert is_sentence(decision_text(state))
        assert all(is_label(move_text(move, state)) for move in moves)
        state, events = play(state, moves[state.version % len(moves)].id)
        assert all(is_sentence(event_text(event, state.names)) for event in events)
    assert state.is_over
