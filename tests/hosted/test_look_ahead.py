"""Tricks to see what is hidden in a hosted game before one's move is made. None works."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from google.protobuf.message import Message
from redis.asyncio import Redis

from finspan.v1 import finspan_pb2 as pb
from service.convert import move_message
from service.engine.events import DeckRenewed, reveals
from service.engine.moves import PAY_CARD, UNIVERSE, Move, MoveKind
from service.engine.rules import apply, legal_moves
from service.engine.state import GameState
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.tables import (
    AS_ADMIN,
    REEFS,
    SEED,
    SETTINGS,
    Seats,
    bearer,
    deciding,
    known_seats,
    message_of,
    new_id,
    new_request,
    new_seats,
)
from tests.service.support import Stub, Value, chance, refusal_of
from tests.service.test_secrecy import traces_of
from tests.wire import state_message

HIDDEN = {"sealed", "open", "seed", "opening"}


def messages_in(message: Message) -> Iterator[Message]:
    """Yield a message and all that it holds."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else [value]:
                yield from messages_in(inner)


def hidden_in(message: Message) -> set[str]:
    """Return the names of set fields that speak of what is hidden."""
    return {
        field.name for each in messages_in(message) for field, _ in each.ListFields() if field.name in HIDDEN
    }


def revealing(state: GameState, moves: tuple[Move, ...]) -> list[Move]:
    return [move for move in moves if reveals(apply(state, move).events)]


async def before_a_reveal(stub: Stub, **fields: Value) -> tuple[Seats, GameState, Move]:
    """Return a game in which some move reveals something, and such a move."""
    seats, state = await known_seats(stub, **fields)
    while not (found := revealing(state, legal_moves(state))):
        state = await seats.play(state, 1, seed=state.version)
    return seats, state, found[0]


# What replies hold.


