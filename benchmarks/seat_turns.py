"""One igloo after the other at every seat, while the neighbours keep shaking: is each counted separately, and how soon?

    python -m benchmarks.seat_turns                       24 fresh tables, omnidirectional and cardioid microphones
    python -m benchmarks.seat_turns --tables 16 --seed 71
    python -m benchmarks.seat_turns --at-once             instead all shake one igloo each at the same time

Four people shake two igloos each, with a pause of one to two and a half seconds in between, during which the others
shake. It is evaluated twice: by levels alone, and as shipped, which also uses whose hits are loudest
(`sensors.ear.seats.turns`). `hw_mock.igloo.scene` describes the simulation.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from benchmarks.together_pairs import RATE, SEATS, Sound, real, rounds_of
from hw_mock.igloo.device import Device
from hw_mock.igloo.player import Player
from hw_mock.igloo.room import Room
from hw_mock.igloo.scene import Part, Scene
from hw_mock.igloo.together import Evening
from sensors.ear.frames.finder import Found
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import SeatListener, hear_together
from sensors.ear.seats.parted import Clear
from sensors.ear.seats.together import Seats
from sensors.evidence import Heard

FIRST_S, SHAKE_S, PAUSE_S = (0.5, 2.0), (1.6, 3.2), (1.0, 2.5)
LONG_S = 13.5  # length of a scene
OVER_S = 0.3  # least overlap with a shake for an answer to belong to it
HEARD_S = 0.1  # length of an input block


class ByLevels(SeatListener):
    """A seat that detects starts and ends of shakes by levels alone."""

    def _follow(self, clear: Clear) -> Iterator[Found]:
        return self._levels(clear.wide.astype(np.float32))


@dataclass
class Told:
    """Counts over all shakes: how many had an answer of their own, and so on; and the delay after a shake's end, s."""

    shakes: Counter[str] = field(default_factory=Counter)
    after_s: list[float] = field(default_factory=list)

    def add(self, mine: list[Part], lines: list[tuple[Heard, float]]) -> None:
        """Add one seat's shakes, and the answers there, each with its time."""
        for part in mine:
            over = [(heard, at) for heard, at in lines if _common(heard, part) > OVER_S]
            self.shakes["all"] += 1
            self.shakes["missed"] += not over
            self.shakes["in pieces"] += len(over) > 1
            if not over:
                continue
            heard, at = max(over, key=lambda one: _common(one[0], part))
            if sum(_common(heard, other) > OVER_S for other in mine) > 1:
                self.shakes["with another"] += 1
            else:
                self.after_s.append(at - part.span_s[1])
                self.shakes["exact"] += heard.best == part.beads
        self.shakes["of nobody"] += sum(all(_common(h, part) <= OVER_S for part in mine) for h, _ in lines)

    def show(self, name: str) -> None:
        whole = self.shakes["all"]
        share = Counter({what: n / whole for what, n in self.shakes.items()})
        middle, late = np.quantile(self.after_s, (0.5, 0.9))
        print(
            f"{name:<32} told alone {len(self.after_s) / whole:.2f}, with another {share['with another']:.2f}, "
            f"in pieces {share['in pieces']:.2f}, missed {share['missed']:.2f} · of nobody {self.shakes['of nobody']} "
            f"· said after {middle:.2f} s (nine of ten within {late:.2f}) · exact {share['exact']:.2f} · n {whole}",
            flush=True,
        )


def scenes(seed: int, tables: int) -> Iterator[Scene]:
    """One scene per table, each with its own people and igloos."""
    for table in range(tables):
        r = np.random.default_rng([seed, table])
        device, room = Device.draw(int(r.integers(2**31))), Room.draw(int(r.integers(2**31)))
        guests = [Player.draw(int(r.integers(2**31))) for _ in range(SEATS)]
        day = int(r.integers(2**31))
        counts = r.permutation(range(2, 14))[: 2 * SEATS]
        lots = []
        for seat in range(SEATS):
            start, lasts = r.uniform(*FIRST_S), r.uniform(*SHAKE_S)
            pause, again = r.uniform(*PAUSE_S), r.uniform(*SHAKE_S)
            lots.append((start, seat, int(counts[2 * seat]), lasts))
            lots.append((start + lasts + pause, seat, int(counts[2 * seat + 1]), again))
        scene = Scene(room, int(r.integers(2**31)), LONG_S, SEATS)
        for start, seat, count, seconds in sorted(lots):
            scene.shake(start, seat, count, device, guests[seat].on(day), seconds)
        yield scene


def at_once(seed: int, tables: int) -> Iterator[Scene]:
    """The same with one igloo each; all begin to shake within .8 s."""
    for one in rounds_of(Evening(seed, tables, 1, (SEATS,), SEATS)):
        yield one.scene()


def hear(kind: type[SeatListener], sound: Sound) -> list[tuple[Heard, float]]:
    """All answers of all seats, each with its time, s."""
    table, profile = Seats(tuple(str(s) for s in range(SEATS))), load_shipped("microphone")
    ears = [kind(profile, RATE, 1, "table", table, name) for name in table.names]
    said, step = [], round(HEARD_S * RATE)
    for start in range(0, len(sound), step):
        heard = hear_together(ears, sound[start : start + step], RATE)
        said += [(h, (start + step) / RATE) for h in heard if isinstance(h, Heard)]
    for ear in ears:
        said += [(h, len(sound) / RATE) for h in ear.finish()]
    return said


def _common(heard: Heard, part: Part) -> float:
    start, end = part.span_s
    return min(end, heard.end_s) - max(start, heard.start_s)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seed", type=int, default=2711)
    parser.add_argument("--at-once", action="store_true", help="one igloo each, all at the same time")
    options = parser.parse_args()
    ways = {"by levels alone": ByLevels, "as it is": SeatListener}
    found = {(kind, way): Told() for kind in ("cardioid", "omnidirectional") for way in ways}
    shaken = at_once if options.at_once else scenes
    for scene in shaken(options.seed, options.tables):
        device = scene.parts[0].played.device
        for kind, pattern in (("cardioid", 0.5), ("omnidirectional", 0.0)):
            sound = replace(scene, pattern=pattern).microphones(tuple(range(SEATS)), device)
            for way, listener in ways.items():
                said = hear(listener, sound)
                for seat in range(SEATS):
                    lines = [(h, at) for h, at in said if h.seat == str(seat) and real(h)]
                    found[kind, way].add([p for p in scene.parts if p.seat == seat], lines)
    for (kind, way), told in found.items():
        told.show(f"{kind}, {way}")


if __name__ == "__main__":
    main()
