"""Two heads of one profile that hear the same shake: who they are, what they say together, and the same live."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.frames.beside import Beside
from sensors.ear.frames.finder import BEFORE_S
from sensors.ear.frames.frontend import FRONT_ENDS, Array, Envelopes, front_ends_for
from sensors.ear.listener import Listener
from sensors.ear.models.model import joined, of_one_view, posterior, shares_of
from sensors.ear.profiles.profile import Head, Profile, load_shipped
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.shakes.takes import lead_s
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.evidence import Heard

SHIPPED = load_shipped("accelerometer")
BY_NAME = {front.name: front for front in FRONT_ENDS}


@pytest.mark.parametrize(
    ("rate", "names"),
    [
        (3332.0, ["accelerometer-1600", "accelerometer-800"]),
        (1580.0, ["accelerometer-1600", "accelerometer-800"]),
        (833.0, ["accelerometer-800"]),
    ],
)
def test_a_source_is_heard_by_all_heads_that_it_fills(rate: float, names: list[str]) -> None:
    heads = SHIPPED.heads_for("accelerometer", rate)
    assert [head.front.name for head in heads] == names
    assert SHIPPED.head_for("accelerometer", rate) is heads[0]
    # a maker's recordings are looked at as the shipped profile looks at them, or he could not start from it
    assert list(front_ends_for("accelerometer", rate)) == [head.front for head in heads]


def test_a_contact_microphone_is_heard_by_the_second_head_where_it_is_fast_enough() -> None:
    contact = load_shipped("contact")
    for rate, names in (
        (48000.0, ["microphone-44100", "contact-44100"]),
        (44100.0, ["microphone-44100", "contact-44100"]),
        (40000.0, ["microphone-44100"]),
        (16000.0, ["microphone-16000"]),
    ):
        assert [head.front.name for head in contact.heads_for("microphone", rate)] == names
        assert [f.name for f in front_ends_for("microphone", rate, on_shell=True)] == names
    assert contact.heads[0].sure_from > 0.95  # asked of both together, not of the first alone


def test_a_gesture_is_looked_at_as_finely_as_can_be_and_a_microphone_through_one_front_end() -> None:
    assert [f.name for f in front_ends_for("accelerometer", 3332.0, guided=True)] == ["accelerometer-3200"]
    assert [f.name for f in front_ends_for("microphone", 48000.0)] == ["microphone-44100"]
    with pytest.raises(SoundError, match="too slow"):
        front_ends_for("accelerometer", 300.0)


def test_too_slow_a_source_is_refused_and_a_microphone_has_one_head() -> None:
    with pytest.raises(ProfileError, match="at least 750 Hz"):
        SHIPPED.heads_for("accelerometer", 400.0)
    assert len(load_shipped("microphone").heads_for("microphone", 48000.0)) == 1


def test_two_that_agree_are_surer_than_one_and_not_twice_as_sure() -> None:
    one = np.log(np.array([[0.1, 0.6, 0.3]]))
    np.testing.assert_allclose(joined([one], ["a"]), posterior(one), atol=1e-9)
    both = joined([one, one], ["a", "b"])
    np.testing.assert_allclose(both, posterior(sum(shares_of(["a", "b"])) * one), atol=1e-6)
    assert posterior(one)[0, 1] < both[0, 1] < posterior(2 * one)[0, 1]
    against = joined([one, one[:, ::-1]], ["a", "b"])  # who contradict each other leave it open
    np.testing.assert_allclose(against[0, 0], against[0, 2])


def test_two_that_hear_through_one_front_end_are_no_surer_than_one() -> None:
    one = np.log(np.array([[0.1, 0.6, 0.3]]))
    np.testing.assert_allclose(joined([one, one], ["a", "a"]), posterior(one), atol=1e-9)
    np.testing.assert_allclose(
        joined([one, one, one], ["a", "b", "a"]), joined([one, one], ["a", "b"]), atol=1e-9
    )
    shares = shares_of(["a", "b", "a"])
    assert shares[0] + shares[2] == pytest.approx(shares[1])


def test_two_views_that_feel_no_hand_are_no_surer_together_than_one() -> None:
    """About a gentle hand they err together: contact microphones' five beads were two, for sure."""
    contact = [head.front for head in load_shipped("contact").heads_for("microphone", 48000.0)]
    felt = [head.front for head in SHIPPED.heads_for("accelerometer", 3332.0)]
    one = np.log(np.array([[0.02, 0.96, 0.02], [0.3, 0.3, 0.4]]))
    for fronts, wanted in (
        (contact, posterior(one).max(axis=1)),
        (contact[:1], posterior(one).max(axis=1)),
        (felt, joined([one, one], [front.name for front in felt]).max(axis=1)),
    ):
        said = joined([one] * len(fronts), [front.name for front in fronts])
        np.testing.assert_allclose(of_one_view(said, fronts).max(axis=1), wanted, atol=1e-6)


