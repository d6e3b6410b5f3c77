"""A noise that is taken for a shake by the benefit of the doubt is no sign that the profile is out of date."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Head, Profile, load_shipped
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.hardly import EMPTY, PACED, hardly_a_shake
from sensors.ear.verdicts.no_shake import DOUBTFUL
from sensors.ear.verdicts.reasons import HARDLY_ALIKE, RECALIBRATE
from sensors.evidence import Heard
from tests.rattle import Sound, rattle

RATE = 48000


def typed(seed: int, seconds: float = 4.0) -> Sound:
    """Float32[samples]: keys that are pressed and let go at a desk on which an igloo stands, at no one pace."""
    random = np.random.default_rng(seed)
    out = 2e-5 * random.standard_normal(round((seconds + 1.5) * RATE))
    length = round(0.05 * RATE)
    t, at = np.arange(length) / RATE, 0.3
    while at < seconds:
        for after, loud in ((0.0, 1.0), (random.uniform(0.06, 0.1), 0.4)):
            key = sum(
                random.uniform(0.2, 1.0)
                * np.sin(2 * np.pi * hz * t)
                * np.exp(-t / random.uniform(0.002, 0.01))
                for hz in random.uniform(800, 9000, 6)
            )
            start = round((at + after) * RATE)
            piece = out[start : start + length]
            piece += (0.05 * loud * random.uniform(0.5, 1.0) * key)[: len(piece)]
        at += random.uniform(0.08, 0.2)
    return out.astype(np.float32)


def of_other_igloos() -> Profile:
    """The profile that ships for the shell, as if it had been made for igloos that sound unlike anything."""
    shipped = load_shipped("contact")
    heads = tuple(
        replace(
            head,
            strange_from=None,
            usual=replace(head.usual, limit=1e-6),
            strength_low=-9.0,
            strength_high=9.0,
        )
        for head in shipped.heads
    )
    return replace(shipped, heads=heads)


def said_of(sound: Sound) -> list[Heard]:
    ear = Listener(of_other_igloos(), RATE, 1, "shell")
    said = [*ear.push(sound[:, None]), *ear.finish()]
    return [one for one in said if isinstance(one, Heard) and one.verdict != "not-a-shake"]


def test_typing_asks_nobody_to_recalibrate_and_shakes_that_sound_changed_do() -> None:
    keys = said_of(np.concatenate([typed(seed) for seed in range(8)]))
    assert len(keys) >= 5  # enough that the last five together could be told, too
    assert {one.reason for one in keys} == {HARDLY_ALIKE}
    assert {one.doubt for one in keys} == {"strange"}
    shakes = said_of(np.concatenate([rattle(n, n, rate=RATE) for n in range(3, 6)]))
    assert [one.reason for one in shakes] == [RECALIBRATE] * 3


def head_of(*, hand: bool = False, on_shell: bool = False) -> Head:
    front = SimpleNamespace(hand=hand)
    return cast("Head", SimpleNamespace(front=front, on_shell=hand or on_shell, strength_low=-1.0))


def shake_of(paced: float = 1.0, gaps: float = 0.0, strength: float = 0.0, hz: float = 4.0) -> Shake:
    made: Any = SimpleNamespace(paced=paced, gaps=gaps, seconds=2.0, strength=strength)
    made.pick = lambda names: np.array([math.log(hz)])
    return cast("Shake", made)


@given(paced=st.floats(-1, 1), hz=st.floats(0.1, 20), strength=st.floats(-3, 3))
def test_what_is_clearly_like_a_shake_always_tells_of_the_profile(
    paced: float, hz: float, strength: float
) -> None:
    for head in (head_of(), head_of(on_shell=True), head_of(hand=True)):
        assert not hardly_a_shake(head, shake_of(paced, strength=strength, hz=hz), DOUBTFUL)


@pytest.mark.parametrize(
    ("head", "shake", "hardly"),
    [
        (head_of(), shake_of(), True),
        (head_of(on_shell=True), shake_of(paced=PACED), False),
        (head_of(on_shell=True), shake_of(paced=PACED - 0.01), True),
        (head_of(on_shell=True), shake_of(gaps=EMPTY), False),
        (head_of(on_shell=True), shake_of(gaps=EMPTY - 0.01), True),
        (head_of(hand=True), shake_of(paced=0.0, gaps=-9.0), False),
        (head_of(hand=True), shake_of(hz=20.0), True),
        (head_of(hand=True), shake_of(strength=-1.1), True),
    ],
)
def test_what_is_doubtful_needs_a_hand(head: Head, shake: Shake, hardly: bool) -> None:
    assert hardly_a_shake(head, shake, DOUBTFUL - 0.1) is hardly
