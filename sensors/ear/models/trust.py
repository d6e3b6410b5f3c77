"""How far recordings move the model that a fit starts from, by whether it will be asked about their igloos or others.

A few sittings cannot tell their people and days from their igloos; a few sets of igloos do not show how the features of
another set may differ. Experts that were fitted on eight sets alone failed on a ninth one that had another gain.
"""

from __future__ import annotations

from typing import NamedTuple

from sensors.ear.models.ridge import PENALTIES

STRONG_PENALTIES = (*PENALTIES, 100.0, 1000.0, 1e5)  # up to: nothing but the offset moves
FIRM_PENALTIES = (1000.0, 1e4, 1e5)  # hardly anything but the offset and the slope moves
LEAN_SESSIONS = 1.0  # a correction from so many sessions is believed by half
LEAN_SESSIONS_UNFELT = 3.0  # the same where nothing tells what the hand did: more of it is that hand's
LEAN_SESSIONS_OF_OFFSET = 0.5  # the same for the offset that is left after it
LEAN_DEVICES = 2.0  # what so many devices have in common is believed by half of a device that is none of them
PRIOR_DEVICES = 4.0  # what the shares and the noise of a model to start from are worth then


class Trust(NamedTuple):
    """How far each part of the model that a fit starts from may move."""

    correction: float  # so much of an expert's correction is taken
    offset: float  # and of what is left of the offset
    kept: float  # the least share of the start's own shares and noise, however many takes there are
    penalties: tuple[float, ...]  # of corrections
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
