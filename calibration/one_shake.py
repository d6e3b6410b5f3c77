"""Which recordings are of one shake (`pair`), whatever their devices are called: it is left out whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from calibration.recordings import Recording

SAME_S = 60.0  # two clocks at one table agree better


def of_one_shake(recordings: Sequence[Recording]) -> list[list[int]]:
    """Indices of the recordings of each shake that several have, as far as lines tell: one `pair`, by one player in
    sessions of one name, of igloos that hold as many, at one time. Their devices may differ."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, r in enumerate(recordings):
        if r.pair is not None and r.rejected is None:
            groups[r.pair, r.player, r.session, r.beads].append(i)
    return [group for group in groups.values() if len(group) > 1 and _at_one_time(recordings, group)]


def _at_one_time(recordings: Sequence[Recording], group: Sequence[int]) -> bool:
    times = [at for i in group if (at := _time(recordings[i].taken)) is not None]
    return not times or max(times) - min(times) <= SAME_S


def _time(taken: str | None) -> float | None:
    try:
        return None if taken is None else datetime.fromisoformat(taken).timestamp()
    except (ValueError, OverflowError):
        return None  # what others write there is theirs
