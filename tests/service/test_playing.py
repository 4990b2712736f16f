"""NewGame, LegalMoves, ApplyMove and Score: what they answer."""

import asyncio
from typing import Any
from uuid import UUID

import grpc
import pytest

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message, read_moves
from service.engine.cards import CARDS
from service.engine.digest import public_digest
from service.engine.moves import PAY_CARD, UNIVERSE, Move, MoveKind, parse_move
from service.engine.reasons import why_not
from service.engine.rules import RULES_VERSION, apply, legal_moves, new_game
from service.engine.state import SHARKS_AND_REEFS, Frame, GameState, Options
from tests.service.support import Stub, ask, chance, new_state, played, refusal_of
from tests.wire import state_message

POINTS = (
    *("achievements", "game_end", "printed", "consumed", "eggs", "young", "schools"),
    *("coral", "full_reefs"),
)
each_set = pytest.mark.parametrize("expansions", [(), (SHARKS_AND_REEFS,)], ids=["base", "reefs"])


def moves_of(*ids: str) -> list[pb.Move]:
    return [move_message(parse_move(id_)) for id_ in ids]


# NewGame


async def test_a_new_game_is_the_engine_s(stub: Stub) -> None:
    game = new_game(3, seed="a seed", names=("Ann", "Bo", "")).state
    request = pb.NewGameRequest(
        players=3,
        seed="a seed",
        display_names=["Ann", "Bo", ""],
        form=pb.STATE_FORM_OPEN,
        with_legal_moves=True,
    )
    reply = await stub.NewGame(request)
    assert reply.digest == public_digest(game)
    assert list(reply.state.open.deck.cards) == game.deck[::-1]
    assert [player.display_name for player in reply.state.players] == ["Ann", "Bo", ""]
    assert reply.state.rules_version == RULES_VERSION
    assert [move.id for move in reply.legal_moves] == [move.id for move in legal_moves(game)]
    assert [event.number for event in reply.events] == list(range(len(reply.events)))
    assert {event.version for event in reply.events} == {0}


async def test_a_state_leaves_sealed_unless_it_is_asked_for_open(stub: Stub) -> None:
    assert (await new_state(stub)).WhichOneof("hidden") == "sealed"
    assert (await new_state(stub, form=pb.STATE_FORM_SEALED)).WhichOneof("hidden") == "sealed"
    assert (await new_state(stub, form=pb.STATE_FORM_OPEN)).WhichOneof("hidden") == "open"


async def test_a_game_without_a_seed_gets_a_secret_one(stub: Stub) -> None:
    seeds = [(await new_state(stub, form=pb.STATE_FORM_OPEN)).open.seed for _ in range(2)]
    assert seeds[0] != seeds[1]
    assert all(len(seed) == 43 for seed in seeds)  # 32 bytes in base64


async def test_named_tiles_are_laid_out(stub: Stub) -> None:
    tiles = ["b1_small_fish", "b2_full_rows", "b3_young"]
    state = await new_state(stub, options=pb.GameOptions(side=pb.BOARD_SIDE_B, tiles=tiles))
    assert list(state.achievements) == tiles


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({}, ["players"]),
        ({"players": 2**32 - 1}, ["players"]),
        ({"players": 2, "seed": ""}, ["seed"]),
        ({"players": 2, "seed": "x" * 65}, ["seed"]),
        ({"players": 2, "display_names": ["Ann"]}, ["display_names"]),
        ({"players": 1, "display_names": ["x" * 41]}, ["display_names[0]"]),
        ({"players": 2, "options": {"side": 3}}, ["options.side"]),
        ({"players": 2, "options": {"side": -1}}, ["options.side"]),
        ({"players": 2, "options": {"expansions": [9]}}, ["options.expansions[0]"]),
        ({"players": 2, "options": {"expansions": [1, 1]}}, ["options.expansions"]),
        ({"players": 2, "options": {"tiles": ["x"]}}, ["options.tiles"]),
        ({"players": 2, "options": {"tiles": ["x"] * 9}}, ["options.tiles"]),
        ({"players": 2, "form": 7}, ["form"]),
        (
            {"players": 9, "seed": "x" * 65, "options": {"tiles": ["x"]}},
            ["options.tiles", "seed", "players"],
        ),
        (
            {"players": 9, "form": 7, "seed": "", "options": {"side": 3}},
            ["form", "options.side", "seed", "players"],
        ),
    ],
    ids=str,
)
async def test_what_no_game_can_be_set_up_with(stub: Stub, asked: dict[str, Any], fields: list[str]) -> None:
    refusal = await refusal_of(stub.NewGame(pb.NewGameRequest(**asked)))
    assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refusal.fields == fields


