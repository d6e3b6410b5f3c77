"""Andrew Looney's IGLOO (1997): pyramids on a plane, connections by facing sides, captures, and a secret colour.

Rules IG-1 … IG-19 and decisions D-67 … D-84. `game.GAME` is the entry point.
"""
