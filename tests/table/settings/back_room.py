"""The settings of one table, with comments and without a fault."""

from __future__ import annotations

GOOD = """# the table in the back room
[serve]
port = 9000  # beside the club's own page

[game]
name = "ice-cult"
players = ["red", "blue"]
"""
