"""Shakes for benchmarks.told_limit (simulated): every hit, the true motion of the hand, and what a sensor felt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from hw_mock.igloo import accelerometer
from hw_mock.igloo.device import Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.hand import RATE, Motion
from hw_mock.igloo.plan import device_of, player_of
from hw_mock.igloo.played import GRAVITY, Played, move, play
from hw_mock.igloo.player import Player
from hw_mock.igloo.traces import PAIR, Traces
from sensors.ear.frames.frontend import FELT_RATE, Envelopes, front_end_for, front_ends_for
from sensors.ear.shakes import dome, imagined
from sensors.ear.shakes.features import size
from sensors.ear.shakes.shake import shake_of
from sensors.ear.shakes.takes import cut

Floats = npt.NDArray[np.float64]
Alike = Literal["fingers", "motion"]
COUNTS = tuple(range(2, 14))
PEOPLE = 4  # per device
SPEEDS = (0.1, 0.3)  # m/s, thresholds above which hits are counted
ACCELEROMETER_HZ = 1666.0
EAR = ("size", "net", "hand", "imagined")  # groups of features: from the shell, and from the hand
FINGERS = ("grip_stiffness", "grip_damping", "grip_loss", "flesh_mass")
UP = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One person with one set of igloos: each count once, in its own motion, and `often` times in one motion. `felt`:
    with the ear's features."""

    seed: int
    device: int
    person: int
    often: int
    felt: bool = False
    alike: Alike | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """One shake: `hits` [24], ln per second of each kind's number and sizes, the numbers first; `hand` [5]; what
    imagined beads do, `thrown` [12]; the band levels of an accelerometer on the shell, `felt` [9], or all of the ear's
    features, if they were asked for."""

    device: int
    person: int
    time: int
    beads: int
    hits: Floats
    hand: Floats
    thrown: Floats
    felt: Floats | None = None
    ear: dict[str, Floats] | None = None  # the ear's groups of features


def told_hits(traces: Traces, motion: Motion) -> Floats:
    """For each kind of hit: number, number above each speed, and the sums of speed, its square, impulse, its square
    root and its square; ln per second."""
    hits = traces.impacts[: int(traces.counts[1])]
    hits = hits[(hits[:, 0] >= motion.start_s) & (hits[:, 0] < motion.end_s)]
    columns = []
    for kind in range(PAIR + 1):
        impulse, speed = hits[hits[:, 2] == kind][:, [1, 6]].T
        harder = [np.sum(speed > least) for least in SPEEDS]
        sums = [np.sum(x) for x in (speed, speed**2, impulse, np.sqrt(impulse), impulse**2)]
        columns.append([len(speed), *harder, *sums])
    ordered = np.array(columns, dtype=np.float64).T.ravel()
    return np.asarray(np.log(ordered / (motion.end_s - motion.start_s) + 1e-9))


def told_hand(motion: Motion) -> Floats:
    """ln of: RMS in g, mean magnitude with gravity, stroke rate in Hz, jerk in g/s, angular velocity in rad/s."""
    during = slice(int(motion.start_s * RATE), int(motion.end_s * RATE))
    force = motion.force[during] / GRAVITY
    moved = force - force.mean(axis=0)
    power = np.square(np.abs(np.fft.rfft(moved, axis=0))).sum(axis=1)
    pace = float((power * np.fft.rfftfreq(len(moved), 1 / RATE)).sum() / power.sum())
    jerk = np.square(np.diff(force, axis=0) * RATE).sum(axis=1).mean()
    turn = np.square(motion.turn[during]).sum(axis=1).mean()
    rms = np.square(moved).sum(axis=1).mean()
    weight = np.linalg.norm(force, axis=1).mean()
    return np.asarray(
        np.log([np.sqrt(rms), weight, pace, np.sqrt(jerk), np.sqrt(turn) + 1e-3]), dtype=np.float64
    )


def told_thrown(motion: Motion) -> Floats:
    """ln of the sums over imagined beads, per bead and second, for few of them and for many."""
    each_frame = round(RATE / FELT_RATE)
    force = np.ascontiguousarray(motion.force[::each_frame])
    during = slice(int(motion.start_s * FELT_RATE), int(motion.end_s * FELT_RATE))
    out = []
    for beads in imagined.TOLD_BEADS:
        thrown = [
            dome.throw(force, np.array(UP), dome.places(beads, time, UP), dome.STEPS_HZ)[1]
            for time in range(3)
        ]
        out.append(np.mean(thrown, axis=0)[during].sum(axis=0))
    return np.asarray(np.log(np.concatenate(out) / (motion.end_s - motion.start_s) + imagined.LEAST_SUM))


def levels(played: Played, r: np.random.Generator) -> Floats:
    """The level of each band of the sensor node's accelerometer: mean, loud frames, median frame."""
    rate = played.device.accelerometer_rate
    front = front_end_for("accelerometer", rate)
    take = cut(front, Envelopes(front, rate, 3).push(accelerometer.record(played, r)))
    if take is None:
        raise ValueError("nothing was felt")
    return np.array(list(size(take).values()))


def heard_by_ear(played: Played, r: np.random.Generator) -> dict[str, Floats]:
    """Groups of features of the sensor node's accelerometer, through the finest front end that has a counter."""
    rate = played.device.accelerometer_rate
    front = front_ends_for("accelerometer", rate)[0]
    shake = shake_of(front, Envelopes(front, rate, 3).push(accelerometer.record(played, r)))
    if shake is None:
        raise ValueError("nothing was felt")
    of = np.array([name.split(".")[0] for name in shake.names])
    return {group: shake.values[of == group] for group in EAR}


def whose(asked: Asked, who: Player, seed: int) -> Player:
    """Who shakes in this take; with `alike`, with the fingers, or the way of moving, of the first of the four."""
    person = who.take(seed)
    first = player_of(asked.seed, asked.device * PEOPLE)
    if asked.alike == "fingers":
        return replace(person, **{name: getattr(first, name) for name in FINGERS})
    if asked.alike == "motion":
        return replace(first.on(7).take(seed), **{name: getattr(person, name) for name in FINGERS})
    return person


def shaken(asked: Asked) -> list[Told]:
    """All shakes of `asked`; counts whose beads do not fit are left out."""
    r = np.random.default_rng([asked.seed, asked.device, asked.person])
    device = device_of(asked.seed, asked.device, ACCELEROMETER_HZ)
    who = player_of(asked.seed, asked.device * PEOPLE + asked.person).on(int(r.integers(2**31)))
    out = []
    seed = int(r.integers(2**31))
    for beads in COUNTS:
        seed = seed if asked.often > 1 else int(r.integers(2**31))
        person = whose(asked, who, seed)
        motion = gesture("shake", person, seed, float(np.random.default_rng(seed).uniform(1.6, 3.2)))
        hand, thrown = told_hand(motion), told_thrown(motion)
        for time in range(asked.often):
            try:
                igloo = Igloo.of(device, beads)
                felt, ear = None, None
                if asked.often == 1 and not asked.felt:
                    traces = move(igloo, person, motion, np.random.default_rng([seed, beads]))[0]
                else:
                    played = play(device, igloo, person, motion, seed, time)
                    traces = played.traces
                    noise = np.random.default_rng([seed, beads, time, 1])
                    felt = None if asked.felt else levels(played, noise)
                    ear = heard_by_ear(played, noise) if asked.felt else None
            except ValueError:
                continue
            hits = told_hits(traces, motion)
            out.append(Told(asked.device, asked.person, time, beads, hits, hand, thrown, felt, ear))
    return out
