"""One file that tells a stranger what happened at a table: settings, versions, last games, counters; nobody's name.

`contents` gathers, `redact` takes out, `packing` writes it bounded, `unpacking` reads a foreign one with suspicion.
"""

FORMAT, VERSION = "polartable-report", 1
