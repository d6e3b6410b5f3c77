"""`polartable calibrate igloos report`: the figures of a folder as a page with pictures."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from calibration.bulk import Hands
from calibration.confounding import look
from calibration.errors import NothingToTest
from calibration.evaluate import Tested, answer, evaluate_left_out, evaluate_profile
from calibration.gather import refusal
from calibration.honesty import flattering, not_left_out
from calibration.prior import automatic
from calibration.takes import hear
from firmware_bridge.errors import UsageError
from sensors.ear.errors import FitError, ProfileError, SoundError
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.igloo_choice import Grouped, check_same_sensor, shake_profile
from table.commands.igloo_options import Complaints, read_rows, seat_taps
from table.commands.igloo_warnings import warnings as warned

LENGTHS_S = (0.5, 1.0, 2.0, 3.0)
SLACK_S = 0.1
AS_IT_IS = (
    "The profile was asked as it is: it was not fitted on these takes; the figures are honest if it knows none of "
    "their sittings either"
)
LEFT_OUT = (
    "Every session was left out in turn and heard by what the others taught, as the profile knows these takes: "
    "asked itself, it would flatter"
)


def write_report(
    folder: Path,
    profile: Path,
    out: Path,
    sensor: str | None,
    only: list[str] | None,
    jobs: int | Hands,
    complain: Complaints,
) -> int:
    """Write the page and say how many recordings it is about.

    Where the profile knows the recordings, every session is left out in turn instead; where there is only one, no
    figures are shown. Raises UsageError where nothing can be used or written.
    """
    from calibration.gather import by_length
    from calibration.report import render

    if is_gesture_profile(profile):
        of_seat = gestures.load(profile).sensor
        check_same_sensor(folder, of_seat, sensor, only)
        taps = seat_taps(folder, complain, sensor or of_seat, only)
        return calibrate_taps.report(taps, profile, out, complain)
    known = shake_profile(profile)
    check_same_sensor(folder, known.sensor, sensor, only)
    fronts = [head.front for head in known.heads]
    heard = read_rows(folder, complain, sensor or known.sensor, jobs, fronts, only)
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warnings: list[str] = []
    results: list[Tested] = []
    warning = flattering(known, heard)
    how = AS_IT_IS
    if warning is not None and (copies := not_left_out(None, heard, "session")) is not None:
        how = ""
        warnings.append(f"No figures are shown: {copies}.")
    elif warning is not None:
        try:
            for fold in evaluate_left_out(heard, "session", None, known.counts, starts=automatic):
                results += fold
            how = LEFT_OUT
            print(f"polartable: {how[:1].lower()}{how[1:]}", file=sys.stderr)
        except NothingToTest:
            results, how = [], ""
            warnings.append(f"No figures are shown: {warning}. One more session is enough.")
        except FitError as error:
            results, how = [], ""
            warnings.append(f"No figures are shown: {error.cause}; {error.mend}.")
    if not results:
        grouped = Grouped(complain)
        results = evaluate_profile(known, heard, grouped)
        grouped.tell()
    if not warnings and not any(t.counted for t in results):
        warnings.append("No figures are shown: no recording could be tested; what is missing is said below.")

    def cut(seconds: float) -> list[Tested]:
        again = []
        for of_one in heard:
            if of_one[0].shake.seconds < seconds - SLACK_S:
                continue  # so much was never heard of it
            # the first seconds of a shake may hold none, or nothing that can be measured
            with contextlib.suppress(ProfileError, SoundError):
                row = hear(of_one[0].recording, of_one[0].front, seconds)
                if row.shake.seconds <= seconds + SLACK_S:
                    again.append(answer(known, [row]))
        return again

    lengths = by_length(LENGTHS_S, cut) if warning is None and not warnings else {}
    traps = look([of_one[0] for of_one in heard])
    doubt = refusal(results)
    asked = known if how == AS_IT_IS else None
    told = results[0].counts if results else known.counts
    odd = warned(heard, unit=None if asked else "session", profile=asked, told=told)
    doubts = [*([doubt] if doubt else []), *odd]
    page = render(results, known, traps, warnings, lengths, doubts, how)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)
