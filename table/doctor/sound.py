"""Checks of the ear: the sound system, a short test of each microphone, and whether its profile fits."""

from __future__ import annotations

import ctypes.util
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from firmware_bridge.clock import Clock, SystemClock
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import a_sensor
from sensors.ear.frames.frontend import Array, Sensor
from sensors.ear.frames.mixing import Mixer
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import Felt, port_and_node
from table.config import Settings
from table.doctor.findings import Finding, good
from table.senses.ear_profiles import named_profiles, profiles_for, sensor_of

LISTEN_S = 1.2
COUNTING_SEAT = "the counting seat"
LEAST_S = 0.3  # of sound, needed to judge it
SILENT = 1e-5  # of full scale, around the mean: even in a quiet room a microphone has more noise of its own
MUTED = "is it muted? alsamixer, then F4"
FULL = 0.999
OVERDRIVEN = 1e-3  # share of samples at full scale
RATE_OFF = 0.08  # 44.1 kHz declared as 48 kHz is off by 0.088


@dataclass(frozen=True, slots=True)
class Moment:
    """What came from a device: samples, its declared rate, and the seconds between its first and last block."""

    samples: Array
    rate: float
    seconds: float
    first: int  # samples of the first block, which came at the beginning of those seconds
    lost: int = 0

    @property
    def true_rate(self) -> float:
        return (len(self.samples) - self.first) / self.seconds if self.seconds > 0 else self.rate


def judge(who: str, moment: Moment) -> Finding:
    """Silent, overdriven, slower or faster than declared, or good."""
    gain = "turn its gain {}: alsamixer, then F4"
    if len(moment.samples) < LEAST_S * moment.rate:
        return Finding("bad", f"{who} delivers hardly any sound", "plug it in again, into another socket")
    swing = np.abs(moment.samples - np.mean(moment.samples))
    if float(np.max(swing)) < SILENT:
        return Finding("bad", f"{who} is quite silent", MUTED)
    if float(np.mean(np.abs(moment.samples) >= FULL)) > OVERDRIVEN:
        return Finding("look", f"{who} is overdriven", gain.format("down"))
    off = moment.true_rate / moment.rate - 1.0
    if moment.seconds >= LEAST_S and abs(off) > RATE_OFF:
        return Finding(
            "look",
            f"{who} says {moment.rate:g} Hz and delivers about {moment.true_rate:.0f}",
            "set its rate in the sound system, or use it through its hw: device",
        )
    if moment.lost:
        return Finding(
            "look", f"{who}: {moment.lost} blocks were lost", "end other programs; is the machine hot?"
        )
    return good(f"{who}: {moment.rate:g} Hz, peak {float(np.max(swing)):.3f}")


def portaudio() -> Finding:
    if ctypes.util.find_library("portaudio") is None:
        return Finding("bad", "PortAudio is not on this machine", "sudo apt-get install libportaudio2")
    return good("PortAudio is there")


def microphones(settings: Settings, clock: Clock | None = None) -> Finding:
    """The input devices; each one in the settings is listened to for a moment, the counting seat's too."""
    from sensors.ear.sources.capture import input_devices

    if ctypes.util.find_library("portaudio") is None:
        return Finding("not here", "without PortAudio nothing can be listened to")
    named = [*settings.ear.sources.items()]
    if settings.taps.source is not None:
        named.append((COUNTING_SEAT, settings.taps.source))
    if not named:
        devices = input_devices()
        if not devices:
            return Finding("look", "no input device", "plug a microphone in, if igloos are to be heard")
        return good(f"{len(devices)} input devices: {', '.join(d.name for d in devices[:4])}")
    found = []
    for seat, name in named:
        try:
            if sensor_of(name) == "accelerometer":
                kind: Felt = "seat" if seat == COUNTING_SEAT else "igloo"
                with IglooCapture(*port_and_node(name), kind=kind) as node:
                    who = "a seat" if kind == "seat" else "an igloo"
                    found.append(good(f"{name} (of {seat}): {who} speaks, at {node.rate:g} Hz"))
                continue
            found.append(judge(f"{name} (of {seat})", _listen(name, clock or SystemClock())))
        except PolartableError as error:
            found.append(Finding("bad", f"{seat}: {error.cause}", error.mend))
    for state in ("bad", "look"):
        for finding in found:
            if finding.state == state:
                return finding
    return good("; ".join(finding.what for finding in found))


def _listen(name: str, clock: Clock) -> Moment:
    from sensors.ear.sources.capture import find_input, open_input

    mixer = Mixer()
    with open_input(lambda: find_input(name)) as capture:
        began = clock.now()
        kept, first, last = list[Array](), began, began
        for block in capture.blocks():
            last = clock.now()
            first = first if kept else last
            kept.append(mixer.push(block))
            # from the first sound on: a sound server that slept may deliver its first block a second late
            if last - first >= LISTEN_S or last - began >= 4 * LISTEN_S:
                break
        return Moment(np.concatenate(kept), capture.rate, last - first, len(kept[0]), capture.overflows)


def profile(settings: Settings) -> Finding:
    """Whether the ear's profiles can be read and fit the sources in the settings."""
    ear = settings.ear
    try:
        # a profile without a source is judged by itself
        profiles = (
            profiles_for(ear, settings.trainer.recordings is not None)
            or named_profiles(ear)
            or {"microphone": load_shipped("microphone")}
        )
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
    found = fits(profiles, settings)
    for kind, known in profiles.items():
        outdated = known.outdated(f"the profile for {a_sensor(kind)}")
        if outdated is not None and found.state == "good":
            what, _, mend = outdated.partition(": ")
            return Finding("look", what, mend)
    return found


def fits(profiles: Mapping[Sensor, Profile], settings: Settings) -> Finding:
    """Each kind's profile against its sensors: the rate that each of them declares."""
    from sensors.ear.sources.capture import find_input, opens_at

    for seat, name in settings.ear.sources.items():
        if sensor_of(name) == "accelerometer":
            continue  # its rate is reported when it is heard
        try:
            profiles["microphone"].head_for("microphone", opens_at(find_input(name)))
        except PolartableError as error:
            return Finding("bad", f"{seat}: {error.cause}", error.mend)
    return good(
        "; ".join(
            f"for {a_sensor(taught.sensor)} at {taught.rate:g} Hz, counts {min(taught.counts)}–{max(taught.counts)}"
            for taught in profiles.values()
        )
    )
