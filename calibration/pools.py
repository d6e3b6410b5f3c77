"""joblib's own pools, but for what bulk work wants otherwise: processes put away whole, and a cluster of one worker."""

from __future__ import annotations

from typing import Any

from firmware_bridge.host.uninterrupted import uninterrupted


def of_processes() -> Any:
    """joblib's own for processes, but that Ctrl-C waits until it has put itself away: in the midst of it a folder is
    unregistered that is unregistered once more at the end, and its tracker says so on everybody's terminal."""
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
    """joblib's own for Dask, but that one worker is a cluster too: with a single job joblib would work in here. Its
    workers may take `answer_s` to come."""
    from joblib._dask import DaskDistributedBackend

    class Cluster(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, int(super().effective_n_jobs(n_jobs)))

    return Cluster(client=client, wait_for_workers_timeout=answer_s)
