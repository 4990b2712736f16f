"""Tests of the client distribution: units on hand-made messages, and whole games against the real service."""
