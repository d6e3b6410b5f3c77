"""What a profile records about the takes that it was fitted on: how many, whose, and how to recognise them."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.recordings.named import unnamed
from calibration.takes.features import Row
from calibration.traps.by_the_clock import kept, known_moments
from calibration.traps.fingerprints import fingerprints, loudest
from calibration.traps.same_sittings import sittings, sittings_of_one
from calibration.traps.shaken_by import shaken_by
from sensors.ear.profiles.fitted_on import FittedOn
from sensors.ear.profiles.profile import Profile


def fitted_on(
    rows: Sequence[Row], start: Profile | None, strangers: bool, note: str | None, gesture: str | None
) -> FittedOn:
    """The memory of `rows`, and of what the start profile knew. `strangers`: the profile is for other sets than
    these."""
    recordings = {id(row.recording): row.recording for row in rows}.values()
    return FittedOn(
        takes=len(recordings),  # a file that is listed twice counts twice, and is reported
        sessions=len({r.occasion for r in recordings}),
        devices=len({r.device for r in recordings}),
        # takes without a name may be by the named people
        players=len({r.player for r in recordings if r.player}) or 1,
        unnamed=tuple(unnamed(recordings)),
        beads=tuple(sorted({r.beads for r in recordings if r.beads})),
        coarse_takes=len({id(row.recording) for row in rows if row.lacks and row.lacks.kind == "coarse"}),
        narrow_takes=len({id(row.recording) for row in rows if row.lacks and row.lacks.kind == "narrow"}),
        for_others=strangers,
        note=note,
        gesture=gesture,
        fingerprints=fingerprints(rows, start),
        loudest=loudest(rows, start),
        moments=tuple(kept(list(recordings), known_moments(start.fitted_on) if start else ())),
        sittings=tuple(sittings(rows, start)),
        sittings_of_one=tuple(sittings_of_one(rows, start)),
        shaken_by=tuple(shaken_by(recordings)),
        started_from=None if start is None else start.digest,
    )
