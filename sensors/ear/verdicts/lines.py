"""The line that reports one shake, and what the shakes before it add."""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts.drift import Lately
from sensors.ear.verdicts.reasons import RECALIBRATE, STRANGE_LATELY
from sensors.ear.verdicts.verdict import Opinion
from sensors.evidence import Heard
from sensors.why import Why


def heard(
    said: Opinion,
    source: str,
    profile: Profile,
    start_s: float,
    end_s: float,
    snr_db: float,
    clipped: bool,
) -> Heard:
    """The line of docs/contracts.md 4."""
    return Heard(
        source=source,
        start_s=start_s,
        end_s=end_s,
        verdict=said.verdict,
        probabilities=said.probabilities,
        snr_db=snr_db,
        clipped=clipped,
        profile=profile.digest,
        reason=said.reason,
        strength=said.strength,
        doubt=said.doubt,
        sensor=profile.sensor,
    )


def after(lately: Lately, said: Heard) -> Heard:
    """The report of a shake that `lately` ends with. While the last ones are strange, the next one will be too, so
    nobody is asked to repeat it."""
    if lately.drifted:
        return replace(said, verdict="unsure", reason=RECALIBRATE, doubt="sensor")
    undecided = said.doubt == "strange" and said.why is Why.COULD_BE
    return replace(said, reason=STRANGE_LATELY) if undecided and lately.strange else said
