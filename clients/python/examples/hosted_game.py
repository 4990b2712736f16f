"""A hosted game: the service keeps it, and each player needs nothing but its id and a token.

python hosted_game.py [HOST:PORT]
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import finspan
from finspan.v1 import finspan_pb2 as v1

NAMES = ["Ada", "Bob"]
BOTS: Sequence[finspan.Bot] = [finspan.GreedyBot(), finspan.RandomBot("Bob")]
PAUSE = 0.05
"""Seconds between two looks at the game while the other one decides; for people a second is soon enough."""


def play(address: str, game_id: str, token: str, bot: finspan.Bot) -> int:
    """Play one seat to the end of the game, as on a machine of its own, and return the version at its end."""
    with finspan.Client(address) as client:
        seat = finspan.Game.join(client, game_id, token)
        return finspan.play_seat(seat, bot, pause=PAUSE).state.version


def is_kept(info: v1.GameInfo) -> bool:
    """Return whether the deck is the one that the service had committed itself to."""
    nonce = bytes.fromhex(info.opening.nonce)
    return sha256(nonce + info.opening.seed.encode()).hexdigest() == info.commitment


def main(address: str) -> None:
    """Host a game, let both players play it, and look at it afterwards."""
    with finspan.Client(address) as client, ThreadPoolExecutor(len(NAMES)) as threads:
        game, tokens = finspan.Game.host(client, len(NAMES), names=NAMES)
        ends = [threads.submit(play, address, game.game_id, *who) for who in zip(tokens, BOTS, strict=True)]
        for name, end in zip(NAMES, ends, strict=True):
            print(f"{name} has seen the end, after {end.result()} moves")

        game = game.latest()
        for name, player in zip(NAMES, game.score().players, strict=True):
            print(f"{name}: {player.total} points")
        if game.info and is_kept(game.info):
            print("The deck was fixed before the first move.")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:50051")
