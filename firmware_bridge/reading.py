"""Reading from an open port, whatever pySerial makes of it, and saying why it has gone."""

from __future__ import annotations

from firmware_bridge.opening import OF_TERMINALS, Wire

# pySerial raises them all on a pulled cable
GONE = (OSError, TypeError, ValueError, AttributeError, *OF_TERMINALS)
_MOST = 4096


def read_some(wire: Wire, port: str) -> bytes:
    """What has come, waiting at most the port's own time-out for the first byte. Raises one of `GONE`."""
    if not port.startswith("socket://"):
        return wire.read(wire.in_waiting or 1)
    first = wire.read(1)  # the in_waiting of a socket says "some", not how many
    if not first:
        return first
    timeout = wire.timeout  # type: ignore[attr-defined]
    wire.timeout = 0  # type: ignore[attr-defined]
    try:
        return first + wire.read(_MOST)
    finally:
        wire.timeout = timeout  # type: ignore[attr-defined]


def why_gone(error: Exception) -> str:
    """One of `GONE`, in words."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    pulled = isinstance(error, (TypeError, *OF_TERMINALS))
    if "returned no data" in text or "Input/output error" in text or pulled:
        return "the cable was pulled, or the other side closed"
    return text[:120]
