r"""Fit the profiles that ship with the product, on simulated shakes alone.

    for seed in 303 404; do polartable simulate shakes --out a$seed --devices 48 --players 24 --sessions 4 \
        --anchors 1,14,15,16 --seed $seed --sensor microphone --sensor contact --sensor accelerometer; done
    for seed in 1 2; do python -m benchmarks.worlds.other_world --out w$seed --devices 8 --players 4 --seed $seed; done
    for seed in 11 12 13; do
        python -m benchmarks.worlds.other_world --wide --out w$seed --devices 24 --players 12 --sessions 3 \
            --seed $seed; done
    for seed in 14 15; do python -m benchmarks.worlds.other_world --wide --odd --out w$seed --devices 15 --players 12 \
        --sessions 3 --seed $seed; done
    python -m benchmarks.worlds.third_world --out b302 --devices 20 --players 10 --sessions 3 --seed 302 --rate 3200
    python -m benchmarks.worlds.drawn_world --engine hw_mock --out dh --devices 5 --shells 5 --sessions 3 --seed 71
    python -m benchmarks.worlds.drawn_world --engine mujoco --out dm --devices 4 --shells 6 --sessions 3 --seed 71
    python -m benchmarks.worlds.drawn_world --engine bullet --out db --devices 4 --shells 6 --sessions 3 --seed 71
    python -m benchmarks.learning.make_profiles --kind microphone a303 a404 --other w1 w2 w11 w12 w13 w14 w15 \
        --other b302 --other dh dm db

    polartable simulate shakes --out c303 --devices 36 --players 24 --sessions 4 --anchors 1,14,15,16 --seed 303 \
        --sensor contact

    felt="--players 24 --sessions 4 --sensor accelerometer"
    polartable simulate shakes --out f303 --devices 13 --anchors 1,14,15,16 --seed 303 $felt
    polartable simulate shakes --out f506 --devices 40 --seed 506 --rate 3332 $felt
    polartable simulate shakes --out f507 --devices 30 --seed 507 $felt
    python -m benchmarks.worlds.other_world --out w1 --devices 8 --players 4 --seed 1
    python -m benchmarks.worlds.other_world --wide --out v11 --devices 12 --players 12 --sessions 3 --seed 11
    python -m benchmarks.worlds.other_world --out w77 --devices 8 --players 4 --seed 77 --rate 1666
    python -m benchmarks.worlds.other_world --wide --out w81 --devices 16 --players 8 --seed 81 --rate 3332
    python -m benchmarks.worlds.third_world --out b78 --devices 8 --players 4 --seed 78 --rate 1666
    python -m benchmarks.worlds.third_world --out b82 --devices 16 --players 8 --seed 82 --rate 3332
    python -m benchmarks.learning.make_profiles --kind accelerometer f303 f506 f507 --other w1 v11 w77 w81 \
        --other b302 b78 b82
    python -m benchmarks.learning.make_profiles --kind contact c303 --other w1 v11 w77 w81 --other b302 b78 b82 \
        --other dh dm db

Accelerometers have their own folders since beads are imagined for them (sensors.ear.shakes.imagined). Sensors drawn at
random are not among these: they improved the ear neither for engines that it had not heard nor for those it had.
The networks are trained first (make_nets.py), on other folders of hw_mock, because a network is overconfident about
takes that it learned from. The second engine is slow, so three of its folders serve both.
There are three physics engines that share nothing: an ear fitted on the first or the second alone failed on the other,
and might fail on real igloos. Each engine is a source with its own populations (sensors.ear.models.populations); for
microphones, all three heard through sensors drawn at random are another source.
Whole devices are left out when penalties and noise are chosen, because a shipped profile meets igloos it has never
heard.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.kept import kept
from benchmarks.worlds.engines import add_folders, engines_of
from calibration.fitting.fit import fit
from calibration.recordings.folder import Recording
from calibration.takes.features import rows
from sensors.ear.frames.frontend import COUNT_TOGETHER, FRONT_ENDS, ON_THE_SHELL
from sensors.ear.profiles.profile import SHIPPED, save

INTO = Path(__file__).resolve().parents[2] / "sensors" / "profiles"
COUNTS = tuple(range(2, 14))
NOTE = "simulated shakes only; real igloos were not at hand"


def apart(recording: Recording) -> Recording:
    """The recording with a device name unique to its folder: every folder has a first device of its own."""
    names: dict[str, Any] = {
        key: f"{recording.folder.name}/{value}"
        for key in ("device", "player", "session", "set", "pair")
        if (value := getattr(recording, key)) is not None
    }
    return replace(recording, **names)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_folders(parser)
    parser.add_argument("--kind", choices=list(SHIPPED), action="append", help="only this profile")
    parser.add_argument("--into", type=Path, default=INTO)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()

    engines = engines_of(options)

    def source_of(recording: Recording) -> str:
        return next(f"{i}" for i, engine in enumerate(engines) if recording.folder in engine)

    for kind in options.kind or SHIPPED:
        complaints: list[Exception] = []
        chosen = (
            apart(r)
            for engine in engines
            for folder in engine
            for r in kept(folder, complaints.append)
            if r.kind == kind and r.place != "near"
        )
        sensor = "accelerometer" if kind == "accelerometer" else "microphone"
        fronts = [front for front in FRONT_ENDS if front.sensor == sensor]
        if sensor == "accelerometer":
            fronts = [front for front in fronts if front.name in COUNT_TOGETHER]
        if kind == "microphone":
            fronts = [front for front in fronts if front.name not in ON_THE_SHELL]
        heard = list(rows(chosen, complaints.append, fronts, options.jobs))
        fitted = fit(heard, COUNTS, unit="device", note=NOTE, source_of=source_of).profile
        profile = save(fitted, options.into / SHIPPED[kind])
        for head in profile.accuracy["heads"]:
            print(
                f"{kind} {head['front']}: {head['n']} takes, devices left out by turns: {head['exact']:.2f} exact, "
                f"{head['within_one']:.2f} within one, calibration error {head['ece']:.3f}"
            )
        print(f"{len(complaints)} recordings could not be used", file=sys.stderr)


if __name__ == "__main__":
    main()
