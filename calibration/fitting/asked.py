"""Which takes a fit can use, and what the fitted profile will be asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, number
from calibration.takes.features import Row
from calibration.words import beads_of, many, ranges
from sensors.ear.errors import FitError, a_sensor
from sensors.ear.frames.frontend import Sensor
from sensors.ear.models.population_fit import enough
from sensors.ear.profiles.profile import Profile
from sensors.evidence import COUNTS

LEAST_COUNTS = 3  # the least that a fit can tell apart
LEAST_TAKES_TO_FIT = 12
LEAST_MORE = 4  # with a start profile: a sweep of a small set suffices


def counts_known(rows: Sequence[Row]) -> tuple[int, ...]:
    """The counts that a profile can answer by default: those that occur, and no others.

    In a folder that goes beyond the game's 2–13 (IP-1), counts outside are fitted on as anchors, but are no answers.
    """
    beads = sorted({r.recording.beads for r in rows if r.recording.beads})
    return tuple([n for n in beads if n in COUNTS] or beads)


def check_counts(recordings: Sequence[Recording], wanted: Sequence[int] | None) -> None:
    """Raises FitError where a sensor's recordings have too few of the wanted counts, although they have others."""
    by_sensor: dict[str, set[int]] = {}
    for r in recordings:
        if r.kept_with_count and r.beads:
            by_sensor.setdefault(r.sensor, set()).add(r.beads)
    for sensor, known in by_sensor.items():
        there = sorted(known & set(wanted or ()))
        if wanted is None or len(there) >= min(LEAST_COUNTS, len(wanted), len(known)):
            continue
        of_it = f" of {a_sensor(sensor)}" if len(by_sensor) > 1 else ""
        these = ",".join(map(str, sorted(known))) + (f" --sensor {sensor}" if of_it else "")
        raise FitError(
            f"{beads_of(sorted(wanted))} {'is' if set(wanted) == {1} else 'are'} asked for, and "
            + (
                f"of these only takes{of_it} of {ranges(there)} are there"
                if there
                else f"no take{of_it} holds so many"
            ),
            f"record them, or ask for counts that were recorded (fit and evaluate: --counts {these})"
            if len(known) >= LEAST_COUNTS
            else f"record a sweep: every igloo once, {LEAST_COUNTS} counts at least"
            + (", or choose the other sensor with --sensor" if of_it else ""),
        )


def check_enough(wanted: Sequence[int] | None) -> None:
    """Raises FitError where fewer counts are wanted than a fit can tell apart."""
    if wanted and len(wanted) < LEAST_COUNTS:
        raise FitError(
            f"{many(len(wanted), 'count')} to be told apart {'is' if len(wanted) == 1 else 'are'} too few to fit on",
            f"ask for at least {LEAST_COUNTS} of them, or for none in particular",
        )


def check_takes(beads: npt.NDArray[np.intp], counts: Sequence[int], least: int) -> None:
    """Raises FitError where there are too few takes, or too few different counts among them."""
    asked, held = beads[np.isin(beads, counts)], np.unique(beads[beads > 0])
    # nobody asked for other counts: a start can tell them apart
    if not len(asked) and len(held) < LEAST_COUNTS:
        asked = beads[beads > 0]
    n, kinds = len(asked), len(np.unique(asked))
    if len(beads) < least or kinds < LEAST_COUNTS:
        further = kinds < LEAST_COUNTS <= len(held) and len(beads) >= least
        others = [int(c) for c in held if c not in asked]
        besides = f"; others hold {beads_of(others)}, and are not asked about" if others else ""
        raise FitError(
            f"{many(n, 'take')} of {many(kinds, 'count')} {'is' if n == 1 else 'are'} too few to fit on"
            f"{'' if further else besides}"
            if kinds
            else "no take has a count that is to be told apart",
            f"others hold {beads_of(others)}: ask for them with --counts {held[0]}-{held[-1]}"
            if further
            else f"record another sweep: at least {least} takes"
            if kinds >= LEAST_COUNTS
            else f"record a sweep: every igloo once, at least {least} takes of {LEAST_COUNTS} counts",
        )


