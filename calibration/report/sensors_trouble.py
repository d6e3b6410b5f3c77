"""Sentences for a maker about takes that were too loud or too soft for the sensor."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.takes.features import Row
from calibration.words import many
from sensors.ear.frames.frontend import Sensor
from sensors.ear.verdicts.mends import FIRMLY, mends_of


def sensors_trouble(takes: Sequence[Row], sensor: Sensor, on_shell: bool) -> list[str]:
    """The number of takes too loud or too soft for the sensor, and the remedy for its kind."""
    out, mends = [], mends_of(sensor, on_shell)
    overdriven = sum(t.clipped for t in takes)
    if overdriven > 0.05 * len(takes):
        out.append(
            f"{many(overdriven, 'take is', 'takes are')} overdriven: "
            + (
                f"{mends.quieter}, or shake more gently"
                if on_shell
                else f"{mends.quieter} or move the microphone away"
            )
        )
    drowned = sum(t.snr_db < 10 for t in takes)
    if drowned > 0.1 * len(takes):
        out.append(
            f"{many(drowned, 'take is', 'takes are')} hardly above the background: "
            + (
                f"{FIRMLY}, and shake a little harder"
                if on_shell
                else "bring the sensor nearer, best onto the shell"
            )
        )
    return out
