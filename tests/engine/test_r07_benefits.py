"""R7: what each benefit does."""

import pytest

from service.engine.cards import CARDS
from service.engine.events import (
    BenefitsDeclined,
    CardConsumed,
    CardDrawn,
    DeckRenewed,
    EggLaid,
    FishActivated,
    FishSource,
)
from service.engine.ocean import SLOT_NAMES, SLOTS_BY_NAME, slots_in
from service.engine.resolvers import all_of
from service.engine.scoring import score
from service.engine.state import Benefits, Frame, GameState
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    deciding,
    just_played,
    left_of,
    legal,
    ocean_of,
    play,
    refused,
    settle,
    situation,
)

TUNA, MANDARINFISH, SARGASSUM = 7, 131, 99
"""When played draw 2 and recover 2; when played draw 3 and lay an egg; if activated eat 2."""


# R7.1: draw


@rule("R7.1")
def test_a_draw_takes_the_top_card() -> None:
    state = play(situation(deck=(94, 1, 3)), "dive:blue").state
    drawn = play(state, "draw")
    assert (drawn.me.hand, drawn.all_of(CardDrawn)[0].card) == ([94], 94)
    assert len(drawn.state.deck) == len(state.deck) - 1
    assert drawn.all_of(DeckRenewed) == []


@rule("R7.1", "RU14")
def test_the_deck_is_renewed_when_a_card_is_needed_and_not_before() -> None:
    state = situation(deck=(94,), discards=[(1, 127), (3,)], spare="hand")
    emptied = play(state, "dive:blue", "draw")
    assert emptied.all_of(DeckRenewed) == []
    assert (emptied.state.deck, [player.discard for player in emptied.state.players]) == ([], [[1, 127], [3]])
    turned = play(emptied.state, "pass", "dive:blue", "draw")
    assert [(event.cards, event.seat) for event in turned.all_of(DeckRenewed)] == [(3, None)]
    renewed_and_drawn = [event for event in turned.events if isinstance(event, DeckRenewed | CardDrawn)]
    assert [type(event) for event in renewed_and_drawn] == [DeckRenewed, CardDrawn]
    assert {*turned.state.deck, turned.all_of(CardDrawn)[0].card} == {1, 3, 127}
    assert [player.discard for player in turned.state.players] == [[], []]


@rule("R7.1")
def test_the_new_deck_depends_on_the_set_of_cards_and_the_generator_only() -> None:
    """Whoever discarded what, and in whatever order."""
    cards = (1, 3, 5, 94, 95, 127)
    piles = [(cards, ()), ((), cards), (cards[:3], cards[3:]), (cards[::2], cards[1::2])]
    states = [situation(deck=(), discards=discards, spare="hand") for discards in piles]
    decks = [play(state, "dive:blue", "draw").state.deck for state in states]
    assert len(decks[0]) == 5
    assert decks == [decks[0]] * 4


@rule("R7.1")
def test_the_generator_goes_on_from_deck_to_deck() -> None:
    orders = set()
    for counter in range(20):
        state = situation(deck=(), discards=[(1, 3, 5, 94, 95, 127)], spare="hand")
        state.counter = counter
        drawn = play(state, "dive:blue", "draw")
        assert drawn.state.counter > counter
        orders.add(tuple(drawn.state.deck))
    assert len(orders) > 10


@rule("R7.1", "R3.3")
def test_without_any_card_there_is_nothing_to_draw() -> None:
    state = situation(hands=[(MANDARINFISH,)], deck=(94,), spare="hand")
    state = play(just_played(state, "131@B1").state, "draw").state
    assert legal(state, "draw") == []
    assert refused(state, "draw") == "R7.1"
    assert deciding(play(state, "egg:B1").state) == (1, "R3.1")


@rule("R7.1")
def test_cards_just_paid_can_be_drawn_again() -> None:
    state = situation(hands=[(MANDARINFISH, 94)], deck=(), spare="hand")
    drawn = play(state, "play:131@B1", "draw")
    assert (drawn.me.hand, drawn.me.discard) == ([94], [])


# R7.2: recover


@rule("R7.2")
def test_any_card_of_the_own_pile_may_be_recovered() -> None:
    state = situation(discards=[(1, 94, 127), (3,)])
    state = play(state, "dive:blue", "pass").state
    assert legal(state) == ["recover:1", "recover:94", "recover:127", "pass"]
    assert refused(state, "recover:3") == "R7.2"
    assert refused(state, "recover:95") == "R7.2"
    assert refused(state, "draw") == "R7.2"
    recovered = play(state, "recover:94").me
    assert (recovered.hand, recovered.discard) == ([94], [1, 127])


