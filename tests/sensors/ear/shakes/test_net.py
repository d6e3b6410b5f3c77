"""The network that looks at whole shakes: its arithmetic against a slow one, what it must not hear, who may use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import FRONT_ENDS, Array, Envelopes, FrontEnd
from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.model import EarModel, posterior
from sensors.ear.models.reading import AFTER_SWEEP, UNCALIBRATED, Reading, reading_of
from sensors.ear.profiles import model_json, profile_json
from sensors.ear.profiles import profile as profiles
from sensors.ear.shakes import net as nets
from sensors.ear.shakes.features import features_of
from sensors.ear.shakes.takes import Take, between, cut
from tests.rattle import RATE, rattle, shaken_sensor

COUNTS = tuple(range(2, 14))
WITH_NETS = [front for front in FRONT_ENDS if nets.net_for(front.name) is not None]


def take_of(front: FrontEnd, beads: int = 5, seed: int = 0, gain: float = 1.0) -> Take:
    rate = round(max(front.least_rate, RATE if front.sensor == "microphone" else 3200))
    sound = shaken_sensor(beads, seed, rate=rate) if front.hand else rattle(beads, seed, rate=rate)[:, None]
    envelopes = Envelopes(front, rate, sound.shape[1])
    take = cut(front, envelopes.push((gain * sound).astype(np.float32)))
    assert take is not None
    return take


def embedded(net: nets.Net, take: Take) -> Array:
    return net.embedding(take.front, take.seen, take.hand, take.ahead)


def slowly(net: nets.Net, take: Take) -> Array:
    """The same network, convolution by convolution, one output at a time."""

    def layer(name: str, x: Array, step: int = 1) -> Array:
        weights, apart = net.weights[name].astype(np.float64), nets.DILATION.get(name, 1)
        half = weights.shape[0] // 2
        out = np.zeros((len(x) // step, weights.shape[2]))
        for i in range(len(out)):
            out[i] = net.biases[name]
            for k in range(weights.shape[0]):
                at = i * step + (k - half) * apart
                if 0 <= at < len(x):
                    out[i] += x[at] @ weights[k]
        return np.maximum(out, 0)

    steps = nets.steps_of(take.front)
    points = len(take.log) // steps.whole
    x = nets.envelopes(take.seen[: points * steps.whole])
    fine = layer("1", x, steps.first)
    x = layer("2", fine, steps.second)
    if take.front.hand:
        x = np.column_stack([x, nets.hand_columns(take.front, take.hand, points, take.ahead)])
    x = layer("3", x)
    for name in ("4", "5"):
        x = x + layer(name, x)
    pooled = np.concatenate([x.mean(axis=0), np.sqrt(x.var(axis=0) + 1e-4), fine.mean(axis=0)])
    return np.maximum(pooled @ net.weights["dense"] + net.biases["dense"], 0)


@pytest.mark.parametrize("front", WITH_NETS, ids=lambda front: front.name)
def test_the_fast_arithmetic_is_the_slow_one(front: FrontEnd) -> None:
    net = nets.net_for(front.name)
    assert net is not None
    take = take_of(front)
    np.testing.assert_allclose(embedded(net, take), slowly(net, take), rtol=2e-3, atol=2e-3)


def test_every_front_end_of_whole_sound_has_a_network() -> None:
    named = {front.name for front in WITH_NETS}
    assert {"microphone-44100", "accelerometer-3200", "accelerometer-1600", "accelerometer-800"} <= named


@pytest.mark.parametrize("gain", [0.01, 0.3, 3.0])
def test_a_microphones_gain_is_not_heard(gain: float) -> None:
    front = FRONT_ENDS[0]
    net = nets.net_for(front.name)
    assert net is not None
    plain, other = embedded(net, take_of(front)), embedded(net, take_of(front, gain=gain))
    assert np.abs(plain - other).max() < 0.02 * max(1.0, float(np.abs(plain).max()))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_how_a_sensor_is_stuck_on_is_not_felt(seed: int) -> None:
    random = np.random.default_rng(seed)
    hand = (random.normal(0, 1, (120, 3)) * (1.0, 0.5, 0.2) + random.gamma(1, 0.3, (120, 1))).astype(
        np.float32
    )
    turned = hand @ np.linalg.qr(random.normal(size=(3, 3)))[0].astype(np.float32)
    front = next(front for front in WITH_NETS if front.hand)
    one, other = (nets.hand_columns(front, motion, 50, 0.3) for motion in (hand, turned))
    np.testing.assert_allclose(one, other, atol=0.02)


@pytest.mark.parametrize("front", [f for f in WITH_NETS if f.hand], ids=lambda front: front.name)
def test_the_hand_stands_where_it_moved_wherever_a_take_begins(front: FrontEnd) -> None:
    """Its frames are 10 ms, those of the hits half a millisecond: what is cut off whole is made good."""
    sound = shaken_sensor(5, 0, rate=3200)
    envelopes = Envelopes(front, 3200, sound.shape[1])
    frames = envelopes.push(sound.astype(np.float32))
    step = nets.steps_of(front).whole
    begin = round(0.7 * front.frame_rate)
    first = between(front, frames, begin, begin + 120 * step)
    later = between(front, frames, begin + step, begin + 121 * step)
    assert first is not None
    assert later is not None
    size, again = (nets.hand_columns(front, t.hand, 120, t.ahead)[:, 4] for t in (first, later))
    np.testing.assert_allclose(size[2:], again[1:-1], atol=1e-5)
    assert np.ptp(size) > 0.1  # g: there is something that could stand elsewhere


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(0, 60), st.floats(-20, 20))
def test_a_take_of_any_length_gives_finite_numbers(frames: int, hand: int, level: float) -> None:
    for front in WITH_NETS:
        log = np.full((frames, nets.columns_of(front)), level)
        felt = np.ones((hand, 3), np.float32) if front.hand else np.zeros((0, 3), np.float32)
        net = nets.net_for(front.name)
        assert net is not None
        made = net.embedding(front, log, felt)
        assert made.shape == (64,)
        assert np.all(np.isfinite(made))


def test_the_reading_is_the_last_layer_over_the_counts_that_are_asked_for() -> None:
    front = FRONT_ENDS[0]
    net = nets.net_for(front.name)
    assert net is not None
    features = features_of(take_of(front))
    names = tuple(features)
    reading = reading_of(net, names, COUNTS, UNCALIBRATED)
    assert reading is not None
    values = np.array([list(features.values())])
    logits = embedded(net, take_of(front)) @ net.weights["out"] + net.biases["out"]
    np.testing.assert_allclose(reading.log_likelihood(values, COUNTS)[0], logits[1:13], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(
        reading.log_likelihood(values, (3, 7))[0], logits[[2, 6]], rtol=1e-3, atol=1e-3
    )


@pytest.mark.parametrize("counts", [(0, 1, 2), tuple(range(2, 21))])
def test_counts_beyond_what_was_learned_are_not_read(counts: tuple[int, ...]) -> None:
    net = nets.net_for(FRONT_ENDS[0].name)
    assert reading_of(net, [f"net.{i}" for i in range(64)], counts, UNCALIBRATED) is None
    assert reading_of(None, [f"net.{i}" for i in range(64)], COUNTS, UNCALIBRATED) is None
    assert reading_of(net, ["loc.crest"], COUNTS, UNCALIBRATED) is None


def test_a_shipped_profile_reads_and_a_sweep_makes_it_lean_on_that_less() -> None:
    for kind in profiles.SHIPPED:
        for head in profiles.load_shipped(kind).heads:
            if nets.net_for(head.front.name) is not None:
                assert head.model.reading is not None, head.front.name
                assert AFTER_SWEEP < head.model.reading.weight <= UNCALIBRATED


def test_a_profile_keeps_its_reading(tmp_path: Path) -> None:
    shipped = profiles.load_shipped("contact")
    again = profiles.load(Path(_saved(shipped, tmp_path)))
    values = np.random.default_rng(0).normal(0, 1, (4, len(shipped.heads[0].model.names)))
    np.testing.assert_allclose(
        posterior(again.heads[0].model.log_likelihood(values)),
        posterior(shipped.heads[0].model.log_likelihood(values)),
        atol=1e-4,
    )


def test_a_profile_of_another_network_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _saved(profiles.load_shipped("contact"), tmp_path)
    net = nets.net_for(FRONT_ENDS[0].name)
    assert net is not None
    for other in (None, replace(net, digest="0" * 16)):
        monkeypatch.setattr(profile_json, "net_for", lambda front, other=other: other)
        with pytest.raises(ProfileError, match=r"another network for microphone-44100.*fit it again"):
            profiles.load(path)


def _saved(profile: profiles.Profile, folder: Path) -> Path:
    path = folder / "mine.profile"
    profiles.save(profile, path)
    return path


def test_numbers_that_are_no_reading_are_refused() -> None:
    good = {"columns": [0, 1], "slopes": [0.0] * 32, "intercepts": [0.0] * 16, "weight": 0.5}
    assert isinstance(model_json.reading_from(good, 2, COUNTS), Reading)
    for bad in (
        {"columns": [0, 2]},
        {"slopes": [0.0] * 31},
        {"slopes": [float("nan")] * 32},
        {"intercepts": [0.0] * 15},
        {"weight": 1.5},
    ):
        with pytest.raises(ValueError):
            model_json.reading_from(good | bad, 2, COUNTS)
    with pytest.raises(ValueError):
        model_json.reading_from(good, 2, (2, 17))


def sweep_of(model: EarModel, counts: tuple[int, ...], rounds: int = 3):
    """Features about the middle of what the model knows, which tell the network nothing; beads, rounds."""
    random = np.random.default_rng(1)
    beads = np.tile(np.array(counts, dtype=np.intp), rounds)
    values = model.scaling.median + 0.1 * model.scaling.spread * random.normal(
        size=(len(beads), len(model.names))
    )
    return values, beads, np.repeat(np.arange(rounds), len(counts))


def test_a_sweep_that_contradicts_the_reading_takes_its_weight_away() -> None:
    model = profiles.load_shipped("contact").heads[0].model
    assert model.reading is not None
    values, beads, rounds = sweep_of(model, COUNTS)
    # whatever is heard, the network says thirteen
    model = replace(
        model, reading=replace(model.reading, intercepts=np.eye(16)[12] * 40, slopes=0 * model.reading.slopes)
    )
    fitted = fit_model(model.names, values, Labels(beads, rounds, rounds), COUNTS, model).model
    assert fitted.reading is not None
    assert fitted.reading.weight == 0.0


def test_a_fit_to_counts_that_the_network_never_learned_goes_on_without_it() -> None:
    model = profiles.load_shipped("contact").heads[0].model
    counts = tuple(range(2, 21))
    values, beads, rounds = sweep_of(model, counts)
    fitted = fit_model(model.names, values, Labels(beads, rounds, rounds), counts, model)
    assert fitted.model.reading is None
    assert np.all(np.isfinite(fitted.scores))
