"""A cube node: sends its IMU's samples in batches, and its own pose ten times a second and at each rest."""

import polar_wire as wire
from attitude import Attitude
from sensing import SensingNode

POSE_US = 100_000


class CubeNode(SensingNode):
    """`imu` has start(), read() → list of (gx, gy, gz, ax, ay, az) since the last call, period_us, set_rate(hz),
    and optionally overruns: how often it lost samples."""

    kind = wire.CUBE

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self.batch = 4
        self.attitude = Attitude()
        self.send_motion = self.send_pose = True
        self._held = []
        self._first_us = 0
        self._pose_at = 0
        self._was_resting = False
        self._lost = 0

    def step(self):
        """Take what the IMU has measured and send what is due; call it as often as possible."""
        samples = self.samples()
        now = self.us()
        period = self.imu.period_us
        if samples is None:  # no pose either: it would claim that nobody turned the cube
            self._out(period)
            self.regular(False, self.attitude.q)
            return
        lost = getattr(self.imu, "overruns", 0)
        if lost != self._lost:  # the batch so far and the new samples are not contiguous
            self._lost = lost
            self._out(period)
        for i, sample in enumerate(samples):
            if not self._held:
                self._first_us = now - (len(samples) - 1 - i) * period
            self._held.append(sample)
            self.attitude.update(sample, period * 1e-6)
            if len(self._held) >= self.batch:
                self._out(period)
        resting = self.attitude.resting
        if self.send_pose and (self._total >= self._pose_at or resting != self._was_resting):
            self._pose_at = self._total + POSE_US
            self.say(wire.POSE, wire.pose(self.attitude.q, resting))
        self._was_resting = resting
        self.regular(resting, self.attitude.q)

    def begin_anew(self):
        super().begin_anew()
        self.attitude = Attitude()

    def _out(self, period):
        if self._held and self.send_motion:
            self.say(wire.MOTION, wire.motion(period, self._held), self._first_us)
        self._held = []

    def configure(self, wanted):
        rate, batch, motion, pose, _burst, sleep = wanted
        self.send_motion, self.send_pose, self.sleep_after_s = motion, pose, sleep
        self.batch = min(19, max(1, batch))
        if rate:
            self._out(self.imu.period_us)  # samples of two rates never share a frame
            self.imu.set_rate(rate)
            self.rate_hz = rate
