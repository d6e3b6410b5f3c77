"""A profile that no longer fits is told alike by a stream, by a folder, by its evaluation and on its page."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.report.igloos import advice
from calibration.takes.features import Row, rows
from calibration.testing.evaluate import Tested as Answer
from calibration.testing.evaluate import answer
from calibration.testing.lately import as_in_a_stream, in_order, out_of_date
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles.profile import Profile
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.drift import DRIFT_SHAKES, LEAST_STRANGE
from sensors.ear.verdicts.reasons import RECALIBRATE, STRANGE_LATELY, could_be
from sensors.evidence import Heard
from table.cli import run
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
ODD, TAKES = 0.6, 7  # no single take is odd enough, five of them are
SAID = "is not what the profile was made for: recalibrate, one sweep is enough"


def take(n: int, odd: float | None = ODD, **named: Any) -> Answer:
    """A take of a sitting that was sure of five beads."""
    recording = replace(Recording(Path(), f"{n}.wav", "accelerometer", 5, device="D", session="s"), **named)
    heard = Heard(f"{n}", 0.0, 2.0, "sure", {5: 0.99, 6: 0.01}, 40.0, False, "")
    shake = cast(Shake, SimpleNamespace(seconds=2.0))
    return Answer(
        Row(recording, 1600.0, shake, 40.0, False, -80.0), (5, 6), {5: 0.99, 6: 0.01}, heard, odd=odd
    )


def told(takes: list[Answer]) -> list[bool]:
    return [t.heard.reason == RECALIBRATE for t in as_in_a_stream(takes)]


def test_the_takes_of_a_sitting_follow_one_another_as_a_streams_shakes_do() -> None:
    takes = [take(n) for n in range(TAKES)]
    assert told(takes) == [False] * (DRIFT_SHAKES - 1) + [True] * 3
    assert not any(told(takes[: DRIFT_SHAKES - 1]))
    said = as_in_a_stream(takes)
    assert [t.heard.verdict for t in said] == ["sure"] * (DRIFT_SHAKES - 1) + ["unsure"] * 3
    assert [(t.best, t.probabilities) for t in said] == [(t.best, t.probabilities) for t in takes]
    assert out_of_date(said) == f"what the accelerometer felt in session s of D (3 of 7 takes) {SAID}"
    assert out_of_date(as_in_a_stream([take(n, 0.2) for n in range(TAKES)])) is None


def test_where_the_last_takes_are_strange_their_reason_is_a_streams_too() -> None:
    odds = could_be({5: 0.6, 6: 0.4})
    takes = [take(n, 0.42) for n in range(LEAST_STRANGE + 2)]
    takes = [
        replace(t, heard=replace(t.heard, verdict="unsure", reason=odds, doubt="strange")) for t in takes
    ]
    said = as_in_a_stream(takes)
    assert [t.heard.reason for t in said] == [odds] * (LEAST_STRANGE - 1) + [STRANGE_LATELY] * 3
    assert out_of_date(said) is None


def test_other_sittings_sensors_and_takes_that_tell_nothing_are_no_part_of_it() -> None:
    assert not any(told([take(n, session=f"s{n % 2}") for n in range(8)]))
    assert not any(told([take(n, more={"place": ("shell", "table")[n % 2]}) for n in range(8)]))
    assert not any(told([take(n, None if n % 2 else ODD) for n in range(8)]))
    assert not any(told([take(n, rejected="torn" if n % 2 else None) for n in range(8)]))
    folds = [replace(take(n), left_out=("session", "s")) for n in range(TAKES)]
    assert out_of_date(folds) is None


def test_they_come_in_the_order_in_which_they_were_taken_where_all_say_when() -> None:
    """The sensor comes loose after seven; the list has them the other way round."""
    odd = [ODD if n < TAKES else 0.2 for n in range(2 * TAKES)]
    late = [take(n, odd[n], taken=f"2026-11-20T18:{50 - n}:00Z") for n in range(2 * TAKES)]
    assert told(late) == [True] * 5 + [False] * 9
    assert told([take(n, odd[n]) for n in range(2 * TAKES)]) == [False] * 4 + [True] * 5 + [False] * 5
    lines = [t.row.recording for t in late[:3]]
    assert in_order(lines) == [2, 1, 0]
    assert in_order([*lines[:2], replace(lines[2], taken=None)]) == [0, 1, 2]
    other = replace(lines[1], session="other")
    assert in_order([lines[0], other, lines[2]]) == [2, 1, 0]


def test_a_sentence_names_a_few_sittings_and_counts_the_others() -> None:
    takes = [take(n, session=f"s{n // TAKES}") for n in range(5 * TAKES)]
    said = out_of_date(as_in_a_stream(takes)) or ""
    assert "in session s0 of D (3 of 7 takes), " in said
    assert said.endswith(f", session s2 of D (3 of 7 takes) and 2 other sessions {SAID}")
    unnamed = [take(n, device=None, session=None) for n in range(TAKES)]
    assert "in recordings that name no session (3 of 7 takes)" in (out_of_date(as_in_a_stream(unnamed)) or "")


def test_the_page_says_it_first_of_what_is_to_be_done() -> None:
    profile = profiles.load_shipped("accelerometer")
    assert advice(as_in_a_stream([take(n) for n in range(TAKES)]), profile, [])[0].endswith(f"{SAID}.")
    uncounted = as_in_a_stream([take(n, beads=None) for n in range(TAKES)])
    assert advice(uncounted, profile, [])[0].endswith(f"{SAID}.")
    assert not any(SAID in one for one in advice([take(n, 0.2) for n in range(TAKES)], profile, []))


def elsewhere(profile: Profile) -> Profile:
    """One that expects other sounds: each shake is odd, and none too odd by itself."""
    heads = []
    for head in profile.heads:
        scaling = head.usual.scaling
        moved = replace(scaling, median=scaling.median + 3 * scaling.spread)
        heads.append(replace(head, usual=replace(head.usual, scaling=moved, limit=16.0), strange_from=None))
    return replace(profile, heads=tuple(heads))


def test_a_stream_a_folder_its_evaluation_and_its_page_say_the_same(
    one_sitting: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    lines, sounds = [], [rattle(n, 3, seconds=1.5) for n in range(4, 4 + TAKES)]
    for n, sound in enumerate(sounds):
        soundfile.write(tmp_path / f"{n}.wav", sound, RATE)
        lines.append(
            {"file": f"{n}.wav", "sensor": "microphone", "beads": n + 4, "device": "D", "session": "s"}
        )
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    alone, page = tmp_path / "evening.wav", tmp_path / "page.html"
    soundfile.write(alone, np.concatenate(sounds), RATE)
    moved = tmp_path / "moved.profile"
    profiles.save(elsewhere(profiles.load(one_sitting[1])), moved)
    of, where = ["--profile", str(moved)], str(tmp_path)
    asked = [
        ["listen", str(alone), *of],
        ["listen", where, *of],
        ["calibrate", "igloos", "evaluate", where, *of],
    ]
    reasons, errors = [], ""
    for words in asked:
        assert run([*words, "--json"]) == 0
        said = capsys.readouterr()
        errors = said.err
        told = [json.loads(line) for line in said.out.splitlines()]
        reasons.append([line.get("reason") == RECALIBRATE for line in told if "verdict" in line])
    assert reasons == [[False] * (DRIFT_SHAKES - 1) + [True] * 3] * 3
    assert f"(3 of 7 takes) {SAID}" in errors
    assert run(["calibrate", "igloos", "report", where, *of, "--out", str(page)]) == 0
    advised = re.findall("<li>(.*?)</li>", html.unescape(page.read_text()))
    assert advised[0] == f"What the microphone heard in session s of D (3 of 7 takes) {SAID}."


def test_a_take_that_lacks_samples_tells_nothing_of_the_profile(
    one_sitting: tuple[Path, Path], tmp_path: Path
) -> None:
    sound = rattle(6, 3)
    sound[RATE] = np.nan
    soundfile.write(tmp_path / "torn.wav", sound, RATE, subtype="FLOAT")
    soundfile.write(tmp_path / "whole.wav", rattle(6, 3), RATE, subtype="FLOAT")
    profile = profiles.load(one_sitting[1])
    fronts = [head.front for head in profile.heads]
    lines = [Recording(tmp_path, f"{name}.wav", "microphone", 6) for name in ("torn", "whole")]
    odd = [answer(profile, of_one).odd for of_one in rows(lines, lambda error: None, fronts)]
    assert [one is None for one in odd] == [True, False]
