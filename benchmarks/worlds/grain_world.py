"""Shaken igloos from a fourth engine, which neither the networks nor the shipped profiles have met.

    python -m benchmarks.worlds.grain_world --out FOLDER --devices 4 --players 5 --seed 1
    python -m benchmarks.ear --simulated FOLDER

It is a discrete element model: contacts have a duration, and shells and sensors get their force signals, not a list of
impacts as from other engines; hands rotate about a wrist or an elbow. All ranges are judgement unless a source is
given; no igloo was measured. Nothing may be fitted on it: it is reserved for testing the ear on something it was not
made from.
"""

from __future__ import annotations

import numpy as np

from benchmarks.worlds.grain_hand import MOTION, draw_person, motion
from benchmarks.worlds.grain_igloo import draw_inside, shaken
from benchmarks.worlds.grain_sensors import draw_shell, record
from benchmarks.worlds.world_files import about, add, arguments, each_shake, kept


def main() -> None:
    options = arguments(__doc__, devices=8, players=6).parse_args()
    for device, session, who, beads, take in each_shake(options):
        inside = draw_inside(1000 * options.seed + device)
        shell = draw_shell(1000 * options.seed + device, inside, options.rate)
        person = draw_person(1000 * options.seed + who, 100 * device + session)
        sized = np.random.default_rng([options.seed, device, beads, 93])
        r = np.random.default_rng([options.seed, take, 92])
        felt, turning = motion(person, float(r.uniform(1.8, 3.2)), r)
        sizes = inside.bead * sized.uniform(0.97, 1.03, beads)
        forces, blows = shaken(inside, sizes, felt, turning, MOTION, take)
        heard = record(shell, person, forces, felt, turning, 1000 * device + session, r)
        told = about(beads, who, f"{take}", felt, blows)
        add(options.out, kept(options.out, device, session, told, shell.rate, heard))


if __name__ == "__main__":
    main()
