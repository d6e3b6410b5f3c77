"""A damaged stretch between Bluetooth frames is missing once, before the next reading and no other."""

from __future__ import annotations

from firmware_bridge import packets as p
from firmware_bridge.witmotion import WitMotionDecoder, encode_ble

LEVEL = (0.0, 0.0, 1.0)
FRAME = encode_ble(LEVEL, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_a_damaged_stretch_of_bluetooth_frames_is_missing_once() -> None:
    # a frame that no header follows is no frame: it counts with what is damaged
    packets = WitMotionDecoder().feed(2 * FRAME + bytes(45) + 4 * FRAME + bytes(20) + 2 * FRAME)
    assert [x.missing for x in packets if isinstance(x, p.ChipMotion)] == [0, 4, 0, 0, 2, 0]
