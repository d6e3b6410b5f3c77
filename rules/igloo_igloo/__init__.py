"""Igloo Igloo / Iglu Iglu (Cathala, Faidutti; Goldsieber 2004): melting ice, hidden tiles, hunts, islands.

Rules II-1 … II-25 and decisions D-32 … D-66. One module for each thing on the table; `game.GAME` is the entry point.
"""
