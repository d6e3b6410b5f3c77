"""Work that waits for a device as long as the table stands, in a thread of its own.

`asyncio.to_thread` lends threads out of a pool of as many as there are cores, and four. Whoever keeps one for ever
takes it from all others: with six seats on two cores nothing more that is handed to the pool would ever begin.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future

LEAVES_S = 6.0  # a thread that was told to stop may still wait for a port: igloo_port.FIRST_S, and some


async def in_own_thread(name: str, work: Callable[[], None], stop: threading.Event) -> None:
    """Until `work` returns; raises what it raises. Whoever is cancelled sets `stop` and waits for the thread to end.

    It is waited for `LEAVES_S` seconds of real time at most; a thread that a driver holds longer ends with the process.
    """
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()  # nobody takes it back: the thread says when it is over

    def whole() -> None:
        try:
            work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    ended = asyncio.wrap_future(done)
    threading.Thread(target=whole, name=name, daemon=True).start()
    try:
        await asyncio.shield(ended)
    finally:
        stop.set()
        await asyncio.wait({ended}, timeout=LEAVES_S)
        ended.cancel()  # nothing if it is done; else the loop may be closed by then
