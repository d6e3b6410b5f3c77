"""`polartable calibrate igloos report`: the figures of a folder as a page with pictures."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from calibration.bulk import Hands, Lost, each, lost
from calibration.confounding import by_its_name, look, look_further
from calibration.errors import NothingToTest
from calibration.evaluate import Tested, answer, evaluate_left_out, evaluate_profile, folds_to_test
from calibration.gather import refusal
from calibration.honesty import TOO_MANY, flattering, not_left_out, share_known, unit_of
from calibration.lately import as_in_a_stream
from calibration.named import name_them, unnamed
from calibration.page import to_follow
from calibration.prior import ASKED_START, Starts, automatic, given
from calibration.takes import Row, beginnings
from calibration.words import CALLED, many
from firmware_bridge.durable import write_whole
from firmware_bridge.errors import UsageError
from sensors.ear.errors import FitError, ProfileError, SoundError
from sensors.ear.profile import SHIPPED, Profile, load_shipped
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.igloo_choice import PAGE, Grouped, check_out, check_same_sensor, shake_profile
from table.commands.igloo_options import Complaints, progress, read_rows, seat_taps
from table.commands.igloo_warnings import hidden_traps
from table.commands.igloo_warnings import warnings as warned

LENGTHS_S = (0.5, 1.0, 2.0, 3.0)
AS_IT_IS = (
    "The profile was asked as it is: it was not fitted on these takes; the figures are honest if it knows none of "
    "their sittings either"
)
LEFT_OUT = (
    "Every {unit} was left out in turn and heard by what the others taught: these are the figures of such profiles, "
    "and not of this one, which would flatter, for {why}"
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

    Where the profile knows the recordings, every session is left out in turn instead, or every device if the profile is
    for others than these; where there is only one, no figures are shown. Raises UsageError where nothing can be used or
    written.
    """
    from calibration.curves import Point, by_length
    from calibration.report import render

    if is_gesture_profile(profile):
        of_seat = gestures.load(profile).sensor
        check_same_sensor(folder, of_seat, sensor, only)
        taps = seat_taps(folder, complain, sensor or of_seat, only, wanted=True)
        return calibrate_taps.report(taps, profile, out, complain)
    check_out(out, PAGE, replaced=True)
    known = shake_profile(profile)
    chosen = f" ({', '.join(only)})" if only else ""
    check_same_sensor(folder, known.sensor, sensor, only)
    fronts = [head.front for head in known.heads]
    heard = read_rows(folder, complain, sensor or known.sensor, jobs, fronts, only)
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warnings: list[str] = []
    results: list[Tested] = []
    warning = flattering(known, heard)
    how = AS_IT_IS
    unit = unit_of(known)
    called = CALLED[unit]
    untested: list[str] = []
    if warning is not None and (copies := not_left_out(None, heard, unit)) is not None:
        how = ""
        warnings.append(f"No figures are shown: {copies}.")
    elif warning is not None:
        try:
            hands = jobs if isinstance(jobs, Hands) else Hands(jobs)
            starts, elsewhere = starts_of(known)
            fit_and_test = partial(evaluate_left_out, heard, unit, None, known.counts, starts=starts)
            with progress(len(folds_to_test(heard, unit, None)), "fitting and testing") as step:
                folds = []
                for fold in fit_and_test(hands=hands, complain=complain):
                    folds.append(fold)
                    step()
            untested += [elsewhere] if elsewhere else []
            results = [tested for fold in folds for tested in fold]
            if gone := sum(not fold for fold in folds):
                untested.append(
                    f"{gone} of {many(len(folds), unit)} could not be tested: see the sentences above"
                )
            if results:
                how = LEFT_OUT.format(unit=called, why=_known(known, heard))
                print(f"polartable: {how[:1].lower()}{how[1:]}", file=sys.stderr)
            else:
                how = ""
                warnings.append(f"No figures are shown: no {called} could be tested.")
        except NothingToTest:
            results, how = [], ""
            unsaid = [u for u in unnamed(of_one[0].recording for of_one in heard) if u == unit]
            mend = (
                f"To leave each {unit} out, {name_them(unsaid)}" if unsaid else f"One more {called} is enough"
            )
            sessions = len({of_one[0].recording.occasion for of_one in heard})
            warnings.append(f"No figures are shown: {to_follow(warning, folder, sessions)}. {mend}.")
        except FitError as error:
            results, how = [], ""
            warnings.append(f"No figures are shown: {error.cause}; {error.mend}.")
    if not results:
        grouped = Grouped(complain)
        results = as_in_a_stream(evaluate_profile(known, heard, grouped))
        grouped.tell()
    if not warnings and not any(t.counted for t in results):
        warnings.append("No figures are shown: no recording could be tested; what is missing is said below.")

    lengths: dict[float, Point] = {}
    if warning is None and not warnings:
        hands = jobs if isinstance(jobs, Hands) else Hands(jobs)
        with progress(len(heard), "listening to the first seconds alone") as step:
            lengths = by_length(_beginnings(known, heard, hands, complain, step))
    left_out = None if how == AS_IT_IS else unit
    rows = [of_one[0] for of_one in heard]
    named = by_its_name([row.recording for row in rows], left_out) if left_out else None
    found = look_further(named, rows) if left_out else look(rows, None)
    traps = [*found, *hidden_traps(heard, left_out)]
    doubt = refusal(results)
    asked = known if how == AS_IT_IS else None
    told = results[0].counts if results else known.counts
    odd = warned(heard, unit=None if asked else unit, profile=asked, told=told)
    doubts = [*untested, *([doubt] if doubt else []), *odd]
    about = (
        f"Recordings: {folder.resolve().name}{chosen}. Profile: {profile.name}. {date.today().isoformat()}"
    )
    page = render(results, known, traps, warnings, lengths, doubts, how, about)
    try:
        # an old page stands until the new one does; a profile may name what no file can hold
        write_whole(out, page.encode("utf-8", "replace"), 0o644)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)


