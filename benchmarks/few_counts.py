"""A profile fitted on few counts, and igloos with other counts: how often is it sure of them?

It is compared with the same profile without its check for counts beyond its own (sensors.ear.verdicts.beyond).

    polartable simulate shakes --out few --devices 12 --sensor accelerometer --sensor contact --seed 4418
    python -m benchmarks.few_counts few --kind accelerometer        (contact, microphone)

The first sitting with each set calibrates, only with the igloos of some counts. Then the profile judges everybody
else's shakes of all igloos of that set. The igloos that it knows show what the check costs.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks import given
from benchmarks.ear import Rows, read
from calibration.fitting.prior import automatic, fit_from
from calibration.testing.evaluate import Tested, answer
from calibration.words import ranges
from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts.drift import familiar, oddness
from sensors.ear.verdicts.probabilities import by_one_view

SOME = (range(2, 6), range(2, 8), range(6, 14), range(9, 14))
Line = tuple[bool, bool, bool, bool]  # known, reported as beyond, sure, sure without that check


def asked(heard: Rows, counts: Sequence[int]) -> Iterator[Line]:
    """Every set's first sitting makes a profile of `counts`; yields its answers to the other sittings' shakes."""
    sets: dict[str, dict[str, Rows]] = defaultdict(lambda: defaultdict(list))
    for of_one in heard:
        recording = of_one[0].recording
        sets[recording.device or ""][recording.occasion].append(of_one)
    for sittings in sets.values():
        first, *others = sittings.values()
        own = [of_one for of_one in first if of_one[0].recording.beads in counts]
        profile = fit_from(own, None, starts=automatic(own))
        for of_one in (one for sitting in others for one in sitting):
            yield line_of(profile, answer(profile, of_one))


def line_of(profile: Profile, said: Tested) -> Line:
    heads = profile.heads_for(said.row.recording.sensor, said.row.rate)
    beyond = said.heard.why.beyond
    head, shake = heads[0], said.row.shake
    odds = by_one_view(heads, shake, said.probabilities)
    likely = max(odds.values()) >= head.sure_from and familiar(head, oddness(head, shake))
    sure = said.heard.verdict == "sure"
    return said.counted, beyond, sure, sure or (beyond and likely)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings)
    parser.add_argument("--kind", help="microphone, contact or accelerometer, where a folder holds several")
    options = parser.parse_args()
    heard = read(options.folder, options.kind)
    if len({of_one[0].recording.occasion for of_one in heard}) < 2:
        sys.exit(f"{options.folder} holds no set that was shaken in two sittings: nothing to ask")
    for counts in SOME:
        lines = np.array(list(asked(heard, counts)))
        for known, what in ((True, "igloos that it knows"), (False, "igloos that it does not know")):
            told = lines[lines[:, 0] == known]
            if len(told):
                _, beyond, sure, without = told.sum(axis=0)
                print(
                    f"{ranges(counts):>5}  {what:<29} {len(told):>4}: told to be beyond {beyond / len(told):.2f}, "
                    f"sure of {sure}, without that doubt of {without}"
                )


if __name__ == "__main__":
    main()
