"""The rows of one recording, one for each front end, arranged for the heads of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.takes.features import Row
from sensors.ear.profiles.heads import Head


def seen_by(heads: Sequence[Head], rows: Sequence[Row]) -> Row:
    """The row of the first head's front end, with the shakes through the others beside its own."""
    # of several heads with one front end, the first
    floors = {head.front: head.floor for head in reversed(heads)}
    shown = [row for front in dict.fromkeys(h.front for h in heads) for row in rows if row.front == front]
    first, *others = (row.shake.on(floors[row.front]) for row in shown)
    return replace(shown[0], shake=replace(first, beside=tuple(others)))
