"""Open states built by hand: what they may leave out, and what is wrong with those that are refused."""

from typing import Any

import pytest

from finspan.v1 import finspan_pb2 as pb
from service.engine.rng import Generator
from service.engine.samples import unseen_cards
from service.engine.state import Frame
from service.positions import Positions
from service.seal import Seals
from tests.service.support import Stub, Value, played, refusal_of
from tests.wire import state_message

FORAGE = [{"slot": 5, "fish": 303}, {"slot": 10, "fish": 302}, {"slot": 14, "fish": 301}]
"""B5, P4 and G2 (R1.5)."""
STARTERS = [[126, 127], [128, 129]]
REEFS = {"expansions": [pb.EXPANSION_SHARKS_AND_REEFS]}
AT_THE_REEF = {"benefits": {"seat": 1, "source": {"bonus": {"site": 1, "stop": 6}}, "left": [1]}}
BEHIND_THE_REEF = {"dive": {"site": 1, "next_stop": 7}}

POSITIONS = Positions(Seals({"k": bytes(32)}))


def ocean(*slots: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an ocean of the forage fish, other entries in the place of theirs."""
    entries = {entry["slot"]: entry for entry in (*FORAGE, *slots)}
    return [entries[slot] for slot in sorted(entries)]


def player(*slots: dict[str, Any], seat: int = 0, **fields: Value) -> dict[str, Any]:
    return {"ocean": ocean(*slots), "hand": STARTERS[seat], **fields}


def by_hand(**changes: Value) -> pb.GameState:
    """Return a state of two players that leaves out all that it may, with these fields changed."""
    fields: dict[str, Any] = {
        "players": [player(seat=0), player(seat=1)],
        "week": 1,
        "turn": 3,
        "seat": 1,
        "first_player": 0,
        "open": {"seed": "by hand"},
    }
    return pb.GameState(**{**fields, **changes})


# What may be left out.


def test_the_gaps_are_filled_in() -> None:
    game = POSITIONS.read(by_hand()).state
    assert game.tiles == ("a1", "a2", "a3")
    assert game.undealt == (130, 131, 132, 133, 134, 135)
    assert game.agenda == [Frame.TURN]
    assert game.version == 0
    assert game.names == ("", "")


@pytest.mark.parametrize("counter", [0, 7])
def test_a_deck_left_out_is_shuffled_from_the_seed(counter: int) -> None:
    """The counter goes on behind the shuffle."""
    game = POSITIONS.read(by_hand(open={"seed": "by hand", "counter": counter})).state
    generator = Generator("by hand", counter)
    assert game.deck == generator.shuffled(unseen_cards(game))
    assert sorted(game.deck) == list(range(1, 126))
    assert game.counter == generator.counter > counter


def test_a_deck_that_is_given_stays() -> None:
    cards = list(range(125, 0, -1))
    game = POSITIONS.read(by_hand(open={"seed": "s", "counter": 3, "deck": {"cards": cards}})).state
    assert game.deck[::-1] == cards
    assert game.counter == 3


def test_a_deck_can_be_empty() -> None:
    """Given and empty is not left out: here all cards lie on a discard pile."""
    players = [player(seat=0, discard_pile=range(1, 126)), player(seat=1)]
    game = POSITIONS.read(by_hand(players=players, open={"seed": "s", "deck": {}})).state
    assert game.deck == []
    assert game.counter == 0


def test_starters_in_a_given_deck_are_not_undealt() -> None:
    """They came there with the discard piles (R7.1)."""
    cards = [*range(1, 126), 126]
    players = [player(seat=0, hand=[127]), player(seat=1)]
    game = POSITIONS.read(by_hand(players=players, open={"seed": "s", "deck": {"cards": cards}})).state
    assert 126 not in game.undealt


def test_with_five_players_no_starter_is_undealt() -> None:
    """One that lies nowhere is therefore in the deck."""
    hands = [[126 + 2 * seat, 127 + 2 * seat] for seat in range(5)]
    hands[3].remove(132)
    players = [{"ocean": FORAGE, "hand": hand} for hand in hands]
    game = POSITIONS.read(by_hand(players=players)).state
    assert game.undealt == ()
    assert 132 in game.deck


def test_tiles_that_are_named_need_not_be_laid_out_again() -> None:
    tiles = ["b1_small_fish", "b2_full_rows", "b3_young"]
    game = POSITIONS.read(by_hand(options={"side": pb.BOARD_SIDE_B, "tiles": tiles})).state
    assert list(game.tiles) == tiles


def test_reefs_left_out_are_empty() -> None:
    game = POSITIONS.read(by_hand(options=REEFS)).state
    assert [one.reefs for one in game.players] == [[0, 0, 0], [0, 0, 0]]
    assert game.undealt == (130, 131, 132, 133, 134, 135, 211, 212, 213, 214, 215)
    assert sorted(game.deck) == [*range(1, 126), *range(136, 211)]


async def test_a_state_by_hand_is_played_on_at_its_reef(stub: Stub) -> None:
    players = [player(seat=0), player({"slot": 5, "fish": 303, "egg": True}, seat=1, reefs=[3, 0, 6])]
    agenda = [AT_THE_REEF, BEHIND_THE_REEF, {"end_turn": {}}]
    state = by_hand(options=REEFS, players=players, agenda=agenda)
    buy = pb.Move(buy_coral=pb.BuyCoral(egg=pb.SLOT_B5))
    reply = await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[buy]))
    assert [list(one.reefs) for one in reply.state.players] == [[0, 0, 0], [4, 0, 6]]
    again = await stub.LegalMoves(pb.LegalMovesRequest(state=reply.state))
    assert again.digest == reply.digest


def test_order_means_nothing_where_it_means_nothing() -> None:
    full = state_message(played(60, players=3))
    turned = pb.GameState()
    turned.CopyFrom(full)
    for one in turned.players:
        for name in ("hand", "discard_pile", "deep_bonuses_used", "game_end_fish_used"):
            items = getattr(one, name)
            items[:] = list(items)[::-1]
        entries = [pb.SlotState.FromString(entry.SerializeToString()) for entry in one.ocean]
        del one.ocean[:]
        for entry in reversed(entries):
            entry.consumed[:] = list(entry.consumed)[::-1]
            one.ocean.append(entry)
    turned.undealt_starters[:] = list(turned.undealt_starters)[::-1]
    assert turned != full
    assert POSITIONS.read(turned).public == POSITIONS.read(full).public


def test_what_follows_may_be_left_out() -> None:
    full = state_message(played(33))
    bare = pb.GameState()
    bare.CopyFrom(full)
    bare.ClearField("deck_size")
    bare.ClearField("rules_version")
    bare.options.ClearField("side")
    for one in bare.players:
        one.ClearField("divers_left")
    assert POSITIONS.read(bare).public == POSITIONS.read(full).public


async def test_a_state_by_hand_is_played_on_and_stays_open(stub: Stub) -> None:
    dive = pb.Move(dive=pb.Dive(site=pb.SITE_BLUE))
    reply = await stub.ApplyMove(pb.ApplyMoveRequest(state=by_hand(), moves=[dive]))
    assert reply.state.open.seed == "by hand"
    assert reply.state.version == 1
    again = await stub.LegalMoves(pb.LegalMovesRequest(state=reply.state))
    assert again.digest == reply.digest


def test_a_game_that_is_over_says_so() -> None:
    over = state_message(played(10_000))
    assert [step.WhichOneof("step") for step in over.agenda] == ["game_over"]
    assert POSITIONS.read(over).state.is_over


# What is refused.

PAY = {"pay": {"card": 126, "slot": 4, "eggs": 1}}
FISH = {"fish": {"seat": 1, "slot": 5, "card": 303}}
SCATTER = {"scatter": {"seat": 1, "source": FISH, "used": [1]}}
ALSO_IF = {"also_if": FISH}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seat": None}, "seat"),
        ({"first_player": None}, "first_player"),
        ({"players": [player()] * 6}, "players"),
        ({"players": [{"ocean": ocean({"slot": 0, "young": 1})}]}, "players[0].ocean[0].slot"),
        ({"players": [{"ocean": ocean({"slot": 19, "young": 1})}]}, "players[0].ocean[3].slot"),
        ({"players": [{"ocean": ocean({"slot": -5, "young": 1})}]}, "players[0].ocean[0].slot"),
        ({"players": [{"ocean": [*FORAGE, FORAGE[1]]}]}, "players[0].ocean[3].slot"),
        ({"players": [{"ocean": ocean({"slot": 1})}]}, "players[0].ocean[0]"),
        ({"players": [{"ocean": ocean() * 7}]}, "players[0].ocean"),
        ({"players": [{"ocean": ocean({"slot": 1, "fish": 0, "young": 1})}]}, "players[0].ocean[0].fish"),
        ({"players": [{"ocean": ocean({"slot": 1, "fish": 216})}]}, "players[0].ocean[0].fish"),
        (
            {"players": [{"ocean": ocean({"slot": 5, "fish": 303, "consumed": [0]})}]},
            "players[0].ocean[0].consumed[0]",
        ),
        ({"players": [player(), player(hand=[1, 999])]}, "players[1].hand[1]"),
        ({"players": [player(discard_pile=[2**32 - 1])]}, "players[0].discard_pile[0]"),
        ({"players": [player(deep_bonuses_used=[1, 1])]}, "players[0].deep_bonuses_used"),
        ({"players": [player(deep_bonuses_used=[4])]}, "players[0].deep_bonuses_used[0]"),
        ({"players": [player(game_end_fish_used=[2**31 - 1])]}, "players[0].game_end_fish_used[0]"),
        ({"players": [player(game_end_fish_used=[-(2**31)])]}, "players[0].game_end_fish_used[0]"),
        ({"players": [player(achievement_points=[{}] * 5)]}, "players[0].achievement_points"),
        ({"achievements": ["a1"] * 4}, "achievements"),
        ({"undealt_starters": [0]}, "undealt_starters[0]"),
        ({"deck_size": 2**32 - 1}, "deck_size"),
        ({"options": {"side": 9}}, "options.side"),
        ({"agenda": [{}]}, "agenda[0]"),
        ({"agenda": [{"turn": {}}] * 65}, "agenda"),
        ({"agenda": [{"pay": {"card": 0, "slot": 1}}]}, "agenda[0].pay.card"),
        ({"agenda": [{"pay": {"card": 1}}]}, "agenda[0].pay.slot"),
        ({"agenda": [{"benefits": {"source": FISH, "left": [1]}}]}, "agenda[0].benefits.seat"),
        (
            {"agenda": [{"benefits": {"seat": 1, "source": FISH, "left": [1] * 17}}]},
            "agenda[0].benefits.left",
        ),
        ({"agenda": [{"dive": {"site": 9, "next_stop": 1}}]}, "agenda[0].dive.site"),
        ({"agenda": [{"dive": {"site": 1, "next_stop": 12}}]}, "agenda[0].dive.next_stop"),
        ({"agenda": [{"all_players": {"fish": FISH["fish"]}}]}, "agenda[0].all_players.next_seat"),
        ({"players": [player(reefs=[1, 2])]}, "players[0].reefs"),
        ({"players": [player(), player(reefs=[1] * 4)]}, "players[1].reefs"),
        ({"agenda": [{"scatter": {"source": FISH, "used": [1]}}]}, "agenda[0].scatter.seat"),
        ({"agenda": [{"scatter": {"seat": 1, "source": FISH, "used": [19]}}]}, "agenda[0].scatter.used[0]"),
        ({"agenda": [{"scatter": {"seat": 1, "source": FISH, "used": [2, 2]}}]}, "agenda[0].scatter.used"),
        ({"agenda": [{"also_if": {"fish": {"seat": 1, "slot": 5}}}]}, "agenda[0].also_if.fish.card"),
        ({"open": {}}, "open.seed"),
        ({"open": {"seed": "x" * 65}}, "open.seed"),
        ({"open": {"seed": "s", "deck": {"cards": [1, 500]}}}, "open.deck.cards[1]"),
    ],
)
async def test_what_cannot_be_is_named_with_its_path(stub: Stub, changes: dict[str, Any], field: str) -> None:
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=by_hand(**changes))))
    assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refusal.fields == [field]


async def test_a_source_of_benefits_is_a_fish_or_a_bonus(stub: Stub) -> None:
    agenda = [{"benefits": {"seat": 1, "source": {"rule": "R3.1"}, "left": [1]}}]
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=by_hand(agenda=agenda))))
    assert refusal.fields[0] == "agenda[0].benefits.source"


async def test_all_that_cannot_be_is_named_at_once(stub: Stub) -> None:
    state = by_hand(
        seat=None,
        players=[player({"slot": 25, "young": 1}, hand=[998]), player(discard_pile=[999])],
        agenda=[{}],
        open={},
    )
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=state)))
    assert set(refusal.fields) == {
        "seat",
        "players[0].ocean[3].slot",
        "players[0].hand[0]",
        "players[1].discard_pile[0]",
        "agenda[0]",
        "open.seed",
    }


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"players": []}, "R2.1"),
        ({"week": 0}, "R3.1"),
        ({"turn": 7}, "R3.1"),
        ({"seat": 2}, "R3.1"),
        ({"version": 2**32 - 1}, "R2.5"),
        ({"players": [player({"slot": 1, "egg": True}), player(seat=1)]}, "R4.1"),
        ({"players": [player({"slot": 1, "young": 100, "school": True}), player(seat=1)]}, "R4.1"),
        ({"players": [player({"slot": 1, "young": 3}), player(seat=1)]}, "R4.2"),
        ({"players": [player(), player()]}, "R1.3"),
        ({"players": [player(hand=[126, 127, 301]), player(seat=1)]}, "R1.5"),
        ({"players": [player(hand=[126, 127, 136]), player(seat=1)]}, "R2.4"),
        ({"players": [player(display_name="x" * 41), player(seat=1)]}, "R2.1"),
        ({"week": 2}, "R8.1"),
        ({"options": {"side": pb.BOARD_SIDE_B}}, "R2.3"),
        ({"agenda": [{"game_over": {}}]}, "R9.1"),
        ({"agenda": [{"end_turn": {}}]}, "R3.3"),
        ({"agenda": [PAY]}, "R3.1"),
        ({"agenda": [PAY, {"end_turn": {}}]}, "R5.1"),
        ({"players": [player(reefs=[1, 0, 0]), player(seat=1)]}, "R11.1"),
        ({"options": REEFS, "players": [player(reefs=[0, 0, 7]), player(seat=1)]}, "R11.1"),
        ({"options": REEFS, "players": [player({"slot": 13, "fish": 154}), player(seat=1)]}, "R11.4"),
        ({"options": REEFS, "agenda": [SCATTER, {"end_turn": {}}]}, "R7.5"),
        ({"options": REEFS, "agenda": [ALSO_IF, {"end_turn": {}}]}, "R3.3"),
        ({"agenda": [AT_THE_REEF, BEHIND_THE_REEF, {"end_turn": {}}]}, "R2.4"),
        ({"agenda": [{"dive": {"site": 1, "next_stop": 6}}, {"end_turn": {}}]}, "R3.3"),
        ({"open": {"seed": "s", "deck": {}}}, "R1.3"),
        ({"open": {"seed": "s", "deck": {"cards": [*range(1, 126), 5]}}}, "R1.3"),
    ],
)
async def test_what_the_rules_rule_out_is_named_with_its_rule(
    stub: Stub, changes: dict[str, Any], rule: str
) -> None:
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=by_hand(**changes))))
    assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "IMPOSSIBLE_STATE")
    assert any(text.endswith(f"({rule})") and reason == rule for _, text, reason in refusal.violations)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"deck_size": 3}, "deck_size"),
        ({"players": [player(divers_left=6), player(seat=1)]}, "players[0].divers_left"),
    ],
    ids=["deck", "divers"],
)
async def test_what_follows_has_to_be_what_follows(stub: Stub, changes: dict[str, Any], field: str) -> None:
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=by_hand(**changes))))
    assert (refusal.reason, refusal.fields) == ("IMPOSSIBLE_STATE", [field])


async def test_another_rules_version_comes_first(stub: Stub) -> None:
    """Such a state may hold what this version could not even read."""
    state = by_hand(rules_version="2", agenda=[{}], players=[player(hand=[400])])
    refusal = await refusal_of(stub.Score(pb.ScoreRequest(state=state)))
    assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "RULES_VERSION")
    assert refusal.metadata["requested"] == "2"