async def test_a_hosted_game_needs_a_request_id(stub: Stub) -> None:
    refusal = await refusal_of(stub.NewGame(pb.NewGameRequest(players=2, form=pb.STATE_FORM_HOSTED)))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["request_id"])


async def test_a_game_with_sharks_and_reefs(stub: Stub) -> None:
    game = new_game(2, Options((SHARKS_AND_REEFS,)), seed="a seed").state
    options = pb.GameOptions(expansions=[pb.EXPANSION_SHARKS_AND_REEFS])
    request = pb.NewGameRequest(players=2, seed="a seed", options=options, form=pb.STATE_FORM_OPEN)
    reply = await stub.NewGame(request)
    assert reply.digest == public_digest(game)
    assert list(reply.state.open.deck.cards) == game.deck[::-1]
    assert [list(player.reefs) for player in reply.state.players] == [[0, 0, 0], [0, 0, 0]]


# A position


@pytest.mark.parametrize("method", ["LegalMoves", "ApplyMove", "Score", "SampleStates"])
async def test_every_call_about_a_position_needs_one(stub: Stub, method: str) -> None:
    requests: dict[str, tuple[Any, dict[str, Any]]] = {
        "LegalMoves": (pb.LegalMovesRequest, {}),
        "ApplyMove": (pb.ApplyMoveRequest, {"moves": moves_of("draw")}),
        "Score": (pb.ScoreRequest, {}),
        "SampleStates": (pb.SampleStatesRequest, {"seed": "s", "count": 1}),
    }
    make, fields = requests[method]
    refusal = await refusal_of(getattr(stub, method)(make(**fields)))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["state"])
    if method == "ApplyMove":
        fields |= {"request_id": str(UUID(int=1)), "expected_version": 0}
    refusal = await refusal_of(getattr(stub, method)(make(game_id="x", **fields)))
    assert (refusal.code.name, refusal.reason) == ("NOT_FOUND", "GAME_NOT_FOUND")


# LegalMoves


@each_set
@pytest.mark.parametrize("moves", [0, 7, 33, 60])
async def test_the_legal_moves_are_the_engine_s_in_their_order(
    stub: Stub, moves: int, expansions: tuple[str, ...]
) -> None:
    state = played(moves, players=3, expansions=expansions)
    reply = await stub.LegalMoves(pb.LegalMovesRequest(state=state_message(state)))
    assert [move.id for move in reply.legal_moves] == [move.id for move in legal_moves(state)]
    assert [parse_move(move.id) for move in reply.legal_moves] == list(legal_moves(state))
    assert [move.move for move in reply.legal_moves] == [move_message(move) for move in legal_moves(state)]
    assert all(move.text for move in reply.legal_moves)
    assert reply.decision.HasField("seat")
    assert reply.digest == public_digest(state)
    assert not reply.why_not
    assert not reply.over


async def test_when_the_game_is_over_there_is_nothing_to_decide(stub: Stub) -> None:
    state = state_message(played(10_000))
    reply = await stub.LegalMoves(pb.LegalMovesRequest(state=state, why_not=True))
    assert reply.over
    assert not reply.HasField("decision")
    assert not reply.legal_moves


def unplayable(state: GameState) -> list[int]:
    """Return the hand cards of the seat that a turn offers no slot for."""
    playable = {move.card for move in legal_moves(state) if move.kind is MoveKind.PLAY_FISH}
    return [card for card in state.players[state.seat].hand if card not in playable]


async def test_why_not_names_each_card_without_a_slot(stub: Stub) -> None:
    state = next(
        state
        for state in map(played, range(100))
        if state.agenda == [Frame.TURN] and len(unplayable(state)) > 1
    )
    reply = await stub.LegalMoves(pb.LegalMovesRequest(state=state_message(state), why_not=True))
    assert [reason.card for reason in reply.why_not if reason.HasField("card")] == unplayable(state)
    assert all(reason.rule.startswith("R") and reason.text for reason in reply.why_not)


async def test_why_not_names_each_kind_that_is_not_offered(stub: Stub) -> None:
    """With an empty hand there is nothing to play."""
    state = played(0)
    state.players[state.seat].hand.clear()
    state.players[1 - state.seat].hand.clear()
    message = state_message(state)
    message.open.ClearField("deck")
    message.ClearField("deck_size")
    reply = await stub.LegalMoves(pb.LegalMovesRequest(state=message, why_not=True))
    assert [reason.kind for reason in reply.why_not] == [pb.MOVE_KIND_PLAY_FISH]


