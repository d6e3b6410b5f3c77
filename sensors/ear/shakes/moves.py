"""Features of named gestures with an igloo in the hand: a knock, a stroke and a stop, a swirl, a roll.

The ear's own features describe a shake of many strokes. A gesture is one blow, or a few with pauses, so features of
single blows are added here (`blow`). The shell strikes first, the beads a moment later. The features say how the energy
is spread over the milliseconds after the blow, how late its median is, how many hits stand out, how fast it decays;
and, on a sensor that is fixed to the shell, how much follows a blow of a given strength (`size`, and `throw`, which
needs the hand).
"""

from __future__ import annotations

import numpy as np

from sensors.ear.frames.frontend import GRAVITY, HAND_RATE, Floats, Frames, FrontEnd
from sensors.ear.shakes.band_features import Features, rise_frames
from sensors.ear.shakes.features import features_of, strength
from sensors.ear.shakes.shake import Shake
from sensors.ear.shakes.takes import Take, between, trim

MOVE_SILENCE_S = 1.2  # blows of one gesture are closer together than this
LEAD_S = 0.05  # kept before the loud part
LEAST_MOVE_S = 0.6  # a knock's ring and its beads' last hops
EDGES_MS = (0, 2, 4, 8, 16, 32, 64, 128, 256)
BLOW_S = 0.3
ONSET = 0.05  # of the blow's peak
_NAMES: dict[str, tuple[str, ...]] = {}


def move_of(front: FrontEnd, frames: Frames) -> Shake | None:
    """Measure a recording of one gesture; None where it holds nothing."""
    wide = frames.energy[:, -1]
    first, end = trim(wide, front.frame_rate)
    if end == first:
        return None
    first = max(0, first - round(LEAD_S * front.frame_rate))
    end = min(len(wide), max(end, first + round(LEAST_MOVE_S * front.frame_rate)))
    first = max(0, min(first, end - round(LEAST_MOVE_S * front.frame_rate)))
    take = between(front, frames, first, end)
    if take is None:
        return None
    features = features_of(take) | blows(take)
    names = _NAMES.setdefault(front.name, tuple(features))
    values = np.fromiter(features.values(), dtype=np.float64, count=len(features))
    at = front.frame_rate
    return Shake(front, names, values, strength(take), len(take.strokes), first / at, end / at)


def blows(take: Take) -> Features:
    """What follows a blow, the median over all blows of the gesture. Independent of gain except for `size` and
    `throw`."""
    rows = [_blow(take, start) for start in _starts(take)]
    middle = np.median(np.array([list(row.values()) for row in rows]), axis=0)
    return dict(zip(rows[0], (float(v) for v in middle), strict=True))


def _starts(take: Take) -> list[int]:
    """The frame at which each blow begins."""
    wide, rate = take.raw[:, -1], take.rate
    out: list[int] = []
    for stroke in take.strokes if len(take.strokes) else [int(np.argmax(wide))]:
        low, high = max(0, stroke - round(0.08 * rate)), min(len(wide), stroke + round(0.08 * rate))
        near = wide[low:high]
        start = low + int(np.flatnonzero(near > ONSET * near.max())[0])
        if not out or start - out[-1] > 0.1 * rate:
            out.append(start)
    return out


def _blow(take: Take, start: int) -> Features:
    rate, wide = take.rate, take.raw[:, -1]
    after = wide[start : start + round(BLOW_S * rate)]
    quiet = float(np.quantile(wide, 0.05))
    after = np.maximum(after - 2 * quiet, 0.0)
    total = float(after.sum()) + 1e-12
    edges = np.minimum(np.round(np.array(EDGES_MS) * rate / 1000).astype(int), len(after))
    running = np.concatenate([[0.0], np.cumsum(after)])
    inside = np.diff(running[edges]) / total
    share = running / total
    late = [float(np.searchsorted(share, q)) / rate for q in (0.25, 0.5, 0.75, 0.9)]
    root = np.sqrt(after)
    k = rise_frames(rate)
    log = np.log(after + 0.002 * after.max() + 1e-12)
    rise = log[k:] - log[:-k]
    hits = (
        (rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:]) & (rise[1:-1] > 0.8)
        if len(rise) > 2
        else np.zeros(1)
    )
    out: Features = {
        f"blow.share_{ms}": float(np.log(v + 1e-3)) for ms, v in zip(EDGES_MS[1:], inside, strict=True)
    }
    out |= {f"blow.late_{i}": float(np.log(v + 1e-3)) for i, v in enumerate(late)}
    out["blow.participation"] = float(np.log(root.sum() ** 2 / (len(root) * total)))
    out["blow.hits"] = float(np.log(hits.sum() + 0.5))
    out["blow.crest"] = float(np.log(after.max() * len(after) / total))
    out["size.blow"] = float(np.log(total))
    out["size.after"] = float(np.log(running[-1] - running[edges[2]] + 1e-9 * total + 1e-12))
    out |= _throw(take, start, total)
    return out


def _throw(take: Take, start: int, total: float) -> Features:
    """The hand's change of velocity at the blow, and the energy that follows relative to its square: proportional to
    N·m/M."""
    if not take.front.hand:
        return {}
    at = round(start / take.rate * HAND_RATE)
    hand: Floats = take.hand[max(0, at - 10) : at + 15].astype(np.float64)
    if len(hand) < 3:
        return {"throw.speed": 0.0, "throw.ratio": 0.0}
    speed = np.cumsum(hand, axis=0) / HAND_RATE * GRAVITY
    change = float(np.linalg.norm(speed.max(axis=0) - speed.min(axis=0))) + 1e-3
    return {
        "throw.speed": float(np.log(change)),
        "throw.ratio": float(np.log(total)) - 2 * float(np.log(change)),
    }
