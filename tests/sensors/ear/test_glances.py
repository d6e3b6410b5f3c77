"""Partial answers: when the network alone tells them, and how those of one shake add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear import glances as module
from sensors.ear.frames.frontend import Envelopes, Frames
from sensors.ear.glances import READ, Glance, Glances, read_alone
from sensors.ear.models.model import posterior
from sensors.ear.models.reading import AFTER_SWEEP
from sensors.ear.profiles.profile import SHIPPED, Head, load_shipped
from sensors.ear.shakes.net import net_for
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.shakes.takes import cut
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.ear.verdicts.verdict import relative_strength
from tests.rattle import RATE, rattle, shaken_sensor


def heard(kind: str, beads: int = 6) -> tuple[Head, Frames]:
    if kind == "accelerometer":
        sound, rate = shaken_sensor(beads, 1), 1600
    else:
        sound, rate = rattle(beads, 1)[:, None], RATE
    profile = load_shipped(kind)
    head = profile.head_for(profile.sensor, rate)
    return head, Envelopes(head.front, rate, sound.shape[1]).push(sound)


def trusting(head: Head, weight: float) -> Head:
    """The same, whose network's reading is believed so far."""
    assert head.model.reading is not None
    return replace(head, model=replace(head.model, reading=replace(head.model.reading, weight=weight)))


def told(ear: Glances, frames: Frames) -> Glance:
    glance = ear.look(frames)
    assert glance is not None
    return glance


@pytest.mark.parametrize("kind", ["microphone", "contact"])
def test_a_shipped_microphone_is_read_by_its_network_alone(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, frames = heard(kind)
    monkeypatch.setattr(module, "shake_of", _measured_after_all)
    glance, take, net = told(Glances([head]), frames), cut(head.front, frames), net_for(head.front.name)
    assert take is not None
    assert net is not None
    logits = net.embedding(take.front, take.seen, take.hand) @ net.weights["out"] + net.biases["out"]
    expected = posterior(READ * logits[None, 1:13].astype(np.float64))[0]
    assert list(glance.probabilities) == list(range(2, 14))
    np.testing.assert_allclose(list(glance.probabilities.values()), expected, atol=2e-3)


def _measured_after_all(*args: object, **kwargs: object) -> Shake | None:
    raise AssertionError("all features were measured")


@pytest.mark.parametrize("kind", list(SHIPPED))
def test_what_the_network_alone_does_not_suffice_for_is_measured_whole(kind: str) -> None:
    head, frames = heard(kind)
    if not head.front.hand:
        assert read_alone(head)
        head = trusting(head, AFTER_SWEEP)  # recordings spoke against it
    assert not read_alone(head)
    glance, shake = told(Glances([head]), frames), shake_of(head.front, frames, quick=True, known=head.floor)
    assert shake is not None
    whole = probabilities_of([head], shake)
    assert list(glance.probabilities) == list(whole)
    np.testing.assert_allclose(list(glance.probabilities.values()), list(whole.values()), atol=1e-6)
    assert glance.strength == relative_strength(head, shake.strength)


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_nothing_is_told_of_silence_nor_of_a_click_and_nothing_is_forgotten_for_it(weight: float) -> None:
    head, frames = heard("contact")
    head = trusting(head, weight)
    still = replace(frames, energy=np.zeros_like(frames.energy))
    click = replace(frames, energy=still.energy.copy())
    click.energy[1000] = 1.0
    ear, other = Glances([head]), Glances([head])
    first = told(ear, frames)
    assert first == told(other, frames)
    assert ear.look(still) is None
    assert ear.look(click) is None
    assert told(ear, frames) == told(other, frames)


def test_how_hard_it_is_shaken_is_the_same_either_way() -> None:
    head, frames = heard("microphone")
    assert (
        told(Glances([head]), frames).strength
        == told(Glances([trusting(head, AFTER_SWEEP)]), frames).strength
    )


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(2, 13), min_size=1, max_size=8), st.randoms())
def test_stretches_of_one_shake_add_up_in_any_order_and_the_next_shake_begins_anew(
    stretches: list[int], dice: object
) -> None:
    head = heard("contact")[0]
    frames = {beads: heard("contact", beads)[1] for beads in set(stretches)}
    ear, again = Glances([head]), Glances([head])
    last = [told(ear, frames[beads]) for beads in stretches][-1]
    assert sum(last.probabilities.values()) == pytest.approx(1)
    dice.shuffle(stretches)  # type: ignore[attr-defined]
    shuffled = [told(again, frames[beads]) for beads in stretches][-1]
    np.testing.assert_allclose(
        list(last.probabilities.values()), list(shuffled.probabilities.values()), atol=1e-9
    )
    ear.begin()
    assert told(ear, frames[stretches[0]]) == told(Glances([head]), frames[stretches[0]])


def test_the_same_again_makes_surer_up_to_some_two_seconds() -> None:
    head, frames = heard("contact")
    ear = Glances([head])
    sure = [max(told(ear, frames).probabilities.values()) for _ in range(8)]
    assert sure[:6] == sorted(sure[:6])
    assert sure[0] < sure[1]
    assert sure[5] == pytest.approx(sure[7])
