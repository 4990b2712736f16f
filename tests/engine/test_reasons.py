"""A refusal names what a person at the table would name first: the rule that forbids the move, and why."""

import pytest

from service.engine.cards import CARDS
from service.engine.conditions import CONDITIONS
from service.engine.moves import parse_move
from service.engine.reasons import why_not
from service.engine.state import Frame, GameState
from tests.marks import rule
from tests.table import START_OCEAN, Ocean, deciding, dive_to, just_played, play, situation

Reefs = tuple[int, int, int]
Answers = dict[str, tuple[str, str]]
"""Moves with the rule and the sentence that refuse them; a move that is legal has empty ones."""

LEGAL = ("", "")


def answers(state: GameState, *moves: str) -> Answers:
    return {move: why_not(state, parse_move(move)) or LEGAL for move in moves}


def at_game_end(ocean: Ocean, *, hand: tuple[int, ...] = (), reefs: Reefs | None = None) -> GameState:
    return situation(
        oceans=[ocean, {}],
        hands=[hand],
        reefs=None if reefs is None else [reefs],
        week=4,
        turn=6,
        frame=Frame.GAME_END,
    )


# Several benefits of one kind.


@rule("R7.6", "R3.2")
@pytest.mark.parametrize(
    ("reefs", "taken", "expected"),
    [
        pytest.param(
            (6, 4, 4),
            [],
            {
                "coral:blue": ("R7.6", "The blue reef is full."),
                "coral:purple": LEGAL,
                "coral:green": ("R7.6", "This ability gives no green coral."),
            },
            id="one is full",
        ),
        pytest.param(
            (4, 4, 6),
            ["coral:blue"],
            {
                "coral:blue": (
                    "R3.2",
                    "No blue coral of the ability of Indian Sail-fin Surgeonfish on G1 is left.",
                ),
                "coral:purple": LEGAL,
                "coral:green": ("R7.6", "This ability gives no green coral."),
            },
            id="one is used",
        ),
        pytest.param(
            (4, 4, 6),
            ["coral:purple"],
            {
                "coral:blue": LEGAL,
                "coral:purple": (
                    "R3.2",
                    "No purple coral of the ability of Indian Sail-fin Surgeonfish on G1 is left.",
                ),
            },
            id="the last printed is used",
        ),
    ],
)
def test_of_several_coral_the_one_of_the_colour_answers(
    reefs: Reefs, taken: list[str], expected: Answers
) -> None:
    """Indian Sail-fin Surgeonfish: 1 blue and 1 purple coral."""
    state = situation(oceans=[{"G1": "165"}, {}], reefs=[reefs])
    state = play(dive_to(state, "green", "165@G1"), *taken).state
    assert answers(state, *expected) == expected


@rule("R7.6")
@pytest.mark.parametrize(
    ("card", "full"),
    [("165@G1", 0), ("172@B1", 1), ("181@P1", 2), ("194@G1", 0), ("197@P1", 2), ("199@G1", 0)],
)
def test_of_every_card_with_several_colours_a_full_reef_is_called_full(card: str, full: int) -> None:
    id_, slot = card.split("@")
    reefs = [6 if site == full else 4 for site in range(3)]
    ability = CARDS[int(id_)].ability
    assert ability is not None
    colour = ("blue", "purple", "green")[full]
    refusal = ("R7.6", f"The {colour} reef is full.")
    if ability.trigger == "when_played":
        state = just_played(situation(hands=[(int(id_),)], reefs=[reefs]), card).state
    elif ability.trigger == "if_activated":
        state = dive_to(situation(oceans=[{slot: id_}, {}], reefs=[reefs]), "green", card)
    else:
        state = play(at_game_end({slot: id_}, reefs=(reefs[0], reefs[1], reefs[2])), f"activate:{slot}").state
    assert deciding(state)[1] == card
    assert answers(state, f"coral:{colour}") == {f"coral:{colour}": refusal}


