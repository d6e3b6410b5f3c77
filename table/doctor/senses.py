"""Checks of the table's connections: serial ports, other programs that use them, and pins."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.opening import is_url
from sensors.ear.sources.igloo_port import port_and_node
from table.config import Settings
from table.doctor.findings import Finding, State, good
from table.senses.ear_profiles import sensor_of

# programs that open serial ports unasked; `polartable setup` keeps the first one away
NOSY = {
    "ModemManager": "it types at every new serial port: sudo polartable setup keeps it away",
    "brltty": "it takes CP210x and CH34x ports for Braille displays: sudo apt-get remove brltty",
    "gpsd": "it may listen to every serial port: sudo systemctl disable --now gpsd.socket gpsd",
}


def wanted_ports(settings: Settings) -> list[str]:
    """The serial ports that the settings name: of cubes, of igloos, of the counting seat. No addresses."""
    sources = [*settings.ear.sources.values(), *([settings.taps.source] if settings.taps.source else ())]
    felt = (port_and_node(source)[0] for source in sources if sensor_of(source) == "accelerometer")
    return [port for port in dict.fromkeys((*settings.cubes.ports, *felt)) if not is_url(port)]


def ports(settings: Settings) -> Finding:
    """The serial ports: are they there, and may this user open them?"""
    from serial.tools import list_ports

    found = [port.device for port in list_ports.comports()]
    wanted = wanted_ports(settings)
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
    count = len(wanted or found)
    return (
        good(f"{count} serial port{'' if count == 1 else 's'}")
        if count
        else Finding("not here", "no serial port")
    )


def pins(settings: Settings, chips: Path = Path("/dev")) -> Finding:
    """The pins of buttons and lights: are they there, may this user use them, is there a library for them?"""
    there = sorted(chips.glob("gpiochip*"))
    lit = settings.lights.light is not None or settings.lights.buzzer is not None
    named = " and ".join(part for part, on in (("[buttons]", settings.buttons), ("[lights]", lit)) if on)
    if not there:
        state: State = "bad" if named else "not here"
        mend = f"leave {named} out of the settings" if named else ""
        return Finding(state, "no GPIO chip on this machine", mend)
    closed = [chip.name for chip in there if not os.access(chip, os.R_OK | os.W_OK)]
    if closed and named:
        return Finding(
            "bad",
            f"{closed[0]} may not be opened by this user",
            "sudo usermod -aG gpio $USER, then log in again",
        )
    chosen = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if named and chosen == "lgpio" and importlib.util.find_spec("lgpio") is None:
        return Finding(
            "bad",
            "lgpio, which drives the pins of a Pi, is not installed",
            "pipx inject polartable lgpio (docs/install.md says what it needs)",
        )
    return good(f"{len(there)} GPIO chips")


def strangers(
    settings: Settings,
    processes: Path = Path("/proc"),
    rules: Path = Path("/etc/udev/rules.d/70-polartable.rules"),
) -> Finding:
    """Whether another program has one of our ports open, or is known to open ports unasked."""
    wanted = {str(Path(port).resolve()): port for port in wanted_ports(settings)}
    nosy, found = [], []
    for process, name in _others(processes):
        if name in NOSY and not (name == "ModemManager" and rules.exists()):
            nosy.append(name)
        for device in _open_devices(process):
            if device in wanted:
                found.append((wanted[device], name, process.name))
    # the table, and perhaps a simulation at the other end: each port once
    own = {port for port, name, _ in found if name == "polartable"}
    ours = [port for port in wanted.values() if port in own]
    for port, name, number in found:
        if name != "polartable":
            return Finding("bad", f"{name} (process {number}) has {port} open", f"end it: kill {number}")
    if nosy:
        return Finding("look", f"{nosy[0]} runs on this machine", NOSY[nosy[0]])
    words = (
        "nobody else is on our ports"
        if os.geteuid() == 0
        else "nobody that this user can see is on our ports"
    )
    return good(f"the table itself has {', '.join(ours)} open" if ours else words)


def _others(processes: Path) -> Iterator[tuple[Path, str]]:
    """Every other process with its name; `polartable` for a Python process that runs ours."""
    for process in processes.iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            name = (process / "comm").read_text().strip()
            command = (process / "cmdline").read_bytes()
            yield process, "polartable" if b"polartable" in command or b"table.cli" in command else name


def _open_devices(process: Path) -> Iterator[str]:
    """The files that a process has open, as far as we may see: for root of all processes, else of our own user's."""
    with contextlib.suppress(OSError):
        for handle in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                yield str(handle.readlink())
