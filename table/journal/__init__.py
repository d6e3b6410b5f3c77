"""The truth of the table: an append-only book of entries. Everything shown is a fold over it.

Nothing that draws, hears or listens on a port may enter here.
"""
