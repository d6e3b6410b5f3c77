"""A counting seat on a cable: what its ring feels, all the time, as one burst that does not end."""

import polar_wire as wire
from sensing import SensingNode

PER_FRAME = 38


class SeatNode(SensingNode):
    """`imu` as an igloo's: start(), read() → list of (x, y, z) in g since the last call, rate_hz as measured, and
    perhaps overruns, how often it lost samples or was set up again."""

    kind = wire.SEAT
    gyro_range = 0
    accel_range = 4

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self.rate_hz = int(imu.rate_hz + 0.5)
        self.send_burst = True
        self._ring = []
        self._burst = 1
        self._index = 1  # never 0, as of a burst whose first three frames leave at once
        self._lost = 0

    def step(self):
        samples = self.samples()
        if samples is not None:
            lost = getattr(self.imu, "overruns", 0)
            if lost != self._lost:  # another burst, whose index goes on: samples are missing before it
                self._lost = lost
                self._ring = []
                self._burst += 1
            self.rate_hz = int(self.imu.rate_hz + 0.5)
            self._ring.extend(samples)
            while len(self._ring) >= PER_FRAME:
                self._out()
        self.regular(False, (1.0, 0.0, 0.0, 0.0))

    def _out(self):
        piece = self._ring[:PER_FRAME]
        del self._ring[:PER_FRAME]
        if self.send_burst:
            self.say(wire.BURST, wire.burst(self._burst, self._index & 0xFFFF, self.imu.rate_hz, piece))
        self._index += PER_FRAME

    def configure(self, wanted):
        super().configure(wanted)
        self.send_burst = wanted[4]
