"""What is told of a shake that the ear cannot make out: why, and what to do about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.sources.extent import Extent, check_extent
from sensors.ear.verdicts import mends, no_shake, reasons, verdict
from sensors.ear.verdicts.verdict import Opinion, judge
from tests.rattle import RATE, rattle, shaken_sensor


@pytest.fixture(autouse=True)
def like_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_shake, "likeness", lambda *_: -9.0)


def shaken(kind: str) -> tuple[verdict.Head, Shake]:
    head = load_shipped(kind).heads[0]
    shake = shake_of(head.front, Envelopes(head.front, RATE, 1).push(rattle(6, 8)[:, None]))
    assert shake is not None
    return head, shake


def felt() -> tuple[verdict.Head, Shake]:
    head = load_shipped("accelerometer").heads[0]
    shake = shake_of(head.front, Envelopes(head.front, 1600, 3).push(shaken_sensor(5, 1)))
    assert shake is not None
    return head, shake


def said(kind: str, snr_db: float, clipped: bool = False, **changed: float) -> Opinion:
    head, shake = shaken(kind)
    return judge(head, replace(shake, **changed), snr_db, clipped)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["microphone", "contact"])
@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_what_is_cut_off_and_like_no_shake_is_told_of_its_gain(kind: str, seconds: float) -> None:
    """It stays no shake: loud typing and coins are cut off as well."""
    of = said(kind, 40.0, clipped=True, start_s=0.4, end_s=0.4 + seconds)
    assert (of.verdict, of.reason) == ("not-a-shake", mends.IN_ROOM.cut_off)
    assert said(kind, 40.0, start_s=0.4, end_s=0.4 + seconds).reason != mends.IN_ROOM.cut_off


def test_what_is_hardly_heard_is_not_told_to_be_shaken_harder_alone() -> None:
    assert said("contact", 11.0).reason == mends.CONTACT.hardly_heard
    assert said("microphone", 11.0).reason == mends.IN_ROOM.hardly_heard
    assert said("contact", 30.0).reason == reasons.HANDLED
    assert said("contact", 11.0, strokes=3).reason == reasons.HANDLED


@pytest.mark.parametrize("kind", ["microphone", "contact", "accelerometer"])
def test_an_accelerometer_has_no_gain_and_what_is_stuck_on_comes_no_nearer(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    head, shake = felt() if kind == "accelerometer" else shaken(kind)
    loud, soft = head.front.hand, kind == "microphone"
    none = judge(head, shake, 40.0, True)
    monkeypatch.setattr(no_shake, "likeness", lambda *_: 9.0)
    monkeypatch.setattr(verdict, "probabilities_of", lambda heads, shake: {5: 1.0})
    for of in (none, judge(head, shake, 40.0, True)):
        assert (of.verdict == "not-a-shake") == (of is none)
        assert (" gain" in str(of.reason), "wider range" in str(of.reason)) == (not loud, loud)
    drowned = judge(head, shake, 1.0, False)
    assert ("nearer" in str(drowned.reason), "stuck firmly" in str(drowned.reason)) == (soft, not soft)
    assert (none.why.ill_heard, drowned.why.ill_heard) == (False, True)


@pytest.mark.parametrize("channels", [1, 2, 4, 6])
@pytest.mark.parametrize("loud", [1.0, 30.0])
def test_a_file_that_is_cut_off_throughout_says_so_where_nothing_was_heard(
    loud: float, channels: int
) -> None:
    """Of four channels an earlier one advised to shake harder, as an accelerometer's."""
    extent = Extent()
    noise = loud * np.random.default_rng(0).standard_normal((RATE, channels))
    extent.push(np.clip(noise, -1, 1).astype(np.float32))
    check_extent(Path("a.wav"), extent, True)
    with pytest.raises(
        SoundError, match=r"a\.wav is overdriven: \d\d% of its samples are cut off, and nothing"
    ):
        check_extent(Path("a.wav"), extent, False)
    once = Extent()
    once.push(np.clip(0.1 * noise / loud, -1, 1).astype(np.float32))
    check_extent(Path("a.wav"), once, False)


def test_an_accelerometer_that_feels_nothing_has_no_gain_to_look_at() -> None:
    extent = Extent()
    extent.push(np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1)))
    with pytest.raises(SoundError, match="holds one value throughout, and no shake") as dead:
        check_extent(Path("a.wav"), extent, False)
    assert " gain" not in dead.value.mend
