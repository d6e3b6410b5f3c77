"""Bytes to samples: ports, framing, packets, nodes, reconnecting.

Nothing of ours may be imported here, and nothing that knows a game, a pose or a count may enter. What leaves this room
are samples with a time, and counters of the wire's quality.
"""
