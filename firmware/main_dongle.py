"""main.py of the dongle on the host's USB: copy it to the board as main.py, beside the other modules."""

import sys

import micropython
import select

from board_esp32 import Board, Radio
from dongle import Dongle

micropython.kbd_intr(-1)  # a byte 3 from the host is data, not an interrupt
poll = select.poll()
poll.register(sys.stdin, select.POLLIN)


def to_host(data):
    return sys.stdout.buffer.write(data) == len(data)


def from_host():
    data = b""
    while poll.poll(0) and len(data) < 256:
        data += sys.stdin.buffer.read(1)
    return data


dongle = Dongle(Board(), to_host, Radio())
while True:
    dongle.step(from_host())
