"""R7.4, R7.5, R7.6: the benefits of Sharks & Reefs: consume by any, scatter, coral."""

from dataclasses import replace

import pytest

from service.engine.abilities import BuyCoral, ConsumeByAny, GainCoral, Scatter
from service.engine.cards import CARDS
from service.engine.events import CardConsumed, CoralGained, SchoolFormed, SchoolScattered, YoungPlaced
from service.engine.ocean import SLOT_NAMES, SLOTS_BY_NAME
from service.engine.resolvers import RESOLVERS
from service.engine.scoring import score
from service.engine.state import Frame, GameState
from tests.engine.misprints import printed
from tests.marks import rule
from tests.table import (
    START_OCEAN,
    Ocean,
    Played,
    deciding,
    just_played,
    left_of,
    legal,
    ocean_of,
    play,
    refused,
    situation,
    source_name,
)

# R7.4: consume by any

REEF_FISH: Ocean = {**START_OCEAN, "B1": "46", "B5": "57 e <303", "P1": "15"}
"""False Cleanerfish, 11 cm; Great White Shark, 600 cm; Barramundi, 200 cm; forage fish on P4 and G2."""


@rule("R7.4", "RU08")
def test_any_fish_card_eats_and_forage_fish_cannot() -> None:
    """Filetail Catshark, 61 cm; the forage fish are 1 and 3 cm long, Pygmy Seahorse 2."""
    ocean = {**REEF_FISH, "B4": "152"}
    state = situation(oceans=[ocean, START_OCEAN], hands=[(55, 90, 94)], reefs=())
    state = play(state, "dive:blue", *["pass"] * 4).state
    assert deciding(state) == (0, "152@B4")
    assert legal(state, "consume") == [
        f"consume:{card}@{slot}"
        for slot, cards in {"B1": (94,), "B4": (55, 90, 94), "B5": (55, 90, 94), "P1": (55, 90, 94)}.items()
        for card in cards
    ]
    for slot in ("P4", "G2", "G1"):
        assert refused(state, f"consume:94@{slot}") == "R7.4"
    eaten = play(state, "consume:55@P1")
    assert ocean_of(eaten.me)["P1"] == "15 <55"
    assert (eaten.me.hand, eaten.me.discard) == ([90, 94], [])
    assert [(event.slot, event.card) for event in eaten.all_of(CardConsumed)] == [(SLOTS_BY_NAME["P1"], 55)]
    assert score(eaten.me).consumed == 2


@rule("R7.4", "RU08")
def test_a_card_as_long_as_the_fish_is_not_eaten() -> None:
    """Foxface Rabbitfish and Mediterranean Damselfish are 25 cm long, Japanese Anchovy is 18."""
    ocean = {"G1": "155"}
    state = situation(oceans=[ocean, {}], hands=[(136, 78, 66, 12)], reefs=[(0, 0, 2)])
    state = just_played(state, "136@B4").state
    assert legal(state) == ["consume:66@G1", "pass"]
    assert {refused(state, f"consume:{card}@G1") for card in (12, 78)} == {"R7.4"}


@rule("R7.4", "RU08", "R3.3")
def test_with_forage_fish_alone_nobody_eats() -> None:
    """All-players consume: the other player has shorter cards, but no fish card."""
    state = situation(hands=[(191,), (94, 131)], reefs=())
    assert deciding(just_played(state, "191@G2").state) == (1, "R3.1")


@rule("R7.4", "RU08")
def test_what_was_eaten_first_does_not_eat() -> None:
    """Only visible fish eat: the fish under Great White Shark do not."""
    ocean = {"B5": "57 <46,303"}
    state = just_played(situation(oceans=[ocean, {}], hands=[(136, 94)], reefs=()), "136@B4").state
    assert legal(state) == ["consume:94@B4", "consume:94@B5", "pass"]


# R7.5, R7.6: scatter and coral


OF_THE_EXPANSION = {ConsumeByAny, Scatter, GainCoral, BuyCoral}


@rule("R7.5", "R7.6", "R11.2")
def test_the_base_game_knows_no_scatter_and_no_coral() -> None:
    effects = {type(effect) for card in CARDS.values() if card.set == "base" for effect in _effects(card.id)}
    assert effects == RESOLVERS.keys() - OF_THE_EXPANSION


@rule("R7.5", "R7.6", "R11.2")
@pytest.mark.parametrize(
    ("name", "rule_"), [("scatter:B1", "R7.5"), ("coral:blue", "R7.6"), ("buy_coral:egg:G2", "R11.2")]
)
def test_in_the_base_game_they_are_never_legal(name: str, rule_: str) -> None:
    state = situation(oceans=[{**START_OCEAN, "B1": "s"}, START_OCEAN])
    while deciding(state) != (1, "R3.1"):
        assert refused(state, name) == ("R3.1" if deciding(state)[1] == "R3.1" else rule_)
        state = play(state, "dive:blue" if deciding(state)[1] == "R3.1" else "pass").state


