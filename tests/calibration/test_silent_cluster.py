"""A scheduler that takes connections and answers nothing: nobody waits for it for long."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from calibration import bulk
from calibration.bulk import Hands, each, hands
from calibration.errors import ClusterAway
from calibration.pools import GONE_S, LOOK_S
from tests.calibration.dask_cluster import Cluster
from tests.calibration.pieces import long_sum
from tests.parts import needs

SILENT = "the cluster does not answer; the rest is done on this machine"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster() as made:
        yield made


@contextmanager
def soon_given_up(cluster: Cluster, said: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Hands]:
    """Its hands, once it stands: a busy machine takes its time for that."""
    monkeypatch.setattr(bulk, "ANSWER_S", 60.0)
    with hands(1, cluster.address, said.append) as workers:
        monkeypatch.setattr(bulk, "ANSWER_S", 1.0)
        monkeypatch.setattr("calibration.pools.GONE_S", 2.0)
        monkeypatch.setattr("calibration.pools.LOOK_S", 0.2)
        yield workers


@needs("dask")
def test_one_that_greets_nobody_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "ANSWER_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as deaf_and_dumb:
        address = f"tcp://127.0.0.1:{deaf_and_dumb.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(ClusterAway, match=f"answers at {address}"), hands(1, address, pytest.fail):
            pass
    assert time.monotonic() - began < 20


@needs("dask")
def test_one_that_falls_silent_in_the_midst_leaves_the_rest_to_this_machine(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GONE_S + LOOK_S + bulk.ANSWER_S <= 60
    said, done = list[str](), list[object]()
    with soon_given_up(cluster, said, monkeypatch) as workers:
        for result in each(long_sum, range(60), workers):
            done.append(result)
            if len(done) == 5:
                os.kill(cluster.scheduler.pid, signal.SIGSTOP)
    assert done == list(each(long_sum, range(60), Hands()))
    assert said == [SILENT]


@needs("dask")
def test_one_that_falls_silent_between_two_works_does_so_too(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, here = list[str](), list(each(long_sum, range(6), Hands()))
    with soon_given_up(cluster, said, monkeypatch) as workers:
        assert list(each(long_sum, range(6), workers)) == here
        os.kill(cluster.scheduler.pid, signal.SIGSTOP)
        assert list(each(long_sum, range(6), workers)) == here
        assert workers.client is None
    assert said == [SILENT]
