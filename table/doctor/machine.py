"""Checks of the computer itself: Python, packages, disk, clock, power, temperature. Tests pass other paths."""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import shutil
import sys
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path

from firmware_bridge.clock import BORN
from table.doctor.findings import Finding, good

# compiled dependencies: a wheel for another architecture looks installed, and fails when it is imported
COMPILED = ("numpy", "scipy.signal", "soundfile", "imufusion", "pydantic_core")
LEAST_FREE = 200 * 2**20  # bytes; a year of evenings needs less
AHEAD = timedelta(minutes=2)  # clocks are adjusted by seconds all the time
HOT_C = 80.0  # a Raspberry Pi starts to throttle here


def python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Finding("bad", f"Python {version}", "use Python 3.11, 3.12 or 3.13")
    return good(f"Python {version}")


def packages() -> Finding:
    """Every requirement of the installed package, with its version, and whether the compiled ones can be imported."""
    again = "install Polartable again (pipx reinstall polartable; in a checkout: make demo)"
    wrong = unmet("polartable")
    if wrong:
        return Finding("bad", "; ".join(wrong[:5]), again)
    for name in COMPILED:
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            return Finding("bad", f"{name} cannot be loaded on {platform.machine()} ({error})", again)
    if importlib.util.find_spec("vqf") is None:
        return Finding(
            "look", "vqf is missing; imufusion serves in its place", "pip install vqf (needs a compiler)"
        )
    return good(f"all packages for {platform.machine()}, and vqf")


def unmet(distribution: str) -> list[str]:
    """The requirements of a distribution that this environment does not meet, in words."""
    from packaging.requirements import Requirement

    wrong = []
    try:
        wanted = metadata.requires(distribution) or []
    except metadata.PackageNotFoundError:
        return [f"{distribution} itself is not installed"]
    for requirement in map(Requirement, wanted):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            wrong.append(f"{requirement.name} is {version}, and {requirement.specifier} is needed")
    return wrong


def disk(directory: Path) -> Finding:
    """The disk of the games: writable, with room for many evenings."""
    place = directory
    while not place.exists():
        place = place.parent
    if os.statvfs(place).f_flag & os.ST_RDONLY:
        return Finding(
            "bad",
            f"the disk with {place} is mounted read-only",
            "a card that fails does this: copy it, and put in a new one",
        )
    if not os.access(place, os.W_OK):
        return Finding(
            "bad", f"{place} may not be written by this user", "check its owner; see: polartable setup"
        )
    usage, nodes = shutil.disk_usage(place), os.statvfs(place)
    words = f"{usage.free / 2**20:,.0f} MiB free at {place}"
    if usage.free < LEAST_FREE:
        return Finding("bad", words, "make room; the journal needs some")
    if nodes.f_files and nodes.f_favail * 100 < nodes.f_files:
        return Finding(
            "bad", f"hardly any file can be made at {place}", "many small files fill it; remove some"
        )
    return good(words)


def clock(
    now: datetime,
    synchronised: Path = Path("/run/systemd/timesync/synchronized"),
    written: datetime | None = None,
) -> Finding:
    """The clock against the network's time. `written`: when the journal's last entry was written.

    If that is in the future although the network has set the clock, the clock was ahead at that time.
    """
    if now < BORN:
        return Finding(
            "bad", f"it is {now:%Y-%m-%d %H:%M} here", "connect to a network once, or set the date"
        )
    words = f"{now:%Y-%m-%d %H:%M} UTC"
    if written is not None and now + AHEAD < written:
        last = f"the journal's last entry is of {written:%Y-%m-%d %H:%M}"
        if synchronised.exists():
            return good(f"{words} ({last}: the clock was ahead then)")
        return Finding(
            "look",
            f"it is {words} here, and {last}",
            "connect to a network once, or set the date",
        )
    if synchronised.parent.exists() and not synchronised.exists():
        return Finding("look", f"{words}, not set by the network yet", "the journal's dates may be off")
    return good(words)


# bits of the firmware's status word: now, and at any time since power-up
UNDER_NOW, UNDER_SINCE = 1 << 0, 1 << 16


def power(
    hwmon: Path = Path("/sys/class/hwmon"),
    firmware: Path = Path("/sys/devices/platform/soc/soc:firmware/get_throttled"),
) -> Finding:
    """The Raspberry Pi's under-voltage alarm: its hwmon chip, and the firmware's memory."""
    mend = "use the Pi's own power supply and a short cable"
    alarms = [
        (name.parent / "in0_lcrit_alarm").read_text().strip()
        for name in sorted(hwmon.glob("*/name"))
        if name.read_text().strip() == "rpi_volt"
    ]
    word = int(firmware.read_text().strip(), 16) if firmware.exists() else 0
    if "1" in alarms or word & UNDER_NOW:
        return Finding("bad", "the supply's voltage is too low", mend)
    if word & UNDER_SINCE:
        return Finding("look", "the supply's voltage was too low at some time since it was switched on", mend)
    if not alarms and not firmware.exists():
        return Finding("not here", "no voltage alarm on this machine")
    return good("voltage is high enough")


def warmth(thermal: Path = Path("/sys/class/thermal")) -> Finding:
    values = [int(file.read_text()) / 1000 for file in sorted(thermal.glob("thermal_zone*/temp"))]
    if not values:
        return Finding("not here", "no thermometer on this machine")
    words = f"{max(values):.0f} °C"
    return (
        good(words)
        if max(values) < HOT_C
        else Finding("look", words, "give it air; it slows down when it is hot")
    )
