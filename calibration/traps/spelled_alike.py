"""Names of one session, device or player that are spelled in two ways: one spelling is fitted on while the other is
left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import get_args

from calibration.recordings.folder import BETWEEN, SHOWN, Recording
from calibration.recordings.folds import Unit, key_of


def spelled_alike(recordings: Iterable[Recording], unit: Unit, tested: Iterable[Recording]) -> str | None:
    """One sentence if the name of a `tested` unit occurs in another spelling, else None.

    Case, blanks, signs that are not seen, and how a letter with an accent is written (Unicode's NFC and NFD) make no
    second name to a reader.
    """
    spelled: dict[str, Recording] = {}
    for recording in recordings:
        spelled.setdefault(key_of(recording, unit), recording)
    known: dict[str, set[str]] = {}
    for name in spelled:
        known.setdefault(_read(name), set()).add(name)
    for own in sorted({key_of(recording, unit) for recording in tested}):
        others = sorted(known[_read(own)] - {own})
        if others:
            key, one, other = _unlike(spelled[own], spelled[others[0]])
            return (
                f"the {key} {one} is spelled in two ways (also {other}), so it is known when it is left out, and "
                f'figures flatter; spell "{key}" alike in recordings.jsonl, or call two of them by unlike names'
            )
    return None


def _unlike(one: Recording, other: Recording) -> tuple[Unit, str, str]:
    """The key by which the two spellings differ, and both, as a reader can tell them apart; a session's may differ by
    its device."""
    values = ((unit, getattr(one, unit) or "", getattr(other, unit) or "") for unit in get_args(Unit))
    unit, a, b = next(
        values for values in values if values[1] != values[2] and _read(values[1]) == _read(values[2])
    )
    shown = ascii if _one_sign(a) == _one_sign(b) else repr
    return unit, shown(a[:SHOWN]), shown(b[:SHOWN])


def _read(name: str) -> str:
    return BETWEEN.join(" ".join(part.split()) for part in _one_sign(name).casefold().split(BETWEEN))


def _one_sign(name: str) -> str:
    # zero-width and other unseen signs (Unicode's Cf) come along when text is copied from a page
    seen = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFC", seen)
