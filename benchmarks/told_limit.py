"""How much of the count one free shake holds, to a listener who is told every hit (simulated: hw_mock).

    python -m benchmarks.told_limit --jobs 2
    python -m benchmarks.told_limit --jobs 2 --felt --devices 60
    python -m benchmarks.told_limit --jobs 2 --felt --devices 30 --alike fingers        # or motion

Two questions, and with `--felt` a third.

Chance: the same igloo, the same motion of the same hand, again and again; only how the beads lay at first differs. Who
knows that motion and that igloo, and has heard every count in them, is told the hits of one more shake. What he gets
wrong is chance, and nobody can mend it. Or he is told no more than how strong the bands of an accelerometer on the
shell are.

Other people: the igloo was calibrated by one person's sweep of all counts, and another one shakes. The listener learned
from other igloos and people (whole devices left out), and is told, of each kind of hit (dome, floor, bead on bead), how
many there were; or also how hard they were; or also how the hand moved; or also what a few beads of middling size would
do in a middling dome that goes this way (sensors.ear.imagined, told how the dome lies). Ridge regression on what a
shake has over the sweep, on its square, and on the sweep's own mean. (The listener that benchmarks.ear prints is
another: it is fitted on the shakes of all other people with that very set.)

The sensor (`--felt`): the same listener is not told the hits, but what the ear counts by when an accelerometer on the
shell has felt them: where between the hits and the ear is it lost? With `--alike`, four people with the same fingers,
or with the same way of moving.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from benchmarks.ear import print_figures
from calibration import scores
from calibration.bulk import Hands, each
from hw_mock.igloo import accelerometer
from hw_mock.igloo.device import Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.hand import RATE, Motion
from hw_mock.igloo.plan import device_of, player_of
from hw_mock.igloo.played import GRAVITY, Played, move, play
from hw_mock.igloo.player import Player
from hw_mock.igloo.traces import PAIR, Traces
from sensors.ear import dome, imagined
from sensors.ear.features import size
from sensors.ear.frontend import FELT_RATE, Envelopes, front_end_for, front_ends_for
from sensors.ear.model import posterior
from sensors.ear.shake import shake_of
from sensors.ear.takes import cut

Floats = npt.NDArray[np.float64]
COUNTS = tuple(range(2, 14))
PEOPLE = 4  # a device
SPEEDS = (0.1, 0.3)  # m/s, that hits are counted beyond
NUMBERS = 3  # one of each kind
IMPULSE = 5 * NUMBERS  # where the sums of impulses stand among what is told of hits
PENALTY = 0.003
PENALTY_FELT = 0.03  # of many features that say nearly the same
FOLDS = 5
SURE = 0.95
SHRUNK = 0.05  # of covariances, towards their diagonal
ACCELEROMETER_HZ = 1666.0
EAR = ("size", "net", "hand", "imagined")  # groups of features: what is felt, and what the hand made of it
FINGERS = ("grip_stiffness", "grip_damping", "grip_loss", "flesh_mass")
Alike = Literal["fingers", "motion"]
UP = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One person with one set of igloos: each count once, in a motion of its own; `often` times in one, and felt."""

    seed: int
    device: int
    person: int
    often: int
    felt: bool = False
    alike: Alike | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """One shake: `hits` [24], ln a second of each kind's number and sizes, the numbers first; `hand` [5]; what imagined
    beads do, `thrown` [12]; the levels of an accelerometer on the shell, `felt` [9], or all that the ear makes of it,
    where that was asked for."""

    device: int
    person: int
    time: int
    beads: int
    hits: Floats
    hand: Floats
    thrown: Floats
    felt: Floats | None = None
    ear: dict[str, Floats] | None = None  # groups of features of an ear that felt it


def told_hits(traces: Traces, motion: Motion) -> Floats:
    """Of each kind how many, how many beyond each speed, and sums over them: speed, its square, impulse, its root and
    its square; ln a second."""
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
    """ln of RMS in g, of the mean size with gravity, of the pace in Hz, of jerk in g/s, of turning in rad/s."""
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
    """ln of the sums of imagined beads, a bead and second, few of them and many."""
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
    return np.asarray(np.log(np.concatenate(out) / (motion.end_s - motion.start_s) + imagined.LEAST))


