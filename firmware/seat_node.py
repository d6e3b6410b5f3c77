"""A counting seat on a cable: what its ring feels, all the time, as one burst that does not end."""

import polar_wire as wire
from bursting import BurstNode


class SeatNode(BurstNode):
    """`imu` as a BurstNode's."""

    kind = wire.SEAT
    accel_range = 4

    def __init__(self, number, board, send, imu, name=""):
        super().__init__(number, board, send, imu, name)
        self._burst = self._index = 1  # an index of 0 is of a burst whose first three frames leave at once

    def step(self):
        samples = self.samples()
        if samples is not None:
            if self.lost():  # the index goes on: samples are missing before this burst
                self._ring = []
                self._burst += 1
            self._ring.extend(samples)
            self.out()
        self.regular(False, (1.0, 0.0, 0.0, 0.0))
