"""An accelerometer and a microphone on one igloo: told by both together, from files and over a folder of pairs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.testing.evaluate import Tested as Answer
from calibration.testing.pairs import join_pairs
from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.lost_sound import PACKETS_LOST
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.ear.verdicts.pair import believable, groups_of, of_all
from sensors.ear.verdicts.reasons import STRANGE_LATELY, TOO_GENTLE
from sensors.evidence import Heard
from table.cli import run
from table.listening.pair import one_line
from tests.narrow import through
from tests.rattle import RATE, rattle, shaken_sensor
from tests.sensors.ear.verdicts.two_sensors import SLOW, heads_of


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


def test_only_different_sensors_of_one_occasion_make_a_pair() -> None:
    def told(sensor: str, best: int, sure: float = 0.9, **more: object) -> Answer:
        recording = Recording(Path(), f"{sensor}-{best}", sensor, 5, pair="p", **more)  # type: ignore[arg-type]
        p = {n: sure if n == best else (1 - sure) / 2 for n in (4, 5, 6)}
        heard = said(0.0, 2.0, p)
        return Answer(Row(recording, 1600.0, None, 30.0, False, -80.0), (4, 5, 6), p, heard)  # type: ignore[arg-type]

    felt, heard = told("accelerometer", 5, session="a"), told("microphone", 5, session="a")
    assert [t.in_pair for t in join_pairs([felt, heard])] == [5, 5]
    assert [t.in_pair for t in join_pairs([felt, told("microphone", 5, session="b")])] == [None, None]
    assert [t.in_pair for t in join_pairs([felt, told("accelerometer", 4, session="a")])] == [None, None]
    assert [t.in_pair for t in join_pairs([felt, told("microphone", 4, session="a", sure=0.99)])] == [4, 4]
    drowned = told("microphone", 4, session="a", sure=0.99)
    drowned = replace(drowned, heard=replace(drowned.heard, snr_db=1.0))
    assert [t.in_pair for t in join_pairs([felt, drowned])] == [5, 5]


def said(start: float, end: float, odds: dict[int, float], **more: object) -> Heard:
    verdict = "unsure" if odds else "not-a-shake"
    doubt = "odds" if odds else ""
    return replace(Heard("x", start, end, verdict, odds, 30.0, False, "", doubt=doubt), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("turned", [False, True])
def test_one_shake_is_one_line_however_the_sensors_cut_it(turned: bool) -> None:
    knock, shake = said(0.1, 0.25, {}), said(0.8, 3.0, {5: 0.9, 6: 0.1})
    whole = said(0.1, 3.0, {5: 0.5, 6: 0.5})
    later = said(5.0, 7.0, {6: 0.9, 5: 0.1})
    first, second = [knock, shake], [whole, later]
    groups = groups_of(second, first) if turned else groups_of(first, second)
    lines = [one_line(group, "both", "sha256:first", heads_of()) for group in groups]
    assert [(line.start_s, line.end_s) for line in lines] == [(0.1, 3.0), (5.0, 7.0)]
    assert lines[0].probabilities == pytest.approx(add_up([shake.probabilities, whole.probabilities]))
    halves = [said(0.0, 1.8, {5: 1.0}), said(2.4, 4.0, {5: 1.0})]
    long = [said(0.0, 4.0, {5: 1.0})]
    assert len(groups_of(halves, long)) == len(groups_of(long, halves)) == 1


def test_a_pair_is_sure_only_of_what_neither_finds_strange() -> None:
    one, other = said(0, 2, {5: 0.95, 6: 0.05}), said(0, 2, {5: 0.9, 6: 0.1})
    assert one_line([[one], [other]], "both", "", heads_of()).verdict == "sure"
    assert one_line([[one], [other]], "both", "", heads_of(sure_from=0.99)).verdict == "unsure"
    strange = one_line([[replace(one, doubt="strange")], [other]], "both", "", heads_of())
    assert (strange.verdict, strange.best) == ("unsure", 5)
    assert strange.reason is not None
    assert strange.reason.startswith("it could be 5")
    loose = replace(one, doubt="strange", reason=STRANGE_LATELY)
    assert one_line([[loose], [other]], "both", "", heads_of()).reason == STRANGE_LATELY
    gentle = replace(other, doubt="sensor", reason=TOO_GENTLE)
    assert one_line([[one], [gentle]], "both", "", heads_of()).reason == gentle.reason


def test_of_two_sensors_that_agree_a_pair_is_sure_as_if_they_erred_alike() -> None:
    """A gentle hand's few beads are two to both: what agrees says less than its odds, which stay as they are."""
    felt, heard = said(0, 2, {2: 0.88, 3: 0.12}), said(0, 2, {2: 0.985, 3: 0.015})
    line = one_line([[felt], [heard]], "both", "", heads_of("contact", 0.96))
    assert line.probabilities[2] > 0.98
    assert (line.verdict, line.reason) == ("unsure", "it could be 2 or 3: shake the same igloo again")
    clear = replace(felt, probabilities={2: 0.98, 3: 0.02})
    assert one_line([[clear], [heard]], "both", "", heads_of("contact", 0.96)).verdict == "sure"


@pytest.mark.parametrize("turned", [False, True])
def test_where_neither_heard_it_well_what_there_is_is_told(turned: bool) -> None:
    refused, clipped = (
        said(0, 2, {}),
        said(0, 2, {5: 0.9, 6: 0.1}, clipped=True, doubt="sensor", reason=IN_ROOM.overdriven),
    )
    group = [[clipped], [refused]] if turned else [[refused], [clipped]]
    line = one_line(group, "both", "sha256:first", heads_of(sure_from=0.5))
    assert (line.verdict, line.best, line.profile) == ("unsure", 5, "sha256:first")


def test_a_shake_that_lost_much_counts_for_nothing_beside_one_that_came_whole() -> None:
    whole, holes = said(0, 2, {5: 0.6, 6: 0.4}), said(0, 2, {2: 0.9, 5: 0.05, 6: 0.05})
    much, little = (replace(holes, reason=PACKETS_LOST, doubt=doubt) for doubt in ("sensor", "odds"))
    assert of_all([(one, one.probabilities) for one in (whole, much)]) == pytest.approx({5: 0.6, 6: 0.4})
    assert believable(little)


def test_a_profile_that_does_not_know_the_likeliest_count_has_no_say() -> None:
    narrow, wide = said(0, 2, {4: 0.6, 5: 0.4}), said(0, 2, {4: 0.1, 5: 0.1, 10: 0.8})
    assert of_all([(narrow, narrow.probabilities), (wide, wide.probabilities)]) == pytest.approx(
        add_up([wide.probabilities])
    )
    known = said(0, 2, {4: 0.1, 5: 0.8, 10: 0.1})
    both = of_all([(narrow, narrow.probabilities), (known, known.probabilities)])
    assert both == pytest.approx(add_up([{4: 0.6, 5: 0.4}, {4: 0.1, 5: 0.8}]))
