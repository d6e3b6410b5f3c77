"""Where a lost port may be: under its old name, wherever udev sees the same device, or among new ports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from firmware_bridge import finding
from firmware_bridge.finding import PortFacts

Taken = Callable[[str], bool]  # whether another link reads a device
Meant = Callable[[str, Sequence[PortFacts]], bool]  # whether a device plainly is another lost link's


class Search:
    """The search of one link. `taken` and `meant` tell about other links' claims to a device."""

    def __init__(self, port: str, lister: finding.Lister, taken: Taken, meant: Meant) -> None:
        self._port = port
        self._lister = lister
        self._taken, self._meant = taken, meant
        self._facts: PortFacts | None = None
        self._known: set[str] = set()  # present when the port was lost
        self._rejected: set[str] = set()  # another device identified itself there
        self._newcomers: set[str] = set()

    @property
    def alone(self) -> bool:
        """Whether exactly one newcomer has been seen since the port was lost."""
        return len(self._newcomers) == 1

    def learn(self, device: str) -> None:
        """The port is at `device`: remember the system's facts about it."""
        ports = self._lister()
        facts = finding.facts_of(device, ports)
        if facts is not None and sum(finding.is_same(facts, f) for f in ports) > 1:
            # its maker gave all the same number, so only the socket identifies it
            facts = replace(facts, serial_number=None)
        self._facts = facts

    def begin(self) -> None:
        """The port was lost: other ports that are there now are not it."""
        ports = self._lister()
        lingers = finding.candidates(self._port, self._facts, ports)
        self._known = set(self._strangers(ports)).difference(lingers)
        self._rejected, self._newcomers = set(), set()

    def reject(self, device: str) -> None:
        """It turned out to be another device; skip it while it is there. (An address always is, so it is tried
        again.)"""
        if "://" not in device:
            self._rejected.add(device)

    def places(self) -> tuple[list[str], list[str]]:
        """Devices that plainly are the lost port, and newcomers that have to prove it."""
        ports = self._lister()
        for gone in [d for d in self._known | self._rejected if not Path(d).exists()]:
            self._known.discard(gone)
            self._rejected.discard(gone)
        plain = [d for d in self._plain(ports) if not self._taken(d)]
        looked = {*plain, *self._known, *self._rejected}
        new = [d for d in self._strangers(ports) if d not in looked]
        self._newcomers |= set(new)
        return plain, new

    def means(self, device: str, ports: Sequence[PortFacts]) -> bool:
        """Whether a device plainly is the lost port."""
        return finding.real_path(device) in map(finding.real_path, self._plain(ports))

    def _plain(self, ports: Sequence[PortFacts]) -> list[str]:
        found = finding.candidates(self._port, self._facts, ports)
        return [d for d in found if d not in self._rejected]

    def _strangers(self, ports: Sequence[PortFacts]) -> list[str]:
        found = finding.strangers(self._port, self._facts, ports)
        return [d for d in found if not self._taken(d) and not self._meant(d, ports)]
