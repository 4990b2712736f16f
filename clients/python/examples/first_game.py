"""One game from the first move to the score, with what happens in it.

python first_game.py [HOST:PORT]
"""

import sys

import finspan

ADDRESS = sys.argv[1] if len(sys.argv) > 1 else "localhost:50051"

with finspan.Client(ADDRESS) as client:
    game = finspan.Game.new(client, players=2, seed="first game", names=["Ada", "Bob"])
    while not game.is_over:
        game = game.apply(game.legal_moves[0])
        for event in game.news:
            print(event.text)

    score = game.score()
    for name, player in zip(["Ada", "Bob"], score.players, strict=True):
        print(f"{name}: {player.total} points, {player.printed} of them printed on fish")
