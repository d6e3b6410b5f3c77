"""The table's record: an append-only book of entries. Everything shown is a fold over it.

No code that draws, listens to sensors or opens a port belongs here.
"""
