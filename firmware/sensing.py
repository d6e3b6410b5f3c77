"""What cubes and igloos share: an IMU that may fail, which is told and tried again while the node lives on."""

import polar_wire as wire
from node import Node

SILENT_US = 1_000_000  # without a sample: the IMU fails, though the bus may answer
RETRY_US = 200_000
BEGINS_US = 1_000_000  # samples that were waiting are a little older than the beginning


class SensingNode(Node):
    """`imu` gives: start() and read(), which raise OSError where it does not answer; more is said by who derives."""

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, name)
        self.imu = imu
        self._set_up = self._failing = self._measured = False
        self._try_at = self._measured_at = 0

    def samples(self):
        """What the IMU has measured since the last call; None while it fails, which is said once, and tried again."""
        self.us()
        if not self._set_up and self._total < self._try_at:
            return None
        try:
            if not self._set_up:
                self.imu.start()
                self._set_up = True
                self._measured_at = self._total
            out = self.imu.read()
            if not out and self._total - self._measured_at > SILENT_US:
                raise OSError("no samples")
        except OSError as error:
            self._set_up = False
            self._try_at = self._total + RETRY_US
            if not self._failing:
                self._failing = True
                self.say(wire.LOG, wire.log(3, "IMU does not answer: %s" % error))
            return None
        if out:
            self._measured_at = self._total
            if self._failing:
                self._failing = False
                if self._measured:
                    self.begin_anew()
                self.say(wire.LOG, wire.log(1, "IMU answers again"))
            self._measured = True
        return None if self._failing else out

    def begin_anew(self):
        """Number frames and count time as after a power-up. The node does not know how it was turned meanwhile, and so
        the host takes nothing of before and after together."""
        self._seq = (self._seq + 0x8000) & 0xFFFF
        self._zero = self._total - BEGINS_US
        self._hello_at = 0
