"""Andrew Looney's IGLOO (1997): pyramids on a plain, connections by their facing sides, captures, a secret colour.

Rules IG-1 … IG-19 and decisions D-67 … D-84. `game.GAME` is the way in.
"""
