"""Reads from an open port, whatever pySerial raises, and explains why a port is gone."""

from __future__ import annotations

from firmware_bridge.opening import OF_TERMINALS, Wire

# all raised by pySerial on a pulled cable
GONE = (OSError, TypeError, ValueError, AttributeError, *OF_TERMINALS)
_MOST = 4096


def read_some(wire: Wire, port: str) -> bytes:
    """The bytes that have come; waits for the first one at most for the port's own timeout. Raises one of `GONE`."""
    if not port.startswith("socket://"):
        return wire.read(wire.in_waiting or 1)
    first = wire.read(1)  # a socket's in_waiting says only whether there are bytes, not how many
    if not first:
        return first
    timeout = wire.timeout  # type: ignore[attr-defined]
    wire.timeout = 0  # type: ignore[attr-defined]
    try:
        return first + wire.read(_MOST)
    finally:
        wire.timeout = timeout  # type: ignore[attr-defined]


def why_gone(error: Exception) -> str:
    """One of `GONE` in words."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    pulled = isinstance(error, (TypeError, *OF_TERMINALS))
    if "returned no data" in text or "Input/output error" in text or pulled:
        return "the cable was pulled, or the other side closed"
    return text[:120]