def _known(profile: Profile, heard: Sequence[Sequence[Row]]) -> str:
    share = share_known(profile, heard)
    return f"it was fitted on {share:.0%} of these takes" if share > TOO_MANY else "it knows their sittings"


def _beginnings(
    known: Profile,
    heard: Sequence[Sequence[Row]],
    hands: Hands,
    complain: Complaints,
    step: Callable[[], None],
) -> Iterator[dict[float, Tested]]:
    """What is said of each take when only its first seconds are heard."""
    for told in each(partial(_of_beginnings, known), heard, hands):
        step()
        if isinstance(told, Lost):
            complain(lost(str(told.piece[0].recording.path)))
        else:
            yield told


def _of_beginnings(known: Profile, of_one: Sequence[Row]) -> dict[float, Tested]:
    # the first seconds of a shake may hold none, or nothing that can be measured
    with contextlib.suppress(ProfileError, SoundError):
        return {seconds: answer(known, cut) for seconds, cut in beginnings(of_one, LENGTHS_S).items()}
    return {}


def starts_of(known: Profile) -> tuple[Callable[[Sequence[Sequence[Row]]], Starts], str | None]:
    """Where the tests' fits start, as the profile's own did; and a sentence where that cannot be had again."""
    asked = known.fitted_on.get(ASKED_START)
    if asked is None:
        return automatic, None
    if asked == "nothing":
        return partial(given, None), None
    for kind in SHIPPED:
        if (shipped := load_shipped(kind)).digest == asked:
            return partial(given, shipped), None
    return automatic, (
        "The profile was fitted from another one that is not at hand, and the tests began from those that ship; its "
        "own figure is told by polartable calibrate igloos evaluate with --start-from and --leave-out "
        f"{unit_of(known)}"
    )
