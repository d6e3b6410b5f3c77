"""What one igloo or counting seat feels: the stream of a node's bursts, with the interface of `capture.Capture`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType

import numpy as np

from firmware_bridge import packets as p
from firmware_bridge.samples import NodeSaid
from sensors.ear.errors import CaptureLost
from sensors.ear.frames.frontend import Array
from sensors.ear.sources.bursts import BurstStream
from sensors.ear.sources.capture import BLOCK_S, InputDevice
from sensors.ear.sources.igloo_port import (
    FIRST_S,
    OTHER_RATE,
    SET_RATE,
    Felt,
    IglooPort,
    is_goodnight,
    unmeasured,
)
from sensors.ear.sources.sensor_watch import SensorWatch

SILENT_S = 7.0  # three hellos missed: the battery is empty, or the node is out of reach
SHAKEN_S = 60.0
STALE_S = 4.0  # older frames are past; opening an ear takes part of that on a busy machine
STILL_S = 1.5  # without a frame: then the answer to a shake has been given
LOOKED_S = 1.0  # between two looks on a busy machine
LET_GO_S = 0.5  # without a frame: then it lies where it was put down


class IglooCapture:
    """The accelerometer of one igloo or seat; a context manager. `blocks()` yields float32[samples, 3] in g as they
    come.

    `rate` is the chip's rate as measured by the node, from its packets. `overflows` counts lost packets by their
    sequence numbers (including hellos), and bursts that broke off. `bursts` explains how holes are filled, `holes`
    tells where they are, and `sensor` what is wrong with the chip.
    """

    def __init__(
        self,
        port: str,
        node: int | None = None,
        *,
        shaken: bool = False,
        kind: Felt = "igloo",
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Waits until the igloo (or seat, by `kind`) of that node speaks (None: any), or is known to be asleep;
        `shaken`: until one is shaken. `check` is called meanwhile: it may raise, if nobody wants to wait any more.

        Raises NoSuchInput where there is no such port, CaptureLost where it cannot be opened or no igloo is heard, and
        its subclass NobodyShook where none was shaken for `SHAKEN_S`.
        """
        self._port: IglooPort | None = None
        shared = IglooPort.at(port)
        try:
            shared.listen(0.0)
            if shaken:
                shared.forget()
            found = self._find(shared, node, shaken, kind, check)
            times_lost, rate = shared.times_lost, shared.rates_of(kind).get(-1 if found is None else found)
            if found is None or rate is None or shared.lost is not None:
                raise shared.nothing(node, shaken, kind)
        except BaseException:
            shared.close()
            raise
        self._port, self._node, self._times_lost = shared, found, times_lost
        self._any = shaken and node is None
        self.rate: float = rate
        self.channels = 3
        self.overflows = 0
        self.device = InputDevice(found, f"{kind} at {port}", self.channels, rate)
        self._began = self._heard = shared.clock.now()
        # earlier rings of a seat belong to no gesture that begins now
        shared.forget_old(found, self._began - (STALE_S if kind == "igloo" else 0.0))
        self._asleep = shared.asleep(found)
        self._other_hz: float | None = None  # the last frame's rate, where it differs
        self._felt = self._began
        self._stream = BurstStream(rate, self._began, seed=found)
        self.sensor = SensorWatch(rate)

    @staticmethod
    def _find(
        shared: IglooPort, node: int | None, shaken: bool, kind: Felt, check: Callable[[], None]
    ) -> int | None:
        rates = shared.rates_of(kind)
        if shaken:
            shared.until(lambda: shared.shaken(node) is not None, SHAKEN_S, check)
            found = shared.shaken(node)
        elif node is None:
            shared.until(lambda: any(map(shared.waits, list(rates))), FIRST_S, check)
            found = next(filter(shared.waits, sorted(rates)), None)
        else:
            there = shared.until(
                lambda: (node in rates and shared.waits(node)) or shared.asleep(node), FIRST_S, check
            )
            found = node if there else None
        return found if node in (None, found) else None

    def blocks(self) -> Iterator[Array]:
        """Some fifty a second, without rows while nothing is due. Raises CaptureLost when the port or the node is
        lost."""
        looked = self._began
        while (port := self._port) is not None:
            port.listen(BLOCK_S)
            now = port.clock.now()
            if (
                now - looked > LOOKED_S
            ):  # a stopped program, a computer that slept: nobody fell silent meanwhile
                self._heard += now - looked
                self._stream.nobody_looked(now - looked)
            looked = now
            for said in port.take(self._node):
                self._heard = now
                self._hear(said, now)
            if port.times_lost != self._times_lost:
                yield self._stream.take()  # what came last
                raise CaptureLost(
                    f"{self.device.name} is away ({port.lost or 'for a moment'})", "plug it in again"
                )
            if now - self._heard > SILENT_S and not self._asleep:
                raise CaptureLost(
                    f"{self.device.name} fell silent", "look at its battery, and bring it nearer"
                )
            if self._other_hz is not None and now - self._felt > STILL_S:
                raise self._begun_anew(self._other_hz)  # between two shakes, so that none is torn in two
            self._stream.still(now)
            self.overflows = self._stream.overflows
            yield self._stream.take()

    def holes(self) -> list[tuple[int, int]]:
        """Where packets were lost since the last call: ranges of the stream's samples."""
        return self._stream.holes()

    def stamps(self) -> list[tuple[int, float]]:
        """When the samples since the last call were measured: sample counts of the whole stream, and the age in seconds
        of the last of these samples."""
        if self._port is None:
            return []
        now = self._port.clock.now()
        # a clock fit that began with delayed packets at first puts them into the future
        return [(given, max(0.0, now - t)) for given, t in self._stream.stamps()]

    @property
    def two_boards(self) -> bool:
        """Whether another board uses this igloo's number now."""
        return self._port is not None and self._port.two_boards(self._node)

    @property
    def another_shaken(self) -> bool:
        """When any shaken igloo was asked for: does this one lie still while another moves? Then what it sent may have
        been the end of being put down."""
        port = self._port
        return (
            self._any
            and port is not None
            and port.clock.now() - self._felt > LET_GO_S
            and port.shaken_beside(self._node)
        )

    @property
    def node(self) -> int:
        """The node's number."""
        return self._node

    @property
    def whichever(self) -> bool:
        """Whether any shaken igloo of the port was asked for, not one by its number."""
        return self._any

    def _hear(self, said: NodeSaid, now: float) -> None:
        packet = said.packet
        self._asleep = is_goodnight(packet)
        if isinstance(packet, p.Burst):
            self._felt, self._other_hz = now, None
            off = abs(packet.rate_hz / self.rate - 1)
            if off > SET_RATE:
                raise self._begun_anew(packet.rate_hz)
            if off > OTHER_RATE and not unmeasured(packet, self.rate):
                self._other_hz = packet.rate_hz
            self._stream.add(packet, said.t, now)
            self.sensor.add(np.array(packet.accels, np.float32))
        elif not isinstance(packet, p.ChipAngles | p.ChipMotion):
            self._stream.note(packet.stamp)

    def _begun_anew(self, hz: float) -> CaptureLost:
        return CaptureLost(
            f"{self.device.name} measures at {hz:g} Hz now, and did at {self.rate:g} Hz",
            "nothing need be done: it is listened to anew",
        )

    def close(self) -> None:
        """Safe to call twice."""
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def __enter__(self) -> IglooCapture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
