"""Tables as a terminal of 100 columns without colour shows them."""

import re
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from finspan import Game, GreedyBot, LegalMoves, LocalService, RandomBot, play, tables
from finspan.calls import Expansion
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import CATALOG, DARTER, DIVES, GIANT, GOBY, HUNTER, MINNOW, OCEAN, player

SCORE = v1.ScoreResponse(
    players=[
        v1.PlayerScore(
            seat=0, achievements=7, printed=12, eggs=4, schools=6, total=29, cards_in_hand=5, rank=1
        ),
        v1.PlayerScore(
            seat=1, game_end=3, consumed=2, young=11, printed=100, total=116, cards_in_hand=0, rank=2
        ),
    ]
)


def drawn(what: RenderableType, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False)
    with console.capture() as capture:
        console.print(what)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_an_ocean() -> None:
    assert drawn(tables.ocean_table(player(*OCEAN), CATALOG, "Ada")) == OCEAN_DRAWN


def test_an_ocean_with_reefs() -> None:
    lines = drawn(tables.ocean_table(player(*OCEAN, reefs=[3, 0, 6]), CATALOG, "Ada")).splitlines()
    assert "\n".join([*lines[:-3], lines[-1]]) == OCEAN_DRAWN
    assert lines[-2] == REEFS_DRAWN


def test_a_hand() -> None:
    assert drawn(tables.hand_table([MINNOW, DARTER, HUNTER], CATALOG, "Hand")) == HAND_DRAWN


def test_a_score_sheet() -> None:
    assert drawn(tables.score_table(SCORE, ["Ada", "Bob"], "After week 1")) == SCORE_DRAWN


@pytest.mark.parametrize(
    ("coral", "has_reefs"), [(0, True), (3, True), (3, False)], ids=["none yet", "some", "unsaid"]
)
def test_a_score_sheet_with_reefs(coral: int, has_reefs: bool) -> None:  # noqa: FBT001  a table's column
    sheet = v1.ScoreResponse()
    sheet.CopyFrom(SCORE)
    sheet.players[1].MergeFrom(v1.PlayerScore(coral=coral, full_reefs=2 * coral))
    lines = drawn(tables.score_table(sheet, ["Ada", "Bob"], "After week 1", has_reefs=has_reefs)).splitlines()
    assert lines[11:13] == [
        f"│ Coral              │   0 │   {coral} │",
        f"│ Full reefs         │   0 │   {2 * coral} │",
    ]
    assert "\n".join(lines[:11] + lines[13:]) == SCORE_DRAWN


def test_a_decision_with_numbered_moves() -> None:
    decision = v1.Decision(seat=0, text="Ada: play a fish or dive.")
    assert drawn(tables.decision_table(decision, DIVES)) == DECISION_DRAWN


@pytest.mark.parametrize(
    ("winners", "caption"), [([1], "Winner: Bob"), ([0, 1], "Winners: Ada, Bob")], ids=["one", "shared"]
)
def test_a_final_score_sheet_names_the_winners(winners: list[int], caption: str) -> None:
    score = v1.ScoreResponse(players=SCORE.players, over=True, winners=winners)
    assert drawn(tables.score_table(score, ["Ada", "Bob"])).splitlines()[-1] == caption


