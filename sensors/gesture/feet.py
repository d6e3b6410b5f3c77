"""What the empty seat's two tones say about the feet, and so about how much heavier all loads are sideways today.

The ring (mass m, on a spring k) vibrates sideways against a base of mobility u, which bobs and rocks on its feet: ω² =
k·(1/m + u), u = Σ aⱼω²/(ω² − ωⱼ²) over the base's own modes ωⱼ. All ωⱼ² are proportional to the stiffness of the feet,
so feet that are firmer by a share δ raise ln ω² by δ·k·Σ aⱼωⱼ²/(ω² − ωⱼ²)²: far above the ωⱼ, this falls as 1/ω⁴. Under
a load that weighs X sideways (1 + X = ω₀²/ω²) it is (1 + X)² times as much as empty, so the relative change of X is
−2·(1 + X)·(2 + X) times the change of ln ω₀. Firmness of the feet, base and spring cancel; the ωⱼ themselves make it
slightly larger. It is the same for all igloos of a set: the beads change it by a twentieth at most.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.model import SetModel
from sensors.gesture.weigh import Empty

Floats = NDArray[np.float64]

# A factor on that, from the base's own modes: 1.13–1.25 for 40 simulated seats on elastic feet that bob at 6–10 Hz,
# under loads of 12–25 g; 1.3–1.4 at 14 Hz, 1.6–2.0 at 20 Hz. As weighed, on feet that creep (20 days of 10 seats),
# 0.9–1.1, and in a second simulation, which shares no code with this one (24 days of 12 seats, feet of 5.5–8 Hz),
# 0.9–1.6. The second number is the relative standard deviation.
NEARER, NEARER_SPREAD = 1.18, 0.25
# Mixture (weight, standard deviation) of the error of ln of the sideways tone over the upright one, beside the effect
# of the feet. An accelerometer scatters by 0.01–0.03e-3 within a day, a disc by no more, except that one in twenty is
# misread. A mass on the ring moves it as well (15 mg by 0.2e-3), with another effect on the loads. The weights are a
# judgement. With one half for what is not the feet, 30 mg make 3–4 of 100 sure answers wrong on a day of which nothing
# else is known; they made 1–2 where the tones were not used, and 8 with a tenth in place of the half.
OTHERWISE = (0.5, 6e-5), (0.5, 1e-3)


def beside(empty: Empty, known: Empty) -> float:
    """ln of how much more the sideways tone rose than the upright one; temperature and clock move both alike."""
    return math.log(empty.sideways / known.sideways) - math.log(empty.upright / known.upright)


def a_unit(model: SetModel) -> float:
    """The relative increase of all sideways loads of a set for each unit of `beside`."""
    load = float(np.median(model.stiff / model.kappa))
    return -2 * (1 + load) * (2 + load) * NEARER


def likelihood(model: SetModel, beside: float, sideways: Floats) -> Floats:
    """The likelihood of the empty seat's tones for each relative increase of the sideways loads, up to a factor;
    [H]."""
    by_feet = sideways / a_unit(model)
    each = []
    for part, sd in OTHERWISE:
        wide = np.hypot(sd, NEARER_SPREAD * by_feet)
        each.append(np.log(part / wide) - ((beside - by_feet) / wide) ** 2 / 2)
    log = np.logaddexp.reduce(each)
    # relative to the likeliest: tones far from what any feet do would leave zeros alone
    out: Floats = np.exp(log - log.max())
    return out
