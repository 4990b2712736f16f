"""Hosted games with the same `Game`: seats, versions and request ids fill in themselves."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import pytest

import finspan
from finspan import (
    AsyncGame,
    Game,
    LocalService,
    Seat,
    Service,
    ThreadedService,
    game,
    play_seat,
    play_seat_async,
    seat_moves,
    seat_moves_async,
)
from finspan.calls import Metadata
from finspan.services import Reply
from finspan.v1 import finspan_pb2 as v1
from tests.client.conftest import StubServer
from tests.client.relay import Relay
from tests.client.test_game import public

BOTS: list[finspan.Bot] = [finspan.GreedyBot(), finspan.RandomBot(1)]


class Hosted(NamedTuple):
    """A hosted game as each of its players has it, and how they got there."""

    service: Service
    seats: tuple[Game, ...]
    tokens: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.seats[0].game_id

    @property
    def deciding(self) -> Game:
        """The game as the one has it who decides first."""
        return next(seat for seat in self.seats if seat.is_own_turn)

    @property
    def other(self) -> Game:
        """The game as somebody else has it."""
        return next(seat for seat in self.seats if not seat.is_own_turn)

    def play(self, moves: int, which: int = 0) -> None:
        """Let everybody make first moves, or others; the last ones, dives and passes, all have an event."""
        latest = self.seats[0].latest()
        for _ in range(moves):
            mine = self.seats[latest.seat].latest()
            latest = mine.apply(mine.legal_moves[which])


def hosted(service: Service, **options: bool) -> Hosted:
    first, tokens = Game.host(service, 2, names=["Ada", "Bob"], public_watching=options.get("public", False))
    return Hosted(service, tuple(Game.join(service, first.game_id, token) for token in tokens), tokens)


@pytest.fixture(scope="module")
def client(real_server: str) -> Iterator[finspan.Client]:
    with finspan.Client(real_server) as client:
        yield client


@pytest.fixture(params=["in this process", "on a server"])
def table(request: pytest.FixtureRequest, local: LocalService) -> Hosted:
    if request.param == "in this process":
        return hosted(local)
    service: finspan.Client = request.getfixturevalue("client")
    return hosted(service)


def test_a_hosted_game_shows_all_that_may_be_known_and_nothing_else(table: Hosted) -> None:
    first, _ = Game.host(
        table.service, 3, names=["Ada", "Bob", "Cy"], side="b", expansions=["sharks_and_reefs"]
    )
    assert first.state.WhichOneof("hidden") is None
    assert [player.display_name for player in first.state.players] == ["Ada", "Bob", "Cy"]
    assert first.has_reefs
    assert first.own_seat == 0
    assert {event.WhichOneof("event") for event in first.events} >= {"achievements_chosen", "week_began"}
    assert first.info is not None
    assert (first.info.status, len(first.info.commitment)) == (v1.GAME_STATUS_RUNNING, 64)


def test_each_token_is_a_seat(table: Hosted) -> None:
    assert [seat.own_seat for seat in table.seats] == [0, 1]
    assert sum(seat.is_own_turn for seat in table.seats) == 1
    assert table.deciding.own_seat == table.deciding.seat == table.deciding.state.first_player


def test_moves_go_on_from_the_version_that_was_seen(table: Hosted) -> None:
    later = table.deciding.apply("dive:purple")
    last = later.apply(later.legal_moves[-1])
    assert later.previous is table.deciding
    assert last.state.version == 2
    assert last.moves == ("dive:purple", later.legal_moves[-1].id)
    assert last.events == later.news + last.news


def test_everybody_has_the_game_as_it_is_now(table: Hosted) -> None:
    mine = table.deciding.apply("dive:purple")
    mine = mine.apply(mine.legal_moves[0])
    theirs = table.other.latest()
    assert theirs.moves == mine.moves
    assert theirs.news == theirs.events == mine.events
    assert theirs.previous is table.other
    assert (theirs.digest, theirs.state) == (mine.digest, mine.state)
    assert theirs.latest() is theirs


def test_whoever_is_late_is_told_and_goes_on(table: Hosted) -> None:
    table.deciding.apply("dive:purple")
    with pytest.raises(finspan.StaleVersion) as caught:
        table.deciding.apply("dive:blue")
    assert caught.value.current_version == 1
    caught_up = table.deciding.latest()
    assert caught_up.moves == ("dive:purple",)
    assert caught_up.apply(caught_up.legal_moves[0]).state.version == 2


def test_nobody_moves_for_another_seat(table: Hosted) -> None:
    with pytest.raises(finspan.NotYourSeat) as caught:
        table.other.apply(table.other.legal_moves[0])
    assert (caught.value.own_seat, caught.value.deciding_seat) == (table.other.own_seat, table.deciding.seat)
    assert table.other.latest() is table.other


def test_an_illegal_move_is_refused_with_its_reason(table: Hosted) -> None:
    with pytest.raises(finspan.IllegalMove) as caught:
        table.deciding.apply("draw")
    assert caught.value.rule == "R3.1"


@pytest.mark.usefixtures("same_cards")
def test_several_moves_end_where_something_is_revealed(local: LocalService) -> None:
    """A draw reveals a card; what follows is not looked at."""
    table = hosted(local)
    mine = table.deciding
    while not (draws := mine.legal_moves.of_kind("draw")):
        mine = mine.apply(mine.legal_moves.of_kind("dive")[0] if mine.legal_moves.of_kind("dive") else "pass")
    later = mine.apply(draws[0], draws[0], draws[0])
    assert later.moves == (*mine.moves, "draw")
    assert later.state.version == mine.state.version + 1


ASKED: dict[str, Callable[[Game], object]] = {
    "a score": lambda game: game.score(),
    "why not": lambda game: game.why_not("draw", "dive:blue"),
    "why nothing": lambda game: game.why_nothing(),
    "samples": lambda game: [sample.state for sample in game.samples(2)],
}


@pytest.mark.parametrize("question", ASKED)
def test_an_older_moment_answers_as_it_did(table: Hosted, question: str) -> None:
    before = ASKED[question](table.deciding)
    table.play(6)
    assert ASKED[question](table.deciding) == before


def test_what_a_moment_answers_is_what_the_service_says_of_the_game(table: Hosted) -> None:
    table.play(8)
    mine, seat = table.seats[0].latest(), Seat(table.service, table.id, table.tokens[0])
    score, legal = seat.score(table.id), seat.legal_moves(table.id, why_not=True)
    assert list(mine.score().players) == list(score.players)
    assert mine.why_nothing() == list(legal.why_not)
    assert (score.version, legal.version, legal.digest) == (8, 8, mine.digest)


def test_samples_of_a_hosted_game_are_games_of_their_own(table: Hosted) -> None:
    sample = table.deciding.samples(1)[0]
    assert sample.apply("dive:blue").state.HasField("open")
    assert sample.apply("dive:blue").score().players
    assert table.deciding.latest() is table.deciding


def test_a_bot_cannot_move_in_the_game_that_it_is_shown(table: Hosted) -> None:
    seen = table.deciding.without_hidden_part()
    with pytest.raises(finspan.HiddenPartMissing):
        seen.apply(seen.legal_moves[0])
    assert seen.samples(1)[0].digest == table.deciding.digest


def test_the_log_tells_all_that_was_done(table: Hosted) -> None:
    table.play(3)
    log = table.other.log()
    assert [entry.kind for entry in log] == [v1.LOG_ENTRY_KIND_SETUP] + [v1.LOG_ENTRY_KIND_MOVE] * 3
    assert [entry.version for entry in table.other.log(2)] == [2, 3]
    assert len({entry.request_id for entry in log[1:]}) == 3
    assert log[-1].digest == table.other.latest().digest


def test_a_long_log_comes_in_pages(local: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    table = hosted(local)
    table.play(7)
    monkeypatch.setattr("finspan.seats.PAGE_SIZE", 3)
    assert [entry.version for entry in table.other.log()] == list(range(8))
    assert len(table.other.latest().moves) == 7


def test_what_is_done_between_two_calls_is_news_of_the_next_look(
    local: LocalService, stub_server: StubServer
) -> None:
    relay = Relay(local, stub_server)
    with finspan.Client(relay.address) as client:
        table = hosted(client)
        nearer = table._replace(seats=tuple(Game.join(local, table.id, token) for token in table.tokens))
        nearer.play(1, -1)
        relay.let("ListEvents", lambda _call: nearer.play(1, -1))
        seen = table.other.latest()
        assert (seen.state.version, len(seen.moves), {event.version for event in seen.news}) == (1, 1, {1})
        later = seen.latest()
        assert (later.state.version, len(later.moves), {event.version for event in later.news}) == (2, 2, {2})


def test_two_bots_play_a_whole_game_each_in_its_seat(table: Hosted) -> None:
    def moves(seat: Game, bot: finspan.Bot) -> list[v1.LegalMove]:
        return [played.move for played in seat_moves(seat, bot, pause=0.002)]

    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(moves, table.seats, BOTS))
    last = table.seats[0].latest()
    assert last.is_over
    assert last.score().winners
    assert sorted(last.moves) == sorted(move.id for made in both for move in made)
    assert [entry.version for entry in last.log()] == list(range(last.state.version + 1))
    assert last.info is not None
    assert (last.info.status, bool(last.info.opening.seed)) == (v1.GAME_STATUS_OVER, True)
    with pytest.raises(finspan.GameIsOver):
        last.apply("dive:blue")


def test_a_call_lets_a_bot_play_its_seat_to_the_end(table: Hosted) -> None:
    with ThreadPoolExecutor(2) as threads:
        ends = list(threads.map(lambda seat, bot: play_seat(seat, bot, pause=0.002), table.seats, BOTS))
    last = table.seats[0].latest()
    assert [end.own_seat for end in ends] == [0, 1]
    assert [(end.digest, end.moves, end.events) for end in ends] == [
        (last.digest, last.moves, last.events)
    ] * 2
    assert all(end.is_over for end in ends)
    assert play_seat(last, finspan.GreedyBot()) is last


def test_one_waits_for_ones_turn(table: Hosted) -> None:
    assert table.deciding.wait_for_turn() is table.deciding
    with pytest.raises(TimeoutError):
        table.other.wait_for_turn(pause=0.001, seconds=0.01)
    while not (latest := table.other.latest()).is_own_turn:
        mine = table.deciding.latest()
        mine.apply(mine.legal_moves[0])
    mine = table.other.wait_for_turn()
    assert mine.is_own_turn
    assert mine.events == latest.events != ()


def test_waiting_looks_again_after_each_pause(local: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    table = hosted(local)
    pauses: list[float] = []

    def others_move(seconds: float) -> None:
        pauses.append(seconds)
        table.play(1)

    monkeypatch.setattr(game, "sleep", others_move)
    assert table.other.wait_for_turn(pause=7).is_own_turn
    assert pauses
    assert set(pauses) == {7}


@pytest.mark.usefixtures("same_cards")
def test_a_bot_that_is_overtaken_chooses_again(local: LocalService) -> None:
    """Somebody with the same token makes a move while the bot thinks."""
    table = hosted(local)
    seen: list[int] = []

    class Slow:
        def choose(self, position: Game) -> finspan.AnyMove:
            seen.append(position.state.version)
            if len(seen) == 1:
                table.deciding.apply("dive:purple")
            return position.legal_moves[0]

    played = next(seat_moves(table.deciding, Slow(), pause=0))
    assert seen == [0, played.before.state.version]
    assert played.before.state.version > 0


def test_one_leaves_and_comes_back(table: Hosted) -> None:
    table.play(5)
    again = Game.join(table.service, table.id, table.tokens[1])
    assert again.own_seat == 1
    assert public(again) == public(table.other.latest()) | {"moves": (), "events": (), "news": ()} | {
        "info": again.info
    }


def test_a_private_game_is_for_who_has_a_token(table: Hosted) -> None:
    with pytest.raises(finspan.TokenRefused):
        Game.join(table.service, table.id)
    other = hosted(table.service)
    with pytest.raises(finspan.TokenRefused):
        Game.join(table.service, table.id, other.tokens[0])
    with pytest.raises(finspan.TokenRefused):
        Game.join(table.service, table.id, table.tokens[0] + "x")


def test_a_public_game_can_be_watched_by_anybody(local: LocalService) -> None:
    table = hosted(local, public=True)
    watcher = Game.join(local, table.id)
    assert (watcher.own_seat, watcher.is_own_turn) == (None, False)
    table.play(2)
    assert len(watcher.latest().moves) == 2
    assert table.id in {info.game_id for info in local.list_games(page_size=100).games}
    with pytest.raises(finspan.TokenRefused):
        watcher.latest().apply("pass")


def test_a_game_that_is_not_there(table: Hosted) -> None:
    with pytest.raises(finspan.GameNotFound):
        Game.join(table.service, "nowhere", table.tokens[0])


def test_the_catalogue_is_asked_for_once_for_all_seats(local: LocalService) -> None:
    first, second = hosted(local).seats
    assert first.catalog is second.catalog is Game.new(local).catalog


def test_a_token_is_shown_for_its_game_alone(local: LocalService) -> None:
    """Whatever else is asked through a seat goes out without it."""
    sent: list[Metadata] = []

    class Keeps(Service):
        def send(self, call: finspan.Call[Reply]) -> Reply:
            sent.append(call.metadata)
            return local.send(call)

    table = hosted(local)
    seat = Seat(Keeps(), table.id, table.tokens[0])
    seat.score(table.id)
    seat.score(local.new_game(seed="s").state)
    seat.get_catalog()
    with pytest.raises(finspan.TokenRefused):
        seat.score(hosted(local).id)
    bearer = (("authorization", f"Bearer {table.tokens[0]}"),)
    assert sent == [bearer, (), (), ()]


def test_no_token_is_shown_by_a_repr(table: Hosted) -> None:
    shown = repr(table.seats[0]) + repr(table.seats[0].service) + str(vars(table.seats[0]).keys())
    assert table.tokens[0] not in shown
    assert repr(table.seats[0].service) == f"<Seat of the game {table.id}>"


def test_carried_states_have_no_log_and_no_others(local: LocalService) -> None:
    carried = Game.new(local)
    assert (carried.info, carried.own_seat, carried.game_id, carried.is_own_turn) == (None, None, "", False)
    for ask in (carried.latest, carried.log, carried.wait_for_turn):
        with pytest.raises(finspan.NotHosted):
            ask()


async def test_for_asyncio_it_is_the_same(table: Hosted) -> None:
    service = ThreadedService(table.service)
    ours, mine = table.deciding, await AsyncGame.join(service, table.id, table.tokens[table.deciding.seat])
    while ours.is_own_turn:
        assert public(ours) == public(mine) | {"info": ours.info}
        assert ours.score() == await mine.score()
        assert ours.why_not("draw", "pass") == await mine.why_not("draw", "pass")
        move = ours.legal_moves[0].id
        mine, ours = await mine.apply(move), ours.latest()
    assert [entry.version for entry in await mine.log()] == list(range(ours.state.version + 1))
    assert (await mine.latest()).digest == ours.digest
    with pytest.raises(TimeoutError):
        await mine.wait_for_turn(pause=0.001, seconds=0.01)
    with pytest.raises(finspan.HiddenPartMissing):
        await mine.without_hidden_part().apply(mine.legal_moves[0])


async def test_a_hosted_game_of_asyncio_bots(real_server: str) -> None:
    async with finspan.AsyncClient(real_server) as client:
        first, tokens = await AsyncGame.host(client, 1, names=["Ada"])
        assert first.own_seat == 0
        versions = [
            (played.before.state.version, played.after.state.version)
            async for played in seat_moves_async(first, finspan.GreedyBot(), pause=0)
        ]
        last = await first.latest()
        again = await AsyncGame.join(client, first.game_id, tokens[0])
    assert last.is_over
    assert last.digest == again.digest
    assert [after for _, after in versions] == list(range(1, last.state.version + 1))
    assert all(one[1] == two[0] for one, two in pairwise(versions))


async def test_a_call_lets_a_bot_play_its_seat_to_the_end_for_asyncio(local: LocalService) -> None:
    first, _ = Game.host(local, 1, names=["Ada"])
    last = await play_seat_async(first.for_asyncio(), finspan.GreedyBot(), pause=0)
    assert last.is_over
    assert last.moves == first.latest().moves != ()


async def test_a_hosted_game_goes_over_to_asyncio(table: Hosted) -> None:
    later = await table.deciding.for_asyncio().apply("dive:blue")
    assert later.own_seat == table.deciding.own_seat
    assert (await later.latest()).state.version == 1
    assert table.deciding.latest().state.version == 1
    with pytest.raises(finspan.NotHosted):
        await Game.new(table.service).for_asyncio().latest()
