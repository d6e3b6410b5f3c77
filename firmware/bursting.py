"""What igloos and a counting seat share: an accelerometer's vibration samples, sent in numbered bursts."""

import polar_wire as wire
from sensing import SensingNode

PER_FRAME = 38


class BurstNode(SensingNode):
    """`imu` has start(), read() → list of (x, y, z) in g since the last call, rate_hz (measured, not nominal), and
    optionally overruns: how often it lost samples or was set up again."""

    gyro_range = 0

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self.rate_hz = int(imu.rate_hz + 0.5)
        self.send_burst = True
        self._ring = []  # samples not sent yet
        self._burst = self._index = 0
        self._lost = 0

    def lost(self):
        """Whether samples were lost since the last call. A burst has no gaps, so the next sample starts a new one."""
        before, self._lost = self._lost, getattr(self.imu, "overruns", 0)
        self.rate_hz = int(self.imu.rate_hz + 0.5)
        return self._lost != before

    def out(self):
        """Send all full frames."""
        while len(self._ring) >= PER_FRAME:
            piece = self._ring[:PER_FRAME]
            del self._ring[:PER_FRAME]
            if self.send_burst:
                self.say(wire.BURST, wire.burst(self._burst, self._index & 0xFFFF, self.imu.rate_hz, piece))
            self._index += PER_FRAME

    def configure(self, wanted):
        super().configure(wanted)
        self.send_burst = wanted[4]