@pytest.mark.parametrize("width", [80, 100])
def test_nothing_is_cut_off_or_broken_in_a_narrow_terminal(width: int) -> None:
    full = [v1.SlotState(slot=place.slot, fish=GIANT, young=2, egg=True) for place in CATALOG.reply.slots]
    text = drawn(tables.ocean_table(player(*full, reefs=[6, 6, 6]), CATALOG), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert text.count("Longest") == 18
    assert text.count(" 6 coral, full ") == 3


@pytest.mark.parametrize("width", [tables.LEAST_WIDTH, 100])
@pytest.mark.parametrize("expansions", [[], ["sharks_and_reefs"]], ids=["base", "reefs"])
def test_no_numbered_slot_is_ever_torn(local: LocalService, width: int, expansions: list[Expansion]) -> None:
    shown = 0
    for seed in range(5):
        game = Game.new(local, seed=f"torn {seed}", expansions=expansions)
        for played in play(game, [GreedyBot(), RandomBot(seed)]):
            here = played.before
            text = drawn(tables.choices_table(here.legal_moves, here.player, here.catalog), width)
            assert numbered_plays(here) <= set(re.findall(r"(?<!\S)\d+ [BPG][1-6]", text))
            assert max(map(len, text.splitlines())) <= width
            shown += bool(numbered_plays(here))
    assert shown > 100


def numbered_plays(game: Game) -> set[str]:
    """Return the number and the slot of each play."""
    plays = enumerate((legal.move for legal in game.legal_moves), start=1)
    return {
        f"{number} {game.catalog.slots[move.play_fish.slot].name}"
        for number, move in plays
        if move.HasField("play_fish")
    }


def test_slots_take_the_room_that_there_is() -> None:
    slots = [v1.PlayFish(card=MINNOW, slot=place.slot) for place in CATALOG.reply.slots]
    moves = LegalMoves(v1.LegalMove(move=v1.Move(play_fish=play)) for play in slots)
    lines = {
        width: drawn(tables.choices_table(moves, player(), CATALOG), width).splitlines()
        for width in (100, 70, 60, 20)
    }
    in_line = {
        width: max(len(re.findall(r"\d [BPG]\d", line)) for line in drawn) for width, drawn in lines.items()
    }
    assert in_line == {100: 6, 70: 6, 60: 5, 20: 1}


def test_a_hand_of_all_cards_fits(local: LocalService) -> None:
    catalog = local.catalog()
    text = drawn(tables.hand_table(catalog.cards, catalog), tables.LEAST_WIDTH)
    assert max(map(len, text.splitlines())) == tables.LEAST_WIDTH
    assert "…" not in text
    words = set(text.replace("│", " ").split())
    assert {word for card in catalog.cards.values() for word in card.name.split()} <= words


@pytest.mark.parametrize("width", [80, 100])
def test_five_players_fit(width: int) -> None:
    score = v1.ScoreResponse(players=[SCORE.players[0]] * 5)
    text = drawn(tables.score_table(score, [f"Player {seat}" for seat in range(5)]), width)
    assert max(map(len, text.splitlines())) <= width


def test_a_name_is_not_taken_for_markup() -> None:
    name = "[red]Ada[/blue]"
    decision = v1.Decision(text=name)
    move = v1.LegalMove(text=name, id="pass")
    assert name in drawn(tables.score_table(SCORE, [name, "Bob"]))
    assert name in drawn(tables.ocean_table(player(), CATALOG, name))
    assert drawn(tables.decision_table(decision, [move])).count(name) == 2


def test_a_player_without_a_name_is_called_by_number() -> None:
    assert tables.player_names([player(name="Ada"), player()]) == ["Ada", "Player 2"]


def test_no_colour_is_needed() -> None:
    console = Console(file=StringIO(), width=100, no_color=True, force_terminal=True)
    with console.capture() as capture:
        console.print(tables.ocean_table(player(*OCEAN), CATALOG))
    assert "\x1b[3" not in capture.get().replace("\x1b[3m", "")


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (v1.CostInfo(), "free"),
        (v1.CostInfo(cards=1, eggs=1, young=1, schools=1), "1 card, 1 egg, 1 young, 1 school"),
        (v1.CostInfo(cards=2, eggs=3, young=2, schools=2), "2 cards, 3 eggs, 2 young, 2 schools"),
        (v1.CostInfo(consume=True), "consume"),
    ],
)
def test_a_cost_in_words(cost: v1.CostInfo, text: str) -> None:
    assert tables.cost_text(cost) == text


