"""`polartable calibrate igloos report`: the figures of a folder as a page with pictures."""

from __future__ import annotations

import sys
from pathlib import Path

from calibration.bulk import Hands
from calibration.confounding import look
from calibration.errors import NothingToTest
from calibration.evaluate import Tested, answer, evaluate_left_out, evaluate_profile
from calibration.honesty import flattering
from calibration.prior import automatic
from calibration.takes import hear
from firmware_bridge.errors import UsageError
from sensors.ear import profile as profiles
from sensors.ear.errors import FitError
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.igloo_options import Complaints, read_rows, seat_taps

LENGTHS_S = (0.5, 1.0, 2.0, 3.0)


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
        taps = seat_taps(folder, complain, sensor or gestures.load(profile).sensor, only)
        return calibrate_taps.report(taps, profile, out, complain)
    known = profiles.load(profile)
    fronts = [head.front for head in known.heads]
    heard = read_rows(folder, complain, sensor or known.sensor, jobs, fronts, only)
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warnings: list[str] = []
    results: list[Tested] = []
    warning = flattering(known, heard)
    if warning is None:
        results = evaluate_profile(known, heard, complain)
    else:
        try:
            for fold in evaluate_left_out(heard, "session", None, known.counts, starts=automatic):
                results += fold
            print(
                "polartable: every session was left out in turn, as the profile knows these takes",
                file=sys.stderr,
            )
        except (NothingToTest, FitError):
            results = evaluate_profile(known, heard, complain)
            warnings.append(f"No figures are shown: {warning}. One more session is enough.")

    def cut(seconds: float) -> list[Tested]:
        again = [[hear(r.recording, r.front, seconds) for r in of_one[:1]] for of_one in heard]
        return [answer(known, of_one) for of_one in again]

    lengths = by_length(LENGTHS_S, cut) if warning is None else {}
    page = render(results, known, look([of_one[0] for of_one in heard]), warnings, lengths)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)
