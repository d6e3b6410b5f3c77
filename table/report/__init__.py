"""A fault report: one file with settings, versions, last games and counters for a stranger who helps; without names.

`contents` gathers, `redact` removes secrets, `packing` writes a bounded file, `unpacking` reads an untrusted one.
"""

FORMAT, VERSION = "polartable-report", 1
