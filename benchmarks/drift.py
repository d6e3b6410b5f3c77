"""Does a profile ask for a recalibration when it should, and only then? And how often is it sure after one sweep?

    python -m benchmarks.drift FOLDER --kind accelerometer        (contact, microphone; simulated folders of any engine)

Each person's first sitting with each set of igloos makes a profile from the one that ships. This profile then hears
other people with the same set, other sets by anyone, and the same set through a changed sensor: a sensor on the shell
that has come loose and rings (an accelerometer at 280 Hz for 50 ms, a contact microphone at 9 kHz for 30 ms), or a
microphone in a room whose reverberation lasts 0.3 s longer. It prints the shares of shakes and of sittings (a dozen
shakes) for which the profile says *recalibrate*; the share of sittings in which it asks to look at the sensor, because
the last shakes are strange; and how often it is sure of other people's shakes, and how often right then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
from scipy.signal import fftconvolve

from benchmarks import given
from benchmarks.ear import COUNTS
from benchmarks.kept import kept
from calibration.fitting.fit import fit
from calibration.recordings.folder import Recording
from calibration.takes.features import Row, rows
from calibration.takes.seen_by import seen_by
from calibration.testing.evaluate import Tested, answer
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.verdicts.drift import Lately, oddness
from sensors.ear.verdicts.hardly import hardly_a_shake
from sensors.ear.verdicts.likeness import likeness
from sensors.why import Why

SITTINGS = 2  # sittings per set that make profiles
Sitting = tuple[str, str]
Floats = npt.NDArray[np.float64]


def changed(recording: Recording, into: Path, number: int) -> Recording:
    """The same take through a changed sensor, as a file in `into`."""
    sound, rate = soundfile.read(recording.path, always_2d=True)
    rest = sound[:1] if recording.sensor == "accelerometer" else 0.0
    if recording.kind == "microphone":
        after = _echo(rate)
    else:
        hz, seconds = (280.0, 0.05) if recording.sensor == "accelerometer" else (9000.0, 0.03)
        t = np.arange(int(5 * seconds * rate)) / rate
        after = np.exp(-t / seconds) * np.cos(2 * np.pi * hz * t)
    after /= np.sqrt(np.square(after).sum())
    after[0] += 1.0
    moved = sound - rest
    out = np.stack([fftconvolve(moved[:, k], after)[: len(sound)] for k in range(sound.shape[1])], axis=1)
    path = into / f"{number}.wav"
    soundfile.write(path, (rest + out).astype(np.float32), rate, subtype="FLOAT")
    return replace(recording, folder=into, file=path.name)


def _echo(rate: int) -> Floats:
    t = np.arange(int(0.9 * rate)) / rate
    out: Floats = np.random.default_rng(0).standard_normal(len(t)) * np.exp(-t / 0.3)
    return out


def sitting_of(row: Row) -> Sitting:
    return row.recording.device or "", row.recording.session or ""


def asked(profile: Profile, heard: Sequence[Sequence[Row]]) -> tuple[list[bool], bool, bool]:
    """For the shakes of one sitting: which are reported as too odd; whether at any time the last five all are; and
    whether at any time the last ten or more are strange. What is hardly a shake says nothing, as in play."""
    odd, lately, told = [], Lately(), []
    for of_one in heard:
        heads = profile.heads_for(of_one[0].recording.sensor, max(row.rate for row in of_one))
        head, row = heads[0], seen_by(heads, of_one)
        hardly = hardly_a_shake(head, row.shake, likeness(row.shake, head.on_shell, row.snr_db))
        odd.append(0.0 if hardly else oddness(head, row.shake))
        if not hardly:
            lately.add(odd[-1])
        told.append((lately.drifted, lately.strange))
    return [o > 1 for o in odd], any(drift for drift, _ in told), any(strange for _, strange in told)


def of_others(tested: Sequence[Tested]) -> str:
    """How often the profile is sure of other people's shakes with that set, and how often right then."""
    if not tested:
        return "nobody else shook one of these sets: how sure it is of other people's shakes is not known"
    sure = [t for t in tested if t.heard.verdict == "sure"]
    right = f"{np.mean([t.best == t.row.recording.beads for t in sure]):.2f}" if sure else "–"
    told = np.mean([t.heard.why is Why.RECALIBRATE for t in tested])
    return (
        f"of others' {len(tested)} shakes sure {len(sure) / len(tested):.3f}, right {right}; odd {told:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings)
    parser.add_argument("--kind", choices=("accelerometer", "contact", "microphone"), default="accelerometer")
    parser.add_argument("--devices", type=int, default=6, help="sets of igloos, the first")
    options = parser.parse_args()
    complaints: list[Exception] = []
    chosen = [r for r in kept(options.folder, complaints.append) if r.kind == options.kind]
    devices = sorted({r.device or "" for r in chosen})[: options.devices]
    chosen = [r for r in chosen if (r.device or "") in devices and r.beads in COUNTS]
    shipped = load_shipped(options.kind)
    fronts = [head.front for head in shipped.heads]
    by_sitting: dict[Sitting, list[list[Row]]] = defaultdict(list)
    loose: dict[Sitting, list[list[Row]]] = defaultdict(list)
    player = {}
    for of_one in rows(chosen, complaints.append, fronts):
        by_sitting[sitting_of(of_one[0])].append(of_one)
        player[sitting_of(of_one[0])] = of_one[0].recording.player
    first = {
        (d, p): min(s for s in by_sitting if s[0] == d and player[s] == p) for (d, _), p in player.items()
    }
    sweeps = [s for d in devices for s in sorted(v for k, v in first.items() if k[0] == d)[:SITTINGS]]
    with tempfile.TemporaryDirectory() as into:
        spoiled = [
            changed(of_one[0].recording, Path(into), i)
            for i, of_one in enumerate(of_one for sweep in sweeps for of_one in by_sitting[sweep])
        ]
        for of_one in rows(spoiled, complaints.append, fronts):
            loose[sitting_of(of_one[0])].append(of_one)
    shakes: dict[str, list[bool]] = defaultdict(list)
    sittings: dict[str, list[bool]] = defaultdict(list)
    to_look: dict[str, list[bool]] = defaultdict(list)
    others: list[Tested] = []
    for sweep in sweeps:
        profile = fit(by_sitting[sweep], COUNTS, start_from=shipped).profile
        for source, name in ((by_sitting, ""), (loose, "that set through a changed sensor")):
            for sitting, heard in source.items():
                if sitting == sweep and not name:
                    continue
                mine = sitting[0] == sweep[0]
                if name and not mine:
                    continue
                hand = "the owner, that set" if player[sitting] == player[sweep] else "others, that set"
                who = name or (hand if mine else "another set")
                odd, drift, strange = asked(profile, heard)
                shakes[who] += odd
                sittings[who].append(drift)
                to_look[who].append(strange)
                if who == "others, that set":
                    others += [answer(profile, of_one) for of_one in heard]
    print(f"{options.kind} (simulated): {len(sweeps)} profiles of one sitting each; says recalibrate:")
    for who in sorted(shakes):
        print(
            f"  {who:<36} {np.mean(shakes[who]):.3f} of {len(shakes[who])} shakes alone, "
            f"{np.mean(sittings[who]):.2f} of {len(sittings[who])} sittings; asks to look at the sensor in "
            f"{np.mean(to_look[who]):.2f}"
        )
    print(f"  {of_others(others)}")
    print(f"{len(complaints)} recordings could not be used", file=sys.stderr)


if __name__ == "__main__":
    main()
