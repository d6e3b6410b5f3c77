"""The effect of one sitting's sweep on the counts of everybody else's shakes of the same set, person by person.

    python -m benchmarks.one_sweep FOLDER --kind contact
    python -m benchmarks.one_sweep FOLDER --kind contact --people
    python -m benchmarks.one_sweep MATCHBOX --sessions 'sweep-*'

Every sitting in turn calibrates, or with --people all sittings of a person. The profile then counts the set's shakes by
other people (if all are by one person, those of the other sittings), and so does the shipped profile for comparison. A
sweep that contradicts everything that was learned is named, because it is attributed to the hand
(calibration.traps.strange_sweep).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks import given
from benchmarks.ear import COUNTS, Rows, read
from calibration.fitting.prior import automatic, fit_from
from calibration.recordings.folder import Recording
from calibration.recordings.named_as import fits
from calibration.takes.features import Row
from calibration.testing.evaluate import answer
from calibration.traps.strange_sweep import strange_sweep
from sensors.ear.profiles.profile import Profile

Missed = list[tuple[int, int]]  # errors in beads: of the shipped profile, and of the calibrated one


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings)
    parser.add_argument("--kind", help="microphone, contact or accelerometer, where a folder holds several")
    parser.add_argument("--sessions", default="*", metavar="PATTERN", help="only these")
    parser.add_argument("--people", action="store_true", help="all sittings of a person, not each alone")
    options = parser.parse_args()
    heard = [
        of_one
        for of_one in read(options.folder, options.kind)
        if fits(of_one[0].recording.session, options.sessions)
    ]
    told: dict[str, Missed] = defaultdict(list)
    for name, strange, missed in each_hand(heard, options.people):
        print(f"{name:<24} {figures(missed)}{'   strange: put down to its hand' if strange else ''}")
        told["those that spoke against all" if strange else "all others"] += missed
    for name, missed in told.items():
        print(f"{name:<34} {figures(missed)}")
    if len(told) > 1:
        print(f"{'together':<34} {figures([off for missed in told.values() for off in missed])}")
    if not told:
        print(f"{options.folder} holds no set that was shaken in two sittings of these: nothing to ask")


def each_hand(heard: Rows, people: bool) -> Iterator[tuple[str, bool, Missed]]:
    """Who calibrated which set, whether their sweep is attributed to the hand, and the errors on the others' shakes.
    `people`: calibrate with all sittings of a person, not with each."""
    by_hand: dict[object, list[Sequence[Row]]] = defaultdict(list)
    for of_one in heard:
        recording = of_one[0].recording
        by_hand[(recording.device, recording.player) if people else recording.occasion].append(of_one)
    for own in by_hand.values():
        by = own[0][0].recording
        others = [of_one for of_one in heard if _of_another_sitting(of_one[0].recording, by)]
        by_others = [of_one for of_one in others if of_one[0].recording.player != by.player]
        shipped = automatic(own)[0]
        if shipped is not None and others:
            profile = fit_from(own, tuple(COUNTS), starts=automatic(own))
            session = None if people else by.session
            name = " ".join(str(part) for part in (by.device, by.player, session) if part)
            yield (
                name,
                strange_sweep(profile) is not None,
                list(misses(by_others or others, shipped, profile)),
            )


def _of_another_sitting(one: Recording, calibrated: Recording) -> bool:
    return one.device == calibrated.device and one.occasion != calibrated.occasion


def misses(asked: Rows, *profiles: Profile) -> Iterator[tuple[int, int]]:
    for of_one in asked:
        beads = of_one[0].recording.beads
        said = [answer(profile, of_one) for profile in profiles]
        if beads in COUNTS and all(s.counted for s in said):
            before, after = (abs(s.best - beads) for s in said)
            yield before, after


def figures(missed: Missed) -> str:
    if not missed:
        return "nothing was counted"
    before, after = np.array(missed).T
    return (
        f"as shipped {np.mean(before == 0):.2f} / {np.mean(before <= 1):.2f}   "
        f"calibrated {np.mean(after == 0):.2f} / {np.mean(after <= 1):.2f} · n {len(missed)}"
    )


if __name__ == "__main__":
    main()
