"""Detection of shakes among other sounds: false shakes per hour, and true ones that are missed.

    python -m benchmarks.not_a_shake                 the shipped microphone profile in noises, and with true shakes
    python -m benchmarks.not_a_shake --noise FILE …  … and in sound files that hold no shake
    python -m benchmarks.not_a_shake --takes FOLDER  … and true shakes of a folder of recordings, of another world

Noises are the table noise of hw_mock, and `other_noises` (synthetic speech, clatter). The ear has learned from both,
but from other pieces (`benchmarks/learning/make_likeness.py` prints how it judges kinds it has not met). All but
`table` continue without a pause: an hour of them is an hour of somebody clattering beside the microphone.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile

from benchmarks import given
from benchmarks.kept import kept
from benchmarks.worlds.other_noises import NOISES
from calibration.scores import by_sessions
from hw_mock.igloo import microphone, noises
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.room import Room, through
from hw_mock.igloo.shake import simulate
from hw_mock.igloo.table_noise import table_noise, thump
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard

RATE = 48000
PIECE_S = 2.5
GENTLE, HARD = 0.45, 1.5  # multiples of a player's own strength
Sound = npt.NDArray[np.float64]


def knocks(random: np.random.Generator, n: int) -> Sound:
    """A few knocks on a table."""
    out: Sound = 1e-3 * random.standard_normal(n)
    for at in random.integers(n // 12, n - n // 12, random.integers(1, 6)):
        blow = thump(random, min(n - at, RATE // 5))
        out[at : at + len(blow)] += random.uniform(0.2, 1.0) * blow
    return out


def in_a_room(sound: Sound, random: np.random.Generator) -> Sound:
    """The sound at a microphone from somewhere at the table, RMS 0.05, with a quiet background."""
    room = Room.draw(int(random.integers(2**31)))
    response = room.response(int(random.integers(2**31)), float(random.uniform(0.3, 1.5)))
    heard = noises.unit(through(response, sound, sound))
    heard = heard + 10 ** (random.uniform(-45, -20) / 20) * noises.pink(random, len(heard))
    heard = microphone.hear(heard, microphone.air_response(int(random.integers(2**31))), random, -200.0)
    return 0.05 * noises.unit(heard)


def shaken(seed: int, strength: float) -> tuple[Sound, Sound]:
    """One simulated shake at a microphone in the room and at one on the shell."""
    device, player = Device.draw(seed % 24), Player.draw(seed % 16).on(seed)
    player = replace(player, strength_g=strength * player.strength_g)
    taken = simulate(2 + seed % 12, device, player, seed, PIECE_S, sensors=("microphone", "contact"))
    assert taken.sound is not None
    assert taken.contact is not None
    return taken.sound.astype(np.float64), taken.contact.astype(np.float64)


def verdicts(pieces: Iterator[Sound], rate: float = RATE) -> tuple[list[int], list[int], float, Counter[str]]:
    """False shakes in each piece (all, and sure ones), minutes, and why the other sounds were rejected."""
    false, sure, seconds = [], [], 0.0
    why: Counter[str] = Counter()
    for sound in pieces:
        ear = Listener(load_shipped("microphone"), rate, 1, "noise")
        said = [*ear.push(sound.astype(np.float32)[:, None]), *ear.finish()]
        heard = [s for s in said if isinstance(s, Heard)]
        false.append(sum(s.verdict != "not-a-shake" for s in heard))
        sure.append(sum(s.verdict == "sure" for s in heard))
        why.update((s.reason or "sure").split(":")[0] for s in heard if s.verdict != "not-a-shake")
        seconds += len(sound) / rate
    return false, sure, seconds / 60, why


def show(name: str, pieces: Iterator[Sound], rate: float = RATE) -> None:
    false, sure, minutes, why = verdicts(pieces, rate)
    hourly = np.array(false) * 60 / (minutes / len(false))
    low, high = by_sessions([str(k) for k in range(len(false))], hourly)
    low = max(0.0, low)
    if not sum(false):  # equal pieces give no spread: take the counts as a Poisson process
        high = -math.log(0.025) * 60 / minutes
    reasons = ", ".join(f"{count} {reason}" for reason, count in why.most_common(3))
    print(
        f"{name:<34} {hourly.mean():6.1f} false shakes an hour ({low:.0f}–{high:.0f}), {sum(sure)} of them sure; "
        f"{minutes:.0f} min{'; ' + reasons if reasons else ''}",
        flush=True,
    )


def table(seed: int, minutes: float) -> Iterator[Sound]:
    for k in range(max(2, round(minutes / 2))):
        parts = [piece for piece, _ in table_noise(seed + k, 60 * minutes / max(2, round(minutes / 2)))]
        yield np.concatenate(parts).astype(np.float64)


def clatter(family: str, minutes: float) -> Iterator[Sound]:
    for k in range(max(2, round(minutes * 3))):
        random = np.random.default_rng([k, len(family), 99])
        yield np.clip(random.uniform(0.4, 3.0) * in_a_room(NOISES[family](random, 20.0), random), -1, 1)


def missed(strength: float, count: int) -> None:
    """Print how many true shakes are missed."""
    name = {GENTLE: "gentle", 1.0: "usual", HARD: "hard"}[strength]
    for k, place in enumerate(("across the table", "on the shell")):
        profile = load_shipped(("microphone", "contact")[k])
        none = 0
        for seed in range(5000, 5000 + count):
            sound = shaken(seed, strength)[k]
            ear = Listener(profile, RATE, 1, "shake")
            said = [*ear.push(sound.astype(np.float32)[:, None]), *ear.finish()]
            none += not any(isinstance(s, Heard) and s.verdict != "not-a-shake" for s in said)
        print(f"true shakes missed, {name}, microphone {place}: {none} of {count}", flush=True)


def of_folder(folder: Path, most: int) -> None:
    """Print how many recorded shakes are missed when their files are listened to."""
    for kind in ("microphone", "contact"):
        rows = [r for r in kept(folder, print) if r.kind == kind]
        if not rows:
            continue
        profile, none = load_shipped(kind), 0
        drawn = np.random.default_rng(0).permutation(len(rows))[:most]
        for row in (rows[i] for i in drawn):
            sound, rate = soundfile.read(row.folder / row.file, dtype="float32", always_2d=True)
            ear = Listener(profile, rate, sound.shape[1], "shake")
            said = [*ear.push(sound), *ear.finish()]
            none += not any(isinstance(s, Heard) and s.verdict != "not-a-shake" for s in said)
        print(f"true shakes missed, {folder.name}, {kind}: {none} of {len(drawn)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--noise", type=given.file, nargs="*", default=[], help="sound files that hold no shake"
    )
    parser.add_argument(
        "--takes", type=given.recordings, nargs="*", default=[], help="folders of recordings of true shakes"
    )
    parser.add_argument(
        "--minutes", type=float, default=2.0, help="of each clatter; of table noise ten times that"
    )
    parser.add_argument("--shakes", type=int, default=24, help="true shakes of each strength")
    options = parser.parse_args()
    show("table noise (hw_mock)", table(700, 10 * options.minutes))
    for family in NOISES:
        try:
            show(f"{family}, without a pause", clatter(family, options.minutes))
        except FileNotFoundError as error:
            print(f"{family}: left out ({error})")
    for path in options.noise:
        sound, rate = soundfile.read(path, always_2d=True)
        show(path.name, iter(np.array_split(sound.mean(axis=1), max(2, len(sound) // (60 * rate)))), rate)
    for strength in (GENTLE, 1.0, HARD):
        missed(strength, options.shakes)
    for folder in options.takes:
        of_folder(folder, 4 * options.shakes)


if __name__ == "__main__":
    main()
