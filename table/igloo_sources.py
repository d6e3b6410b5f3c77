"""All igloos that speak on one serial port, heard at once: each is a source of its own, with an ear and a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from sensors.ear.capture import BLOCK_S
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.igloo_port import FIRST_S, IglooPort, port_and_node
from sensors.ear.profile import Profile
from sensors.ear.shake import get_ready
from sensors.evidence import Heard, Hearing
from table.ear_sources import Event, hear_live

Said = Heard | Hearing | Event


def hear_igloos(
    source: str,
    profile: Profile,
    partial: bool,
    clock: Clock,
    seconds: float | None,
    wait: Callable[[float], None],
    alive: Callable[[float], None] = lambda level_db: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Said]:
    """What `hear_live` says of each igloo at a port, as it comes; `PORT#17` is the igloo of node 17 alone.

    A source is called `PORT#NODE`. An igloo that begins to speak later is heard from then on. `alive` is told the level
    of each block of each igloo. Raises NoSuchInput, CaptureLost or ProfileError, the first where nothing can be heard
    at the beginning.
    """
    port, only = port_and_node(source)
    if profile.sensor != "accelerometer":
        raise ProfileError(
            f"what comes from {port} is an accelerometer's, and the profile was made for {a_sensor(profile.sensor)}",
            "take a profile for an accelerometer (--profile accelerometer)",
        )
    get_ready(profile.sensor)
    end = None if seconds is None else clock.now() + seconds
    came: queue.SimpleQueue[Said | PolartableError] = queue.SimpleQueue()
    over = threading.Event()
    ears: dict[int, threading.Thread] = {}

    def hear(node: int, left: float | None) -> None:
        name = f"{port}#{node}"
        try:
            for said in hear_live(name, profile, partial, clock, left, wait, alive, over.is_set):
                came.put(said)
        except PolartableError as error:
            came.put(error)

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
                        left = None if end is None else max(0.0, end - clock.now())
                        ears[node] = threading.Thread(target=hear, args=(node, left), daemon=True)
                        ears[node].start()
                yield from _waiting(came)
        finally:
            over.set()
            for ear in ears.values():
                ear.join(timeout=FIRST_S)
        yield from _waiting(came)


def _waiting(came: queue.SimpleQueue[Said | PolartableError]) -> Iterator[Said]:
    while not came.empty():
        said = came.get()
        if isinstance(said, PolartableError):
            raise said
        yield said
