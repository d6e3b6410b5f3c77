"""Shaken igloos from a fourth engine, which neither the networks nor the shipped profiles have met.

    python -m benchmarks.grain_world --out FOLDER --devices 4 --players 5 --seed 1
    python -m benchmarks.ear --simulated FOLDER

A discrete-element model: touches last, and their forces in time are what shells and sensors get, where other engines
tell of blows; hands turn about a wrist or an elbow. All ranges are judgement but where a source stands; no igloo was
measured. Nothing may be fitted on it: it is kept to try the ear on what it was not made from.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.grain_hand import MOTION, draw_person, motion
from benchmarks.grain_igloo import draw_inside, shaken
from benchmarks.grain_sensors import draw_shell, record
from benchmarks.world_files import COUNTS, about, kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float)
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    with (o.out / "recordings.jsonl").open("a", encoding="utf-8") as index:
        for device in range(o.devices):
            inside = draw_inside(1000 * o.seed + device)
            shell = draw_shell(1000 * o.seed + device, inside, o.rate)
            for session in range(o.sessions):
                who = (session + device) % o.players
                person = draw_person(1000 * o.seed + who, 100 * device + session)
                order = np.random.default_rng([o.seed, device, session]).permutation(list(COUNTS))
                for beads in order.tolist():
                    take = 100 * (100 * device + session) + beads
                    r = np.random.default_rng([o.seed, take, 92])
                    sizes = inside.bead * np.random.default_rng([o.seed, device, beads, 93]).uniform(
                        0.97, 1.03, beads
                    )
                    felt, turning = motion(person, float(r.uniform(1.8, 3.2)), r)
                    forces, blows = shaken(inside, sizes, felt, turning, MOTION, take)
                    heard = record(shell, person, forces, felt, turning, 1000 * device + session, r)
                    told = about(beads, who, f"{take}", felt, blows)
                    for line in kept(o.out, device, session, told, shell.rate, heard):
                        index.write(json.dumps(line) + "\n")
                    index.flush()
                print(f"device {device}, session {session}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
