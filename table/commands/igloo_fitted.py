"""The final output of `polartable calibrate igloos fit`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from calibration.recordings.folds import Unit
from calibration.recordings.named import of_whom
from calibration.testing.left_out import LeftOut
from calibration.words import CALLED, many, ranges
from firmware_bridge.host.shown import shown
from sensors.ear.profiles.profile import Profile
from table.commands.igloo_words import between


def tell_fitted(
    fitted: Profile, out: Path, honest: LeftOut, unit: Unit, warned: Sequence[str], as_json: bool
) -> None:
    """Print the warnings, what was fitted, and how well it counts left-out takes."""
    for sentence in warned:
        print(f"polartable: {sentence}", file=sys.stderr)
    if as_json:
        told = {
            "profile": fitted.digest,
            "file": str(out),
            "accuracy": fitted.accuracy,
            "fitted_on": fitted.fitted_on.to_json(),
            "left_out": honest.figures,
            "why": honest.why,
            "warnings": warned,
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        on = fitted.fitted_on
        print(
            f"{shown(out)}: fitted on {many(on.takes, 'take')}{of_whom(on)}, counts {ranges(fitted.counts)}"
        )
        if honest.figures is None:
            print(honest.why)
        else:
            print(
                f"with every {CALLED[unit]} left out in turn: {honest.figures['exact']:.2f} exact "
                f"({between(honest.figures, 'exact')}), {honest.figures['within_one']:.2f} within one"
            )
