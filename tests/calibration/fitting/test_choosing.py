"""Which recordings, which profile, which counts: what cannot be meant is said in one sentence, once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from table.cli import run
from table.commands.igloo_oddities import counts_unseen
from tests.knowing import weighing
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweeps")
    write_sweeps(folder, sessions=2, seconds=1.2)
    return folder


@pytest.fixture(scope="module")
def seats_profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sensors.gesture import profile as gestures
    from sensors.gesture.profile import GestureProfile

    path = tmp_path_factory.mktemp("seat") / "seat.profile"
    gestures.save(GestureProfile("microphone", tuple(range(2, 14)), {}, 1.0, weighing(), {}), path)
    return path


EVALUATE = ["calibrate", "igloos", "evaluate", "{s}"]
FIT = ["calibrate", "igloos", "fit", "{s}", "--out", "{t}/x.profile"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([*EVALUATE, "--profile", "microphone", "--only", "sesion=s0"], ["'sesion'", "session", "weather"]),
        ([*EVALUATE, "--leave-out", "session", "--only", "sesion=s0"], ["'sesion'", "session", "weather"]),
        ([*EVALUATE, "--profile", "microphone", "--only", "session=s9"], ["has a session", "s0, s1"]),
        ([*EVALUATE, "--profile", "microphone", "--test-on", "x*"], ["no session is named like 'x*'"]),
        ([*EVALUATE, "--profile", "accelerometer"], ["an accelerometer", "24 recordings", "of a microphone"]),
        (
            [*EVALUATE, "--profile", "accelerometer", "--sensor", "microphone"],
            ["an accelerometer", "24 recordings", "of a microphone"],
        ),
        ([*EVALUATE, "--profile", "{seat}"], ["is a seat's profile", "a profile of shakes is wanted"]),
        ([*EVALUATE, "--leave-out", "session", "--start-from", "{seat}"], ["is a seat's profile"]),
        (
            ["calibrate", "igloos", "report", "{s}", "--profile", "{seat}", "--out", "{t}/x.html"],
            ["a seat's profile tells the counting gesture", "no recording that was chosen is one"],
        ),
        ([*FIT, "--sensor", "contact"], ["'contact' is no sensor", "--sensor microphone --only place=shell"]),
        ([*FIT, "--sensor", "accelerometer"], ["is of an accelerometer", "24 recordings of a microphone"]),
        (
            [*FIT, "--start-from", "accelerometer"],
            ["is of an accelerometer – start from one of a microphone"],
        ),
    ],
)
def test_what_cannot_be_chosen(
    words: list[str], says: list[str], sweeps: Path, seats_profile: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert run([word.format(s=sweeps, seat=seats_profile, t=tmp_path) for word in words]) == 2
    (said,) = capsys.readouterr().err.strip().splitlines()
    for word in says:
        assert word in said


@pytest.mark.parametrize("words", [FIT, [*EVALUATE, "--leave-out", "session"]])
def test_a_start_of_another_sensor_is_refused_before_anything_is_heard(
    words: list[str], sweeps: Path, tmp_path: Path, capsys: Capture
) -> None:
    """For hearing thousands of recordings takes minutes: here there is nothing but their list."""
    shutil.copy(sweeps / "recordings.jsonl", tmp_path)
    assert (
        run([*(word.format(s=tmp_path, t=tmp_path) for word in words), "--start-from", "accelerometer"]) == 2
    )
    said = capsys.readouterr().err.strip()
    assert said.endswith("the profile to start from is of an accelerometer – start from one of a microphone")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--leave-out", "session", "--test-on", "x*"], "no session is named like 'x*'"),
        (["--leave-out", "session", "--only", "session=s0"], "all recordings are of one session"),
        (["--leave-out", "device"], "all recordings are of one device"),
    ],
)
def test_what_leaves_nothing_to_test_is_refused_before_anything_is_heard(
    words: list[str], says: str, sweeps: Path, tmp_path: Path, capsys: Capture
) -> None:
    """For hearing thousands of recordings takes minutes: here there is nothing but their list, with a broken line."""
    (tmp_path / "recordings.jsonl").write_text((sweeps / "recordings.jsonl").read_text() + "{\n")
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), *words]) == 2
    broken, said = capsys.readouterr().err.strip().splitlines()
    assert "is no JSON" in broken
    assert said.startswith(f"polartable: PT-403: {says}")


def test_a_fit_for_others_of_one_set_is_refused_before_anything_is_heard(
    sweeps: Path, tmp_path: Path, capsys: Capture
) -> None:
    shutil.copy(sweeps / "recordings.jsonl", tmp_path)
    assert run([*(word.format(s=tmp_path, t=tmp_path) for word in FIT), "--for-others"]) == 2
    (said,) = capsys.readouterr().err.strip().splitlines()
    assert "all recordings are of one set of igloos" in said


def test_recordings_are_chosen_by_a_value_as_the_list_has_it(
    sweeps: Path, tmp_path: Path, capsys: Capture
) -> None:
    lines = [json.loads(line) for line in (sweeps / "recordings.jsonl").read_text().splitlines()]
    for line in lines:
        (tmp_path / line["file"]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sweeps / line["file"], tmp_path / line["file"])
        line |= {"wet": line["beads"] < 4}
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "microphone", "--json"]
    assert run([*words, "--only", "wet=true"]) == 0
    *told, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert {line["true_beads"] for line in told} == {2, 3}
    assert run([*words, "--only", "wet=very"]) == 2
    assert capsys.readouterr().err.endswith("has a wet as asked for – false, true is what there is\n")


@pytest.mark.parametrize(
    "words",
    [
        [*FIT, "--start-from", "accelerometer"],
        [*FIT, "--start-from", "nosuch.profile"],
        [*EVALUATE, "--leave-out", "session", "--start-from", "nosuch.profile"],
    ],
)
def test_a_seat_starts_from_no_profile(words: list[str], tmp_path: Path, capsys: Capture) -> None:
    line = {"file": "a.wav", "sensor": "microphone", "beads": 7, "gesture": "seat-tap"}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    assert run([word.format(s=tmp_path, t=tmp_path) for word in words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "polartable: PT-101: a seat's profile is fitted from its own recordings alone – leave --start-from out\n"
    )


def test_a_shipped_profile_is_named_and_only_sessions_so_named_are_tested(
    sweeps: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "one-lost"
    shutil.copytree(sweeps, folder)
    next(folder.glob("s0*")).unlink()  # nobody asks for it
    words = ["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone", "--test-on", "s1"]
    assert run([*words, "--json"]) == 0
    said = capsys.readouterr()
    *takes, last = (json.loads(line) for line in said.out.splitlines())
    assert "s0-" not in said.err
    assert {take["file"][:2] for take in takes} == {"s1"}
    assert last["summary"]["n"] == 12
    assert run(words) == 0
    assert "12 recordings of 1 session\n" in capsys.readouterr().out


def test_counts_that_no_take_has_are_told(sweeps: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ["calibrate", "igloos", "fit", str(sweeps), "--out", str(tmp_path / "x.profile")]
    assert run([*words, "--counts", "2-15,20", "--json"]) == 0
    said = capsys.readouterr()
    assert "no take holds 14 or 15 or 20 beads" in said.err.replace(", ", " or ")
    assert json.loads(said.out)["warnings"]
    assert counts_unseen((2, 3, 13), range(2, 14)) is None


def test_the_same_complaint_about_many_is_told_once(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "knocks"
    lines = write_sweeps(folder, sessions=1, counts=range(2, 6))
    entries = [json.dumps(line | {"gesture": "knock"}) + "\n" for line in lines]
    (folder / "recordings.jsonl").write_text("".join(entries))
    assert run(["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone"]) == 2
    first, last = capsys.readouterr().err.strip().splitlines()
    assert "4 recordings" in first
    assert "counts by the gesture shake, and this is a knock" in first
    assert "no recording could be tested" in last