def check_not_overdriven(rows: Sequence[Row]) -> None:
    """Raises FitError where a microphone's takes without clipping have too few counts to fit on. What clipped takes
    teach does not apply once the gain is right, and a clipped shake is never sure. An accelerometer's clipped takes
    count (`sensors.ear.verdicts.pair`)."""
    mine = [row for row in usable(rows) if row.recording.sensor == "microphone"]
    loud = sum(row.clipped for row in mine)
    told = {row.recording.beads for row in mine}
    whole = {row.recording.beads for row in mine if not row.clipped}
    if len(told) < LEAST_COUNTS or len(whole) >= LEAST_COUNTS:
        return
    which = f"all {loud}" if loud == len(mine) else f"{loud} of {len(mine)}"
    rest = "" if not whole else f", and the others are of {many(len(whole), 'count')} alone"
    away = "" if on_the_shell(mine) else ", move the microphone away"
    raise FitError(
        f"{which} takes are overdriven{rest}: a profile of them would know no shake that is not, and of one that is "
        "nothing is ever sure",
        f"turn the gain down{away} or shake more gently, and record the sweeps anew",
    )


def usable(rows: Sequence[Row]) -> list[Row]:
    """Rows to fit on: not rejected, with a known count above zero (ln 0 is no point of the line)."""
    return [r for r in rows if r.recording.kept_with_count and r.recording.beads != 0]


def check_usable(rows: Sequence[Row]) -> None:
    """Raises FitError where none of the rows can be fitted on: no counts are known, or all igloos are empty."""
    if usable(rows):
        return
    if any(row.recording.kept_with_count for row in rows):
        raise FitError(
            "all recordings of a known count are of empty igloos, and silence teaches nothing",
            'record igloos that hold beads, or mend "beads" in recordings.jsonl',
        )
    raise FitError("no recording has a known count", 'give "beads" in recordings.jsonl')


def on_the_shell(rows: Sequence[Row]) -> bool:
    """Does the sensor sit on the igloo? An accelerometer does; a microphone where recordings say `"place":"shell"`."""
    return all(row.recording.sensor == "accelerometer" or row.recording.place == "shell" for row in rows)


def for_others(rows: Sequence[Row], unit: Unit | None) -> bool:
    """Will a fit on these be asked about other sets of igloos? It will where devices are left out, and where the folder
    has enough sweeps, of different sets, to tell what sets have in common."""
    if unit is not None:
        return unit == "device"
    beads = np.array([row.recording.beads or 0 for row in rows], dtype=np.intp)
    occasions = number([row.recording.occasion for row in rows])
    return enough(beads, occasions, number([row.recording.device or "" for row in rows]))


def check_one_kind(recordings: Sequence[Recording]) -> None:
    """Raises FitError where sensors or gestures are mixed."""
    if len({r.sensor for r in recordings}) > 1:
        raise FitError("microphone and accelerometer are mixed", "choose one with --sensor")
    if len({r.gesture for r in recordings}) > 1:
        raise FitError(f"the gestures {_by_file(recordings)} are mixed", "choose one: --only gesture=NAME")


def of_one_kind(rows: Sequence[Row], start: Profile | None) -> tuple[Sensor, str | None]:
    """The one sensor and gesture of all takes (at least one take). Raises FitError where they are mixed, or the start
    has others."""
    check_one_kind([row.recording for row in rows])
    sensor, gesture = rows[0].recording.sensor, rows[0].recording.gesture
    if start is not None and start.gesture is not None and start.gesture != gesture:
        raise FitError("the profile to start from is of another gesture", "use --start-from nothing")
    check_start(start, {sensor})
    return sensor, gesture


def check_start(start: Profile | None, sensors: Collection[Sensor]) -> None:
    """Raises FitError where no recording comes from the sensor that the start profile is for."""
    if start is not None and sensors and start.sensor not in sensors:
        raise FitError(
            f"the profile to start from is of {a_sensor(start.sensor)}",
            f"start from one of {a_sensor(min(sensors))}",
        )


def _by_file(recordings: Sequence[Recording]) -> str:
    """The gestures of these takes; for a gesture with a single take, its file, because that may be a slip."""
    files: dict[str, set[str]] = {}
    for r in recordings:
        files.setdefault(r.gesture or "shake", set()).add(r.file)
    return ", ".join(
        f"{name} ({next(iter(of_one))})" if len(of_one) == 1 else name
        for name, of_one in sorted(files.items())
    )
