"""Mutants of the engine: small faults put into it on purpose, to see whether some test notices."""
