"""Folders that other people wrote: what is mixed in them, what is left out and what cannot be written is told."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.profiles.profile import load
from table.cli import run
from tests.calibration.folders import Capture, evaluate, rewritten
from tests.rattle import RATE, rattle, write_sweeps


def test_a_set_is_of_one_occasion_and_of_one_place(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    named = rewritten(
        two_to_five, tmp_path / "named", lambda i, line: line | {"set": "1", "igloo": f"{line['beads']}"}
    )
    apart = rewritten(two_to_five, tmp_path / "apart", lambda i, line: line | {"igloo": f"{line['beads']}"})
    options = ("--profile", "microphone")
    joined = [[line["in_set"] for line in evaluate(f, capsys, *options)[0][:-1]] for f in (named, apart)]
    assert joined[0] == joined[1]
    assert None not in joined[0]
    twice = tmp_path / "twice"
    shutil.copytree(apart, twice)
    list_ = twice / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    for line in lines:
        shutil.copy(twice / line["file"], twice / f"near-{line['file']}")
    near = [line | {"file": f"near-{line['file']}", "place": "near"} for line in lines]
    list_.write_text("".join(json.dumps(line) + "\n" for line in [*lines, *near]))
    told = [line["in_set"] for line in evaluate(twice, capsys, *options)[0][:-1]]
    assert told == joined[1] * 2  # what two microphones heard of one set is two sets, not two rounds


def test_igloos_beyond_the_counts_do_not_cost_the_others_their_set(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    options = ("--leave-out", "session", "--counts", "2-4")
    lines, _ = evaluate(two_to_five, capsys, *options)
    assert {(line["true_beads"] > 4, line["in_set"] is None) for line in lines[:-1]} == {
        (False, False),
        (True, True),
    }


def test_microphones_on_the_shell_and_elsewhere_are_not_one_lot(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    mixed = rewritten(
        two_to_five, tmp_path / "mixed", lambda i, line: line | {"place": ("shell", "table")[i % 2]}
    )
    _, said = evaluate(mixed, capsys, "--profile", "microphone")
    assert "6 recordings of a microphone on the shell and 6 of one elsewhere are mixed" in said
    _, said = evaluate(mixed, capsys, "--profile", "microphone", "--only", "place=table")
    assert "place" not in said
    _, said = evaluate(mixed, capsys, "--profile", "microphone", "--only", "place=shell")
    assert "take one of its kind (--profile contact)" in said


def test_microphones_on_the_shell_and_nobody_knows_where_are_not_one_lot(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    mixed = rewritten(
        two_to_five, tmp_path / "mixed", lambda i, line: line | ({"place": "shell"} if i else {"place": None})
    )
    _, said = evaluate(mixed, capsys, "--leave-out", "session")
    assert '11 recordings of a microphone on the shell and 1 that names no "place" are mixed' in said
    assert "--only place=shell" in said
    _, said = evaluate(mixed, capsys, "--leave-out", "session", "--only", "place=shell")
    assert "are mixed" not in said


def test_listen_takes_the_profile_of_the_place(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    mixed = rewritten(
        two_to_five, tmp_path / "mixed", lambda i, line: line | {"place": ("shell", "table")[i % 2]}
    )
    run(["listen", str(mixed), "--json"])
    profiles = [json.loads(line)["profile"] for line in capsys.readouterr().out.splitlines()]
    assert len(set(profiles)) == 2
    assert profiles[::2] != profiles[1::2]


def test_what_comes_after_a_minute_is_not_heard_and_that_is_told(tmp_path: Path, capsys: Capture) -> None:
    sound = np.concatenate([rattle(5, 1), np.zeros(61 * RATE, np.float32)])
    soundfile.write(tmp_path / "long.wav", sound, RATE)
    line = {"file": "long.wav", "sensor": "microphone", "beads": 5}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    _, said = evaluate(tmp_path, capsys, "--profile", "microphone")
    assert "of long.wav only the first 60 s were heard" in said


@pytest.mark.parametrize("rate", [4000, 8000, 11025])
def test_a_microphone_that_no_profile_hears_is_told_one_mend(
    tmp_path: Path, capsys: Capture, rate: int
) -> None:
    """One that sound cards can be set to: none records 15500 Hz."""
    soundfile.write(tmp_path / "slow.wav", rattle(5, 1)[:: RATE // rate], rate)
    assert run(["listen", str(tmp_path / "slow.wav"), "--json"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said
    assert all("record at 44.1 or 48 kHz" in sentence for sentence in said)
    assert "needs at least" in said[-1]


def test_a_microphone_that_is_too_slow_for_the_highest_bands_is_told(tmp_path: Path, capsys: Capture) -> None:
    soundfile.write(tmp_path / "slow.wav", rattle(5, 1)[::2], 16000)
    line = {"file": "slow.wav", "sensor": "microphone", "beads": 5}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    _, said = evaluate(tmp_path, capsys, "--profile", "microphone")
    assert "this recording has only 16000 Hz" in said
    assert "record at 44.1 or 48 kHz" in said
    assert run(["listen", str(tmp_path / "slow.wav")]) == 0
    assert "this recording has only 16000 Hz" in capsys.readouterr().err


def test_an_accelerometers_rate_is_no_slow_microphones(tmp_path: Path, capsys: Capture) -> None:
    felt = np.random.default_rng(1).normal((0, 0, 1), 0.3, (4000, 3)).astype(np.float32)
    soundfile.write(tmp_path / "felt.wav", felt, 1660, "FLOAT")
    assert run(["listen", str(tmp_path / "felt.wav"), "--profile", "microphone"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "is of an accelerometer" in said


def test_takes_that_are_overdriven_are_told_beside_the_figures(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Nothing is ever sure of those: the report told it, and figures alone did not. A profile of nothing else hears no
    shake once the gain is right, and is none."""
    folder, out = rewritten(two_to_five, tmp_path / "loud", lambda i, line: line), tmp_path / "loud.profile"
    for file in sorted(folder.glob("*.wav")):
        sound, rate = soundfile.read(file, dtype="float32")
        soundfile.write(file, np.clip(30 * sound, -1, 1), rate)
    for options in (("--profile", "microphone"), ("--leave-out", "session")):
        _, said = evaluate(folder, capsys, *options)
        assert "12 takes are overdriven: turn the gain down or move the microphone away" in said
    fit = ["calibrate", "igloos", "fit", str(folder), "--out", str(out)]
    assert run(fit) == 2
    assert "all 12 takes are overdriven: " in (said := capsys.readouterr().err)
    assert (
        "turn the gain down, move the microphone away or shake more gently, and record the sweeps anew"
        in said
    )
    assert not out.exists()
    for file in two_to_five.glob("s2-*.wav"):
        shutil.copy(file, folder)
    assert run(fit) == 0
    assert "8 takes are overdriven: turn the gain down" in capsys.readouterr().err


