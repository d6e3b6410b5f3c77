"""Listens to all igloos on one serial port at once: each is a source with its own ear and thread."""

from __future__ import annotations

import functools
import math
import queue
import threading
from collections.abc import Callable, Iterator

from firmware_bridge.clock import Clock
from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import get_ready
from sensors.ear.sources.capture import BLOCK_S
from sensors.ear.sources.igloo_port import FIRST_S, OTHER_RATE, IglooPort, port_and_node
from sensors.evidence import Heard, Hearing
from table.listening.files import Event
from table.listening.live import hear_live
from table.listening.why_lost import why_lost

Said = Heard | Hearing | Event
RETRY_S = 2.0  # until an igloo that could not be heard is tried again; doubles each time, up to:
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
    """What `hear_live` yields for each igloo at a port, as it comes; `PORT#17` is only the igloo of node 17.

    A source is called `PORT#NODE`. An igloo that begins to send later is heard from then on. `alive` gets the source
    and the level of each block of each igloo. An igloo that cannot be heard (at a rate that the profile does not know,
    for example) gives an event `lost` and is retried (after a wrong rate: once the rate changes); the others are heard
    all the same. A node's own messages are events, `node`.

    Raises NoSuchInput, CaptureLost or ProfileError if nothing can be heard at the beginning; later only the error of an
    igloo that was asked for by its number.
    """
    port, only = port_and_node(source)
    if profile.sensor != "accelerometer":
        raise ProfileError(
            f"what comes from {port} is an accelerometer's, and the profile was made for {a_sensor(profile.sensor)}",
            "take a profile for an accelerometer (--profile accelerometer)",
        )
    get_ready(profile.sensor)
    end = None if seconds is None else clock.now() + seconds
    with IglooPort.at(port) as shared:
        ears = _Ears(port, only, shared, profile, partial, clock, end, wait, alive)
        try:
            there = shared.until(
                lambda: stopped() or ((only in shared.rates) if only is not None else bool(shared.rates)),
                FIRST_S,
            )
            if stopped():
                return
            if not there:
                yield from _told(shared, only)
                raise shared.nothing(only)
            while not stopped() and ears.left() != 0.0:
                shared.listen(BLOCK_S)
                yield from _told(shared, only)
                ears.begin()
                yield from _waiting(ears.came)
        finally:
            ears.close()
        yield from _waiting(ears.came)


class _Ears:
    """An ear for each igloo of a port, in its own thread. `only`: the one node that was asked for; None: all."""

    def __init__(
        self,
        port: str,
        only: int | None,
        shared: IglooPort,
        profile: Profile,
        partial: bool,
        clock: Clock,
        end: float | None,
        wait: Callable[[float], None],
        alive: Callable[[str, float], None],
    ) -> None:
        self.came: queue.SimpleQueue[Said | Exception] = queue.SimpleQueue()
        self._port, self._only, self._shared = port, only, shared
        self._profile, self._partial = profile, partial
        self._clock, self._end, self._wait, self._alive = clock, end, wait, alive
        self._over = threading.Event()
        self._threads: dict[int, threading.Thread] = {}

    def left(self) -> float | None:
        """Seconds until the end; None: no end."""
        return None if self._end is None else max(0.0, self._end - self._clock.now())

    def begin(self) -> None:
        """Start listening to igloos that have begun to send."""
        for node in sorted(self._shared.rates):
            if node not in self._threads and self._only in (None, node):
                self._threads[node] = threading.Thread(
                    target=self._hear, args=(node,), name=f"{self._port}#{node}", daemon=True
                )
                self._threads[node].start()

    def close(self) -> None:
        """Stop listening; what still comes is in `came`."""
        self._over.set()
        for thread in self._threads.values():
            thread.join(timeout=FIRST_S)

    def _hear(self, node: int) -> None:
        name, pause, told = f"{self._port}#{node}", RETRY_S, ""
        while self._goes_on():
            rate = self._shared.rates[node]
            try:
                for said in self._said_by(name):
                    self.came.put(said)
                    told = ""
                return
            except Exception as error:  # whatever the error of one igloo is: it must not make the others deaf
                if self._only is not None:
                    self.came.put(error)
                    return
                why = why_lost(name, error)
                if why != told:
                    self.came.put({"event": "link", "source": name, "state": "lost", "why": why})
                told = why
                again = math.inf if isinstance(error, ProfileError) else self._clock.now() + pause
            pause = min(2 * pause, LONGEST_RETRY_S)
            while self._goes_on() and self._clock.now() < again:
                if abs(self._shared.rates[node] / rate - 1) > OTHER_RATE:
                    break
                self._wait(LOOK_S)

    def _said_by(self, name: str) -> Iterator[Said]:
        lives = functools.partial(self._alive, name)
        over, wait = self._over.is_set, self._wait
        return hear_live(
            name, self._profile, self._partial, self._clock, self.left(), wait, lives, over, port=True
        )

    def _goes_on(self) -> bool:
        return not self._over.is_set() and self.left() != 0.0


def _told(shared: IglooPort, only: int | None) -> Iterator[Event]:
    """The nodes' own messages."""
    for told in shared.told(only):
        source = f"{shared.name}#{told.node}"
        yield {"event": "node", "source": source, "level": told.level, "why": told.text, "mend": told.mend}


def _waiting(came: queue.SimpleQueue[Said | Exception]) -> Iterator[Said]:
    while not came.empty():
        said = came.get()
        if isinstance(said, Exception):
            raise said
        yield said
