"""`polartable calibrate igloos` and `polartable listen`, from the command line, on folders as makers have them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration.fitting.own_accuracy import DOUBT_LEFT
from sensors.ear.profiles.profile import load, load_shipped
from table.cli import run
from tests.rattle import RATE, rattle, write_sweeps


@pytest.fixture(scope="module")
def fitted(sweeps: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("profile") / "mine.profile"
    assert run(["calibrate", "igloos", "fit", str(sweeps), "--out", str(out), "--counts", "2-13"]) == 0
    return out


def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[dict[str, Any]]:
    for line in capsys.readouterr().out.splitlines():
        yield json.loads(line)


def test_whole_sessions_are_left_out(sweeps: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "igloos", "evaluate", str(sweeps), "--leave-out", "session", "--json"]) == 0
    *recordings, last = lines(capsys)
    assert len(recordings) == 36
    for line in recordings:
        assert line["event"] == "shake"
        assert line["true_beads"] in range(2, 14)
        assert line["best"] in range(2, 14)
        assert line["in_set"] in range(2, 14)
        assert line["verdict"] in ("sure", "unsure", "not-a-shake")
    summary = last["summary"]
    wanted = {
        "n",
        "exact",
        "within_one",
        "mae",
        "exact_in_sets",
        "sure_share",
        "sure_right",
        "ece",
        "interval",
        "confusion",
    }
    assert wanted <= set(summary)
    assert summary["n"] == 36
    assert summary["exact"] == pytest.approx(
        np.mean([r["best"] == r["true_beads"] for r in recordings]), abs=1e-3
    )
    sets = [r["in_set"] for r in recordings if r["file"].startswith("s1-")]
    assert sorted(sets) == list(range(2, 14))
    assert summary["within_one"] > 0.6  # clicks are counted, not guessed: that would be .24, give or take .07


def test_only_named_sessions_are_tested(sweeps: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--leave-out", "session", "--test-on", "s[12]", "--json"]
    assert run(["calibrate", "igloos", "evaluate", str(sweeps), *words]) == 0
    *recordings, last = lines(capsys)
    assert {r["file"][:2] for r in recordings} == {"s1", "s2"}
    assert last["summary"]["n"] == 24


def test_a_profile_tested_on_its_own_takes_is_called_flattering(
    sweeps: Path, fitted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "igloos", "evaluate", str(sweeps), "--profile", str(fitted)]) == 0
    said = capsys.readouterr()
    assert "exact" not in said.out
    assert "fitted on 100% of these recordings" in said.err


def test_bad_recordings_are_told_and_the_rest_goes_on(
    sweeps: Path, fitted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soundfile.write(tmp_path / "good.wav", rattle(5, 77), RATE)
    soundfile.write(
        tmp_path / "stereo-48k.flac", np.repeat(rattle(6, 78, rate=48000)[:, None], 2, axis=1), 48000
    )
    soundfile.write(tmp_path / "silent.wav", np.zeros(RATE), RATE)
    soundfile.write(tmp_path / "short.wav", rattle(5, 77)[:4000], RATE)
    soundfile.write(tmp_path / "slow.wav", rattle(5, 77)[::8], RATE // 8)
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "text.wav").write_text("this is no sound")
    names = [
        "good.wav",
        "missing.wav",
        "silent.wav",
        "short.wav",
        "slow.wav",
        "empty.wav",
        "text.wav",
        "stereo-48k.flac",
    ]
    entries = [json.dumps({"file": n, "sensor": "microphone", "beads": 5}) for n in names]
    (tmp_path / "recordings.jsonl").write_text("\n".join([*entries, "{broken"]) + "\n")
    assert run(["listen", str(tmp_path), "--profile", str(fitted), "--json"]) == 2
    said = capsys.readouterr()
    heard = {json.loads(line)["source"] for line in said.out.splitlines()}
    assert heard == {"good.wav", "stereo-48k.flac"}
    complaints = said.err.strip().splitlines()
    assert len(complaints) == 7
    for word in ("missing.wav", "silent.wav", "short.wav", "slow.wav", "empty.wav", "text.wav", "line 9"):
        assert sum(word in complaint for complaint in complaints) == 1, word
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", str(fitted), "--json"]) == 2
    *recordings, last = lines(capsys)
    assert {r["file"] for r in recordings} == {"good.wav", "stereo-48k.flac"}
    assert last["summary"]["n"] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["listen", "nowhere.wav"], "does not exist"),
        (["calibrate", "igloos", "evaluate", "nowhere", "--leave-out", "session"], "is no folder"),
        (["calibrate", "igloos", "evaluate", "{s}"], "give either --profile FILE or --leave-out"),
        (["calibrate", "igloos", "evaluate", "{s}", "--leave-out", "take"], "'take' cannot be left out"),
        (
            ["calibrate", "igloos", "evaluate", "{s}", "--leave-out", "session", "--test-on", "x*"],
            "no session is named",
        ),
        (
            ["calibrate", "igloos", "evaluate", "{s}", "--leave-out", "device"],
            "all recordings are of one device",
        ),
        (["calibrate", "igloos", "evaluate", "{s}", "--profile", "{s}/recordings.jsonl"], "is no profile"),
        (["calibrate", "igloos", "fit", "{s}", "--out", "/nowhere/at/all.profile"], "cannot be written"),
        (
            ["calibrate", "igloos", "fit", "{s}", "--out", "x.profile", "--counts", "13-2"],
            "is no range of counts",
        ),
        (
            ["calibrate", "igloos", "fit", "{s}", "--out", "x.profile", "--counts", "0-5"],
            "counts go from 1 to 1000",
        ),
        (["calibrate", "igloos", "fit", "{s}", "--out", "x.profile", "--sensor", "nose"], "is no sensor"),
        (["calibrate", "igloos", "fit", "{s}", "--out", "x.profile", "--only", "player=P9"], "no recording"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    words: list[str], says: str, sweeps: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([word.format(s=sweeps) for word in words]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert says in said[0]


def test_an_accelerometers_profile_does_not_fit_a_microphone(
    tmp_path: Path, sweeps: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["listen", str(sweeps / "s0-05.wav"), "--profile", "accelerometer"]) == 2
    assert "the profile was made for an accelerometer" in capsys.readouterr().err


def test_the_accelerometers_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_sweeps(tmp_path, sessions=2, counts=(2, 4, 6, 8, 11, 13), sensor="accelerometer")
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", "session", "--json"]) == 0
    *recordings, last = lines(capsys)
    assert len(recordings) == 12
    assert last["summary"]["exact"] > 0.4


def test_one_sweep_and_the_shipped_profile_are_enough_to_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sweeps(tmp_path, sessions=1)
    out = tmp_path / "mine.profile"
    words = [
        "--start-from",
        str(Path("sensors/profiles/microphone.profile").resolve()),
        "--out",
        str(out),
        "--json",
    ]
    assert run(["calibrate", "igloos", "fit", str(tmp_path), *words]) == 0
    (said,) = lines(capsys)
    assert said["fitted_on"]["takes"] == 12
    assert said["accuracy"]["left_out_by"] == "takes of one session"
    asked = {head.front.name: head.sure_from for head in load(out).heads}
    before = {head.front.name: head.sure_from for head in load_shipped("microphone").heads}
    assert all(1 - at <= DOUBT_LEFT * (1 - before[front]) + 1e-9 for front, at in asked.items())


def test_the_report_has_pictures_and_honest_figures(
    sweeps: Path, fitted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    assert (
        run(["calibrate", "igloos", "report", str(sweeps), "--profile", str(fitted), "--out", str(out)]) == 0
    )
    page = out.read_text()
    assert page.count("<img alt=") >= 3
    assert "What to do next" in page
    assert "every session was left out in turn" in capsys.readouterr().err
    assert "http://" not in page
    assert "https://" not in page
