# Runs inside MicroPython: the real firmware on a bench of which the host is the world (IMU, clock, radio).
import json
import sys
from binascii import hexlify, unhexlify

from cube_node import CubeNode
from dongle import Dongle
from igloo_node import IglooNode


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
    def __init__(self, kind, number, period_us):
        self.period_us = period_us
        self.rate_hz = 1e6 / period_us
        self.samples = []
        self.sent = []
        self.air = []
        self.board = Board(number)
        self.dongle = None
        if kind == "dongle":
            self.node = CubeNode(number, self.board, self.on_air, self, "cube")
            self.base = Board(0)
            self.dongle = Dongle(self.base, self.send, self)
        elif kind == "igloo":
            self.node = IglooNode(number, self.board, self.send, self, "igloo")
        else:
            self.node = CubeNode(number, self.board, self.send, self, "cube")

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

    def step(self, us, samples, heard):
        self.board.now = us
        self.samples = [tuple(s) for s in samples]
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
        world = World(asked["kind"], asked["number"], asked["period_us"])
        if "sleep_after_s" in asked:
            world.node.sleep_after_s = asked["sleep_after_s"]
        return json.dumps(
            {"implementation": sys.implementation.name, "version": list(sys.implementation.version[:3])}
        )
    out = world.step(asked["us"], asked["samples"], unhexlify(asked["heard"]))
    shown = list(world.board.shown)
    return json.dumps({"sent": hexlify(out).decode(), "light": shown, "slept": world.board.slept})