def test_a_profile_answers_the_counts_that_were_recorded_and_says_what_it_never_says(
    tmp_path: Path, capsys: Capture
) -> None:
    folder, out = tmp_path / "gaps", tmp_path / "gaps.profile"
    write_sweeps(folder, counts=(2, 3, 7, 9), place="table")
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    assert load(out).counts == (2, 3, 7, 9)
    said = capsys.readouterr()
    assert "counts 2, 3, 7 or 9" in said.out
    assert "no take holds 4–6 or 8 beads, so they will never be said" in said.err


@pytest.mark.parametrize("taken", ["recordings.jsonl", "letter.txt", "own.wav"])
def test_nothing_else_is_written_over(two_to_five: Path, tmp_path: Path, capsys: Capture, taken: str) -> None:
    folder = rewritten(two_to_five, tmp_path / "own", lambda i, line: line)
    there = folder / taken
    there.exists() or there.write_text("Dear Ann")
    before = there.read_bytes()
    for words in (["fit", str(folder)], ["report", str(folder), "--profile", "microphone"]):
        assert run(["calibrate", "igloos", *words, "--out", str(there)]) == 2
        assert "something else, and would be lost" in capsys.readouterr().err
    assert there.read_bytes() == before


def test_counts_without_end_are_refused_before_the_work(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = [
        "calibrate",
        "igloos",
        "fit",
        str(two_to_five),
        "--out",
        str(tmp_path / "x"),
        "--counts",
        "2-1000",
    ]
    assert run(words) == 2
    assert "999 counts, too many" in capsys.readouterr().err


def test_two_counts_that_are_asked_for_become_no_twelve(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ["calibrate", "igloos", "fit", str(two_to_five), "--out", str(tmp_path / "x"), "--counts", "2-3"]
    assert run(words) == 2
    assert "2 counts to be told apart are too few to fit on" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_one_count_that_is_asked_for_is_told_how_many_a_fit_takes(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    """As many as the next sentence asks for: a mend that mends."""
    words = ["calibrate", "igloos", "fit", str(two_to_five), "--out", str(tmp_path / "x"), "--counts"]
    assert run([*words, "3"]) == 2
    assert "'3' leaves nothing to tell apart – give at least 3 counts" in capsys.readouterr().err
    assert run([*words, "2-4"]) == 0


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ("2-3", "2 counts to be told apart are too few to fit on"),
        ("14-20", "14–20 beads are asked for, and no take holds so many"),
    ],
)
@pytest.mark.parametrize("test", [False, True])
def test_counts_that_the_list_alone_forbids_are_told_before_anything_is_heard(
    two_to_five: Path, tmp_path: Path, capsys: Capture, counts: str, why: str, test: bool
) -> None:
    unheard = rewritten(two_to_five, tmp_path / "unheard", lambda i, line: line)
    for sound in unheard.glob("*.wav"):
        sound.write_bytes(b"")
    options = ["evaluate", "--leave-out", "session"] if test else ["fit", "--out", str(tmp_path / "x")]
    assert run(["calibrate", "igloos", *options, str(unheard), "--counts", counts]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert why in said


def test_a_fit_that_fails_says_what_is_missing(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "two"
    write_sweeps(folder, sessions=6, counts=(3, 9))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "x")]) == 2
    assert "12 takes of 2 counts are too few to fit on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("counts", "few"), [((14, 16), "12 takes of 2 counts are"), ((20,), "6 takes of 1 count are")]
)
def test_a_fit_on_too_few_counts_beyond_the_game_s_says_how_many_there_are(
    tmp_path: Path, capsys: Capture, counts: tuple[int, ...], few: str
) -> None:
    """A shipped profile that it starts from tells 2–13 apart, and nobody asked for those."""
    folder = tmp_path / "beyond"
    write_sweeps(folder, sessions=6, counts=counts)
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "x")]) == 2
    assert f"{few} too few to fit on – record a sweep" in capsys.readouterr().err


