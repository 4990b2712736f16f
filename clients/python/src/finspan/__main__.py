"""`python -m finspan` is the command `finspan`."""

from finspan.cli import main

if __name__ == "__main__":
    main(prog_name="finspan")
