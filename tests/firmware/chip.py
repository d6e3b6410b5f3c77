# Runs inside MicroPython: an LSM6DS on an I2C bus, register by register, as ST's data sheets describe FIFO and INT1.
# Nothing of firmware/ is used here; whoever misreads the data sheet there finds no samples.
import struct

SLOW = {1: 12.5, 2: 26, 3: 52}  # samples a second; what is quicker here takes every sample that is felt
RANGES = (2, 16, 4, 8)  # g, by FS_XL
STEPS = (0.000061, 0.000488, 0.000122, 0.000244)  # g, the same way (LA_So)
SIDES = (0.174, 0.342, 0.5, 0.643)  # g, by SIXD_THS: cosines of 80°, 70°, 60°, 50°


class Chip:
    """`who` 0x6A (words in a pattern, 4 KB) or 0x6C (words with tags, 3 KB). A machine.I2C as far as it is used.

    `rate_hz`: how often `feel` is called. `deaf`: nobody answers on the bus. `int1`: the pin.
    """

    def __init__(self, who, rate_hz):
        self.who = who
        self.rate_hz = rate_hz
        self.tagged = who == 0x6C
        self.room = 512 if self.tagged else 2048  # words
        self.deaf = False
        self.power_up()

    def power_up(self):
        """Its supply came (back): all registers are as delivered."""
        self.regs = bytearray(128)
        self.regs[0x0F] = self.who
        self.fifo = []
        self.lost = False
        self.at = 0  # in the pattern
        self.moment = 0
        self.felt = []  # since the last sample of the interrupts' filters
        self.before = None  # that sample, in shares of its range
        self.side = None
        self.woken = self.turned = False  # the wake-up event, in WAKE_UP_SRC and on INT1; 6D, on INT1

    @property
    def int1(self):
        routed = self.regs[0x5E]
        return bool(self.regs[0x58] & 0x80 and (self.woken and routed & 0x20 or self.turned and routed & 0x04))

    def interrupts(self, accel):
        """Wake-up and 6D (AN5130, AN5192): one low-passed sample a period of the accelerometer's own rate."""
        r = self.regs
        self.felt.append(accel)
        rate = SLOW.get(r[0x10] >> 4)
        if not r[0x10] >> 4 or (rate and len(self.felt) < round(self.rate_hz / rate)):
            return
        full = RANGES[r[0x10] >> 2 & 3]
        n = len(self.felt)
        took = [max(-1, min(1, sum(one[i] for one in self.felt) / n / full)) for i in range(3)]
        self.felt = []
        self.slope(took)
        self.orientation([share * full for share in took])

    def slope(self, took):
        """Half the change of more than the threshold; latched until WAKE_UP_SRC is read, if LIR says so. A change of
        range is one of what it holds."""
        r = self.regs
        last, self.before = self.before or took, took
        if not r[0x58] & 0x80:
            return
        latched = r[0x56 if self.tagged else 0x58] & 1
        fine = self.tagged and r[0x5C] & 0x10
        moved = max(abs(took[i] - last[i]) / 2 for i in range(3)) > (r[0x5B] & 0x3F) / (256 if fine else 64)
        self.woken = moved or (self.woken and bool(latched))

    def orientation(self, accel):
        """Another side than before looks up: for one sample."""
        if not self.regs[0x58] & 0x80:
            return
        least = SIDES[self.regs[0x59] >> 5 & 3]
        side = [(a > least) - (a < -least) for a in accel]
        known = sum(abs(s) for s in side) == 1
        self.turned = known and side != self.side
        if known:
            self.side = side

    def feel(self, sample):
        """One sample (gx, gy, gz, ax, ay, az) in °/s and g is measured."""
        r = self.regs
        self.interrupts(sample[3:])
        if not r[0x10] >> 4 or r[0x0A] & 7 != 6:
            return  # asleep, or a FIFO that is not continuous
        gyro = bool(r[0x11] >> 4) and r[0x11] & 0x0F == 0x0C
        if self.tagged:
            batch_gyro, batch_accel = r[0x09] >> 4 == r[0x11] >> 4 and gyro, r[0x09] & 15 == r[0x10] >> 4
        else:
            at_rate = r[0x0A] >> 3 & 15 == r[0x10] >> 4
            batch_gyro, batch_accel = gyro and at_rate and r[0x08] >> 3 & 7 == 1, at_rate and r[0x08] & 7 == 1
        self.moment = (self.moment + 1) & 3
        if batch_gyro:
            self.put(1, [round(v / 0.07) for v in sample[:3]])
        if batch_accel:
            step = STEPS[r[0x10] >> 2 & 3]
            self.put(2, [max(-32768, min(32767, round(v / step))) for v in sample[3:]])

    def put(self, tag, words):
        if self.tagged:
            self.fifo.append(struct.pack("<B3h", tag << 3 | self.moment << 1, *words))
        else:
            self.fifo += [struct.pack("<h", w) for w in words]
        while len(self.fifo) > self.room:
            self.take()
            self.lost = True

    def take(self):
        size = 6 if self.regs[0x08] >> 3 & 7 else 3
        self.at = (self.at + 1) % size
        return self.fifo.pop(0) if self.fifo else bytes(7 if self.tagged else 2)

    def answer(self, address):
        assert address == 0x6A
        if self.deaf:
            raise OSError(116)

    def writeto_mem(self, address, register, data):
        self.answer(address)
        for i, value in enumerate(data):
            self.regs[register + i] = value
            if register + i == 0x0A and value & 7 == 0:  # bypass empties it
                self.fifo, self.at = [], 0

    def readfrom_mem(self, address, register, size):
        self.answer(address)
        if register == 0x1B:
            source = bytes((8 if self.woken else 0,))
            self.woken = False
            return source
        n = len(self.fifo)
        high = n >> 8 | (0x40 if self.lost else 0)
        if register == 0x3A:
            self.lost = False
            return bytes((n & 255, high))[:size]
        if register == 0x3C and not self.tagged:
            return bytes((self.at & 255, self.at >> 8))[:size]
        out = b""
        if register == (0x78 if self.tagged else 0x3E):  # the address goes round inside a word
            while len(out) < size:
                out += self.take()
            assert len(out) == size, "a word read in part"
            return out
        return bytes(self.regs[register : register + size])
