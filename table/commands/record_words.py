"""The wizard's messages about a sweep that ends or is interrupted, and how to continue."""

from __future__ import annotations

import shlex
from pathlib import Path

from calibration.fitting.asked import LEAST_COUNTS, LEAST_MORE, LEAST_TAKES_TO_FIT
from calibration.recordings.folder import Recording
from calibration.recordings.sweep import Sweep
from calibration.seat.taps import GESTURE as SEAT_TAP
from calibration.words import many
from firmware_bridge.host.shown import shown

MUTE = (
    "Nothing was heard for a minute, not even noise: the input gives one value throughout, as when it is muted, or its "
    "microphone or cable is dead. Unmute it, look at its plug, or choose another one (polartable devices)."
)
INTERRUPTED = "the recording was interrupted (the program was stopped, or the computer slept)"
UNCONFIRMED = "not confirmed"  # why a take does not count that nobody confirmed


def what_next(
    folder: Path, have: list[Recording], gesture: str | None = None, button: str | None = None
) -> str:
    """What to do with the recordings, shaken or by another `gesture`. `button`: fits a profile where they are made."""
    command = fit_command(folder, have, gesture)
    if command is None:
        beads = _beads(have, gesture)
        if (counts := len(set(beads))) < LEAST_COUNTS:
            return f"That is {many(counts, 'count')}, and a profile takes {LEAST_COUNTS}: record other igloos too."
        return f"That is {many(len(beads), 'take')}, and a profile takes {_least(gesture)}: record another sweep."
    if button is None:
        fit = f"Fit what is there with: `{shown(shlex.join(command))}`"
    else:
        fit = f"{button} makes a profile of what is there"
    if gesture is not None:
        return fit if button is None else f"{fit}."
    return f"{fit}; a sweep by another person is worth more than one more by the same."


def fit_command(folder: Path, have: list[Recording], gesture: str | None = None) -> list[str] | None:
    """The command, word by word, that fits a profile on such recordings; None if there are too few of them."""
    beads = _beads(have, gesture)
    if len(set(beads)) < LEAST_COUNTS or len(beads) < _least(gesture):
        return None
    of = _of_one_sensor(_kept(have, gesture))
    # the profile of another folder, sensor or gesture is not to be replaced
    name = [folder.resolve().name or "mine"] + ([_kept(have, gesture)[-1].kind] if of else [])
    if gesture is not None:
        name.append("seat" if gesture == SEAT_TAP else gesture)
        of += ["--only", f"gesture={gesture}"] if any(r.gesture != gesture for r in have) else []
    out = "-".join(dict.fromkeys(name))
    return ["polartable", "calibrate", "igloos", "fit", str(folder), *of, "--out", f"{out}.profile"]


def _least(gesture: str | None) -> int:
    """How many takes a fit needs: no profile ships that one of another gesture could start from; a seat weighs."""
    if gesture is None:
        return LEAST_MORE
    return LEAST_COUNTS if gesture == SEAT_TAP else LEAST_TAKES_TO_FIT


def _beads(have: list[Recording], gesture: str | None) -> list[int | None]:
    """The count of each take on which a fit would be made."""
    kept = _kept(have, gesture)
    if _of_one_sensor(kept):  # one fit would not take both sensors, or would mix them
        kept = [r for r in kept if r.kind == kept[-1].kind]
    return [r.beads for r in kept]


def _kept(have: list[Recording], gesture: str | None) -> list[Recording]:
    return [r for r in have if r.gesture == gesture and r.rejected is None]


def _of_one_sensor(have: list[Recording]) -> list[str]:
    """Options that restrict a fit to the sensor that was recorded last; none if there is only one."""
    if len({r.kind for r in have}) < 2:
        return []
    last = have[-1]
    of = ["--sensor", last.sensor] if len({r.sensor for r in have}) > 1 else []
    mixed = len({r.kind for r in have if r.sensor == last.sensor}) > 1
    return [*of, "--only", f"place={last.place}"] if mixed and last.place else of


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


def ended(kept: int, folder: Path, cut_off: bool, onward: str, why: str = "Stopped") -> str:
    """What there is of a run that was ended, and how to continue. `cut_off`: in the middle of a take."""
    under_way = ", the one under way is not" if cut_off else ""
    return f"{why}: {many(kept, 'take')} of this run kept in {shown(folder)}{under_way}; {onward}."


def way_on(left: int, sweeps: int, again: str) -> str:
    """How to continue with so many sweeps left, including the one in progress, by doing `again`."""
    return f"{again} {'' if left == sweeps else f'with --sweeps {left} '}goes on from here"