def levels(played: Played, r: np.random.Generator) -> Floats:
    """How strong each band of the sensor node's accelerometer is: mean, loud frames, middle frame."""
    rate = played.device.accelerometer_rate
    front = front_end_for("accelerometer", rate)
    take = cut(front, Envelopes(front, rate, 3).push(accelerometer.record(played, r)))
    if take is None:
        raise ValueError("nothing was felt")
    return np.array(list(size(take).values()))


def heard_by_ear(played: Played, r: np.random.Generator) -> dict[str, Floats]:
    """Groups of features of the sensor node's accelerometer, through the finest front end that counts."""
    rate = played.device.accelerometer_rate
    front = front_ends_for("accelerometer", rate)[0]
    shake = shake_of(front, Envelopes(front, rate, 3).push(accelerometer.record(played, r)))
    if shake is None:
        raise ValueError("nothing was felt")
    of = np.array([name.split(".")[0] for name in shake.names])
    return {group: shake.values[of == group] for group in EAR}


def whose(asked: Asked, who: Player, seed: int) -> Player:
    """Who shakes in this take; `alike`: with the fingers, or in the way, of the first of the four."""
    person = who.take(seed)
    first = player_of(asked.seed, asked.device * PEOPLE)
    if asked.alike == "fingers":
        return replace(person, **{name: getattr(first, name) for name in FINGERS})
    if asked.alike == "motion":
        return replace(first.on(7).take(seed), **{name: getattr(person, name) for name in FINGERS})
    return person


def shaken(asked: Asked) -> list[Told]:
    """All shakes of it; counts of which so many beads do not fit are left out."""
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


def chance(shakes: list[Told], told: Floats) -> dict[str, Any]:
    """Linear discriminants in the very motion, on rows `told` of the shakes; every fourth is asked."""
    said = []
    for one in dict.fromkeys((t.device, t.person) for t in shakes):
        mine = [t for t in shakes if (t.device, t.person) == one]
        x = np.array([row for t, row in zip(shakes, told, strict=True) if (t.device, t.person) == one])
        beads, time = np.array([t.beads for t in mine]), np.array([t.time for t in mine])
        for fold in range(4):
            known, asked = time % 4 != fold, time % 4 == fold
            counts = np.unique(beads[known])
            middles = np.array([x[known & (beads == n)].mean(axis=0) for n in counts])
            left = x[known] - middles[np.searchsorted(counts, beads[known])]
            spread = left.T @ left / (len(left) - len(counts))
            spread = (1 - SHRUNK) * spread + SHRUNK * np.diag(np.diag(spread)) + 1e-9 * np.eye(len(spread))
            away = x[asked][:, None] - middles
            p = posterior(-0.5 * np.einsum("abc,cd,abd->ab", away, np.linalg.inv(spread), away))
            said += _said(p, counts, beads[asked], [f"{one}"] * int(asked.sum()))
    return scores.summary(said)


def others(shakes: list[Told], told: Floats, penalty: float = PENALTY) -> dict[str, Any]:
    """Each person's sweep in turn, the other people's shakes asked, on rows `told` of the shakes; whole devices are
    left out of the learning."""
    device, person, beads = (
        np.array([getattr(t, name) for t in shakes]) for name in ("device", "person", "beads")
    )
    x = np.clip((told - np.median(told, axis=0)) / (told.std(axis=0) + 1e-9), -4, 4)
    rows, asked = [], []
    for d in np.unique(device):
        for p in np.unique(person[device == d]):
            sweep, rest = (device == d) & (person == p), np.flatnonzero((device == d) & (person != p))
            if sweep.sum() == len(COUNTS):  # a sweep without a count that does not fit would stand elsewhere
                over = x[rest] - x[sweep].mean(axis=0)
                rows.append(
                    np.hstack([over, over**2, np.repeat(x[sweep].mean(axis=0)[None], len(rest), axis=0)])
                )
                asked.append(rest)
    q, of = np.concatenate(rows), np.concatenate(asked)
    y, fold = np.log(beads[of]), device[of] % FOLDS
    m = np.empty(len(y))
    for k in range(FOLDS):
        known = fold != k
        a, middle = q[known] - q[known].mean(axis=0), y[known].mean()
        slopes = np.linalg.solve(
            a.T @ a / len(a) + penalty * np.eye(a.shape[1]), a.T @ (y[known] - middle) / len(a)
        )
        m[~known] = (q[~known] - q[known].mean(axis=0)) @ slopes + middle
    said = []
    for k in range(FOLDS):
        known = fold != k
        slope, offset = np.polyfit(y[known], m[known], 1)
        sigma = (m[known] - offset - slope * y[known]).std()
        expected = offset + slope * np.log(COUNTS)
        p = posterior(-0.5 * np.square((m[~known][:, None] - expected) / sigma))
        said += _said(p, np.array(COUNTS), beads[of[~known]], [f"{d}" for d in device[of[~known]]])
    return scores.summary(said)


