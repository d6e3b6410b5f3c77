"""Igloos whose counts are none of those that a profile tells apart: each is taken for another one.

An ear usually doubts it (`sensors.ear.verdicts.beyond`), but not always.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calibration.recordings.folder import Recording
from calibration.testing.evaluate import Tested
from calibration.words import beads_of, many, ranges
from sensors.evidence import COUNTS, Heard


def never_said(counts: Sequence[int]) -> str | None:
    """About counts of the game below or above all that are told apart; for those in between see `counts_between`."""
    known = [n for n in counts if n in COUNTS]
    missing = [n for n in COUNTS if known and not min(known) <= n <= max(known)]
    if not missing:
        return None
    they = "such an igloo" if len(missing) == 1 else "any of those"
    return (
        f"no take holds {beads_of(missing)}, so {they} will be taken for one of {ranges(known)}, or doubted: "
        f"record {'it' if len(missing) == 1 else 'them'} as well, or ask for a guess from the others with "
        f"--counts {min(COUNTS)}-{max(COUNTS)}"
    )


def sure_outside(tested: Sequence[Tested]) -> tuple[int, int]:
    """Of how many recordings with none of its counts a profile was sure, and how many such recordings there are."""
    return of_none((t.row.recording, t.counts, t.heard) for t in tested if t.row.recording.beads != 0)


def of_none(told: Iterable[tuple[Recording, Sequence[int], Heard]]) -> tuple[int, int]:
    """The same from recordings, the counts told apart, and the answers."""
    those = [
        heard.verdict == "sure"
        for recording, counts, heard in told
        if recording.kept_with_count and recording.beads not in counts
    ]
    return sum(those), len(those)


def sure_of_none_of_its_counts(tested: Sequence[Tested]) -> str | None:
    """The same in words; None where there are none."""
    return in_words(*sure_outside(tested))


def in_words(sure: int, of: int) -> str | None:
    """The result of `sure_outside` as a sentence; None where there is no such recording."""
    if not of:
        return None
    hold = "that holds" if of == 1 else "that hold"
    wrong = ", and wrong" if sure else ""
    return f"it was sure of {sure or 'none'} of {many(of, 'recording')} {hold} none of its counts{wrong}"
