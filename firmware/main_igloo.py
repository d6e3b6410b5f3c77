"""main.py of an igloo node: copy it to the board as main.py, with NUMBER set (17 … 28), beside the other modules."""

import machine

from board_esp32 import Board, Radio, clock_us
from igloo_node import IglooNode
from lsm6ds import Imu
from running import by_radio, run

NUMBER = 17


def make():
    bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=400_000)
    imu = Imu(bus, clock_us, rate_hz=1660, gyro=False)
    radio = Radio()
    node = IglooNode(NUMBER, Board(imu), radio.transmit, imu, "igloo %d" % NUMBER)
    return node, by_radio(node, radio)


run(make)
