"""Several shakers at one microphone: fit the weights of `sensors.ear.overlap`, and say how often they are noticed.

    python -m benchmarks.overlap_fit FOLDER        simulated shakes, one microphone across the table

Takes of one occasion are added up as energies, begun within a second of each other, up to 9 dB apart; every fourth
occasion is left out and tested.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.kept import kept
from sensors.ear.frontend import FRONT_ENDS, Array, Envelopes, Frames
from sensors.ear.overlap import rhythm
from sensors.ear.sound_file import open_sound
from sensors.ear.takes import Take, cut

FRONT = FRONT_ENDS[0]
APART_DB = 9.0
BEGIN_S = 0.9
FALSE = 0.05
MIXTURES = 14  # an occasion
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


def mixture(energies: list[Array], people: int, random: np.random.Generator) -> Array:
    """So many of the takes at once."""
    chosen = random.choice(len(energies), people, replace=False)
    total = np.zeros((max(len(energies[i]) for i in chosen) + round(1.2 * FRONT.frame_rate), 6), np.float32)
    for k, i in enumerate(chosen):
        take = taken(energies[i])
        loud = 1.0 if take is None else float(take.raw[:, -1].mean())
        gain = 10 ** ((0.0 if k == 0 else random.uniform(-APART_DB, APART_DB)) / 10) / loud
        start = round(random.uniform(0, BEGIN_S) * FRONT.frame_rate)
        total[start : start + len(energies[i])] += np.float32(1e-3 * gain) * energies[i]
    return total


def examples(heard: dict[str, list[Array]]) -> tuple[Numbers, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rhythms, how many people, number of the occasion."""
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
                rows.append(rhythm(take))
                people.append(n)
                which.append(number)
    return np.array(rows), np.array(people), np.array(which)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="simulated shakes with --sensor microphone")
    parser.add_argument("--occasions", type=int, default=90)
    options = parser.parse_args()
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    x, people, which = examples(occasions(options.folder, options.occasions))
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
