"""The loop of every main.py: an error that nobody foresaw is told, and the board begins anew instead of standing still.

Not machine.WDT: once begun it cannot be ended, and it would reset the board under whoever loads files.
"""

import machine
import time

import polar_wire as wire

PAUSE_MS = 1000  # the frame goes out, and Ctrl-C gets in


def run(make):
    """`make()` → the node, and what to call again and again. Ctrl-C (no Exception) still ends it."""
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
    """What to call again and again for a node that the radio tells what is said to it."""

    def step():
        node.step()
        data = radio.receive()
        if data:
            node.hear(data)

    return step


def tell(node, error):
    try:
        node.say(wire.LOG, wire.log(3, "begins anew: %r" % error))
    except Exception:  # what failed may be the way out itself
        pass
