"""`polartable simulate` with numbers and folders that cannot be meant, and broken off: one clear sentence each."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hw_mock.igloo import recordings
from table.cli import run
from tests.table.commands.running import start

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *words: str) -> str:
    assert run(["simulate", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("polartable: PT-101: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("polartable: PT-101: ").rstrip()


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reader_that_leaves_ends_the_cubes(more: tuple[str, ...]) -> None:
    """`polartable simulate cubes | head -1`: nobody hears the truth any more."""
    words = [sys.executable, "-m", "table", "simulate", "cubes", "--lead", "0", *more]
    said = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert said.stdout is not None
    assert said.stderr is not None
    assert said.stdout.readline()
    said.stdout.close()
    try:
        assert (said.wait(timeout=60), said.stderr.read()) == (0, "")
    finally:
        said.kill()
        said.stderr.close()


def test_moves_that_cannot_be_told_any_more_end_the_cubes() -> None:
    """The ports went out to a terminal, say, and then the disk was full: here it takes one line."""
    code = (
        "import sys\n"
        "from table.cli import run\n"
        "plain, lines = sys.stdout.write, []\n"
        "def write(text):\n"
        "    lines.append(text)\n"
        "    if len(lines) > 2: raise OSError(28, 'No space left on device')\n"
        "    return plain(text)\n"
        "sys.stdout.write = write\n"
        "sys.exit(run(['simulate', 'cubes', '--lead', '0']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("polartable: PT-601: there is no room to write what is said")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("shakes", "--counts", "\u00b2"), "'\u00b2' is no list of counts – write it like 2-13 or 2,5,9"),
        (("shakes", "--counts", "3-2"), "'3-2' is no list of counts – write the smaller first: 2-3"),
        (("shakes", "--anchors", "3-2"), "'3-2' is no list of counts – write the smaller first: 2-3"),
        (
            ("shakes", "--counts", "1-999999999999"),
            "'1-999999999999' has counts that no igloo holds – counts go from 1 to 20",
        ),
        (
            ("shakes", "--sessions", "99999999999"),
            "these would be 35999999999640 shakes, and a folder is meant for 100000 – ask for less with --devices, "
            "--sessions and --takes",
        ),
        (
            ("shakes", "--players", "99999999999"),
            "Invalid value for '--players': Input should be less than or equal to 10000 – see: polartable simulate "
            "shakes --help",
        ),
        (
            ("taps", "--devices", "99999999999"),
            "these would be 2399999999976 gestures, and a folder is meant for 100000 – ask for less with --devices and "
            "--sessions",
        ),
        (
            ("together", "--tables", "99999999999"),
            "these would be 299999999997 rounds, and a folder is meant for 100000 – ask for less with --tables, "
            "--rounds and --people",
        ),
        (
            ("together", "--people", "2,7"),
            "7 people are more than sit at a table – ask for 6 at most",
        ),
        (
            ("shakes", "--faulty", "nan"),
            "Invalid value for '--faulty': 'nan' is no number; give one from 0 to 1 – see: polartable simulate shakes "
            "--help",
        ),
        (
            ("shakes", "--faulty", "1.5"),
            "Invalid value for '--faulty': 1.5 is out of its range; give a number from 0 to 1 – see: polartable "
            "simulate shakes --help",
        ),
        (
            ("shakes", "--rate", "1000"),
            "--rate is of accelerometers, and none is asked for – add --sensor accelerometer",
        ),
        (
            ("shakes", "--fault", "fire"),
            "no fault is called 'fire' – choose among clipped, gaps, crackling, drowned, cut-short, dead",
        ),
        (
            ("shakes", "--fault", "gaps", "--faulty", "0"),
            "--fault says which fault, and --faulty 0 that there is none – leave --faulty out",
        ),
        (
            ("taps", "--mistake", "soft", "--mistake", "late"),
            "no mistake is called 'late' – choose among holding, crooked, soft, hard, no-empty, nothing, hasty, "
            "resting",
        ),
        (
            ("together", "--cardioid"),
            "--cardioid is of the seats' microphones, and none is asked for – add --sensor seat",
        ),
        (
            ("cubes", "--protocol", "bno08x-rvc", "--rate", "200"),
            "a BNO08x in RVC mode speaks 100 times a second, and at no other rate – leave --rate out, or say --rate "
            "100",
        ),
        (
            ("cubes", "--protocol", "witmotion-ble", "--rate", "400"),
            "WitMotion's sensors speak at most 200 times a second – leave --rate out, or say --rate 200",
        ),
        (
            ("cubes", "--protocol", "witmotion", "--fault", "wrong_node=0.1"),
            "witmotion carries neither node number nor clock – leave wrong_node out with it",
        ),
        (
            ("cubes", "--seconds", "nan"),
            "Invalid value for '--seconds': 'nan' is no number; give one from 0 on – see: polartable simulate cubes "
            "--help",
        ),
        (
            ("together", "--sensor", "ear"),
            "no sensor is called 'ear' – choose among accelerometer, contact, seat, microphone",
        ),
    ],
)
def test_numbers_that_cannot_be_meant(
    words: tuple[str, ...], sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    assert told(capsys, *words, "--out", str(tmp_path / "made")) == sentence
    assert not (tmp_path / "made").exists()


def test_so_many_at_once_is_one_number(tmp_path: Path, capsys: Capture) -> None:
    words = ["together", "--out", str(tmp_path), "--tables", "1", "--rounds", "1", "--people", "1,1"]
    assert run(["simulate", *words]) == 0
    files = [json.loads(line)["file"] for line in (tmp_path / "recordings.jsonl").read_text().splitlines()]
    assert len(files) == 1
    assert capsys.readouterr().err.splitlines()[0] == (
        "polartable: --people names 1 twice, which counts once – --rounds makes more"
    )
    words = [
        "shakes",
        "--out",
        str(tmp_path / "shakes"),
        "--devices",
        "1",
        "--sessions",
        "1",
        "--seconds",
        "0.3",
    ]
    assert run(["simulate", *words, "--counts", "3,2-3"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "polartable: --counts names 3 twice, which counts once – --takes makes more"
    assert said[1].startswith("2 shakes simulated")


@pytest.mark.parametrize("command", ["shakes", "taps", "together", "cubes"])
@pytest.mark.parametrize(
    ("below", "words"),
    [
        ("", "{} is a file – give a folder"),
        ("x", "{} cannot be written (Not a directory) – choose a folder of your own"),
    ],
)
def test_a_file_is_no_folder(command: str, below: str, words: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("mine")
    out = tmp_path / "file" / below
    assert told(capsys, command, "--out", str(out)) == words.format(out)
    assert (tmp_path / "file").read_text() == "mine"


def test_cubes_need_a_seed_and_folders_of_ours(tmp_path: Path, capsys: Capture) -> None:
    assert told(capsys, "cubes", "--seed", "-1").startswith("Invalid value for '--seed': ")
    copies = tmp_path / "copies"
    (copies / "cube-2.bin").mkdir(parents=True)
    assert told(capsys, "cubes", "--out", str(copies), "--seconds", "0").startswith(
        f"{copies / 'cube-2.bin'} cannot be written (Is a directory) – "
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here to stand for a full disk")
@pytest.mark.timeout(60)
def test_cubes_whose_copies_fill_the_disk_say_so_at_once(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "cube-2.bin").symlink_to("/dev/full")
    assert run(["simulate", "cubes", "--out", str(tmp_path), "--rate", "1000"]) == 2  # without --seconds
    assert capsys.readouterr().err == (
        f"polartable: PT-101: {tmp_path} cannot be written (No space left on device) – "
        "choose a folder of your own, with room\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here to stand for a full disk")
@pytest.mark.parametrize(
    "words",
    [
        "shakes --devices 1 --sessions 1 --sensor accelerometer --counts 2-3",
        "taps --devices 1 --sessions 1 --placings 1 --sensor accelerometer",
        "cubes --seconds 0",
    ],
)
def test_a_full_disk_behind_standard_output_is_not_the_folders(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    command = ["simulate", *words.split(), "--out", str(tmp_path / "made"), "--json"]
    with Path("/dev/full").open("w") as full, monkeypatch.context() as patched:
        for name in ("stdout", "__stdout__"):
            patched.setattr(sys, name, full)
        code = run(command)
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == (2, 1), said
    assert "PT-601: there is no room to write" in said


def test_a_file_that_has_the_name_of_a_link_is_kept(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "cube-3").write_text("mine")
    assert told(capsys, "cubes", "--links", str(tmp_path), "--seconds", "0") == (
        f"{tmp_path / 'cube-3'} is there already – name a folder without it, or end the run that made it"
    )
    assert (tmp_path / "cube-3").read_text() == "mine"
    (tmp_path / "cube-3").unlink()
    (tmp_path / "cube-1").symlink_to(tmp_path / "nowhere")  # left behind
    assert run(["simulate", "cubes", "--links", str(tmp_path), "--seconds", "0"]) == 0


def test_what_an_earlier_run_sent_is_kept(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "cube-1.bin").write_bytes(b"of yesterday")
    assert told(capsys, "cubes", "--out", str(tmp_path), "--seconds", "0") == (
        f"{tmp_path / 'cube-1.bin'} is there already – name a folder without it, or move it away"
    )
    assert (tmp_path / "cube-1.bin").read_bytes() == b"of yesterday"


def test_what_ctrl_c_broke_off_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    words = ["simulate", "shakes", "--out", str(tmp_path / "broken"), "--devices", "1", "--sessions", "1"]
    words += ["--counts", "2-4", "--seconds", "0.3", "--sensor", "accelerometer"]
    write, made = recordings.write, list[object]()

    def broken(*what: Any) -> Any:
        if made:
            raise KeyboardInterrupt
        made.append(what)
        return write(*what)

    with monkeypatch.context() as patched:
        patched.setattr(recordings, "write", broken)
        assert run(words) == 130
    assert capsys.readouterr().err == (
        "polartable: broken off by Ctrl-C; the same command goes on where it stopped\n"
    )
    assert run(words) == 0
    assert capsys.readouterr().err == f"2 shakes simulated in {tmp_path / 'broken'}\n"
    words[3] = str(tmp_path / "whole")
    assert run(words) == 0
    assert (tmp_path / "broken" / "recordings.jsonl").read_text() == (
        tmp_path / "whole" / "recordings.jsonl"
    ).read_text()


def test_cubes_whose_terminal_is_closed_leave_no_names_behind(tmp_path: Path) -> None:
    """They led nowhere, and the next run refused the folder."""
    process = start("simulate", "cubes", "--links", str(tmp_path / "links"), "--json", "--seconds", "60")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["event"] == "ports"
    assert list((tmp_path / "links").iterdir())
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=20)
    assert (process.returncode, list((tmp_path / "links").iterdir())) == (0, [])


@pytest.mark.parametrize("words", [("igloos", "--counts", "3"), ("seat",)])
def test_a_port_whose_terminal_is_closed_leaves_no_name_behind(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """The system gives the port's number to the next terminal; the name led there, and the next run refused it."""
    link = tmp_path / "port"
    process = start("simulate", *words, "--link", str(link), "--json", "--seconds", "60")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())
    assert link.is_symlink()
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=20)
    assert (process.returncode, link.is_symlink()) == (0, False)