def _said(
    p: Floats, counts: npt.NDArray[np.int_], beads: npt.NDArray[np.int_], who: list[str]
) -> list[scores.Told]:
    best = p.argmax(axis=1)
    return [
        scores.Told(int(n), int(counts[b]), float(row[b]), bool(row[b] >= SURE), None, name)
        for n, b, row, name in zip(beads, best, p, who, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--devices", type=int, default=90, help="sets of igloos, four people each")
    parser.add_argument(
        "--motions", type=int, default=24, help="each made again and again, each with another set"
    )
    parser.add_argument("--often", type=int, default=12)
    parser.add_argument("--felt", action="store_true", help="where a sensor loses it, instead")
    parser.add_argument("--alike", choices=("fingers", "motion"), help="what all four people have in common")
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    hands = Hands(options.jobs)
    print("exact (95 % by sets of igloos) / within one; sure: a probability of .95 (simulated)")
    if options.felt:
        sensed = [
            Asked(options.seed, d, p, 1, True, options.alike)
            for d in range(options.devices)
            for p in range(PEOPLE)
        ]
        where_it_is_lost([t for told in each(shaken, sensed, hands) if isinstance(told, list) for t in told])
        return
    same = [Asked(options.seed + 1, k, 0, options.often) for k in range(options.motions)]
    free = [Asked(options.seed, d, p, 1) for d in range(options.devices) for p in range(PEOPLE)]
    again = [t for told in each(shaken, same, hands) if isinstance(told, list) for t in told]
    if again:
        hits, felt = np.array([t.hits for t in again]), np.array([t.felt for t in again])
        print_figures("chance alone: told the numbers of hits", chance(again, hits[:, :NUMBERS]))
        print_figures("chance alone: and how hard they were", chance(again, hits))
        print_figures("chance alone: how strong an accelerometer's bands are", chance(again, felt))
    swept = [t for told in each(shaken, free, hands) if isinstance(told, list) for t in told]
    if swept:
        hits, hand, thrown = (
            np.array([getattr(t, name) for t in swept]) for name in ("hits", "hand", "thrown")
        )
        numbers = hits[:, :NUMBERS]
        for name, told in (
            ("told the numbers of hits", (numbers,)),
            ("and how the hand moved", (numbers, hand)),
            ("and what imagined beads do", (numbers, hand, thrown)),
            ("numbers, and how hard they were", (hits,)),
            ("numbers, how hard, how the hand moved", (hits, hand)),
            ("all this, and what imagined beads do", (hits, hand, thrown)),
        ):
            print_figures(f"others shake: {name}", others(swept, np.hstack(told)))


def where_it_is_lost(shakes: list[Told]) -> None:
    """From every hit to what the ear of an accelerometer counts by."""
    hits, hand, thrown = (np.array([getattr(t, name) for t in shakes]) for name in ("hits", "hand", "thrown"))
    ear = {name: np.array([t.ear[name] for t in shakes if t.ear is not None]) for name in EAR}
    walls = np.log(np.exp(hits[:, IMPULSE : IMPULSE + PAIR]).sum(axis=1, keepdims=True))
    felt = np.hstack([ear[name] for name in EAR])
    for name, told, penalty in (
        ("every hit, the true hand and beads imagined in it", (hits, hand, thrown), PENALTY),
        ("every hit, the hand and imagined beads as felt", (hits, ear["hand"], ear["imagined"]), PENALTY),
        ("only all impulses on the walls, true hand and beads", (walls, hand, thrown), PENALTY),
        ("what an accelerometer's ear counts by, and these", (felt, walls), PENALTY_FELT),
        ("what an accelerometer's ear counts by", (felt,), PENALTY_FELT),
    ):
        print_figures(name, others(shakes, np.hstack(told), penalty))


if __name__ == "__main__":
    main()
