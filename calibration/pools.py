"""joblib's process pool and its Dask back end, changed where bulk work needs it: a clean end, and a cluster of one
worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from firmware_bridge.host.uninterrupted import uninterrupted

LOOK_S = 5.0  # between two looks at who works
# A cluster without a worker for so long gets none; one that died is begun again within seconds. A scheduler that says
# nothing for so long hangs.
GONE_S = 30.0


def of_processes() -> Any:
    """joblib's pool of processes, in which Ctrl-C waits until the pool has put itself away.

    Interrupted half-way, the pool has already unregistered a folder that it unregisters once more at its end, and its
    resource tracker complains about that on everybody's terminal.
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


def of_cluster(client: Any, answer_s: float) -> Any:
    """joblib's Dask back end, which here also uses a cluster of a single worker; by itself joblib would do a single job
    in this process.

    Its workers may take `answer_s` to come. Raises TimeoutError where its scheduler is silent for `GONE_S`.
    """
    from joblib._dask import DaskDistributedBackend

    class Cluster(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            if workers_of(client, GONE_S) is None:  # joblib would wait for good
                raise TimeoutError
            return max(2, int(super().effective_n_jobs(n_jobs)))

    return Cluster(client=client, wait_for_workers_timeout=answer_s)


@contextmanager
def watched(client: Any, left: Callable[[], None]) -> Iterator[None]:
    """Inside this block a thread watches the cluster. It calls `left` once, when nobody has worked there for `GONE_S`
    or nobody says who does: the scheduler would keep the pieces for ever, for whoever comes."""
    over = threading.Event()

    def look() -> None:
        there = time.monotonic()
        while not over.wait(LOOK_S):
            if workers_of(client, GONE_S):
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
    """How many workers a cluster has: 0 where the cluster is gone, None where its scheduler is silent for
    `patience_s`."""

    async def asked() -> int:
        return len(await client.nthreads())

    try:
        return int(client.sync(asked, callback_timeout=patience_s)) if client.status == "running" else 0
    except TimeoutError:
        return None
    except Exception:
        return 0
