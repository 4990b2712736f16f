"""Who may do what: seats, tokens, keys, private and public games."""

import base64
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import jwt
import pytest
from google.protobuf.message import Message

from finspan.v1 import finspan_pb2 as pb
from service.engine.rules import apply, legal_moves
from service.engine.state import GameState
from service.hosting.seats import ISSUER
from tests.hosted.conftest import Place, Replica, Start
from tests.hosted.tables import (
    ADMIN,
    AS_ADMIN,
    KEYS,
    OTHER_KEYS,
    Seats,
    bearer,
    deciding,
    known_seats,
    new_id,
    new_request,
    new_seats,
)
from tests.service.support import Stub, Value, refusal_of

KEY = bytes.fromhex("0a" * 32)
OTHER_KEY = bytes.fromhex("0b" * 32)


# Seats.


@pytest.mark.parametrize("players", [2, 3, 5])
async def test_only_the_deciding_seat_moves(stub: Stub, players: int) -> None:
    """At every decision of a game, those within another player's turn (all-players abilities) too."""
    seats, state = await known_seats(stub, players=players)
    foreign = 0
    for _ in range(90):
        moves, seat = legal_moves(state), deciding(state)
        for other in {(seat + 1) % players, (seat - 1) % players, state.seat} - {seat}:
            refusal = await refusal_of(seats.move(other, state.version, moves[0]))
            assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
            assert refusal.metadata == {
                "rule": "R3.1" if seat == state.seat else "R7.8",
                "deciding_seat": str(seat),
                "own_seat": str(other),
                "move_index": "0",
            }
        foreign += seat != state.seat
        state = await seats.play(state, 1, seed=state.version)
    assert foreign or players == 2


async def test_a_seat_s_illegal_move_is_no_matter_when_it_is_not_its_turn(stub: Stub) -> None:
    """It learns that it is not its turn, and nothing about the move."""
    seats, state = await known_seats(stub)
    for move in ("draw", "play:1@B1", legal_moves(state)[0]):
        assert (await refusal_of(seats.move(1, 0, move))).reason == "NOT_YOUR_SEAT"


# Tokens that are none.


def payload_of(token: str) -> dict[str, Any]:
    payload: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return payload


def signed(payload: Value, key: Value = KEY, algorithm: str = "HS256", **header: Value) -> str:
    return jwt.encode(payload, key, algorithm, headers={"kid": "a", **header})


