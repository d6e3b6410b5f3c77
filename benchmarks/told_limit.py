"""How much of the count one free shake holds, to a listener who is told every hit (simulated: hw_mock).

    python -m benchmarks.told_limit --jobs 2

Two questions.

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
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

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
from hw_mock.igloo.traces import PAIR, Traces
from sensors.ear import dome, imagined
from sensors.ear.features import size
from sensors.ear.frontend import FELT_RATE, Envelopes, front_end_for
from sensors.ear.model import posterior
from sensors.ear.takes import cut

Floats = npt.NDArray[np.float64]
COUNTS = tuple(range(2, 14))
PEOPLE = 4  # a device
SPEEDS = (0.1, 0.3)  # m/s, that hits are counted beyond
NUMBERS = 3  # one of each kind
PENALTY = 0.003
FOLDS = 5
SURE = 0.95
SHRUNK = 0.05  # of covariances, towards their diagonal
ACCELEROMETER_HZ = 1666.0
UP = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One person with one set of igloos: each count once, in a motion of its own; `often` times in one, and felt."""

    seed: int
    device: int
    person: int
    often: int


@dataclass(frozen=True, slots=True)
class Told:
    """One shake: `hits` [24], ln a second of each kind's number and sizes, the numbers first; `hand` [5]; what imagined
    beads do, `thrown` [12]; the levels of an accelerometer on the shell, `felt` [9], where it was asked for."""

    device: int
    person: int
    time: int
    beads: int
    hits: Floats
    hand: Floats
    thrown: Floats
    felt: Floats | None = None


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


def shaken(asked: Asked) -> list[Told]:
    """All shakes of it; counts of which so many beads do not fit are left out."""
    r = np.random.default_rng([asked.seed, asked.device, asked.person])
    device = device_of(asked.seed, asked.device, ACCELEROMETER_HZ)
    who = player_of(asked.seed, asked.device * PEOPLE + asked.person).on(int(r.integers(2**31)))
    out = []
    seed = int(r.integers(2**31))
    for beads in COUNTS:
        seed = seed if asked.often > 1 else int(r.integers(2**31))
        person = who.take(seed)
        motion = gesture("shake", person, seed, float(np.random.default_rng(seed).uniform(1.6, 3.2)))
        hand, thrown = told_hand(motion), told_thrown(motion)
        for time in range(asked.often):
            try:
                igloo = Igloo.of(device, beads)
                if asked.often == 1:
                    traces, felt = move(igloo, person, motion, np.random.default_rng([seed, beads]))[0], None
                else:
                    played = play(device, igloo, person, motion, seed, time)
                    traces, felt = (
                        played.traces,
                        levels(played, np.random.default_rng([seed, beads, time, 1])),
                    )
            except ValueError:
                continue
            out.append(
                Told(asked.device, asked.person, time, beads, told_hits(traces, motion), hand, thrown, felt)
            )
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


def others(shakes: list[Told], columns: int, hand: bool = False, thrown: bool = False) -> dict[str, Any]:
    """Each person's sweep in turn, the other people's shakes asked; whole devices left out of the learning."""
    x = np.array(
        [
            np.concatenate([t.hits[:columns], t.hand if hand else [], t.thrown if thrown else []])
            for t in shakes
        ]
    )
    device, person, beads = (
        np.array([getattr(t, name) for t in shakes]) for name in ("device", "person", "beads")
    )
    x = np.clip((x - np.median(x, axis=0)) / (x.std(axis=0) + 1e-9), -4, 4)
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
            a.T @ a / len(a) + PENALTY * np.eye(a.shape[1]), a.T @ (y[known] - middle) / len(a)
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
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    hands = Hands(options.jobs)
    same = [Asked(options.seed + 1, k, 0, options.often) for k in range(options.motions)]
    free = [Asked(options.seed, d, p, 1) for d in range(options.devices) for p in range(PEOPLE)]
    print("exact (95 % by sets of igloos) / within one; sure: a probability of .95 (simulated)")
    again = [t for told in each(shaken, same, hands) if isinstance(told, list) for t in told]
    if again:
        hits, felt = np.array([t.hits for t in again]), np.array([t.felt for t in again])
        print_figures("chance alone: told the numbers of hits", chance(again, hits[:, :NUMBERS]))
        print_figures("chance alone: and how hard they were", chance(again, hits))
        print_figures("chance alone: how strong an accelerometer's bands are", chance(again, felt))
    swept = [t for told in each(shaken, free, hands) if isinstance(told, list) for t in told]
    if swept:
        whole = len(swept[0].hits)
        print_figures("others shake: told the numbers of hits", others(swept, NUMBERS))
        print_figures("others shake: and how the hand moved", others(swept, NUMBERS, True))
        print_figures("others shake: and what imagined beads do", others(swept, NUMBERS, True, True))
        print_figures("others shake: numbers, and how hard they were", others(swept, whole))
        print_figures("others shake: numbers, how hard, how the hand moved", others(swept, whole, True))
        print_figures("others shake: all this, and what imagined beads do", others(swept, whole, True, True))


if __name__ == "__main__":
    main()
