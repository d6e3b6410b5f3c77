"""main.py of a cube on its own USB cable: copy it as main.py beside the other modules, with NUMBER set (1 … 4)."""

import machine

from board_esp32 import Board, clock_us
from cube_node import CubeNode
from lsm6ds import Imu
from running import run
from usb import Usb

NUMBER = 1


def make():
    usb = Usb()
    bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=400_000)
    imu = Imu(bus, clock_us, rate_hz=208)
    # It never sleeps: the cable powers it, nothing could wake it, and a port that vanishes means a pulled cable
    node = CubeNode(NUMBER, Board(battery=False), usb.send, imu, "cube %d" % NUMBER)

    def step():
        node.step()
        node.hear(usb.receive())

    return node, step


run(make)
