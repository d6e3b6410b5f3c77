"""How much of a shake's hit rate the felt motion explains: the hand in seven numbers, and beads simulated with it.

    python -m benchmarks.felt_motion FOLDER

At equal N the hit rate differs from shake to shake, because people shake differently. This prints the residual standard
deviation of ln rate, with whole devices left out, given N alone, and given N with: the ear's few numbers of the hand's
motion (`hand`); what imagined beads do (`imagined`, sensors.ear.shakes.imagined); both. It is printed once more for
beads imagined in a dome held upright, with its floor in the direction of mean gravity, because the direction of the
floor is what matters. If `--plan` gives the seed of hw_mock's folder, it also prints how far the floor that is found,
by one shake or by a whole sweep, is from the true one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from benchmarks import given
from benchmarks.ear import read
from calibration.bulk import Hands, each
from calibration.recordings.folder import Recording
from calibration.takes.features import Row, hear
from hw_mock.igloo.plan import device_of
from sensors.ear.frames.frontend import FRONT_ENDS, Envelopes, join_frames
from sensors.ear.shakes import imagined
from sensors.ear.shakes.takes import cut
from sensors.ear.sources.sound_file import open_sound

Floats = npt.NDArray[np.float64]
RIDGE = 0.5
SLOWEST = FRONT_ENDS[-1]  # every accelerometer is fast enough for it


def upright(
    force: Floats,
    pushed: Floats,
    effort: imagined.Effort,
    known: imagined.Direction | None = None,
    thrown: imagined.Thrown | None = None,
) -> tuple[Floats, Floats]:
    """Replaces `sensors.ear.shakes.imagined.floors`: the floor is in the direction of mean gravity."""
    down = force[imagined.SETTLED :].mean(axis=0)
    return -down[None] / np.linalg.norm(down), np.ones(1)


def imagined_upright(recording: Recording) -> list[float]:
    with patch.object(imagined, "floors", upright):
        shake = hear(recording, SLOWEST).shake
    return of_group(shake.names, shake.values, imagined.GROUP)


def off(seed: int, recording: Recording) -> tuple[float, float]:
    """Degrees from the true floor: of the floor that is found, and of the one in the direction of mean gravity."""
    true = true_floor(seed, recording)
    file = open_sound(recording.path)
    envelopes = Envelopes(SLOWEST, file.rate, 3)
    take = cut(SLOWEST, join_frames(SLOWEST, [envelopes.push(block) for block in file.blocks()]))
    assert take is not None
    force, pushed = imagined.forces(take.felt)
    found, leaned = (
        weights @ normals
        for normals, weights in (way(force, pushed, imagined.FULL) for way in (imagined.floors, upright))
    )
    return degrees(found, true), degrees(leaned, true)


def by_sweep(heard: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """The rows of each session."""
    named = sorted(heard, key=lambda row: row.recording.occasion)
    return [(name, list(mine)) for name, mine in groupby(named, lambda row: row.recording.occasion)]


def off_in(seed: int, sweep: Sequence[Row]) -> float | None:
    """Degrees from the true floor of the one that a sweep finds; None if its takes do not agree."""
    floor = imagined.common_floor([row.shake.floor for row in sweep if row.shake.floor is not None])
    return None if floor is None else degrees(np.array(floor), true_floor(seed, sweep[0].recording))


def true_floor(seed: int, recording: Recording) -> Floats:
    assert recording.device is not None
    return np.array(device_of(seed, int(recording.device[1:]) - 1).mount.axes)[:, 2]


def degrees(one: Floats, other: Floats) -> float:
    return float(np.degrees(np.arccos(np.clip(one @ other / np.linalg.norm(one), -1, 1))))


def of_group(names: tuple[str, ...], values: Floats, group: str) -> list[float]:
    return [float(v) for n, v in zip(names, values, strict=True) if n.split(".")[0] == group]


def left(known: Floats, y: Floats, devices: npt.NDArray[np.str_]) -> float:
    """Residual standard deviation of y given `known`; each device's own mean is removed, slopes are from the others."""
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
    parser.add_argument("folder", type=given.recordings, nargs="+", help="of simulated shakes")
    parser.add_argument("--plan", type=int, metavar="SEED", help="of hw_mock's folder")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for folder in options.folder:
        heard = [r[-1] for r in read(folder, "accelerometer")]
        beads = np.log(np.array([r.recording.beads for r in heard], dtype=np.float64))
        count = np.column_stack([beads, beads**2])
        rate = np.array([sum(r.recording.more["hits"]) / r.shake.seconds for r in heard])
        hand, thrown = (
            np.array([of_group(r.shake.names, r.shake.values, group) for r in heard])
            for group in ("hand", imagined.GROUP)
        )
        if options.plan is not None:
            away = np.array(
                list(each(partial(off, options.plan), (r.recording for r in heard), Hands(options.jobs)))
            )
            found, leaned = np.median(away, axis=0)
            print(f"the floor lies {found:.0f} degrees from where it is found, {leaned:.0f} from upright")
            swept = [
                angle for _, mine in by_sweep(heard) if (angle := off_in(options.plan, mine)) is not None
            ]
            far = np.quantile(swept, 0.9) if swept else np.nan
            print(
                f"and {np.median(swept or [np.nan]):.0f} from where a sweep finds it (one in ten: {far:.0f} or more), "
                f"as {len(swept)} of {len(by_sweep(heard))} do"
            )
        level = np.array(list(each(imagined_upright, (r.recording for r in heard), Hands(options.jobs))))
        devices = np.array([r.recording.device or "" for r in heard])
        print(
            f"{folder.name}: {len(heard)} simulated shakes; spread of ln rate of hits that is left, devices left out"
        )
        known = {
            "N alone": count[:, :0],
            "N and the hand's motion": hand,
            "N, hand and beads in an upright dome": np.column_stack([hand, level]),
            "N and beads in the dome that was found": thrown,
            "N, hand and beads in the dome that was found": np.column_stack([hand, thrown]),
        }
        for name, more in known.items():
            print(f"  {name:<46} {left(np.column_stack([count, more]), np.log(rate), devices):.3f}")


if __name__ == "__main__":
    main()
