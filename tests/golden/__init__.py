"""Whole games as text that a player can judge, kept to be compared with how they are played today."""
