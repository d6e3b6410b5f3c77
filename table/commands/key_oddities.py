"""Keys in a list of recordings that resemble ours: they are kept like any unknown key, and have no effect."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from calibration.recordings.folder import SHOWN, UNWRITTEN, Recording, read
from calibration.words import many
from firmware_bridge.errors import PolartableError

# optional keys; a line without the others is refused anyway
OURS = (
    "beads", "igloo", "device", "player", "session", "set", "pair", "taken", "rejected", "place", "gesture",
)  # fmt: skip
MOST_TOLD = 5  # sentences
LIKE = 0.8  # share of letters that two words have in common, in order


def nearly_ours(recordings: Iterable[Recording]) -> list[str]:
    """A sentence for each key of lines that lack a key of ours with similar spelling."""
    slips, total = Counter[tuple[str, str]](), 0
    for r in recordings:
        total += 1
        slips.update(
            (key, ours)
            for key in r.more
            if (ours := _meant(key)) is not None and ours not in r.more and getattr(r, ours) is None
        )
    return [
        f"{n} of {many(total, 'recording')} {'has' if n == 1 else 'have'} the key "
        f'"{UNWRITTEN.sub("?", key)[:SHOWN]}", which says nothing here: if "{ours}" is meant, write it so in '
        "recordings.jsonl"
        for (key, ours), n in slips.most_common(MOST_TOLD)
    ]


@contextmanager
def misspelt_keys_told(folder: Path) -> Iterator[None]:
    """Where the work is refused, tell of such keys first: for lack of the right ones it may have been."""
    try:
        yield
    except PolartableError:
        with suppress(PolartableError):  # a list that cannot be read is why it was refused
            for sentence in nearly_ours(read(folder, lambda _: None)):
                print(f"polartable: {sentence}", file=sys.stderr)
        raise


@lru_cache(maxsize=1000)
def _meant(key: str) -> str | None:
    """The key of ours that another one was probably meant to be."""
    if key in OURS:
        return None
    return next(iter(get_close_matches(key.strip().lower(), OURS, 1, LIKE)), None)
