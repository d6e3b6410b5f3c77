"""The board's own USB as a wire to the host."""

import micropython
import select
import sys
import time

LOADING_MS = 2000  # time after power-up in which Ctrl-C still ends the program: mpremote needs it
AT_ONCE = 256


class Usb:
    def __init__(self):
        time.sleep_ms(LOADING_MS)
        micropython.kbd_intr(-1)  # from now on a byte 3 from the host is data, not an interrupt
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def send(self, data):
        """True if the host's side took all of it."""
        return sys.stdout.buffer.write(data) == len(data)

    def receive(self):
        data = b""
        while self._poll.poll(0) and len(data) < AT_ONCE:
            data += sys.stdin.buffer.read(1)
        return data