@rule("R7.2")
def test_an_empty_pile_is_tested_for_each_card() -> None:
    """Bluestreak Cleaner Wrasse recovers 2."""
    state = situation(oceans=[{**START_OCEAN, "B1": "26"}, START_OCEAN], discards=[(94,), (3,)], deck=(1,))
    state = play(state, "dive:blue", "pass").state
    assert legal(state) == ["recover:94", "pass"]
    state = play(state, "recover:94").state
    assert legal(state) == ["draw", "pass"]
    drawn = play(state, "draw")
    assert (drawn.me.hand, drawn.state.players[1].discard) == ([1, 94], [3])
    assert deciding(drawn.state) == (0, "blue midnight")


@rule("R7.2", "R7.1")
def test_a_recover_without_pile_and_deck_renews_the_deck_from_the_others() -> None:
    state = situation(discards=[(), (3,)], deck=(), spare="hand")
    assert play(state, "dive:blue", "pass", "draw").me.hand == [3]


@rule("R7.2")
def test_a_draw_uses_the_narrower_benefit_first() -> None:
    """Atlantic Bluefin Tuna draws 2 and recovers 2; with an empty pile each of the four is a draw."""
    state = just_played(situation(hands=[(TUNA,)], deck=(1, 3, 5, 94)), "7@B1").state
    seen = []
    while deciding(state) == (0, "7@B1"):
        seen.append((legal(state), left_of(state)))
        state = play(state, "draw").state
    assert [left for _, left in seen] == [(2, 2), (1, 2), (0, 2), (0, 1)]
    assert {tuple(moves) for moves, _ in seen} == {("draw", "pass")}
    assert state.players[0].hand == [1, 3, 5, 94]


@rule("R7.2")
def test_a_draw_and_a_recover_that_differ_are_both_offered() -> None:
    state = just_played(situation(hands=[(TUNA,)], deck=(1, 3), discards=[(94,)]), "7@B1").state
    assert legal(state) == ["draw", "recover:94", "pass"]
    drawn = play(state, "draw", "draw").state
    assert (legal(drawn), left_of(drawn)) == (["recover:94", "pass"], (0, 2))
    assert legal(play(state, "recover:94").state) == ["draw", "pass"]


# R7.3: egg on each

SHOAL: Ocean = {
    "B1": "95",
    "B5": "303",
    "B6": "84",
    "P1": "25",
    "P4": "302",
    "P6": "123",
    "G2": "301",
    "G3": "7 e",
    "G4": "5",
}
"""By slot: Lionfish (small, predator), forage fish, Skate (large), Unicornfish (medium), forage fish,
Wolftrap Angler (small, predator), forage fish, Tuna (large, predator, has its egg), Angler (large, predator).
"""
PREDATORS = ("B1", "P6", "G4")
SMALL = ("B1", "B5", "P4", "P6", "G2")
MEDIUM = ("P1",)
LARGE = ("B6", "G4")
BLUE = ("B1", "B5", "B6")
PURPLE = ("P1", "P4", "P6")
GREEN = ("G2", "G4")
TOP = ("B1", "P1")
BOTTOM = ("B6", "P6")
"""Where SHOAL has a fish without an egg of a tag, a size or a place."""
WHEN_PLAYED = [
    (6, "B3", {*PREDATORS, "B3"}),
    (16, "B4", {*SMALL, "B4"}),
    (18, "B4", {*PURPLE}),
    (27, "G6", {*PURPLE}),
    (40, "B4", {*LARGE, "B4"}),
    (42, "G1", {*TOP, "G1"}),
    (53, "B4", {*BLUE, "B4"}),
    (57, "B3", {*PREDATORS, "B3"}),
    (58, "B4", {*LARGE, "B4"}),
    (59, "G6", {*BOTTOM, "G6"}),
    (63, "B4", {*BOTTOM}),
    (64, "G1", {*GREEN, "G1"}),
    (68, "B3", {*BLUE, "B3"}),
    (74, "B3", {*MEDIUM, "B3"}),
    (76, "B3", {*SMALL, "B3"}),
    (89, "B4", {*MEDIUM, "B4"}),
    (119, "G6", {*GREEN, "G6"}),
]
AT_GAME_END = [
    (19, "B4", {*SMALL, "B4"}),
    (28, "B3", {*MEDIUM, "B3"}),
    (41, "G1", {*TOP, "G1"}),
    (69, "B3", {*GREEN}),
    (77, "G6", {*BOTTOM, "G6"}),
    (81, "B4", {*LARGE, "B4"}),
    (93, "P5", {*BLUE}),
    (105, "B4", {*PREDATORS, "B4"}),
    (125, "P2", {*PURPLE, "P2"}),
]


