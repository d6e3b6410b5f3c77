"""A shake at a seat whose neighbours shake as well, counted by a network that learned in company.

What neighbours put into a seat's gaps can be reckoned (sensors.ear.neighbours), but taking it off leaves holes where
they hit, and holes are what counts are told by. So a network of its own looks at the envelopes as they are, beside them
at what is reckoned to be others', and says the count; it was learned from takes of which two to four were added up as
energies (`benchmarks/company_takes.py`). What the profile says of the shake as it is goes in as well.
"""

from __future__ import annotations

import numpy as np

from sensors.ear.frontend import Frames
from sensors.ear.model import blended, posterior
from sensors.ear.net import net_for
from sensors.ear.profile import Head
from sensors.ear.seats import Parted
from sensors.ear.shake import Shake, shake_of
from sensors.ear.takes import between

LEAST_LEAK = 0.01  # of a band's mean: below, nobody is there
# Beside the profile this network weighs what the profile gives its own network's reading, and more the nearer
# neighbours are: all, where they add a fifth to the mean. Chosen on 48 simulated tables (ear_together's, seed 777).
ALL_FROM = 0.2


def in_company_of(front: str) -> str:
    """The name in sensors/ear/nets of the network of company beside that of this front end."""
    return f"{front}-company"


def in_company(head: Head, shake: Shake, parted: Parted) -> dict[int, float] | None:
    """Probabilities over the counts of the profile; None where nobody else is there, no network is for this front end,
    or the profile does not believe networks (sensors.ear.reading)."""
    net, model = net_for(in_company_of(head.front.name)), head.model
    if parted.leak is None or net is None or model.reading is None or model.reading.weight <= 0:
        return None
    at = head.front.frame_rate
    first, end = round(shake.start_s * at), round(shake.end_s * at)
    plain = Frames(parted.plain[first:end].astype(np.float32), np.zeros((0, 3), np.float32))
    take, whole = between(head.front, plain, 0, end - first), shake_of(head.front, plain)
    if take is None or whole is None:
        return None
    leak = np.log(parted.leak[first:end] + LEAST_LEAK)
    told = (
        net.embedding(head.front, take.log, take.hand, beside=leak) @ net.weights["out"] + net.biases["out"]
    )
    read = told[None, np.asarray(model.counts, dtype=np.intp) - 1].astype(np.float64)
    near = float(parted.leak[first:end, :-1].mean())
    weight = min(1.0, max(model.reading.weight, near / ALL_FROM))
    scores = model.log_likelihood(whole.pick(model.names)[None])
    p = posterior(blended(scores, read, weight))[0]
    return dict(zip(model.counts, (float(v) for v in p), strict=True))
