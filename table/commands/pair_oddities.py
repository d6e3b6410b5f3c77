"""Oddities of a folder's pairs (recordings of one shake by several sensors), one sentence each, or None."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from calibration.recordings.folder import Recording
from calibration.recordings.one_shake import of_one_shake
from calibration.words import beads_of, many
from sensors.ear.errors import a_sensor


def pair_of_two(recordings: Sequence[Recording]) -> str | None:
    """The recordings of one shake name different devices or sets of igloos."""
    apart = [shake for shake in of_one_shake(recordings) if len({recordings[i].occasion for i in shake}) > 1]
    if not apart:
        return None
    names = sorted({recordings[i].device or "none" for i in apart[0]})
    return (
        f"{many(len(apart), 'shake')} (pair {recordings[apart[0][0]].pair}) {'is' if len(apart) == 1 else 'are'} there "
        f"under two devices ({' and '.join(names[:2])}), and a fit takes them for two sets of igloos: device names the "
        "set of igloos, not the sensor; give both the same in recordings.jsonl"
    )


def pair_of_one_kind(recordings: Sequence[Recording]) -> str | None:
    """Two recordings of one pair are from sensors of the same kind and place, and are not combined.

    A file that is listed twice counts once here; that is reported separately.
    """
    files = {r.below: r for r in recordings if r.pair is not None}
    seen: Counter[tuple[str | None, ...]] = Counter(
        (r.occasion, r.pair, r.sensor, r.place) for r in files.values()
    )
    twice = [key for key, n in seen.items() if n > 1]
    if not twice:
        return None
    _, pair, sensor, _ = twice[0]
    return (
        f"{many(len(twice), 'pair')} ({pair}{' and others' if len(twice) > 1 else ''}) "
        f"{'has' if len(twice) == 1 else 'have'} two recordings of {a_sensor(str(sensor))} in one place, which count "
        'as two takes and are not told together: give "place" in recordings.jsonl'
    )


def pair_of_two_counts(recordings: Sequence[Recording]) -> str | None:
    """Sensors of one shake are listed with two different counts."""
    held: dict[tuple[str, str], set[int]] = defaultdict(set)
    for r in recordings:
        if r.pair is not None and r.beads is not None:
            held[r.occasion, r.pair].add(r.beads)
    wrong = [(pair, sorted(counts)) for (_, pair), counts in held.items() if len(counts) > 1]
    if not wrong:
        return None
    pair, counts = wrong[0]
    return (
        f"the recordings of one shake (pair {pair}{' and others' if len(wrong) > 1 else ''}) are said to hold "
        f"{beads_of(counts)}, and only one of them can be: mend recordings.jsonl"
    )
