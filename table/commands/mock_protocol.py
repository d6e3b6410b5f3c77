"""The protocol of the simulated cubes behind `mock`, for `cubes` and `calibrate cubes`."""

from __future__ import annotations

from firmware_bridge.detecting import PROTOCOLS
from firmware_bridge.errors import UsageError


def spoken_by_mock(protocol: str) -> str:
    """The requested protocol; `polar` if it is to be detected. Raises UsageError."""
    from hw_mock.cubes.node import PROTOCOLS as SPOKEN

    protocol = "polar" if protocol == "auto" else protocol
    if protocol not in SPOKEN:
        raise UsageError(
            f"simulated cubes do not speak {protocol!r}",
            f"use one of {', '.join(p for p in PROTOCOLS if p in SPOKEN)}, or the ports of real ones",
        )
    return protocol