def raw(header: Value, payload: Value, signature: bytes = b"") -> str:
    parts = [json.dumps(header).encode(), json.dumps(payload).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def _with_bit(token: str, part: int) -> str:
    parts = token.split(".")
    letters = [*parts[part]]
    letters[len(letters) // 2] = "A" if letters[len(letters) // 2] != "A" else "B"
    parts[part] = "".join(letters)
    return ".".join(parts)


def _moved(token: str) -> str:
    """Return a token with the claims of another seat under the old signature."""
    head, _, signature = token.split(".")
    claims = {**payload_of(token), "seat": 1}
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{signature}"


FORGERIES: dict[str, Callable[[str], str]] = {
    "nothing": lambda _: "",
    "no token": lambda _: "no token at all",
    "dots": lambda _: "..",
    "truncated": lambda token: token[:-1],
    "half": lambda token: token[: len(token) // 2],
    "without signature": lambda token: token.rpartition(".")[0] + ".",
    "longer": lambda token: token + "A",
    "very long": lambda token: token + "A" * 2000,
    "twice": lambda token: f"{token} {token}",
    "another header": lambda token: _with_bit(token, 0),
    "another payload": lambda token: _with_bit(token, 1),
    "another signature": lambda token: _with_bit(token, 2),
    "another seat": _moved,
    "unsigned": lambda token: raw({"alg": "none", "typ": "JWT", "kid": "a"}, payload_of(token)),
    "unsigned, written otherwise": lambda token: raw({"alg": "nOnE", "kid": "a"}, payload_of(token)),
    "unsigned, with a signature": lambda token: raw(
        {"alg": "none", "kid": "a"}, payload_of(token), token.rpartition(".")[2].encode()
    ),
    "signed with HS512": lambda token: signed(payload_of(token), KEY * 2, "HS512"),
    "signed with our key and HS384": lambda token: signed(payload_of(token), KEY, "HS384"),
    "signed with another key": lambda token: signed(payload_of(token), OTHER_KEY),
    "signed with an empty key": lambda token: raw(
        {"alg": "HS256", "kid": "a"}, payload_of(token), b"\0" * 32
    ),
    "of an unknown key": lambda token: signed(payload_of(token), kid="z"),
    "of no key": lambda token: jwt.encode(payload_of(token), KEY, "HS256"),
    "of a key that is a list": lambda token: raw({"alg": "HS256", "kid": ["a"]}, payload_of(token)),
    "of another issuer": lambda token: signed({**payload_of(token), "iss": "x"}),
    "of no issuer": lambda token: signed({k: v for k, v in payload_of(token).items() if k != "iss"}),
    "for ever": lambda token: signed({k: v for k, v in payload_of(token).items() if k != "exp"}),
    "expired": lambda token: signed({**payload_of(token), "exp": int(time.time()) - 1}),
    "of an older generation": lambda token: signed({**payload_of(token), "gen": -1}),
    "of a newer generation": lambda token: signed({**payload_of(token), "gen": 1}),
    "of a scope that is none": lambda token: signed({**payload_of(token), "scope": 9}),
    "without a scope": lambda token: signed({k: v for k, v in payload_of(token).items() if k != "scope"}),
    "of a list": lambda _: raw({"alg": "HS256", "kid": "a"}, ["x"]),
}
"""Of a good token of seat 0; those signed with our key show what our own checks refuse."""


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
@pytest.mark.parametrize("name", FORGERIES)
async def test_a_token_that_is_none_is_refused(replica: Replica, name: str) -> None:
    """To look, to move and to fork; even where anybody may watch a wrong token is worse than none."""
    seats, state = await known_seats(replica.stub, public_watching=True)
    stub = seats.stub
    forged = FORGERIES[name](seats.tokens[0])
    move, named = legal_moves(state)[0], dict[str, Any](game_id=seats.id)
    for _ in range(2):
        calls: list[Awaitable[object]] = [
            stub.GetGame(pb.GetGameRequest(**named), metadata=bearer(forged)),
            stub.Score(pb.ScoreRequest(**named), metadata=bearer(forged)),
            stub.ApplyMove(seats.request(0, move), metadata=bearer(forged)),
            stub.ApplyMove(seats.request(0, move, validate_only=True), metadata=bearer(forged)),
            stub.ForkGame(pb.ForkGameRequest(request_id=new_id(), **named), metadata=bearer(forged)),
        ]
        for call in calls:
            refusal = await refusal_of(call)
            assert (refusal.code.name, refusal.reason) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
    assert forged == "" or forged not in replica.server.log.getvalue()
    assert (await seats.get()).game.version == 0


@pytest.mark.parametrize("shown", ["{}", "Basic {}", "Bearer{}", "Token {}", "Bearer", ""])
async def test_a_token_is_shown_behind_the_word_bearer(stub: Stub, shown: str) -> None:
    seats = await new_seats(stub)
    metadata = (("authorization", shown.format(seats.tokens[0])),)
    refusal = await refusal_of(stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=metadata))
    assert refusal.reason == "TOKEN_REFUSED"
    for word in ("bearer", "BEARER"):
        metadata = (("authorization", f"{word} {seats.tokens[0]}"),)
        await stub.GetGame(pb.GetGameRequest(game_id=seats.id), metadata=metadata)


async def test_a_token_ends_in_the_hands_of_its_bearer(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was good a moment ago, and is remembered by the server."""
    seats, state = await known_seats(stub)
    claims = payload_of(seats.tokens[0])
    assert claims == {
        "iss": ISSUER,
        "game": seats.id,
        "scope": pb.TOKEN_SCOPE_PLAY,
        "seat": 0,
        "gen": 0,
        "exp": claims["exp"],
    }
    short = signed({**claims, "exp": int(time.time()) + 2})
    look = pb.GetGameRequest(game_id=seats.id)
    await stub.GetGame(look, metadata=bearer(short))
    while time.time() < payload_of(short)["exp"]:
        await stub.GetGame(look, metadata=AS_ADMIN)
    refusal = await refusal_of(
        stub.ApplyMove(seats.request(0, legal_moves(state)[0]), metadata=bearer(short))
    )
    assert refusal.reason == "TOKEN_REFUSED"
    assert "expired" in refusal.message


# Games that are private, and games that anybody may watch.


def looks(stub: Stub, game_id: str) -> list[tuple[Any, Message]]:
    """Return all that can be asked about a game without changing it."""
    return [
        (stub.GetGame, pb.GetGameRequest(game_id=game_id)),
        (stub.ListEvents, pb.ListEventsRequest(game_id=game_id)),
        (stub.LegalMoves, pb.LegalMovesRequest(game_id=game_id)),
        (stub.Score, pb.ScoreRequest(game_id=game_id)),
        (stub.SampleStates, pb.SampleStatesRequest(game_id=game_id, seed="s", count=1)),
        (stub.ForkGame, pb.ForkGameRequest(game_id=game_id, request_id=new_id())),
    ]


async def test_a_private_game_is_for_its_own_tokens(stub: Stub) -> None:
    seats, other = await new_seats(stub), await new_seats(stub)
    for ask, request in looks(stub, seats.id):
        for metadata in ((), other.as_seat(0), other.as_seat(1)):
            refusal = await refusal_of(ask(request, metadata=metadata))
            assert (refusal.code.name, refusal.reason) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
        for metadata in (seats.as_seat(0), AS_ADMIN):
            assert await ask(request, metadata=metadata)
            if request.DESCRIPTOR.name == "ForkGameRequest":
                break


async def test_a_public_game_is_for_everybody_to_watch(stub: Stub) -> None:
    seats, state = await known_seats(stub, public_watching=True)
    for ask, request in looks(stub, seats.id):
        assert await ask(request)
    refusal = await refusal_of(stub.ApplyMove(seats.request(0, legal_moves(state)[0])))
    assert (refusal.code.name, refusal.reason) == ("UNAUTHENTICATED", "TOKEN_REFUSED")


async def test_a_token_of_another_game_moves_nothing(stub: Stub) -> None:
    seats, state = await known_seats(stub, public_watching=True)
    other = await new_seats(stub)
    request = seats.request(0, legal_moves(state)[0])
    for metadata in (other.as_seat(0), other.as_seat(1), AS_ADMIN):
        refusal = await refusal_of(stub.ApplyMove(request, metadata=metadata))
        assert refusal.reason == "TOKEN_REFUSED"


# What administrators do.


def deeds(stub: Stub, game_id: str) -> list[tuple[Any, Message]]:
    named: dict[str, Any] = {"game_id": game_id, "request_id": new_id()}
    return [
        (stub.IssueSeatToken, pb.IssueSeatTokenRequest(scope=pb.TOKEN_SCOPE_PLAY, seat=0, **named)),
        (stub.EndGame, pb.EndGameRequest(end_now=pb.EndNow(), **named)),
        (stub.EndGame, pb.EndGameRequest(bot_seat=0, **named)),
        (stub.DeleteGame, pb.DeleteGameRequest(**named)),
    ]


async def admin_token(seats: Seats) -> tuple[tuple[str, str], ...]:
    request = pb.IssueSeatTokenRequest(game_id=seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_ADMIN)
    return bearer((await seats.stub.IssueSeatToken(request, metadata=AS_ADMIN)).token.token)


async def test_players_and_strangers_do_not_administer(stub: Stub) -> None:
    seats, other = await new_seats(stub, public_watching=True), await new_seats(stub)
    stranger = await admin_token(other)
    for ask, request in deeds(stub, seats.id):
        for metadata, reason in (
            ((), "NOT_ALLOWED"),
            (seats.as_seat(0), "NOT_ALLOWED"),
            (stranger, "TOKEN_REFUSED"),
            ((("x-api-key", "wrong"),), "TOKEN_REFUSED"),
            ((("x-api-key", ADMIN[:-1]),), "TOKEN_REFUSED"),
            ((("x-api-key", ""),), "TOKEN_REFUSED"),
        ):
            assert (await refusal_of(ask(request, metadata=metadata))).reason == reason
    assert len(await seats.log()) == 1


async def test_a_token_to_administer_does_all_that_is_to_be_done(stub: Stub) -> None:
    seats = await new_seats(stub)
    metadata = await admin_token(seats)
    ask, request = deeds(stub, seats.id)[2]
    await ask(request, metadata=metadata)
    for number in (0, 1, 3):
        ask, request = deeds(stub, seats.id)[number]
        await ask(request, metadata=metadata)
    assert (await refusal_of(seats.get())).reason == "GAME_NOT_FOUND"


async def test_games_are_made_with_a_key_where_one_is_asked_for(start: Start, place: Place) -> None:
    stub = (await start(**place, api_keys="the key of one maker, the key of another")).stub
    refusal = await refusal_of(stub.NewGame(new_request()))
    assert (refusal.code.name, refusal.reason) == ("PERMISSION_DENIED", "NOT_ALLOWED")
    for key in (
        "the key of one maker,",
        "the key of one maker, the key of another",
        "the key of nobody",
        " ",
    ):
        refusal = await refusal_of(stub.NewGame(new_request(), metadata=(("x-api-key", key),)))
        assert (refusal.code.name, refusal.reason) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
    for key in ("the key of one maker", "the key of another"):
        await stub.NewGame(new_request(), metadata=(("x-api-key", key),))
    made = await stub.NewGame(new_request(), metadata=AS_ADMIN)
    seat = bearer(made.tokens[0].token)
    fork = pb.ForkGameRequest(game_id=made.game.game_id, request_id=new_id())
    assert (await refusal_of(stub.ForkGame(fork, metadata=seat))).reason == "NOT_ALLOWED"
    await stub.ForkGame(fork, metadata=(*seat, ("x-api-key", "the key of another")))
    token = pb.IssueSeatTokenRequest(
        game_id=made.game.game_id, request_id=new_id(), scope=pb.TOKEN_SCOPE_ADMIN
    )
    refusal = await refusal_of(stub.IssueSeatToken(token, metadata=(("x-api-key", "the key of one maker"),)))
    assert refusal.reason == "NOT_ALLOWED"
    await stub.NewGame(pb.NewGameRequest(players=2))  # nobody keeps that one


async def test_without_administrators_nobody_is_one(start: Start, place: Place) -> None:
    stub = (await start(**{**place, "admin_keys": ""})).stub
    made = await stub.NewGame(new_request())
    for key in ("", ADMIN):
        for ask, request in deeds(stub, made.game.game_id):
            refusal = await refusal_of(ask(request, metadata=(("x-api-key", key),)))
            assert refusal.reason == "TOKEN_REFUSED"


# Rotation of keys.


async def at(start: Start, place: Place, token_keys: str, seats: Seats) -> Seats:
    return seats.at((await start(**{**place, "token_keys": token_keys})).stub)


async def moved_on(seats: Seats, state: GameState) -> GameState:
    move = legal_moves(state)[0]
    await seats.move(deciding(state), state.version, move)
    return apply(state, move).state


async def test_keys_of_tokens_are_rotated(start: Start, place: Place) -> None:
    """First accepted, then the one that signs, then the only one."""
    seats, state = await known_seats((await start(**place)).stub)
    for keys in (f"{KEYS},{OTHER_KEYS}", f"{OTHER_KEYS},{KEYS}"):
        seats = await at(start, place, keys, seats)
        state = await moved_on(seats, state)
    request = pb.IssueSeatTokenRequest(
        game_id=seats.id, request_id=new_id(), scope=pb.TOKEN_SCOPE_PLAY, seat=deciding(state)
    )
    newer = (await seats.stub.IssueSeatToken(request, metadata=AS_ADMIN)).token.token
    assert jwt.get_unverified_header(newer)["kid"] == "b"
    seats = await at(start, place, OTHER_KEYS, seats)
    move = legal_moves(state)[0]
    assert (await refusal_of(seats.move(deciding(state), state.version, move))).reason == "TOKEN_REFUSED"
    seats = seats._replace(tokens=[newer, newer])
    assert (await seats.move(deciding(state), state.version, move)).version == state.version + 1


async def test_keys_of_snapshots_are_rotated(start: Start, place: Place) -> None:
    """What one key sealed is opened by whoever has it; the next move is sealed by the first key."""
    seats, state = await known_seats((await start(**place)).stub)
    both = {**place, "seal_keys": f"{OTHER_KEYS},{KEYS}"}
    seats = seats.at((await start(**both)).stub)
    for _ in range(3):
        state = await moved_on(seats, state)
    assert (await seats.get(version=1)).state.version == 1
    seats = seats.at((await start(**{**place, "seal_keys": OTHER_KEYS})).stub)
    state = await moved_on(seats, state)
    refusal = await refusal_of(seats.get(version=1))
    assert (refusal.code.name, refusal.reason) == ("FAILED_PRECONDITION", "SEAL_KEY_UNKNOWN")
    seats = seats.at((await start(**place)).stub)
    assert (await refusal_of(seats.get())).metadata == {"key_id": "b"}
    readable = await new_seats(seats.stub)
    games = await seats.stub.ListGames(pb.ListGamesRequest(), metadata=AS_ADMIN)
    assert [game.game_id for game in games.games] == [readable.id]
