"""A bot that searches: it plays its moves out to the end, in samples of what it cannot see.

python searching_bot.py [HOST:PORT]
finspan match --bots searching_bot:Searcher,greedy --games 10 --local
"""

import sys
from itertools import groupby
from statistics import fmean

import finspan
from finspan.greedy import Appraisal, turns_left

SAMPLES = 2
"""In how many orders of the deck each move is tried."""
FIRST_WEEK = 4
"""The week in which it begins to search; before, the end is far."""


class Searcher:
    """Tries every dive, and each card where it looks best; the rest of the game is played greedily."""

    def __init__(self) -> None:
        self._greedy = finspan.GreedyBot()

    def choose(self, game: finspan.Game) -> finspan.AnyMove:
        """Return the move that leads by most in the end; a turn that has begun is carried through."""
        if game.state.week < FIRST_WEEK or not game.legal_moves.of_kind("dive"):
            return self._greedy.choose(game)
        samples = game.samples(SAMPLES)
        return max(candidates(game), key=lambda move: fmean(self._lead(one, move) for one in samples))

    def _lead(self, game: finspan.Game, move: finspan.AnyMove) -> float:
        """Return by how much the one who moves leads in the end."""
        seat = game.seat
        game = game.apply(move)
        while not game.is_over:
            game = game.apply(self._greedy.choose(game))
        totals = [player.total for player in game.score().players]
        return totals.pop(seat) - max(totals, default=0)


def candidates(game: finspan.Game) -> list[finspan.AnyMove]:
    """Return the dives, and for each card its best slot."""
    worth = Appraisal(game.player, game.catalog, turns_left(game)).worth
    plays = groupby(game.legal_moves.of_kind("play_fish"), key=lambda legal: legal.move.play_fish.card)
    best = [max(moves, key=lambda legal: worth(legal.move)) for _, moves in plays]
    return [*best, *game.legal_moves.of_kind("dive")]


def main(address: str) -> None:
    """Play a game against the greedy bot."""
    with finspan.Client(address) as client:
        game = finspan.Game.new(client, players=2, seed="search", names=["Searcher", "Greedy"])
        for played in finspan.play(game, [Searcher(), finspan.GreedyBot()]):
            game = played.after
        print([player.total for player in game.score().players])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:50051")
