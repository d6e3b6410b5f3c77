"""How well the counting gesture at the seat counts, and the Cramér–Rao bound. All simulated.

    python -m benchmarks.gesture                  some hundred gestures (ten minutes on one core)
    python -m benchmarks.gesture --guided         guests who do as they are asked: once or twice more where it is unsure
    python -m benchmarks.gesture --nubs 0.2       … whose nubs meet the igloo each time three times as differently
    python -m benchmarks.gesture --folder F       reads F, or fills it; what is there is not simulated again

`benchmarks.moves` prints what other ways of moving an igloo tell.

People, igloos and seats of the default seed, of 20322, and of --guided (20323) were used for nothing else, and looked
at once; the spreads were determined with seeds 501–504.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices, many of them

import argparse
import math
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.recordings.folder import read
from calibration.scores import summary
from calibration.seat.as_played import as_played, surely_wrong_on_the_way
from calibration.seat.fit import fit_taps
from calibration.seat.in_order import evaluate_taps
from calibration.seat.taps import Answered, Tapped, answer, listen
from hw_mock.igloo.device import Igloo
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.plan import device_of
from hw_mock.igloo.seat import NUB_SPREAD
from hw_mock.igloo.seat_recordings import SeatPlan
from sensors.gesture.day import Day
from sensors.gesture.gathered import WANTED
from sensors.gesture.judge import learned
from sensors.gesture.profile import GestureProfile

COUNTS = tuple(range(2, 14))


def bounds(seed: int, devices: int) -> None:
    """Cramér–Rao bound for the frequency of a damped sine of unknown phase, amplitude, decay: var ω = 8 S / (A² τ³)."""
    print(
        "\nWhat the seat could tell at best (Cramér–Rao bound of one tap of 0.25 g, 100 µg/√Hz, Q 80, in beads)"
    )
    print(
        f"{'set':5s} {'bead mm':>8s} {'bead mg':>8s} {'shells ± mg':>12s} {'upright':>9s} {'what is loose':>14s}"
    )
    for d in range(devices):
        device = device_of(seed, d)
        igloos = [Igloo.of(device, n) for n in COUNTS]
        bead = float(np.mean([np.mean(i.masses) for i in igloos]))
        shells = np.array([i.shell_mass for i in igloos])

        def noise(hz: float, loaded: float) -> float:
            tau = 80 / (math.pi * hz)
            omega = math.sqrt(8 * (100e-6) ** 2 / (0.25**2 * tau**3))
            return 2 * loaded * omega / (2 * math.pi * hz)

        load = float(np.mean([i.shell_mass + sum(i.masses) for i in igloos]))
        up, side = noise(100.0, 0.038 + load), noise(40.0, 0.016 + load)
        print(
            f"D{d + 1:02d}   {device.bead_diameter * 1e3:8.1f} {bead * 1e6:8.0f} {shells.std() * 1e6:12.0f} "
            f"{up / bead:9.4f} {math.hypot(up, side) * 1.4 / bead:14.4f}"
        )


def cut(tapped: Sequence[Tapped], placings: int) -> list[Tapped]:
    """The same gestures with only their first placings."""
    return [
        replace(
            t,
            gesture=replace(t.gesture, weights=[w for w in t.gesture.weights if w.placing < placings]),
        )
        if t.gesture is not None
        else t
        for t in tapped
    ]


def blind(profile: GestureProfile) -> GestureProfile:
    """The same profile without the loose part: only the total weight, as on scales."""
    sets = {}
    for name, known in profile.sets.items():
        wide = known.model.known.copy()
        wide[:, 1] = 1.0
        sets[name] = replace(known, model=replace(known.model, known=wide))
    return replace(profile, sets=sets)


def line(name: str, results: Sequence[Answered]) -> None:
    told = [a.told() for a in results if a.counted]
    f = summary(told)
    low, high = f["interval"]["exact"]
    sure = "  – " if f["sure_right"] is None else f"{f['sure_right']:.2f}"
    joined = "  – " if f["exact_in_sets"] is None else f"{f['exact_in_sets']:.2f}"
    print(
        f"{name:44s} {f['exact']:.2f} ({low:.2f}–{high:.2f}) {f['within_one']:.2f}  {joined}  "
        f"{f['sure_share']:.2f} {sure}  {f['ece']:.3f}  n={f['n']}",
        flush=True,
    )


def seat(folder: Path, plan: SeatPlan) -> None:
    print("\nThe seat: tap it empty; three times set the igloo down, let go, tap, lift it (simulated)")
    print(f"{'':44s} exact (95 % by people and seats) ±1   set  sure right  ece")
    for sensor, name in (("accelerometer", "accelerometer"), ("microphone", "piezo disc")):
        recordings = [r for r in read(folder, print) if r.sensor == sensor and r.more.get("place") == "seat"]
        heard = list(listen(recordings, print))
        owner = [t for t in heard if t.recording.session == "s1"]
        others = [t for t in heard if t.recording.session != "s1"]
        profile = fit_taps(owner)
        results = evaluate_taps(profile, others, print, as_played)
        line(f"{name}, owner's set, other people", results)
        line("  as if each were the first of its day", [as_played(profile, t, None)[0] for t in others])
        line("  set down once", evaluate_taps(profile, cut(others, 1), print))
        line("  set down twice", evaluate_taps(profile, cut(others, 2), print))
        line("  weight alone", evaluate_taps(blind(profile), others, print))
        for least, most in ((0.0, 4.5), (4.5, 9.9)):
            part = [a for a in results if least <= _bead_mm(plan, a.tapped) < most]
            if part:
                line(f"  beads of {least:.1f} mm and more" if least else f"  beads below {most} mm", part)
        print(f"  of which surely wrong before the last answer {surely_wrong_on_the_way(results):6d}")
        devices = sorted({t.recording.device or "" for t in heard})
        if len(devices) < 2:
            print("  a set nobody ever weighed or labelled: not asked, for it takes two sets")
            continue
        unknown: list[Answered] = []
        for device in devices:
            rest = fit_taps([t for t in owner if t.recording.device != device])
            unknown += evaluate_taps(rest, [t for t in heard if t.recording.device == device], print)
        line("  a set nobody ever weighed or labelled", unknown)


def guided(folder: Path, plan: SeatPlan) -> None:
    """The result of three placings, and the result when guests set the igloo down again whenever they are asked to."""
    print("\nThe seat, by guests who set the igloo down once more where they are asked to (simulated)")
    print(f"{'':44s} exact (95 % by people and seats) ±1   set  sure right  ece")
    for sensor, name in (("accelerometer", "accelerometer"), ("microphone", "piezo disc")):
        heard = list(listen([r for r in read(folder, print) if r.sensor == sensor], print))
        profile = fit_taps(cut([t for t in heard if t.recording.session == "s1"], WANTED))
        others = [t for t in heard if t.recording.session != "s1"]
        line(f"{name}, three placings", evaluate_taps(profile, cut(others, WANTED), print))
        said, placings, days = [], 0, dict[tuple[str | None, str], Day]()
        for one in others:
            sitting, known = (
                (one.recording.device, one.recording.occasion),
                profile.set_for(one.recording.device),
            )
            assert known is not None
            day = days.get(sitting, known.day)
            for most in range(WANTED, plan.placings + 1):
                now = answer(profile, cut([one], most)[0], day)
                if not now.heard.why.once_more:
                    break
            said.append(now)
            placings += most
            if now.tapped.gesture is not None:
                days[sitting] = learned(day, now.tapped.gesture, now.heard)
        line(f"  as many as it asks for, {placings / max(1, len(said)):.2f} on average", said)


def _bead_mm(plan: SeatPlan, tapped: Tapped) -> float:
    return 1e3 * device_of(plan.seed, int((tapped.recording.device or "D01")[1:]) - 1).bead_diameter


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int)
    parser.add_argument("--devices", type=int, default=6)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--guided", action="store_true")
    parser.add_argument(
        "--nubs", type=float, default=NUB_SPREAD, help="how differently they meet the igloo, ln"
    )
    args = parser.parse_args()
    seed = args.seed or (20323 if args.guided else 20321)
    placings = WANTED + 2 * args.guided
    plan = SeatPlan(seed, devices=args.devices, sessions=2, placings=placings, nub_spread=args.nubs)
    if not args.guided:
        bounds(seed, args.devices)
    with tempfile.TemporaryDirectory() as there:
        folder = args.folder or Path(there)
        for _ in write_all(folder, plan):
            pass
        (guided if args.guided else seat)(folder, plan)


if __name__ == "__main__":
    main()
