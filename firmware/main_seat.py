"""main.py of a counting seat on its USB cable: copy it to the board as main.py, beside the other modules."""

import machine

from board_esp32 import Board, clock_us
from lsm6ds import Imu
from running import run
from seat_node import SeatNode
from usb import Usb

NUMBER = 33


def make():
    usb = Usb()
    bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=400_000)
    # a good tap is a quarter of a g, so no wider range is needed
    imu = Imu(bus, clock_us, rate_hz=833, gyro=False, accel_g=SeatNode.accel_range)
    node = SeatNode(NUMBER, Board(battery=False), usb.send, imu, "seat")

    def step():
        node.step()
        node.hear(usb.receive())

    return node, step


run(make)
