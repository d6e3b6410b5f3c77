"""How far recordings move the model that a fit starts from, by whether it will be asked about their igloos or others.

A few sittings cannot tell their people and days from their igloos; a few sets of igloos do not show how the features of
another set may differ. Experts that were fitted on eight sets alone failed on a ninth one that had another gain.
"""

from __future__ import annotations

from typing import NamedTuple

from sensors.ear.models.ridge import PENALTIES

STRONG_PENALTIES = (*PENALTIES, 100.0, 1000.0, 1e5)  # up to where only the offset moves
FIRM_PENALTIES = (1000.0, 1e4, 1e5)  # hardly more than the offset and the slope moves
LEAN_SESSIONS = 1.0  # sessions at which a correction is taken by half
# the same where nothing measures the hand: then more of the correction is due to that hand
LEAN_SESSIONS_UNFELT = 3.0
LEAN_SESSIONS_OF_OFFSET = 0.5  # the same for the remaining offset
# recorded devices at which a correction is taken by half for a device that is none of them
LEAN_DEVICES = 2.0
PRIOR_DEVICES = 4.0  # the weight, in devices, of the start's shares and noise in that case


class Trust(NamedTuple):
    """How far each part of the model that a fit starts from may move."""

    correction: float  # the part of an expert's correction that is taken
    offset: float  # the part of the remaining offset that is taken
    kept: float  # the least weight of the start's own shares and noise, however many takes there are
    penalties: tuple[float, ...]  # for the corrections
    fresh: bool  # may experts be fitted on these recordings alone?


def trust_of_these(occasions: int, felt: bool) -> Trust:
    """The model will be asked about the igloos that were recorded. Much of a correction learned from few `occasions`
    belongs to their people and days. `felt`: the features include the hand's own motion."""
    few = LEAN_SESSIONS if felt else LEAN_SESSIONS_UNFELT
    offset = occasions / (occasions + LEAN_SESSIONS_OF_OFFSET)
    return Trust(occasions / (occasions + few), offset, 0.0, STRONG_PENALTIES, True)


def trust_of_strangers(devices: int) -> Trust:
    """The model will be asked about igloos other than those of the `devices` recorded sets."""
    common = devices / (devices + LEAN_DEVICES)
    return Trust(common, common, PRIOR_DEVICES / (PRIOR_DEVICES + devices), FIRM_PENALTIES, False)
