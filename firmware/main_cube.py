"""main.py of a cube node: copy it to the board as main.py, with NUMBER set (1 … 4), beside the other modules."""

import machine

from board_esp32 import Board, Radio
from cube_node import CubeNode
from lsm6ds import Imu

NUMBER = 1

bus = machine.I2C(0, scl=machine.Pin(7), sda=machine.Pin(6), freq=400_000)
clock = Board()
imu = Imu(bus, clock.us, rate_hz=208)
board = Board(imu)
radio = Radio()
node = CubeNode(NUMBER, board, radio.transmit, imu, "cube %d" % NUMBER)
while True:
    node.step()
    data = radio.receive()
    if data:
        node.hear(data)
