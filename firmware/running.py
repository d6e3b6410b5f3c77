"""The loop of every main.py: it reports an unexpected error and restarts the board, so that the node does not hang.

It does not use machine.WDT, which cannot be stopped: it would reset the board while somebody loads files.
"""

import machine
import time

import polar_wire as wire

PAUSE_MS = 1000  # time for the frame to go out, and for Ctrl-C


def run(make):
    """`make()` → the node, and the function to call in a loop. Ctrl-C still ends it: it is no Exception."""
    node = None
    try:
        node, step = make()
        while True:
            step()
    except Exception as error:
        print(repr(error))
        if node is not None:
            tell(node, error)
    time.sleep_ms(PAUSE_MS)
    machine.reset()


def by_radio(node, radio):
    """The loop function of a node that gets the host's frames by radio."""

    def step():
        node.step()
        data = radio.receive()
        if data:
            node.hear(data)

    return step


def tell(node, error):
    try:
        node.say(wire.LOG, wire.log(3, "begins anew: %r" % error))
    except Exception:  # sending itself may be what failed
        pass
