"""The guided counting gesture on the page: what to do now, how many times more, and how hard the last tap was."""

from __future__ import annotations

from html import escape

from sensors.evidence import Heard
from sensors.gesture.coach import Advice
from table.desk.said import spoken
from table.page import ear_panel
from table.page.sentences import sentences
from table.page.texts import Texts


class Standing:
    """The answer that is still valid at the seat: until the next gesture begins, which is for another igloo."""

    def __init__(self) -> None:
        self._answer: Heard | None = None
        self._advice: Advice | None = None
        self._over = False

    def of(self, answer: Heard | None, advice: Advice | None) -> Heard | None:
        """The answer to show, from the last answer and the present advice. Call it at every change."""
        if answer is not self._answer:
            self._answer, self._advice, self._over = answer, None, False
        before, self._advice = self._advice, advice
        if before is not None and advice is None and not before.stands:
            self._over = True  # the seat is away: what was hidden stays hidden
        if before is not None and advice is not None and advice != before:
            # a tap after the seat was emptied, or another igloo in the place of the counted one
            gone = before.done == 0 or 0 < advice.done < before.done or (before.stands and not advice.stands)
            self._over = self._over or gone
        # an answer may come with the next igloo's first tap, for an igloo that was not set down three times
        return None if self._over or (advice is not None and not advice.stands) else self._answer


def told(answer: Heard | None, open_: bool, texts: Texts) -> str:
    """What the seat counted, or why it could not; `open_`: counts may be named."""
    if answer is None:
        return ""
    reason = answer.reason
    why = "" if reason is None else escape(spoken(sentences(texts.language)(reason)))
    if answer.why.nothing_weighed:  # the reason replaces the bars
        return f'<p class="says refused" data-part=counted>{why}</p>'
    if not open_ or not answer.probabilities:
        return ""
    more = f"<p>{why}</p>" if why else ""
    return ear_panel.bars(answer.probabilities, answer.verdict, texts) + more


def steps(advice: Advice, texts: Texts) -> str:
    """The advice as a sentence, a row of placings (finished ones are ticked, also in words), and the last tap's
    gauge."""
    fault = texts[f"taps.fault_{_key(advice.fault)}"] + " " if advice.fault else ""
    words = escape(fault + texts[f"taps.step_{_key(advice.step)}"])
    tone = "refused" if advice.fault else "over" if advice.step == "lift-off" else "told"
    row = "".join(
        f'<span class="{"done" if k < advice.done else "open"}">{"✓" if k < advice.done else k + 1}</span>'
        for k in range(advice.wanted)
    )
    told = escape(texts("taps.done", done=advice.done, wanted=advice.wanted))
    return (
        f'<p class="says {tone}" data-part=taps>{words}</p>'
        f'<p class="placings" role="img" aria-label="{told}">{row}</p>{gauge(advice.level, texts)}'
    )


def gauge(level: float | None, texts: Texts) -> str:
    """How hard the last tap was; 0 to 1 is the target band."""
    label = texts["coach.none"] if level is None else texts[f"coach.{_band(level)}"]
    needle = ""
    if level is not None:
        x = 75 + 150 * max(-0.45, min(1.45, level))
        needle = f'<path d="M{x:.1f} 30l-11 -24h22z" class="needle"/>'
    return (
        f'<svg viewBox="0 0 300 66" class="gauge" role="img" aria-label="{escape(texts["taps.tap"])}: {escape(label)}">'
        f'<rect x="0" y="30" width="300" height="14" rx="7" class="unlit"/>'
        f'<rect x="75" y="26" width="150" height="22" rx="7" class="inband"/>{needle}'
        f'<text x="0" y="64" class="tiny">{escape(texts["coach.gentle"])}</text>'
        f'<text x="150" y="64" text-anchor="middle" class="tiny">{escape(texts["coach.good"])}</text>'
        f'<text x="300" y="64" text-anchor="end" class="tiny">{escape(texts["coach.hard"])}</text></svg>'
    )


def _band(level: float) -> str:
    return "gentle" if level < 0 else "hard" if level > 1 else "good"


def _key(name: str | None) -> str:
    return (name or "").replace("-", "_")
