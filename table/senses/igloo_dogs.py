"""A watchdog for each igloo of a port: the port stays alive when one of them falls silent."""

from __future__ import annotations

from sensors.ear.sources.igloo_capture import SILENT_S
from sensors.ear.sources.igloo_port import IglooPort, port_and_node
from table.senses.watchdog import Senses, Watchdog

MEND = "look at its battery, and bring it nearer"


class IglooDogs:
    """The watchdogs of the igloos of one port. Sources are `PORT#NODE`; times are on the watchdogs' clock.

    An igloo gets its own watchdog when it is first lost. The port's own watchdog reports in three cases: while all
    igloos are well; if the port itself is away, so that not each of twelve igloos reports it; and if the port has a
    single igloo.
    """

    def __init__(self, port: str, whole: Watchdog, senses: Senses) -> None:
        """`whole`: the port's own watchdog."""
        self._port, self._whole, self._senses = port, whole, senses
        self._dogs: dict[str, Watchdog] = {}
        self._heard: set[str] = set()
        # source → why the port's watchdog barked for it; it has not come back yet
        self._missed: dict[str, str] = {}
        self._back_at: float | None = None  # when the port was heard again while igloos were still missing

    def alive(self, source: str, now: float) -> None:
        """A block of one igloo arrived."""
        if IglooPort.away(self._port) is not None:
            return  # it was on its way when the cable was unplugged
        self._heard.add(source)
        self._missed.pop(source, None)
        self._whole.alive(now)
        if source in self._dogs:
            self._dogs[source].alive(now)
        if not self._missed:
            self._back_at = None
        elif self._back_at is None:
            self._back_at = now
        elif now - self._back_at > SILENT_S:
            for missing in sorted(self._missed):
                self._bark(missing, self._missed[missing], now)
            self._missed.clear()

    def lost(self, source: str, why: str, now: float) -> None:
        """An igloo is gone, or cannot be heard. `why` may contain a remedy after a dash, as errors do."""
        away = IglooPort.away(self._port)
        if away is not None:
            self._whole.lost(now, f"{self._port} is away ({away})")
            why = "it did not come back with its port"
        elif self._heard <= {source, *self._missed}:
            # none of them is heard, as where another device sits there now
            self._whole.lost(now, why)
        else:
            self._bark(source, why, now)
            return
        self._missed[source] = why
        self._back_at = None

    def called(self, source: str) -> str:
        """The name of one igloo in messages about it alone."""
        return f"{self._whole.source} (node {port_and_node(source)[1]})"

    def _bark(self, source: str, why: str, now: float) -> None:
        dog = self._dogs.get(source)
        if dog is None:
            dog = self._dogs[source] = self._senses.watch(self.called(source), MEND, now, self._whole.game)
        dog.lost(now, why)
