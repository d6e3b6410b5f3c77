"""`calibrate igloos fit`, `evaluate` and `report` for folders of the counting gesture (docs/gesture.md)."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from calibration.recordings.folder import Complain, Recording
from calibration.recordings.folds import Unit
from calibration.recordings.named import unnamed
from calibration.report.page import left_out
from calibration.scores import nothing_to_count, summary
from calibration.seat.as_played import as_played, surely_wrong_on_the_way
from calibration.seat.as_played import in_words as said_on_the_way
from calibration.seat.fit import evaluate_taps_left_out, fit_taps
from calibration.seat.in_order import evaluate_taps
from calibration.seat.outside import never_sure, not_weighed, sure_of_none_of_its_counts, sure_outside
from calibration.seat.taps import Answered, flattering, listen, not_left_out
from calibration.words import many
from firmware_bridge.errors import UsageError
from firmware_bridge.host.durable import write_whole
from firmware_bridge.host.shown import shown
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.profiles.fitted_on import WeighedOn
from sensors.evidence import COUNTS
from sensors.gesture import profile as profiles
from sensors.gesture.profile import GestureProfile
from table.commands.grouped import Grouped
from table.commands.igloo_choice import of_session, only_sessions, seat_profile
from table.commands.igloo_oddities import listed_twice
from table.commands.igloo_options import WHAT


def fit(
    recordings: Sequence[Recording],
    out: Path,
    counts: tuple[int, ...] | None,
    as_json: bool,
    complain: Complain,
) -> None:
    """Fit and save; prints what was fitted, which counts nobody weighed, and the two igloos of most similar weight."""
    fitted = profiles.save(fit_taps(list(listen(recordings, complain)), counts, complain), out)
    if unknown := never_sure(fitted, asked=counts is not None):
        print(f"polartable: {unknown}", file=sys.stderr)
    if as_json:
        told = {
            "profile": fitted.digest,
            "file": str(out),
            "accuracy": fitted.accuracy,
            "fitted_on": fitted.fitted_on.to_json(),
            "not_weighed": not_weighed(fitted),
        }
        print(json.dumps(told))
        return
    takes, seats = fitted.fitted_on.takes, len(fitted.sets)
    print(f"{shown(out)}: {many(takes, 'gesture')} on {many(seats, 'seat')}")
    for name, pair in fitted.accuracy["apart"].items():
        a, b = pair["counts"]
        print(f"{name}: igloos {a} and {b} weigh most alike, {pair['sigmas']:.1f} standard deviations apart")


def evaluate(
    recordings: Sequence[Recording],
    profile: Path | None,
    unit: Unit | None,
    test_on: str | None,
    counts: tuple[int, ...] | None,
    as_json: bool,
    complain: Complain,
    in_words: Callable[[dict[str, Any], str, int, Collection[str]], Any],
) -> None:
    """Test a profile as it is, or fit and test with whole units left out.

    If no recording has a count, whole sets are sorted instead, with or without a profile.
    """
    known = None if profile is None else seat_profile(profile)
    if known is not None:
        check_sensor_of(known, recordings)
        named = only_sessions(recordings, test_on)
        recordings = [r for r, chosen in zip(recordings, named, strict=True) if chosen]
    heard = list(listen(recordings, complain, profile=known))
    labelled = any(t.recording.beads is not None for t in heard)
    if known is None and unit is None and labelled:
        raise UsageError("say what is to be tested", WHAT)
    if twice := listed_twice([t.recording for t in heard]):
        print(f"polartable: {twice}", file=sys.stderr)
    known = known if labelled else known or _nobodys(recordings, counts)
    if known is not None:
        warning = flattering(known, heard)
        grouped = Grouped(complain)
        results = evaluate_taps(known, heard, grouped, as_played)
        grouped.tell()
    else:
        assert unit is not None
        results = [one for fold in evaluate_taps_left_out(heard, unit, test_on, counts) for one in fold]
        warning = not_left_out(heard, unit, [result.tapped for result in results])
    if not results:
        raise UsageError("no recording could be tested", "see the sentences above")
    unheard = sum(of_session(r, test_on) for r in recordings) - len(results)
    if as_json:
        for result in results:
            print(json.dumps(result.to_json(), ensure_ascii=False), flush=True)
    if not labelled and known is not None:
        _say_sorted(results, known, unheard, as_json)
    else:
        _say_counted(results, unheard, warning, as_json, in_words)


def _say_counted(
    results: Sequence[Answered],
    unheard: int,
    warning: str | None,
    as_json: bool,
    in_words: Callable[[dict[str, Any], str, int, Collection[str]], Any],
) -> None:
    """Print how many were counted rightly.

    `unheard`: how many recordings could not be tested; `warning`: why the figure flatters. Raises UsageError if none
    has a known count.
    """
    told = [r.told() for r in results if r.counted]
    if not told:
        raise UsageError(
            "no recording has a count that the profile knows", "fit one on the counts that were recorded"
        )
    figures = summary(told)
    if warning is not None:
        print(f"polartable: {warning}", file=sys.stderr)
    if as_json:
        more: dict[str, Any] = {"flattering": warning, "unheard": unheard}
        more["sure_on_the_way_wrong"] = surely_wrong_on_the_way(results)
        sure, outside = sure_outside(results)
        more |= {"outside": {"n": outside, "sure": sure}} if outside else {}
        print(json.dumps({"summary": figures | more}, ensure_ascii=False))
    elif warning is None:
        missing = unnamed(r.tapped.recording for r in results)
        for line in in_words(figures, "gesture", 1, missing):
            print(line)
        if on_the_way := said_on_the_way(results):
            print(on_the_way)
        if of_others := sure_of_none_of_its_counts(results):
            print(of_others)


def _nobodys(recordings: Sequence[Recording], counts: tuple[int, ...] | None) -> GestureProfile:
    """A profile that knows no set: it can only order the igloos of a whole set by what is loose in them."""
    nothing = WeighedOn(takes=0, devices=0, taps=0)
    return GestureProfile(recordings[0].sensor, counts or COUNTS, {}, 1.0, nothing, {})


def _say_sorted(results: Sequence[Answered], known: GestureProfile, unheard: int, as_json: bool) -> None:
    """Print which igloo of a whole set without counts holds what, if the set holds each count once.

    `unheard`: how many recordings could not be tested.
    """
    if as_json:
        occasions = {r.tapped.recording.occasion for r in results}
        more = {"unheard": unheard, "sorted": True}
        print(json.dumps({"summary": nothing_to_count(len(occasions)) | more}))
        return
    print(
        f"{many(len(results), 'gesture')}, none with a count: there are no figures, but whole sets can be sorted"
    )
    sets: dict[tuple[str, str, str | None], dict[str, int | None]] = defaultdict(dict)
    for result in results:
        r = result.tapped.recording
        sets[r.device or "", r.session or "", r.set][r.igloo or r.file] = result.in_set
    sittings = Counter((device, name) for device, _, name in sets)
    for (device, session, name), igloos in sorted(sets.items(), key=str):
        if name is None:
            print(
                f'{device or "recordings"} without a "set": say in recordings.jsonl which igloos are of one set'
            )
            continue
        where = name if not device or name.startswith(device) else f"{device}, set {name}"
        where += f" of {session}" if session and sittings[device, name] > 1 else ""
        best = {igloo: n for igloo, n in igloos.items() if n is not None}
        if not best:
            print(
                f"{where}: cannot be sorted; weigh every igloo of the set once, four at least, no two twice"
            )
            continue
        order = sorted(best, key=lambda igloo: best[igloo])
        print(f"{where}: " + ", ".join(f"{igloo} holds {best[igloo]}" for igloo in order))
        if len(best) < len(known.counts) and known.set_for(device or None) is None:
            print(
                f"{where}: {many(len(best), 'igloo')} for {len(known.counts)} counts, so all but their order may be "
                "a guess: weigh the whole set, or say with --counts which counts it holds"
            )


def check_sensor_of(known: GestureProfile, recordings: Sequence[Recording]) -> None:
    """Raises ProfileError if no recording is from the sensor that the profile was made for."""
    others = {r.sensor for r in recordings}
    if known.sensor not in others:
        other = min(others)
        raise ProfileError(
            f"the profile was made for {a_sensor(known.sensor)}, and the {many(len(recordings), 'recording')} that "
            f"were chosen are of {a_sensor(other)}",
            f"fit one on gestures of {a_sensor(other)}",
        )


def report(
    recordings: Sequence[Recording], profile: Path, out: Path, complain: Complain, lines_left_out: int
) -> int:
    """Write the page; returns the number of its recordings. Raises UsageError if nothing can be used or written."""
    from calibration.seat.report import render

    known = seat_profile(profile)
    if not recordings:
        raise UsageError(
            "a seat's profile tells the counting gesture (seat-tap), and no recording that was chosen is one",
            "name a folder of that gesture, or a profile of shakes",
        )
    check_sensor_of(known, recordings)
    heard = list(listen(recordings, complain, profile=known))
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warning = flattering(known, heard)
    grouped = Grouped(complain)
    results = evaluate_taps(known, heard, grouped, as_played)
    grouped.tell()
    refused = [] if warning is None else [f"No figures are shown: {warning}."]
    aside = left_out(lines_left_out, len(recordings) - len(results), "gesture")
    page = render(results, known, refused, aside)
    try:
        write_whole(out, page.encode("utf-8", "replace"), 0o644)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)
