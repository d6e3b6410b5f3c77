"""Which recordings are of one shake (`pair`): they are counted together, and left out together.

A pair is named once in a folder, and a file that is listed twice is one recording of it. Where devices are named after
sensors instead of sets of igloos, its recordings are under several of them; where pairs are numbered anew for each
device, equal numbers are different shakes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from calibration.recordings.folder import Recording
from calibration.recordings.taken import taken_at

SAME_S = 60.0  # two clocks at one table agree better


def of_one_shake(recordings: Sequence[Recording]) -> list[list[int]]:
    """Indices of the recordings of each shake that several sensors heard: one `pair`, each from another sensor or
    place. Recordings under several devices are taken as one shake unless their lines contradict that."""
    out: list[list[int]] = []
    for group in _across_devices(recordings):
        parts = _by_occasion(recordings, group)
        out += [group] if _unlike(recordings, group) else [p for p in parts if _unlike(recordings, p)]
    return [group for group in out if len(_sensors(recordings, group)) > 1]


def perhaps_one_shake(recordings: Sequence[Recording]) -> list[list[int]]:
    """Indices of recordings of one `pair` by indistinguishable sensors, one under each of several devices: either of
    one shake, or of different shakes with the same number."""
    return [
        group
        for group in _across_devices(recordings)
        if len(_sensors(recordings, group)) < len(group)
        and all(len(part) == 1 for part in _by_occasion(recordings, group))
    ]


def united(recordings: Sequence[Recording], names: Sequence[str]) -> list[str]:
    """`names` of the units of recordings (sessions, devices, folds), where units that share a shake are merged under
    the first of their names."""
    one = {name: name for name in names}

    def first(name: str) -> str:
        while one[name] != name:
            name = one[name]
        return name

    for shake in of_one_shake(recordings):
        known = sorted({first(names[i]) for i in shake})
        for name in known[1:]:
            one[name] = known[0]
    return [first(name) for name in names]


def _across_devices(recordings: Sequence[Recording]) -> Iterable[list[int]]:
    """Recordings of one pair, as far as their lines do not say that they are of different shakes."""
    held: dict[tuple[object, ...], set[int]] = defaultdict(set)
    for r in recordings:
        if r.beads is not None:
            held[r.pair, r.occasion].add(r.beads)
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, r in enumerate(recordings):
        if r.pair is not None and r.rejected is None:
            known = held[r.pair, r.occasion]
            # a count that one line leaves open is that of the others
            beads = next(iter(known)) if r.beads is None and len(known) == 1 else r.beads
            groups[r.pair, r.session, beads].append(i)
    for group in groups.values():
        players = {recordings[i].player for i in group} - {None}
        one = len(players) < 2 and _at_one_time(recordings, group)
        yield from [group] if one else _by_occasion(recordings, group)


def _by_occasion(recordings: Sequence[Recording], group: Sequence[int]) -> list[list[int]]:
    parts: dict[str, list[int]] = defaultdict(list)
    for i in group:
        parts[recordings[i].occasion].append(i)
    return list(parts.values())


def _unlike(recordings: Sequence[Recording], group: Sequence[int]) -> bool:
    """Is each file from another sensor or place?"""
    files = {(r.sensor, r.place, r.below) for r in (recordings[i] for i in group)}
    return len(_sensors(recordings, group)) == len(files)


def _sensors(recordings: Sequence[Recording], group: Sequence[int]) -> set[tuple[str, str | None]]:
    return {(recordings[i].sensor, recordings[i].place) for i in group}


def _at_one_time(recordings: Sequence[Recording], group: Sequence[int]) -> bool:
    times = [at for i in group if (at := taken_at(recordings[i])) is not None]
    return not times or max(times) - min(times) <= SAME_S
