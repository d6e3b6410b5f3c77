"""Checks of the fourth world's engine where the answer is known: bounces, momentum, and half the step.

python -m benchmarks.worlds.grain_check
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.worlds.grain_engine import FORCE, STEPS
from benchmarks.worlds.grain_hand import MOTION, draw_person, motion
from benchmarks.worlds.grain_igloo import draw_inside, shaken
from benchmarks.worlds.world_files import HARD


def main() -> None:
    inside = draw_inside(1)
    still = np.tile([0.0, 0.0, 9.81], (round(1.5 * MOTION), 1))
    for wanted in (0.5, 0.7, 0.9):
        lively = replace(inside, bounce=(wanted, 0.8))
        _, blows = shaken(lively, np.array([inside.bead]), 0.05 * still, 0 * still, MOTION, 1)
        speeds = blows[:, 3]
        falls = speeds[:-1] > 0.02
        print(f"restitution asked {wanted:.2f}, seen {np.median((speeds[1:] / speeds[:-1])[falls]):.3f}")
    for beads in (2, 7, 13):
        counted, balance = [], []
        for seed in range(3):
            person = draw_person(seed, 0)
            felt, turning = motion(person, 2.0, np.random.default_rng(seed))
            turning = 0 * turning
            sizes = np.full(beads, inside.bead)
            both = [shaken(inside, sizes, felt, turning, MOTION, seed, steps) for steps in (STEPS, 2 * STEPS)]
            counted.append([int((blows[:, 3] > HARD).sum()) for _, blows in both])
            # at rest before and after: the walls' impulse equals that of the hand and gravity
            gave = -both[0][0][:, FORCE].mean(axis=0) / (beads * inside.bead_kg())
            took = felt.mean(axis=0)
            balance.append(np.linalg.norm(gave - took) / np.linalg.norm(took))
        fine = np.array(counted)
        print(
            f"{beads} beads: with a step half as long {fine[:, 1].sum() / fine[:, 0].sum():.2f} times as many blows "
            f"beyond {HARD} m/s; momentum missing {100 * np.median(balance):.1f} %"
        )
    for beads in (2, 4, 7, 13):
        rates = []
        for seed in range(4):
            felt, turning = motion(draw_person(seed, 0), 2.0, np.random.default_rng(seed))
            _, blows = shaken(
                draw_inside(seed), np.full(beads, draw_inside(seed).bead), felt, turning, MOTION, seed
            )
            hard = blows[:, 3] > HARD
            rates.append([(hard & (blows[:, 2] >= 0)).sum() / 2.0, (hard & (blows[:, 2] < 0)).sum() / 2.0])
        wall, pair = np.exp(np.mean(np.log(np.array(rates) + 1), axis=0))
        print(
            f"{beads} beads: {wall:.0f} blows a second on walls, {pair:.0f} of bead on bead (means of four)"
        )


if __name__ == "__main__":
    main()
