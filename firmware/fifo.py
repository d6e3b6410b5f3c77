"""The FIFO of LSM6DS chips: samples wait in the chip until the board has time, none is read twice, a loss is noticed.

Two kinds: words in a fixed pattern (LSM6DS3, LSM6DSL, LSM6DS3TR-C; ST's application notes AN4650, AN5040; 4 to 8 KB) and
words with a tag (LSM6DSO; AN5192; 3 KB). Both are read in one go: the address goes round by itself.
"""

import struct

CTRL1, STATUS1 = 0x06, 0x3A
CONTINUOUS = 6  # the oldest are overwritten
AT_ONCE = 32  # samples in one reading of the bus


class PatternFifo:
    """16-bit words, gyroscope x y z (if it runs) then acceleration x y z, again and again."""

    OUT, PATTERN = 0x3E, 0x3C

    def __init__(self, bus):
        self._bus = bus
        self._sizes = 6
        self.overruns = 0

    def start(self, code, gyro):
        """Begin anew at the rate of `code` (as in CTRL1_XL), with or without the gyroscope."""
        self._sizes = 6 if gyro else 3
        self._bus.write(0x0A, 0)  # bypass: empties it
        self._bus.write(0x08, 0x09 if gyro else 0x01)  # every sample of both, or of the accelerometer
        self._bus.write(0x0A, code << 3 | CONTINUOUS)

    def read(self):
        """All whole samples that wait, oldest first: tuples of raw words."""
        low, high = self._bus.read(STATUS1, 2)
        if high & 0x40:
            self.overruns += 1
        words = (high & 0x0F) << 8 | low
        if words:  # after a loss it may begin in the middle of a sample
            low, high = self._bus.read(self.PATTERN, 2)
            within = ((high & 3) << 8 | low) % self._sizes
            if within:
                skip = min(words, self._sizes - within)
                self._bus.read(self.OUT, 2 * skip)
                words -= skip
        out = []
        count = words // self._sizes
        form = "<%dh" % self._sizes
        size = 2 * self._sizes
        while count:
            n = min(count, AT_ONCE)
            raw = self._bus.read(self.OUT, n * size)
            for at in range(0, n * size, size):
                out.append(struct.unpack_from(form, raw, at))
            count -= n
        return out


class TaggedFifo:
    """Words of a tag and x y z; the two bits of the tag's counter say which belong to one moment."""

    OUT = 0x78
    GYRO, ACCEL = 1, 2

    def __init__(self, bus):
        self._bus = bus
        self._gyro = True
        self._rate = None
        self.overruns = 0

    def start(self, code, gyro):
        """As PatternFifo.start."""
        self._gyro = gyro
        self._rate = None
        self._bus.write(0x0A, 0)
        self._bus.write(0x08, 0)
        self._bus.write(0x09, (code << 4 if gyro else 0) | code)
        self._bus.write(0x0A, CONTINUOUS)

    def read(self):
        """As PatternFifo.read."""
        low, high = self._bus.read(STATUS1, 2)
        if high & 0x40:
            self.overruns += 1
        words = (high & 3) << 8 | low
        out = []
        while words:
            n = min(words, AT_ONCE)
            raw = self._bus.read(self.OUT, 7 * n)
            for at in range(0, 7 * n, 7):
                tag = raw[at]
                kind, moment = tag >> 3, tag >> 1 & 3
                if kind == self.GYRO:
                    self._rate = (moment, struct.unpack_from("<3h", raw, at + 1))
                elif kind == self.ACCEL:
                    accel = struct.unpack_from("<3h", raw, at + 1)
                    if not self._gyro:
                        out.append(accel)
                    elif self._rate is not None and self._rate[0] == moment:
                        out.append(self._rate[1] + accel)
                        self._rate = None
            words -= n
        return out
