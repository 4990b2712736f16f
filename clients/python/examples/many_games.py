"""Many games at once with asyncio, over one connection.

python many_games.py [HOST:PORT]
"""

import asyncio
import sys

import finspan

GAMES = 4


async def winner(client: finspan.AsyncClient, seed: str) -> str:
    """Play a game and return who wins it."""
    names = ["Greedy", "Random"]
    game = await finspan.AsyncGame.new(client, players=2, seed=seed, names=names)
    async for played in finspan.play_async(game, [finspan.GreedyBot(), finspan.RandomBot(seed)]):
        game = played.after
    score = await game.score()
    return " and ".join(names[seat] for seat in score.winners)


async def main(address: str) -> None:
    """Play the games and print their winners."""
    async with finspan.AsyncClient(address) as client:
        winners = await asyncio.gather(*(winner(client, f"game {number}") for number in range(GAMES)))
    for number, name in enumerate(winners):
        print(f"game {number}: {name}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "localhost:50051"))