@rule("R3.2", "R7.2")
def test_what_is_used_up_and_what_a_recover_says_of_a_draw() -> None:
    """Atlantic Bluefin Tuna: draw 2, recover 2."""
    state = just_played(situation(hands=[(7,)], discards=[(1, 3, 5, 12)]), "7@B1").state
    no_recover = play(state, "recover:1", "recover:3").state
    assert answers(no_recover, "recover:5", "draw") == {
        "recover:5": ("R3.2", "No card to recover of the ability of Atlantic Bluefin Tuna on B1 is left."),
        "draw": LEGAL,
    }
    no_draw = play(state, "draw", "draw").state
    text = "Your discard pile has cards, so a card is recovered from it, not drawn."
    assert answers(no_draw, "draw") == {"draw": ("R7.2", text)}


@rule("R7.3", "R7.5")
def test_a_young_and_a_scatter_of_one_ability() -> None:
    """Ninja Lanternshark: put 1 young, scatter 1 school."""
    state = just_played(situation(oceans=[{"B1": "s"}, {}], hands=[(176,)], reefs=()), "176@P4").state
    assert answers(state, "young:P1", "scatter:P1") == {
        "young:P1": LEGAL,
        "scatter:P1": ("R7.5", "There is no school on P1 to scatter."),
    }
    text = "You have a school, so one is scattered and no single young is put."
    assert answers(play(state, "young:P1").state, "young:P1") == {"young:P1": ("R7.5", text)}


# What belongs to another kind of decision.

WITH_BLUEFIN = "use or decline what the ability of Atlantic Bluefin Tuna on B1 gives."


@rule("R3.1", "R5.1", "R7.3", "R7.6", "R9.1")
def test_while_benefits_are_open() -> None:
    state = just_played(situation(hands=[(7, 95, 12)], discards=[(1, 3)]), "7@B1").state
    expected = {
        "dive:blue": ("R3.1", f"This turn's diver is placed: {WITH_BLUEFIN}"),
        "play:95@B2": ("R3.1", f"This turn's diver is placed: {WITH_BLUEFIN}"),
        "pay_card:12": ("R5.1", "Nothing is being paid for."),
        "pay_egg:B5": ("R5.1", "Nothing is being paid for."),
        "activate:B1": ("R9.1", "Game-end abilities are activated at the end of the game only."),
        "egg:B1": ("R7.3", "The ability of Atlantic Bluefin Tuna on B1 gives no egg."),
        "hatch:B5": ("R7.3", "The ability of Atlantic Bluefin Tuna on B1 gives no hatch."),
        "egg_each": ("R7.3", "The ability of Atlantic Bluefin Tuna on B1 gives no egg on each fish."),
        "move_young:P3>P2": ("R7.3", "The ability of Atlantic Bluefin Tuna on B1 gives no move of a young."),
        "consume:12@B1": ("R7.4", "The ability of Atlantic Bluefin Tuna on B1 gives no card to consume."),
        "scatter:B1": ("R7.5", "The ability of Atlantic Bluefin Tuna on B1 gives no school to scatter."),
        "coral:blue": ("R7.6", "The ability of Atlantic Bluefin Tuna on B1 gives no blue coral."),
        "buy_coral:egg:B5": ("R11.2", "The ability of Atlantic Bluefin Tuna on B1 gives no coral to buy."),
        "pass": LEGAL,
    }
    assert answers(state, *expected) == expected


@rule("R7.1", "R6.4")
def test_while_a_bonus_is_open() -> None:
    state = play(situation(), "dive:green").state
    expected = {
        "draw": ("R7.1", "The Sunlight bonus of the green site gives no card to draw."),
        "dive:blue": (
            "R3.1",
            "This turn's diver is placed: use or decline what the Sunlight bonus of the green site gives.",
        ),
    }
    assert answers(state, *expected) == expected


