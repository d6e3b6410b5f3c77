"""What is no shake, and what spoils one: knocks, clipping, offsets, broken numbers. Loudness does neither."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.frontend import Envelopes, front_end_for
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.ear.verdicts.reasons import KNOCK, KNOCKS, TOO_SHORT_BESIDE_KNOCK
from sensors.evidence import Heard
from tests.rattle import RATE, rattle, shaken_sensor
from tests.sensors.ear.listening import STILL, listen, quiet


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


def struck(seconds: float, at_s: float, seed: int = 3) -> np.ndarray:
    """Five beads, shaken so long from 1 s on, and a knock some 18 dB above the strokes so long after the first one."""
    shaken = np.concatenate([quiet(0.6), 0.1 * rattle(5, seed, seconds=seconds), quiet(1)])
    n, start = round(0.1 * RATE), round((1.0 + at_s) * RATE)
    knock = np.random.default_rng(2).standard_normal(n) * np.exp(-np.arange(n) / (0.012 * RATE))
    shaken[start : start + n] += (0.2 * knock).astype("f4")
    return shaken


@pytest.mark.parametrize("at_s", [0.9, 1.3, 1.7])
def test_a_knock_in_the_midst_of_a_shake_leaves_it_one_and_is_not_counted(at_s: float) -> None:
    (said,) = listen(struck(2.4, at_s))
    assert isinstance(said, Heard)
    assert (said.start_s, said.end_s) == pytest.approx((1.0, 3.4), abs=0.15)
    assert said.verdict != "not-a-shake"
    first, last = (0.0, at_s - 0.03) if at_s > 1.2 else (at_s + 0.25, 2.4)
    whole = np.concatenate([quiet(0.6), 0.1 * rattle(5, 3, seconds=2.4)])
    beside = whole[round((1.0 + first) * RATE) : round((1.0 + last) * RATE)]
    (alone,) = listen(np.concatenate([quiet(1.0), beside, quiet(1)]))
    assert isinstance(alone, Heard)
    assert said.best == alone.best
    assert said.probabilities[5] == pytest.approx(alone.probabilities[5], abs=0.1)


def test_who_shook_too_little_beside_a_knock_is_told_so() -> None:
    (said,) = listen(struck(1.3, 0.65))
    assert isinstance(said, Heard)
    assert (said.verdict, said.reason) == ("unsure", TOO_SHORT_BESIDE_KNOCK)
    assert said.end_s - said.start_s > 1.2


def beside_a_machine(louder_db: float, seconds: float = 8.0) -> np.ndarray:
    """Steady noise; seven beads are shaken in its midst. Its level against that of their loud tenth."""
    noise = np.random.default_rng(4).standard_normal(round(seconds * RATE))
    shaken = 0.3 * rattle(7, 2, seconds=2.4)
    loud = np.quantile(np.square(shaken).reshape(-1, 441).mean(axis=1), 0.9)
    noise *= np.sqrt(loud * 10 ** (louder_db / 10))
    noise[3 * RATE : 3 * RATE + len(shaken)] += shaken
    return noise.astype(np.float32)


@pytest.mark.parametrize("louder_db", [-6.0, -3.0, 0.0, 3.0])
def test_a_shake_as_loud_as_the_room_is_not_passed_over_in_silence(louder_db: float) -> None:
    told = [said for said in listen(beside_a_machine(louder_db)) if isinstance(said, Heard)]
    assert any(said.reason in (IN_ROOM.drowned, IN_ROOM.hardly_heard) for said in told)
    assert all(3.0 < said.start_s < said.end_s < 6.2 for said in told)
    assert all(said.verdict != "sure" for said in told)


def test_single_strokes_that_rise_above_the_room_are_not_all_that_is_said() -> None:
    """They are taken for knocks."""
    knock, shake = listen(beside_a_machine(0.0))
    assert isinstance(knock, Heard)
    assert isinstance(shake, Heard)
    assert (knock.reason, shake.reason) == (KNOCK, IN_ROOM.hardly_heard)
    assert (shake.start_s, shake.end_s) == pytest.approx((3.4, 5.8), abs=0.2)


def test_what_was_told_of_a_shake_is_not_told_again_of_its_strokes() -> None:
    told = [said for said in listen(beside_a_machine(-20.0)) if isinstance(said, Heard)]
    assert len(told) == 1
