"""LSM6DS3TR-C / LSM6DSL / LSM6DSO over I2C: samples through the FIFO, and an interrupt that wakes a sleeping board.

Registers from ST's data sheets DS11190 (LSM6DS3), DS12140 (LSM6DSO); only those that all of them share are used.
"""

import struct

WHO_AM_I = 0x0F
CTRL1_XL, CTRL2_G, CTRL3_C = 0x10, 0x11, 0x12
STATUS_REG, OUTX_L_G = 0x1E, 0x22
TAP_CFG, WAKE_UP_THS, WAKE_UP_DUR, MD1_CFG = 0x58, 0x5B, 0x5C, 0x5E
KNOWN = {0x69: "LSM6DS3", 0x6A: "LSM6DSL", 0x6C: "LSM6DSO"}
# output data rate codes of CTRL1_XL and CTRL2_G
ODR = {104: 4, 208: 5, 416: 6, 833: 7, 1660: 8, 3330: 9}
RATE_UNIT = 0.07  # °/s at ±2000 °/s
ACCEL_UNIT = 0.000488  # g at ±16 g


class Imu:
    """`i2c` is a machine.I2C; `us` gives the board's microseconds (to measure the chip's true rate)."""

    def __init__(self, i2c, us, address=0x6A, rate_hz=208):
        self.i2c = i2c
        self.address = address
        self._us = us
        who = i2c.readfrom_mem(address, WHO_AM_I, 1)[0]
        if who not in KNOWN:
            raise OSError("no LSM6DS at 0x%02x (it says 0x%02x)" % (address, who))
        self._write(CTRL3_C, 0x44)  # registers change as a whole; addresses count up
        self.set_rate(rate_hz)

    def set_rate(self, hz):
        """The chip's rate next to `hz`; the true one is measured, as it may be several per cent off."""
        nominal = min(ODR, key=lambda rate: abs(rate - hz))
        self._write(CTRL1_XL, ODR[nominal] << 4 | 0x04)  # ±16 g
        self._write(CTRL2_G, ODR[nominal] << 4 | 0x0C)  # ±2000 °/s
        self.period_us = 1_000_000 // nominal
        self._began = self._us()
        self._count = 0

    def read(self):
        """The newest sample in a list, or an empty one where the chip has none yet."""
        if self.i2c.readfrom_mem(self.address, STATUS_REG, 1)[0] & 3 != 3:
            return []
        raw = struct.unpack("<6h", self.i2c.readfrom_mem(self.address, OUTX_L_G, 12))
        self._measure()
        return [tuple(v * RATE_UNIT for v in raw[:3]) + tuple(v * ACCEL_UNIT for v in raw[3:])]

    def wake_on_motion(self, threshold=2):
        """Slow accelerometer, gyroscope off, INT1 on a movement of `threshold` × 0.25 g."""
        self._write(CTRL2_G, 0x00)
        self._write(CTRL1_XL, 2 << 4 | 0x04)  # 26 Hz
        self._write(TAP_CFG, 0x81)
        self._write(WAKE_UP_DUR, 0x00)
        self._write(WAKE_UP_THS, threshold)
        self._write(MD1_CFG, 0x20)

    def _measure(self):
        self._count += 1
        if self._count == 1000:
            took = (self._us() - self._began) & 0x3FFFFFFF
            self.period_us = took // 1000
            self._began = self._us()
            self._count = 0

    def _write(self, register, value):
        self.i2c.writeto_mem(self.address, register, bytes((value,)))
