"""Packets to samples: by node, in order, with times on the host's clock."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge import packets as p
from firmware_bridge.arrivals import ArrivalClock
from firmware_bridge.ledger import SequenceLedger, StampedLedger, Verdict
from firmware_bridge.polar import VERSION
from firmware_bridge.samples import BridgeEvent, FusedPose, MotionBatch, NodeSaid
from firmware_bridge.timing import ClockFit

MAX_NODES = 64  # on one port; a dongle has a handful, more is noise that passed the checksum
_RVC_PERIOD_S = 0.01
_RVC_NUMBERS = 256


@dataclass(slots=True)
class _Node:
    ledger: StampedLedger = field(default_factory=StampedLedger)
    clock: ClockFit = field(default_factory=ClockFit)
    next_us: int | None = None  # when the next sample is due, on the node's clock
    motion_anew: bool = False  # it restarted, and no samples have come since
    pose_anew: bool = False
    foreign: bool = False  # it uses another protocol version: we cannot interpret its units

    def verdict(self, seq: int, us: int, host: float) -> Verdict:
        """The verdict on a frame's number and stamp, by its time of arrival."""
        verdict = self.ledger.add_stamped(seq, us, host)
        if verdict == "restart":
            self.motion_anew = self.pose_anew = True
        return verdict


class NodeBook:
    """The nodes of one port. `receive` turns one packet and its arrival time into events."""

    def __init__(self, port: str) -> None:
        self.port = port
        self._nodes: dict[int, _Node] = {}
        self._rvc_ledger = SequenceLedger(modulus=_RVC_NUMBERS)
        self._rvc_clock = ArrivalClock(period=_RVC_PERIOD_S, cycle=_RVC_NUMBERS)
        self._rvc_held: list[p.ChipAngles] = []
        self._arrivals = ArrivalClock()
        self._held: list[p.ChipMotion] = []
        self._last_chip: float | None = None

    @property
    def lost(self) -> int:
        return self._rvc_ledger.lost + self._rvc_clock.lost + sum(n.ledger.lost for n in self._nodes.values())

    @property
    def repeated(self) -> int:
        return self._rvc_ledger.repeated + sum(n.ledger.repeated for n in self._nodes.values())

    @property
    def reordered(self) -> int:
        return self._rvc_ledger.reordered + sum(n.ledger.reordered for n in self._nodes.values())

    def receive(self, packet: p.Packet, host: float) -> list[BridgeEvent]:
        """The events of a packet that arrived at `host` (host seconds)."""
        if isinstance(packet, p.ChipAngles):
            return self._rvc(packet, host)
        if isinstance(packet, p.ChipMotion):
            return self._chip(packet, host)
        return self._polar(packet, host)

    def _polar(self, packet: p.PolarPacket, host: float) -> list[BridgeEvent]:
        stamp = packet.stamp
        node = self._nodes.get(stamp.node)
        if node is None:
            if len(self._nodes) >= MAX_NODES:
                return []
            node = self._nodes[stamp.node] = _Node()
        verdict = node.verdict(stamp.seq, stamp.us, host)
        if verdict == "repeated":
            return []
        if verdict == "restart":
            node.clock.restart(stamp.us, host)
        if isinstance(packet, p.Hello):
            node.foreign = packet.version != VERSION
        if node.foreign:
            return [NodeSaid(self.port, stamp.node, host, packet)] if isinstance(packet, p.Hello) else []
        if isinstance(packet, p.Motion):
            if verdict == "late":
                return []  # its place has been interpolated already
            span = packet.period_us * (len(packet.rates) - 1)
            # a frame is sent after its last sample
            last = node.clock.add((stamp.us + span) & 0xFFFFFFFF, host)
            period = packet.period_us * 1e-6 * node.clock.rate
            first = last - period * (len(packet.rates) - 1)
            missing = 0
            if node.next_us is not None and verdict != "restart":
                ahead = (stamp.us - node.next_us + (1 << 31)) % (1 << 32) - (1 << 31)
                missing = max(0, round(ahead / packet.period_us))
            node.next_us = (stamp.us + span + packet.period_us) & 0xFFFFFFFF
            anew, node.motion_anew = node.motion_anew, False
            return [
                MotionBatch(
                    port=self.port,
                    node=stamp.node,
                    t=first,
                    period_s=period,
                    rates=packet.rates,
                    accels=packet.accels,
                    missing=missing,
                    anew=anew,
                )
            ]
        t = node.clock.add(stamp.us, host)
        out: list[BridgeEvent] = (
            [] if isinstance(packet, p.Pose) else [NodeSaid(self.port, stamp.node, t, packet)]
        )
        if isinstance(packet, p.Pose | p.Hello) and verdict != "late":
            anew, node.pose_anew = node.pose_anew, False
            pose = FusedPose(
                port=self.port,
                node=stamp.node,
                t=t,
                pose=packet.pose,
                accel=None,
                bridging=True,
                resting=packet.resting,
                anew=anew,
            )
            if not isinstance(packet, p.Hello) or packet.kind == "cube":
                out.append(pose)
        return out

    def _rvc(self, packet: p.ChipAngles, host: float) -> list[BridgeEvent]:
        ledger = self._rvc_ledger
        if self._rvc_clock.silent(host):  # its counter wrapped around or restarted: the clock finds out which
            missing = ledger.between(packet.index)
            ledger.restart(packet.index)
        else:
            lost = ledger.lost
            if ledger.add(packet.index) in ("repeated", "late"):
                return []
            missing = ledger.lost - lost
        self._rvc_held.append(packet)
        times = self._rvc_clock.add(host, missing)
        known, self._rvc_held = self._rvc_held[: len(times)], self._rvc_held[len(times) :]
        return [
            FusedPose(self.port, 0, t, held.pose, held.accel, bridging=False)
            for t, held in zip(times, known, strict=True)
        ]

    def _chip(self, packet: p.ChipMotion, host: float) -> list[BridgeEvent]:
        self._held.append(packet)
        times = self._arrivals.add(host, packet.missing)
        out: list[BridgeEvent] = []
        period = self._arrivals.period
        for t, held in zip(times, self._held, strict=False):
            silent = 0 if self._last_chip is None else max(0, round((t - self._last_chip) / period) - 1)
            missing = max(held.missing, silent)
            out.append(MotionBatch(self.port, 0, t, period, (held.rate,), (held.accel,), missing))
            self._last_chip = t
        del self._held[: len(times)]
        return out