def test_what_does_not_count_is_named_where_takes_are_too_few(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "few"
    write_sweeps(folder, sessions=2, counts=(1, 2, 4), place="table")
    mended = rewritten(folder, tmp_path / "mended", lambda i, line: line | {"beads": (0, 1, 2)[i % 3]})
    assert run(["calibrate", "igloos", "fit", str(mended), "--out", str(tmp_path / "x")]) == 2
    empty, few = capsys.readouterr().err.splitlines()
    assert "2 recordings of 0 beads are neither learned from nor tested" in empty
    assert "2 takes of 1 count are too few to fit on; others hold 1 bead, and are not asked about" in few


def test_a_pipe_is_not_replaced_by_a_profile(two_to_five: Path, capsys: Capture, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(["calibrate", "igloos", "fit", str(two_to_five), "--out", str(pipe)]) == 2
    assert "it is a device or a pipe" in capsys.readouterr().err
    assert pipe.is_fifo()


def test_every_fold_s_profile_has_a_hash(two_to_five: Path, capsys: Capture) -> None:
    lines, _ = evaluate(two_to_five, capsys, "--leave-out", "session")
    hashes = {line["profile"] for line in lines[:-1]}
    assert len(hashes) == 3
    assert all(len(name) == len("sha256:") + 64 for name in hashes)


def test_a_page_on_takes_without_counts_asks_for_them(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = rewritten(two_to_five, tmp_path / "unknown", lambda i, line: line | {"beads": None})
    page = tmp_path / "unknown.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    text = page.read_text()
    assert "Write how many beads each igloo holds" in text
    assert "Let a second person" not in text
    assert "Nobody knows: none could be tested" in text
    beyond = rewritten(two_to_five, tmp_path / "beyond", lambda i, line: line | {"beads": line["beads"] + 12})
    words = ["calibrate", "igloos", "report", str(beyond), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    assert "these igloos hold 14–17 beads, and the profile tells 2–13 apart" in page.read_text()


def test_counts_that_nobody_asked_about_are_named_where_a_fit_wants_more(
    tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "few"
    write_sweeps(folder, sessions=3, counts=(1, 2, 3), place="table")
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "x")]) == 2
    said = capsys.readouterr().err
    assert "6 takes of 2 counts are too few to fit on" in said
    assert "others hold 1 bead: ask for them with --counts 1-3" in said
    assert (
        run(["calibrate", "igloos", "fit", str(folder), "--counts", "1-3", "--out", str(tmp_path / "x")]) == 0
    )
