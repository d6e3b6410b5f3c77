"""Sessions of the same hands and igloos that began minutes after one another are different only in name.

Each one left out is predicted well by the others: the hand, its grip, the room and the igloos' temperature are the
same. A figure of such sessions means something, but nothing about another day (`recordings.sweep.too_soon` says so
during recording). Takes of one igloo in a row, whose count the clock tells, have no figure at all (`by_the_clock`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from calibration.recordings.folder import Recording
from calibration.recordings.taken import WITHIN_S
from calibration.traps.by_the_clock import coarse, moment
from firmware_bridge.clock import BORN


def minutes_apart(recordings: Iterable[Recording], left_out: bool = True) -> str | None:
    """One sentence on sessions that are minutes apart; None where there are none, or times are missing.

    `left_out`: sessions are left out by turns; otherwise a profile is tested as it is, on each.
    """
    known = [r for r in recordings if r.rejected is None and r.session and r.player]
    if coarse(known):
        return None
    by_hands: dict[tuple[str | None, str | None], list[tuple[float, str]]] = defaultdict(list)
    for r in known:
        made = moment(r)
        # a clock that was never set starts at the same hour every time
        if made is not None and made.at >= BORN.timestamp():
            by_hands[r.device, r.player].append((made.at, r.session or ""))
    for (_, player), takes in by_hands.items():
        for (at, before), (later, after) in pairwise(sorted(takes)):
            if before != after and later - at < WITHIN_S:
                these = f"the sessions {before} and {after} of {player} were recorded minutes apart"
                if left_out:
                    return (
                        f"{these}: with one left out the other tells of the same hour, and neither of another day; "
                        "record the next one on another day"
                    )
                return (
                    f"{these}: they are one sitting, which the interval counts as two, so figures look surer than they "
                    "are; give them one session in recordings.jsonl"
                )
    return None
