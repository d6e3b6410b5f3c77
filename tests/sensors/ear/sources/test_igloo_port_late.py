"""What igloo nodes said while nobody took it is not played as live when somebody comes to listen."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.clock import SystemClock
from firmware_bridge.samples import LinkChange
from hw_mock.igloo.node import IglooNode
from sensors.ear.errors import CaptureLost
from sensors.ear.sources.igloo_capture import SILENT_S, IglooCapture
from sensors.ear.sources.igloo_port import IglooPort
from tests.dongle import PIECE, Dongle, Felt


class Later:
    """The clock of somebody who comes so many seconds later."""

    def __init__(self, seconds: float) -> None:
        self._clock, self._later = SystemClock(), seconds

    def now(self) -> float:
        return self._clock.now() + self._later

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)


def loudest_g(capture: IglooCapture, seconds: float) -> float:
    """How far the acceleration strays from its middle, in g."""
    felt: list[np.ndarray] = []
    for block in capture.blocks():
        felt.append(block)
        if sum(map(len, felt)) > seconds * capture.rate:
            break
    whole = np.concatenate(felt)
    return float(np.abs(whole - np.median(whole, axis=0)).max())


@pytest.mark.parametrize("later_s", [0.0, 9.0])
def test_a_shake_that_nobody_took_is_not_played_as_live_later(
    port: Dongle, felt: Felt, later_s: float
) -> None:
    node = IglooNode(17, felt.rate)
    with IglooPort.at(port.name) as shared:
        port.shake(felt, node)
        port.rest()  # all was said, while others listened
        shared.until(lambda: False, 0.3)
        port.write(node.feel(felt.samples[:PIECE]))
        shared.until(lambda: False, 0.1)
        assert shared.shaken(17) == 17
        shared.clock = Later(later_s)  # type: ignore[assignment]
        with IglooCapture(port.name, 17) as capture:
            assert (loudest_g(capture, 1.0) > 1.0) is (later_s == 0.0)
            assert capture.overflows == 0


def test_what_was_said_before_a_port_was_lost_is_not_taken_when_it_is_back(port: Dongle, felt: Felt) -> None:
    with IglooPort.at(port.name) as shared:
        port.write(IglooNode(17, felt.rate).feel(felt.samples[:PIECE]))
        shared.until(lambda: shared.waits(17), 2.0)
        for state in ("lost", "back"):
            assert shared.waits(17)
            shared._changed(LinkChange(port.name, state, "polar", "unplugged", 0.0))  # type: ignore[arg-type]
        assert not shared.waits(17)


def test_an_igloo_did_not_fall_silent_while_nobody_looked(port: Dongle, felt: Felt) -> None:
    """Ctrl-Z, fg: its battery was blamed."""
    with IglooPort.at(port.name) as shared:
        port.write(IglooNode(17, felt.rate).feel(felt.samples[:PIECE]))
        with IglooCapture(port.name, 17) as capture:
            blocks = capture.blocks()
            next(blocks)
            shared.clock = Later(1 + SILENT_S)  # type: ignore[assignment]
            next(blocks)
            for half in range(1, 2 * round(SILENT_S)):
                shared.clock = Later(1 + SILENT_S + half / 2)  # type: ignore[assignment]
                next(blocks)
            shared.clock = Later(1.2 + 2 * SILENT_S)  # type: ignore[assignment]
            with pytest.raises(CaptureLost, match="fell silent"):
                next(blocks)
