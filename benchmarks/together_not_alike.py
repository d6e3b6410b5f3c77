"""Seats' microphones with different gains, over a whole evening: `benchmarks.ear_together --what seat --gains …`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchmarks.together_pairs import RATE, SEATS, Pair, Sound, ears_of, of_seat, real, show, with_only
from hw_mock.igloo.scene import Scene
from hw_mock.igloo.together import Evening, Round
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import SeatListener, hear_together
from sensors.evidence import Heard

QUIET_S = 1.0  # between scenes of one evening
HEADROOM_DB = -10.0  # highest level of the loudest microphone at the start of an evening
SOFTLY_DB = -60.0


def not_alike(seed: int, tables: int, rounds: int, pattern: float, spreads_db: Sequence[float]) -> None:
    """A microphone at each seat, with gains that differ by up to so many dB. One table hears a whole evening: in each
    round, every shake alone and then all together."""
    profile = load_shipped("microphone")
    pairs: dict[tuple[float, str], list[Pair]] = defaultdict(list)
    # whether a shake was reported alone, whether in company, and at how many other seats
    told: dict[tuple[float, str], list[tuple[bool, bool, int]]] = defaultdict(list)
    for table in range(tables):
        plan = Evening(seed, tables, rounds, (SEATS,), SEATS, pattern=pattern)
        drawn = np.random.default_rng([seed, table, 0x6A]).uniform(-1, 1, SEATS)
        ears = {spread: ears_of(profile, SEATS) for spread in spreads_db}
        loudest = 0.0
        for number in range(rounds):
            scene = Round(plan, table, number, SEATS).scene()
            scene.seconds += QUIET_S
            played = {part.seat: _softly(with_only(scene, [part])) for part in scene.parts}
            everybody = _softly(scene)
            if number == 0:
                loudest = float(np.abs(everybody).max())
            for spread, some in ears.items():
                gain = 10 ** ((spread * (drawn - drawn.max()) + HEADROOM_DB) / 20) / loudest
                alone, others = {}, {}
                for part in scene.parts:
                    said = _go_on(some, played[part.seat] * gain)
                    alone[part.seat] = of_seat(said, part)
                    others[part.seat] = len({h.seat for h in said if real(h)} - {str(part.seat)})
                together = _go_on(some, everybody * gain)
                when = spread, "later rounds" if number else "first round"
                for part in scene.parts:
                    was, now = alone[part.seat], of_seat(together, part)
                    told[when].append((was is not None, now is not None, others[part.seat]))
                    best = [None if h is None else h.best for h in (was, now)]
                    pairs[when].append(Pair(f"{table}", part.beads, *best))
    for when, those in sorted(told.items()):
        name = f"set ±{when[0]:g} dB apart ({'cardioid' if pattern else 'omni'}), {when[1]}"
        show(name, pairs[when])
        own, company, elsewhere = (sum(x) for x in zip(*those, strict=True))
        n = len(those)
        print(
            f"{name}: {own} of {n} shakes told of their own seat while nobody else shakes, {company} while {SEATS} do; "
            f"{elsewhere} of {n * (SEATS - 1)} seats where nobody shook were given one that was shaken elsewhere",
            flush=True,
        )


def _softly(scene: Scene) -> Sound:
    """The signals of the seats' microphones, at a gain so low that nothing clips."""
    return scene.microphones(tuple(range(scene.seats)), scene.parts[0].played.device, SOFTLY_DB)


def _go_on(ears: Sequence[SeatListener], sound: npt.NDArray[np.floating]) -> list[Heard]:
    """The answers of ears that have already heard something to a further sound, in its own seconds."""
    since_s = ears[0].now_s
    block = np.clip(sound, -1, 1).astype(np.float32)
    said = [s for s in hear_together(ears, block, RATE) if isinstance(s, Heard)]
    return [replace(s, start_s=s.start_s - since_s, end_s=s.end_s - since_s) for s in said]
