"""Cubes: samples of four IMUs to poses, tilts and turns. Geometry only; no rule of the game."""
