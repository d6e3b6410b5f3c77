"""Bulk work: the same to the last bit whoever does it, and a worker that dies costs nothing but its own piece."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest

from calibration.bulk import Hands, Lost, each, hands
from calibration.errors import ClusterAway
from calibration.pools import GONE_S, LOOK_S
from table.cli import run
from tests.calibration.dask_cluster import Cluster
from tests.calibration.pieces import deadly, deadly_once, long_sum, square, stuck_once
from tests.parts import ROOT, needs
from tests.rattle import write_sweeps

SHAKES = [
    "simulate",
    "shakes",
    "--devices",
    "1",
    "--sessions",
    "1",
    "--sensor",
    "accelerometer",
    "--counts",
    "2,3",
]

VERSION = re.escape(version("polartable"))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes its time to start a cluster."""
    monkeypatch.setattr("calibration.bulk.ANSWER_S", 60.0)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster() as made:
        yield made


def contents(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(f.relative_to(folder)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_are_the_same_to_the_last_bit(jobs: int) -> None:
    sums = list(each(long_sum, range(12), Hands(jobs)))
    assert sums == list(each(long_sum, range(12), Hands()))
    assert list(each(square, iter(()), Hands(jobs))) == []


def test_a_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    done = list(each(partial(deadly_once, tmp_path), range(20), Hands(2, None, said.append)))
    assert done == [n * n for n in range(20)]
    assert said == ["a process died at work; what it had is done again"]


def test_a_piece_that_kills_whoever_takes_it_is_given_up_and_the_others_are_done() -> None:
    said: list[str] = []
    done = list(each(deadly, range(20), Hands(2, None, said.append)))
    assert done[7] == Lost(7)
    assert [r for n, r in enumerate(done) if n != 7] == [n * n for n in range(20) if n != 7]
    assert len(said) == 3  # with the others, and twice alone


def test_what_the_work_itself_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(each((1).__truediv__, [1, 0], Hands(2)))


def test_there_are_no_more_processes_than_processors_or_two(monkeypatch: pytest.MonkeyPatch) -> None:
    for processors, asked, had in ((4, 1000, 4), (4, 3, 3), (1, 1000, 2), (None, 5, 2)):
        monkeypatch.setattr(os, "cpu_count", lambda n=processors: n)
        with hands(asked, None, print) as workers:
            assert workers.jobs == had


@needs("dask")
@pytest.mark.parametrize(
    ("address", "number"), [("tcp://127.0.0.1:1", 730), ("localhost", 101), ("tcp://x", 101)]
)
def test_a_cluster_that_does_not_answer_is_one_sentence(
    address: str,
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("calibration.bulk.ANSWER_S", 0.5)
    assert run([*SHAKES, "--out", str(tmp_path / "new"), "--dask", address]) == 2
    assert capsys.readouterr().err.startswith(f"polartable: PT-{number}: ")
    assert not (tmp_path / "new").exists()


@needs("dask")
def test_simulated_here_and_on_a_cluster_to_the_same_bits(cluster: Cluster, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert run([*SHAKES, "--out", str(here)]) == 0
    assert run([*SHAKES, "--out", str(there), "--dask", cluster.address]) == 0
    assert len(contents(here)) == 3
    assert contents(here) == contents(there)


@needs("dask")
def test_evaluated_here_and_on_a_cluster_to_the_same_bits_and_a_bad_file_costs_only_itself(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sweeps(tmp_path, counts=(2, 5, 8, 11), place="table")
    bad = json.loads((tmp_path / "recordings.jsonl").read_text().splitlines()[3])["file"]
    (tmp_path / bad).write_bytes(b"RIFF, and then nothing")
    evaluate = ["calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", "session", "--json"]
    said = []
    for more in ([], ["--dask", cluster.address]):
        assert run([*evaluate, *more]) == 2  # the exit code remembers the bad file
        told = capsys.readouterr()
        assert bad in told.err
        said.append(told.out)
    assert said[0] == said[1]
    assert json.loads(said[0].splitlines()[-1])["summary"]["n"] == 11


@needs("dask")
def test_a_cluster_gives_the_same_bits_while_a_worker_is_killed_and_even_while_it_goes_away(
    cluster: Cluster,
) -> None:
    """The last test: it leaves no cluster behind."""
    said: list[str] = []
    alone = list(each(long_sum, range(200), Hands()))
    with hands(1, cluster.address, said.append) as workers:
        for kill in (cluster.workers[0].kill, cluster.scheduler.kill):
            assert said == []  # one worker less is nobody's business: the other one does it
            done: list[object] = []
            for result in each(long_sum, range(200), workers):
                done.append(result)
                if len(done) == 5:
                    kill()
            assert done == alone
    assert len(said) == 1
    assert said[0].startswith("the cluster is gone")


@needs("dask")
def test_workers_that_are_all_gone_leave_the_rest_to_this_machine_within_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their scheduler stands, and gives the pieces to nobody; how long a piece may take is another matter."""
    assert GONE_S + LOOK_S <= 60
    monkeypatch.setattr("calibration.pools.GONE_S", 3.0)
    monkeypatch.setattr("calibration.pools.LOOK_S", 0.5)
    said = list[str]()
    with Cluster() as cluster, hands(1, cluster.address, said.append) as workers:
        done: list[object] = []
        for result in each(long_sum, range(100), workers):
            done.append(result)
            if len(done) == 5:
                for worker in cluster.workers:
                    worker.kill()
    assert done == list(each(long_sum, range(100), Hands()))
    assert said == ["the cluster has had no workers for 3 s; the rest is done on this machine"]


@needs("dask")
def test_a_worker_that_comes_in_place_of_the_last_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.pools.LOOK_S", 0.5)
    said = list[str]()
    with Cluster(workers=1) as cluster, hands(1, cluster.address, said.append) as workers:
        done: list[object] = []
        for result in each(long_sum, range(40), workers):
            done.append(result)
            if len(done) == 5:
                cluster.workers[0].kill()
                cluster.workers.append(cluster.another())
        assert workers.client is not None
    assert done == list(each(long_sum, range(40), Hands()))


@needs("dask")
def test_a_piece_that_is_stuck_at_a_worker_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.bulk.STUCK_S", 3.0)
    said = list[str]()
    with Cluster() as cluster, hands(1, cluster.address, said.append) as workers:
        done = list(each(partial(stuck_once, tmp_path), range(12), workers))
    assert done == [n * n for n in range(12)]
    assert said == ["the cluster has given nothing back for 3 s; the rest is done on this machine"]


@needs("dask")
def test_workers_with_other_code_of_the_same_version_are_refused(tmp_path: Path) -> None:
    for package in ("calibration", "firmware_bridge", "hw_mock", "rules", "sensors", "table"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sensors" / "evidence.py~").write_text("an editor's")
    (tmp_path / "table" / "games.py").open("a").write("# one line more\n")
    other = rf"have Polartable {VERSION} \(\w{{8}}\), this machine {VERSION} \("
    with (
        Cluster(tmp_path, workers=1) as cluster,
        pytest.raises(ClusterAway, match=other),
        hands(1, cluster.address, pytest.fail),
    ):
        pass


def test_whoever_leaves_off_in_the_midst_of_it_gets_no_advice(recwarn: pytest.WarningsRecorder) -> None:
    results = each(square, range(40), Hands(2))
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert [str(warning.message) for warning in recwarn] == []
