"""Warnings of `calibrate igloos` beside the figures, and the command to use instead."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from calibration.fitting.asked import counts_known
from calibration.recordings.folds import Unit
from calibration.recordings.named import UNITS
from calibration.recordings.occasion import set_in_between
from calibration.takes.features import Row, Takes
from calibration.testing.evaluate import Tested
from calibration.traps.minutes_apart import minutes_apart
from calibration.words import many, ranges
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear.profiles.profile import Profile
from table.commands.igloo_oddities import (
    copied,
    counts_between,
    counts_unseen,
    empty,
    listed_twice,
    not_read_to_the_end,
    not_told_apart,
    one_count_twice,
    partly_named,
    places_mixed,
    times_unread,
    too_little,
    too_many_igloos,
    too_slow,
    two_counts,
    unnamed,
    without_a_count,
)
from table.commands.key_oddities import nearly_ours
from table.commands.pair_oddities import pair_of_one_kind, pair_of_two, pair_of_two_counts


def warnings(
    heard: Takes,
    wanted: Sequence[int] | None = None,
    *,
    unit: Unit | None = None,
    profile: Profile | None = None,
    told: Sequence[int] = (),
) -> list[str]:
    """Sentences on a folder: what was asked for and is missing, what is there twice, and what does not belong together.

    `unit`: what is left out in turn; `profile`: the one tested as it is; `told`: the counts that are distinguished, by
    which sets are joined.
    """
    rows = [of_one[0] for of_one in heard]
    recordings = [row.recording for row in rows]
    said = (
        counts_unseen(wanted, [r.beads or 0 for r in recordings]),
        counts_between(counts_known(rows)) if wanted is None and profile is None else None,
        not_told_apart(recordings, told, profile),
        empty(recordings),
        listed_twice(recordings),
        copied(rows, unit),
        places_mixed(recordings, profile),
        without_a_count(recordings),
        unnamed(recordings, unit) if unit else None,
        *(partly_named(recordings, named) for named in UNITS if named != unit),
        *nearly_ours(recordings),
        times_unread(recordings),
        (set_in_between(recordings) or minutes_apart(recordings)) if unit == "session" else None,
        minutes_apart(recordings, left_out=False) if profile is not None else None,
        two_counts(recordings),
        pair_of_two(recordings),
        pair_of_one_kind(recordings),
        pair_of_two_counts(recordings),
        too_many_igloos(recordings, told) if told else None,
        one_count_twice(recordings, told) if told else None,
        too_slow([row.rate for row in rows if row.recording.sensor == "microphone"]),
        *(too_little(rows, kind) for kind in ("coarse", "narrow", "packed", "bits")),
        not_read_to_the_end(rows),
    )
    return [s for s in said if s is not None]


def evaluate_command(
    folder: Path,
    sensor: str | None,
    only: Sequence[str] | None,
    unit: Unit = "session",
    counts: str | None = None,
    start_from: str | None = None,
) -> str:
    """The command that gives the honest figure for the same recordings."""
    words = ["polartable", "calibrate", "igloos", "evaluate", str(folder), "--leave-out", unit]
    for option, value in (("--sensor", sensor), ("--counts", counts), ("--start-from", start_from)):
        words += [option, value] if value else []
    for word in only or ():
        words += ["--only", word] if word.partition("=")[0] != "session" else []  # more sessions are wanted
    return shlex.join(words)


def for_whom(profile: Profile, asked: bool) -> str | None:
    """Whom a profile serves. `asked`: it was requested for other people's igloos.

    A profile of a few sets knows each igloo, and is no better for others. One of many sets is for others, and no longer
    knows single igloos.
    """
    on = profile.fitted_on
    if on.devices < 2 or asked:
        return None
    if on.for_others:
        return (
            f"the profile is for other sets of igloos than these {on.devices}, by what they have in common; for one "
            "of these, fit it alone with --only device=NAME"
        )
    return (
        f"the profile is for these {on.devices} sets of igloos and may hear others worse than the one that ships; "
        "for others, add --for-others"
    )


def heard_on_the_shell_too(profile: Profile, takes: Sequence[Row]) -> str | None:
    """About a fit whose heads of a microphone on the shell count because nobody says where the microphone was.

    They tell counts by loudness too, which at the table depends on how far away an igloo is shaken.
    """
    if profile.sensor != "microphone" or not any(head.on_shell for head in profile.heads):
        return None
    if any(row.recording.place is not None for row in takes):
        return None
    return (
        'no recording names its "place", so these are heard as of a microphone on the shell too, where loudness '
        "counts; if it was not there, igloos that are shaken nearer or farther may be taken for others: give "
        '"place":"shell" or "place":"table" in recordings.jsonl, and fit again'
    )


def without_any_count(results: Sequence[Tested]) -> str:
    """The output instead of figures, if nobody said what any igloo holds."""
    return (
        f"{many(len(results), 'recording')}, none with a count: nothing can be told right or wrong, so there are no "
        'figures; give "beads" in recordings.jsonl'
    )


def nothing_told(results: Sequence[Tested]) -> PolartableError | None:
    """Why there are no figures; None if no recording has a count, which is no mistake."""
    if not results:
        return UsageError("no recording could be tested", "see the sentences above")
    if all(r.row.recording.beads is None for r in results):
        return None
    counts = results[0].counts
    return UsageError(
        f"no recording has a count of {ranges(counts)}, which are told apart",
        "fit a profile for the counts that were recorded",
    )
