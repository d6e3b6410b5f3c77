"""What is no shake: fit the weights of `sensors.ear.likeness`, and count false shakes in minutes of table noise.

python -m benchmarks.not_a_shake                 false shakes of the shipped profiles in simulated talk, music, fans
python -m benchmarks.not_a_shake --noise FILE …  … and in sound files that hold no shake
python -m benchmarks.not_a_shake --fit           the weights anew (simulated shakes and noises alone)
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile

from hw_mock.igloo import noises
from sensors.ear import likeness
from sensors.ear.frontend import Envelopes, front_end_for
from sensors.ear.listener import Listener
from sensors.ear.profile import load_shipped
from sensors.ear.takes import cut
from sensors.evidence import Heard

RATE = 48000
PIECE_S = 2.5
KINDS = ("babble", "music", "fan", "hum", "quiet")
SHAKES = 60
Numbers = npt.NDArray[np.float64]


def terms(sound: npt.NDArray[np.float64], rate: int = RATE) -> Numbers | None:
    """Tilt, hits, evenness, strokes a second of one piece; None where nothing is in it."""
    front = front_end_for("microphone", rate)
    take = cut(front, Envelopes(front, rate, 1).push(sound.astype(np.float32)[:, None]))
    if take is None:
        return None
    strokes = len(take.strokes) / take.seconds
    return np.array([likeness.tilt_db(take), likeness.hits_a_second(take), likeness.evenness(take), strokes])


def knocks(random: np.random.Generator) -> npt.NDArray[np.float64]:
    """A few knocks on a table in `PIECE_S`."""
    out: npt.NDArray[np.float64] = 1e-3 * random.standard_normal(round(PIECE_S * RATE))
    for at in random.uniform(0.2, PIECE_S - 0.2, random.integers(1, 6)):
        n = round(0.15 * RATE)
        knock = random.standard_normal(n) * np.exp(-np.arange(n) / RATE / random.uniform(0.01, 0.04))
        start = round(at * RATE)
        out[start : start + n] += np.convolve(knock, np.ones(random.integers(2, 12)) / 4, "same")[
            : len(out) - start
        ]
    return out


def pieces() -> tuple[Numbers, Numbers]:
    """Terms of simulated shakes and of simulated noises, each float64[pieces, 4]."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    random = np.random.default_rng(0)
    shakes = []
    for seed in range(SHAKES):
        device, player = Device.draw(seed % 12), Player.draw(seed % 7).on(seed)
        taken = simulate(2 + seed % 12, device, player, seed, PIECE_S, sensors=("microphone", "contact"))
        shakes += [terms(s.astype(np.float64)) for s in (taken.sound, taken.contact) if s is not None]
    n = round(PIECE_S * RATE)
    other = [terms(knocks(random)) for _ in range(40)] + [terms(noises.voice(random, n)) for _ in range(30)]
    for kind in KINDS:
        other += [terms(noises.background(kind, random, n)) for _ in range(20)]
    return np.array([s for s in shakes if s is not None]), np.array([s for s in other if s is not None])


def fit() -> None:
    """Print weights; microphones differ, so spectra are tilted at random before."""
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(1)
    shakes, other = (np.repeat(x, 6, axis=0) for x in pieces())
    shakes[:, 0] += random.normal(-6, 6, len(shakes))
    other[:, 0] += random.normal(0, 5, len(other))
    x = np.array([likeness.evidence(*row) for row in np.concatenate([shakes, other])])
    truth = np.repeat([1, 0], [len(shakes), len(other)])
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=2000).fit(x, truth)
    print("WEIGHTS =", tuple(round(float(w), 2) for w in model.coef_[0]))
    print(
        f"INTERCEPT = {model.intercept_[0]:.2f}; told apart {model.score(x, truth):.3f} of the pieces it was fitted on"
    )


def false_shakes(name: str, sound: npt.NDArray[np.float64], rate: int) -> None:
    """Verdicts of the shipped microphone profile on sound without a shake."""
    ear = Listener(load_shipped("microphone"), rate, 1, name)
    said = [s for s in [*ear.push(sound.astype(np.float32)[:, None]), *ear.finish()] if isinstance(s, Heard)]
    verdicts = Counter(s.verdict for s in said)
    minutes = len(sound) / rate / 60
    wrong = verdicts["sure"] + verdicts["unsure"]
    print(
        f"{name:<24} {wrong} false shakes in {minutes:.1f} min, {wrong / minutes * 60:.0f} an hour; {dict(verdicts)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", action="store_true", help="fit the weights anew")
    parser.add_argument("--noise", type=Path, nargs="*", default=[], help="sound files that hold no shake")
    parser.add_argument("--minutes", type=float, default=2.0, help="of each simulated noise")
    options = parser.parse_args()
    if options.fit:
        fit()
        return
    random = np.random.default_rng(7)
    for kind in ("babble", "music", "fan"):
        parts = [
            noises.background(kind, random, 10 * RATE) * np.exp(random.normal(0, 0.5))
            for _ in range(round(options.minutes * 6))
        ]
        false_shakes(f"simulated {kind}", 0.02 * np.concatenate(parts), RATE)
    parts = [knocks(random) for _ in range(round(options.minutes * 60 / PIECE_S))]
    false_shakes("simulated knocks", 0.1 * np.concatenate(parts), RATE)
    for path in options.noise:
        sound, rate = soundfile.read(path, always_2d=True)
        false_shakes(path.name, sound.mean(axis=1), rate)


if __name__ == "__main__":
    main()