@rule("R7.3")
def test_an_egg_on_each_is_no_single_egg() -> None:
    """European Flounder lays an egg on each fish of a place."""
    state = just_played(situation(hands=[(42,)]), "42@P1").state
    text = "The ability of European Flounder on P1 gives no single egg."
    assert answers(state, "egg:P1") == {"egg:P1": ("R7.3", text)}


@rule("R3.1", "R7.8")
def test_while_another_players_fish_lets_all_draw() -> None:
    """Longfin Batfish lets all players draw: the second player is not on turn."""
    state = play(situation(oceans=[{"G1": "130"}, {}]), "dive:green", "draw").state
    assert deciding(state) == (1, "130@G1")
    what = "the ability of Player 1's Longfin Batfish on G1"
    assert answers(state, "dive:blue", "egg:B5") == {
        "dive:blue": ("R3.1", f"It is the turn of Player 1: use or decline what {what} gives."),
        "egg:B5": ("R7.3", f"{what.capitalize()[0]}{what[1:]} gives no egg."),
    }


@rule("R9.1")
def test_while_a_game_end_ability_is_open() -> None:
    state = play(at_game_end({"P3": "62", "P2": "125"}, hand=(95, 12)), "activate:P3").state
    instead = "use or decline what the ability of Honeycomb Scaly Dragonfish on P3 gives."
    expected = {
        "dive:blue": ("R9.1", f"It is the end of the game: {instead}"),
        "play:95@B1": ("R9.1", f"It is the end of the game: {instead}"),
        "activate:P2": ("R9.1", f"One game-end ability after the other: {instead}"),
        "pay_card:12": ("R5.1", "Nothing is being paid for."),
    }
    assert answers(state, *expected) == expected


@rule("R3.2", "R7.5", "R3.1", "R5.1")
def test_while_a_school_is_scattered() -> None:
    """Velvet Belly Lanternshark scatters 2."""
    state = just_played(situation(oceans=[{"B1": "s"}, {}], hands=[(207,)], reefs=()), "207@P1").state
    state = play(state, "scatter:B1", "young:B1").state
    expected = {
        "pass": ("R3.2", "A scatter once begun is finished: put its young one by one."),
        "young:B1": ("R7.5", "A young of this school was put on B1 already."),
        "draw": ("R7.5", "A school is being scattered: put its young one by one."),
        "dive:blue": ("R3.1", "This turn's diver is placed: put the young of the scattered school."),
        "pay_card:12": ("R5.1", "Nothing is being paid for."),
        "young:P1": LEGAL,
    }
    assert answers(state, *expected) == expected


# Payments.


@rule("R5.1", "R3.2", "R3.1", "R9.1")
@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        pytest.param(
            [],
            {
                "pay_egg:B5": (
                    "R5.1",
                    "Cards are paid before eggs: 1 card, 1 egg and 1 young are still to pay.",
                ),
                "pay_young:P3": (
                    "R5.1",
                    "Cards are paid before young: 1 card, 1 egg and 1 young are still to pay.",
                ),
                "pay_school:P3": (
                    "R5.1",
                    "Atlantic Sailfish costs no schools: 1 card, 1 egg and 1 young are still to pay.",
                ),
                "pass": (
                    "R3.2",
                    "A cost is never paid in part: 1 card, 1 egg and 1 young are still to pay.",
                ),
                "draw": (
                    "R5.1",
                    "Atlantic Sailfish is being paid for: 1 card, 1 egg and 1 young are still to pay.",
                ),
                "dive:blue": ("R3.1", "This turn's diver is placed: finish paying for Atlantic Sailfish."),
                "play:1@B5": ("R3.1", "This turn's diver is placed: finish paying for Atlantic Sailfish."),
                "activate:B5": ("R9.1", "Game-end abilities are activated at the end of the game only."),
                "pay_card:10": ("R5.1", "Atlantic Sailfish does not pay for itself."),
                "pay_card:95": ("R5.1", "Red Lionfish is not in your hand."),
            },
            id="a card is due",
        ),
        pytest.param(
            ["pay_card:1"],
            {
                "pay_card:3": (
                    "R5.1",
                    "All cards of this cost are paid: 1 egg and 1 young are still to pay.",
                ),
                "pay_young:P3": (
                    "R5.1",
                    "Eggs are paid before young: 1 egg and 1 young are still to pay.",
                ),
                "pay_egg:P4": ("R5.1", "There is no egg on P4 to pay with."),
            },
            id="an egg is due",
        ),
        pytest.param(
            ["pay_card:1", "pay_egg:B5"],
            {"pass": ("R3.2", "A cost is never paid in part: 1 young is still to pay.")},
            id="a young is due",
        ),
    ],
)
def test_while_a_card_is_paid_for(paid: list[str], expected: Answers) -> None:
    """Atlantic Sailfish: a card, an egg, a young."""
    ocean = {**START_OCEAN, "B1": "y"}
    state = play(situation(oceans=[ocean, {}], hands=[(10, 1, 3, 12)]), "play:10@B1", *paid).state
    assert answers(state, *expected) == expected


