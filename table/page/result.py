"""How a game ended: who won, and with how many points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from table.page.texts import Texts


def result(over: Mapping[str, Any] | None, seat_name: Callable[[str], str], texts: Texts) -> str:
    """The end in words, the winners first; nothing while the game goes on."""
    if over is None:
        return ""
    winners = [seat_name(seat) for seat in over["winners"]]
    if not winners:
        words = texts["result.nobody"]
    elif len(winners) == 1:
        words = texts("result.wins", who=winners[0])
    else:
        words = texts("result.shared", who=", ".join(winners))
    points = "".join(
        f"<li value={place}><b>{escape(seat_name(seat))}</b> "
        f"{escape(texts('result.points', points=texts.number(score)))}</li>"
        for place, seat, score in placed(over["winners"], over["scores"] or {})
    )
    return f'<div class="result"><p>{escape(words)}</p>{f"<ol>{points}</ol>" if points else ""}</div>'


def placed(winners: Sequence[str], scores: Mapping[str, float]) -> list[tuple[int, str, float]]:
    """Place, seat and points, the first place first.

    The winner is first, even if others have as many points (IP-12 goes on to count cards and talers); equals share a
    place.
    """
    rows = sorted(
        ((seat not in winners, -score, seat) for seat, score in scores.items()), key=lambda row: row[:2]
    )
    first: dict[tuple[bool, float], int] = {}
    out = []
    for at, (lost, below, seat) in enumerate(rows, 1):
        place = first.setdefault((lost, below if lost else 0.0), at)
        out.append((place, seat, -below))
    return out
