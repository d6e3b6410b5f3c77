"""How much a free shake tells about the count, for a listener who knows every hit (simulated: hw_mock).

    python -m benchmarks.told_limit --jobs 2
    python -m benchmarks.told_limit --jobs 2 --felt --devices 60
    python -m benchmarks.told_limit --jobs 2 --felt --devices 30 --alike fingers        # or motion

It answers two questions, and with `--felt` a third.

Chance: the same igloo and the same motion of the same hand are repeated; only the beads' initial positions differ. The
listener knows that motion and that igloo, has heard every count in them, and gets the hits of one more shake. The
remaining error is chance, and no listener can avoid it. In a variant the listener gets only the band levels of an
accelerometer on the shell.

Other people: one person's sweep of all counts calibrates the igloo, and another person shakes. The listener learned
from other igloos and people (whole devices are left out). For each kind of hit (dome, floor, bead on bead) he gets the
number of hits; or also how hard they were; or also how the hand moved; or also what a few beads of medium size would do
in a medium dome that moves like this (sensors.ear.shakes.imagined, given the dome's orientation). He uses ridge
regression on the shake's features relative to the sweep, on their squares, and on the sweep's mean. (benchmarks.ear
prints another listener, fitted on the shakes of all other people with the same set.)

The sensor (`--felt`): instead of the hits, the same listener gets the ear's features from an accelerometer on the
shell. Where between the hits and the ear is the information lost? With `--alike`, four people have the same fingers, or
the same way of moving.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.ear import print_figures
from benchmarks.told_shakes import COUNTS, EAR, PEOPLE, Asked, Floats, Told, shaken
from calibration import scores
from calibration.bulk import Hands, each
from hw_mock.igloo.traces import PAIR
from sensors.ear.models.model import posterior

NUMBERS = 3  # one per kind of hit
IMPULSE = 5 * NUMBERS  # where the sums of impulses are among the features of hits
PENALTY = 0.003
PENALTY_FELT = 0.03  # for many strongly correlated features
FOLDS = 5
SURE = 0.95
SHRUNK = 0.05  # shrinkage of covariances towards their diagonal


def chance(shakes: list[Told], told: Floats) -> dict[str, Any]:
    """Linear discriminant analysis within the same motion, on the rows `told` of the shakes; every fourth is tested."""
    said = []
    for one in dict.fromkeys((t.device, t.person) for t in shakes):
        mine = [t for t in shakes if (t.device, t.person) == one]
        x = np.array([row for t, row in zip(shakes, told, strict=True) if (t.device, t.person) == one])
        beads, time = np.array([t.beads for t in mine]), np.array([t.time for t in mine])
        for fold in range(4):
            known, asked = time % 4 != fold, time % 4 == fold
            counts = np.unique(beads[known])
            middles = np.array([x[known & (beads == n)].mean(axis=0) for n in counts])
            left = x[known] - middles[np.searchsorted(counts, beads[known])]
            spread = left.T @ left / (len(left) - len(counts))
            spread = (1 - SHRUNK) * spread + SHRUNK * np.diag(np.diag(spread)) + 1e-9 * np.eye(len(spread))
            away = x[asked][:, None] - middles
            p = posterior(-0.5 * np.einsum("abc,cd,abd->ab", away, np.linalg.inv(spread), away))
            said += _said(p, counts, beads[asked], [f"{one}"] * int(asked.sum()))
    return scores.summary(said)


def others(shakes: list[Told], told: Floats, penalty: float = PENALTY) -> dict[str, Any]:
    """Each person's sweep in turn calibrates, and the other people's shakes are tested, on the rows `told` of the
    shakes; whole devices are left out of the fit."""
    device, person, beads = (
        np.array([getattr(t, name) for t in shakes]) for name in ("device", "person", "beads")
    )
    x = np.clip((told - np.median(told, axis=0)) / (told.std(axis=0) + 1e-9), -4, 4)
    rows, asked = [], []
    for d in np.unique(device):
        for p in np.unique(person[device == d]):
            sweep, rest = (device == d) & (person == p), np.flatnonzero((device == d) & (person != p))
            if sweep.sum() == len(COUNTS):  # a sweep that lacks a count would have another mean
                over = x[rest] - x[sweep].mean(axis=0)
                rows.append(
                    np.hstack([over, over**2, np.repeat(x[sweep].mean(axis=0)[None], len(rest), axis=0)])
                )
                asked.append(rest)
    q, of = np.concatenate(rows), np.concatenate(asked)
    y, fold = np.log(beads[of]), device[of] % FOLDS
    m = np.empty(len(y))
    for k in range(FOLDS):
        known = fold != k
        a, middle = q[known] - q[known].mean(axis=0), y[known].mean()
        slopes = np.linalg.solve(
            a.T @ a / len(a) + penalty * np.eye(a.shape[1]), a.T @ (y[known] - middle) / len(a)
        )
        m[~known] = (q[~known] - q[known].mean(axis=0)) @ slopes + middle
    said = []
    for k in range(FOLDS):
        known = fold != k
        slope, offset = np.polyfit(y[known], m[known], 1)
        sigma = (m[known] - offset - slope * y[known]).std()
        expected = offset + slope * np.log(COUNTS)
        p = posterior(-0.5 * np.square((m[~known][:, None] - expected) / sigma))
        said += _said(p, np.array(COUNTS), beads[of[~known]], [f"{d}" for d in device[of[~known]]])
    return scores.summary(said)


def _said(
    p: Floats, counts: npt.NDArray[np.int_], beads: npt.NDArray[np.int_], who: list[str]
) -> list[scores.Told]:
    best = p.argmax(axis=1)
    return [
        scores.Told(int(n), int(counts[b]), float(row[b]), bool(row[b] >= SURE), None, name)
        for n, b, row, name in zip(beads, best, p, who, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--devices", type=int, default=90, help="sets of igloos, four people each")
    parser.add_argument(
        "--motions", type=int, default=24, help="each made again and again, each with another set"
    )
    parser.add_argument("--often", type=int, default=12)
    parser.add_argument("--felt", action="store_true", help="where a sensor loses it, instead")
    parser.add_argument("--alike", choices=("fingers", "motion"), help="what all four people have in common")
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    hands = Hands(options.jobs)
    print("exact (95 % by sets of igloos) / within one; sure: a probability of .95 (simulated)")
    if options.felt:
        sensed = [
            Asked(options.seed, d, p, 1, True, options.alike)
            for d in range(options.devices)
            for p in range(PEOPLE)
        ]
        where_it_is_lost([t for told in each(shaken, sensed, hands) if isinstance(told, list) for t in told])
        return
    same = [Asked(options.seed + 1, k, 0, options.often) for k in range(options.motions)]
    free = [Asked(options.seed, d, p, 1) for d in range(options.devices) for p in range(PEOPLE)]
    again = [t for told in each(shaken, same, hands) if isinstance(told, list) for t in told]
    if again:
        hits, felt = np.array([t.hits for t in again]), np.array([t.felt for t in again])
        print_figures("chance alone: told the numbers of hits", chance(again, hits[:, :NUMBERS]))
        print_figures("chance alone: and how hard they were", chance(again, hits))
        print_figures("chance alone: how strong an accelerometer's bands are", chance(again, felt))
    swept = [t for told in each(shaken, free, hands) if isinstance(told, list) for t in told]
    if swept:
        hits, hand, thrown = (
            np.array([getattr(t, name) for t in swept]) for name in ("hits", "hand", "thrown")
        )
        numbers = hits[:, :NUMBERS]
        for name, told in (
            ("told the numbers of hits", (numbers,)),
            ("and how the hand moved", (numbers, hand)),
            ("and what imagined beads do", (numbers, hand, thrown)),
            ("numbers, and how hard they were", (hits,)),
            ("numbers, how hard, how the hand moved", (hits, hand)),
            ("all this, and what imagined beads do", (hits, hand, thrown)),
        ):
            print_figures(f"others shake: {name}", others(swept, np.hstack(told)))


def where_it_is_lost(shakes: list[Told]) -> None:
    """Print the steps from every hit to the features of an accelerometer's ear."""
    hits, hand, thrown = (np.array([getattr(t, name) for t in shakes]) for name in ("hits", "hand", "thrown"))
    ear = {name: np.array([t.ear[name] for t in shakes if t.ear is not None]) for name in EAR}
    walls = np.log(np.exp(hits[:, IMPULSE : IMPULSE + PAIR]).sum(axis=1, keepdims=True))
    felt = np.hstack([ear[name] for name in EAR])
    for name, told, penalty in (
        ("every hit, the true hand and beads imagined in it", (hits, hand, thrown), PENALTY),
        ("every hit, the hand and imagined beads as felt", (hits, ear["hand"], ear["imagined"]), PENALTY),
        ("only all impulses on the walls, true hand and beads", (walls, hand, thrown), PENALTY),
        ("what an accelerometer's ear counts by, and these", (felt, walls), PENALTY_FELT),
        ("what an accelerometer's ear counts by", (felt,), PENALTY_FELT),
    ):
        print_figures(name, others(shakes, np.hstack(told), penalty))


if __name__ == "__main__":
    main()