def shaken(beads: int, seed: int, sensor: str = "accelerometer") -> tuple[Array, float]:
    taken = simulate(beads, Device.draw(3), Player.draw(5).on(1), seed, 2.0, sensors=(sensor,))
    if sensor == "contact":
        assert taken.contact is not None
        return taken.contact[:, None], 48000.0
    assert taken.accel is not None
    return taken.accel.astype(np.float32), taken.accel_rate


def live(profile: Profile, rate: float, sound: Array, monkeypatch: pytest.MonkeyPatch) -> tuple[Shake, Heard]:
    """What all heads measured of the one shake in `sound`, float32[samples, channels], and what was said of it."""
    counted: list[Shake] = []

    def count(heads: Sequence[Head], shake: Shake) -> dict[int, float]:
        assert tuple(heads) == tuple(profile.heads_for(profile.sensor, rate))
        counted.append(shake)
        return probabilities_of(heads, shake)

    monkeypatch.setattr("sensors.ear.listener.probabilities_of", count)
    listener = Listener(profile, rate, sound.shape[1], "igloo")
    said = [
        heard
        for block in np.array_split(sound, 97)
        for heard in listener.push(block)
        if isinstance(heard, Heard) and heard.probabilities
    ]
    ((shake,), (heard,)) = counted, said
    return shake, heard


@pytest.mark.parametrize("sensor", ["accelerometer", "contact"])
@pytest.mark.parametrize("beads", [3, 5, 12])
def test_live_both_heads_hear_the_shake_of_the_file_and_count_together(
    sensor: str, beads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, rate = shaken(beads, 60 + beads, sensor)
    profile = load_shipped(sensor)
    lull = round(1.5 * rate)
    quiet = np.repeat(sound[:1], lull, axis=0)  # lying there
    if sensor == "contact":
        hiss = np.std(sound[: round(rate / 50)]) * np.random.default_rng(1).standard_normal((lull, 1))
        quiet = hiss.astype(np.float32)
    whole = np.concatenate([quiet, sound, quiet])
    shake, said = live(profile, rate, whole, monkeypatch)
    # What is said of two or three beads hangs on which frame a hit falls into, by more than a tenth: what is measured
    # is compared. Of another shake half of it differs by more than 0.035; of the same by less than 0.02.
    heads = profile.heads_for(profile.sensor, rate)
    for head, heard in zip(heads, (shake, *shake.beside), strict=True):
        frames = Envelopes(head.front, rate, whole.shape[1]).push(whole)
        first, end = (
            round(s * head.front.frame_rate)
            for s in (said.start_s - BEFORE_S - lead_s(head.front), said.end_s + BEFORE_S)
        )
        of_file = shake_of(head.front, frames.cut(head.front, first, end), known=head.floor)
        assert of_file is not None
        assert heard.names == of_file.names
        assert np.median(np.abs(heard.values - of_file.values)) < 0.03
    assert said.probabilities == probabilities_of(heads, shake)
    alone = probabilities_of(heads[:1], shake)
    assert max(abs(said.probabilities[n] - alone[n]) for n in alone) > 1e-3


def test_what_is_kept_beside_is_bounded_and_stands_at_its_time() -> None:
    sound, rate = shaken(5, 1)
    first, front = BY_NAME["accelerometer-1600"], BY_NAME["accelerometer-800"]
    whole = Envelopes(front, rate, 3).push(sound)
    kept = Beside(front, first, rate, 3)
    for block in np.array_split(sound, 53):
        kept.push(block, Envelopes(first, rate, 3).push(block))
        kept.forget(0.7)
    cut = kept.cut(1.0, 1.5)
    begin = round(1.0 * front.frame_rate)
    np.testing.assert_allclose(cut.energy, whole.energy[begin : begin + len(cut.energy)], rtol=1e-4)
    assert len(cut.energy) == round(1.5 * front.frame_rate) - begin
    assert kept._last.first > 0


def test_bands_that_the_first_front_end_has_heard_are_not_filtered_twice() -> None:
    first, front = BY_NAME["microphone-44100"], BY_NAME["contact-44100"]
    sound = 0.1 * np.random.default_rng(3).standard_normal((96000, 1)).astype(np.float32)
    ear, kept = Envelopes(first, 48000.0, 1), Beside(front, first, 48000.0, 1)
    assert len(kept._envelopes.front.bands) == 2
    for block in np.array_split(sound, 31):
        kept.push(block, ear.push(block))
    cut, whole = kept.cut(0.2, 1.9), Envelopes(front, 48000.0, 1).push(sound)
    begin = round(0.2 * front.frame_rate)
    np.testing.assert_allclose(
        cut.energy, whole.energy[begin : begin + len(cut.energy)], rtol=1e-3, atol=1e-9
    )
    assert len(cut.energy) == round(1.9 * front.frame_rate) - begin
