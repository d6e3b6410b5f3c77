"""What is plugged in: first by udev's facts about each serial port, then by the identity inside the protocol."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

# USB vendor:product of the chips in cube nodes, dongles and bought sensors (BNO08x, WitMotion)
KNOWN_USB = {
    (0x303A, None): "an ESP32's own USB",
    (0x2E8A, None): "a Raspberry Pi Pico",
    (0x10C4, 0xEA60): "a CP210x bridge (many ESP32 boards, WitMotion)",
    (0x1A86, None): "a CH34x bridge (many ESP32 boards, WitMotion); it has no serial number of its own",
    (0x0403, None): "an FTDI bridge (many breakouts)",
    (0x067B, None): "a PL2303 bridge; it has no serial number of its own",
    (0x239A, None): "an Adafruit board",
}


@dataclass(frozen=True, slots=True)
class PortFacts:
    """A serial port as the system describes it; `place` is its USB socket, `chip` our name for its chip."""

    device: str
    description: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    place: str | None = None
    chip: str | None = None

    @property
    def lasting(self) -> str | None:
        """What stays when the port's number changes: vendor, product and serial number, else the socket."""
        if self.vid is not None and self.serial_number:
            return f"{self.vid:04x}:{self.pid or 0:04x}:{self.serial_number}"
        return self.place


def list_ports() -> list[PortFacts]:
    """All serial ports known to the system (pseudo-terminals are not among them)."""
    from serial.tools import list_ports as tools

    facts = []
    for port in sorted(tools.comports(), key=lambda p: p.device):
        chip = KNOWN_USB.get((port.vid, port.pid)) or KNOWN_USB.get((port.vid, None)) if port.vid else None
        facts.append(
            PortFacts(
                device=port.device,
                description=port.description or "no description",
                vid=port.vid,
                pid=port.pid,
                serial_number=port.serial_number,
                place=port.location,
                chip=chip,
            )
        )
    return facts


def facts_of(port: str, ports: Iterable[PortFacts]) -> PortFacts | None:
    """The facts of `port`, which may be given as a link (`/dev/serial/by-id/…`)."""
    return next((f for f in ports if f.device in (port, real_path(port))), None)


def real_path(device: str) -> str:
    """The target of a link (`/dev/serial/by-id/…`); the name itself where it cannot be resolved."""
    try:
        return str(Path(device).resolve())
    except (OSError, RuntimeError):  # Python up to 3.12 raises the latter for a loop of links
        return device


Lister = Callable[[], list[PortFacts]]


def is_same(before: PortFacts, now: PortFacts) -> bool:
    """Whether two descriptions are of one device: by serial number, else by socket."""
    if before.serial_number:
        return before.lasting == now.lasting
    return before.place == now.place and (before.vid, before.pid) == (now.vid, now.pid)


def candidates(port: str, before: PortFacts | None, ports: Sequence[PortFacts]) -> list[str]:
    """Where a lost port plainly is now, best first: under its old name, or wherever the same device or socket is.

    The old name counts for nothing where the system says that another device has it: after a hub lost its power, names
    are given out in order of arrival.
    """
    there = "://" in port or Path(port).exists()
    if before is None or before.lasting is None:
        return [port] if there else []
    under_its_name = facts_of(port, ports)
    same = [f for f in ports if is_same(before, f)]
    if there and under_its_name in same:
        return [port, *(f.device for f in same if f is not under_its_name)]
    return [f.device for f in same]


def strangers(port: str, before: PortFacts | None, ports: Sequence[PortFacts]) -> list[str]:
    """Ports that could be the lost one under another name: of the same make, or links in the same folder as the old
    link.

    Never pseudo-terminals of the system: those are people's terminal windows.
    """
    if "://" in port:
        return []
    found: list[str] = []
    if before is not None and before.vid is not None:
        found += [f.device for f in ports if (f.vid, f.pid) == (before.vid, before.pid)]
    path = Path(port)
    with contextlib.suppress(OSError):
        if path.parent not in (Path("/dev"), Path("/dev/pts")):
            found += [str(other) for other in path.parent.iterdir() if other.is_symlink() and other != path]
    return [device for device in found if Path(device).is_char_device()]
