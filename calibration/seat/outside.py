"""Igloos outside a seat's profile: those that were never weighed, and those whose counts are not among its answers."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.seat.taps import Answered
from calibration.testing.outside import in_words, of_none
from calibration.words import beads_of
from sensors.gesture.profile import GestureProfile


def not_weighed(profile: GestureProfile) -> dict[str, list[int]]:
    """For each set, the possible answers that nobody weighed; sets without any are left out."""
    out = {}
    for name, known in profile.sets.items():
        weighed = {n for n, times in zip(known.model.counts, known.model.weighed, strict=True) if times}
        if missing := [n for n in profile.counts if n not in weighed]:
            out[name] = missing
    return out


def never_sure(profile: GestureProfile, asked: bool) -> str | None:
    """The same as a sentence; None where all were weighed. asked: the counts were given, so asking for them is no
    advice."""
    missing = not_weighed(profile)
    if not missing:
        return None
    those = ", ".join(f"{beads_of(counts)} of {name}" for name, counts in missing.items())
    one = sum(map(len, missing.values())) == 1
    others = "" if asked else ", or say with --counts what your set holds, if it holds none such"
    return (
        f"nobody weighed an igloo of {those}, so what may be {'one' if one else 'one of these'} is never sure: "
        f"weigh {'it' if one else 'them'} as well and fit again{others}"
    )


def sure_outside(answered: Sequence[Answered]) -> tuple[int, int]:
    """Of how many recordings with none of its counts the profile was sure, and how many such recordings there are."""
    return of_none((a.tapped.recording, a.counts, a.heard) for a in answered)


def sure_of_none_of_its_counts(answered: Sequence[Answered]) -> str | None:
    """The same in words; None where there are none."""
    return in_words(*sure_outside(answered))
