"""How a game ended: who won, and with how many points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    rows = sorted((over["scores"] or {}).items(), key=lambda item: -item[1])
    points = "".join(
        f"<li><b>{escape(seat_name(seat))}</b> {escape(texts('result.points', points=f'{score:g}'))}</li>"
        for seat, score in rows
    )
    return f'<div class="result"><p>{escape(words)}</p>{f"<ol>{points}</ol>" if points else ""}</div>'
