"""Checks of what the table hears and feels with: sound, ports, pins, and the profile that goes with them."""

from __future__ import annotations

import ctypes.util
import os
from pathlib import Path

from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.doctor.findings import Finding, State, good

_LISTEN_S = 0.6
_SILENT, _LOUD = 1e-5, 0.999


def portaudio() -> Finding:
    if ctypes.util.find_library("portaudio") is None:
        return Finding("bad", "PortAudio is not on this machine", "sudo apt-get install libportaudio2")
    return good("PortAudio is there")


def microphones(settings: Settings) -> Finding:
    """The input devices; each that the settings name is listened to for a moment."""
    from sensors.ear.capture import Capture, find_input, input_devices

    if ctypes.util.find_library("portaudio") is None:
        return Finding("not here", "without PortAudio nothing can be listened to")
    devices = input_devices()
    if not settings.ear.sources:
        if not devices:
            return Finding("look", "no input device", "plug a microphone in, if igloos are to be heard")
        return good(f"{len(devices)} input devices: {', '.join(d.name for d in devices[:4])}")
    words = []
    for seat, name in settings.ear.sources.items():
        try:
            with Capture(find_input(name)) as capture:
                loudest, heard = 0.0, 0
                for block in capture.blocks():
                    loudest, heard = max(loudest, float(abs(block).max())), heard + len(block)
                    if heard >= _LISTEN_S * capture.rate:
                        break
        except PolartableError as error:
            return Finding("bad", f"{seat}: {error.cause}", error.mend)
        if loudest < _SILENT:
            return Finding("bad", f"{seat}: {name} is quite silent", "is it muted? alsamixer, then F4")
        if loudest >= _LOUD:
            return Finding("look", f"{seat}: {name} is overdriven", "turn its gain down; alsamixer, then F4")
        words.append(f"{seat}: {capture.rate:g} Hz, peak {loudest:.3f}")
    return good("; ".join(words))


def ports(settings: Settings, groups: tuple[str, ...] | None = None) -> Finding:
    """The serial ports: there, and may this user open them?"""
    from serial.tools import list_ports

    found = [port.device for port in list_ports.comports()]
    wanted = [port for port in settings.cubes.ports if "://" not in port]
    missing = [port for port in wanted if not Path(port).exists()]
    if missing:
        return Finding(
            "bad", f"{', '.join(missing)} is not there", "check the cable; see: polartable devices"
        )
    closed = [
        port for port in wanted or found if Path(port).exists() and not os.access(port, os.R_OK | os.W_OK)
    ]
    if closed:
        return Finding(
            "bad" if wanted else "look",
            f"{', '.join(closed)} may not be opened by this user",
            "sudo usermod -aG dialout $USER, then log in again",
        )
    return (
        good(f"{len(wanted or found)} serial ports")
        if wanted or found
        else Finding("not here", "no serial port")
    )


def pins(settings: Settings, chips: Path = Path("/dev")) -> Finding:
    there = sorted(chips.glob("gpiochip*"))
    if not there:
        state: State = "bad" if settings.buttons else "not here"
        return Finding(
            state,
            "no GPIO chip on this machine",
            "leave [buttons] out of the settings" if settings.buttons else "",
        )
    closed = [chip.name for chip in there if not os.access(chip, os.R_OK | os.W_OK)]
    if closed and settings.buttons:
        return Finding(
            "bad",
            f"{closed[0]} may not be opened by this user",
            "sudo usermod -aG gpio $USER, then log in again",
        )
    return good(f"{len(there)} GPIO chips")


def profile(settings: Settings) -> Finding:
    """Whether the ear's profile can be read; its own cross-validated accuracy says how well it was taught."""
    from sensors.ear.profile import load, load_shipped

    try:
        taught = load(settings.ear.profile) if settings.ear.profile else load_shipped("microphone")
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
    return good(f"for a {taught.sensor} at {taught.rate:g} Hz")
