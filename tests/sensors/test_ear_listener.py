"""The running ear: what it says of a stream, when, and that it does not matter how the stream is cut."""

from __future__ import annotations

import gc
import itertools
import tracemalloc
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.fit import fit
from calibration.recordings import Recording
from calibration.takes import Row
from sensors.ear.drift import DRIFT_SHAKES
from sensors.ear.errors import ProfileError
from sensors.ear.finder import SILENCE_S
from sensors.ear.frontend import Envelopes, front_end_for
from sensors.ear.listener import Listener
from sensors.ear.profile import Profile, load_shipped
from sensors.ear.shake import shake_of
from sensors.ear.verdict import KNOCK, KNOCKS, RECALIBRATE
from sensors.evidence import Heard, Hearing
from tests.rattle import RATE, Sound, rattle, shaken_sensor

STILL = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))


@cache
def rattle_profile(sensor: str = "microphone") -> Profile:
    """Fitted on rattles of 2…13 by three "people"; on fewer of an accelerometer, for whose hand beads are imagined."""
    rows = []
    for session in range(3):
        for beads in range(2, 14) if sensor == "microphone" else (2, 5, 8, 11):
            sound = (
                rattle(beads, session)[:, None] if sensor == "microphone" else shaken_sensor(beads, session)
            )
            rate = RATE if sensor == "microphone" else 1600
            front = front_end_for(sensor, rate)  # type: ignore[arg-type]
            shake = shake_of(front, Envelopes(front, rate, sound.shape[1]).push(sound))
            assert shake is not None
            recording = Recording(Path(), f"{session}-{beads}", sensor, beads, session=f"s{session}")  # type: ignore[arg-type]
            rows.append([Row(recording, rate, shake, 40.0, False, -80.0)])
    return fit(rows).profile


def listen(
    sound: Sound, block: int = 4410, partial: bool = False, rate: float = RATE
) -> list[Heard | Hearing]:
    samples = sound if sound.ndim == 2 else sound[:, None]
    sensor = "microphone" if samples.shape[1] != 3 else "accelerometer"
    ear = Listener(rattle_profile(sensor), rate, samples.shape[1], "test", partial=partial)
    out: list[Heard | Hearing] = []
    for start in range(0, len(samples), block):
        out += ear.push(samples[start : start + block])
    return out + list(ear.finish())


def quiet(seconds: float, seed: int = 0) -> Sound:
    return (3e-5 * np.random.default_rng(seed).standard_normal(round(seconds * RATE))).astype(np.float32)


def test_three_shakes_are_three_lines_at_their_times() -> None:
    pieces = [quiet(1), rattle(4, 11), quiet(0.5), rattle(8, 12), quiet(0.5), rattle(12, 13), quiet(1)]
    heard = [h for h in listen(np.concatenate(pieces)) if isinstance(h, Heard)]
    assert [h.verdict == "not-a-shake" for h in heard] == [False] * 3
    starts = [1.4, 1 + 3.2 + 0.5 + 0.4, 1 + 2 * 3.7 + 0.4]
    assert [h.start_s for h in heard] == pytest.approx(starts, abs=0.15)
    assert [h.best for h in heard] == sorted(h.best or 0 for h in heard)
    for h in heard:
        line = h.to_json()
        assert line["event"] == "shake"
        assert sum(line["probabilities"].values()) == pytest.approx(1)
        assert list(line["probabilities"]) == [str(n) for n in range(2, 14)]
        assert line["profile"].startswith("sha256:") or line["profile"] == ""
        assert (line["beads"] is None) == (line["verdict"] != "sure")


@pytest.mark.parametrize("block", [160, 1024, 44100, 10**7])
def test_the_size_of_the_blocks_changes_nothing(block: int) -> None:
    sound = np.concatenate([quiet(0.6), rattle(7, 5), quiet(1)])
    (reference,) = listen(sound, 4410)
    assert isinstance(reference, Heard)
    assert listen(sound, block) == [reference]  # to the last bit


