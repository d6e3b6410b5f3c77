"""Which session a take belongs to, on a machine whose clock may never have been set.

A small computer without a network is such a machine. So the line of a take has, beside the time of day, the machine's
boot and the seconds since, which nobody sets: two takes minutes apart belong to one sitting, whatever day the clock
showed.
"""

from __future__ import annotations

import datetime
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from calibration.recordings.folder import LIST, Recording
from calibration.recordings.taken import WITHIN_S, taken_at
from firmware_bridge.clock import BORN

UNDATED = "undated"  # a session whose day is unknown
CLOCK_SLACK_S = 120.0  # clocks are adjusted by seconds all the time, and writing a take takes some
SITTING_S = 12 * 3600.0  # a machine may run for weeks
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LAST = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC).timestamp()
_OTHER = "; where it is another occasion, name it: --session NAME"


@dataclass(frozen=True, slots=True)
class Now:
    """Unix seconds by the clock; the machine's boot and the seconds since, where available."""

    at: float
    boot: str | None = None
    up: float = 0.0

    def keys(self) -> dict[str, Any]:
        """The keys for the line of a take."""
        return {} if self.boot is None else {"boot": self.boot, "up": round(self.up, 1)}

    def taken(self) -> str:
        """As the line of a take has it, to the second, in UTC."""
        return f"{datetime.datetime.fromtimestamp(self.at, datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"


def now() -> Now:
    """By the machine's clock; boot and seconds since on Linux only."""
    try:
        boot = _BOOT.read_text().strip()[:8]
        return Now(time.time(), boot or None, time.clock_gettime(time.CLOCK_BOOTTIME))
    except (OSError, AttributeError):  # not Linux
        return Now(time.time())


def occasion(recordings: Sequence[Recording], today: Callable[[], str], at: Now) -> tuple[str, str | None]:
    """The session that begins or continues where none is named, usually `today`'s; and a remark on it.

    Where the clock cannot be right, the session is one that cannot pass for another day, because takes of one sitting
    give each other away.
    """
    known = [r for r in recordings if r.session and r.rejected is None]
    last = known[-1].session or UNDATED if known else UNDATED
    lately = sorted(
        (
            (at.up - by.up, by, r.session or UNDATED)
            for r in known
            if (by := by_the_boot(r)) is not None and by.boot == at.boot and 0 <= at.up - by.up < SITTING_S
        ),
        key=lambda take: take[0],
    )
    if lately:
        ago, _, same = lately[0]
        # set since the last take, or earlier in a sitting that goes on; after a break only the last take is compared
        sitting = lately if ago < WITHIN_S else lately[:1]
        if any(abs(_moved(by, at)) > CLOCK_SLACK_S for _, by, _ in sitting):
            odd = f"The clock was set since the takes before, and this is still the session {same}{_OTHER}"
            return same, None if same == today() else odd
    newest, file = max(((t, r.file) for r in known if (t := taken_at(r)) is not None), default=(0.0, ""))
    here = f"This machine says that it is {_minute(at.at)}"
    if at.at < BORN.timestamp():
        why = f"{here}: its clock was never set"
    elif at.at < newest - CLOCK_SLACK_S:
        why = (
            f"{here}, and {file} is noted as taken at {_minute(newest)}: one of them is wrong (if that one, put its "
            f'"taken" right in {LIST})'
        )
    else:
        return today(), None
    return (
        last,
        f"{why}, so nobody can tell whether this is another day, and it is the session {last}{_OTHER}",
    )


def set_in_between(recordings: Iterable[Recording]) -> str | None:
    """A remark where one sitting counts as two sessions, because the clock was set between two takes."""
    of_one: dict[tuple[str | None, ...], list[tuple[Now, str]]] = defaultdict(list)
    for r in recordings:
        by = by_the_boot(r)
        if by is not None and by.boot is not None and r.session:
            of_one[by.boot, r.device, r.player].append((by, r.session))
    for takes in of_one.values():
        takes.sort(key=lambda take: take[0].up)
        for (before, one), (after, other) in pairwise(takes):
            if (
                one != other
                and after.up - before.up < WITHIN_S
                and abs(_moved(before, after)) > CLOCK_SLACK_S
            ):
                return (
                    f"the clock was set between takes of the sessions {one} and {other}, which are minutes apart and "
                    'one sitting: counted as two, they flatter; give them one "session" in recordings.jsonl'
                )
    return None


def by_the_boot(recording: Recording) -> Now | None:
    """None for a line without our boot key; other programs may write anything there."""
    boot, up, at = recording.more.get("boot"), recording.more.get("up"), taken_at(recording)
    if not isinstance(boot, str) or isinstance(up, bool) or not isinstance(up, int | float) or at is None:
        return None
    try:
        return Now(at, boot, float(up)) if math.isfinite(up) else None
    except OverflowError:  # JSON has integers of any size
        return None


def _moved(before: Now, after: Now) -> float:
    """By how many seconds the clock was set between two takes."""
    return (after.at - before.at) - (after.up - before.up)


def _minute(at: float) -> str:
    # its time zone may put the last hour of the calendar beyond the end
    return f"{datetime.datetime.fromtimestamp(min(at, _LAST), datetime.UTC):%Y-%m-%d %H:%M} UTC"
