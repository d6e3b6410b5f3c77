"""Would it help to simulate the beads under the motion that the accelerometer felt? How much of the hits it explains.

    python -m benchmarks.other_world --out FOLDER --devices 8 --players 4 --seed 1
    python -m benchmarks.felt_motion FOLDER

From one shake to the next, at equal N, the rate of hits differs: people shake differently. Printed is the spread of ln
rate that is left when whole devices are left out, knowing N alone, and also: the ear's few numbers of the hand's motion
(`hand`); hits, blows and energies of hard spheres that were moved as the sensor was, for 16 that do not touch each
other, 4 and 10 that do; and both. What a likelihood by simulation could add is the gain of the last over the second.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.io import wavfile
from scipy.signal import butter, sosfiltfilt

from benchmarks.ear import read

Floats = npt.NDArray[np.float64]
STEP_S = 1e-4
RADIUS, BEAD = 0.023, 0.0028  # m, of a middling igloo: nobody knows the one that is shaken
BOUNCE, FRICTION = (0.65, 0.85), 0.2
HEARD = 0.03  # m/s: slower hits are not counted, as in the other world's lists
TRIED = ((16, False), (4, True), (10, True))  # beads, and whether they touch each other
RIDGE = 0.5


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _rebound(v: Floats, normal: Floats, bounce: float, friction: float) -> float:
    """Turn the velocity back at a wall whose inward normal is given; how fast it came, 0 if it did not."""
    closing = -(v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2])
    if closing <= 0:
        return 0.0
    back = bounce if closing > 0.05 else 0.0
    slip = v + closing * normal
    speed = np.sqrt((slip * slip).sum()) + 1e-9
    v += (1 + back) * closing * normal - min(friction * (1 + back) * closing, speed * 2 / 7) * slip / speed
    return float(closing)


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def hits(felt: Floats, rate: float, beads: int, touching: bool, floor: Floats) -> Floats:
    """Hits on the wall a second, on beads a second, mean square and mean speed on the wall, of hard spheres in a dome
    that feels `felt`, float64[n, 3] in m/s² (acceleration less gravity), on the floor whose normal is `floor`."""
    np.random.seed(1)
    at, v = np.zeros((beads, 3)), np.zeros((beads, 3))
    for i in range(beads):
        while True:
            at[i] = np.random.uniform(-RADIUS, RADIUS, 3)
            if (at[i] ** 2).sum() < (RADIUS - BEAD) ** 2 and (at[i] * floor).sum() > BEAD:
                break
    steps = int((len(felt) - 2) / rate / STEP_S)
    walls = pairs = squares = speeds = 0.0
    for s in range(steps):
        t = s * STEP_S * rate
        m = int(t)
        pull = -(felt[m] + (t - m) * (felt[m + 1] - felt[m]))
        for i in range(beads):
            v[i] += pull * STEP_S
            at[i] += v[i] * STEP_S
            far = np.sqrt((at[i] ** 2).sum())
            low = BEAD - (at[i] * floor).sum()
            for side in range(2):
                if (far > RADIUS - BEAD) if side == 0 else (low > 0):
                    normal = -at[i] / far if side == 0 else floor
                    closing = _rebound(v[i], normal, BOUNCE[0], FRICTION)
                    at[i] += normal * ((far - RADIUS + BEAD) if side == 0 else low)
                    if closing > HEARD:
                        walls += 1
                        squares += closing**2
                        speeds += closing
        if touching:
            for i in range(beads):
                for j in range(i):
                    apart = at[i] - at[j]
                    far = np.sqrt((apart**2).sum())
                    if 0 < far < 2 * BEAD:
                        closing = ((v[j] - v[i]) * apart).sum() / far
                        if closing > 0:
                            pairs += closing > HEARD
                            blow = 0.5 * (1 + (BOUNCE[1] if closing > 0.05 else 0.0)) * closing / far
                            v[i] += blow * apart
                            v[j] -= blow * apart
                        at[i] += apart * (0.5 * (2 * BEAD - far) / far)
                        at[j] -= apart * (0.5 * (2 * BEAD - far) / far)
    seconds = steps * STEP_S
    return np.array([walls, pairs, squares / beads, speeds / beads]) / seconds


def simulated(path: Path) -> Floats:
    """ln of what spheres do under the motion in this recording."""
    rate, samples = wavfile.read(path)
    slow = sosfiltfilt(butter(2, 22, fs=rate, output="sos"), samples.astype(np.float64), axis=0) * 9.81
    edge = round(0.16 * rate)
    felt = np.ascontiguousarray(slow[edge:-edge])
    up = felt.mean(axis=0)
    up /= np.linalg.norm(up)
    return np.log(np.concatenate([hits(felt, rate, n, touching, up) for n, touching in TRIED]) + 1e-6)


def left(known: Floats, y: Floats, devices: npt.NDArray[np.str_]) -> float:
    """Standard deviation of y that `known` leaves, each device's own mean apart, slopes from the other devices."""
    x, y = known.copy(), y.copy()
    for device in np.unique(devices):
        mine = devices == device
        x[mine] -= x[mine].mean(axis=0)
        y[mine] -= y[mine].mean()
    rest = np.empty(len(y))
    for device in np.unique(devices):
        out = devices == device
        spread = x[~out].std(axis=0) + 1e-9
        a = x[~out] / spread
        slopes = np.linalg.solve(a.T @ a + RIDGE * np.eye(a.shape[1]), a.T @ y[~out])
        rest[out] = y[out] - (x[out] / spread) @ slopes
    return float(rest.std())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="+", help="of benchmarks.other_world")
    for folder in parser.parse_args().folder:
        # the slowest front end: every accelerometer fills it
        heard = [r[-1] for r in read(folder, "accelerometer")]
        beads = np.log(np.array([r.recording.beads for r in heard], dtype=np.float64))
        count = np.column_stack([beads, beads**2])
        rate = np.array([sum(r.recording.more["hits"]) / r.shake.seconds for r in heard])
        hand = np.array([[v for n, v in zip(r.shake.names, r.shake.values, strict=True) if n.startswith("hand.")]
                         for r in heard])  # fmt: skip
        told = np.array([simulated(r.recording.path) for r in heard])
        devices = np.array([r.recording.device or "" for r in heard])
        print(
            f"{folder.name}: {len(heard)} simulated shakes; spread of ln rate of hits that is left, devices left out"
        )
        known = {
            "N alone": count[:, :0],
            "N and the hand's motion": hand,
            "N and spheres moved as it was": told,
            "all of it": np.column_stack([hand, told]),
        }
        for name, more in known.items():
            print(f"  {name:<32} {left(np.column_stack([count, more]), np.log(rate), devices):.2f}")


if __name__ == "__main__":
    main()
