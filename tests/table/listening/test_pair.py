"""An accelerometer and a microphone on one igloo: told by both together, from files and over a folder of pairs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.models.sets import add_up
from table.cli import run
from tests.narrow import through
from tests.rattle import RATE, rattle, shaken_sensor
from tests.sensors.ear.verdicts.two_sensors import SLOW


def write_pair(
    folder: Path, name: str, beads: int, loud: float = 0.3, session: str = "s1"
) -> list[dict[str, object]]:
    """Two files that began together, and their lines."""
    seed = int(session[1:])
    files = {"accelerometer": f"{name}.acc.wav", "microphone": f"{name}.mic.wav"}
    folder.mkdir(parents=True, exist_ok=True)
    soundfile.write(folder / files["accelerometer"], shaken_sensor(beads, seed), SLOW, subtype="FLOAT")
    sound = np.clip(rattle(beads, seed, loudness=loud), -1, 1)
    soundfile.write(folder / files["microphone"], sound, RATE)
    return [
        {"file": file, "sensor": sensor, "beads": beads, "device": "D", "session": session, "pair": name}
        for sensor, file in files.items()
    ]


def lines_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert run([*arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def chances(line: dict[str, object]) -> dict[int, float]:
    told = line["probabilities"]
    assert isinstance(told, dict)
    return {int(n): float(p) for n, p in told.items()}


def test_two_files_of_one_igloo_are_one_line_that_adds_both_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pair(tmp_path, "one", 6)
    acc, mic = str(tmp_path / "one.acc.wav"), str(tmp_path / "one.mic.wav")
    (felt,), (heard,) = lines_of(capsys, "listen", acc), lines_of(capsys, "listen", mic)
    (both,) = lines_of(capsys, "listen", acc, mic)
    assert both["source"] == "one.acc.wav + one.mic.wav"
    assert chances(both) == pytest.approx(add_up([chances(felt), chances(heard)]), abs=1e-4)
    assert both["start_s"] == pytest.approx(0.4, abs=0.15)


def test_a_list_says_that_the_microphone_sat_on_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = write_pair(tmp_path, "one", 6)
    lines[1]["place"] = "shell"
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = ["listen", str(tmp_path / "one.acc.wav"), str(tmp_path / "one.mic.wav")]
    (unsaid,) = lines_of(capsys, *files)
    (named,) = lines_of(capsys, *files, "--profile", "accelerometer", "--profile", "contact")
    assert chances(unsaid) == chances(named)
    assert run([*files, "--profile", "microphone"]) == 0  # another one is heard by, and that is told
    assert "these recordings are of one on the shell: take one of its kind" in capsys.readouterr().err


def test_an_overdriven_microphone_leaves_the_word_to_its_partner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pair(tmp_path, "loud", 6, loud=30.0)
    acc, mic = str(tmp_path / "loud.acc.wav"), str(tmp_path / "loud.mic.wav")
    (felt,), (heard,) = lines_of(capsys, "listen", acc), lines_of(capsys, "listen", mic)
    assert heard["clipped"]
    (both,) = lines_of(capsys, "listen", acc, mic)
    assert (both["probabilities"], both["clipped"]) == (felt["probabilities"], False)


def test_an_overdriven_accelerometer_counts_beside_its_partner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pair(tmp_path, "hard", 6)
    acc, mic = str(tmp_path / "hard.acc.wav"), str(tmp_path / "hard.mic.wav")
    samples, rate = soundfile.read(acc)
    harder = samples[:50].mean(axis=0) + 3 * (samples - samples[:50].mean(axis=0))
    soundfile.write(acc, np.clip(harder, -2.0, 2.0), rate, subtype="FLOAT")  # a range of ±2 g
    (felt,), (heard,) = lines_of(capsys, "listen", acc), lines_of(capsys, "listen", mic)
    assert (felt["clipped"], heard["clipped"]) == (True, False)
    (both,) = lines_of(capsys, "listen", acc, mic)
    assert chances(both) == pytest.approx(add_up([chances(felt), chances(heard)]), abs=1e-4)
    assert (both["clipped"], both["verdict"]) == (True, "unsure")
    assert both["reason"] == felt["reason"]


def test_a_microphone_without_treble_counts_beside_its_partner_and_both_are_not_sure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pair(tmp_path, "one", 6)
    acc, mic = str(tmp_path / "one.acc.wav"), str(tmp_path / "one.mic.wav")
    sound, rate = soundfile.read(mic, dtype="float32")
    soundfile.write(mic, through(16000, sound, rate), rate)
    (felt,), (heard,) = lines_of(capsys, "listen", acc), lines_of(capsys, "listen", mic)
    (both,) = lines_of(capsys, "listen", acc, mic)
    assert chances(both) == pytest.approx(add_up([chances(felt), chances(heard)]), abs=1e-4)
    assert (both["verdict"], both["reason"]) == ("unsure", heard["reason"])
    assert "nothing above 8 kHz" in str(both["reason"])


def test_two_files_of_one_kind_and_two_profiles_of_one_kind_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pair(tmp_path, "one", 6)
    acc, mic = str(tmp_path / "one.acc.wav"), str(tmp_path / "one.mic.wav")
    assert run(["listen", acc, acc]) == 2
    assert "both files are of an accelerometer" in capsys.readouterr().err
    assert run(["listen", acc, mic, "--profile", "contact", "--profile", "microphone"]) == 2
    assert "two profiles are for one kind of sensor" in capsys.readouterr().err
    assert run(["listen", acc, "--profile", "accelerometer", "--profile", "microphone"]) == 2
    assert "there are 2 profiles" in capsys.readouterr().err


def test_a_folder_of_pairs_is_told_by_both_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line for beads in (3, 6, 11) for line in write_pair(tmp_path, f"take-{beads}", beads)]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "accelerometer"]
    *told, end = lines_of(capsys, *command, "--profile", "microphone")
    assert len(told) == 6
    for felt, heard in zip(told[:3], told[3:], strict=True):
        both = add_up([chances(felt), chances(heard)])
        assert felt["in_pair"] == heard["in_pair"] == max(both, key=lambda n: both[n])
    summary = end["summary"]
    assert isinstance(summary, dict)
    right = [line["in_pair"] == line["true_beads"] for line in told]
    assert summary["exact_in_pairs"] == pytest.approx(np.mean(right), abs=1e-3)
    assert summary["interval"]["exact_in_pairs"] == [0.0, 1.0]  # three shakes of one session, not six
    assert {kind: of["n"] for kind, of in summary["of_each_sensor"].items()} == {
        "accelerometer": 3,
        "microphone": 3,
    }
    assert summary["n"] == 6
    assert run([*command, "--profile", "contact"]) == 0  # nobody says where the microphones are
    both = capsys.readouterr()
    assert "one shake, microphone: " in both.out
    assert "two sensors of one shake together: " in both.out
    assert "never be said" not in both.err
    assert run(command) == 0
    alone = capsys.readouterr()
    assert "3 recordings of a microphone were not tested" in alone.err
    assert "together" not in alone.out


def test_each_of_several_profiles_is_asked_about_its_own_kind_of_sensor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line for beads in (3, 6) for line in write_pair(tmp_path, f"take-{beads}", beads)]
    for line in lines:
        if line["sensor"] == "microphone":
            line["place"] = "shell"
    lines.append({"file": "gone.wav", "sensor": "accelerometer", "beads": 3})
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "accelerometer"]
    assert run(command) == 2  # a file is missing
    assert "2 recordings of a contact microphone were not tested" in (said := capsys.readouterr().err)
    assert "(--profile contact)" in said
    assert run([*command, "--profile", "contact"]) == 2
    assert capsys.readouterr().err.count("gone.wav") == 1
    assert run([*command, "--profile", "microphone"]) == 2
    assert "no recording is of the kind of sensor that microphone is for" in capsys.readouterr().err


def test_what_no_profile_is_for_is_told_of_the_sessions_that_are_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the others nothing was to be tested."""
    lines = [
        line
        for session in ("s1", "s2", "s3")
        for beads in (3, 6)
        for line in write_pair(tmp_path, f"{session}-{beads}", beads, session=session)
    ]
    lines = [line for line in lines if line["session"] != "s3" or line["sensor"] == "accelerometer"]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "accelerometer"]
    assert run([*command, "--test-on", "s2"]) == 0
    assert "2 recordings of a microphone were not tested" in capsys.readouterr().err
    assert run([*command, "--test-on", "s3"]) == 0
    assert "not tested" not in capsys.readouterr().err


def test_each_kind_of_sensor_is_fitted_by_itself_where_sessions_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = (2, 5, 9, 13)
    lines = [
        line
        for session in ("s1", "s2")
        for beads in counts
        for line in write_pair(tmp_path, f"{session}-{beads}", beads, session=session)
    ]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    *told, end = lines_of(capsys, "calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", "session")
    assert len(told) == len(lines)
    assert all(line["in_pair"] in counts for line in told)
    assert len({line["profile"] for line in told}) == 4  # two folds of each sensor
    assert isinstance(end["summary"], dict)
    assert end["summary"]["n"] == len(lines)
