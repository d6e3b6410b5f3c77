"""Igloos as they are used in a game: lifted, shaken and put down, or handled without a shake.

    python -m benchmarks.in_play                    accelerometers and microphones, as shipped (simulated)
    python -m benchmarks.in_play --igloos 240 --jobs 2
    python -m benchmarks.in_play --ear microphone-44100-shell-noise       beside a steady noise

It prints the answers given although nobody shook, and the effect of lifting and putting down on a count, compared with
the same shakes alone. Every igloo, person and count is different. The ear has learned what is no shake from other
pieces of the same simulator (`benchmarks/learning/make_likeness.py` prints how it judges kinds it has not met).
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.learning.handled_cuts import EARS, Ear, Felt, felt, in_noise
from calibration.scores import by_sessions
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.handling import ACTS
from sensors.ear.listener import Listener
from sensors.evidence import Heard

SHOWN = ("accelerometer-1600", "microphone-44100-shell", "microphone-44100")
FIRST = 700000  # seed
LEAST_S = 0.5  # least overlap with a shake for an answer to belong to it
SINCE_S, UNTIL_S = 0.2, 0.6  # an answer this long before or after an act is attributed to it


@dataclass(frozen=True)
class Told:
    """The answers to one sound. `p`: the probability of the true count, `off`: the answer's distance from it; None:
    there was no answer to the shake. `beside`: other answers, with what was done then."""

    p: float | None
    off: int | None
    beside: list[str]
    sure: int  # how many of those were sure
    acts: list[str]
    seconds: float


def heard(ear: Ear, got: Felt) -> list[Heard]:
    listener = Listener(ear.profile, got.rate, got.sound.shape[1], "in play")
    said = []
    for block in np.array_split(got.sound.astype(np.float32), max(1, int(len(got.sound) * 10 / got.rate))):
        said += [one for one in listener.push(block) if isinstance(one, Heard)]
    return [one for one in (*said, *listener.finish()) if one.verdict != "not-a-shake"]


def told(name: str, what: str, seed: int) -> Told:
    """One igloo, one person, one motion."""
    ear, device, count = EARS[name], Device.draw(seed), 2 + seed % 12
    got = felt(ear, device, count, Player.draw(seed).on(seed).take(seed), what, seed)
    got = replace(got, sound=in_noise(ear, got.sound, got.rate, seed))
    shake = next((span for span in got.spans if span.shake), None)
    beside: list[Heard] = []
    to_it: Heard | None = None
    for one in heard(ear, got):
        if to_it is None and shake is not None and shake.over(one.start_s, one.end_s) > LEAST_S:
            to_it = one
        else:
            beside.append(one)
    p = to_it.probabilities if to_it is not None else {}
    return Told(
        p.get(count, 0.0) if p else None,
        abs(max(p, key=lambda n: p[n]) - count) if p else None,
        [_done(got, one) for one in beside],
        sum(one.verdict == "sure" for one in beside),
        [span.of for span in got.spans],
        len(got.sound) / got.rate,
    )


def _done(got: Felt, one: Heard) -> str:
    middle = (one.start_s + one.end_s) / 2
    return next(
        (s.of for s in got.spans if s.start_s - SINCE_S <= middle <= s.end_s + UNTIL_S), "between acts"
    )


def most_of_none(n: int) -> float:
    """The upper end of the 95 % interval of a share when none of `n` was seen (Clopper and Pearson, 1934).

    With none seen, the data themselves give no spread."""
    return 1.0 - 0.025 ** (1 / max(1, n))


def show_handled(name: str, all_of_it: list[Told]) -> None:
    done = Counter(act for one in all_of_it for act in one.acts)
    false = Counter(act for one in all_of_it for act in one.beside)
    each = [len(one.beside) / max(1, len(one.acts)) for one in all_of_it]
    low, high = by_sessions([str(k) for k in range(len(each))], np.array(each))
    if not sum(false.values()):
        high = most_of_none(sum(done.values()))
    minutes = sum(one.seconds for one in all_of_it) / 60
    sure = sum(one.sure for one in all_of_it)
    print(
        f"{name}: {sum(done.values())} times handled in {minutes:.0f} min, {sum(false.values())} answers though nobody "
        f"shook, {sure} of them sure; {np.mean(each):.3f} ({max(0.0, low):.3f}–{high:.3f}) each time"
    )
    print("   " + ", ".join(f"{act} {false[act]} of {done[act]}" for act in ACTS), flush=True)


def show_played(name: str, alone: list[Told], played: list[Told]) -> None:
    both = [(a, b) for a, b in zip(alone, played, strict=True) if a.off is not None and b.off is not None]
    beside = Counter(act for one in played for act in one.beside)
    print(
        f"{name}: {len(played)} shakes; not answered alone {sum(a.p is None for a in alone)}, lifted and put down "
        f"{sum(b.p is None for b in played)}; answers beside them {sum(beside.values())} ({dict(beside)})"
    )
    for way, those in (("alone", [a for a, _ in both]), ("lifted and put down", [b for _, b in both])):
        off = np.array([one.off for one in those])
        nats = np.mean([math.log(max(one.p or 0.0, 1e-6)) for one in those])
        print(
            f"   {way:<20} {np.mean(off == 0):.3f} exact, {np.mean(off <= 1):.3f} within one, {nats:.3f} nats"
        )
    lost = np.array([float(a.off == 0) - float(b.off == 0) for a, b in both])
    low, high = by_sessions([str(k) for k in range(len(lost))], lost)
    if not lost.any():
        low, high = -most_of_none(len(lost)), most_of_none(len(lost))
    print(f"   exact lost {lost.mean():.3f} ({low:.3f} to {high:.3f})", flush=True)


def main() -> None:
    from joblib import Parallel, delayed

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--igloos", type=int, default=60, help="handled for 20 s, and played with once")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--ear", choices=EARS, action="append", help="by what judges; default: those that count"
    )
    options = parser.parse_args()
    seeds = range(FIRST, FIRST + options.igloos)
    for name in options.ear or SHOWN:
        got = {
            what: Parallel(options.jobs)(delayed(told)(name, what, seed) for seed in seeds)
            for what in ("handled", "shaken", "played")
        }
        show_handled(name, got["handled"])
        show_played(name, got["shaken"], got["played"])


if __name__ == "__main__":
    main()
