"""An igloo node: sends the vibration of its shell while it is shaken, in bursts at the accelerometer's full rate."""

import polar_wire as wire
from bursting import PER_FRAME, BurstNode

SHAKE_G = 0.15  # a change of this size between two samples starts a burst
QUIET_S = 0.4
BEFORE = 3 * PER_FRAME  # samples kept from before the start of a burst


class IglooNode(BurstNode):
    """`imu`: as for BurstNode."""

    kind = wire.IGLOO

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self._shaking = False
        self._quiet_s = 0.0
        self._before = None

    def step(self):
        samples = self.samples()
        if samples is None:
            self.regular(False, (1.0, 0.0, 0.0, 0.0))
            return
        if self.lost():
            self._shaking = False
            self._ring = []
            self._before = None
        for sample in samples:
            last, self._before = self._before or sample, sample
            change = abs(sample[0] - last[0]) + abs(sample[1] - last[1]) + abs(sample[2] - last[2])
            self._ring.append(sample)
            self._quiet_s = 0.0 if change > SHAKE_G else self._quiet_s + 1 / self.imu.rate_hz
            if not self._shaking:
                del self._ring[:-BEFORE]
                if change > SHAKE_G:
                    self._shaking = True
                    self._burst += 1
                    self._index = 0
            elif len(self._ring) >= PER_FRAME:
                self.out()
                if self._quiet_s > QUIET_S:
                    self._shaking = False
        self.regular(not self._shaking, (1.0, 0.0, 0.0, 0.0))
