"""Where a lost port may be: under its old name, wherever udev sees the same device, among ports that appeared since."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge import finding


class Search:
    """For one link. `claimed` says whether another link has a device."""

    def __init__(self, port: str, lister: finding.Lister, claimed: Callable[[str], bool]) -> None:
        self._port = port
        self._lister = lister
        self._claimed = claimed
        self._facts: finding.PortFacts | None = None
        self._known: set[str] = set()
        self._newcomers: set[str] = set()

    @property
    def alone(self) -> bool:
        """Whether a single newcomer has been seen since the port was lost."""
        return len(self._newcomers) == 1

    def learn(self) -> None:
        """The port is there: remember what the system says of it."""
        self._facts = finding.facts_of(self._port, self._lister())

    def begin(self) -> None:
        """The port was lost: what is there now is not it."""
        self._known, self._newcomers = set(self._strangers()), set()

    def reject(self, device: str) -> None:
        """It was looked at and is another's."""
        self._known.add(device)

    def places(self) -> tuple[list[str], list[str]]:
        """Devices that plainly are the lost port, and newcomers that must prove it."""
        plain = finding.candidates(self._port, self._facts, self._lister)
        new = [d for d in self._strangers() if d not in self._known and d not in plain]
        self._newcomers |= set(new)
        return [d for d in plain if not self._claimed(d)], new

    def _strangers(self) -> list[str]:
        found = finding.strangers(self._port, self._facts, self._lister)
        return [d for d in found if not self._claimed(d)]
