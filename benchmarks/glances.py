"""Partial answers during a shake: from the network's reading alone, and from all features.

    python -m benchmarks.glances FOLDER --kind contact
    python -m benchmarks.glances FOLDER --kind microphone --profile mine.profile --only D01/s2

After each number of glances at a take it prints exact and within one, ln of the true count's probability, and the mean
probability of the likeliest count (if that exceeds exact, the ear is overconfident): for the last stretch alone, like
the first glance at a shake, and for all stretches so far, like the ear's answer. A partial answer is never called sure,
so no threshold depends on it. It also prints the cost of a glance.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from benchmarks import given
from benchmarks.kept import kept
from calibration.recordings.folder import Recording
from sensors.ear.frames.frontend import Envelopes, Frames, FrontEnd, join_frames
from sensors.ear.glances import Glances
from sensors.ear.listener import PARTIAL_STEPS, STEP_S
from sensors.ear.models.reading import UNCALIBRATED
from sensors.ear.partials import FROM_S, OVER_S
from sensors.ear.profiles.profile import SHIPPED, Head, Profile, load, load_shipped
from sensors.ear.shakes.takes import cut
from sensors.ear.sources.sound_file import open_sound

SHOWN = (1, 2, 3, 5, 7)  # numbers of glances
SPENT: dict[str, list[float]] = defaultdict(list)  # method → CPU s of each glance
Row = tuple[bool, bool, float, float]


def stretches(frames: Frames, front: FrontEnd) -> Iterator[Frames]:
    """The stretches that the ear glances at during the shake in `frames`."""
    take, at = cut(front, frames), front.frame_rate
    if take is None:
        return
    for end in np.arange(take.first / at + FROM_S, take.end / at, PARTIAL_STEPS * STEP_S):
        yield frames.cut(front, max(0, round((end - OVER_S) * at)), round(end * at))


def row(probabilities: Mapping[int, float], beads: int) -> Row:
    likeliest = max(probabilities, key=lambda n: probabilities[n])
    return (
        likeliest == beads,
        abs(likeliest - beads) <= 1,
        float(np.log(probabilities[beads] + 1e-12)),
        probabilities[likeliest],
    )


def unread(head: Head) -> Head:
    """The same head, but with all features computed for a glance; the network's reading keeps its weight."""
    reading = head.model.reading
    if reading is None or reading.weight < UNCALIBRATED:
        return head
    return replace(head, model=replace(head.model, reading=replace(reading, weight=UNCALIBRATED - 1e-6)))


def of_take(profile: Profile, recording: Recording) -> Iterator[tuple[str, int, Row]]:
    """For each glance at a take: the method, the number of glances so far, and the result."""
    file = open_sound(recording.path)
    heads = profile.heads_for(profile.sensor, file.rate)
    whole = tuple(unread(head) for head in heads)
    ears = {"as the ear does": heads} | ({} if whole == heads else {"measured whole": whole})
    front = heads[0].front
    envelopes = Envelopes(front, file.rate, file.channels)
    frames = join_frames(front, [envelopes.push(block) for block in file.blocks()])
    assert recording.beads is not None
    for name, these in ears.items():
        ear, number = Glances(these), 0
        for stretch in stretches(frames, front):
            begun = time.process_time()
            told = ear.look(stretch)
            SPENT[name].append(time.process_time() - begun)
            if told is not None:
                number += 1
                yield f"{name}, all so far", number, row(told.probabilities, recording.beads)
                alone = Glances(these).look(stretch)
                assert alone is not None
                yield f"{name}, the last alone", number, row(alone.probabilities, recording.beads)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings)
    parser.add_argument("--kind", choices=tuple(SHIPPED), default="contact")
    parser.add_argument("--profile", type=given.file, help="instead of the one that ships")
    parser.add_argument("--only", default="", help="sessions whose name begins so")
    options = parser.parse_args()
    profile = load(options.profile) if options.profile else load_shipped(options.kind)
    chosen = [
        recording
        for recording in kept(options.folder, lambda error: print(error, file=sys.stderr))
        if recording.kind == options.kind
        and recording.beads in profile.counts
        and (recording.session or "").startswith(options.only)
    ]
    told: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for recording in chosen:
        for name, number, one in of_take(profile, recording):
            told[name, number].append(one)
    if not told:
        sys.exit(f"no take of a {options.kind} in {options.folder}: name another folder, or --kind")
    print(f"{len(chosen)} takes, {options.kind}")
    for (name, number), rows in sorted(told.items()):
        if number in SHOWN:
            exact, within, ln_p, likeliest = np.array(rows, dtype=np.float64).mean(axis=0)
            print(
                f"{name:<34} {number} glances  {len(rows):5d} takes  {exact:.3f} exact  {within:.3f} within one  "
                f"{ln_p:.3f} ln p  {likeliest:.3f} likeliest"
            )
    for name, spent in SPENT.items():
        print(f"{name:<34} {1000 * np.median(spent):.1f} ms of CPU a glance")


if __name__ == "__main__":
    main()
