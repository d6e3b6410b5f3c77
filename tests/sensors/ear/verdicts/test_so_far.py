"""Partial answers are for what would be taken for a shake if it ended now (`verdicts.so_far`)."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard, Hearing
from tests.rattle import RATE, Sound, rattle
from tests.sensors.ear.listening import quiet


def knocks(times: int, apart_s: float) -> Sound:
    """A knuckle on a table top, at an even pace, and a second of quiet after them."""
    t, random = np.arange(round(0.4 * RATE)) / RATE, np.random.default_rng(5)
    knock = np.sin(2 * np.pi * 180 * t) * np.exp(-t / 0.06)
    knock += 0.3 * random.standard_normal(len(t)) * np.exp(-t / 0.01)
    sound = quiet(times * apart_s + 1.4)
    for k in range(times):
        at = round(k * apart_s * RATE)
        sound[at : at + len(knock)] += (0.4 * knock).astype(np.float32)
    return sound


def said_of(sound: Sound) -> list[Heard | Hearing]:
    ear = Listener(load_shipped("microphone"), RATE, 1, "table", partial=True)
    return [*ear.push(sound[:, None]), *ear.finish()]


@pytest.mark.parametrize(("times", "apart_s"), [(1, 0.3), (3, 0.3), (6, 0.2)])
def test_knocks_on_the_table_have_no_partial_answer(times: int, apart_s: float) -> None:
    """Three of them were two beads, surely, until their verdict came."""
    said = said_of(np.concatenate([quiet(2), knocks(times, apart_s)]))
    assert [one.verdict for one in said if isinstance(one, Heard)] == ["not-a-shake"]
    assert not [one for one in said if isinstance(one, Hearing)]


def test_a_shake_after_knocks_has_partial_answers() -> None:
    said = said_of(np.concatenate([quiet(2), knocks(3, 0.3), rattle(7, 5), quiet(1)]))
    assert len([one for one in said if isinstance(one, Hearing)]) >= 4
    assert isinstance(said[0], Heard)
    assert all(one.start_s > said[0].end_s for one in said if isinstance(one, Hearing))
