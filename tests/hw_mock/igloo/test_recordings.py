"""`polartable simulate shakes` writes folders that other people's programs can read (docs/contracts.md 3)."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf

from hw_mock.igloo.device import Igloo
from hw_mock.igloo.faults import FAULTS
from hw_mock.igloo.plan import Plan, device_of, jobs, player_of
from table.cli import run

SMALL = (
    "--devices",
    "1",
    "--sessions",
    "2",
    "--players",
    "2",
    "--counts",
    "2-4",
    "--anchors",
    "1",
    "--seconds",
    "0.3",
)


def _simulate(out: Path, *more: str) -> int:
    return run(
        [
            "simulate",
            "shakes",
            "--out",
            str(out),
            *SMALL,
            "--sensor",
            "microphone",
            "--sensor",
            "accelerometer",
            *more,
        ]
    )


def _lines(folder: Path) -> list[dict]:
    return [json.loads(text) for text in (folder / "recordings.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shakes") / "made"
    assert _simulate(out) == 0
    return out


def test_every_line_has_what_the_contract_asks_and_its_file_is_there(folder: Path):
    lines = _lines(folder)
    assert len(lines) == 2 * (2 * 3 + 1)
    for line in lines:
        assert line["simulated"] is True
        assert {
            "file",
            "sensor",
            "beads",
            "igloo",
            "device",
            "player",
            "session",
            "pair",
            "taken",
            "rejected",
        } <= set(line)
        samples, rate = sf.read(folder / line["file"], dtype="float32", always_2d=True)
        if line["sensor"] == "accelerometer":
            assert samples.shape[1] == 3
            assert rate in (800, 833, 1600, 1666, 3200, 3332)
            assert sf.info(folder / line["file"]).subtype == "FLOAT"
            assert np.linalg.norm(np.median(samples, axis=0)) == pytest.approx(
                1.0, abs=0.6
            )  # g, and gravity is in it
        else:
            assert samples.shape[1] == 1
            assert rate == 48000
            assert line["file"].endswith(".flac")


def test_a_set_holds_every_count_once_in_an_order_of_chance(folder: Path):
    sets: dict[str, list[int]] = {}
    for line in _lines(folder):
        if "set" in line and line["sensor"] == "microphone":
            sets.setdefault(line["set"], []).append(line["beads"])
    assert len(sets) == 2
    assert all(sorted(counts) == [2, 3, 4] for counts in sets.values())
    wide = [job.beads for job in jobs(Plan(seed=1, devices=1, sessions=1))]
    assert sorted(wide) == list(range(2, 14))
    assert wide != sorted(wide)


def test_a_pair_is_one_shake_for_two_sensors(folder: Path):
    pairs: dict[str, set[str]] = {}
    for line in _lines(folder):
        pairs.setdefault(line["pair"], set()).add(line["sensor"])
    assert all(sensors == {"microphone", "accelerometer"} for sensors in pairs.values())


def test_two_processes_write_the_same_bytes(folder: Path, tmp_path: Path):
    assert _simulate(tmp_path / "two", "--jobs", "2") == 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        assert (tmp_path / "two" / path.relative_to(folder)).read_bytes() == path.read_bytes(), path.name


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(folder: Path, tmp_path: Path):
    shutil.copytree(folder, tmp_path / "cut")
    index = tmp_path / "cut" / "recordings.jsonl"
    whole = index.read_text()
    index.write_text(whole[: len(whole) // 2])  # ends within a line
    assert _simulate(tmp_path / "cut") == 0
    names = [json.loads(text)["file"] for text in index.read_text().splitlines() if text.endswith("}")]
    assert sorted(set(names)) == sorted(line["file"] for line in _lines(folder))
    assert len(names) == len(set(names))


def test_a_line_without_its_end_is_written_anew(folder: Path, tmp_path: Path):
    made = shutil.copytree(folder, tmp_path / "made")
    index = made / "recordings.jsonl"
    index.write_bytes(index.read_bytes()[:-1])
    assert _simulate(made) == 0
    assert _lines(made) == _lines(folder)


def _felt(out: Path, *more: str) -> int:
    return run(["simulate", "shakes", "--out", str(out), *SMALL, "--sensor", "accelerometer", *more])


@pytest.fixture(scope="module")
def felt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("felt") / "made"
    assert _felt(out) == 0
    return out


@pytest.mark.parametrize(
    ("more", "key"),
    [
        (("--seed", "9"), "beads"),
        (("--counts", "7-9"), "beads"),
        (("--takes", "2"), "taken"),
        (("--gesture", "swirl"), "gesture"),
        (("--players", "5"), "player"),
        (("--sensor", "microphone", "--counts", "2,3", "--seed", "3"), "beads"),
        (("--sensor", "microphone", "--seconds", "0.5"), "strength_g"),
        (("--sensor", "microphone", "--wide"), "strength_g"),
    ],
)
def test_a_folder_of_another_plan_is_refused_before_anything_is_written(
    more: tuple[str, ...], key: str, felt: Path, capsys: pytest.CaptureFixture[str]
):
    """Files and pairs of two plans have the same names."""
    before = {path: path.read_bytes() for path in felt.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert _felt(felt, *more) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"polartable: PT-101: {felt} holds shakes of another plan: D01/s1/0000")
    assert f'as "{key}", and this one would make' in said
    assert said.count("\n") == 1
    assert {path: path.read_bytes() for path in felt.rglob("*") if path.is_file()} == before


def test_a_sensor_is_added_to_the_same_shakes(folder: Path, felt: Path, tmp_path: Path):
    out = shutil.copytree(felt, tmp_path / "made")
    assert _simulate(out) == 0
    assert sorted(_lines(out), key=lambda line: line["file"]) == sorted(
        _lines(folder), key=lambda line: line["file"]
    )


def test_what_the_plan_does_not_make_is_said_and_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "made"
    assert _felt(out, "--devices", "2", "--anchors", "") == 0
    before = _lines(out)
    capsys.readouterr()
    assert _felt(out, "--anchors", "") == 0
    assert capsys.readouterr().err == (
        f"0 shakes simulated in {out}, which also holds 6 recordings that this plan does not make\n"
    )
    assert _lines(out) == before


def test_a_folder_that_cannot_be_written_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("")
    assert _simulate(tmp_path / "file" / "below") == 2
    said = capsys.readouterr().err
    assert "cannot be written" in said
    assert said.count("\n") == 1


def test_faulty_takes_say_what_is_wrong_with_them(tmp_path: Path):
    assert _simulate(tmp_path / "f", "--faulty", "1") == 0
    lines = _lines(tmp_path / "f")
    assert {line["fault"] for line in lines} <= set(FAULTS)
    assert len({line["fault"] for line in lines}) > 2
    assert all((tmp_path / "f" / line["file"]).is_file() for line in lines)


def test_a_fault_is_of_one_sensor_and_not_of_the_take(tmp_path: Path, folder: Path):
    assert _simulate(tmp_path / "f", "--faulty", "0.5", "--fault", "dead", "--fault", "cut-short") == 0
    lines = _lines(tmp_path / "f")
    wrong: dict[str, list[str | None]] = {}
    for line in lines:
        wrong.setdefault(line["pair"], []).append(line.get("fault"))
        whole = (folder / line["file"]).read_bytes()
        assert (whole == (tmp_path / "f" / line["file"]).read_bytes()) == ("fault" not in line)
    assert {None, "dead", "cut-short"} == {fault for pair in wrong.values() for fault in pair}
    assert any((a is None) != (b is None) for a, b in wrong.values())  # one sick beside a sound one
    # whichever other sensors there are, and with --fault alone all of them
    both, one = (
        list(jobs(Plan(1, devices=2, sensors=s, faulty=0.5))) for s in (("near", "contact"), ("contact",))
    )
    assert [job.fault_of("contact") for job in both] == [job.fault_of("contact") for job in one]
    assert 10 < sum(job.fault_of("near") is not None for job in both) < 38  # of 48
    assert _simulate(tmp_path / "all", "--fault", "dead", "--counts", "2") == 0
    assert {line["fault"] for line in _lines(tmp_path / "all")} == {"dead"}


def test_json_prints_a_line_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["simulate", "shakes", "--out", str(tmp_path / "j"), "--devices", "1", "--sessions", "1"]
    assert run([*arguments, "--counts", "3", "--seconds", "0.3", "--sensor", "contact", "--json"]) == 0
    (line,) = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert (line["sensor"], line["place"], line["beads"]) == ("microphone", "shell", 3)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (("--sensor", "ear"), "no sensor is called 'ear'"),
        (("--gesture", "throw"), "no gesture is called 'throw'"),
        (("--counts", "2-"), "is no list of counts"),
        (("--counts", "0-3"), "counts that no igloo holds"),
        (("--seconds", "long"), "is no length"),
        (("--seconds", "3-1"), "is no length of a shake"),
        (("--counts", ""), "no counts"),
    ],
)
def test_bad_wishes_get_one_sentence(
    wish: tuple[str, str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["simulate", "shakes", "--out", str(tmp_path), *wish]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert said.count("\n") == 1


def test_accelerometers_may_all_be_given_one_rate(tmp_path: Path, folder: Path):
    assert _simulate(tmp_path / "fine", "--rate", "3200") == 0
    felt = [line for line in _lines(tmp_path / "fine") if line["sensor"] == "accelerometer"]
    assert {sf.info(tmp_path / "fine" / line["file"]).samplerate for line in felt} == {3200}
    assert all(abs(line["true_rate_hz"] / 3200 - 1) <= 0.02 for line in felt)
    # who shakes how is not another thing for it
    before = [line["hits"] for line in _lines(folder)]
    assert [line["hits"] for line in _lines(tmp_path / "fine")] == before
    assert _simulate(tmp_path / "never", "--rate", "100") == 2


def test_wide_sets_and_people_differ_more_and_can_still_be_shaken(tmp_path: Path):
    assert _simulate(tmp_path / "wide", "--wide") == 0
    lines = _lines(tmp_path / "wide")
    assert len(lines) == 2 * (2 * 3 + 1)
    assert all(sum(line["hits"]) > 0 for line in lines)
    usual = [device_of(3, i) for i in range(40)]
    wide = [device_of(3, i, wide=True) for i in range(40)]
    for of in (
        lambda d: d.plastic.restitution,
        lambda d: d.outer_diameter,
        lambda d: np.log(d.mount.quality),
    ):
        assert np.std([of(d) for d in wide]) > 1.3 * np.std([of(d) for d in usual])
    for device in wide:
        Igloo.of(device, 13)
    strengths = [[np.log(player_of(3, i, w).strength_g) for i in range(40)] for w in (False, True)]
    assert np.std(strengths[1]) > 1.1 * np.std(strengths[0])
