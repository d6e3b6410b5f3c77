"""main.py of the dongle on the host's USB: copy it to the board as main.py, beside the other modules."""

from board_esp32 import Board, Radio
from dongle import Dongle
from running import run
from usb import Usb


def make():
    usb = Usb()
    dongle = Dongle(Board(battery=False), usb.send, Radio())
    return dongle, lambda: dongle.step(usb.receive())


run(make)
