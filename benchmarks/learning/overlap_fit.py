"""Several shakers at one microphone: fit the weights of `shakes.overlap`, and print how often they are noticed.

    python -m benchmarks.learning.overlap_fit FOLDER            simulated shakes, one microphone across the table
    python -m benchmarks.learning.overlap_fit FOLDER --lengths  how often what ships says so, by the length of the shake

Takes of one occasion are added as energies, started within a second of each other, up to 9 dB apart; every fourth
occasion is left out for testing. `--lengths` needs long shakes: `polartable simulate shakes --seconds 9-13`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks import given
from benchmarks.kept import kept
from sensors.ear.frames.frontend import FRONT_ENDS, Array, Envelopes, Frames
from sensors.ear.shakes.overlap import WINDOW_S, log_odds, rhythms, several
from sensors.ear.shakes.takes import Take, cut
from sensors.ear.sources.sound_file import open_sound

FRONT = FRONT_ENDS[0]
APART_DB = 9.0
BEGIN_S = 0.9
FALSE = 0.05
MIXTURES = 14  # per occasion
FEWEST = 8  # occasions: every fourth is left out
LENGTHS = (0.8, 1.2, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0)
Numbers = npt.NDArray[np.float64]


def taken(energy: Array) -> Take | None:
    return cut(FRONT, Frames(energy, np.zeros((0, 3), np.float32)))


def occasions(folder: Path, most: int, each: int = 8) -> dict[str, list[Array]]:
    """Energies of takes by occasion."""
    files = defaultdict(list)
    for recording in kept(folder, print):
        if recording.kind == "microphone" and recording.place == "table":
            files[recording.occasion].append(recording.path)
    random = np.random.default_rng(1)
    out: dict[str, list[Array]] = {}
    for name in random.permutation(sorted(files))[:most]:
        out[str(name)] = []
        for index in random.permutation(len(files[str(name)]))[:each]:
            file = open_sound(files[str(name)][index])
            if file.rate >= FRONT.least_rate:
                envelopes = Envelopes(FRONT, file.rate, file.channels)
                parts = [envelopes.push(block).energy for block in file.blocks()]
                out[str(name)].append(np.concatenate(parts))
    return out


def mixture(
    energies: list[Array], people: int, random: np.random.Generator, begin_s: float = BEGIN_S
) -> Array:
    """`people` of the takes at once."""
    chosen = random.choice(len(energies), people, replace=False)
    total = np.zeros((max(len(energies[i]) for i in chosen) + round(1.2 * FRONT.frame_rate), 6), np.float32)
    for k, i in enumerate(chosen):
        take = taken(energies[i])
        loud = 1.0 if take is None else float(take.raw[:, -1].mean())
        gain = 10 ** ((0.0 if k == 0 else random.uniform(-APART_DB, APART_DB)) / 10) / loud
        start = round(random.uniform(0, begin_s) * FRONT.frame_rate)
        total[start : start + len(energies[i])] += np.float32(1e-3 * gain) * energies[i]
    return total


def shorter(energy: Array, seconds: float, random: np.random.Generator) -> Array | None:
    """`seconds` from within a shake; None if it is shorter."""
    take = taken(energy)
    if take is None or take.seconds < seconds:
        return None
    long = round(seconds * FRONT.frame_rate)
    first = int(random.integers(take.first, take.end - long + 1))
    return energy[first : first + long]


def by_length(heard: dict[str, list[Array]]) -> None:
    """Print how often one hand is taken for several, and two are noticed, by the length of the shake."""
    random = np.random.default_rng(7)
    longer = []
    for seconds in LENGTHS:
        one, two = [], []
        for energies in heard.values():
            cuts = [c for energy in energies if (c := shorter(energy, seconds, random)) is not None]
            pairs = [mixture(cuts, 2, random, min(BEGIN_S, seconds / 3)) for _ in cuts if len(cuts) > 1]
            one += [take for energy in cuts if (take := taken(energy)) is not None]
            two += [take for energy in pairs if (take := taken(energy)) is not None]
        if not one or not two:
            continue
        wrongly, rightly = (np.mean([several(take) > 0 for take in takes]) for takes in (one, two))
        odds = [log_odds(take) for take in one]
        longer += odds if seconds > WINDOW_S else []
        print(
            f"{seconds:4.1f} s: one hand taken for several {wrongly:.2f}, two noticed {rightly:.2f}; "
            f"log odds of one hand {np.median(odds):+.1f}, n {len(one)}",
            flush=True,
        )
    if longer:
        print(f"one in twenty of one hand's that last longer than {WINDOW_S:g} s is beyond", end=" ")
        print(f"{np.quantile(longer, 1 - FALSE):.2f}")


def examples(heard: dict[str, list[Array]]) -> tuple[Numbers, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rhythm features, number of people, and index of the occasion."""
    random = np.random.default_rng(5)
    rows, people, which = [], [], []
    for number, energies in enumerate(heard.values()):
        sounds = [(1, energy) for energy in energies]
        for _ in range(MIXTURES):
            n = int(random.choice((2, 2, 2, 3, 4)))
            if n <= len(energies):
                sounds.append((n, mixture(energies, n, random)))
        for n, energy in sounds:
            take = taken(energy)
            if take is not None:
                rows.append(rhythms(take))
                people.append(n)
                which.append(number)
    return np.array(rows), np.array(people), np.array(which)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings, help="simulated shakes with --sensor microphone")
    parser.add_argument("--occasions", type=int, default=90)
    parser.add_argument(
        "--lengths", action="store_true", help="print what ships does at each length, and fit nothing"
    )
    options = parser.parse_args()
    heard = occasions(options.folder, options.occasions)
    if len(heard) < FEWEST:
        sys.exit(
            f"{options.folder} has {len(heard)} occasions at a microphone across the table: {FEWEST} are the fewest; "
            "polartable simulate shakes --sensor microphone makes them"
        )
    if options.lengths:
        by_length(heard)
        return
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    x, people, which = examples(heard)
    left_out = which % 4 == 0

    def fit(rows: npt.NDArray[np.bool_]) -> LogisticRegression:
        return LogisticRegression(C=10.0, class_weight="balanced", max_iter=2000).fit(
            x[rows], people[rows] > 1
        )

    half = fit(~left_out)
    odds = half.decision_function(x)
    said_from = np.quantile(odds[~left_out & (people == 1)], 1 - FALSE)
    told = {n: float((odds[left_out & (people == n)] > said_from).mean()) for n in (1, 2, 3, 4)}
    area = roc_auc_score(people[left_out] > 1, odds[left_out])
    print("noticed where left out: " + ", ".join(f"{n} people {share:.2f}" for n, share in told.items()))
    print(f"area under the curve {area:.2f}, {len(x)} sounds of {which.max() + 1} occasions")
    whole = fit(people > 0)
    odds = whole.decision_function(x)
    print("WEIGHTS =", tuple(round(float(w), 2) for w in whole.coef_[0]))
    print(f"INTERCEPT = {whole.intercept_[0]:.2f}")
    print(f"SAID_FROM = {np.quantile(odds[people == 1], 1 - FALSE):.2f}")


if __name__ == "__main__":
    main()
