"""A recording's line says what the ear in play says of it, and what would be refused is what these lines refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import beginnings, rows
from calibration.takes.shaken import Cut
from calibration.testing import evaluate
from calibration.testing.evaluate import answer
from calibration.testing.gather import refusal, refused
from calibration.testing.in_play import cut_alike
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.reasons import HANDLED
from sensors.evidence import Heard
from table.cli import run

RATE = 48000
EAR = load_shipped("contact")
ON_SHELL = {"place": "shell"}
Answers = Callable[[str], evaluate.Tested]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated shake; two seconds of noise between two such; a second out of the middle of one, in noise; a
    knock."""
    to = tmp_path_factory.mktemp("play")
    made = simulate(6, Device.draw(41), Player.draw(42).on(1), 3, 2.0, sensors=("contact",))
    assert made.contact is not None
    shake, random = made.contact.astype(np.float64), np.random.default_rng(1)
    part = shake[round(0.6 * RATE) : round(1.6 * RATE)]
    part = part + random.standard_normal(len(part)) * np.sqrt(0.1 * np.mean(part**2))
    knock = 1e-4 * random.standard_normal(2 * RATE)
    n = np.arange(RATE // 20)
    knock[RATE : RATE + len(n)] += 0.5 * np.sin(n / 6) * np.exp(-n / (0.005 * RATE))
    twice = np.concatenate([shake, 1e-5 * random.standard_normal(2 * RATE), shake[: round(1.6 * RATE)]])
    lines = []
    for name, sound in {"shake": shake, "twice": twice, "part": part, "knock": knock}.items():
        soundfile.write(to / f"{name}.wav", sound.astype(np.float32), RATE, subtype="FLOAT")
        lines.append({"file": f"{name}.wav", "sensor": "microphone", "beads": 6, **ON_SHELL})
    (to / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return to


@pytest.fixture
def asked(folder: Path) -> Answers:
    def ask(name: str) -> evaluate.Tested:
        recording = Recording(folder, name, "microphone", 6, session="s", more=ON_SHELL)
        told: list[Exception] = []
        (of_one,) = rows([recording], told.append, [head.front for head in EAR.heads_for("microphone", RATE)])
        assert not told
        return answer(EAR, of_one)

    return ask


def played(folder: Path, name: str) -> list[Heard]:
    sound, rate = soundfile.read(folder / name, dtype="float32", always_2d=True)
    ear = Listener(EAR, rate, 1, name, fine=True)
    return [said for said in (*ear.push(sound), *ear.finish()) if isinstance(said, Heard)]


def test_a_cut_of_the_ear_in_play_is_the_rows_own_where_both_its_bounds_are_near(
    folder: Path, asked: Answers
) -> None:
    row = asked("shake.wav").row
    start, end = row.shake.start_s, row.shake.end_s
    near = Cut(start + 0.15, end - 0.15, 30.0)
    for other in (Cut(start - 0.3, end, 30.0), Cut(start, end + 0.3, 30.0)):
        assert cut_alike(replace(row, in_play=(other, near))) == near
        assert cut_alike(replace(row, in_play=(other,))) is None
    assert cut_alike(replace(row, in_play=None)) is None


@pytest.mark.parametrize("name", ["shake.wav", "twice.wav", "part.wav", "knock.wav"])
def test_a_line_says_what_play_says_of_its_longest_shake(folder: Path, asked: Answers, name: str) -> None:
    said, stream = asked(name), played(folder, name)
    like = max(stream, key=lambda h: (h.verdict != "not-a-shake", h.end_s - h.start_s))
    assert (said.heard.verdict, said.heard.reason) == (like.verdict, like.reason)
    assert said.refused == all(h.verdict == "not-a-shake" for h in stream)
    assert (said.heard.start_s, said.heard.end_s) == pytest.approx((like.start_s, like.end_s), abs=0.2)
    assert said.heard.snr_db == pytest.approx(like.snr_db, abs=0.1)
    assert said.best == like.best or said.refused


def test_what_no_cut_takes_for_a_shake_is_asked_of_play(
    folder: Path, asked: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = evaluate.judge
    monkeypatch.setattr(  # as where a cut holds handling as well
        evaluate,
        "judge",
        lambda *asked: replace(judge(*asked), verdict="not-a-shake", reason=HANDLED, probabilities={}),
    )
    heard, lost = asked("shake.wav"), asked("knock.wav")
    (stream,) = played(folder, "shake.wav")
    assert heard.heard == replace(stream, source="shake.wav")
    assert heard.probabilities == stream.probabilities
    assert (heard.refused, lost.refused) == (False, True)
    assert refused([heard, lost]) == 1
    assert refusal([heard]) is None
    assert str(refusal([heard, lost])).startswith(
        "1 of 2 takes would be refused as no shake (a knock or a click, too short for a shake): "
    )


def test_lines_and_summary_agree_on_what_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "igloos", "evaluate", str(folder), "--profile", "contact", "--json"]) == 0
    *lines, last = map(json.loads, capsys.readouterr().out.splitlines())
    verdicts = {line["file"]: line["verdict"] for line in lines}
    assert verdicts == {
        "shake.wav": "unsure",
        "twice.wav": "unsure",
        "part.wav": "not-a-shake",
        "knock.wav": "not-a-shake",
    }
    assert last["summary"]["refused"] == 2
    assert [line["file"] for line in lines if "probabilities" not in line] == ["part.wav", "knock.wav"]
    for line in lines:
        told = line.get("probabilities", {})
        assert not told or line["best"] == int(max(told, key=told.__getitem__))


def test_where_a_stream_finds_nothing_the_take_is_refused_and_its_best_guess_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = Recording(folder, "shake.wav", "microphone", 6, session="s", more=ON_SHELL)
    (of_one,) = rows([recording], print, [head.front for head in EAR.heads_for("microphone", RATE)])
    before = answer(EAR, of_one)
    monkeypatch.setattr(Listener, "push", lambda *_: iter(()))
    monkeypatch.setattr(Listener, "finish", lambda *_: iter(()))
    lost = answer(EAR, [replace(row, in_play=()) for row in of_one])
    assert lost.refused
    assert not lost.heard.probabilities
    assert lost.odd is None
    assert "hardly above its background" in str(lost.heard.reason)
    assert (lost.best, lost.probabilities) == (before.best, before.probabilities)


def test_a_file_that_is_gone_meanwhile_stays_as_it_was_cut(folder: Path) -> None:
    recording = Recording(folder, "shake.wav", "microphone", 6, session="s", more=ON_SHELL)
    (of_one,) = rows([recording], print, [head.front for head in EAR.heads_for("microphone", RATE)])
    gone = replace(recording, file="gone.wav")
    said = answer(EAR, [replace(row, recording=gone, in_play=()) for row in of_one])
    assert said.heard.verdict == "unsure"


def test_the_beginning_of_a_take_is_not_asked_of_all_of_it(folder: Path, asked: Answers) -> None:
    recording = Recording(folder, "shake.wav", "microphone", 6, session="s", more=ON_SHELL)
    (of_one,) = rows([recording], print, [head.front for head in EAR.heads_for("microphone", RATE)])
    (cut,) = beginnings(of_one, [0.5]).values()
    assert all(row.in_play is None for row in cut)
    assert answer(EAR, cut).heard.end_s < asked("shake.wav").heard.end_s - 1.0
