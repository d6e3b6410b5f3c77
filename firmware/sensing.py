"""What cubes and igloos share: an IMU that may fail. The node reports it and retries, and otherwise keeps running."""

import polar_wire as wire
from node import Node

SILENT_US = 1_000_000  # after this long without a sample the IMU has failed, even if the bus answers
RETRY_US = 200_000
BEGINS_US = 1_000_000  # the restarted clock starts here: samples that were waiting are a little older than the restart


class SensingNode(Node):
    """`imu` has start() and read(), which raise OSError if it does not answer; subclasses say what else it needs."""

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, name)
        self.imu = imu
        self._set_up = self._failing = self._measured = False
        self._try_at = self._measured_at = 0

    def samples(self):
        """The IMU's samples since the last call. None while it fails: that is reported once, and retried."""
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
        """Restart frame numbers and time, as after a power-up. The node does not know how it was turned meanwhile, so
        the host must not join what came before with what comes after."""
        self._seq = (self._seq + 0x8000) & 0xFFFF
        self._zero = self._total - BEGINS_US
        self._hello_at = 0
