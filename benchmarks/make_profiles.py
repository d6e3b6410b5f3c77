"""Fit the profiles that ship with the product, on simulated shakes alone.

    polartable simulate shakes --out a --devices 48 --players 24 --sessions 4 --anchors 1,14,15,16 --seed 303 \
        --sensor microphone --sensor contact --sensor accelerometer
    python -m benchmarks.other_world --out b --devices 8 --players 4 --sessions 4 --seed 1
    python -m benchmarks.other_world --out c --devices 8 --players 4 --sessions 4 --seed 2
    python -m benchmarks.make_profiles a b c

Two physics engines that share nothing: an ear fitted on one of them alone is lost in the other, and so it would be with
real igloos. The accelerometer's profile was fitted on a further folder, of the first simulator's earlier people.
Whole devices are left out in choosing penalties and noise: a shipped profile meets igloos it has never heard.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

from calibration import recordings as store
from calibration.fit import fit_profile
from calibration.recordings import Recording
from calibration.takes import rows
from sensors.ear.frontend import FRONT_ENDS
from sensors.ear.profile import SHIPPED, save

INTO = Path(__file__).resolve().parent.parent / "sensors" / "profiles"
COUNTS = tuple(range(2, 14))
NOTE = "simulated shakes only; real igloos were not at hand"


def kind_of(recording: Recording) -> str:
    """Which shipped profile a simulated recording belongs to."""
    if recording.sensor == "accelerometer":
        return "accelerometer"
    return "contact" if recording.more.get("place") == "shell" else "microphone"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="+", help="simulated recordings")
    parser.add_argument("--kind", choices=list(SHIPPED), action="append", help="only this profile")
    parser.add_argument("--into", type=Path, default=INTO)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for kind in options.kind or SHIPPED:
        complaints: list[Exception] = []
        chosen = (
            r
            for r in itertools.chain(*(store.read(folder, complaints.append) for folder in options.folder))
            if kind_of(r) == kind and r.more.get("place") != "near"
        )
        sensor = "accelerometer" if kind == "accelerometer" else "microphone"
        fronts = [front for front in FRONT_ENDS if front.sensor == sensor]
        heard = list(rows(chosen, complaints.append, fronts, options.jobs))
        profile = save(fit_profile(heard, COUNTS, unit="device", note=NOTE), options.into / SHIPPED[kind])
        for head in profile.accuracy["heads"]:
            print(
                f"{kind} {head['front']}: {head['n']} takes, devices left out by turns: {head['exact']:.2f} exact, "
                f"{head['within_one']:.2f} within one, calibration error {head['ece']:.3f}"
            )
        print(f"{len(complaints)} recordings could not be used", file=sys.stderr)


if __name__ == "__main__":
    main()
