"""An igloo: the vibration of its shell while it is shaken, in bursts at the accelerometer's full rate."""

import polar_wire as wire
from sensing import SensingNode

SHAKE_G = 0.15  # change between two samples that begins a burst
QUIET_S = 0.4
PER_FRAME = 38
BEFORE = 3 * PER_FRAME  # samples kept from before a burst began


class IglooNode(SensingNode):
    """`imu` gives: start(), read() → list of (x, y, z) in g since the last call, rate_hz (measured, not nominal), and
    perhaps overruns, how often it lost samples."""

    kind = wire.IGLOO
    gyro_range = 0

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self.rate_hz = int(imu.rate_hz)
        self.send_burst = True
        self._ring = []
        self._burst = 0
        self._index = 0
        self._shaking = False
        self._quiet_s = 0.0
        self._before = None
        self._lost = 0

    def step(self):
        samples = self.samples()
        if samples is None:
            self.regular(False, (1.0, 0.0, 0.0, 0.0))
            return
        lost = getattr(self.imu, "overruns", 0)
        if lost != self._lost:  # a burst is without gaps: what comes now is another one
            self._lost = lost
            self._shaking = False
            self._ring = []
            self._before = None
        self.rate_hz = int(self.imu.rate_hz + 0.5)
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
                self._out()
                if self._quiet_s > QUIET_S:
                    self._shaking = False
        self.regular(not self._shaking, (1.0, 0.0, 0.0, 0.0))

    def _out(self):
        while len(self._ring) >= PER_FRAME:
            piece = self._ring[:PER_FRAME]
            del self._ring[:PER_FRAME]
            if self.send_burst:
                self.say(wire.BURST, wire.burst(self._burst, self._index & 0xFFFF, self.imu.rate_hz, piece))
            self._index += PER_FRAME

    def configure(self, wanted):
        super().configure(wanted)
        self.send_burst = wanted[4]
