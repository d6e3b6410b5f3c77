"""Runs work that blocks on a device for as long as the table runs, in its own thread.

`asyncio.to_thread` uses a pool of as many threads as there are cores, plus four. Work that never ends would occupy its
thread for ever: with six seats on two cores nothing more that is given to the pool would ever begin.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future

LEAVES_S = 6.0  # a stopped thread may still wait for a port: igloo_port.FIRST_S, and a little more


async def in_own_thread(name: str, work: Callable[[], None], stop: threading.Event) -> None:
    """Run until `work` returns; raises what it raises. On cancellation sets `stop` and waits for the thread to end.

    It waits at most `LEAVES_S` seconds of real time; a thread that a driver blocks for longer ends with the process.
    """
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()  # not cancellable: the thread reports when it is done

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
        ended.cancel()  # no effect if it is done; otherwise the loop may be closed by then
