"""`polartable listen --same-igloo`: all shakes of one igloo together."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.beyond import sounds_like_more
from sensors.ear.verdicts.lost_sound import TWO_BOARDS
from sensors.ear.verdicts.reasons import could_be
from sensors.evidence import Heard
from sensors.gesture.judge import CLIPPED, CROOKED, FEW, FOREIGN, HELD, NO_EMPTY
from sensors.why import Reason
from table.cli import run
from table.commands.listen_words import in_words
from table.listening.added_up import AddedUp
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    assert run(["listen", *words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def chances(line: dict[str, Any]) -> dict[int, float]:
    return {int(n): p for n, p in line["probabilities"].items()}


@pytest.fixture
def thrice(tmp_path: Path) -> Path:
    """Three shakes of six beads; the second is overdriven."""
    shakes = [gain * rattle(6, seed) for seed, gain in ((1, 1.0), (2, 30.0), (3, 1.0))]
    soundfile.write(tmp_path / "thrice.wav", np.clip(np.concatenate(shakes), -1, 1), RATE)
    return tmp_path / "thrice.wav"


def test_shakes_of_one_igloo_are_told_together(thrice: Path, capsys: Capture) -> None:
    lines = told(capsys, str(thrice), "--same-igloo")
    assert [line["event"] for line in lines] == ["shake", "shake", "igloo", "shake", "igloo"]
    first, _, one, third, both = lines
    assert one["shakes"] == 1
    assert chances(one) == pytest.approx(chances(first), abs=1e-6)
    assert both["shakes"] == 2
    assert chances(both) == pytest.approx(add_up([chances(first), chances(third)]), abs=1e-6)
    assert both["best"] == max(chances(both), key=lambda n: chances(both)[n])
    assert [line["event"] for line in told(capsys, str(thrice))] == ["shake"] * 3


def test_it_is_said_in_words(thrice: Path, capsys: Capture) -> None:
    assert run(["listen", str(thrice), "--same-igloo"]) == 0
    said = capsys.readouterr().out
    assert "thrice.wav: of these shakes only 1 counts: " in said
    assert "thrice.wav: 2 shakes together: " in said


def test_a_folder_is_of_one_igloo_if_somebody_says_so(tmp_path: Path, capsys: Capture) -> None:
    for seed in (1, 2):
        soundfile.write(tmp_path / f"{seed}.wav", rattle(6, seed), RATE)
    lines = [{"file": f"{seed}.wav", "sensor": "microphone", "beads": None} for seed in (1, 2)]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [line["event"] for line in told(capsys, str(tmp_path), "--same-igloo")] == [
        "shake",
        "shake",
        "igloo",
    ]


def test_several_peoples_igloos_are_not_one(thrice: Path, capsys: Capture) -> None:
    assert run(["listen", str(thrice), "--same-igloo", "--seats", "red,blue"]) == 2
    assert "leave --same-igloo out" in capsys.readouterr().err


def test_a_shake_that_was_cut_for_its_length_is_one_shake(tmp_path: Path, capsys: Capture) -> None:
    sound = np.concatenate([rattle(6, 3, seconds=26.0), np.zeros(RATE, np.float32), rattle(6, 4)])
    soundfile.write(tmp_path / "long.wav", sound, RATE)
    lines = told(capsys, str(tmp_path / "long.wav"), "--same-igloo")
    assert [line["event"] for line in lines] == ["shake"] * 4 + ["igloo"]
    first, second, _, other, igloo = lines
    assert second["start_s"] - first["end_s"] < 0.4
    assert igloo["shakes"] == 2
    parts = [chances(line) for line in lines[:3]]
    assert igloo["probabilities"] == pytest.approx(
        {str(n): p for n, p in add_up([add_up(parts, 1.0), chances(other)]).items()}, abs=1e-6
    )


def test_the_last_moment_of_a_shake_that_was_cut_is_no_shake_of_its_own(
    tmp_path: Path, capsys: Capture
) -> None:
    sound = np.concatenate([rattle(6, 3, seconds=12.6), np.zeros(RATE, np.float32), rattle(6, 4)])
    soundfile.write(tmp_path / "long.wav", sound, RATE)
    lines = told(capsys, str(tmp_path / "long.wav"), "--same-igloo")
    assert [line["event"] for line in lines] == ["shake", "shake", "igloo"]
    whole, other, igloo = lines
    assert igloo["shakes"] == 2
    assert chances(igloo) == pytest.approx(add_up([chances(whole), chances(other)]), abs=1e-6)


def test_parts_that_two_sensors_told_overlap_and_are_one_shake() -> None:
    def said(source: str, start: float, end: float) -> Heard:
        return Heard(source, start, end, "unsure", {7: 0.6, 8: 0.4}, 30.0, False, "", doubt="odds")

    igloos, both = AddedUp(), "a.wav + b.flac"
    assert igloos.after(said(both, 0.3, 12.2), "A") is None
    assert igloos.after(said(both, 12.0, 24.3), "A") is None
    assert igloos.after(said("b.flac", 24.2, 26.0), "A") is None
    event = igloos.after(said(both, 27.0, 30.0), "A")
    assert event is not None
    assert event["shakes"] == 2


def test_what_is_told_again_of_one_gesture_counts_once() -> None:
    def said(start: float, end: float, odds: dict[int, float]) -> Heard:
        return Heard("seat", start, end, "unsure", odds, 30.0, False, "", doubt="odds")

    igloos = AddedUp()
    assert igloos.after(said(3.0, 8.1, {7: 0.9, 8: 0.1}), "A") is None
    assert igloos.after(said(3.0, 8.8, {7: 0.6, 8: 0.4}), "A") is None
    event = igloos.after(said(20.0, 25.0, {7: 0.6, 8: 0.4}), "A")
    assert event is not None
    assert event["shakes"] == 2
    assert chances(event) == pytest.approx(add_up([{7: 0.6, 8: 0.4}] * 2))


@pytest.mark.parametrize("reason", [FOREIGN, HELD, CROOKED, CLIPPED, FEW, NO_EMPTY])
def test_what_a_seat_refused_is_no_evidence(reason: Reason) -> None:
    def said(start: float, odds: dict[int, float], reason: Reason | None) -> Heard:
        return Heard("seat", start, start + 5, "unsure" if reason else "sure", odds, 30.0, False, "", reason)

    wrong, right = {7: 0.001, 12: 0.999}, {7: 0.9, 12: 0.1}
    igloos = AddedUp()
    assert igloos.after(said(0.0, wrong, reason), "A") is None
    assert igloos.after(said(20.0, wrong, reason), "A") is None
    assert igloos.after(said(40.0, right, None), "A") is None
    event = igloos.after(said(60.0, right, None), "A")
    assert event is not None
    assert event["shakes"] == 2
    assert chances(event) == pytest.approx(add_up([right] * 2))
    # more taps on the same igloo, and they do not agree: the answer before is void
    assert igloos.after(said(60.0, wrong, reason), "A") is None
    again = igloos.after(said(80.0, right, None), "A")
    assert again is not None
    assert again["shakes"] == 2


@pytest.mark.parametrize(("strange", "told"), [(0, False), (1, False), (2, True), (4, True)])
def test_what_half_of_the_shakes_sound_like_is_not_lost_in_their_sum(strange: int, told: bool) -> None:
    more, odds = sounds_like_more(5), {2: 0.01, 3: 0.01, 4: 0.05, 5: 0.93}
    igloos, event = AddedUp(), None
    for k in range(4):
        reason = more if k < strange else could_be({4: 0.4, 5: 0.6})
        one = Heard("A", 9.0 * k, 9.0 * k + 2, "unsure", odds, 30.0, False, "", reason)
        event = igloos.after(one, "A")
    assert event is not None
    assert event["best"] == 5
    assert event.get("reason") == (more if told else None)
    assert (more in in_words(event, False)) == told
    drowned = Heard(
        "A", 50.0, 52.0, "unsure", odds, 1.0, False, "", more
    )  # does not count, nor does its reason
    event = igloos.after(drowned, "A")
    assert event is not None
    assert event.get("reason") == (more if told else None)


def test_shakes_of_two_boards_with_one_number_are_not_of_one_igloo() -> None:
    """Nor are those before and after, when only one of them spoke: nobody knows which."""
    added = AddedUp()
    alone = Heard("port#17", 1.0, 3.0, "sure", {7: 0.9, 8: 0.1}, 30.0, False, "")
    woven = replace(alone, verdict="unsure", reason=TWO_BOARDS, doubt="sensor")
    told = [added.after(replace(one, start_s=10.0 * n), "port#17") for n, one in enumerate(
        (alone, alone, woven, woven, replace(woven, verdict="not-a-shake"), alone, alone)
    )]  # fmt: skip
    assert [None if one is None else one["shakes"] for one in told] == [None, 2, None, None, None, None, 2]
