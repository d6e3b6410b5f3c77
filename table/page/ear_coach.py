"""The live coach of a shake: its strength beside the band in which counting works, and the ear's advice."""

from __future__ import annotations

import math
from html import escape

from sensors.ear.verdicts.no_shake import DROWNED_DB, SHORT_S
from sensors.evidence import Heard
from sensors.why import Why
from table.desk.said import spoken
from table.page.sentences import sentences
from table.page.texts import Texts

Band = tuple[float, float]
LEAST, MOST = 0.125, 6.0  # the ends of the scale; 1.0 is the middle of the profile's band
USUAL: Band = (0.3, 2.2)  # if no profile gives its own
_NEEDLE = '<svg x="{:.1%}" class="needle"><path d="M0 30l-11 -24h22z"/></svg>'


def of_sound(heard: Heard | None, open_: bool = False) -> str | None:
    """The ear's reason if the sound itself is bad, so that no count can be trusted; else None.

    The reasons: drowned, overdriven, several igloos at once, unlike any igloo, unlike the profile. They reveal nothing
    of the count. If counts may be named (`open_`), also that it is beyond all counts of the profile.
    """
    if heard is None or heard.verdict == "not-a-shake" or heard.why is Why.COULD_BE or heard.why.by_hand:
        return None
    return heard.reason if open_ or not heard.why.tells_count else None


def quality_of(strength: float | None, band: Band | None) -> str:
    """The key of the advice for a shake of that strength; `band`: where `strength` counts by the profile in use."""
    low, high = band or USUAL
    if strength is None:
        return "quality_unknown"
    if strength < low:
        return "gentle"
    return "hard" if strength > high else "good"


def gauge(strength: float | None, band: Band | None, texts: Texts) -> str:
    """A scale with the target band and a needle at the present strength; also in words."""
    low, high = (_share(end) for end in band or USUAL)
    middle = f'x="{(low + high) / 2:.1%}" y="64" text-anchor="middle"'
    quality = texts[f"ear.{quality_of(strength, band)}"]
    label = f"{texts['coach.strength']}: {quality or texts['coach.none']}"
    needle = "" if strength is None else _NEEDLE.format(_share(strength))
    # in percent of the width: as wide as the meters beside it, with needle and words of one size everywhere
    return (
        f'<svg class="gauge" role="img" aria-label="{escape(label)}">'
        f'<rect x="0" y="30" width="100%" height="14" rx="7" class="unlit"/>'
        f'<rect x="{low:.1%}" y="26" width="{high - low:.1%}" height="22" rx="7" class="inband"/>{needle}'
        f'<text x="0" y="64" class="tiny">{escape(texts["coach.gentle"])}</text>'
        f'<text {middle} class="tiny middle">{escape(texts["coach.good"])}</text>'
        f'<text x="100%" y="64" text-anchor="end" class="tiny">{escape(texts["coach.hard"])}</text></svg>'
    )


def advice(
    heard: Heard | None, band: Band | None, texts: Texts, open_: bool = False, felt: bool = False
) -> str:
    """What to do better next time: the ear's own reason, if it gives one.

    `open_`: counts may be named. `felt`: the igloos carry their sensors, so the advice does not mention a microphone.
    """
    if heard is None:
        return texts["coach.shake_felt" if felt else "coach.shake"]
    reason = heard.reason
    if reason is not None and (open_ or not reason.why.tells_count):
        said = spoken(sentences(texts.language)(reason))
        no_shake = heard.verdict == "not-a-shake" and not reason.why.elsewhere
        return f"{texts['coach.no_shake']} {said}" if no_shake else said
    if heard.clipped:
        return texts["coach.clipped"]
    if heard.verdict == "not-a-shake":
        return texts["coach.no_shake"]
    quality = quality_of(heard.strength, band)
    if quality in ("gentle", "hard"):
        return texts[f"coach.too_{quality}"]
    if heard.snr_db < DROWNED_DB:
        return texts["coach.drowned"]
    if heard.end_s - heard.start_s < SHORT_S:
        return texts["coach.short"]
    return texts["coach.well"]


def _share(strength: float) -> float:
    """The place of a strength on the scale, 0 to 1."""
    return math.log(max(LEAST, min(MOST, strength)) / LEAST) / math.log(MOST / LEAST)