def _effects(card: int) -> tuple[object, ...]:
    ability = CARDS[card].ability
    return ability.effects if ability is not None else ()


SCATTER_ONE, SCATTER_TWO, YOUNG_AND_SCATTER = 137, 207, 176
"""Angular Roughshark (and move 2), Velvet Belly Lanternshark, Ninja Lanternshark."""


def scattering(card: int, ocean: Ocean, *moves: str) -> Played:
    """Return where moves lead after a card that scatters was put on G4."""
    state = just_played(situation(oceans=[ocean, {}], hands=[(card,)], reefs=()), f"{card}@G4").state
    return play(state, *moves)


@rule("R7.5", "RU09")
def test_a_scattered_school_becomes_four_young_on_four_slots() -> None:
    """The school's own slot is one that may be chosen, with or without a fish, full or empty."""
    begun = scattering(SCATTER_TWO, {"B1": "s"}, "scatter:B1")
    assert ocean_of(begun.me) == {"G4": "207"}
    slots, state = [*SLOT_NAMES], begun.state
    for slot in ("B1", "G4", "G2", "P6"):
        assert legal(state) == [f"young:{name}" for name in slots]
        slots.remove(slot)
        state = play(state, f"young:{slot}").state
        if deciding(state) == (0, "207@G4") and len(slots) > len(SLOT_NAMES) - 4:
            assert refused(state, f"young:{slot}") == "R7.5"
    assert ocean_of(state.players[0]) == {"B1": "y", "P6": "y", "G2": "301 y", "G4": "207 y"}


@rule("R7.5")
def test_what_a_scatter_puts_comes_from_its_fish() -> None:
    put = scattering(SCATTER_TWO, {"B1": "s"}, "scatter:B1", "young:P1", "young:P2")
    assert {source_name(event.source) for event in put.all_of(YoungPlaced)} == {"207@G4"}


@rule("R7.5", "R4.2")
def test_young_of_a_scatter_form_schools_on_the_way() -> None:
    """Two young and one of the scatter are a school; a second one goes where a school lies."""
    ocean = {"P1": "2y", "P2": "2y", "P3": "s", "B1": "s"}
    done = scattering(
        SCATTER_TWO, ocean, "scatter:B1", "young:P1", "young:P2", "young:P3", "young:B1", "pass"
    )
    assert ocean_of(done.me) == {"B1": "y", "P1": "s", "P2": "s", "P3": "y s", "G4": "207"}
    assert [SLOT_NAMES[event.slot] for event in done.all_of(SchoolFormed)] == ["P1", "P2"]


@rule("R7.5", "R4.2")
@pytest.mark.parametrize(
    ("lies", "left"),
    [("s", None), ("2y s", "2y"), ("3y s", "s"), ("5y s", "2y s"), ("7y s", "4y s")],
)
def test_extra_young_left_on_its_slot_may_form_a_school_at_once(lies: str, left: str | None) -> None:
    begun = scattering(SCATTER_TWO, {"B1": lies}, "scatter:B1")
    assert ocean_of(begun.me).get("B1") == left
    is_school = left is not None and "s" in left
    assert len(begun.all_of(SchoolScattered)) == 1
    assert len(begun.all_of(SchoolFormed)) == is_school
    done = play(begun.state, "young:P1", "young:P2", "young:P3", "young:P5").state
    assert ("scatter:B1" in legal(done)) is is_school


@rule("R7.5", "R4.2")
def test_a_young_of_the_scatter_completes_what_was_left() -> None:
    """Two extra young stay, the scatter's third makes a school on the slot that was scattered."""
    done = scattering(SCATTER_TWO, {"B1": "2y s"}, "scatter:B1", "young:B1")
    assert ocean_of(done.me)["B1"] == "s"
    assert refused(done.state, "young:B1") == "R7.5"
    again = play(done.state, "young:P1", "young:P2", "young:P3").state
    assert legal(again) == ["scatter:B1", "pass"]


@rule("R7.5", "RU09")
def test_without_any_school_a_scatter_is_one_young() -> None:
    state = scattering(SCATTER_TWO, {}).state
    assert legal(state) == [*(f"young:{slot}" for slot in SLOT_NAMES), "pass"]
    assert refused(state, "scatter:B1") == "R7.5"
    put = play(state, "young:B1", "young:B1")
    assert ocean_of(put.me) == {"B1": "2y", "G4": "207"}
    assert deciding(put.state) == (1, "R3.1")
    assert put.all_of(SchoolScattered) == []


@rule("R7.5", "RU09")
def test_while_there_is_a_school_it_is_no_young() -> None:
    state = scattering(SCATTER_TWO, {"B1": "s"}).state
    assert legal(state) == ["scatter:B1", "pass"]
    assert refused(state, "young:B1") == "R7.5"


@rule("R7.5", "RU09", "R4.2")
def test_the_first_young_without_a_school_may_form_one_for_the_second_scatter() -> None:
    state = scattering(SCATTER_TWO, {"B1": "2y"}, "young:B1").state
    assert legal(state) == ["scatter:B1", "pass"]


