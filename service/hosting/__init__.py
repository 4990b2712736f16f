"""Hosted games: the service keeps the game, and players name it.

`games` finds and changes them in the store, `plans` says what a request makes of one, `advance` carries moves
forward, `snapshots` is how a game is stored, `replay` whether its record gives it again. `seats` tells who
asks, `permits` who may do what.
"""
