"""Counts a shake whose neighbours shake as well, by a network that was trained in company.

The leak of neighbours into a seat's gaps can be estimated (sensors.ear.seats.neighbours), but subtracting it leaves
holes where they hit, and holes carry the count. So a separate network takes the envelopes as they are, with the
estimated leak beside them, and reads off the count. It was trained on takes of which two to four were added up as
energies (`benchmarks/learning/company_takes.py`). The profile's opinion on the shake as it is goes in as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sensors.ear.frames.frontend import Frames
from sensors.ear.models.model import blended, joined
from sensors.ear.profiles.profile import Head
from sensors.ear.seats.parted import Parted
from sensors.ear.shakes.net import net_for
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.shakes.takes import between

LEAST_LEAK = 0.01  # of a band's mean: below, nobody is there
# The weight of this network beside the profile is that of the profile's own reading, or more the closer neighbours are:
# full weight where they add a fifth to the mean. Chosen on 48 simulated tables (ear_together's, seed 777).
ALL_FROM = 0.2


def in_company_of(front: str) -> str:
    """The name in sensors/ear/shakes/nets of the company network for this front end."""
    return f"{front}-company"


def in_company(heads: Sequence[Head], shake: Shake, parted: Parted) -> dict[int, float] | None:
    """Probabilities over the counts of the profile, by those of its `heads` that share the first one's front end. None
    where nobody else is there, where this front end has no such network, or where no head gives its own network any
    weight (sensors.ear.models.reading)."""
    front, counts = heads[0].front, heads[0].model.counts
    models = [head.model for head in heads if head.front == front]
    believed = [model.reading.weight if model.reading else 0.0 for model in models]
    net = net_for(in_company_of(front.name))
    if parted.leak is None or net is None or max(believed) <= 0:
        return None
    at = front.frame_rate
    first, end = round(shake.start_s * at), round(shake.end_s * at)
    plain = Frames(parted.plain[first:end].astype(np.float32), np.zeros((0, 3), np.float32))
    take, whole = between(front, plain, 0, end - first), shake_of(front, plain)
    if take is None or whole is None:
        return None
    leak = np.log(parted.leak[first:end] + LEAST_LEAK)
    said = net.embedding(front, take.log, take.hand, beside=leak) @ net.weights["out"] + net.biases["out"]
    read = said[None, np.asarray(counts, dtype=np.intp) - 1].astype(np.float64)
    near = float(parted.leak[first:end, :-1].mean()) / ALL_FROM
    told = [
        blended(model.log_likelihood(whole.pick(model.names)[None]), read, min(1.0, max(weight, near)))
        for model, weight in zip(models, believed, strict=True)
    ]
    p = joined(told, [front.name] * len(told))[0]
    return dict(zip(counts, (float(v) for v in p), strict=True))