def test_a_place_in_words() -> None:
    assert tables.where_text(CATALOG.cards[DARTER]) == "sunlight, twilight, blue"
    assert tables.where_text(CATALOG.cards[HUNTER]) == "midnight, row 6"
    assert tables.tags_text(CATALOG.cards[DARTER]) == "predator, predator"
    assert tables.where_text(CATALOG.fish[GOBY]) == ""


@pytest.mark.parametrize(
    ("need", "text"),
    [
        (v1.CoralNeedInfo(at_least=2), "sunlight, needs 2 coral"),
        (v1.CoralNeedInfo(at_least=1, site=v1.SITE_GREEN), "sunlight, needs 1 green coral"),
    ],
    ids=["any", "of a colour"],
)
def test_the_coral_that_a_place_needs(need: v1.CoralNeedInfo, text: str) -> None:
    assert tables.where_text(v1.CardInfo(zones=[v1.ZONE_SUNLIGHT], needs_coral=need)) == text


OCEAN_DRAWN = """\
Ada
╭────────────┬───────────────────────────┬─────────────────────┬─────────────────────╮
│ Row        │ Blue (B)                  │ Purple (P)          │ Green (G)           │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 1 sunlight │ A Giant with One of the   │ -                   │ -                   │
│            │ Longest Names             │                     │                     │
│            │ 900 cm, 9 pt, consumed 2  │                     │                     │
│            │ egg, 2 young, school      │                     │                     │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 2 sunlight │ -                         │ -                   │ Goby                │
│            │                           │                     │ 1 cm, 0 pt          │
│            │                           │                     │ egg                 │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 3 sunlight │ -                         │ 1 young             │ -                   │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 4 twilight │ Darter                    │ -                   │ -                   │
│            │ 60 cm, 6 pt               │                     │                     │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 5 midnight │ -                         │ -                   │ -                   │
├────────────┼───────────────────────────┼─────────────────────┼─────────────────────┤
│ 6 midnight │ -                         │ -                   │ -                   │
╰────────────┴───────────────────────────┴─────────────────────┴─────────────────────╯"""
REEFS_DRAWN = "│ Reef       │ 3 coral                   │ -                   │ 6 coral, full       │"
HAND_DRAWN = """\
Hand
╭────┬────────────────────┬────────────────────────────┬─────┬────────┬────────────────────────────╮
│ Id │ Fish and tags      │ Cost and place             │ cm  │ Points │ Ability                    │
├────┼────────────────────┼────────────────────────────┼─────┼────────┼────────────────────────────┤
│ 1  │ Minnow             │ free                       │ 5   │ 1      │ 1 of VERB_DRAW.            │
│    │                    │ sunlight                   │     │        │                            │
│ 2  │ Darter             │ 1 card, 1 egg              │ 60  │ 6      │ 2 of VERB_LAY_EGG.         │
│    │ predator, predator │ sunlight, twilight, blue   │     │        │                            │
│ 3  │ Hunter             │ 2 young, 1 school, consume │ 160 │ 4      │ 3 points if it has a       │
│    │ venomous           │ midnight, row 6            │     │        │ school.                    │
╰────┴────────────────────┴────────────────────────────┴─────┴────────┴────────────────────────────╯"""
SCORE_DRAWN = """\
After week 1
╭────────────────────┬─────┬─────╮
│                    │ Ada │ Bob │
├────────────────────┼─────┼─────┤
│ Achievements       │   7 │   0 │
│ Game-end abilities │   0 │   3 │
│ Printed points     │  12 │ 100 │
│ Consumed fish      │   0 │   2 │
│ Eggs               │   4 │   0 │
│ Young              │   0 │  11 │
│ Schools            │   6 │   0 │
├────────────────────┼─────┼─────┤
│ Total              │  29 │ 116 │
├────────────────────┼─────┼─────┤
│ Cards in hand      │   5 │   0 │
│ Rank               │   1 │   2 │
╰────────────────────┴─────┴─────╯"""
DECISION_DRAWN = """\
Ada: play a fish or dive.
1  Dive in the blue site    dive:blue
2  Dive in the purple site  dive:purple
3  Dive in the green site   dive:green"""
