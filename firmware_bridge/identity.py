"""Who speaks on a wire, as hellos tell it: the one that was there before, or somebody else?"""

from __future__ import annotations

from firmware_bridge.packets import Hello


class Identity:
    """What is known of the other end. A board alone is its uid; behind a dongle cubes come and go, the dongle stays."""

    def __init__(self) -> None:
        self._uids: set[str] = set()
        self._dongle: str | None = None

    @property
    def known(self) -> bool:
        """Whether anybody has introduced himself."""
        return bool(self._uids)

    def learn(self, hello: Hello) -> None:
        """Somebody on the wire introduces himself."""
        self._uids.add(hello.uid)
        if hello.kind == "dongle":
            self._dongle = hello.uid

    def says(self, hello: Hello) -> bool | None:
        """Whether a hello comes from the known end; None where it does not tell."""
        if self._dongle is not None:  # another table's dongle hears our cubes as well
            return hello.uid == self._dongle if hello.kind == "dongle" else None
        if not self._uids or hello.uid in self._uids:
            return True
        return False if len(self._uids) == 1 else None
