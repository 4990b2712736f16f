"""Client of the Finspan engine, an unofficial rules service of the board game."""