def laying(card: int, slot: str, ocean: Ocean = SHOAL) -> GameState:
    """Return the state in which a card's ability, when played or at the game's end, lays eggs."""
    ability = CARDS[card].ability
    assert ability is not None
    if ability.trigger == "when_played":
        return just_played(situation(oceans=[ocean, {}], hands=[(card,)]), f"{card}@{slot}").state
    state = situation(oceans=[{**ocean, slot: str(card)}, {}], frame=Frame.GAME_END, week=4, turn=6)
    return play(state, f"activate:{slot}").state


@rule("R7.3")
@pytest.mark.parametrize(("card", "slot", "expected"), [*WHEN_PLAYED, *AT_GAME_END])
def test_an_egg_on_each_fish_of_a_place_a_size_or_a_tag(card: int, slot: str, expected: set[str]) -> None:
    state = laying(card, slot)
    assert legal(state) == ["egg_each", "pass"]
    done = play(state, "egg_each")
    assert {SLOT_NAMES[laid] for laid in slots_in(done.me.eggs & ~state.players[0].eggs)} == expected
    assert {SLOT_NAMES[event.slot] for event in done.all_of(EggLaid) if event.seat == 0} == expected


@rule("R7.3", "RU05")
def test_it_is_all_of_them_or_none() -> None:
    state = laying(6, "B3")
    assert refused(state, "egg:B1") == "R7.3"
    assert ocean_of(play(state, "pass").me) == ocean_of(state.players[0])


@rule("R7.3", "RU06")
@pytest.mark.parametrize(
    ("card", "slot", "count"), [(41, "G1", 3), (42, "G1", 3), (68, "B3", 4), (69, "G1", 3)]
)
def test_cards_41_42_68_and_69_mean_each_fish_too(card: int, slot: str, count: int) -> None:
    state = laying(card, slot)
    assert play(state, "egg_each").me.eggs.bit_count() == state.players[0].eggs.bit_count() + count


@rule("R7.3", "R4.1")
def test_fish_with_an_egg_keep_their_one() -> None:
    laid = play(laying(40, "B4"), "egg_each").me
    assert ocean_of(laid)["G3"] == "7 e"


@rule("R7.3", "R3.3")
def test_an_egg_on_each_fish_without_any_such_fish_is_not_asked() -> None:
    assert deciding(laying(64, "G1", {"G2": "301 e", "G1": "14 e"})) == (1, "R3.1")


@rule("R7.3", "R4.3", "R4.4")
def test_egg_hatch_young_and_move_are_those_of_r4() -> None:
    """Patagonian Toothfish draws, lays, hatches and moves."""
    state = just_played(situation(hands=[(88,)], deck=(1,)), "88@B1").state
    assert legal(state) == [
        "draw",
        "egg:B1",
        "egg:P4",
        "hatch:B5",
        "hatch:G2",
        *(f"move_young:P3>{slot}" for slot in ("B3", "P1", "P2", "P4", "P5", "P6", "G3")),
        "pass",
    ]
    ended = play(state, "move_young:P3>P4", "hatch:G2", "egg:P4", "draw")
    assert ocean_of(ended.me) == {"B1": "88", "B5": "303 e", "P4": "302 e y", "G2": "301 y"}
    assert deciding(ended.state) == (1, "R3.1")


# R7.4: consume


@rule("R7.4", "RU07")
def test_the_abilitys_own_fish_eats_a_strictly_shorter_card_from_hand() -> None:
    """Pennant Coralfish and Mediterranean Damselfish are 25 cm long."""
    state = situation(oceans=[{**START_OCEAN, "B1": "90"}, START_OCEAN], hands=[(46, 78, 95, 131)])
    state = play(state, "dive:blue", "pass").state
    assert legal(state) == ["consume:46@B1", "consume:131@B1", "pass"]
    assert {refused(state, f"consume:{card}@B1") for card in (78, 95, 94)} == {"R7.4"}
    assert refused(state, "consume:46@B5") == "R7.4"


