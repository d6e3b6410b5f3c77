"""Driver for LSM6DS3TR-C / LSM6DSL / LSM6DSO over I2C: samples through the FIFO, and an interrupt to wake the board.

Registers are from ST's data sheets DS11190 (LSM6DS3TR-C) and DS12140 (LSM6DSO). Outside the FIFO the driver uses only
registers that all chips share.
"""

from fifo import PatternFifo, TaggedFifo

WHO_AM_I, WAKE_UP_SRC = 0x0F, 0x1B
CTRL1_XL, CTRL2_G, CTRL3_C = 0x10, 0x11, 0x12
TAP_CFG, TAP_THS_6D, WAKE_UP_THS, WAKE_UP_DUR, MD1_CFG = 0x58, 0x59, 0x5B, 0x5C, 0x5E
KNOWN = {0x69: PatternFifo, 0x6A: PatternFifo, 0x6C: TaggedFifo}
# output data rate in Hz → its code in CTRL1_XL and CTRL2_G; the FIFO uses the same codes
ODR = {104: 4, 208: 5, 416: 6, 833: 7, 1660: 8, 3330: 9}
RATE_UNIT = 0.07  # °/s at ±2000 °/s
# range in g → (FS_XL in CTRL1_XL, g per LSB)
RANGES = {2: (0, 0.000061), 4: (2, 0.000122), 8: (3, 0.000244), 16: (1, 0.000488)}
MEASURE_US = 2_000_000
SETTLE_MS = 400  # five samples at the rate of the chip during sleep


class Bus:
    """The registers of one chip on an I2C bus."""

    def __init__(self, i2c, address):
        self._i2c = i2c
        self._address = address

    def read(self, register, size):
        return self._i2c.readfrom_mem(self._address, register, size)

    def write(self, register, value):
        self._i2c.writeto_mem(self._address, register, bytes((value,)))


class Imu:
    """`i2c` is a machine.I2C; `us` returns the board's microseconds (to measure the chip's true rate).

    `accel_g`: the range, ±2, 4, 8 or 16. read() → (gx, gy, gz, ax, ay, az) in °/s and g, or with `gyro` false
    (ax, ay, az). `period_us` and `rate_hz` are measured. `overruns`: how often samples were lost because nobody read
    them in time, or the chip was set up again.
    Only start(), read() and wake_on_motion() talk to the chip; they raise OSError if it does not answer.
    """

    def __init__(self, i2c, us, address=0x6A, rate_hz=208, gyro=True, accel_g=16):
        self._bus = Bus(i2c, address)
        self.gyro = gyro
        self._range, self._unit = RANGES[accel_g]
        self._write = self._bus.write
        self._us = us
        self._fifo = None
        self.set_rate(rate_hz)
        self.period_us = 1_000_000 // self._wanted

    def start(self):
        """Set the chip up, whatever its state: it keeps its registers while the board sleeps or restarts."""
        who = self._bus.read(WHO_AM_I, 1)[0]
        if who not in KNOWN:
            raise OSError("no LSM6DS, it says 0x%02x" % who)
        overruns = 0 if self._fifo is None else self._fifo.overruns + 1
        self._fifo = KNOWN[who](self._bus)
        self._fifo.overruns = overruns
        self._write(MD1_CFG, 0x00)  # the event that woke the board must not wake it again at once
        self._write(TAP_CFG, 0x00)
        self._bus.read(WAKE_UP_SRC, 1)
        self._write(CTRL3_C, 0x44)  # block data update; addresses auto-increment
        self._set_rate()

    @property
    def rate_hz(self):
        return 1e6 / self.period_us

    @property
    def overruns(self):
        return 0 if self._fifo is None else self._fifo.overruns

    def set_rate(self, hz):
        """From the next read() on, use the chip's rate nearest to `hz`. The true rate may be several per cent off; it
        is measured."""
        self._wanted = min(ODR, key=lambda rate: abs(rate - hz))

    def _set_rate(self):
        nominal = self._wanted
        self._write(CTRL1_XL, ODR[nominal] << 4 | self._range << 2)
        self._write(CTRL2_G, ODR[nominal] << 4 | 0x0C if self.gyro else 0)  # ±2000 °/s
        self._fifo.start(ODR[nominal], self.gyro)
        self._nominal = nominal
        self._nominal_us = self.period_us = 1_000_000 // nominal
        self._began = None

    def read(self):
        """The samples since the last call, oldest first; the newest is less than a sample period old."""
        if self._wanted != self._nominal:
            self._set_rate()
        lost = self._fifo.overruns
        raw = self._fifo.read()
        if self._fifo.overruns != lost:
            self._began = None  # with samples missing, their count is no clock any more
        elif raw:
            self._measure(len(raw))
        if not self.gyro:
            return [tuple(v * self._unit for v in s) for s in raw]
        return [tuple(v * RATE_UNIT for v in s[:3]) + tuple(v * self._unit for v in s[3:]) for s in raw]

    def wake_on_motion(self, sleep_ms):
        """Slow accelerometer, gyroscope off, INT1 high for 80 ms when a movement starts or another side faces up.

        `sleep_ms(ms)` waits. The wake-up event compares half the change between two samples with WAKE_UP_THS × range
        / 64 (ST's AN5130 and AN5192, "Wake-up interrupt"): at ±2 g, 1 is 31 mg. A gentle tilt moves gravity to another
        axis; the slower the chip samples, the larger the change between two samples. Of simulated hands' tilts, a
        threshold of 500 mg at 26 Hz missed nearly all, and 31 mg half of the slow ones. 31 mg at 12.5 Hz misses none,
        and the low-pass (half the rate) filters out a knock on the table: `python -m benchmarks.waking`. Still slower
        tilts end with another side up, which triggers the 6D interrupt. Finer steps (WAKE_THS_W) and the high-pass
        differ between chips.
        """
        self._write(CTRL2_G, 0x00)
        self._write(CTRL1_XL, 1 << 4)  # 12.5 Hz, ±2 g
        self._write(TAP_CFG, 0x80)  # not latched: only one family has that bit here, and a latch must be cleared
        self._write(TAP_THS_6D, 0x40)  # 6D threshold: a side faces up within 60°
        self._write(WAKE_UP_DUR, 0x00)
        self._write(WAKE_UP_THS, 0x01)
        # the first samples after a change of range differ by themselves, and would wake the board as soon as it sleeps
        sleep_ms(SETTLE_MS)
        self._bus.read(WAKE_UP_SRC, 1)
        self._write(MD1_CFG, 0x24)

    def _measure(self, count):
        now = self._us()
        if self._began is None:
            self._began, self._count = now, 0
            return
        self._count += count
        took = (now - self._began) & 0x3FFFFFFF
        if took >= MEASURE_US:
            measured = took / self._count
            if 0.8 < measured / self._nominal_us < 1.25:  # otherwise the board was busy elsewhere
                self.period_us = int(measured + 0.5)
            self._began, self._count = now, 0
