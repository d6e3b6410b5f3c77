"""Cubes: from samples of four IMUs to poses, tilts and turns. Only geometry, no rules of the game."""
