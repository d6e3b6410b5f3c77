"""joblib's process pool and its Dask back end, adapted for bulk work.

The pool ends cleanly after Ctrl-C, and a cluster may have a single worker.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from firmware_bridge.host.uninterrupted import uninterrupted

LOOK_S = 5.0  # between two looks at the workers
# A cluster without a worker for so long will not get one; a dead one is restarted within seconds. A scheduler that is
# silent for so long hangs.
GONE_S = 30.0


def of_processes() -> Any:
    """joblib's process pool, which here shuts down completely before Ctrl-C is handled.

    If it is interrupted half-way, the pool has already unregistered a folder that it unregisters again at the end, and
    its resource tracker complains about that on the terminal.
    """
    from joblib._parallel_backends import LokyBackend

    class Processes(LokyBackend):  # type: ignore[misc]
        def terminate(self) -> None:
            with uninterrupted():
                super().terminate()

        def abort_everything(self, ensure_ready: bool = True) -> None:
            with uninterrupted():
                super().abort_everything(ensure_ready)

    return Processes()


def begin_tracker() -> None:
    """Start joblib's resource tracker, which cleans up after a command that was killed, without its warnings.

    It outlives the command, and would tell the terminal of every lock that it cleans up, as if that were a defect.
    """
    from joblib.externals.loky.backend import resource_tracker

    key = "PYTHONWARNINGS"
    before = os.environ.get(key)
    os.environ[key] = ",".join(filter(None, (before, "ignore:resource_tracker:UserWarning")))
    try:
        resource_tracker.ensure_running()
    finally:
        del os.environ[key]
        if before is not None:
            os.environ[key] = before


def of_cluster(client: Any, answer_s: float) -> Any:
    """joblib's Dask back end, which here also uses a cluster with a single worker; joblib itself would run a single job
    in this process.

    Its workers may take `answer_s` to appear. Raises TimeoutError where the scheduler is silent for `GONE_S`.
    """
    from joblib._dask import DaskDistributedBackend

    class Cluster(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            if workers_of(client, GONE_S) is None:  # joblib would wait for ever
                raise TimeoutError
            return max(2, int(super().effective_n_jobs(n_jobs)))

    return Cluster(client=client, wait_for_workers_timeout=answer_s)


@contextmanager
def watched(client: Any, left: Callable[[], None]) -> Iterator[None]:
    """Watches the cluster from a thread inside this block. Calls `left` once, when nobody has worked there for `GONE_S`
    or the scheduler does not answer: it would keep the pieces for ever, for workers to come."""
    over = threading.Event()

    def look() -> None:
        there = time.monotonic()
        while not over.wait(LOOK_S):
            try:
                working = workers_of(client, GONE_S)
            except Exception:
                # a client that is closed while it is asked fails in ways of its own: nobody waits for it any more
                if over.is_set():
                    return
                left()  # nobody else looks, and the work would wait for ever
                raise
            if working:
                there = time.monotonic()
            elif time.monotonic() - there > GONE_S:
                left()
                return

    threading.Thread(target=look, name="looks after the cluster", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def workers_of(client: Any, patience_s: float) -> int | None:
    """The number of workers of a cluster: 0 where it is gone, None where its scheduler is silent for `patience_s`."""

    async def asked() -> int:
        return len(await client.nthreads())

    try:
        return int(client.sync(asked, callback_timeout=patience_s)) if client.status == "running" else 0
    except TimeoutError:
        return None
    except (OSError, RuntimeError):  # its connection is lost, or its loop has ended
        return 0
