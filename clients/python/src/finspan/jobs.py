"""The games of a match on the command line, one after the other or several at once in processes of their own.

Each game has new bots, so that it comes out the same whatever was played before it, and where.
"""

import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pickle import dumps, loads
from threading import Thread, current_thread, main_thread
from typing import NamedTuple

import click
import grpc

from finspan.client import Client
from finspan.entries import entered, import_bots
from finspan.game import Game
from finspan.local import LocalService
from finspan.matches import play_match
from finspan.playing import Played
from finspan.records import Record, Setup
from finspan.services import Service


class Place(NamedTuple):
    """Where other processes find the service: on a server, or else each in itself."""

    address: str | None = None
    authorities: bytes | None = None
    """The certificate authorities to trust, as PEM; None for those that gRPC knows."""


class BotFailed(Exception):
    """An error of a bot in another process, of a kind that cannot be brought here; the message names it."""


def play_games(
    service: Service,
    entries: Sequence[str],
    setups: Iterable[Setup],
    on_move: Callable[[Played[Game]], object] = lambda _: None,
) -> Iterator[Record]:
    """Play games one after the other, and yield the record of each as soon as it is over.

    Args:
        service: What the games are played through.
        entries: What names the bots, as `entered` takes it.
        setups: The games.
        on_move: Called after each move.

    """
    for setup in setups:
        with entered(entries, seed=setup.seed) as bots:
            yield from play_match(service, bots, [setup], on_move)


def play_in_processes(
    place: Place,
    entries: Sequence[str],
    setups: Iterable[Setup],
    jobs: int,
    on_game: Callable[[], object] = lambda: None,
) -> Generator[Record]:
    """Play games as `play_games` does, so many at once; the records are the same, in the same order.

    When a game fails or one is interrupted, the records of those that are over come before the error.

    Args:
        place: What the games are played through.
        entries: What names the bots.
        setups: The games.
        jobs: How many are played at once.
        on_game: Called after each game, in whatever order they end.

    """
    import_bots(entries)  # also because errors of theirs come here
    with _pool(jobs) as pool:
        with _ctrl_c_held():
            games = [pool.submit(_record, place, tuple(entries), setup) for setup in setups]
        for game in games:
            game.add_done_callback(lambda game: on_game() if _is_played(game) else None)
        told = 0
        try:
            for game in games:
                record = game.result()
                told += 1
                yield record
        except (Exception, KeyboardInterrupt) as error:
            yield from (game.result() for game in games[told:] if game.done() and _is_played(game))
            if isinstance(error, BrokenProcessPool):
                raise click.ClickException("A process that played has ended in the middle of it.") from error
            raise


def _is_played(game: Future[Record]) -> bool:
    return not game.cancelled() and game.exception() is None


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield processes to play in; if that ends early, they are ended in the middle of it."""
    others = active_children()
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_end_with_parent) as pool:
        try:
            yield pool
        except BaseException:
            for process in active_children():
                if process not in others:
                    process.terminate()
            raise


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Hold Ctrl-C back: here for a moment, and for good in processes that are begun meanwhile.

    It comes to all of a terminal's processes, and those are ended by this one. Other threads of this process
    may take it, so that blocking it in this one is not enough.
    """
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, usual)
    if came:
        raise KeyboardInterrupt


# What follows runs in the processes.


def _end_with_parent() -> None:
    """Let this process end when the one that began it does, even if that was killed."""
    Thread(target=_end_after, args=(parent_process(),), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _record(place: Place, entries: Sequence[str], setup: Setup) -> Record:
    """Play a game, and return its record."""
    try:
        (record,) = play_games(_service_at(place), entries, [setup])
    except Exception as error:
        if _can_be_sent(error):
            raise
        told = BotFailed(f"{type(error).__name__}: {error}")
        told.__notes__ = getattr(error, "__notes__", [])
        raise told from error
    return record


@cache
def _service_at(place: Place) -> Service:
    """Return the service for this process, which is the same for all its games."""
    if place.address is None:
        return LocalService()
    authorities = place.authorities
    return Client(
        place.address, credentials=grpc.ssl_channel_credentials(authorities) if authorities else None
    )


def _can_be_sent(error: Exception) -> bool:
    """Return whether an error can be made again in another process."""
    try:
        loads(dumps(error))  # noqa: S301  it was made here
    except Exception:  # noqa: BLE001  whatever a class of somebody's own does then
        return False
    return True