def test_the_verdict_comes_within_the_stated_silence_and_a_little() -> None:
    sound = np.concatenate([quiet(0.6), rattle(7, 5)[: round(2.3 * RATE)], quiet(2)])
    ear = Listener(rattle_profile(), RATE, 1, "test")
    block = round(0.02 * RATE)
    for start in range(0, len(sound), block):
        for said in ear.push(sound[start : start + block, None]):
            assert isinstance(said, Heard)
            assert (start + block) / RATE - said.end_s <= SILENCE_S + 0.15
            return
    pytest.fail("nothing was heard")


def test_partial_answers_come_several_times_a_second_and_settle() -> None:
    said = listen(np.concatenate([quiet(0.6), rattle(9, 4, seconds=3.0), quiet(1)]), partial=True)
    hearing = [h for h in said if isinstance(h, Hearing)]
    assert len(hearing) >= 8
    assert all(b.now_s - a.now_s < 0.4 for a, b in itertools.pairwise(hearing))
    assert isinstance(said[-1], Heard)
    assert sum(hearing[-1].probabilities.values()) == pytest.approx(1)


@pytest.mark.parametrize("rate", [1600.0, 1662.4, 1713.0, 3332.0])
def test_partial_answers_come_three_times_a_second_at_any_rate(rate: float) -> None:
    """Steps are whole samples: four of them may last a hair less than .32 s, or more."""
    sound = np.concatenate([STILL, shaken_sensor(8, 9, seconds=6.0), STILL])
    hearing = [h for h in listen(sound, 160, partial=True, rate=rate) if isinstance(h, Hearing)]
    apart = [b.now_s - a.now_s for a, b in itertools.pairwise(hearing)]
    assert apart == pytest.approx([0.32] * len(apart), abs=0.003)
    assert len(apart) > 8


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_the_parts_of_a_long_shake_do_not_overlap(sensor: str) -> None:
    if sensor == "microphone":
        said = listen(np.concatenate([quiet(0.6), rattle(6, 3, seconds=26.0), quiet(1)]), partial=True)
    else:
        shaken = np.concatenate([STILL, shaken_sensor(8, 9, seconds=26.0), STILL])
        said = listen(shaken, 160, partial=True, rate=1600)
    parts = [h for h in said if isinstance(h, Heard)]
    assert len(parts) == 3
    assert all(b.start_s >= a.end_s for a, b in itertools.pairwise(parts))
    assert parts[-1].end_s - parts[0].start_s == pytest.approx(26.0, abs=0.5)
    for a, b in itertools.pairwise(said):
        if isinstance(a, Heard) and isinstance(b, Hearing):
            assert b.start_s >= a.end_s


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


def test_a_few_beads_shaken_too_gently_are_asked_for_a_harder_shake() -> None:
    """Each stroke is a knock of its own, with more than half a second between them."""
    random = np.random.default_rng(6)
    sound = quiet(12)
    for at in (1.0, 1.8, 2.6, 3.4, 7.0, 9.5):
        n = round(0.05 * RATE)
        knock = 0.3 * random.standard_normal(n) * np.exp(-np.arange(n) / (0.004 * RATE))
        sound[round(at * RATE) : round(at * RATE) + n] += knock.astype("f4")
    told = [h for h in listen(sound) if isinstance(h, Heard)]
    assert [h.verdict for h in told] == ["not-a-shake"] * 6
    assert [h.reason for h in told] == [KNOCK, KNOCK, KNOCKS, KNOCK, KNOCK, KNOCK]


def test_knocks_on_the_table_are_no_shakes() -> None:
    random = np.random.default_rng(5)
    sound = quiet(12)
    for at in (1.0, 3.5, 4.0, 7.0):
        n = round(0.12 * RATE)
        knock = random.standard_normal(n) * np.exp(-np.arange(n) / (0.02 * RATE))
        sound[round(at * RATE) : round(at * RATE) + n] += (
            0.5 * np.convolve(knock, np.ones(9) / 9, "same")
        ).astype("f4")
    assert all(h.verdict == "not-a-shake" for h in listen(sound) if isinstance(h, Heard))


def test_an_overdriven_shake_is_unsure_and_says_so() -> None:
    (said,) = listen(np.clip(np.concatenate([quiet(0.6), 20 * rattle(5, 3), quiet(1)]), -1, 1))
    assert isinstance(said, Heard)
    assert said.clipped
    assert said.verdict == "unsure"
    assert "overdriven" in (said.reason or "")


