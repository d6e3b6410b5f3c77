"""Takes of one sitting under two names: a device that half of them lack, and signs that nobody sees."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.traps.not_left_out import not_left_out

COUNTS = range(2, 14)


def sweep(first: int, **names: Any) -> list[Any]:
    """A take of each count, like no other; of every second one the names that are given as a pair are the latter."""
    out = []
    for i, beads in enumerate(COUNTS):
        own = {key: value[i % 2] if isinstance(value, tuple) else value for key, value in names.items()}
        recording = Recording(Path(), f"{first + i}.wav", "microphone", beads, **own)
        shake = SimpleNamespace(values=np.random.default_rng(first + i).normal(size=8), names=())
        shake.pick = lambda names: np.zeros(len(names))
        row = SimpleNamespace(
            recording=recording, shake=shake, loudest=f"{first + i:08x}", course=b"", background_db=-70.0
        )
        out.append([row])
    return out


@pytest.mark.parametrize("unit", ["session", "device"])
def test_takes_without_a_device_beside_a_session_s_others_are_probably_of_its_set(unit: Any) -> None:
    """They are left out as if of one more sitting, and are fitted on while that one is left out."""
    half = sweep(0, session="s", player="Ada", device=("D", None))
    others = sweep(40, session="else", player="Ada", device="D" if unit == "session" else "E")
    why = not_left_out(None, [*half, *others], unit)
    assert why is not None
    assert "50% of what is tested" in why
    assert 'give "device" in recordings.jsonl' in why
    assert not_left_out(None, [*half, *others], unit, others) is None
    assert not_left_out(None, [*half, *others], "player", half) is None


def test_a_session_of_that_name_by_somebody_else_is_another_one() -> None:
    """Two people's folders in one, of which one named no device."""
    mine = sweep(0, session="s", player="Ada", device="D")
    theirs = sweep(20, session="s", player="Bea", device=None)
    assert not_left_out(None, [*mine, *theirs], "session") is None


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u00ad", "\u2060"])
@pytest.mark.parametrize("unit", ["session", "device", "player"])
def test_a_sign_that_nobody_sees_makes_no_other_name(unit: Any, unseen: str) -> None:
    names = {"session": "s", "device": "D", "player": "Ada"}
    half = sweep(0, **names | {unit: (names[unit], names[unit] + unseen)})
    others = sweep(40, session="else", device="E", player="Bea")
    why = not_left_out(None, [*half, *others], unit)
    assert why is not None
    assert "is spelled in two ways" in why
    assert ascii(names[unit] + unseen) in why
