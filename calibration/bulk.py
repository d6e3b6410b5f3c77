"""Bulk work: one function over thousands of pieces, here, in several processes, or on a Dask cluster; through joblib.

Results come in the order of the pieces and do not depend on who did the work: every piece runs with one BLAS thread
everywhere. A worker that dies costs nothing: its piece is done again, alone. A piece whose worker dies a second time
comes back as a `Lost`, and the others go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import multiprocessing
import os
import re
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import metadata, resources
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from calibration import pools
from calibration.errors import ClusterAway, PieceLost
from calibration.pools import begin_tracker, of_cluster, of_processes, watched, workers_of
from firmware_bridge.errors import UsageError
from firmware_bridge.host.deaf import deaf
from firmware_bridge.host.orphans import end_with
from sensors.one_thread import one_thread

Piece = TypeVar("Piece")
Result = TypeVar("Result")

TRIES = 2  # further tries of a piece whose worker died
ANSWER_S = 10.0  # for a cluster to answer, and to have a worker
_ADDRESS = re.compile(r"^(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}$")
STUCK_S = 600.0  # a piece that a cluster holds for longer is stuck
# of all packages: any of them may contain the function
_PACKAGES = ("calibration", "firmware_bridge", "hw_mock", "rules", "sensors", "table")
_KINDS = (".py", ".npz", ".profile")  # types of files that they run and read


@dataclass(frozen=True, slots=True)
class Lost(Generic[Piece]):
    """A piece that could not be done: every worker that had it died."""

    piece: Piece


@dataclass(slots=True)
class Hands:
    """Who does the work: this process (`jobs` 1), several (`jobs`), or a cluster's workers. `say` is told what went
    wrong."""

    jobs: int = 1
    client: Any = None  # of `distributed`
    say: Callable[[str], None] = field(default=lambda text: None)


def lost(what: str) -> PieceLost:
    """The error for a piece that could not be done."""
    return PieceLost(
        f"{what} is left out: whoever worked on it died, every time",
        "look at that machine's memory, and at the file",
    )


def alone(function: Callable[[Piece], Result], piece: Piece) -> Result:
    """One piece, with one BLAS thread: sums are then added in the same order everywhere."""
    with one_thread():
        return function(piece)


def _in_worker(parent: int, function: Callable[[Piece], Result], piece: Piece) -> Result:
    """`alone`, in a process that `parent` started. Without the watch on `parent`, a worker would wait five minutes
    after `parent` was killed."""
    if os.getpid() != parent:  # not in the parent itself, and at once where it is gone already
        end_with(parent)
    return alone(function, piece)


def each(
    function: Callable[[Piece], Result], pieces: Iterable[Piece], hands: Hands
) -> Iterator[Result | Lost[Piece]]:
    """Yields `function` of every piece, in order. Exceptions of `function` are raised here.

    `function` and pieces are sent to other processes and must be picklable; on a cluster, files must have the same
    path.
    """
    if hands.jobs == 1 and hands.client is None:
        for piece in pieces:
            yield alone(function, piece)
        return
    waiting = deque(pieces)
    while waiting:
        try:
            for result in _parallel(function, tuple(waiting), hands):
                yield result
                waiting.popleft()
        except Exception as error:
            if not _died(error):
                raise
            _comfort(hands, error)
            # the dead worker had one of the next pieces: run each of them in its own process
            for piece in tuple(islice(waiting, 4 * max(2, hands.jobs))):
                yield _by_itself(function, piece, hands)
                waiting.popleft()


def _parallel(
    function: Callable[[Piece], Result], pieces: tuple[Piece, ...], hands: Hands
) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config

    results: Any = None
    watch: AbstractContextManager[None] = nullcontext()
    try:
        if hands.client is None:
            calls = (delayed(_in_worker)(os.getpid(), function, piece) for piece in pieces)
            begin_tracker()
            with deaf():  # its processes are started here, or later by a thread that is started here
                pool = Parallel(hands.jobs, of_processes(), return_as="generator", batch_size=1)
                results = pool(calls)
        else:
            calls = (delayed(alone)(function, piece) for piece in pieces)
            with parallel_config(backend=of_cluster(hands.client, ANSWER_S)):
                pool = Parallel(return_as="generator", batch_size=1, timeout=STUCK_S)
                results = pool(calls)
            # makes the pool give up waiting at its next look, as if a piece were stuck
            watch = watched(hands.client, partial(setattr, pool, "timeout", 0.0))
        with watch:
            # a generator, because whoever leaves it would otherwise close `results` before us
            yield from (result for result in results)
    finally:
        if results is not None:
            _leave_off(results)


def _leave_off(results: Any) -> None:
    """Drop the remaining results. Whoever broke off knows that pieces were cancelled; joblib's advice is not meant for
    him."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results.close()


