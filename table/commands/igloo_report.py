"""`polartable calibrate igloos report`: the figures of a folder as a page with pictures."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from calibration.bulk import Hands, Lost, each, lost
from calibration.report.page import left_out
from calibration.seat.taps import is_tap
from calibration.takes.features import Row, Takes, beginnings
from calibration.testing.evaluate import Tested, answer
from calibration.testing.gather import refusal
from calibration.traps.flattering import unit_of
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.durable import write_whole
from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.profiles.profile import Profile
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.igloo_choice import check_same_sensor, chosen_of, shake_profile
from table.commands.igloo_figures import AS_IT_IS, figures_of
from table.commands.igloo_options import Complaints, read_rows, seat_taps
from table.commands.igloo_warnings import warnings as warned
from table.out_file import PAGE, check_out
from table.steps import progress

LENGTHS_S = (0.5, 1.0, 2.0, 3.0)


def write_report(
    folder: Path,
    profile: Path,
    out: Path,
    sensor: str | None,
    only: list[str] | None,
    hands: Hands,
    complain: Complaints,
) -> int:
    """Write the page and say how many recordings it covers.

    If the profile knows the recordings, every session is left out in turn instead, or every device if the profile is
    for other people's igloos. If there is only one, no figures are shown. Raises UsageError if nothing can be used or
    written.
    """
    from calibration.report.igloos import render
    from calibration.testing.curves import Point, by_length

    if is_gesture_profile(profile):
        seat_sensor = gestures.load(profile).sensor
        check_same_sensor(folder, seat_sensor, sensor, only)
        taps = seat_taps(folder, complain, sensor or seat_sensor, only, wanted=True)
        return calibrate_taps.report(taps, profile, out, complain, complain.count)
    check_out(out, PAGE, replaced=True)
    known = shake_profile(profile)
    chosen = f" ({', '.join(only)})" if only else ""
    check_same_sensor(folder, known.sensor, sensor, only)
    fronts = [head.front for head in known.heads]
    heard = read_rows(folder, complain, sensor or known.sensor, hands, fronts, only)
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    unit = unit_of(known)
    figures = figures_of(folder, known, heard, hands, complain)
    results, as_it_is = figures.results, figures.how == AS_IT_IS
    lengths: dict[float, Point] = {}
    if as_it_is and not figures.refused:
        with progress(len(heard), "listening to the first seconds alone") as step:
            lengths = by_length(_beginnings(known, heard, hands, complain, step))
    doubt = refusal(results)
    asked = known if as_it_is else None
    told = results[0].counts if results else known.counts
    odd = warned(heard, unit=None if asked else unit, profile=asked, told=told)
    lines: list[PolartableError] = []
    asked_about = sum(not is_tap(r) for r in chosen_of(folder, sensor or known.sensor, only, lines.append))
    aside = left_out(len(lines), asked_about - len(results))
    doubts = [*aside, *figures.untested, *([doubt] if doubt else []), *odd]
    about = (
        f"Recordings: {folder.resolve().name}{chosen}. Profile: {profile.name}. {date.today().isoformat()}"
    )
    page = render(results, known, figures.traps, figures.refused, lengths, doubts, figures.how, about)
    try:
        # the old page stays until the new one is written; a profile may contain names that cannot be encoded
        write_whole(out, page.encode("utf-8", "replace"), 0o644)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)


def _beginnings(
    known: Profile,
    heard: Takes,
    hands: Hands,
    complain: Complaints,
    step: Callable[[], None],
) -> Iterator[dict[float, Tested]]:
    """The results for each take from its first seconds alone."""
    for told in each(partial(_of_beginnings, known), heard, hands):
        step()
        if isinstance(told, Lost):
            complain(lost(str(told.piece[0].recording.path)))
        else:
            yield told


def _of_beginnings(known: Profile, of_one: Sequence[Row]) -> dict[float, Tested]:
    # the first seconds may hold no shake, or nothing measurable
    with contextlib.suppress(ProfileError, SoundError):
        return {seconds: answer(known, cut) for seconds, cut in beginnings(of_one, LENGTHS_S).items()}
    return {}