@rule("R5.1")
@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ((21,), "Black Hagfish costs 3 cards and your hand holds no other."),
        ((21, 1), "Black Hagfish costs 3 cards and your hand holds only 1 other."),
        ((21, 1, 2), "Black Hagfish costs 3 cards and your hand holds only 2 others."),
    ],
)
def test_the_card_that_is_played_is_not_counted(hand: tuple[int, ...], sentence: str) -> None:
    assert answers(situation(hands=[hand]), "play:21@B1") == {"play:21@B1": ("R5.1", sentence)}


# Plays as a benefit.


@rule("R5.7", "R5.8", "R11.5")
@pytest.mark.parametrize(
    ("played", "move", "expected"),
    [
        ("95@B1", "play:44@P6", ("R5.7", "Faceless Cusk is not in your hand.")),
        ("192@P4", "play:44@P6", ("R5.7", "Faceless Cusk is not in your hand.")),
        ("182@B1", "play:44@P6", ("R5.7", "Faceless Cusk is not in your hand.")),
        ("95@B1", "play:1@P6", ("R5.7", "This play is for the Sunlight zone, and P6 is elsewhere.")),
        ("29@B1", "play:1@B6", ("R5.7", "This play is for the purple site, and B6 is elsewhere.")),
        ("2@P5", "play:1@P5", ("R5.7", "This play is for the bottom row, and P5 is elsewhere.")),
        ("67@P1", "play:1@P5", ("R5.7", "This play is for the top row, and P5 is elsewhere.")),
        (
            "192@P4",
            "play:1@P6",
            ("R5.8", "Abyssal Anglerfish is small, and this play asks for a medium fish."),
        ),
        (
            "200@B1",
            "play:1@P6",
            ("R5.8", "Abyssal Anglerfish has no camouflage tag, which this play asks for."),
        ),
        (
            "182@B1",
            "play:1@P6",
            (
                "R11.5",
                "This play asks for at least 3 coral in the slot's own reef, and the purple reef has 2.",
            ),
        ),
    ],
)
def test_a_play_by_a_fish(played: str, move: str, expected: tuple[str, str]) -> None:
    card = int(played.split("@", maxsplit=1)[0])
    hands = [(card, 1, 3, 6, 12, 34, 37, 46, 50, 75)]
    state = situation(oceans=[{"B5": "303 e", "P2": "y"}, {}], hands=hands, reefs=[(3, 2, 3)])
    assert answers(just_played(state, played).state, move) == {move: expected}


@rule("R11.4")
@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("play:171@G1", "needs at least 2 green coral in the slot's own reef, and the green reef has 1."),
        ("play:171@P1", "needs at least 2 green coral in the slot's own reef, and that of P1 is purple."),
    ],
)
def test_coral_that_is_needed_lies_in_the_slots_own_reef(move: str, sentence: str) -> None:
    state = situation(hands=[(171, 1, 3)], reefs=[(6, 6, 1)])
    assert answers(state, move) == {move: ("R11.4", f"Longnose Hawkfish {sentence}")}


