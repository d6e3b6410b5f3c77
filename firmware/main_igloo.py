"""main.py of an igloo node: copy it to the board as main.py, with NUMBER set (17 … 28), beside the other modules."""

import machine

from board_esp32 import Board, Radio
from igloo_node import IglooNode
from lsm6ds import Imu

NUMBER = 17


class Shell:
    """The IMU's acceleration alone, as fast as it goes."""

    def __init__(self, imu):
        self._imu = imu

    @property
    def rate_hz(self):
        return 1e6 / self._imu.period_us

    def read(self):
        return [sample[3:] for sample in self._imu.read()]


bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=1_000_000)
imu = Imu(bus, Board().us, rate_hz=833)
radio = Radio()
node = IglooNode(NUMBER, Board(imu), radio.transmit, Shell(imu), "igloo %d" % NUMBER)
while True:
    node.step()
    data = radio.receive()
    if data:
        node.hear(data)
