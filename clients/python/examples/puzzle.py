"""A position built by hand: what can be played, why other things cannot, and what it scores.

python puzzle.py [HOST:PORT]
"""

import sys

import finspan
from finspan.v1 import finspan_pb2 as v1

SEED = v1.OpenPart(seed="a puzzle")
"""The deck is left out: every card that lies nowhere, shuffled from this seed."""


def puzzle(catalog: finspan.Catalog) -> v1.GameState:
    """Return the last turn of a game alone; of the three cards in hand two are starters (R2.1)."""
    fish = {fish.slot: fish.id for fish in catalog.reply.forage_fish}
    ocean = [
        v1.SlotState(slot=v1.SLOT_B1, young=2),
        v1.SlotState(slot=v1.SLOT_B5, fish=fish[v1.SLOT_B5], egg=True),
        v1.SlotState(slot=v1.SLOT_P4, fish=fish[v1.SLOT_P4]),
        v1.SlotState(slot=v1.SLOT_G2, fish=fish[v1.SLOT_G2], egg=True),
    ]
    gained = [v1.AchievementPoints(), v1.AchievementPoints(), v1.AchievementPoints()]
    player = v1.PlayerState(display_name="Ada", ocean=ocean, hand=[95, 131, 133], achievement_points=gained)
    return v1.GameState(players=[player], week=4, turn=6, seat=0, first_player=0, open=SEED)


def main(address: str) -> None:
    """Look into the puzzle."""
    with finspan.Client(address) as client:
        game = finspan.Game.resume(client, puzzle(client.catalog()))
        print(game.decision.text)
        for legal in game.legal_moves:
            after = game.apply(legal)
            print(f"  {legal.id:<12} {legal.text}: {after.score().players[0].total} points")
        for reason in game.why_nothing():
            print(f"{reason.text} ({reason.rule})")
        for reason in game.why_not("play:95@G6", "draw"):
            print(f"{reason.text} ({reason.rule})")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:50051")
