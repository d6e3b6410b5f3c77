# Runs inside MicroPython: the real firmware on a bench of which the host is the world (IMU, clock, radio).
import json
import sys
from binascii import hexlify, unhexlify

from chip import Chip
from cube_node import CubeNode
from dongle import Dongle
from igloo_node import IglooNode
from lsm6ds import Imu


class Board:
    def __init__(self, number):
        self.uid = b"\xc0\xbe\x00\x00\x00\x00\x00" + bytes((number,))
        self.now = 0
        self.shown = (0, 0, 0)
        self.slept = 0

    def us(self):
        return self.now & 0x3FFFFFFF

    def battery_mv(self):
        return 3900

    def temperature_c(self):
        return 21.5

    def light(self, red, green, blue):
        self.shown = (red, green, blue)

    def sleep(self):
        self.slept += 1


class World:
    def __init__(self, kind, number, period_us, who=None):
        self.period_us = period_us
        self.rate_hz = 1e6 / period_us
        self.samples = []
        self.sent = []
        self.air = []
        self.board = Board(number)
        self.dongle = None
        self.chip = None
        imu = self
        if who:  # the driver and a chip on a bus, instead of samples out of the air
            self.chip = Chip(who)
            imu = Imu(self.chip, self.board.us, rate_hz=1e6 / period_us, gyro=kind != "igloo")
        if kind == "dongle":
            self.node = CubeNode(number, self.board, self.on_air, imu, "cube")
            self.base = Board(0)
            self.dongle = Dongle(self.base, self.send, self)
        elif kind == "igloo":
            self.node = IglooNode(number, self.board, self.send, imu, "igloo")
        else:
            self.node = CubeNode(number, self.board, self.send, imu, "cube")

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

    def read(self):
        out = self.samples
        self.samples = []
        return out

    def set_rate(self, hz):
        self.period_us = 1000000 // hz

    def step(self, us, samples, heard, busy):
        self.board.now = us
        if self.chip:
            for sample in samples:
                self.chip.feel(sample)
        else:
            self.samples = [tuple(s) for s in samples]
        if not busy:
            self.node.step()
        if self.dongle:
            self.base.now = us
            self.dongle.step(heard)
        elif heard:
            self.node.hear(heard)
        out = b"".join(self.sent)
        self.sent = []
        return out


world = None


def step(line):
    global world
    asked = json.loads(line)
    if "kind" in asked:
        world = World(asked["kind"], asked["number"], asked["period_us"], asked.get("who"))
        if "sleep_after_s" in asked:
            world.node.sleep_after_s = asked["sleep_after_s"]
        return json.dumps(
            {"implementation": sys.implementation.name, "version": list(sys.implementation.version[:3])}
        )
    out = world.step(asked["us"], asked["samples"], unhexlify(asked["heard"]), asked.get("busy"))
    shown = list(world.board.shown)
    return json.dumps({"sent": hexlify(out).decode(), "light": shown, "slept": world.board.slept})
