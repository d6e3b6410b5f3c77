"""What the empty seat's two tones tell of the feet, and with them of how much everything weighs sideways today.

The ring (mass m, on a spring k) sings sideways against a base of mobility u, which bobs and rocks on its feet:
ω² = k·(1/m + u), u = Σ aⱼω²/(ω² − ωⱼ²) over the base's own tones ωⱼ. All ωⱼ² go with the stiffness of the feet, so feet
that are firmer by a share δ raise ln ω² by δ·k·Σ aⱼωⱼ²/(ω² − ωⱼ²)²: far above the ωⱼ, as 1/ω⁴. Under a load that weighs
X sideways (1 + X = ω₀²/ω²) that is (1 + X)² times as much as empty, so X changes, relative, by −2·(1 + X)·(2 + X) times
what ln ω₀ does. How firm the feet are, what the base is and what the spring is are not in it; the ωⱼ themselves make it
a little more. It is alike for all igloos of a set: by the beads it differs by a twentieth and less.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sensors.gesture.model import SetModel
from sensors.gesture.weigh import Empty

Floats = NDArray[np.float64]

# Times that, by the base's own tones: of 40 simulated seats on elastic feet that bob at 6–10 Hz, under loads of
# 12–25 g, 1.13–1.25; at 14 Hz 1.3–1.4, at 20 Hz 1.6–2.0. As weighed, on feet that creep (20 days of 10 seats), 0.9–1.1,
# and in a second simulation, which shares no code with this one (24 days of 12 seats, feet of 5.5–8 Hz), 0.9–1.6.
# Relative, standard deviation:
NEARER, NEARER_SPREAD = 1.18, 0.25
# (how often, standard deviation) of ln of the sideways tone over the upright one, beside what the feet make of it. An
# accelerometer's scatters by 0.01–0.03e-3 within a day, a disc's by no more but for one in twenty that is misread. What
# lies on the ring moves it as well (15 mg by 0.2e-3), and makes something else of the loads. How often: judgement.
# Where half is not the feet, 30 mg make 3–4 of 100 sure answers wrong on a day of which nothing else is known, and
# where nothing was asked of the tones they made 1–2; a tenth in place of half made 8.
OTHERWISE = (0.5, 6e-5), (0.5, 1e-3)


def beside(empty: Empty, known: Empty) -> float:
    """ln of how much the sideways tone rose more than the upright one: warmth and the clock move both alike."""
    return math.log(empty.sideways / known.sideways) - math.log(empty.upright / known.upright)


def a_unit(model: SetModel) -> float:
    """How much more everything of a set weighs sideways, relative, for a unit of `beside`."""
    load = float(np.median(model.stiff / model.kappa))
    return -2 * (1 + load) * (2 + load) * NEARER


def likelihood(model: SetModel, beside: float, sideways: Floats) -> Floats:
    """How likely the empty seat's tones are where everything weighs so much more sideways, but for a factor; [H]."""
    by_feet = sideways / a_unit(model)
    out: Floats = np.zeros_like(by_feet)
    for part, sd in OTHERWISE:
        wide = np.hypot(sd, NEARER_SPREAD * by_feet)
        out += part / wide * np.exp(-(((beside - by_feet) / wide) ** 2) / 2)
    return out
