"""The same games to the bit on every Python: see `tests.digests.__main__`."""
