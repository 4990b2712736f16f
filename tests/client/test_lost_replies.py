"""What becomes of a wish when its reply is lost: the same request again, and it is carried out once."""

from collections.abc import Iterator

import pytest

import finspan
from finspan import AsyncGame, Game, LocalService
from finspan.channels import ATTEMPTS
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer
from tests.client.relay import Fault, Relay, Relayed


@pytest.fixture
def relay(local: LocalService, stub_server: StubServer) -> Relay:
    return Relay(local, stub_server)


@pytest.fixture
def client(relay: Relay) -> Iterator[finspan.Client]:
    with finspan.Client(relay.address, timeout=6) as client:
        yield client


def dropped(call: Relayed) -> None:
    """Carry the call out, and refuse it then."""
    call.carry_out()
    call.refuse()


def cut_off(call: Relayed) -> None:
    """Carry the call out, and lose the connection then."""
    call.carry_out()
    call.lose_connection()


def unheard(call: Relayed) -> None:
    """Carry the call out, and never answer."""
    call.carry_out()
    call.say_nothing()


FAULTS: dict[str, Fault] = {
    "never taken on": Relayed.refuse,
    "lost before": Relayed.lose_connection,
    "slow before": Relayed.say_nothing,
    "dropped": dropped,
    "cut off": cut_off,
    "unheard": unheard,
}


def moves_in_log(game: Game) -> list[str]:
    return [entry.move_id for entry in game.log() if entry.kind == v1.LOG_ENTRY_KIND_MOVE]


def same(requests: list[v1.ApplyMoveRequest] | list[v1.NewGameRequest]) -> bool:
    """Return whether all are the same wish, and whether it has a request id."""
    return bool(requests[0].request_id) and all(request == requests[0] for request in requests)


@pytest.mark.parametrize("name", FAULTS)
def test_a_move_is_made_once(relay: Relay, client: finspan.Client, name: str) -> None:
    game, _ = Game.host(client.with_timeout(0.9), 1)
    relay.let("ApplyMove", FAULTS[name])
    later = game.apply("dive:purple")
    assert later.state.version == 1
    assert later.news
    assert len(relay.requests("ApplyMove")) == 2
    assert same(relay.requests("ApplyMove"))  # type: ignore[arg-type]  # those of this method
    assert moves_in_log(game) == ["dive:purple"]
    later.apply(later.legal_moves[0])
    assert len({request.request_id for request in relay.requests("ApplyMove")}) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", FAULTS)
async def test_a_move_of_asyncio_is_made_once(relay: Relay, name: str) -> None:
    async with finspan.AsyncClient(relay.address, timeout=0.9) as client:
        game, _ = await AsyncGame.host(client, 1)
        relay.let("ApplyMove", FAULTS[name])
        later = await game.apply("dive:purple")
        assert later.state.version == 1
        assert same(relay.requests("ApplyMove"))  # type: ignore[arg-type]  # those of this method
        assert [entry.version for entry in await later.log()] == [0, 1]


@pytest.mark.parametrize("name", FAULTS)
def test_a_game_is_made_once(relay: Relay, client: finspan.Client, name: str) -> None:
    relay.let("NewGame", FAULTS[name])
    game, tokens = Game.host(client.with_timeout(0.9), 2, public_watching=True)
    assert same(relay.requests("NewGame"))  # type: ignore[arg-type]  # those of this method
    assert Game.join(client, game.game_id, tokens[1]).own_seat == 1


def test_attempts_end(relay: Relay, client: finspan.Client) -> None:
    game, tokens = Game.host(client, 1)
    relay.let("ApplyMove", *[unheard] * 9)
    mine = Game.join(client.with_timeout(0.3), game.game_id, tokens[0])
    with pytest.raises(finspan.DeadlineExceeded):
        mine.apply("dive:purple")
    assert len(relay.requests("ApplyMove")) == ATTEMPTS
    assert moves_in_log(game) == ["dive:purple"]
    assert mine.latest().moves == ("dive:purple",)


@pytest.mark.parametrize("fault", [Relayed.say_nothing, Relayed.lose_connection])
def test_a_call_without_a_request_id_is_not_sent_again(
    relay: Relay, client: finspan.Client, fault: Fault
) -> None:
    state = client.new_game(seed="s").state
    relay.let("ApplyMove", *[fault] * 9)
    with pytest.raises((finspan.DeadlineExceeded, finspan.Unavailable)):
        client.with_timeout(0.2).apply_move(state, "dive:blue")
    assert len(relay.requests("ApplyMove")) == 1


def test_a_refusal_is_final(relay: Relay, client: finspan.Client) -> None:
    game, _ = Game.host(client, 1)
    with pytest.raises(finspan.IllegalMove):
        game.apply("draw")
    assert len(relay.requests("ApplyMove")) == 1


def test_another_writer_got_ahead(relay: Relay, client: finspan.Client) -> None:
    """While a move is on its way, somebody with the same token makes another."""
    game, tokens = Game.host(client, 1)
    ahead = Game.join(relay.service, game.game_id, tokens[0])

    def overtaken(_call: Relayed) -> None:
        ahead.apply("dive:green")

    relay.let("ApplyMove", overtaken)
    with pytest.raises(finspan.StaleVersion) as caught:
        game.apply("dive:purple")
    assert caught.value.current_version == 1
    assert game.latest().moves == ("dive:green",)


def test_a_move_that_was_made_and_overtaken_is_answered_as_it_was(
    relay: Relay, client: finspan.Client
) -> None:
    game, tokens = Game.host(client, 1)

    def made_and_overtaken(call: Relayed) -> None:
        call.carry_out()
        ahead = Game.join(relay.service, game.game_id, tokens[0])
        ahead.apply(ahead.legal_moves[0])
        call.refuse()

    relay.let("ApplyMove", made_and_overtaken)
    later = game.apply("dive:purple")
    assert (later.state.version, later.moves) == (1, ("dive:purple",))
    assert later.latest().state.version == 2


def test_what_is_shown_is_what_was_given(relay: Relay) -> None:
    with finspan.Client(relay.address, api_key="a key") as client:
        with pytest.raises(finspan.TokenRefused, match="key"):
            client.host_game()
        carried = client.with_api_key("").new_game(seed="s")
        game, tokens = Game.host(client.with_api_key(""), 1)
        game.apply("dive:purple")
    assert carried.state.version == 0
    shown = [metadata for _, _, metadata in relay.seen]
    assert shown[0] == (("x-api-key", "a key"),)
    assert shown[1] == ()
    assert shown[-1] == (("authorization", f"Bearer {tokens[0]}"),)


def test_no_error_shows_a_token(relay: Relay, client: finspan.Client) -> None:
    game, tokens = Game.host(client, 1)
    relay.let("ApplyMove", *[Relayed.lose_connection] * 9)
    with pytest.raises(finspan.Unavailable) as caught:
        game.apply("dive:purple")
    assert tokens[0] not in repr(caught.value) + str(caught.value) + repr(vars(caught.value))
