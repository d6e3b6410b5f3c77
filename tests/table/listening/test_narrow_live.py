"""A headset that a sound server resamples to 48 kHz is told once, and its shakes are never sure by a profile that does
not know such; a whole microphone is not blamed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.evidence import Heard, Hearing
from sensors.why import Why
from table.listening.live import hear_live
from table.page.sentences import sentences
from tests.cards import Cards
from tests.narrow import through
from tests.rattle import Sound, rattle

RATE = 48000
QUIET = np.zeros(RATE // 2, np.float32)
WHOLE = np.concatenate([rattle(7, 1, 1.4, RATE), QUIET])
NARROW = np.concatenate([through(16000, rattle(7, 1, 1.4, RATE), RATE), QUIET])
CAUSE = (
    "the sound has nothing above 8 kHz, as after a headset, a telephone or a low MP3, and what is missing tells beads "
    "apart best"
)
MEND = "take the microphone itself as input, at 44.1 or 48 kHz"


class SureEar:
    """Hears one shake, in which `rattle` is shaken, and says so at the end."""

    level_db = -60.0
    leaves_out_losses = False

    def __init__(self, verdict: Any = "sure") -> None:
        self._verdict = verdict

    def push(self, block: np.ndarray) -> Iterator[Heard | Hearing]:
        return iter(())

    def finish(self) -> Iterator[Heard]:
        yield Heard("USB", 0.4, 1.8, self._verdict, {7: 1.0}, 40.0, False, "")


def heard(
    cards: Cards, sound: Sound, profile: Profile, openings: int = 1, verdict: Any = "sure"
) -> tuple[list[Heard], list[dict[str, Any]]]:
    cards.played, clock = sound[:, None], VirtualClock()
    said = list(
        hear_live(
            "USB", profile, False, clock, openings - 0.5, lambda s: clock.set(clock.now() + s),
            at_seat=lambda rate, channels: SureEar(verdict),
        )
    )  # fmt: skip
    told = [one for one in said if isinstance(one, dict) and one["event"] == "sensor"]
    return [one for one in said if isinstance(one, Heard)], told


def test_a_narrow_source_is_told_once_and_its_counts_are_not_sure(cards: Cards) -> None:
    shakes, told = heard(cards, NARROW, load_shipped("microphone"), openings=2)
    assert told == [{"event": "sensor", "source": "USB", "why": CAUSE, "mend": MEND}]
    assert [(one.verdict, one.why, one.doubt) for one in shakes] == 2 * [("unsure", Why.NARROW, "sensor")]
    assert {one.reason for one in shakes} == {f"{CAUSE}: {MEND}"}
    assert all(one.probabilities == {7: 1.0} for one in shakes)


def test_the_panel_says_so_in_every_language() -> None:
    for language in ("de", "fr", "it"):
        assert sentences(language).known(f"{CAUSE} – {MEND}")


def test_a_whole_microphone_is_believed(cards: Cards) -> None:
    shakes, told = heard(cards, WHOLE, load_shipped("microphone"))
    assert ([one.verdict for one in shakes], told) == (["sure"], [])


def test_what_was_no_shake_tells_of_no_microphone(cards: Cards) -> None:
    shakes, told = heard(cards, NARROW, load_shipped("microphone"), verdict="not-a-shake")
    assert ([one.verdict for one in shakes], told) == (["not-a-shake"], [])


def test_a_profile_of_such_takes_is_believed(cards: Cards) -> None:
    shipped = load_shipped("microphone")
    own = replace(shipped, digest="own", fitted_on=replace(shipped.fitted_on, narrow_takes=6))
    shakes, told = heard(cards, NARROW, own)
    assert ([one.verdict for one in shakes], told) == (["sure"], [])


def test_the_ear_itself_hears_such_a_source_to_the_end(cards: Cards) -> None:
    cards.played, clock = NARROW[:, None], VirtualClock()
    live = hear_live(
        "USB", load_shipped("microphone"), False, clock, 0.5, lambda s: clock.set(clock.now() + s)
    )
    (shake,) = (one for one in live if isinstance(one, Heard))
    assert (shake.verdict, shake.why) == ("unsure", Why.NARROW)
