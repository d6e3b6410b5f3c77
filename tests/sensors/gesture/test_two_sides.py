"""An igloo is told by its weight and by what goes with the seat sideways: these scatter each by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sensors.ear.profiles.profile_json import canonical, digest_of
from sensors.gesture.day import Day
from sensors.gesture.model import Noise, SetModel, Weighing, fit_set
from sensors.gesture.profile import FORMAT, VERSION, parse, save
from tests.sensors.gesture.seat_table import fitted
from tests.sensors.gesture.weights import BEAD, COUNTS, shells_of, weighed


def a_set(noise: Noise, seed: int) -> tuple[SetModel, list[tuple[int, Weighing]]]:
    """A set as its owner weighed it, and all its igloos on a day as that."""
    r, shells = np.random.default_rng(seed), shells_of(seed)
    owner = [weighed(n, BEAD, shells[n], r, noise) for n in COUNTS]
    return fit_set(owner, COUNTS, COUNTS, noise), [(n, weighed(n, BEAD, shells[n], r, noise)) for n in COUNTS]


def told(by_what_is_loose: bool) -> tuple[float, float]:
    """How often an igloo is told, and how often one that seems certain is, where nubs are pressed three times as
    differently each time as usual."""
    right, certain = list[bool](), list[bool]()
    for seed in range(40):
        model, guests = a_set(Noise(nub=6e-3), seed)
        day = Day.unknown(replace(model, weighed=(0,) * len(COUNTS)) if by_what_is_loose else model)
        for n, w in guests:
            p = day.probabilities(w)
            day = day.learned(w)
            right.append(COUNTS[int(np.argmax(p))] == n)
            certain += right[-1:] if p.max() > 0.9 else []
    return float(np.mean(right)), float(np.mean(certain))


def test_a_weight_that_goes_astray_is_no_second_witness_as_what_is_loose() -> None:
    """What is loose goes astray with it: who believes both is wrong more often, and then seems certain."""
    right, certain = told(by_what_is_loose=False)
    right_by_loose, certain_by_loose = told(by_what_is_loose=True)
    assert right > 0.99 > right_by_loose
    assert certain == 1.0 > certain_by_loose


def test_an_igloo_that_was_weighed_lies_beside_its_s_and_another_beside_its_b() -> None:
    model, _ = a_set(Noise(), 3)
    some = replace(model, weighed=(*model.weighed[:-1], 0))
    t, s = 0.5, np.array([0.3, 0.4])
    assert some.beside(t, s)[:, 0] == pytest.approx(s - model.stiff[0])
    assert some.beside(t, s)[:, -1] == pytest.approx(t - s - model.means[-1, 1])


def test_a_profile_from_before_believes_what_goes_sideways_as_little_as_what_is_loose(tmp_path: Path) -> None:
    kept = json.loads(_text(tmp_path))["body"]
    noise = kept["sets"]["set"]["noise"]
    del kept["sets"]["set"]["sideways"]
    old = {"format": FORMAT, "version": VERSION, "digest": digest_of(canonical(kept)), "body": kept}
    read = parse(json.dumps(old), "old.profile").sets["set"].model.noise
    assert (read.tap_sideways, read.rolling) == (noise["tap_loose"], noise["wander"])
    assert (read.shear, read.lean_sideways) == (0.0, noise["lean"])
    assert parse(_text(tmp_path), "new.profile").sets["set"].model.noise == fitted().sets["set"].model.noise


def _text(folder: Path) -> str:
    save(fitted(), folder / "seat.profile")
    return (folder / "seat.profile").read_text()
