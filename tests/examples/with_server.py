"""Runs a command against a server started for it: ``python -m tests.examples.with_server COMMAND ...``.

FINSPAN_ADDRESS tells the command where the server is.
"""

import os
import subprocess
import sys

from finspan import serving


def main(command: list[str]) -> int:
    """Run a command and return its exit code."""
    with serving.server() as address:
        environment = {**os.environ, "FINSPAN_ADDRESS": address}
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603  our caller's


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
