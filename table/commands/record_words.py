"""The wizard's messages about a sweep that ends or is interrupted, and how to continue."""

from __future__ import annotations

import shlex
from pathlib import Path

from calibration.fitting.asked import LEAST_COUNTS
from calibration.recordings.folder import Recording
from calibration.recordings.sweep import Sweep
from calibration.seat.taps import GESTURE as SEAT_TAP
from calibration.words import many

MUTE = (
    "Nothing was heard for a minute, not even noise: the input gives one value throughout, as when it is muted, or its "
    "microphone or cable is dead. Unmute it, look at its plug, or choose another one (polartable devices)."
)
INTERRUPTED = "the recording was interrupted (the program was stopped, or the computer slept)"
UNCONFIRMED = "not confirmed"  # why a take does not count that nobody confirmed


def what_next(folder: Path, have: list[Recording], gesture: str | None = None) -> str:
    """What to do with the recordings, shaken or by another `gesture`."""
    others = any(r.gesture != gesture for r in have)
    have = [r for r in have if r.gesture == gesture and r.rejected is None]
    of, out = _of_one_sensor(have), "mine"
    if (
        of
    ):  # one fit would not take them, or would mix them, and its profile is not to replace the other sensor's
        have = [r for r in have if r.kind == have[-1].kind]
        out = have[-1].kind
    counts = {r.beads for r in have}
    if len(counts) < LEAST_COUNTS:
        return f"That is {many(len(counts), 'count')}, and a profile takes {LEAST_COUNTS}: record other igloos too."
    fit = f"Fit what is there with: polartable calibrate igloos fit {shlex.quote(str(folder))}{of}"
    if gesture is not None:
        only = f" --only {shlex.quote(f'gesture={gesture}')}" if others else ""
        return f"{fit}{only} --out {shlex.quote('seat' if gesture == SEAT_TAP else gesture)}.profile"
    return f"{fit} --out {out}.profile; a sweep by another person is worth more than one more by the same."


def _of_one_sensor(have: list[Recording]) -> str:
    """Options that restrict a fit to the sensor that was recorded last; empty if there is only one."""
    if len({r.kind for r in have}) < 2:
        return ""
    last = have[-1]
    of = f" --sensor {last.sensor}" if len({r.sensor for r in have}) > 1 else ""
    mixed = len({r.kind for r in have if r.sensor == last.sensor}) > 1
    return of + (f" --only {shlex.quote(f'place={last.place}')}" if mixed and last.place else "")


def complete(sweep: Sweep) -> str:
    return f"Sweep {sweep.name} is complete: {len(sweep.counts)} of {len(sweep.counts)}."


def stopped(line: Recording, onward: str) -> str:
    """What became of the take after which it was stopped, and how to continue."""
    if line.rejected == UNCONFIRMED:
        return (
            f"It ended before anybody said whether {line.file} is to be kept: its sound is there, it does not "
            f"count (rejected: {UNCONFIRMED}), and its igloo comes again; {onward}."
        )
    return f"Stopped; {onward}." if line.rejected else f"Kept {line.file} and stopped; {onward}."


def way_on(left: int, sweeps: int, again: str) -> str:
    """How to continue with so many sweeps left, including the one in progress, by doing `again`."""
    return f"{again} {'' if left == sweeps else f'with --sweeps {left} '}goes on from here"