# The end of the game.


@rule("R9.1", "R9.2", "R11.5", "R3.3")
@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (
            "activate:P4",
            ("R11.5", "Blackmouth Angler asks for a site without coral, and the purple reef has 1."),
        ),
        (
            "activate:P1",
            ("R9.2", "Clown Anemonefish on P1 only gives points, which are counted by themselves."),
        ),
        ("activate:B1", ("R9.1", "Atlantic Bluefin Tuna on B1 has no game-end ability.")),
        ("activate:B5", ("R9.1", "Glasshead Grenadier on B5 has no game-end ability.")),
        ("activate:G4", ("R9.1", "No fish lies on G4.")),
        (
            "activate:P3",
            ("R3.3", "The game-end ability of Speckled Butterflyfish on P3 could not change anything."),
        ),
        ("activate:P2", LEGAL),
    ],
)
def test_what_is_activated(move: str, expected: tuple[str, str]) -> None:
    ocean = {"P4": "141 <302", "P1": "30", "B1": "7", "P3": "109", "P2": "125"}
    state = at_game_end(ocean, hand=(46,), reefs=(0, 1, 0))
    assert answers(state, move) == {move: expected}


@rule("R9.1")
def test_an_ability_that_is_used_is_named() -> None:
    state = play(at_game_end({"P1": "62", "P2": "125"}), "activate:P1", "pass").state
    text = "The game-end ability of Honeycomb Scaly Dragonfish on P1 is used."
    assert answers(state, "activate:P1") == {"activate:P1": ("R9.1", text)}


@pytest.mark.parametrize(
    "id_", [id_ for id_, card in CARDS.items() if card.ability is not None and card.ability.condition]
)
def test_every_condition_of_a_whole_ability_has_words_for_not_holding(id_: int) -> None:
    """The reef of its own site, full or not, is what such a fish looks at."""
    ability = CARDS[id_].ability
    assert ability is not None
    assert type(ability.condition) in CONDITIONS
    refusal = why_not(
        at_game_end({"P4": f"{id_} <302", "P3": "62"}, reefs=(0, 6, 0)), parse_move("activate:P4")
    )
    assert refusal is not None
    assert refusal.text.startswith(f"{CARDS[id_].name} asks for ")


# Tokens, reefs, eating.


@rule("R4.4")
@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("move_young:P3>P3", "A token moves at least one slot."),
        ("move_young:P2>P2", "There is no young on P2 to move."),
        ("move_school:B1>B1", "A token moves at least one slot."),
        ("move_school:B1>B3", "Another school lies on B3, where this one may not go or pass."),
        ("move_school:B1>B6", "Another school lies on B3, where this one may not go or pass."),
        ("move_young:G6>G1", "The young would form a school with the two on G3, and go no further."),
        ("move_young:G6>P5", "G6 and P5 do not lie in one straight line."),
    ],
)
def test_a_token_that_does_not_move(move: str, sentence: str) -> None:
    ocean = {"B1": "s", "B3": "s", "G3": "2y", "G6": "y", "P3": "y", "G5": "126"}
    state = dive_to(situation(oceans=[ocean, {}]), "green", "green midnight")
    assert answers(state, move) == {move: ("R4.4", sentence)}


@rule("R7.4")
@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("consume:46@G6", "Only a visible fish card can eat, and no fish lies on G6."),
        ("consume:46@B5", "Glasshead Grenadier on B5 is a forage fish, which never consumes."),
        ("consume:12@B5", "Atlantic Sturgeon is not in your hand."),
    ],
)
def test_who_cannot_eat(move: str, sentence: str) -> None:
    """Great Hammerhead lets any fish card eat."""
    state = just_played(situation(hands=[(162, 46)], reefs=()), "162@G4").state
    assert answers(state, move) == {move: ("R7.4", sentence)}