async def test_why_not_gives_a_reason_for_each_named_move_that_is_not_legal(stub: Stub) -> None:
    """In the order in which they are named; those that are legal are left out."""
    state = played(21)
    asked = [*chance(0).sample(UNIVERSE, 2000), *legal_moves(state)]
    request = pb.LegalMovesRequest(
        state=state_message(state), why_not_moves=[move_message(move) for move in asked]
    )
    reply = await stub.LegalMoves(request)
    refused = [move for move in asked if move not in legal_moves(state)]
    assert [reason.move for reason in reply.why_not] == [move_message(move) for move in refused]
    assert [reason.rule for reason in reply.why_not] == [why_not(state, move).rule for move in refused]  # type: ignore[union-attr]


async def test_too_many_named_moves_are_refused(stub: Stub) -> None:
    state = await new_state(stub)
    request = pb.LegalMovesRequest(state=state, why_not_moves=moves_of("draw") * 10_001)
    refusal = await refusal_of(stub.LegalMoves(request))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["why_not_moves"])


# ApplyMove


@each_set
async def test_a_game_is_played_to_its_end_and_scored(stub: Stub, expansions: tuple[str, ...]) -> None:
    """Sealed all the way; each state is the engine's, each version one higher."""
    state = new_game(2, Options(expansions), seed="the same").state
    rng = chance(3)
    options = pb.GameOptions(expansions=[pb.EXPANSION_SHARKS_AND_REEFS for _ in expansions])
    asked = pb.NewGameRequest(players=2, seed="the same", options=options, with_legal_moves=True)
    reply: Any = await stub.NewGame(asked)
    while reply.legal_moves:
        choice = rng.choice(reply.legal_moves)
        state = apply(state, parse_move(choice.id)).state
        request = pb.ApplyMoveRequest(state=reply.state, moves=[choice.move], with_legal_moves=True)
        reply = await stub.ApplyMove(request)
        assert reply.digest == public_digest(state)
        assert reply.version == reply.state.version == state.version
        assert reply.applied == 1
        assert {event.version for event in reply.events} == {state.version}
    assert reply.over
    assert not reply.HasField("decision")
    score = await stub.Score(pb.ScoreRequest(state=reply.state))
    assert score.over
    assert [player.rank for player in score.players].count(1) == len(score.winners)
    assert {player.seat for player in score.players if player.rank == 1} == set(score.winners)


async def test_the_form_of_a_state_stays(stub: Stub) -> None:
    for form, hidden in ((pb.STATE_FORM_SEALED, "sealed"), (pb.STATE_FORM_OPEN, "open")):
        state = await new_state(stub, form=form)
        reply = await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=moves_of("dive:blue")))
        assert reply.state.WhichOneof("hidden") == hidden


async def test_a_dry_run_tells_all_but_the_state(stub: Stub) -> None:
    state = await new_state(stub, seed="s")
    wet = await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=moves_of("dive:blue")))
    dry = await stub.ApplyMove(
        pb.ApplyMoveRequest(state=state, moves=moves_of("dive:blue"), validate_only=True)
    )
    assert not dry.HasField("state")
    wet.ClearField("state")
    assert dry == wet


async def test_several_moves_are_as_good_as_one_by_one(stub: Stub) -> None:
    start = new_game(2, seed="several").state
    moves, state = [], start
    for _ in range(20):
        moves.append(legal_moves(state)[0])
        state = apply(state, moves[-1]).state
    reply = await stub.ApplyMove(
        pb.ApplyMoveRequest(state=state_message(start), moves=[move_message(move) for move in moves])
    )
    assert reply.digest == public_digest(state)
    assert (reply.applied, reply.version) == (20, 20)
    numbers = [(event.version, event.number) for event in reply.events]
    assert numbers == sorted(set(numbers))


def with_a_price_that_is_paid_unasked() -> tuple[GameState, Move]:
    """Return a turn, and the play of a card whose only payment is the rest of the hand."""
    for seed in range(1000):
        state = played(8, seed=str(seed))
        for move in legal_moves(state):
            if move.kind is MoveKind.PLAY_FISH:
                events = apply(state, move).events
                if [type(event).__name__ for event in events].count("CardPaid") == 1:
                    return state, move
    raise AssertionError


async def test_a_payment_made_unasked_is_passed_over(stub: Stub) -> None:
    state, play = with_a_price_that_is_paid_unasked()
    paid = next(event for event in apply(state, play).events if type(event).__name__ == "CardPaid")
    moves = [move_message(play), move_message(PAY_CARD[paid.card])]  # type: ignore[union-attr]
    reply = await stub.ApplyMove(pb.ApplyMoveRequest(state=state_message(state), moves=moves))
    assert (reply.applied, reply.version) == (2, state.version + 1)