@rule("R7.4")
def test_a_card_that_is_eaten_lies_under_the_fish_and_does_nothing() -> None:
    """Mandarinfish would cost a card and draw 3 when played."""
    state = situation(oceans=[{**START_OCEAN, "B1": "90 e y"}, START_OCEAN], hands=[(131,)], discards=[(1,)])
    eaten = play(state, "dive:blue", "pass", "consume:131@B1")
    assert ocean_of(eaten.me)["B1"] == "90 e y <131"
    assert (eaten.me.hand, eaten.me.discard) == ([], [1])
    assert [event.card for event in eaten.all_of(CardConsumed)] == [131]
    assert {event.source.card for event in eaten.all_of(FishActivated)} == {90}
    assert score(eaten.me).consumed == 1


@rule("R7.4")
@pytest.mark.parametrize(
    ("eaten", "after"),
    [
        (["consume:131@B1", "consume:46@B1"], "99 <46,131"),
        (["consume:46@B1", "pass"], "99 <46"),
        (["pass"], "99"),
    ],
)
def test_it_eats_as_often_as_printed(eaten: list[str], after: str) -> None:
    state = situation(oceans=[{**START_OCEAN, "B1": "99"}, START_OCEAN], hands=[(46, 94, 131)])
    dived = play(state, "dive:blue", "pass", *eaten)
    assert ocean_of(dived.me)["B1"] == after
    assert deciding(dived.state) == (0, "blue midnight")


@rule("R7.4", "R5.3")
def test_what_is_eaten_needs_no_place_of_its_own() -> None:
    """Spookfish lives in the Twilight zone, Pygmy Seahorse in green; both are eaten on B1."""
    state = situation(oceans=[{**START_OCEAN, "B1": "99"}, START_OCEAN], hands=[(94, 111)])
    state = play(state, "dive:blue", "pass", "consume:94@B1", "consume:111@B1").state
    assert ocean_of(state.players[0])["B1"] == "99 <94,111"


# R7.7: play

FISH_FOR_EVERYWHERE = 21
"""Black Hagfish, 64 cm, may be put on any slot, for 3 cards."""


@rule("R7.7", "R5.7")
@pytest.mark.parametrize(
    ("card", "slot", "places"),
    [
        (2, "P5", "B6 P6 G6"),
        (22, "P5", "G1 G2 G3 G4 G5 G6"),
        (29, "B1", "P1 P2 P3 P4 P5 P6"),
        (33, "B1", "P1 P2 P3 P4 P5 P6"),
        (67, "B2", "B1 P1 G1"),
        (95, "B2", "B1 B2 B3 P1 P2 P3 G1 G2 G3"),
        (11, "B2", "B1 P1 G1"),
        (23, "P5", "G1 G2 G3 G4 G5 G6"),
        (35, "P1", "B1 B2 B3 B4 B5 B6"),
        (44, "P6", "B6 P6 G6"),
        (54, "B1", "P1 P2 P3 P4 P5 P6"),
        (115, "B2", "B1 B3 P1 P2 P3 G1 G2 G3"),
    ],
)
def test_where_each_card_lets_a_fish_be_played(card: int, slot: str, places: str) -> None:
    """A fish shorter than Black Hagfish may be covered, the one that plays it included."""
    hand = (FISH_FOR_EVERYWHERE, 17, 48, 107)
    ability = CARDS[card].ability
    assert ability is not None
    if ability.trigger == "when_played":
        state = just_played(situation(hands=[(card, *hand)]), f"{card}@{slot}").state
    else:
        state = situation(
            oceans=[{**START_OCEAN, slot: str(card)}, {}], hands=[hand], frame=Frame.GAME_END, week=4, turn=6
        )
        state = play(state, f"activate:{slot}").state
    assert deciding(state) == (0, f"{card}@{slot}")
    offered = [move.split("@")[1] for move in legal(state, f"play:{FISH_FOR_EVERYWHERE}@")]
    assert " ".join(offered) == places


# R7.8: all players


@rule("R7.8", "RU10")
@pytest.mark.parametrize("owner", [0, 1, 3])
def test_the_owner_first_then_clockwise(owner: int) -> None:
    """Longfin Batfish, activated: everybody draws."""
    oceans: list[Ocean] = [START_OCEAN] * 4
    oceans[owner] = {**START_OCEAN, "G1": "130"}
    state = situation(oceans=oceans, seat=owner, deck=(1, 3, 5, 7))
    state = play(state, "dive:green", "pass").state
    order = []
    while deciding(state)[1] == "130@G1":
        order.append(deciding(state)[0])
        state = play(state, "draw").state
    assert order == [(owner + place) % 4 for place in range(4)]
    assert [state.players[seat].hand for seat in order] == [[1], [3], [5], [7]]
    assert deciding(state) == (owner, "green deep")


