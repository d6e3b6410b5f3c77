"""Kinds of sound files within sittings: endings, rates and bits that go with the count.

They tell which phone or program a take went through. Where that depends on the count, as where two people each recorded
half of the igloos, a fit takes what it does to the sound for beads.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from calibration.takes.features import Row
from sensors.ear.frames.frontend import Floats


def kinds_of_files(rows: Sequence[Row]) -> npt.NDArray[np.intp]:
    """A number for each row's kind of file."""
    kinds = [
        (PurePosixPath(row.recording.file).suffix.lower(), round(row.rate), _few_bits(row)) for row in rows
    ]
    number = {kind: i for i, kind in enumerate(sorted(set(kinds)))}
    return np.array([number[kind] for kind in kinds], dtype=np.intp)


def _few_bits(row: Row) -> bool:
    return row.lacks is not None and row.lacks.kind == "bits"


def means_of_kinds(beads: Floats, sittings: npt.NDArray[np.intp], kinds: npt.NDArray[np.intp]) -> Floats:
    """For each take the mean of `beads`, less that of its sitting, over all takes of its kind: opposite sittings cancel
    out."""
    return means_of(beads - means_of(beads, sittings), kinds)


def means_of(values: Floats, groups: npt.NDArray[np.intp]) -> Floats:
    """For each of `values` [takes] the mean of its group."""
    out: Floats = (np.bincount(groups, values) / np.bincount(groups))[groups]
    return out


def beyond_chance(correlation: float, takes: int, kinds: int) -> float:
    """The correlation with such means, less what so many kinds reach by chance (the adjusted correlation ratio)."""
    if takes <= kinds:
        return 0.0
    return float(np.sqrt(max(0.0, 1 - (1 - correlation**2) * (takes - 1) / (takes - kinds))))
