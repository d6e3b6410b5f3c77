"""Which sweep the wizard records: a new one, or the person's unfinished one."""

from __future__ import annotations

import datetime

from calibration.recordings.folder import Recording
from calibration.recordings.occasion import now, occasion
from calibration.recordings.sweep import Sweep, advice, next_sweep, remaining, too_soon, unfinished
from calibration.words import many
from table.commands.record_takes import names_files
from table.commands.record_way import Way, check_same_way
from table.recording.asking import Screen


def begin(
    have: list[Recording],
    counts: tuple[int, ...],
    device: str,
    player: str,
    session: str | None,
    way: Way,
    screen: Screen,
) -> tuple[Sweep, str]:
    """The sweep to record and its session; says which it is."""
    if hint := advice(have, player):
        screen.tell(hint)
    of, odd = session_of(have, counts, device, player, session), None
    if of is None:
        of, odd = occasion(_usable(have), _today, now())
    sweep, resumed = next_sweep(have, counts, device, of, player)
    left = f"{many(len(remaining(sweep, have)), 'igloo')} to record"
    if resumed:
        check_same_way(sweep, have, way)
        other = "" if session else " (to begin another one instead: --session NAME)"
        screen.tell(f"Going on with {player}'s unfinished sweep {sweep.name}: {left}{other}")
    else:
        others = sorted({r.player for r in have if r.player} - {player})
        new = bool(others) and all(r.player != player for r in have)
        known = f" by somebody new, {player} (known here: {', '.join(others)})" if new else ""
        screen.tell(f"New sweep {sweep.name}{known}: {left}")
        if odd:
            screen.tell(odd)
        if hint := too_soon(have, device, of, player, now()):
            screen.tell(hint)
    return sweep, of


def session_of(
    have: list[Recording], counts: tuple[int, ...], device: str, player: str, session: str | None
) -> str | None:
    """The session that was named, or that of the player's unfinished sweep; None: there is none."""
    return session or unfinished(_usable(have), counts, device, player)


def _usable(have: list[Recording]) -> list[Recording]:
    """Sessions become folders, and other programs' lists may use any name."""
    return [r for r in have if names_files(r.session or "")]


def _today() -> str:
    return datetime.date.today().isoformat()