@rule("R7.8")
def test_each_player_finishes_before_the_next() -> None:
    """False Catshark: everybody moves twice."""
    state = situation(oceans=[START_OCEAN] * 2, hands=[(45,)])
    state = just_played(state, "45@P4").state
    seats = []
    for move in ("move_young:P3>P1", "move_young:P1>B1", "move_young:P3>G3", "pass"):
        seats.append(deciding(state)[0])
        state = play(state, move).state
    assert seats == [0, 0, 1, 1]
    assert [ocean_of(player).get(slot) for player, slot in zip(state.players, ("B1", "G3"), strict=True)] == [
        "y",
        "y",
    ]


@rule("R7.8")
def test_each_acts_on_the_own_ocean() -> None:
    """Great White Shark lays on each player's own predators."""
    oceans = [
        {**START_OCEAN, "B1": "46"},
        {**START_OCEAN, "P6": "123", "P5": "31"},
        {**START_OCEAN, "P6": "3"},
    ]
    state = just_played(situation(oceans=oceans, hands=[(57,)]), "57@G6").state
    state = play(state, "egg_each").state
    assert deciding(state) == (1, "57@G6")
    state = play(state, "egg_each").state
    assert deciding(state) == (1, "R3.1")
    assert [ocean_of(player) for player in state.players] == [
        {**START_OCEAN, "B1": "46 e", "G6": "57 e"},
        {**START_OCEAN, "P6": "123 e", "P5": "31 e"},
        {**START_OCEAN, "P6": "3"},
    ]


@rule("R7.8", "R3.2")
def test_each_may_decline() -> None:
    state = situation(oceans=[{**START_OCEAN, "G1": "130"}, START_OCEAN, START_OCEAN])
    down = settle(play(state, "dive:green", "pass").state)
    who = [event.seat for event in down.all_of(BenefitsDeclined) if isinstance(event.source, FishSource)]
    assert who == [0, 1, 2]


@rule("R7.8", "R3.3")
@pytest.mark.parametrize(
    ("draws", "asked"), [(["draw"], [0]), (["pass", "draw"], [0, 1]), (["pass", "pass", "draw"], [0, 1, 2])]
)
def test_what_is_possible_is_tested_when_a_part_opens(draws: list[str], asked: list[int]) -> None:
    """One card is left to draw; who comes after it has been drawn is not asked."""
    state = situation(oceans=[{**START_OCEAN, "G1": "130"}, *[START_OCEAN] * 2], deck=(1,), spare="hand")
    state = play(state, "dive:green", "pass").state
    seats = []
    for move in draws:
        seats.append(deciding(state)[0])
        state = play(state, move).state
    assert seats == asked
    assert deciding(state) == (0, "green deep")


@rule("R7.8")
def test_a_part_that_was_impossible_is_not_reopened() -> None:
    """Skipjack Tuna: everybody hatches. The first player has no egg, the second hatches one all the same."""
    state = situation(oceans=[{"G1": "104", "P3": "y"}, START_OCEAN])
    state = play(state, "dive:green").state
    assert deciding(state) == (1, "104@G1")
    assert deciding(play(state, "hatch:B5").state) == (0, "green deep")


@rule("R7.8")
def test_a_single_player_is_all_players() -> None:
    state = play(situation(oceans=[{**START_OCEAN, "G1": "130"}]), "dive:green", "pass", "draw").state
    assert deciding(state) == (0, "green deep")


# R7.9: a fish covered while its ability waits


def covered_while_waiting(card: int, ocean: Ocean, hand: tuple[int, ...]) -> GameState:
    """Return the state in which the ability of a fish on B1 is open although another fish lies there now."""
    source = FishSource(0, SLOTS_BY_NAME["B1"], card)
    return situation(
        oceans=[ocean, START_OCEAN],
        hands=[hand],
        frame=Frame.END_TURN,
        steps=[Benefits(0, source, all_of(source))],
        valid=False,
    )


@rule("R7.9")
def test_a_covered_fish_eats_nothing() -> None:
    state = covered_while_waiting(72, {"B1": "57 <72"}, (94, 131))
    assert legal(state) == []
    assert refused(state, "consume:94@B1") == "R7.9"


@rule("R7.9")
def test_a_covered_fish_gives_what_does_not_need_it() -> None:
    state = covered_while_waiting(83, {"B1": "57 <83", "B5": "303 e"}, ())
    assert legal(state) == ["egg:B1", "egg:P4", "egg:G2", "hatch:B5", "pass"]