@rule("R7.5")
def test_a_young_uses_the_young_before_the_scatter() -> None:
    """The narrower of two benefits is used up first."""
    state = scattering(YOUNG_AND_SCATTER, {}).state
    assert left_of(state) == (1, 1)
    once = play(state, "young:B1").state
    assert left_of(once) == (0, 1)
    assert deciding(play(once, "young:B2").state) == (1, "R3.1")


@rule("R7.5", "R4.2")
def test_the_young_of_a_group_can_make_the_school_that_is_scattered() -> None:
    """Had the scatter been used up, there would be nothing to scatter."""
    state = scattering(YOUNG_AND_SCATTER, {"B1": "2y"}, "young:B1").state
    assert legal(state) == ["scatter:B1", "pass"]
    done = play(state, "scatter:B1", "young:B1", "young:B2", "young:B3", "young:B4")
    assert deciding(done.state) == (1, "R3.1")


@rule("R7.5")
def test_a_young_that_is_open_beside_a_scatter_is_not_put_in_between() -> None:
    state = scattering(YOUNG_AND_SCATTER, {"B1": "s"}, "scatter:B1", "young:P1").state
    assert refused(state, "young:P1") == "R7.5"
    state = play(state, "young:P2", "young:P3", "young:P4").state
    assert left_of(state) == (1, 0)
    assert "young:P1" in legal(state)


@rule("R7.5", "R7.8")
def test_each_player_scatters_the_own_school() -> None:
    """Great Hammerhead: all players scatter 1 and eat 1. The second one has a school, the first has none."""
    state = situation(oceans=[START_OCEAN, {"B6": "s"}], hands=[(162,)], reefs=())
    state = just_played(state, "162@G2").state
    assert (deciding(state), "young:B1" in legal(state)) == ((0, "162@G2"), True)
    state = play(state, "young:B1").state
    assert (deciding(state), legal(state)) == ((1, "162@G2"), ["scatter:B6", "pass"])
    state = play(state, "scatter:B6", "young:G1").state
    assert (deciding(state), refused(state, "young:G1")) == ((1, "162@G2"), "R7.5")
    state = play(state, "young:G2", "young:G3", "young:G4").state
    assert ocean_of(state.players[1]) == {"G1": "y", "G2": "301 y", "G3": "y", "G4": "y"}
    assert deciding(state) == (1, "R3.1")


def with_coral(card: int, slot: str, *reefs: int, deck: tuple[int, ...] | None = None) -> GameState:
    """Return the state in which a card just put down gives coral."""
    return just_played(situation(hands=[(card,)], reefs=[reefs], deck=deck), f"{card}@{slot}").state


@rule("R7.6", "R11.1")
def test_coral_goes_into_the_reef_of_its_colour_up_to_six() -> None:
    """Great Barracuda: 2 blue coral."""
    state = with_coral(161, "G2", 5, 5, 5)
    assert legal(state) == ["coral:blue", "pass"]
    assert refused(state, "coral:purple") == "R7.6"
    gained = play(state, "coral:blue")
    assert gained.me.reefs == [6, 5, 5]
    assert [(event.seat, event.site) for event in gained.all_of(CoralGained)] == [(0, 0)]
    assert deciding(gained.state) == (1, "161@G2")


@rule("R7.6", "R3.3", "R11.1")
def test_a_full_reef_takes_no_coral_and_is_not_asked_about() -> None:
    """Malabar Grouper: a coral of each colour for all."""
    state = with_coral(172, "G2", 6, 6, 2)
    assert legal(state) == ["coral:green", "pass"]
    assert {refused(state, f"coral:{site}") for site in ("blue", "purple")} == {"R7.6"}
    assert deciding(with_coral(194, "G2", 6, 6, 2)) == (1, "R3.1")


@rule("R7.6")
def test_coral_of_any_colour_is_the_players_choice() -> None:
    """Mimic Goatfish, at the game's end: 2 coral of any colour."""
    state = situation(oceans=[{"G1": "174"}, {}], reefs=[(5, 6, 1)], week=4, turn=6, frame=Frame.GAME_END)
    state = play(state, "activate:G1").state
    assert legal(state) == ["coral:blue", "coral:green", "pass"]
    assert legal(play(state, "coral:blue").state) == ["coral:green", "pass"]
    assert play(state, "coral:green", "coral:green").me.reefs == [5, 6, 3]


@rule("R7.6")
def test_a_coral_uses_its_colour_before_any() -> None:
    """No card prints both; Mimic Goatfish is made to print any, then green."""
    ability = CARDS[174].ability
    assert ability is not None
    both = replace(ability, trigger="when_played", effects=(GainCoral(None, 1), GainCoral(2, 1)))
    with printed(174, both):
        state = with_coral(174, "G1", 0, 0, 1)
        assert left_of(play(state, "coral:green").state) == (1, 0)
        assert left_of(play(state, "coral:blue").state) == (0, 1)
        assert play(state, "coral:green", "coral:green").me.reefs == [0, 0, 3]
