"""The same of python-chess, as the measure of the machine; it comes with ``make bench`` (bench.lock)."""

from functools import partial
from random import Random

import chess

from tests.bench.finspan_games import STATES
from tests.bench.measures import Times, times


def play(game: int) -> int:
    """Play a random game of chess; return how many moves it had."""
    board, random = chess.Board(), Random(game)  # noqa: S311  repeatable, not secret
    while not board.is_game_over():
        board.push(random.choice(list(board.legal_moves)))
    return len(board.move_stack)


def call_times() -> dict[str, Times]:
    """Return how long the calls take that both have."""
    board, random = chess.Board(), Random(0)  # noqa: S311  repeatable, not secret
    boards: list[chess.Board] = []
    while len(boards) < STATES:
        board.push(random.choice(list(board.legal_moves)))
        board = chess.Board() if board.is_game_over() else board
        boards.append(board.copy(stack=False))
    return {
        "legal moves": times(partial(list, board.legal_moves) for board in boards),
        "copy a state": times(partial(board.copy, stack=False) for board in boards),
    }