async def test_all_or_nothing(stub: Stub) -> None:
    state = await new_state(stub)
    request = pb.ApplyMoveRequest(state=state, moves=moves_of("dive:purple", "dive:purple"))
    refusal = await refusal_of(stub.ApplyMove(request))
    assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "ILLEGAL_MOVE")
    assert refusal.metadata["move"] == "dive:purple"
    assert refusal.metadata["move_index"] == "1"
    assert refusal.metadata["rule"].startswith("R")


async def test_a_refusal_says_which_rule_and_why(stub: Stub) -> None:
    state = played(0)
    hand = state.players[state.seat].hand
    stranger = next(card for card in range(1, 120) if card not in hand)
    request = pb.ApplyMoveRequest(state=state_message(state), moves=moves_of(f"play:{stranger}@B1"))
    refusal = await refusal_of(stub.ApplyMove(request))
    assert refusal.metadata == {"rule": "R5.1", "move": f"play:{stranger}@B1", "move_index": "0"}
    assert refusal.message == f"{CARDS[stranger].name} is not in your hand. (R5.1)"


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({}, "moves[0]"),
        ({"play_fish": {"card": 0, "slot": 1}}, "moves[0].play_fish.card"),
        ({"play_fish": {"card": 301, "slot": 1}}, "moves[0].play_fish.card"),
        ({"play_fish": {"card": 216, "slot": 1}}, "moves[0].play_fish.card"),
        ({"play_fish": {"card": 1}}, "moves[0].play_fish.slot"),
        ({"play_fish": {"card": 1, "slot": 19}}, "moves[0].play_fish.slot"),
        ({"play_fish": {"card": 1, "slot": -(2**31)}}, "moves[0].play_fish.slot"),
        ({"dive": {}}, "moves[0].dive.site"),
        ({"dive": {"site": 4}}, "moves[0].dive.site"),
        ({"move_young": {"from": 1, "to": 77}}, "moves[0].move_young.to"),
        ({"move_school": {"to": 1}}, "moves[0].move_school.from"),
        ({"consume": {"slot": 2, "card": 2**32 - 1}}, "moves[0].consume.card"),
        ({"scatter": {}}, "moves[0].scatter.slot"),
        ({"gain_coral": {"site": 4}}, "moves[0].gain_coral.site"),
        ({"buy_coral": {}}, "moves[0].buy_coral"),
        ({"buy_coral": {"egg": 0}}, "moves[0].buy_coral.egg"),
        ({"buy_coral": {"young": 19}}, "moves[0].buy_coral.young"),
        ({"buy_coral": {"card": 302}}, "moves[0].buy_coral.card"),
    ],
    ids=str,
)
async def test_a_move_that_cannot_be_said(stub: Stub, move: dict[str, Any], field: str) -> None:
    request = pb.ApplyMoveRequest(state=await new_state(stub), moves=[pb.Move(**move)])
    refusal = await refusal_of(stub.ApplyMove(request))
    assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert refusal.fields == [field]


@pytest.mark.parametrize("count", [0, 1001])
async def test_how_many_moves_a_call_takes(stub: Stub, count: int) -> None:
    request = pb.ApplyMoveRequest(state=await new_state(stub), moves=moves_of("draw") * count)
    refusal = await refusal_of(stub.ApplyMove(request))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ["moves"])


def test_every_move_is_written_and_read_without_loss() -> None:
    faults: list[Any] = []
    read = read_moves([move_message(move) for move in UNIVERSE], "moves", faults)
    assert read == list(UNIVERSE)
    assert not faults


# Score


@each_set
@pytest.mark.parametrize(("players", "moves"), [(1, 10_000), (2, 80), (4, 150), (5, 10_000)])
async def test_the_score_sheet_adds_up(
    stub: Stub, players: int, moves: int, expansions: tuple[str, ...]
) -> None:
    state = played(moves, players=players, expansions=expansions)
    reply = await stub.Score(pb.ScoreRequest(state=state_message(state)))
    assert [player.seat for player in reply.players] == list(range(players))
    for player in reply.players:
        assert player.total == sum(getattr(player, part) for part in POINTS)
    assert reply.over == state.is_over
    assert bool(reply.winners) == state.is_over


async def test_other_calls_have_their_turn_during_long_ones(channel: grpc.aio.Channel, stub: Stub) -> None:
    """There is one event loop: health answers while a thousand samples are drawn."""
    request = pb.SampleStatesRequest(state=state_message(played(21)), seed="long", count=1000)
    long_call = asyncio.ensure_future(stub.SampleStates(request))
    answered = 0
    while not long_call.done():
        await ask(channel, "/grpc.health.v1.Health/Check")
        answered += 1
    assert len((await long_call).states) == 1000
    assert answered > 3
