"""Shaken igloos from another physics engine, to test the ear on something it was not made from.

    python -m benchmarks.worlds.other_world --out FOLDER --devices 4 --players 4 --seed 1
    python -m benchmarks.ear --simulated FOLDER

It has MuJoCo's rigid bodies (soft contacts, elliptic friction) in a dome of planes, modes drawn at random, and a hand
that is a jittered sine; it shares nothing with `hw_mock`. All ranges are judgement; no igloo was measured. The shipped
profiles were fitted, among others, on seeds 1 and 2, 11 to 13 with --wide, 14 and 15 with --wide --odd
(learning/make_profiles.py); the networks were trained, among others, on 6, 11 to 13, 16 and 17 (learning/make_nets.py).
Seeds 3 and 5 were looked at while the ear was built, seed 7 when networks were added, 8 when they were retrained,
9 when a third engine was added.
"""

from __future__ import annotations

import numpy as np

from benchmarks.worlds.other_igloo import draw_person, draw_set, engine, motion
from benchmarks.worlds.other_sensors import record
from benchmarks.worlds.world_files import about, add, arguments, each_shake, kept


def main() -> None:
    parser = arguments(__doc__, devices=4, players=4)
    parser.add_argument("--wide", action="store_true", help="ranges beyond what we believe, to learn from")
    parser.add_argument(
        "--odd", action="store_true", help="and domes that are not round, hands that go round"
    )
    options = parser.parse_args()
    for device, session, who, beads, take in each_shake(options):
        igloos = draw_set(1000 * options.seed + device, options.wide, options.odd, options.rate)
        person = draw_person(1000 * options.seed + who, 100 * device + session, options.wide, options.odd)
        r = np.random.default_rng([options.seed, take])
        felt = motion(person, take, float(r.uniform(1.8, 3.2)))
        touches = engine(igloos, beads, felt)
        heard = record(igloos, person, touches, felt, 1000 * device + session, take)
        told = about(beads, who, f"{take}", felt, touches)
        add(options.out, kept(options.out, device, session, told, igloos.rate, heard))


if __name__ == "__main__":
    main()
