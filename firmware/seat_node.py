"""A counting seat's node on a cable: streams the acceleration of its ring as one endless burst."""

import polar_wire as wire
from bursting import BurstNode


class SeatNode(BurstNode):
    """`imu`: as for BurstNode."""

    kind = wire.SEAT
    accel_range = 4

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self._burst = self._index = 1  # index 0 would mean a burst whose first three frames leave at once

    def step(self):
        samples = self.samples()
        if samples is not None:
            if self.lost():  # a new burst whose index continues: samples are missing before it
                self._ring = []
                self._burst += 1
            self._ring.extend(samples)
            self.out()
        self.regular(False, (1.0, 0.0, 0.0, 0.0))
