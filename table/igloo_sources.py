"""All igloos that speak on one serial port, heard at once: each is a source of its own, with an ear and a thread."""

from __future__ import annotations

import functools
import math
import queue
import threading
from collections.abc import Callable, Iterator

from firmware_bridge.clock import Clock
from sensors.ear.capture import BLOCK_S
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.igloo_port import FIRST_S, OTHER_RATE, IglooPort, port_and_node
from sensors.ear.profile import Profile
from sensors.ear.shake import get_ready
from sensors.evidence import Heard, Hearing
from table.ear_live import hear_live
from table.ear_sources import Event
from table.why_lost import why_lost

Said = Heard | Hearing | Event
RETRY_S = 2.0  # until an igloo that could not be heard is tried again; twice as long each time, up to:
LONGEST_RETRY_S = 60.0
LOOK_S = 0.2


def hear_igloos(
    source: str,
    profile: Profile,
    partial: bool,
    clock: Clock,
    seconds: float | None,
    wait: Callable[[float], None],
    alive: Callable[[str, float], None] = lambda source, level_db: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Said]:
    """What `hear_live` says of each igloo at a port, as it comes; `PORT#17` is the igloo of node 17 alone.

    A source is called `PORT#NODE`. An igloo that begins to speak later is heard from then on. `alive` is told the
    source and the level of each block of each igloo. One that cannot be heard – at a rate that the profile does not
    know, say – is an event, `lost`, and tried again (a rate: when it is another); the others are heard all the same.

    Raises NoSuchInput, CaptureLost or ProfileError where nothing can be heard at the beginning; later what is wrong
    with an igloo, where that one was asked for.
    """
    port, only = port_and_node(source)
    if profile.sensor != "accelerometer":
        raise ProfileError(
            f"what comes from {port} is an accelerometer's, and the profile was made for {a_sensor(profile.sensor)}",
            "take a profile for an accelerometer (--profile accelerometer)",
        )
    get_ready(profile.sensor)
    end = None if seconds is None else clock.now() + seconds
    came: queue.SimpleQueue[Said | Exception] = queue.SimpleQueue()
    over = threading.Event()
    ears: dict[int, threading.Thread] = {}

    def left() -> float | None:
        return None if end is None else max(0.0, end - clock.now())

    def hear(node: int) -> None:
        name, pause, told = f"{port}#{node}", RETRY_S, ""
        lives = functools.partial(alive, name)
        while not over.is_set() and left() != 0.0:
            rate = shared.rates[node]
            try:
                for said in hear_live(name, profile, partial, clock, left(), wait, lives, over.is_set):
                    came.put(said)
                    told = ""
                return
            except Exception as error:  # of one igloo, whatever it is: the others must not become deaf by it
                if only is not None:
                    came.put(error)
                    return
                why = why_lost(name, error)
                if why != told:
                    came.put({"event": "link", "source": name, "state": "lost", "why": why})
                told = why
                again = math.inf if isinstance(error, ProfileError) else clock.now() + pause
            pause = min(2 * pause, LONGEST_RETRY_S)
            while not over.is_set() and left() != 0.0 and clock.now() < again:
                if abs(shared.rates[node] / rate - 1) > OTHER_RATE:
                    break
                wait(LOOK_S)

    with IglooPort.at(port) as shared:
        try:
            there = shared.until(
                lambda: stopped() or ((only in shared.rates) if only is not None else bool(shared.rates)),
                FIRST_S,
            )
            if stopped():
                return
            if not there:
                raise shared.nothing("any igloo" if only is None else f"igloo {only}")
            while not stopped() and (end is None or clock.now() < end):
                shared.listen(BLOCK_S)
                for node in sorted(shared.rates):
                    if node not in ears and only in (None, node):
                        ears[node] = threading.Thread(
                            target=hear, args=(node,), name=f"{port}#{node}", daemon=True
                        )
                        ears[node].start()
                yield from _waiting(came)
        finally:
            over.set()
            for ear in ears.values():
                ear.join(timeout=FIRST_S)
        yield from _waiting(came)


def _waiting(came: queue.SimpleQueue[Said | Exception]) -> Iterator[Said]:
    while not came.empty():
        said = came.get()
        if isinstance(said, Exception):
            raise said
        yield said
