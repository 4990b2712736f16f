"""The games whose digests are compared: the golden ones, and a few hundred at random.

Standard library and engine only: this runs on Pythons where nothing else is installed.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from service.engine.digest import full_digest
from service.engine.rules import legal_moves
from service.engine.state import BASE_GAME, SHARKS_AND_REEFS, Options
from tests.choosers import TASTES, Choose, chooser
from tests.games import Setup, moments
from tests.golden import games as golden

PATH: Final = Path(__file__).parent / "digests.txt"
GAMES_PER_TASTE: Final = 25
SIDES: Final = (BASE_GAME, Options(side="b"))
REEF_GAMES_PER_TASTE: Final = 10
REEF_SIDES: Final = tuple(options._replace(expansions=(SHARKS_AND_REEFS,)) for options in SIDES)


def digest_of(setup: Setup, choose: Choose) -> str:
    """Return the digest of a whole game: SHA-256 over each state's full digest and legal moves by id."""
    digest = sha256()
    for moment in moments(setup, choose):
        ids = ",".join(move.id for move in legal_moves(moment.state))
        digest.update(f"{full_digest(moment.state)} {ids}\n".encode())
    return digest.hexdigest()


def golden_games() -> Iterator[tuple[str, str]]:
    """Yield the name and the digest of every golden game."""
    for game in golden.GAMES:
        recorded = golden.read(game.path.read_text(encoding="utf-8"))
        yield f"golden/{game.name}", digest_of(game.setup, game.players(recorded.moves))


def random_games() -> Iterator[tuple[str, str]]:
    """Yield the name and the digest of games of every taste, number of players and side."""
    for taste in TASTES:
        for number in range(GAMES_PER_TASTE):
            seed = f"{taste}/{number}"
            setup = Setup(1 + number % 5, SIDES[number % len(SIDES)], seed)
            yield seed, digest_of(setup, chooser([taste], seed))


def random_games_with_reefs() -> Iterator[tuple[str, str]]:
    """Yield the same of games of Sharks & Reefs."""
    for taste in TASTES:
        for number in range(REEF_GAMES_PER_TASTE):
            seed = f"reefs/{taste}/{number}"
            setup = Setup(1 + number % 5, REEF_SIDES[number % len(REEF_SIDES)], seed)
            yield seed, digest_of(setup, chooser([taste], seed))


def today() -> dict[str, str]:
    """Return all digests by the names of their games."""
    return dict([*golden_games(), *random_games(), *random_games_with_reefs()])


def kept() -> dict[str, str]:
    """Return the digests that the file has."""
    lines = PATH.read_text(encoding="utf-8").splitlines()
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}


def write(digests: dict[str, str]) -> None:
    """Keep digests in the file, a game per line."""
    PATH.write_text("".join(f"{name} {digest}\n" for name, digest in digests.items()), encoding="utf-8")


def differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """Return the names of the games that are not the same in both."""
    return [name for name in old | new if old.get(name) != new.get(name)]
