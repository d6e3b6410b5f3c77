"""`calibrate igloos fit`, `evaluate` and `report` for folders of the counting gesture (docs/gesture.md)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from calibration.folds import Unit
from calibration.recordings import Complain, Recording
from calibration.scores import summary
from calibration.seat_taps import (
    Answered,
    evaluate_taps,
    evaluate_taps_left_out,
    fit_taps,
    flattering,
    listen,
)
from firmware_bridge.errors import UsageError
from sensors.gesture import profile as profiles


def fit(
    recordings: Sequence[Recording],
    out: Path,
    counts: tuple[int, ...] | None,
    as_json: bool,
    complain: Complain,
) -> None:
    """Fit and save; prints what was fitted and which two igloos weigh most alike."""
    fitted = profiles.save(fit_taps(list(listen(recordings, complain)), counts), out)
    if as_json:
        told = {
            "profile": fitted.digest,
            "file": str(out),
            "accuracy": fitted.accuracy,
            "fitted_on": fitted.fitted_on,
        }
        print(json.dumps(told))
        return
    seats = len(fitted.sets)
    print(f"{out}: {fitted.fitted_on['takes']} gestures on {seats} seat{'' if seats == 1 else 's'}")
    for name, pair in fitted.accuracy["apart"].items():
        a, b = pair["counts"]
        print(f"{name}: igloos {a} and {b} weigh most alike, {pair['sigmas']} standard deviations apart")


def evaluate(
    recordings: Sequence[Recording],
    profile: Path | None,
    unit: Unit | None,
    test_on: str | None,
    counts: tuple[int, ...] | None,
    as_json: bool,
    complain: Complain,
    in_words: Callable[[dict[str, Any]], Any],
) -> None:
    """Test a profile as it is, or fit and test with whole units left out."""
    heard = list(listen(recordings, complain))
    results: list[Answered] = []
    warning = None
    if profile is not None:
        known = profiles.load(profile)
        warning = flattering(known, heard)
        results = evaluate_taps(known, heard, complain)
    else:
        assert unit is not None
        for fold in evaluate_taps_left_out(heard, unit, test_on, counts):
            results += fold
    if as_json:
        for result in results:
            print(json.dumps(result.to_json(), ensure_ascii=False), flush=True)
    told = [r.told() for r in results if r.counted]
    if not told:
        raise UsageError(
            "no recording has a count that the profile knows", 'give "beads" in recordings.jsonl'
        )
    figures = summary(told)
    if warning is not None:
        print(f"polartable: {warning}", file=sys.stderr)
    if as_json:
        print(json.dumps({"summary": figures | {"flattering": warning}}, ensure_ascii=False))
    elif warning is None:
        for line in in_words(figures):
            print(line)


def report(recordings: Sequence[Recording], profile: Path, out: Path, complain: Complain) -> int:
    """Write the page; how many recordings it is about. Raises UsageError where nothing can be used or written."""
    from calibration.seat_report import render

    known = profiles.load(profile)
    heard = list(listen(recordings, complain))
    if not heard:
        raise UsageError("no recording of the folder can be used", "see the sentences above")
    warning = flattering(known, heard)
    results = evaluate_taps(known, heard, complain)
    page = render(results, known, [] if warning is None else [f"No figures are shown: {warning}."])
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror})", "choose another folder") from error
    return len(results)
