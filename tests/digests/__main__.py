"""Plays the games and compares their digests with the file: ``python -m tests.digests``.

It needs a Python and nothing else. With ``--write`` it rewrites the file: the rules or the data changed, and
so must the rules version.
"""

import platform
import sys

from tests.digests.games import PATH, differences, kept, today, write


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 if all games are the same to the bit."""
    digests = today()
    if "--write" in arguments:
        write(digests)
        print(f"{PATH.name}: {len(digests)} games")
        return 0
    wrong = differences(kept(), digests)
    print(*(f"differs: {name}" for name in wrong), sep="\n", end="\n" if wrong else "")
    print(f"Python {platform.python_version()}: {len(digests) - len(wrong)} of {len(digests)} games as kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
