"""Shaken igloos from a third physics engine: what neither the product's simulator nor the second engine is made from.

    python -m benchmarks.third_world --out FOLDER --devices 8 --players 6 --seed 1
    python -m benchmarks.ear --simulated FOLDER

Bullet's bodies bounce by impulses, where those of benchmarks/other_world.py give way; strokes are drawn one by one, and
shells ring by other laws. All ranges are judgement; no igloo was measured. Seed 301 is among what the microphones'
network learned from, 302 among what the shipped profiles were fitted on; 401 was looked at while choosing between them,
402 once, at the end, 403 once, when the networks had gone on with drawn sensors.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.bullet_igloo import draw_igloos, draw_shaker, engine, motion
from benchmarks.bullet_sensors import draw_sensors, record
from benchmarks.world_files import COUNTS, about, kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--sessions", type=int, default=4, help="a device; players take turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, help="Hz of every accelerometer, instead of what is drawn")
    parser.add_argument(
        "--shells",
        type=int,
        default=1,
        help="about each set, with their sensors: the same blows, heard otherwise",
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "recordings.jsonl").open("a", encoding="utf-8") as index:
        for device in range(options.devices):
            igloos = draw_igloos(1000 * options.seed + device)
            shells = [draw_sensors(igloos, k, options.rate) for k in range(options.shells)]
            for session in range(options.sessions):
                who = (session + device) % options.players
                shaker = draw_shaker(1000 * options.seed + who, 100 * device + session)
                order = np.random.default_rng([options.seed, device, session]).permutation(list(COUNTS))
                for beads in order.tolist():
                    take = 100 * (100 * device + session) + beads
                    seconds = float(np.random.default_rng([options.seed, take]).uniform(1.8, 3.2))
                    felt = motion(shaker, take, seconds)
                    blows = engine(igloos, beads, felt, take)
                    for k, shell in enumerate(shells):
                        room = 1000 * (1000 * k + device) + session
                        heard = record(igloos, shell, shaker, blows, felt, room, take)
                        told = about(beads, who, f"{k}/{take}", felt, blows)
                        for line in kept(options.out, device + 100 * k, session, told, shell.rate, heard):
                            index.write(json.dumps(line) + "\n")
                    index.flush()
                print(f"device {device}, session {session}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
