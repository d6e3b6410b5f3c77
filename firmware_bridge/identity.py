"""The identity at the other end of a wire, from hellos: is it the same device as before, or another?"""

from __future__ import annotations

from firmware_bridge.packets import Hello


class Identity:
    """What is known of the other end. A single board is its uid; behind a dongle cubes come and go, and the dongle
    stays."""

    def __init__(self) -> None:
        self._uids: set[str] = set()
        self._dongle: str | None = None

    @property
    def known(self) -> bool:
        """Whether anybody has identified himself."""
        return bool(self._uids)

    def learn(self, hello: Hello) -> None:
        """A node on the wire identifies itself."""
        self._uids.add(hello.uid)
        if hello.kind == "dongle":
            self._dongle = hello.uid

    def says(self, hello: Hello) -> bool | None:
        """Whether a hello comes from the known end; None where it cannot be told."""
        if self._dongle is not None:  # another table's dongle receives our cubes as well
            return hello.uid == self._dongle if hello.kind == "dongle" else None
        if not self._uids or hello.uid in self._uids:
            return True
        return False if len(self._uids) == 1 else None