def _by_itself(function: Callable[[Piece], Result], piece: Piece, hands: Hands) -> Result | Lost[Piece]:
    for _ in range(TRIES):
        try:
            # two jobs, so that even a single piece runs in another process
            return next(_parallel(function, (piece,), hands if hands.client else Hands(2)))
        except Exception as error:
            if not _died(error):
                raise
            _comfort(hands, error)
    return Lost(piece)


def _died(error: Exception) -> bool:
    """Did a worker die, rather than the work fail?"""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    if isinstance(error, TerminatedWorkerError | TimeoutError | multiprocessing.TimeoutError):
        return True
    return type(error).__module__.split(".")[0] == "distributed" or isinstance(error, CancelledError)


def _comfort(hands: Hands, error: Exception) -> None:
    """Report that a worker died; where the cluster itself is gone, continue here."""
    if hands.client is None:
        hands.say("a process died at work; what it had is done again")
        return
    workers = workers_of(hands.client, ANSWER_S)
    too_long = isinstance(error, multiprocessing.TimeoutError)
    if workers and not too_long:
        hands.say("a worker of the cluster died; what it had is done again")
        return
    # a stuck worker cannot be freed from here, and everything queued behind it would be late as well
    if workers:
        why = f"has given nothing back for {STUCK_S:.0f} s"
    elif workers is None:
        why = "does not answer"
    elif too_long and hands.client.status == "running":
        why = f"has had no workers for {pools.GONE_S:.0f} s"
    else:
        why = f"is gone ({type(error).__name__})"
    hands.say(f"the cluster {why}; the rest is done on this machine")
    hands.client, hands.jobs = None, 2


@contextlib.contextmanager
def hands(jobs: int, cluster: str | None, say: Callable[[str], None]) -> Iterator[Hands]:
    """`jobs` processes here, or the workers of the Dask scheduler at `cluster`. Raises ClusterAway, UsageError.

    More processes than processors finish no sooner, and each takes memory: so there are at most that many, or two.
    """
    jobs = min(jobs, max(2, os.cpu_count() or 1))
    if cluster is None:
        yield Hands(jobs, None, say)
        return
    client = _client(cluster)
    try:
        _same_code(client, cluster)
        yield Hands(jobs, client, say)
    finally:
        _leave(client)


def _client(cluster: str) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UsageError(
            "dask is not installed here", "pip install 'polartable[dask]', here and where the workers are"
        ) from error
    import logging

    for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report ourselves what happens
    if not _ADDRESS.match(cluster):
        raise UsageError(
            f"{cluster!r} is no address of a Dask scheduler", "write it like tcp://192.168.7.1:8786"
        )
    client: Any = None
    connect: Any = distributed.Client

    async def greeted() -> None:
        guest = connect(cluster, asynchronous=True, timeout=ANSWER_S, set_as_default=False)
        try:
            await asyncio.wait_for(guest, ANSWER_S)
        finally:
            await guest.close(2)

    try:
        # the next line would wait for ever for a scheduler that accepts a connection and stays silent
        asyncio.run(greeted())
        client = connect(cluster, timeout=ANSWER_S, set_as_default=False)
        client.wait_for_workers(1, timeout=ANSWER_S)
    except (OSError, ValueError, TimeoutError) as error:
        if client is not None:
            _leave(client)
        raise ClusterAway(
            f"no Dask scheduler with workers answers at {cluster}",
            "start them: dask scheduler; dask worker --nthreads 1 tcp://HOST:8786",
        ) from error
    return client


def _leave(client: Any) -> None:
    with contextlib.suppress(Exception):  # a scheduler that is gone needs no goodbye
        client.close(timeout=2)


def _same_code(client: Any, cluster: str) -> None:
    """Workers with another version of Polartable would give other results, or fail on names that they do not know."""
    ours = code()
    try:
        theirs: set[Any] = set(client.run(code).values())
    except Exception as error:
        raise ClusterAway(
            f"the workers at {cluster} have no Polartable, or another one",
            "install the same one where they run",
        ) from error
    if theirs != {ours}:
        raise ClusterAway(
            f"the workers at {cluster} have Polartable {', '.join(sorted(map(str, theirs)))}, this machine {ours}",
            "install the same one everywhere",
        )


@cache
def code() -> str:
    """Which Polartable runs here: its version, and a hash of its files, for one version has many commits."""
    seen = hashlib.sha256()
    for package in _PACKAGES:
        root = Path(str(resources.files(package)))
        for path in sorted(path for path in root.rglob("*") if path.suffix in _KINDS):
            seen.update(f"{package}/{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return f"{metadata.version('polartable')} ({seen.hexdigest()[:8]})"
