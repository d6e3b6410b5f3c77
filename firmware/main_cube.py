"""main.py of a cube node: copy it to the board as main.py, with NUMBER set (1 … 4), beside the other modules."""

import machine

from board_esp32 import Board, Radio, clock_us
from cube_node import CubeNode
from lsm6ds import Imu
from running import by_radio, run

NUMBER = 1


def make():
    bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=400_000)
    imu = Imu(bus, clock_us, rate_hz=208)
    radio = Radio()
    node = CubeNode(NUMBER, Board(imu), radio.transmit, imu, "cube %d" % NUMBER)
    return node, by_radio(node, radio)


run(make)
