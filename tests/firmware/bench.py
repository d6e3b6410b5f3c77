# Runs inside MicroPython: the real firmware on a bench of which the host is the world (IMU, clock, radio).
import json
import sys
from binascii import hexlify, unhexlify

from chip import Chip
from cube_node import CubeNode
from dongle import Dongle
from igloo_node import IglooNode
from lsm6ds import Imu
from seat_node import SeatNode


class Board:
    def __init__(self, number):
        self.number = number
        self.uid = b"\xc0\xbe\x00\x00\x00\x00\x00" + bytes((number,))
        self.now = 0
        self.shown = (0, 0, 0)
        self.sleeps = self.can_sleep = number > 0  # a dongle does not
        self.slept = 0
        self.imu = self.rest = None
        self.asleep = False

    def us(self):
        return self.now & 0x3FFFFFFF

    def battery_mv(self):
        return 3900 if self.number else 0  # a dongle has no cell

    def temperature_c(self):
        return 21.5

    def light(self, red, green, blue):
        self.shown = (red, green, blue)

    def sleep(self):
        self.slept += 1
        self.shown = (0, 0, 0)
        if self.imu:
            self.imu.wake_on_motion(self.rest)
            self.asleep = True


class World:
    def __init__(self, kind, number, period_us, who=None, sleep_after_s=None, can_sleep=True, deaf=False):
        self.kind = kind
        self.number = number
        self.sleep_after_s = sleep_after_s
        self.period_us = period_us
        self.rate_hz = 1e6 / period_us
        self.samples = []
        self.sent = []
        self.air = []
        self.board = Board(number)
        self.board.can_sleep = can_sleep
        self.base = Board(0)
        self.dongle = None
        self.int1 = False  # was it high since the last step
        self.felt = (0, 0, 0, 0, 0, 1)  # last
        self.chip = None
        if who:
            self.chip = Chip(who, self.rate_hz)
            self.chip.deaf = deaf
            self.board.rest = self.rest
        self.power_up()

    def power_up(self):
        """The board begins to run its program; the chip may have been on for long."""
        number, imu = self.number, self
        self.board.asleep = False
        if self.chip:  # the driver and a chip on a bus, instead of samples out of the air
            gyro = self.kind not in ("igloo", "seat")
            g = 4 if self.kind == "seat" else 16
            rate = 1e6 / self.period_us
            imu = self.board.imu = Imu(self.chip, self.board.us, rate_hz=rate, gyro=gyro, accel_g=g)
        if self.kind == "dongle":
            self.node = CubeNode(number, self.board, self.on_air, imu, "cube")
            self.dongle = Dongle(self.base, self.send, self)
        elif self.kind == "igloo":
            self.node = IglooNode(number, self.board, self.send, imu, "igloo")
        elif self.kind == "seat":
            self.node = SeatNode(number, self.board, self.send, imu, "seat")
        else:
            self.node = CubeNode(number, self.board, self.send, imu, "cube")
        if self.sleep_after_s is not None:
            self.node.sleep_after_s = self.sleep_after_s
        self.node.step()

    def send(self, data):
        self.sent.append(data)
        return True

    def on_air(self, data):
        self.air.append(data)
        return True

    def receive(self):
        return self.air.pop(0) if self.air else None

    def transmit(self, data):
        self.node.hear(data)

    def start(self):
        pass

    def read(self):
        out = self.samples
        self.samples = []
        return out

    def set_rate(self, hz):
        self.period_us = 1000000 // hz

    def rest(self, ms):
        """The board waits, and nobody moves it."""
        for _ in range(ms * 1000 // self.period_us):
            self.chip.feel(self.felt)

    def befall(self, what):
        """It answers no more (deaf), or again (well), or its supply fails for a moment (flicker)."""
        self.chip.deaf = what == "deaf"
        if what == "flicker":
            self.chip.power_up()

    def step(self, us, samples, heard, busy):
        past, self.board.now = us - self.board.now, us
        if self.chip:
            self.int1 = False
            if self.board.asleep and samples:  # whoever simulates the samples may have been told another rate
                self.chip.rate_hz = 1e6 * len(samples) / past
            for sample in samples:
                self.felt = tuple(sample)
                self.chip.feel(self.felt)
                self.int1 |= self.chip.int1
        else:
            self.samples = [tuple(s) for s in samples]
        if self.board.asleep and self.int1:
            self.power_up()
        if not busy and not self.board.asleep:
            self.node.step()
        if self.dongle:
            self.base.now = us
            self.dongle.step(heard)
        elif heard and not self.board.asleep:  # then its radio is off
            self.node.hear(heard)
        out = b"".join(self.sent)
        self.sent = []
        return out


world = None


def step(line):
    global world
    asked = json.loads(line)
    if "kind" in asked:
        world = World(**asked)
        return json.dumps(
            {"implementation": sys.implementation.name, "version": list(sys.implementation.version[:3])}
        )
    if asked["chip"]:
        world.befall(asked["chip"])
    out = world.step(asked["us"], asked["samples"], unhexlify(asked["heard"]), asked.get("busy"))
    told = {"sent": hexlify(out).decode(), "light": list(world.board.shown), "slept": world.board.slept}
    told["base slept"] = world.base.slept
    told["asleep"] = world.board.asleep
    told["int1"] = world.int1
    return json.dumps(told)