def test_a_short_shake_is_never_sure() -> None:
    (said,) = listen(np.concatenate([quiet(0.6), rattle(5, 3, seconds=0.5), quiet(1)]))
    assert isinstance(said, Heard)
    assert said.verdict != "sure"


def test_loudness_changes_nothing() -> None:
    loud, soft = (listen(np.concatenate([quiet(0.6), g * rattle(6, 8), quiet(1)]))[0] for g in (1.0, 0.1))
    assert isinstance(loud, Heard)
    assert isinstance(soft, Heard)
    assert loud.best == soft.best


@pytest.mark.parametrize("channels", [1, 2])
def test_a_sound_card_with_an_offset_changes_nothing(channels: int) -> None:
    sound = (0.1 * rattle(6, 8))[:, None].repeat(channels, axis=1)
    front = front_end_for("microphone", RATE)
    straight, offset = (
        Envelopes(front, RATE, channels).push(sound + np.float32(level)).energy for level in (0.0, 0.05)
    )
    assert offset[:200].max() < 1e-7  # nothing is heard before the first click
    assert offset == pytest.approx(straight, rel=0.01, abs=1e-10)


def test_silence_says_nothing_and_neither_do_broken_numbers() -> None:
    assert listen(np.zeros(RATE * 3, np.float32)) == []
    whole = np.concatenate([quiet(0.6), rattle(5, 1), quiet(1)])
    broken = whole.copy()
    broken[::1000] = np.nan
    broken[7] = np.inf
    (said,), (bridged,) = listen(whole), listen(broken)
    assert isinstance(said, Heard)
    assert isinstance(bridged, Heard)
    assert (bridged.verdict, bridged.best) == (said.verdict, said.best)
    assert (bridged.start_s, bridged.end_s) == pytest.approx((said.start_s, said.end_s), abs=0.02)


def test_an_accelerometer_that_loses_a_value_does_not_fall() -> None:
    """Gravity gone for a sample would be a blow of 1 g."""
    said = []
    for lost in (False, True):
        shaken = np.concatenate([STILL, shaken_sensor(8, 9), STILL])
        if lost:
            shaken[::97] = np.nan
            shaken[5, 2], shaken[0] = np.inf, np.nan
        said.append([s for s in listen(shaken, 160, rate=1600) if isinstance(s, Heard)])
    (whole,), (bridged,) = said
    assert bridged.strength == pytest.approx(whole.strength, rel=0.02)
    assert (bridged.start_s, bridged.end_s) == pytest.approx((whole.start_s, whole.end_s), abs=0.02)


def test_an_hour_takes_no_more_memory_than_a_minute() -> None:
    """Nor does a shake that never ends, with partial answers and two front ends at once."""
    ear = Listener(load_shipped("contact"), RATE, 1, "test", partial=True)
    assert ear._others
    shaken, noise = rattle(7, 5)[: round(2.2 * RATE), None], quiet(10)[:, None]

    def held() -> int:
        """Bytes of all that Python and NumPy got for it and did not give back."""
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def longer() -> list[Heard | Hearing]:
        return [said for part in [noise, *[shaken] * 7] for said in ear.push(part)]

    longer()
    tracemalloc.start()
    try:
        before, said = held(), [*longer(), *longer()]
        assert held() - before < 2e6  # as much sound takes 9 MB
    finally:
        tracemalloc.stop()
    assert {type(s) for s in said} == {Heard, Hearing}


def test_an_accelerometer_on_the_shell() -> None:
    said = listen(np.concatenate([STILL, shaken_sensor(8, 9), STILL]), 160, rate=1600)
    assert [s.verdict for s in said if isinstance(s, Heard)] != ["not-a-shake"]
    assert len(said) == 1


def test_a_profile_of_another_sensor_is_refused() -> None:
    with pytest.raises(ProfileError, match="made for a microphone, and this is a"):
        rattle_profile().head_for("accelerometer", 1600)
    with pytest.raises(ProfileError, match="needs at least 31000 Hz"):
        Listener(rattle_profile(), 8000, 1, "slow")
