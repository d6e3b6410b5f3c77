"""Shaken igloos from a third physics engine, which shares nothing with the product's simulator or the second engine.

    python -m benchmarks.worlds.third_world --out FOLDER --devices 8 --players 6 --seed 1
    python -m benchmarks.ear --simulated FOLDER

Bullet's contacts are impulses, while those of other_world.py are soft; strokes are drawn one by one, and shells ring by
other laws. All ranges are judgement; no igloo was measured. Seed 301 is in the training data of the microphones'
network, 302 in that of the shipped profiles. Seed 401 was looked at while choosing between them, 402 once, at the end,
403 once, when training of the networks had continued with drawn sensors.
"""

from __future__ import annotations

import numpy as np

from benchmarks.worlds.bullet_igloo import draw_igloos, draw_shaker, engine, motion
from benchmarks.worlds.bullet_sensors import draw_sensors, record
from benchmarks.worlds.world_files import about, add, arguments, each_shake, kept


def main() -> None:
    parser = arguments(__doc__, devices=8, players=6)
    parser.add_argument(
        "--shells",
        type=int,
        default=1,
        help="about each set, with their sensors: the same blows, heard otherwise",
    )
    options = parser.parse_args()
    for device, session, who, beads, take in each_shake(options):
        igloos = draw_igloos(1000 * options.seed + device)
        shaker = draw_shaker(1000 * options.seed + who, 100 * device + session)
        seconds = float(np.random.default_rng([options.seed, take]).uniform(1.8, 3.2))
        felt = motion(shaker, take, seconds)
        blows = engine(igloos, beads, felt, take)
        for k in range(options.shells):
            shell = draw_sensors(igloos, k, options.rate)
            room = 1000 * (1000 * k + device) + session
            heard = record(igloos, shell, shaker, blows, felt, room, take)
            told = about(beads, who, f"{k}/{take}", felt, blows)
            add(options.out, kept(options.out, device + 100 * k, session, told, shell.rate, heard))


if __name__ == "__main__":
    main()
