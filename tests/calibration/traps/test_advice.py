"""Each trap brings its own advice: that to record sweeps helps nobody whose hands are the trap."""

from __future__ import annotations

import pytest

from calibration.traps.along_counts import BACKGROUND, STRENGTH, AlongCounts
from calibration.traps.confounding import ByEar, Confounding, OneIgloo
from calibration.traps.dealt import Dealt
from calibration.traps.given_away import refusals
from calibration.traps.own_igloos import OwnIgloos
from calibration.traps.takes_in_rows import InRows


@pytest.mark.parametrize(
    ("trap", "refuses", "advice"),
    [
        (ByEar("loudness", 0.6, 0.1, 96), False, "Record sweeps: all igloos once, in random order"),
        (OneIgloo("session", 24, 24), True, "A session of one igloo tells nothing of another"),
        (OwnIgloos(2, 24, 24), True, "Let everybody shake every igloo"),
        (InRows("loudness", 24, 24), True, "Give one sitting one session"),
        (AlongCounts(STRENGTH, 0.9, 5.0, 96), True, "all igloos shaken as hard and as long"),
        (
            AlongCounts(BACKGROUND, 0.9, 5.0, 96),
            True,
            "in the same room and with the same gain: the background went with the count",
        ),
        (Dealt(0.3, 96, 96), False, "Give one sitting one session"),
    ],
)
def test_what_to_do_is_the_traps_own(trap: Confounding, refuses: bool, advice: str) -> None:
    assert advice in trap.advice()
    assert trap.advice().endswith(".")
    assert refusals([trap]) == ([trap.sentence()] if refuses else [])
