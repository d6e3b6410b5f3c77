"""The FIFO of LSM6DS chips: samples wait in the chip until the board reads them, each once; overruns are detected.

There are two kinds. In a pattern FIFO, words follow a fixed order (LSM6DS3, LSM6DSL, LSM6DS3TR-C; ST's application
notes AN4650, AN5040; 4 to 8 KB). In a tagged FIFO, each word has a tag (LSM6DSO; AN5192; 3 KB). Both are read in one
transfer: the register address wraps by itself.
"""

import struct

CTRL1, STATUS1 = 0x06, 0x3A
CONTINUOUS = 6  # FIFO mode: when it is full, the oldest samples are overwritten
AT_ONCE = 32  # samples in one bus transfer


class PatternFifo:
    """16-bit words in a repeated pattern: gyroscope x y z (if it runs), then acceleration x y z."""

    OUT, PATTERN = 0x3E, 0x3C

    def __init__(self, bus):
        self._bus = bus
        self._sizes = 6
        self.overruns = 0

    def start(self, code, gyro):
        """Restart at the rate of `code` (as in CTRL1_XL), with or without the gyroscope."""
        self._sizes = 6 if gyro else 3
        self._bus.write(0x0A, 0)  # bypass mode: empties the FIFO
        self._bus.write(0x08, 0x09 if gyro else 0x01)  # no decimation, of both sensors or of the accelerometer alone
        self._bus.write(0x0A, code << 3 | CONTINUOUS)

    def read(self):
        """All complete samples in the FIFO, oldest first: tuples of raw words."""
        low, high = self._bus.read(STATUS1, 2)
        if high & 0x40:
            self.overruns += 1
        words = (high & 0x0F) << 8 | low
        if words:  # after an overrun the data may start in the middle of a sample
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
    """Words of a tag and x y z; words of one sample time share the tag's 2-bit counter."""

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
