"""main.py of a cube on its own USB cable: copy it to the board as main.py, with NUMBER set (1 … 4), beside the others."""

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
    # the cable feeds it, and a port that vanishes is a cable that was pulled: nothing wakes it, and so it never sleeps
    node = CubeNode(NUMBER, Board(battery=False), usb.send, imu, "cube %d" % NUMBER)

    def step():
        node.step()
        node.hear(usb.receive())

    return node, step


run(make)
