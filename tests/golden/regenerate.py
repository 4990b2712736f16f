"""Plays the golden games again and rewrites their files: ``python -m tests.golden.regenerate``.

The recorded moves are made again as long as they are legal, so that the difference shows what changed and no
more; with ``--anew`` all moves are chosen anew.
"""

import sys

from tests.golden.games import GAMES, GoldenGame, play, read, text_of


def _recorded(game: GoldenGame) -> tuple[str, ...]:
    return read(game.path.read_text(encoding="utf-8")).moves if game.path.exists() else ()


def main(arguments: list[str]) -> None:
    """Write every file."""
    for game in GAMES:
        played = play(game, () if "--anew" in arguments else _recorded(game))
        game.path.write_text(text_of(game, played), encoding="utf-8")
        print(f"{game.path.name}: {len(played) - 1} moves")


if __name__ == "__main__":
    main(sys.argv[1:])
