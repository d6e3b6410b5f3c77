"""Checks of the computer itself: Python, packages, disk, clock, power, warmth. Paths are handed in for tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from table.doctor.findings import Finding, good

NEEDED = (
    "numpy",
    "scipy",
    "sklearn",
    "serial",
    "cobs",
    "nicegui",
    "pydantic_settings",
    "soundfile",
    "gpiozero",
)
LEAST_FREE = 200 * 2**20  # bytes; a year of evenings takes less
HOT_C = 80.0  # a Raspberry Pi begins to slow down here
BORN = datetime(2026, 1, 1, tzinfo=UTC)  # a clock before this was never set


def python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Finding("bad", f"Python {version}", "use Python 3.11, 3.12 or 3.13")
    return good(f"Python {version}")


def packages() -> Finding:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        return Finding(
            "bad", f"missing: {', '.join(missing)}", "install Polartable again (make demo does it)"
        )
    if importlib.util.find_spec("vqf") is None:
        return Finding(
            "look", "vqf is missing; imufusion serves in its place", "pip install vqf (needs a compiler)"
        )
    return good(f"{len(NEEDED)} packages and vqf")


def disk(directory: Path) -> Finding:
    place = directory
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if not os.access(place, os.W_OK):
        return Finding(
            "bad", f"{place} may not be written", "check its owner, and whether the disk is read-only"
        )
    words = f"{free / 2**20:,.0f} MiB free at {place}"
    return good(words) if free >= LEAST_FREE else Finding("bad", words, "make room; the journal needs some")


def clock(now: datetime, synchronised: Path = Path("/run/systemd/timesync/synchronized")) -> Finding:
    if now < BORN:
        return Finding(
            "bad", f"it is {now:%Y-%m-%d %H:%M} here", "connect to a network once, or set the date"
        )
    if synchronised.parent.exists() and not synchronised.exists():
        return Finding(
            "look", f"{now:%Y-%m-%d %H:%M} UTC, not set by the network yet", "the journal's dates may be off"
        )
    return good(f"{now:%Y-%m-%d %H:%M} UTC")


def power(hwmon: Path = Path("/sys/class/hwmon")) -> Finding:
    """The Raspberry Pi's own alarm for too little voltage."""
    for name in sorted(hwmon.glob("*/name")):
        if name.read_text().strip() == "rpi_volt":
            alarm = (name.parent / "in0_lcrit_alarm").read_text().strip()
            if alarm == "1":
                return Finding(
                    "bad",
                    "the supply's voltage is too low",
                    "use the Pi's own power supply and a short cable",
                )
            return good("voltage is high enough")
    return Finding("not here", "no voltage alarm on this machine")


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
