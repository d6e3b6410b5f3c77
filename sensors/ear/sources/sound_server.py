"""The rate at which a sound server (PulseAudio, PipeWire) runs its sources.

PortAudio reports 44.1 kHz for every device of a server, whatever its rate. Asked for another rate, the server
resamples: then clipped peaks are no longer flat, and clipping cannot be detected (`clipping`).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

USUAL = 48000.0  # of PipeWire
RATES = (USUAL, 44100.0)
# ALSA's names for a server; a user's own devices in an .asoundrc take as many channels, and a card has a number in its
# name
NAMES = ("default", "pulse", "pipewire")
CHANNELS = 32
ANSWERS_S = 2.0


def is_served(name: str, channels: int) -> bool:
    """Whether an input device, by PortAudio's name and number of channels, may belong to a sound server."""
    return "hw:" not in name and (name in NAMES or channels >= CHANNELS)


def hears_the_default(name: str) -> bool:
    """Whether a server's input device, by PortAudio's name, is the system's default source."""
    return name in NAMES


def server_rate(environment: Mapping[str, str] = os.environ, *, of_default: bool = False) -> float | None:
    """Hz; None without a server, or where its sources have higher rates than a microphone is opened with. Where all are
    slower, as for a telephone headset, it is their rate: resampled to 44.1 kHz they would pass for fast. `of_default`:
    the rate of the system's default source, which a faster source beside it does not change."""
    sockets = Path(environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    if "PULSE_SERVER" in environment or _there(sockets / "pulse" / "native"):
        try:
            listed = _asked(environment, "list", "short", "sources")
        except (OSError, subprocess.SubprocessError):
            pass  # not installed, or the server does not answer: opening the device will show it
        else:
            return _of_sources(listed, _default(environment) if of_default else None)
    return USUAL if _there(sockets / "pipewire-0") else None


def _asked(environment: Mapping[str, str], *words: str) -> str:
    return subprocess.run(
        ["pactl", *words],
        env={**environment, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",  # device names come in whatever encoding they have
        timeout=ANSWERS_S,
        check=True,
    ).stdout


def _default(environment: Mapping[str, str]) -> str | None:
    """The source that is used where none is named: the session's, or else the server's."""
    if named := environment.get("PULSE_SOURCE"):
        return named
    try:
        found = re.search(r"^Default Source: (.+)$", _asked(environment, "info"), re.MULTILINE)
    except (OSError, subprocess.SubprocessError):
        return None
    return found[1] if found else None


def _there(socket: Path) -> bool:
    try:
        return socket.exists()
    except OSError:  # in another user's folder, as `su` leaves it set
        return False


def _of_sources(listed: str, default: str | None) -> float | None:
    """The rate in lines like `1 name module s16le 1ch 48000Hz RUNNING`: of the default source, if known. Otherwise
    monitors of outputs count only where there is nothing else, and where sources differ, the higher rate, which is the
    usual one."""
    rates: dict[bool, set[float]] = {True: set(), False: set()}
    for line in listed.splitlines():
        if found := re.search(r"\s(\d+)ch\s+(\d+)Hz\b", line):
            rate = float(found[2])
            if default is not None and line.split("\t")[1:2] == [default] and rate <= max(RATES):
                return rate
            rates[".monitor\t" in line].add(rate)
    known = rates[False] or rates[True]
    usual = next((rate for rate in RATES if rate in known), None)
    return max(known) if usual is None and known and max(known) < min(RATES) else usual
