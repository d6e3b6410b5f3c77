"""The wizard knows igloos of a port by their nodes, and tells who took up another one than was asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.recorder import TakeHeard
from sensors.ear.profiles.profile import load_shipped
from table.commands import calibrate_record
from table.commands.record_way import Shaken
from table.recording.asking import KEEP, Question

PORT = "/dev/ttyACM0"
TAKE = np.zeros((2000, 3), np.float32)


def recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, nodes: dict[int, list[int | None]], player: str
) -> None:
    """A sweep over 3, 5 and 9 beads; which node felt each igloo's takes, in turn. All but the last are thrown out."""

    def taken(
        opened: object, beads: int, way: object, source: str, screen: object
    ) -> tuple[TakeHeard, float, str]:
        nonlocal answer
        node = nodes[beads].pop(0)
        answer = "r" if nodes[beads] else ""
        return TakeHeard(TAKE, None, None, 0, node=node), 1600.0, ""

    answer = ""

    def ask(asked: Question) -> str:
        return answer if KEEP in asked.answers else ""

    monkeypatch.setattr(calibrate_record, "opener", lambda *words: None)
    monkeypatch.setattr(calibrate_record, "one_take", taken)
    way = Shaken(load_shipped("accelerometer"), 2.0)
    calibrate_record.record(folder, PORT, way, (3, 5, 9), 1, "D", player, None, 2.0, False, ask)


def test_another_igloo_than_was_asked_for_is_told_and_can_be_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path, monkeypatch, {3: [17], 5: [18], 9: [19]}, "anna")
    lines = [json.loads(line) for line in (tmp_path / "recordings.jsonl").read_text().splitlines()]
    assert {line["beads"]: line["node"] for line in lines} == {3: 17, 5: 18, 9: 19}
    assert "look whether" not in capsys.readouterr().err
    recorded(tmp_path, monkeypatch, {3: [17], 5: [19, 18], 9: [19]}, "ben")
    (told,) = re.findall(r"This was node.*", capsys.readouterr().err)
    assert told == (
        "This was node 19, and node 19 was in the igloo with 9 beads before: look whether this is the one with 5 beads."
    )


@pytest.mark.parametrize("node", [None, 18])
def test_what_speaks_against_no_take_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], node: int | None
) -> None:
    recorded(tmp_path, monkeypatch, {3: [17], 5: [node], 9: [19]}, "anna")
    recorded(tmp_path, monkeypatch, {3: [17], 5: [18], 9: [19]}, "ben")
    assert "look whether" not in capsys.readouterr().err


def test_an_igloo_that_got_another_node_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path, monkeypatch, {3: [17], 5: [18], 9: [19]}, "anna")
    recorded(tmp_path, monkeypatch, {3: [17], 5: [20], 9: [19]}, "ben")
    (told,) = re.findall(r"This was node.*", capsys.readouterr().err)
    assert told.startswith("This was node 20, and node 18 was in the igloo with 5 beads before")
    recorded(tmp_path, monkeypatch, {3: [17], 5: [20], 9: [19]}, "cleo")
    assert "look whether" not in capsys.readouterr().err


def test_one_node_that_goes_from_igloo_to_igloo_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path, monkeypatch, {3: [17], 5: [17], 9: [17]}, "anna")
    recorded(tmp_path, monkeypatch, {3: [17], 5: [17], 9: [17]}, "ben")
    assert len(re.findall(r"This was node", capsys.readouterr().err)) == 1


def test_nodes_that_are_changed_to_and_fro_are_told_as_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for player, node in (("anna", 20), ("ben", 18), ("cleo", 20)):
        recorded(tmp_path, monkeypatch, {3: [17], 5: [node], 9: [19]}, player)
    assert "This was node 20, and node 18 was in the igloo with 5 beads before" in capsys.readouterr().err
