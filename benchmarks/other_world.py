"""Shaken igloos from another physics engine, to try the ear on what it was not made from.

    python -m benchmarks.other_world --out FOLDER --devices 4 --players 4 --seed 1
    python -m benchmarks.ear --simulated FOLDER

MuJoCo's rigid bodies (soft contacts, elliptic friction) in a dome of planes, struck modes drawn at random, a hand that
is a jittered sine: none of it is shared with `hw_mock`. All ranges are judgement; no igloo was measured. Seeds 1 and 2,
11 to 13 with --wide, 14 and 15 with --wide --odd are among what the shipped profiles were fitted on
(benchmarks/make_profiles.py), 6, 11 to 13, 16 and 17 among what the networks learned from (benchmarks/make_nets.py);
seeds 3 and 5 were looked at while the ear was built, seed 7 when networks came, 8 when they were learned anew,
9 when a third engine joined.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.other_igloo import draw_person, draw_set, engine, motion
from benchmarks.other_sensors import record
from benchmarks.world_files import COUNTS, about, kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--sessions", type=int, default=4, help="a device; players take turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", action="store_true", help="ranges beyond what we believe, to learn from")
    parser.add_argument(
        "--odd", action="store_true", help="and domes that are not round, hands that go round"
    )
    parser.add_argument("--rate", type=float, help="Hz of every accelerometer, instead of what is drawn")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "recordings.jsonl").open("a", encoding="utf-8") as index:
        for device in range(options.devices):
            igloos = draw_set(1000 * options.seed + device, options.wide, options.odd, options.rate)
            for session in range(options.sessions):
                who = (session + device) % options.players
                person = draw_person(
                    1000 * options.seed + who, 100 * device + session, options.wide, options.odd
                )
                order = np.random.default_rng([options.seed, device, session]).permutation(list(COUNTS))
                for beads in order.tolist():
                    take = 100 * (100 * device + session) + beads
                    r = np.random.default_rng([options.seed, take])
                    felt = motion(person, take, float(r.uniform(1.8, 3.2)))
                    touches = engine(igloos, beads, felt)
                    room = 1000 * device + session
                    heard = record(igloos, person, touches, felt, room, take)
                    told = about(beads, who, f"{take}", felt, touches)
                    for line in kept(options.out, device, session, told, igloos.rate, heard):
                        index.write(json.dumps(line) + "\n")
                    index.flush()
                print(f"device {device}, session {session}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
