"""Samples to evidence: heard (probabilities over counts), pose (one of 24 turns and its margin), pressed.

No verdict about a game is made here; the desk in `table/` weighs what leaves this room against the legal moves.
"""