def questions(stub: Stub, game_id: str, version: int) -> list[tuple[Any, Message]]:
    """Return what may be asked about a game."""
    why = [move_message(move) for move in UNIVERSE[::200]]
    return [
        (stub.LegalMoves, pb.LegalMovesRequest(game_id=game_id, why_not=True, why_not_moves=why)),
        (stub.GetGame, pb.GetGameRequest(game_id=game_id, with_legal_moves=True)),
        (stub.GetGame, pb.GetGameRequest(game_id=game_id, version=0, form=pb.STATE_FORM_HOSTED)),
        (stub.Score, pb.ScoreRequest(game_id=game_id)),
        (stub.ListEvents, pb.ListEventsRequest(game_id=game_id, from_version=version // 2, page_size=20)),
        (stub.ForkGame, pb.ForkGameRequest(game_id=game_id, request_id=new_id())),
    ]


@pytest.mark.parametrize("options", [None, REEFS], ids=["base", "reefs"])
async def test_no_reply_has_a_hidden_part_before_the_end(
    replica: Replica, options: pb.GameOptions | None
) -> None:
    """A whole game, with all that may be asked on the way; nor does the log have anything of it."""
    stub = replica.stub
    seats, state = await known_seats(stub, options=options)
    rng, said, traces = chance(1), list[Message](), traces_of(state)
    while moves := legal_moves(state):
        seat = deciding(state)
        metadata = seats.as_seat(rng.randrange(2))
        ask, request = rng.choice(questions(stub, seats.id, state.version))
        said.append(await ask(request, metadata=metadata))
        move = rng.choice(moves)
        said.append(await seats.move(seat, state.version, move, validate_only=True))
        transition = apply(state, move)
        state = transition.state
        reply = await seats.move(seat, state.version - 1, move, with_legal_moves=True)
        said.append(reply)
        if any(isinstance(event, DeckRenewed) for event in transition.events):
            traces |= traces_of(state)
    assert {name for each in said for name in hidden_in(each)} == set()
    written = [each.SerializeToString() for each in said]
    log = replica.server.log.getvalue().encode()
    for trace in traces:
        assert not any(trace in one for one in written)
        assert trace not in log
    assert hidden_in(await seats.get()) == {"opening", "seed"}


async def test_a_new_game_has_no_hidden_part(stub: Stub) -> None:
    request = new_request(seed=SEED, with_legal_moves=True)
    assert hidden_in(await stub.NewGame(request, metadata=AS_ADMIN)) == set()


async def test_samples_are_open_but_never_the_truth(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    state = await seats.play(state, 10)
    for seed in (SEED, state.seed, "s"):
        request = pb.SampleStatesRequest(game_id=seats.id, seed=seed, count=50)
        reply = await stub.SampleStates(request, metadata=seats.as_seat(0))
        decks = [list(each.open.deck.cards) for each in reply.states]
        assert state.deck[::-1] not in decks
        assert all(sorted(deck) == sorted(state.deck) for deck in decks)
        assert len({tuple(deck) for deck in decks}) == 50


# Several moves in a call.


async def test_a_call_stops_behind_the_first_reveal(stub: Stub) -> None:
    """What comes behind it is not even looked at, legal or not; and the reply says how many were."""
    seats, state, move = await before_a_reveal(stub)
    behind = [message_of("pass")] * 3
    reply = await seats.move(deciding(state), state.version, move, *behind)
    assert (reply.applied, reply.version) == (1, state.version + 1)
    assert reply.digest == (await seats.get()).digest
    assert len(await seats.log()) == state.version + 2


async def test_what_is_behind_a_reveal_makes_no_difference(stub: Stub) -> None:
    """The same reply to the same move with this, that or nothing behind it."""
    replies = []
    for behind in ([], ["pass"], ["draw"], ["dive:blue"] * 5, ["play:1@B1"]):
        seats, state, move = await before_a_reveal(stub)
        reply = await seats.move(deciding(state), state.version, move, *behind)
        replies.append(reply)
    assert all(reply == replies[0] for reply in replies)


async def test_moves_that_reveal_nothing_are_all_carried_out(stub: Stub) -> None:
    """Up to the first that does: of an illegal one before it, all are refused, and its index told."""
    seats, state = await known_seats(stub)
    start, seat, moves = state, deciding(state), list[Move]()
    while True:
        offered = legal_moves(state)
        quiet = [move for move in offered if not reveals(apply(state, move).events)]
        if deciding(state) != seat or not quiet:
            break
        moves.append(quiet[0])
        state = apply(state, quiet[0]).state
    assert len(moves) > 1
    refusal = await refusal_of(seats.move(seat, 0, *moves[:-1], "play:1@B1", moves[-1]))
    assert (refusal.reason, refusal.metadata["move_index"]) == ("ILLEGAL_MOVE", str(len(moves) - 1))
    assert (await seats.get()).game.version == 0
    reply = await seats.move(seat, 0, *moves)
    assert (reply.applied, reply.version) == (len(moves), len(moves))
    assert start.version == 0


async def test_moves_of_the_next_seat_are_refused_altogether(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    while True:
        moves = [move for move in legal_moves(state) if not reveals(apply(state, move).events)]
        handing = [move for move in moves if deciding(apply(state, move).state) != deciding(state)]
        if handing:
            break
        state = await seats.play(state, 1)
    refusal = await refusal_of(
        seats.move(deciding(state), state.version, handing[0], legal_moves(apply(state, handing[0]).state)[0])
    )
    assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
    assert refusal.metadata["move_index"] == "1"
    assert (await seats.get()).game.version == state.version


async def test_a_payment_made_unasked_is_passed_over_though_the_turn_is_over(stub: Stub) -> None:
    """A frontend sends a whole composed play; that the last card was paid by itself is not its fault."""
    seats, state = await known_seats(stub, players=2)
    rng = chance(0)
    while True:
        for play in (move for move in legal_moves(state) if move.kind is MoveKind.PLAY_FISH):
            after = apply(state, play)
            paid = [event for event in after.events if type(event).__name__ == "CardPaid"]
            if len(paid) == 1 and not reveals(after.events) and deciding(after.state) != deciding(state):
                payment: Any = paid[0]
                again = PAY_CARD[payment.card]
                reply = await seats.move(deciding(state), state.version, play, again)
                assert (reply.applied, reply.version) == (2, state.version + 1)
                return
        move = rng.choice(legal_moves(state))
        await seats.move(deciding(state), state.version, move)
        state = apply(state, move).state


# Dry runs.


async def test_a_dry_run_stops_before_a_reveal_and_changes_nothing(stub: Stub) -> None:
    seats, state, move = await before_a_reveal(stub)
    before = await seats.get(form=pb.STATE_FORM_OPEN)
    dry = await seats.move(deciding(state), state.version, move, "pass", "draw", validate_only=True)
    assert (dry.applied, dry.version, list(dry.events)) == (0, state.version, [])
    assert dry.digest == before.digest
    assert not dry.HasField("state")
    assert await seats.get(form=pb.STATE_FORM_OPEN) == before
    assert len(await seats.log()) == state.version + 1


async def test_a_dry_run_is_for_the_deciding_seat_and_the_newest_version(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    move = legal_moves(state)[0]
    refusals = [
        await refusal_of(seats.move(1, 0, move, validate_only=True)),
        await refusal_of(seats.move(0, 1, move, validate_only=True)),
        await refusal_of(seats.move(0, 0, "draw", validate_only=True)),
    ]
    assert [refusal.reason for refusal in refusals] == ["NOT_YOUR_SEAT", "VERSION_LOST", "ILLEGAL_MOVE"]
    await seats.move(0, 0, move, validate_only=True, request_id="")


async def test_a_dry_run_binds_no_request_id(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    id_, moves = new_id(), legal_moves(state)
    for move in moves:
        await seats.move(0, 0, move, validate_only=True, request_id=id_)
    assert (await seats.move(0, 0, moves[0], request_id=id_)).version == 1


# Forks.


async def deck_of_fork(seats: Seats, **fields: Value) -> list[int]:
    request = pb.ForkGameRequest(game_id=seats.id, request_id=new_id(), **fields)
    reply = await seats.stub.ForkGame(request, metadata=seats.as_seat(0))
    fork = Seats(seats.stub, reply.game.game_id, [])
    return list((await fork.get(form=pb.STATE_FORM_OPEN)).state.open.deck.cards)


async def test_forks_draw_afresh_and_independently(stub: Stub) -> None:
    """The true place of a card says nothing about its place in a fork, nor do other forks."""
    seats, state = await known_seats(stub)
    truth = state.deck[::-1]
    decks = [await deck_of_fork(seats) for _ in range(60)]
    assert len({tuple(deck) for deck in [truth, *decks]}) == 61
    for one, two in zip([truth, *decks], decks, strict=False):
        assert sum(a == b for a, b in zip(one, two, strict=True)) < 12  # of a Poisson distribution of mean 1
    same = sum(a == b for deck in decks for a, b in zip(truth, deck, strict=True))
    assert 25 < same < 110  # 60 of them are to be expected, give or take 8
    tops = {deck[0] for deck in decks}
    assert len(tops) > 25


async def test_a_fork_of_the_past_or_of_a_fork_is_drawn_afresh_too(stub: Stub) -> None:
    seats, state = await known_seats(stub)
    first = state.deck[::-1]
    await seats.play(state, 10)
    assert await deck_of_fork(seats, version=0) != first


# Seeds.


@pytest.mark.parametrize("seed", [SEED, "x", ""])
async def test_only_an_administrator_names_a_seed(stub: Stub, seed: str) -> None:
    seats = await new_seats(stub)
    for metadata in ((), seats.as_seat(0)):
        refusal = await refusal_of(stub.NewGame(new_request(seed=seed), metadata=metadata))
        assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_ALLOWED")


async def test_a_token_to_administer_one_game_names_no_seed_of_another(stub: Stub) -> None:
    seats = await new_seats(stub)
    request = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_ADMIN)
    token = (await stub.IssueSeatToken(request, metadata=AS_ADMIN)).token.token
    refusal = await refusal_of(stub.NewGame(new_request(seed="x"), metadata=bearer(token)))
    assert refusal.reason == "NOT_ALLOWED"


async def test_games_without_a_seed_differ(stub: Stub) -> None:
    hands = [(await stub.NewGame(new_request())).digest for _ in range(20)]
    assert len(set(hands)) == 20


# Hosted states elsewhere.


async def test_a_hosted_state_is_worth_nothing_outside(stub: Stub) -> None:
    seats, _ = await known_seats(stub)
    state = (await seats.get()).state
    draw = [message_of("dive:blue")]
    calls: list[Awaitable[object]] = [
        stub.LegalMoves(pb.LegalMovesRequest(state=state)),
        stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=draw)),
        stub.Score(pb.ScoreRequest(state=state)),
    ]
    for call in calls:
        refusal = await refusal_of(call)
        assert (refusal.code.name, refusal.reason) == ("INVALID_ARGUMENT", "HIDDEN_PART_MISSING")
    assert (await stub.SampleStates(pb.SampleStatesRequest(state=state, seed="s", count=1))).states


async def test_a_request_names_one_position(stub: Stub) -> None:
    """A carried state in the place of a hosted game changes nothing of it: of two, the last one counts."""
    seats, state = await known_seats(stub)
    request = seats.request(0, "dive:blue")
    request.state.CopyFrom(state_message(state))
    assert request.WhichOneof("position") == "state"
    await stub.ApplyMove(request, metadata=seats.as_seat(0))
    assert (await seats.get()).game.version == 0


async def test_the_truth_is_for_administrators_until_the_end(stub: Stub) -> None:
    seats = await new_seats(stub, public_watching=True)
    request = pb.GetGameRequest(game_id=seats.id, form=pb.STATE_FORM_OPEN)
    for metadata in ((), seats.as_seat(0), seats.as_seat(1)):
        refusal = await refusal_of(stub.GetGame(request, metadata=metadata))
        assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_ALLOWED")
    assert (await stub.GetGame(request, metadata=AS_ADMIN)).state.HasField("open")


# Twins: two games that differ in hidden facts alone give the same replies until something is revealed.


Ask = Callable[[Seats, GameState], Awaitable[Any]]


async def _moves(seats: Seats, state: GameState) -> list[Any]:
    """Return the replies to all moves tried, and to one that is made."""
    replies: list[Any] = [
        await seats.move(deciding(state), state.version, move, validate_only=True, with_legal_moves=True)
        for move in legal_moves(state)
    ]
    quiet = [move for move in legal_moves(state) if not reveals(apply(state, move).events)]
    made = [await seats.move(deciding(state), state.version, move) for move in quiet[:1]]
    return replies + made


async def _refusals(seats: Seats, state: GameState) -> list[Any]:
    illegal = [move for move in UNIVERSE[::60] if move not in legal_moves(state)]
    refusals = [await refusal_of(seats.move(deciding(state), state.version, move)) for move in illegal]
    return [refusal._replace(request_id="") for refusal in refusals]


async def _questions(seats: Seats, state: GameState) -> list[Any]:
    why = [move_message(move) for move in UNIVERSE[::9]]
    metadata, stub = seats.as_seat(0), seats.stub
    named: dict[str, Any] = {"game_id": seats.id}
    game = await stub.GetGame(pb.GetGameRequest(with_legal_moves=True, **named), metadata=metadata)
    game.ClearField("game")
    return [
        game,
        await stub.LegalMoves(
            pb.LegalMovesRequest(why_not=True, why_not_moves=why, **named), metadata=metadata
        ),
        await stub.Score(pb.ScoreRequest(**named), metadata=metadata),
        await stub.SampleStates(pb.SampleStatesRequest(seed="s", count=2, **named), metadata=metadata),
    ]


@pytest.mark.parametrize("moves", [0, 14, 60])
@pytest.mark.parametrize("ask", [_moves, _refusals, _questions])
async def test_replies_do_not_depend_on_hidden_facts(stub: Stub, ask: Ask, moves: int) -> None:
    """A fork has the public facts of its origin, and another order; two forks are twins."""
    seats, state = await known_seats(stub)
    state = await seats.play(state, moves)
    replies = []
    for _ in range(2):
        request = pb.ForkGameRequest(game_id=seats.id, request_id=new_id())
        made = await stub.ForkGame(request, metadata=seats.as_seat(0))
        twin = Seats(stub, made.game.game_id, [token.token for token in made.tokens])
        replies.append(await ask(twin, state))
    assert replies[0] == replies[1]


# Request ids and logs.


async def test_ids_in_the_log_fetch_no_tokens(start: Start) -> None:
    """Neither those in a game's log nor those that the service writes."""
    replica = await start(**SETTINGS)
    stub = replica.stub
    new = new_request(public_watching=True)
    made = await stub.NewGame(new)
    seats = Seats(stub, made.game.game_id, [token.token for token in made.tokens])
    issue = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_ADMIN)
    await stub.IssueSeatToken(issue, metadata=AS_ADMIN)
    opened = await seats.get(with_legal_moves=True)
    await seats.move(opened.decision.seat, 0, opened.legal_moves[0].move)
    known = {entry.request_id for entry in await seats.log()} - {""}
    known |= {line.get("request_id", "") for line in replica.server.log_lines()}
    assert not known & {new.request_id, issue.request_id}
    tokens = {token.token for token in made.tokens}
    for id_ in known - {""}:
        again = pb.NewGameRequest()
        again.CopyFrom(new)
        again.request_id = id_
        other = await stub.NewGame(again)
        assert other.game.game_id != made.game.game_id
        assert not tokens & {token.token for token in other.tokens}


async def test_nothing_secret_is_in_the_log_of_a_played_game(start: Start, place: Place) -> None:
    replica = await start(**place, api_keys="the key of a maker")
    stub = replica.stub
    seats, state = await known_seats(stub)
    state = await seats.play(state, 30)
    for metadata in (bearer(seats.tokens[0] + "x"), (("x-api-key", "wrong key"),)):
        await refusal_of(stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=metadata))
    await refusal_of(seats.move(deciding(state), 30, "play:1@B1"))
    text = replica.server.log.getvalue()
    secrets = {*seats.tokens, "0a" * 8, "administrator's key", "key of a maker", "wrong key", SEED, seats.id}
    assert [secret for secret in secrets if secret in text] == []
    assert len(replica.server.log_lines()) > 30


async def everything_in(url: str, prefix: str) -> bytes:
    """Return all bytes that Redis holds under a prefix."""
    redis: Any = Redis.from_url(url)
    held = b""
    async for key in redis.scan_iter(match=f"{prefix}*"):
        read = {b"hash": redis.hgetall, b"stream": redis.xrange, b"string": redis.get}
        kind = await redis.type(key)
        if kind in read:
            held += repr(await read[kind](key)).encode() + b"".join(flat(await read[kind](key)))
    await redis.aclose()
    return held


def flat(value: Value) -> Iterator[bytes]:
    """Yield the bytes inside of lists and dictionaries."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, dict):
        yield from flat([*value.values()])
    else:
        for each in value:
            yield from flat(each)


async def test_what_the_store_holds_is_sealed(start: Start, redis_place: Place) -> None:
    """A look into Redis shows neither the seed, nor tokens, nor the order of the deck."""
    stub = (await start(**redis_place)).stub
    seats, state = await known_seats(stub)
    state = await seats.play(state, 20)
    bot = pb.EndGameRequest(game_id=seats.id, request_id=new_id(), bot_seat=0)
    await stub.EndGame(bot, metadata=AS_ADMIN)
    held = await everything_in(str(redis_place["redis_url"]), str(redis_place["redis_prefix"]))
    assert seats.id.encode() not in held or len(held) > 10_000
    assert SEED.encode() not in held
    assert not any(token.encode() in held for token in seats.tokens)
    for deck in (state.deck, state.deck[::-1]):
        assert not any(bytes(deck[at : at + 6]) in held for at in range(len(deck) - 6))
