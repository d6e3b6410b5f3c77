"""Igloos that hold none of the counts that a profile tells apart: each is taken for another one.

An ear doubts it (`sensors.ear.verdicts.beyond`), and now and then does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calibration.recordings.folder import Recording
from calibration.testing.evaluate import Tested
from calibration.words import beads_of, many, ranges
from sensors.evidence import COUNTS, Heard


def never_said(counts: Sequence[int]) -> str | None:
    """Counts of the game are fewer or more than any that is told apart; of those between `counts_between` tells."""
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
    """Of how many recordings that hold none of its counts a profile was sure, and how many these are."""
    return of_none((t.row.recording, t.counts, t.heard) for t in tested if t.row.recording.beads != 0)


def of_none(told: Iterable[tuple[Recording, Sequence[int], Heard]]) -> tuple[int, int]:
    """The same of recordings, the counts that were told apart, and what was said."""
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
    """What `sure_outside` tells as a sentence; None where there is no such recording."""
    if not of:
        return None
    hold = "that holds" if of == 1 else "that hold"
    wrong = ", and wrong" if sure else ""
    return f"it was sure of {sure or 'none'} of {many(of, 'recording')} {hold} none of its counts{wrong}"
