"""The impacts of three engines through shells, rooms and sensors drawn from far wider ranges than we believe.

    for engine in hw_mock mujoco bullet; do
        python -m benchmarks.worlds.drawn_world --engine $engine --out F-$engine --devices 6 --shells 8 --seed 91; done

This is training data. An ear must get used to different sounds, and engines are expensive but sensors cheap; so each
shake is simulated once and heard through the shells of several makers (drawn_shells.py). Counts outside 2 … 13 come
with every other session, as anchors.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.worlds.drawn_nodes import draw_node, feel
from benchmarks.worlds.drawn_shells import draw_shell, hear
from benchmarks.worlds.world_files import COUNTS, about, kept

Array = NDArray[np.float64]
PLAYERS = 12
ANCHORS = (1, 14, 15)
ACCELEROMETER_HZ = 3200.0  # serves the front ends of all rates
CONTACT_LEVEL = 0.3  # of full scale: 99.9 % of the samples of a shell's first shakes are below


@dataclass(frozen=True)
class Struck:
    """One shake before any sensor: blows float64[n, 7] as engines return them; the hand's acceleration less gravity,
    float64[m, 3] in m/s² at `motion_hz`; the stroke rate."""

    blows: Array
    felt: Array
    motion_hz: float
    stroke_hz: float


@dataclass(frozen=True)
class Who:
    """Whose igloo it is, who shakes it, and on which occasion."""

    seed: int
    device: int
    session: int
    player: int

    def take(self, beads: int) -> int:
        return 100 * (100 * self.device + self.session) + beads

    def seconds(self, beads: int) -> float:
        return float(np.random.default_rng([self.seed, self.take(beads)]).uniform(1.8, 3.2))


def _hw_mock(who: Who, beads: int) -> Struck:
    from hw_mock.igloo.device import Igloo
    from hw_mock.igloo.gestures import gesture
    from hw_mock.igloo.hand import RATE
    from hw_mock.igloo.plan import device_of, player_of
    from hw_mock.igloo.played import play

    take = who.take(beads)
    device = device_of(who.seed, who.device, None, True)
    player = player_of(who.seed, who.player, True).on(who.session).take(take)
    motion = gesture("shake", player, take, who.seconds(beads))
    hits = play(device, Igloo.of(device, beads), player, motion, take).impacts
    r = np.random.default_rng([who.seed, take, 68])
    way = r.normal(size=(len(hits), 3))  # this engine does not report the place on the dome
    way /= np.linalg.norm(way, axis=1)[:, None]
    floor = hits[:, 2] == 1
    way[floor] = np.array([0.0, 0.0, 1.0]) + 0.25 * way[floor]
    way /= np.linalg.norm(way, axis=1)[:, None]
    wall = np.where(hits[:, 2] < 2, hits[:, 2], -1)
    blows = np.column_stack([hits[:, 0], hits[:, 1], wall, hits[:, 6], way])
    return Struck(blows, -motion.force, float(RATE), player.stroke_hz)


def _mujoco(who: Who, beads: int) -> Struck:
    from benchmarks.worlds.other_igloo import STEP, draw_person, draw_set, engine, motion

    igloos = draw_set(1000 * who.seed + who.device, True)
    person = draw_person(1000 * who.seed + who.player, 100 * who.device + who.session, True)
    felt = motion(person, who.take(beads), who.seconds(beads))
    return Struck(engine(igloos, beads, felt), felt, 1 / STEP, person.hz)


def _bullet(who: Who, beads: int) -> Struck:
    from benchmarks.worlds.bullet_igloo import MOTION, draw_igloos, draw_shaker, engine, motion

    igloos = draw_igloos(1000 * who.seed + who.device)
    shaker = draw_shaker(1000 * who.seed + who.player, 100 * who.device + who.session)
    felt = motion(shaker, who.take(beads), who.seconds(beads))
    return Struck(engine(igloos, beads, felt, who.take(beads)), felt, MOTION, shaker.hz)


ENGINES: dict[str, Callable[[Who, int], Struck]] = {"hw_mock": _hw_mock, "mujoco": _mujoco, "bullet": _bullet}


def sensed(struck: Struck, shell: int, day: int, take: int, gains: dict[int, float]) -> dict[str, Array]:
    """The signals of one maker's sensors; `gains`: gain of each shell's contact microphone, set at its first shake."""
    seconds = len(struck.felt) / struck.motion_hz
    heard = hear(draw_shell(shell), struck.blows, struck.stroke_hz, seconds, 1000 * shell + day, take)
    loud = float(np.quantile(np.abs(heard["contact"]), 0.999))
    gain = gains.setdefault(shell, CONTACT_LEVEL / max(loud, 1e-12))
    heard["contact"] = np.clip(gain * heard["contact"], -1, 1)
    node = draw_node(shell)
    felt = feel(node, struck.blows, struck.felt, struck.motion_hz, ACCELEROMETER_HZ, day, take)
    return heard | {"accelerometer": felt}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--engine", choices=tuple(ENGINES), required=True)
    parser.add_argument("--devices", type=int, default=6, help="sets of igloos")
    parser.add_argument("--shells", type=int, default=4, help="makers who heard each")
    parser.add_argument("--sessions", type=int, default=4, help="a device; players take turns")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.shells > 100 or options.devices > 100:
        parser.error("no more than a hundred shells or devices: their names would be alike")
    options.out.mkdir(parents=True, exist_ok=True)
    gains: dict[int, float] = {}
    kind = list(ENGINES).index(options.engine)
    with (options.out / "recordings.jsonl").open("a", encoding="utf-8") as index:
        for device in range(options.devices):
            for session in range(options.sessions):
                who = Who(options.seed, device, session, (session + device) % PLAYERS)
                order = np.random.default_rng([options.seed, device, session]).permutation(
                    [*COUNTS, *(ANCHORS if session % 2 == 0 else ())]
                )
                for beads in order.tolist():
                    try:
                        struck = ENGINES[options.engine](who, beads)
                    except ValueError:
                        continue  # so many beads do not fit
                    if len(struck.blows) < 3:
                        continue
                    for k in range(options.shells):
                        name = 100 * device + k
                        shell = 1_000_000 * (3 * options.seed + kind) + name
                        heard = sensed(struck, shell, session, who.take(beads), gains)
                        told = about(beads, who.player, f"{k}/{who.take(beads)}", struck.felt, struck.blows)
                        for line in kept(options.out, name, session, told, ACCELEROMETER_HZ, heard):
                            index.write(json.dumps(line) + "\n")
                    index.flush()
                print(f"device {device}, session {session}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
