"""Keys in a list of recordings that resemble ours: they are kept like any unknown key, and have no effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

from calibration.recordings.folder import SHOWN, UNWRITTEN, Recording
from calibration.words import many

# optional keys; a line without the others is refused anyway
OURS = (
    "beads", "igloo", "device", "player", "session", "set", "pair", "taken", "rejected", "place", "gesture",
)  # fmt: skip
LIKE = 0.8  # share of letters that two words have in common, in order


def nearly_ours(recordings: Sequence[Recording]) -> str | None:
    """Some lines lack a key of ours and have one with similar spelling."""
    slips = Counter(
        (key, ours)
        for r in recordings
        for key in r.more
        if (ours := _meant(key)) is not None and ours not in r.more and getattr(r, ours) is None
    )
    if not slips:
        return None
    (key, ours), n = slips.most_common(1)[0]
    return (
        f"{n} of {many(len(recordings), 'recording')} {'has' if n == 1 else 'have'} the key "
        f'"{UNWRITTEN.sub("?", key)[:SHOWN]}", which says nothing here: if "{ours}" is meant, write it so in '
        "recordings.jsonl"
    )


@lru_cache(maxsize=1000)
def _meant(key: str) -> str | None:
    """The key of ours that another one was probably meant to be."""
    if key in OURS:
        return None
    return next(iter(get_close_matches(key.strip().lower(), OURS, 1, LIKE)), None)
