"""The demo as a story: one Igloo Pop round and one Ice Cult game through the real wires, to their ends."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from sensors.evidence import Heard
from table.demo.headless import Transcript
from table.desk.said import Said
from tests.parts import ROOT


@pytest.fixture(scope="module")
def story() -> list[dict[str, Any]]:
    """The transcript of a whole run, as JSON lines; it must have ended with exit code 0 and said nothing else."""
    command = [
        sys.executable,
        "-c",
        "from table.cli import main; main()",
        "demo",
        "--headless",
        "--json",
        "--seed",
        "11",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_both_games_come_to_their_ends(story: list[dict[str, Any]]) -> None:
    pop = [line for line in story if line["game"] == "igloo-pop"]
    cult = [line for line in story if line["game"] == "ice-cult"]
    assert [line["event"] for line in story if line["event"] in ("chapter", "end")] == ["chapter", "end"] * 2
    assert any(line["event"] == "round-ended" for line in pop)
    assert sum(line["tone"] == "over" for line in cult if "tone" in line) == 1


def test_every_igloo_that_was_taken_was_heard_through_its_microphone(story: list[dict[str, Any]]) -> None:
    shakes = [line for line in story if line["event"] == "shake"]
    taken = [line for line in story if line["event"] == "grabbed"]
    assert len(shakes) >= len(taken) >= 3  # what the ear took for something else was shaken once more
    counted = [line for line in shakes if line["verdict"] != "not-a-shake"]
    assert len(counted) >= 0.7 * len(taken)
    assert all(sum(line["probabilities"].values()) == pytest.approx(1.0, abs=0.01) for line in counted)


def test_every_tilt_came_from_the_cubes_and_an_undone_one_was_refused(story: list[dict[str, Any]]) -> None:
    tilts = [line for line in story if line["event"] == "tilted"]
    assert len(tilts) >= 4
    refused = [line for line in story if line.get("tone") == "refused"]
    assert {line["rule"] for line in refused} == {"IC-5"}
    after = story[story.index(refused[0]) + 1 :]
    assert after[0]["event"] == "put-back-please"
    assert "put-back" in [line["event"] for line in after[:4]]


def test_the_cards_are_checked_as_the_rules_say(story: list[dict[str, Any]]) -> None:
    """The scores are those of the checked cards: points won, own talers left, talers captured."""
    checked = [line for line in story if line["event"] == "checked"]
    placed = [line for line in story if line["event"] == "placed"]
    assert sum(len(line["data"]["igloos"]) for line in checked) == len(placed)
    scores = next(line for line in story if line["event"] == "end" and line["game"] == "igloo-pop")["scores"]
    points = dict.fromkeys(scores, 10)
    for line in checked:
        card, winner = line["data"]["card"], line["data"]["winner"]
        for igloo in line["data"]["igloos"]:
            if igloo["value"] not in card:
                points[igloo["by"]] -= 1
                if winner is not None and winner != igloo["by"]:
                    points[winner] += 1
        if winner is not None:
            points[winner] += 4 - len(card)
    assert points == scores


def test_time_goes_forward_and_is_simulated(story: list[dict[str, Any]]) -> None:
    times = [line["t"] for line in story if "t" in line]
    assert times == sorted(times)
    assert times[-1] > 60


def test_the_story_for_people_reads_like_one(capsys: pytest.CaptureFixture[str]) -> None:
    story = Transcript(sys.stdout, as_json=False)
    story.chapter("ice-cult", "Ice Cult")
    story.said(Said(61.24, "told", "tilted", "red tilts the east pair: NE shows red>N, SE arc", "IC-4"))
    story.said(Said(62.0, "refused", "refused", "no", "IC-5"))
    odds = dict.fromkeys(range(2, 12), 0.1) | {7: 0.5}
    story.heard(63.0, Heard("s", 0, 1, "unsure", odds, 20.0, False, "p"), "C")
    assert capsys.readouterr().out.splitlines()[3:] == [
        " 1:01.2  Red tilts the east pair: NE shows red ↑, SE arc. [IC-4]",
        " 1:02.0  ✗ No. [IC-5]",
        " 1:03.0      the ear hears 7 (50%), 2 (10%), 3 (10%)",
    ]
