"""The running ear asks for another calibration where the sound has changed, and not where a shake was spoiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts.drift import DRIFT_SHAKES
from sensors.ear.verdicts.reasons import RECALIBRATE
from sensors.evidence import Heard
from tests.rattle import RATE, rattle
from tests.rattle_profile import rattle_profile
from tests.sensors.ear.listening import quiet


def test_a_sound_that_has_changed_is_told_after_some_shakes_though_each_alone_might_pass() -> None:
    profile = rattle_profile()
    sound = np.concatenate([quiet(1), *(rattle(n, n, seconds=1.5) for n in range(4, 10)), quiet(1)])

    def reasons(of: Profile) -> list[str | None]:
        said = Listener(of, RATE, 1, "test").push(sound[:, None])
        return [h.reason for h in said if isinstance(h, Heard) and h.verdict != "not-a-shake"]

    (head,) = profile.heads
    assert RECALIBRATE not in reasons(profile)
    scaling = head.usual.scaling
    elsewhere = replace(scaling, median=scaling.median + 3 * scaling.spread)
    odd = replace(head, usual=replace(head.usual, scaling=elsewhere, limit=16.0))
    told = reasons(replace(profile, heads=(odd,)))
    assert len(told) == 6
    assert RECALIBRATE not in told[: DRIFT_SHAKES - 1]
    assert told[DRIFT_SHAKES - 1 :] == [RECALIBRATE] * (6 - DRIFT_SHAKES + 1)


def test_shakes_of_which_some_was_lost_are_no_sign_that_the_sound_has_changed() -> None:
    """A splice and a bridge are unlike all beads; the profile is as good as before."""
    profile = rattle_profile()
    (head,) = profile.heads
    scaling = head.usual.scaling
    elsewhere = replace(scaling, median=scaling.median + 3 * scaling.spread)
    odd = replace(profile, heads=(replace(head, usual=replace(head.usual, scaling=elsewhere, limit=16.0)),))
    sound = np.concatenate([quiet(1), *(rattle(n, n, seconds=1.5) for n in range(4, 12)), quiet(1)])
    asked: list[tuple[float, float]] = []

    def drifts(lost: int) -> list[bool]:
        """Of each shake whether it is told; of so many of the first ones some was lost."""

        def whole(start_s: float, end_s: float) -> bool:
            asked.append((start_s, end_s))
            return len(asked) > lost

        asked.clear()
        ear = Listener(odd, RATE, 1, "test")
        ear.ask_whole(whole)
        said = [h for h in ear.push(sound[:, None]) if isinstance(h, Heard) and h.verdict != "not-a-shake"]
        assert asked == [(h.start_s, h.end_s) for h in said]
        return [h.reason == RECALIBRATE for h in said]

    assert drifts(0) == [False] * (DRIFT_SHAKES - 1) + [True] * 4
    assert drifts(2) == [False] * (DRIFT_SHAKES + 1) + [True] * 2
    assert not any(drifts(8))


def test_overdriven_shakes_are_no_sign_that_the_sound_has_changed() -> None:
    """Five that were overdriven, the gain turned down as was asked, then clean ones."""
    parts = [quiet(1)]
    for n in range(4, 9):
        parts += [np.clip(100 * rattle(n, n, seconds=1.5), -1, 1), quiet(0.6)]
    for n in (5, 6):
        parts += [rattle(n, n, seconds=1.5), quiet(1)]
    said = Listener(rattle_profile(), RATE, 1, "test").push(np.concatenate(parts)[:, None])
    told = [h for h in said if isinstance(h, Heard)]
    assert [h.clipped for h in told] == [True] * 5 + [False] * 2
    assert RECALIBRATE not in [h.reason for h in told]
