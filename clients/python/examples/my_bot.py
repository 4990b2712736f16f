"""A bot of one's own: plays the fish of most points, else dives where most fish lie.

python my_bot.py [HOST:PORT]
finspan match --bots my_bot:Angler,greedy
"""

import sys

import finspan


class Angler:
    """Looks at the game and the catalogue only."""

    def choose(self, game: finspan.Position) -> finspan.AnyMove:
        """Return one of the legal moves."""
        plays = game.legal_moves.of_kind("play_fish")
        dives = game.legal_moves.of_kind("dive")
        cards = game.catalog.cards
        if plays:
            return max(plays, key=lambda legal: cards[legal.move.play_fish.card].points)
        if dives:
            sites = [game.catalog.slots[slot.slot].site for slot in game.player.ocean if slot.fish]
            return max(dives, key=lambda legal: sites.count(legal.move.dive.site))
        return game.legal_moves[0]


def main(address: str) -> None:
    """Play six games against the greedy bot."""
    with finspan.Client(address) as client:
        bots: dict[str, finspan.Bot] = {"angler": Angler(), "greedy": finspan.GreedyBot()}
        setups = finspan.schedule(list(bots), games=6, seed="my bot")
        records = finspan.play_match(client, bots, setups)
        for name, standing in finspan.standings(records).items():
            print(f"{name}: {standing.wins} wins, {standing.mean('total'):.1f} points")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:50051")
