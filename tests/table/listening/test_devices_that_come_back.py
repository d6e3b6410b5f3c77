"""Input devices that go away and come back otherwise: a stand-in for PortAudio whose list of devices changes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import CaptureLost, NoSuchInput, ProfileError
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources import capture
from sensors.evidence import Heard, Hearing
from table.commands.listen_sources import of_one
from table.listening.live import hear_live
from table.listening.seat_each import hear_seats_live
from tests.cards import Cards, Devices

Event = dict[str, Any]


def links(source: str, cards: Cards, *later: Devices, seats: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is told of the device while it goes away again and again, and `later` is there each time."""
    clock, turns = VirtualClock(), iter(later)

    def wait(seconds: float) -> None:
        clock.set(clock.now() + seconds)
        cards.devices = next(turns, cards.devices)

    told: list[tuple[str, str]] = []

    def note(said: Heard | Hearing | Event) -> None:
        if isinstance(said, dict) and said["event"] == "link":
            told.append((said["state"], said["why"]))

    profile, seconds = load_shipped("microphone"), len(later) + 0.5
    live = (
        hear_seats_live(source, seats, profile, False, clock, seconds, wait)
        if seats
        else hear_live(source, profile, False, clock, seconds, wait)
    )
    for said in live:
        note(said)
    return told


