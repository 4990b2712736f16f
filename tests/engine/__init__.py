"""Tests of the engine: what a player at the table would notice."""
