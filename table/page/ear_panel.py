"""The ear's view of a shake in progress: level, spectrum, and the probabilities growing bar by bar.

Only for the demo, the trainer and calibration: during a game the page shows only level and quality
(docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from sensors.evidence import COUNTS
from table.page.texts import Texts

_FLOOR_DB = -72.0
_STILL_DB = -100.0  # no microphone in a room is that quiet


def level(db: float | None, texts: Texts) -> str:
    """A level meter; `ear_coach.gauge` shows how hard to shake."""
    share = 0.0 if db is None else max(0.0, min(1.0, 1 - db / _FLOOR_DB))
    still = db is None or db <= _STILL_DB
    words = texts["ear.silence"] if still else texts("ear.level_db", db=round(db or 0.0))
    lit = round(share * 24)
    bars = "".join(
        f'<rect x="{i * 25}" y="{18 - i * 0.6:.1f}" width="19" height="{14 + i * 1.2:.1f}" rx="4" '
        f'class="{"lit" if i < lit else "unlit"}"/>'
        for i in range(24)
    )
    label = f"{texts['ear.level']}: {words}"
    return (
        f'<svg viewBox="0 0 600 46" class="level" role="img" aria-label="{escape(label)}">{bars}</svg>'
        f'<p class="small">{escape(words)}</p>'
    )


def spectrum(bands_db: Sequence[float] | None, texts: Texts) -> str:
    """The spectrum as columns; `bands_db` relative to full scale, low frequencies first."""
    values = list(bands_db or [])
    width = 600 / max(1, len(values))
    columns = []
    for index, db in enumerate(values):
        height = 116 * max(0.012, min(1.0, 1 - (db + 20) / (_FLOOR_DB - 30)))
        columns.append(
            f'<rect x="{index * width + 1:.1f}" y="{120 - height:.1f}" '
            f'width="{width - 2:.1f}" height="{height:.1f}" rx="2"/>'
        )
    return (
        f'<svg viewBox="0 0 600 156" class="spectrum" role="img" aria-label="{escape(texts["ear.spectrum"])}">'
        f'<line x1="0" y1="121" x2="600" y2="121" class="axis"/>{"".join(columns)}'
        f'<text x="0" y="152" class="tiny">200 Hz</text>'
        f'<text x="600" y="152" text-anchor="end" class="tiny">20 kHz</text></svg>'
    )


def bars(probabilities: Mapping[int, float] | None, verdict: str | None, texts: Texts) -> str:
    """Twelve columns, one per count; the likeliest is outlined and written out."""
    values = probabilities or {}
    best = max(values, key=lambda n: values[n]) if values else None
    parts = []
    for index, count in enumerate(COUNTS):
        p = values.get(count, 0.0)
        height, x = 176 * p, index * 50
        chosen = " best" if count == best else ""
        parts.append(
            f'<g data-count="{count}" data-p="{p:.3f}">'
            f'<rect x="{x + 3}" y="20" width="44" height="176" rx="6" class="well"/>'
            f'<rect x="{x + 3}" y="{196 - height:.1f}" width="44" height="{height:.1f}" rx="6" class="bar{chosen}"/>'
            f'<text x="{x + 25}" y="222" text-anchor="middle" class="count{chosen}">{count}</text>'
            + (_told(x + 25, max(15, 190 - height), texts.share(p)) if p >= 0.045 else "")
            + "</g>"
        )
    words = sentence(probabilities, verdict, texts)
    return (
        f'<svg viewBox="0 0 600 232" class="bars" role="img" aria-label="{escape(words)}">{"".join(parts)}</svg>'
        f'<p class="earsays">{escape(words)}</p>'
    )


def _told(x: int, y: float, share: str) -> str:
    return f'<text x="{x}" y="{y:.1f}" text-anchor="middle" class="tiny">{share}</text>'


def sentence(probabilities: Mapping[int, float] | None, verdict: str | None, texts: Texts) -> str:
    """The bars in words."""
    if not probabilities:
        return texts["ear.waiting"] if verdict != "not-a-shake" else texts["ear.no_shake"]
    ranked = sorted(probabilities, key=lambda n: -probabilities[n])[:3]
    odds = ", ".join(f"{n}: {texts.share(probabilities[n])}" for n in ranked)
    key = {"sure": "ear.sure", "unsure": "ear.unsure"}.get(verdict or "", "ear.so_far")
    return texts(key, best=ranked[0], odds=odds)


def igloo(letter: str | None, swing: float) -> str:
    """The igloo in the hand: it leans with the shake (`swing` −1…1). Decoration, hidden from screen readers."""
    return (
        '<svg viewBox="-70 -74 140 96" class="igloo" aria-hidden="true">'
        f'<g transform="translate({swing * 14:.1f} {-abs(swing) * 7:.1f}) rotate({swing * 16:.1f})">'
        '<path d="M-52 16A52 56 0 0 1 52 16Z" class="dome"/>'
        '<path d="M-49 -4H49M-40 -22H40M-24 -36H24M-18 16V-4M18 -4V-22M-22 -4V-22M2 -22V-38M30 16V-4" class="joints"/>'
        '<path d="M-13 16A13 17 0 0 1 13 16Z" class="door"/>'
        f'<text y="-8" text-anchor="middle" class="letter">{escape(letter or "")}</text></g></svg>'
    )