def test_a_port_that_comes_up_meanwhile_is_no_microphone(
    cards: Cards, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It was not there yet when the profile was chosen: a node was refused as too slow a microphone."""
    master, slave = os.openpty()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "table.listening.live.get_ready", lambda sensor: Path("igloos").symlink_to(os.ttyname(slave))
    )
    complain: list[str] = []
    with pytest.raises(NoSuchInput, match="igloos"):
        list(of_one("igloos", None, False, 1.0, complain.append, complain.append, False))
    os.close(master)
    os.close(slave)


def test_an_input_without_the_highest_bands_is_told_once(cards: Cards) -> None:
    """Counts are two beads off by a headset of 16 kHz, and to shake again mends nothing."""
    said: list[Event] = []
    for rate in (16000.0, 48000.0):
        cards.devices, clock = [("headset", 1, rate)], VirtualClock()
        live = hear_live(
            "headset",
            load_shipped("microphone"),
            False,
            clock,
            2.5,
            lambda seconds, clock=clock: clock.set(clock.now() + seconds),
        )
        said += [one for one in live if isinstance(one, dict) and one["event"] == "sensor"]
    assert [(one["why"].partition(",")[0], "48 kHz" in one["mend"]) for one in said] == [
        ("it has only 16000 Hz", True)
    ]


def test_a_device_that_comes_back_too_slow_stays_lost_until_it_is_fit(cards: Cards) -> None:
    slow, fit = [("headset", 1, 4000.0)], [("headset", 1, 48000.0)]
    cards.devices = fit
    told = links("headset", cards, slow, slow, fit)
    assert [state for state, _ in told] == ["open", "lost", "lost", "back", "lost"]
    assert "and this source has 4000 Hz – record at " in told[2][1]
    cards.devices = slow
    with pytest.raises(ProfileError):
        links("headset", cards)  # what was never heard is told at once


def test_a_sound_system_that_is_down_for_a_while_makes_no_ear_deaf_for_good(cards: Cards) -> None:
    cards.devices = [("mic", 1, 48000.0)]
    cards.fails = 3
    told = links("mic", cards, *[cards.devices] * 5)
    assert cards.fails == 0
    assert [state for state, _ in told] == ["open", "lost", "back", "lost", "back", "lost"]


def test_a_sound_system_that_never_came_up_is_said_in_one_sentence(cards: Cards) -> None:
    cards.up, cards.fails = False, 9
    with pytest.raises(CaptureLost, match="PortAudio does not start"):
        links("mic", cards)


def test_a_sound_card_that_comes_back_with_fewer_channels_stays_lost(cards: Cards) -> None:
    cards.devices = [("card", 2, 48000.0)]
    told = links("card", cards, [("card", 1, 48000.0)], [("card", 2, 48000.0)], seats=("red", "blue"))
    assert [state for state, _ in told] == ["open", "lost", "lost", "back", "lost"]
    assert "card has 1 channel, and 2 seats are named" in told[2][1]
    cards.devices = [("card", 1, 48000.0)]
    with pytest.raises(UsageError):
        links("card", cards, seats=("red", "blue"))


class OneShake:
    """Hears one shake, from 0.06 to 0.1 s of what it is given."""

    level_db = -60.0
    leaves_out_losses = False

    def push(self, block: np.ndarray) -> Iterator[Heard | Hearing]:
        yield Hearing("mic", 0.06, 0.08, {7: 1.0}, -20.0)

    def finish(self) -> Iterator[Heard]:
        yield Heard("mic", 0.06, 0.1, "unsure", {7: 1.0}, 40.0, False, "")


def test_time_goes_on_while_a_device_is_away(cards: Cards) -> None:
    """Else two shakes begin at one and the same second, and the later would take the place of the first."""
    cards.devices = [("mic", 1, 48000.0)]
    clock = VirtualClock()
    clock.set(1000.0)  # of a machine that is up for a while

    def wait(seconds: float) -> None:
        clock.set(clock.now() + 2.5)

    live = hear_live(
        "mic", load_shipped("microphone"), True, clock, 6.0, wait, at_seat=lambda rate, channels: OneShake()
    )
    said = list(live)
    heard = [(one.start_s, one.end_s) for one in said if isinstance(one, Heard)]
    assert heard == [pytest.approx((away + 0.06, away + 0.1)) for away in (0.0, 2.5, 5.0)]
    felt = {(round(one.start_s, 3), round(one.now_s, 3)) for one in said if isinstance(one, Hearing)}
    assert felt == {(0.06, 0.08), (2.56, 2.58), (5.06, 5.08)}


def test_another_device_that_moved_up_in_the_list_is_not_taken_for_the_lost_one(cards: Cards) -> None:
    cards.devices = [("Built-in", 1, 48000.0), ("USB mic", 1, 48000.0), ("Webcam", 1, 48000.0)]
    left = [("Built-in", 1, 48000.0), ("Webcam", 1, 48000.0)]
    again = [*left, ("USB mic", 1, 44100.0)]
    assert links("1", cards, left, left, again) == [
        ("open", "USB mic, 48000 Hz"),
        ("lost", "USB mic fell silent"),
        ("back", "USB mic, 44100 Hz"),
        ("lost", "USB mic fell silent"),
    ]


@pytest.mark.parametrize(
    ("source", "first", "later", "back"),
    [
        ("1", ["A", "Mic (hw:2,0)"], ["A", "Mic (hw:3,0)"], "Mic (hw:3,0)"),  # in another slot
        ("2", ["A", "Mic (hw:1,0)", "Mic (hw:2,0)"], ["A", "Mic (hw:1,0)"], None),  # its twin
        ("mic", ["Mic one", "Mic two"], ["Mic two"], None),
        ("mic", ["Mic one", "A"], ["A", "Mic two"], "Mic two"),  # somebody plugged another one in
        ("0", ["Mic one", "A"], ["Mic two", "A"], None),
        ("default", ["Built-in", "A"], ["A"], "A"),  # what the system says
        ("1", ["Mic", "Mic"], ["Mic", "Mic"], "Mic"),
    ],
)
def test_what_comes_back_is_the_very_device_or_came_in_its_place(
    cards: Cards, source: str, first: list[str], later: list[str], back: str | None
) -> None:
    cards.devices, then = (
        [(name, 1, 48000.0 + k) for k, name in enumerate(names)] for names in (first, later)
    )
    told = links(source, cards, then)
    assert [why.partition(", ")[0] for state, why in told if state == "back"] == ([back] if back else [])
    if later == first:
        assert told[0][1] == told[2][1]  # of two with one name the same place


def test_what_was_lost_is_counted_with_the_block_before_which_it_was(cards: Cards) -> None:
    """Who reads may be seconds behind what PortAudio says."""
    cards.lost = {3: 1}
    with capture.Capture(capture.find_input("USB")) as stream:
        counts = []
        for _ in stream.blocks():
            counts.append(stream.overflows)
            if len(counts) == cards.blocks:
                break
    assert counts == [0, 0, 0, 1, 1]


def test_nobody_renumbers_the_devices_between_finding_one_and_opening_it(
    cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another seat looks for its own lost microphone just then."""
    find = capture.find_input

    def found_slowly(name: str) -> capture.InputDevice:
        device = find(name)
        looks = threading.Thread(target=capture.look_again, daemon=True)
        looks.start()
        looks.join(0.2)
        return device

    def plugged_in() -> None:
        cards.devices = [("Webcam", 1, 48000.0), *cards.devices]

    monkeypatch.setattr("table.listening.live.find_input", found_slowly)
    monkeypatch.setattr(cards, "_initialize", plugged_in)
    told = links("USB", cards)
    assert told[0] == ("open", "USB mic, 48000 Hz")
    number, _ = cards.opened[0]
    assert cards.devices[number][0] == "USB mic"
