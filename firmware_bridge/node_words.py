"""What nodes report to people: logs, a low battery, two nodes with one number, another protocol version."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.packets import Hello, Log, Status
from firmware_bridge.polar import VERSION
from firmware_bridge.samples import NodeSaid

Level = Literal["info", "warning", "error"]
AGAIN_S = 30.0  # before the same log is reported again
# two boards whose hellos alternate within this are both alive: each says hello every two seconds
BOTH_S = 10.0
RELOAD = "load the firmware of this release"
CHARGED_MV = 3600  # a battery near the limit is reported once, not each time that a load lets it dip
_LEVELS: tuple[Level | None, ...] = (None, "info", "warning", "error")  # debug is for firmware developers

_Key = tuple[str, int]  # port, node


@dataclass(frozen=True, slots=True)
class NodeTold:
    """A sentence about a node, and what to do about it."""

    port: str
    node: int
    t: float
    level: Level
    text: str
    mend: str

    @property
    def sentence(self) -> str:
        """Both in one, for a person."""
        return f"{self.text} – {self.mend}" if self.mend else self.text


class NodeWords:
    """Feed what nodes say; get what a person should know, each report once (a log now and then)."""

    def __init__(self) -> None:
        self._names: dict[_Key, str] = {}
        self._hellos: dict[_Key, dict[str, float]] = {}  # uid → time of its last hello, the latest last
        # last hello of one of two boards of that number, and of the other shortly before
        self._both: dict[_Key, float] = {}
        self._ports: dict[str, dict[str, float]] = {}  # uid → port → time of its last hello there
        self._told: set[tuple[_Key, object]] = set()
        self._pairs: set[frozenset[str]] = set()  # pairs of ports that were reported to hear the same boards
        self._logged: dict[tuple[_Key, str], float] = {}
        self._low: set[_Key] = set()

    def heard(self, said: NodeSaid) -> list[NodeTold]:
        """The reports that follow from it."""
        match said.packet:
            case Hello() as hello:
                return [*self._hello(said, hello), *self._twice(said, hello)]
            case Status() as status:
                return self._status(said, status)
            case Log() as log:
                return self._log(said, log)
        return []

    def two_boards(self, port: str, node: int, now: float) -> bool:
        """Whether two boards under this number are both alive now, so that whatever comes may be from either."""
        return now - self._both.get((port, node), -math.inf) <= BOTH_S

    def _hello(self, said: NodeSaid, hello: Hello) -> list[NodeTold]:
        key = (said.port, said.node)
        who = self._names[key] = f"{hello.kind} {said.node}"
        if hello.version != VERSION:
            text = f"{who} speaks version {hello.version} of the wire, and we read version {VERSION}"
            return self._once(said, hello.version, text, RELOAD)
        before = self._hellos.setdefault(key, {})
        other = next(reversed(before), hello.uid)
        was = before.pop(hello.uid, None)
        before[hello.uid] = said.t
        for old in list(before)[:-4]:
            del before[old]
        if was is None or other == hello.uid or said.t - was > BOTH_S:
            return []
        self._both[key] = said.t
        one, two = sorted((hello.uid, other))
        text = f"two boards call themselves node {said.node} ({one} and {two})"
        mend = "give each its own NUMBER, and each table in the room its own CHANNEL"
        return self._once(said, (one, two), text, mend)

    def _twice(self, said: NodeSaid, hello: Hello) -> list[NodeTold]:
        """Whether two ports hear one board: it speaks here, and since it last spoke here it has also spoken there."""
        if len(self._ports) > 200:  # numbers from noise
            self._ports.clear()
        ports = self._ports.setdefault(hello.uid, {})
        was, ports[said.port] = ports.get(said.port), said.t
        if was is None or said.t - was > BOTH_S:
            return []
        other = next((port for port, t in ports.items() if port != said.port and t > was), None)
        pair = frozenset((said.port, other or ""))
        if other is None or pair in self._pairs:
            return []
        self._pairs.add(pair)
        one, two = sorted((said.port, other))
        text = f"{self._who((said.port, said.node))} is heard on two ports, {one} and {two}"
        mend = "one dongle for a table is enough; that of another table needs a CHANNEL of its own"
        return [NodeTold(said.port, said.node, said.t, "warning", text, mend)]

    def _status(self, said: NodeSaid, status: Status) -> list[NodeTold]:
        key = (said.port, said.node)
        if status.charging or status.battery_mv >= CHARGED_MV:
            self._low.discard(key)
        if not status.low or status.charging or key in self._low:
            return []
        self._low.add(key)
        text = f"{self._who(key)}: its battery is low ({status.battery_mv / 1000:.2f} V)"
        return [NodeTold(said.port, said.node, said.t, "warning", text, "charge it")]

    def _log(self, said: NodeSaid, log: Log) -> list[NodeTold]:
        key = (said.port, said.node)
        level = _LEVELS[min(log.level, len(_LEVELS) - 1)]
        text = "".join(c if c.isprintable() else "\ufffd" for c in log.text)
        last = self._logged.get((key, text))
        if level is None or (last is not None and said.t - last < AGAIN_S):
            return []
        if len(self._logged) > 200:  # texts that contain a number all differ
            self._logged.clear()
        self._logged[key, text] = said.t
        mend = "look at the node" if level == "error" else ""
        return [NodeTold(said.port, said.node, said.t, level, f"{self._who(key)}: {text}", mend)]

    def _once(self, said: NodeSaid, what: object, text: str, mend: str) -> list[NodeTold]:
        key = (said.port, said.node)
        if (key, what) in self._told:
            return []
        self._told.add((key, what))
        return [NodeTold(said.port, said.node, said.t, "error", text, mend)]

    def _who(self, key: _Key) -> str:
        return self._names.get(key, f"node {key[1]}")
