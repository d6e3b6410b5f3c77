"""What comes of an input device: splices where sound was lost, one channel or two of a stereo socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.frames.mixing import Mixer
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import SeatListener
from sensors.ear.seats.together import Seats
from sensors.ear.verdicts.lost_sound import FELL_SILENT, PACKETS_LOST, SOUND_LOST, WENT_AWAY, LostSound
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.ear.verdicts.reasons import KNOCK, RECALIBRATE, TOO_GENTLE, TOO_SHORT, UNLIKE, could_be
from sensors.evidence import Heard, Hearing
from sensors.why import Reason
from table.commands.record_source import opener
from table.listening.live import hear_live
from table.listening.seat_each import _Table
from tests.cards import Cards

UNDECIDED, OVERDRIVEN = could_be({7: 0.5, 8: 0.5}), IN_ROOM.overdriven


class SureEar:
    """Hears one shake, from 0.02 to 0.08 s, and says so at the end."""

    level_db = -60.0
    leaves_out_losses = False

    def push(self, block: np.ndarray) -> Iterator[Heard | Hearing]:
        return iter(())

    def finish(self) -> Iterator[Heard]:
        yield Heard("USB", 0.02, 0.08, "sure", {7: 1.0}, 40.0, False, "")


# blocks of 0.02 s
@pytest.mark.parametrize(("block", "sure"), [(None, True), (2, False), (4, False), (9, False), (12, True)])
def test_a_shake_with_a_splice_in_it_is_not_sure(cards: Cards, block: int | None, sure: bool) -> None:
    cards.blocks, cards.lost = 20, {} if block is None else {block: 1}
    said = list(
        hear_live(
            "USB", load_shipped("microphone"), False, VirtualClock(), 1.0, lambda s: None,
            stopped=iter([*20 * [False], True, True]).__next__, at_seat=lambda rate, channels: SureEar(),
        )
    )  # fmt: skip
    heard = next(one for one in said if isinstance(one, Heard))
    assert (heard.verdict == "sure") is sure
    assert heard.reason == (None if sure else SOUND_LOST)
    assert heard.probabilities == {7: 1.0}
    assert [one["blocks"] for one in said if isinstance(one, dict) and one["event"] == "overflow"] == (
        [] if block is None else [1]
    )


@pytest.mark.parametrize(
    ("verdict", "doubt", "reason", "told"),
    [
        ("unsure", "odds", UNDECIDED, SOUND_LOST),
        ("unsure", "strange", could_be({7: 0.6, 8: 0.4}), SOUND_LOST),
        ("unsure", "sensor", OVERDRIVEN, OVERDRIVEN),
        ("unsure", "sensor", RECALIBRATE, SOUND_LOST),
        ("unsure", "sensor", UNLIKE, SOUND_LOST),
        ("not-a-shake", "", KNOCK, KNOCK),
    ],
)
def test_what_was_ill_heard_anyway_keeps_its_reason(
    verdict: Any, doubt: Any, reason: Reason, told: Reason
) -> None:
    splices = LostSound()
    splices.lost(3.0)
    heard = Heard("mic", 2.0, 4.0, verdict, {}, 40.0, False, "", reason=reason, doubt=doubt)
    assert splices.judge(heard).reason == told
    assert splices.judge(heard).verdict == verdict
    splices.lost(100.0)  # what is long past is forgotten
    assert splices.judge(heard) is heard


@pytest.mark.parametrize(
    ("bridged_s", "verdict", "doubt", "reason", "told"),
    [
        (0.02, "sure", "", None, ("unsure", "odds", PACKETS_LOST)),
        (0.02, "unsure", "odds", UNDECIDED, ("unsure", "odds", UNDECIDED)),
        (0.02, "unsure", "sensor", RECALIBRATE, ("unsure", "strange", PACKETS_LOST)),
        (0.02, "not-a-shake", "", KNOCK, ("not-a-shake", "", KNOCK)),
        (0.30, "sure", "", None, ("unsure", "sensor", PACKETS_LOST)),
        (0.30, "unsure", "odds", UNDECIDED, ("unsure", "sensor", PACKETS_LOST)),
        (0.30, "unsure", "sensor", TOO_GENTLE, ("unsure", "sensor", PACKETS_LOST)),
        (0.30, "not-a-shake", "", KNOCK, ("not-a-shake", "", PACKETS_LOST)),
    ],
)
def test_a_shake_with_bridges_in_it_is_not_sure_and_with_long_ones_ill_heard(
    bridged_s: float, verdict: Any, doubt: Any, reason: Reason | None, told: tuple[str, str, str]
) -> None:
    """A bridge hides hits: with half of its packets lost a dozen beads count as seven."""
    bridges = LostSound()
    heard = Heard("igloo", 2.0, 4.0, verdict, {}, 40.0, False, "", reason=reason, doubt=doubt)
    bridges.bridged(0.0, 1.5)
    bridges.bridged(4.2, 9.0)
    assert bridges.judge(heard) is heard  # before it and after it
    bridges.bridged(3.0, 3.0 + bridged_s)
    said = bridges.judge(heard)
    assert (said.verdict, said.doubt, said.reason) == told


@pytest.mark.parametrize("at_s", [3.0, 4.3])
@pytest.mark.parametrize(
    ("verdict", "doubt", "reason", "told"),
    [
        ("sure", "", None, ("unsure", "odds")),
        ("unsure", "odds", UNDECIDED, ("unsure", "odds")),
        ("unsure", "sensor", TOO_SHORT, ("unsure", "sensor")),
        ("unsure", "sensor", RECALIBRATE, ("unsure", "strange")),
        ("not-a-shake", "", KNOCK, ("not-a-shake", "")),
    ],
)
def test_a_shake_in_whose_midst_the_sensor_fell_silent_or_went_away_says_so(
    at_s: float, verdict: Any, doubt: Any, reason: Reason | None, told: tuple[str, str]
) -> None:
    """Also between two strokes, when the shake seems to have ended already. What was felt counts."""
    silent = LostSound()
    heard = Heard("igloo", 2.0, 4.0, verdict, {}, 40.0, False, "", reason=reason, doubt=doubt)
    silent.bridged(1.0, 1.0)
    silent.bridged(5.0, 5.0)
    assert silent.judge(heard) is heard  # before it and after it
    assert silent.whole(2.0, 4.0)
    silent.bridged(at_s, at_s)
    assert not silent.whole(2.0, 4.0)
    said = silent.judge(heard)
    assert (said.verdict, said.doubt, said.reason) == (*told, FELL_SILENT)
    gone = LostSound()
    gone.went_away(5.0)
    assert gone.judge(heard) is heard
    gone.went_away(at_s)
    assert not gone.whole(2.0, 4.0)
    said = gone.judge(heard)
    assert (said.verdict, said.doubt, said.reason) == (*told, WENT_AWAY)


def test_a_gentle_shake_that_was_broken_off_was_too_gentle() -> None:
    heard = Heard("igloo", 2.0, 4.0, "unsure", {}, 40.0, False, "", reason=TOO_GENTLE, doubt="sensor")
    gone = LostSound()
    gone.went_away(4.1)
    assert gone.judge(heard) is heard


class AskingEar(SureEar):
    """Keeps how it asks whether nothing was lost."""

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        self.whole = whole


@pytest.mark.parametrize(("block", "whole"), [(None, True), (4, False), (12, True)])
def test_an_ear_may_ask_where_sound_was_lost(cards: Cards, block: int | None, whole: bool) -> None:
    cards.blocks, cards.lost, ear = 20, {} if block is None else {block: 1}, AskingEar()
    list(
        hear_live(
            "USB", load_shipped("microphone"), False, VirtualClock(), 1.0, lambda s: None,
            stopped=iter([*20 * [False], True, True]).__next__, at_seat=lambda rate, channels: ear,
        )
    )  # fmt: skip
    assert ear.whole(0.02, 0.08) is whole


@pytest.mark.parametrize("leaves_out", [False, True])
def test_only_an_ear_that_leaves_out_what_was_lost_may_be_sure_of_the_rest(
    cards: Cards, leaves_out: bool
) -> None:
    cards.blocks, cards.lost, ear = 20, {4: 1}, AskingEar()
    ear.leaves_out_losses = leaves_out
    said = hear_live(
        "USB", load_shipped("microphone"), False, VirtualClock(), 1.0, lambda s: None,
        stopped=iter([*20 * [False], True, True]).__next__, at_seat=lambda rate, channels: ear,
    )  # fmt: skip
    assert [one.verdict == "sure" for one in said if isinstance(one, Heard)] == [leaves_out]


def test_all_seats_of_a_card_are_told_where_its_sound_was_lost() -> None:
    profile = load_shipped("microphone")
    shared = Seats(("red", "blue"))
    ears = [SeatListener(profile, 48000.0, 1, "card", shared, seat) for seat in ("red", "blue")]
    _Table(ears, 48000.0).ask_whole(lambda start_s, end_s: start_s > 5)
    assert [ear._whole(*at) for ear in ears for at in ((1.0, 2.0), (6.0, 7.0))] == [False, True] * 2


def test_an_overdriven_shake_says_so_whatever_was_lost() -> None:
    bridges = LostSound()
    bridges.bridged(2.5, 3.5)
    heard = Heard("igloo", 2.0, 4.0, "unsure", {}, 40.0, True, "", reason=OVERDRIVEN, doubt="sensor")
    assert bridges.judge(heard) is heard


class LoudEar(SureEar):
    """Keeps what it heard, as ears mix it."""

    def __init__(self, channels: int) -> None:
        self.channels, self.heard, self._mixer = channels, list[np.ndarray](), Mixer()

    def push(self, block: np.ndarray) -> Iterator[Heard | Hearing]:
        self.heard.append(self._mixer.push(block))
        return iter(())


def ear_at(source: str) -> LoudEar:
    ears: list[LoudEar] = []

    def ear(rate: float, channels: int) -> LoudEar:
        ears.append(LoudEar(channels))
        return ears[-1]

    heard = hear_live(
        source, load_shipped("microphone"), False, VirtualClock(), 0.5, lambda s: None, at_seat=ear,
        stopped=iter([False, False, True, True]).__next__,
    )  # fmt: skip
    assert len(list(heard)) == 3  # open, what was heard, the count
    return ears[0]


@pytest.mark.parametrize(("second", "left"), [(-1.0, 1.0), (1.0, 1.0), (0.0, 0.5)])
def test_a_balanced_microphone_on_a_stereo_socket_is_heard(cards: Cards, second: float, left: float) -> None:
    """One sound twice, the second upside down: a sound system that makes one channel of them leaves nothing."""
    cards.devices = [("socket", 32, 48000.0)]
    one = np.sin(np.arange(960) / 7).astype(np.float32)
    cards.sound = np.stack([one, second * one], axis=1)
    ear = ear_at("socket")
    assert (ear.channels, cards.opened) == (2, [(0, 2)])
    np.testing.assert_allclose(ear.heard[-1], left * one, atol=1e-6)


@pytest.mark.parametrize(("channels", "stereo"), [(1, True), (2, False)])
def test_a_device_that_gives_no_two_channels_gives_one(cards: Cards, channels: int, stereo: bool) -> None:
    cards.devices, cards.stereo = [("USB mic", channels, 44100.0)], stereo
    cards.sound = np.full((882, 1), 0.25, np.float32)
    ear = ear_at("USB")
    assert (ear.channels, cards.opened) == (1, [(0, 1)])
    assert np.all(ear.heard[-1] == 0.25)


def test_the_wizard_opens_a_stereo_socket_as_listening_does(cards: Cards) -> None:
    cards.devices = [("socket", 2, 48000.0)]
    with opener("socket", 2.0)(7) as stream:
        assert (stream.channels, cards.opened) == (2, [(0, 2)])
    cards.stereo = False
    with opener("socket", 2.0)(7) as stream:
        assert stream.channels == 1
