"""What the report tells a maker to do next: by the kind of sensor, and where takes name no session or player."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from calibration.recordings.folder import Recording, read
from calibration.recordings.named import name_them, of_whom, unnamed
from calibration.report.igloos import advice, render
from calibration.takes.features import Row
from calibration.testing.curves import Point
from calibration.testing.evaluate import Tested as Answer
from calibration.traps.confounding import OneIgloo
from calibration.traps.dealt import Dealt
from calibration.traps.shaken_by import shaken_by
from calibration.traps.strange_sweep import UNNAMED, strange_sweep
from sensors.ear.profiles.profile import load, load_shipped
from sensors.ear.shakes.shake import Shake
from sensors.evidence import Heard
from table.cli import run
from tests.calibration.traps.strange_hands import put_down_to_the_hand
from tests.knowing import knowing


def takes(sensor: Any, clipped: bool, snr_db: float, **named: Any) -> list[Answer]:
    heard = Heard("x", 0.0, 2.0, "unsure", {5: 0.9, 6: 0.1}, snr_db, clipped, "")
    shake = cast(Shake, SimpleNamespace(seconds=2.0))
    return [
        Answer(
            Row(Recording(Path(), f"{n}.wav", sensor, 5, **named), 1600.0, shake, snr_db, clipped, -80.0),
            (5, 6),
            {5: 0.9, 6: 0.1},
            heard,
        )
        for n in range(12)
    ]


@pytest.mark.parametrize(
    ("kind", "loud", "soft"),
    [
        ("accelerometer", "set the accelerometer to a wider range (more ±g)", "stuck firmly to the shell"),
        ("contact", "turn the gain down, or shake more gently", "stuck firmly to the shell"),
        ("microphone", "move the microphone away", "bring the sensor nearer, best onto the shell"),
    ],
)
def test_each_sensor_is_mended_in_its_own_way(kind: str, loud: str, soft: str) -> None:
    profile = load_shipped(kind)
    said = " ".join(advice(takes(profile.sensor, True, 5.0, session="s"), profile, []))
    assert "12 takes are overdriven: " in said
    assert loud in said
    assert soft in said
    assert (" gain" in said, "nearer" in said) == (kind != "accelerometer", kind == "microphone")


def test_a_trap_that_refuses_no_figures_stands_beside_them() -> None:
    profile = load_shipped("contact")
    text = render(takes("microphone", False, 40.0, session="s"), profile, [Dealt(0.3, 96, 96)], [], {})
    assert "one sitting was dealt to several sessions" in text
    assert "Give one sitting one session" in text


def test_the_page_names_wrong_labels_and_where_they_are_before_what_is_too_loud() -> None:
    profile = load_shipped("contact")
    loud = takes("microphone", True, 40.0, session="s", player="anna", device="D", igloo="D-5")
    wrong = [
        replace(t, probabilities={5: 0.001, 6: 0.999}, row=replace(t.row, recording=of, clipped=False))
        for t in loud[:6]
        for of in [replace(t.row.recording, file=f"wrong/{t.row.recording.file}", igloo="D-6")]
    ]
    text = render([*loud, *wrong], profile, [], ["No figures."], {})
    table = text[text.index("Takes that look odd") :]
    (_, first, *others), rest = (
        table.partition("</table>")[0].split("<tr>")[1:],
        table.partition("</table>")[2],
    )
    assert first.startswith("<td>wrong/0.wav<br>wrong/1.wav<br>wrong/2.wav<br>wrong/3.wav<br>and 2 more<br>")
    assert (
        "igloo D-6, session s</small></td><td>6 of 6 takes of it sound like 6, said to hold 5</td>" in first
    )
    fits = [
        replace(t, probabilities={5: 0.9, 6: 0.1}, row=replace(t.row, recording=of))
        for t in wrong[:1]
        for of in [replace(t.row.recording, file="right.wav")]
    ]
    among = render(
        [*fits, *wrong], profile, [], ["No figures."], {}
    )  # which of them is what its maker has to know
    assert all(f"wrong/{i}.wav" in among for i in range(6))
    assert all("igloo D-5, session s</small></td><td>overdriven</td>" in line for line in others)
    assert f"And {12 - len(others)} more overdriven." in rest
    bare = [
        replace(t, row=replace(t.row, recording=Recording(Path(), "0.wav", "microphone", 5))) for t in loud
    ]
    text = render(bare, profile, [], ["No figures."], {})
    assert "<tr><td>0.wav</td><td>overdriven</td></tr>" in text


def test_takes_that_name_nobody_are_not_one_persons_only_sweep() -> None:
    profile = load_shipped("contact")
    bare = takes("microphone", False, 40.0)
    said = advice(bare, profile, [])
    assert said[0] == (
        'Say of which session and which player each take is: give "session" and "player" in recordings.jsonl.'
    )
    assert not any("another day" in one or "second person" in one for one in said)
    by_one = advice(takes("microphone", False, 40.0, session="s", player="anna"), profile, [])
    assert any("another day" in one for one in by_one)
    assert any("second person" in one for one in by_one)
    strange = put_down_to_the_hand(profile, len(profile.heads))
    strange = replace(strange, fitted_on=replace(strange.fitted_on, unnamed=("session", "player")))
    told = strange_sweep(strange)
    assert told == UNNAMED.format(name_them='give "session" and "player" in recordings.jsonl')
    assert "only sweep" not in told
    assert [one for one in advice(bare, strange, []) if "recordings.jsonl" in one] == [told]


SECOND = "Let a second person record a sweep: people differ more in how they shake than igloos do in sound."
IF_SAME = (
    "If the same person recorded what the profile was fitted on, let a second person record a sweep: people differ "
    "more in how they shake than igloos do in sound."
)


def asked_for_people(by: list[str | None] | None, *tested: str, devices: int = 1) -> list[str]:
    """What is said of people where a profile was fitted on takes of these (None: by an older version, on one person's,
    and it did not keep whose), and these are tested."""
    known = [Recording(Path(), "", "microphone", 5, player=name) for name in by or ["anna"]]
    on = knowing(
        players=len({r.player for r in known}),
        devices=devices,
        shaken_by=None if by is None else tuple(shaken_by(known)),
    )
    profile = replace(load_shipped("contact"), fitted_on=on)
    answers = [one for name in tested for one in takes("microphone", False, 40.0, session="s", player=name)]
    return [one for one in advice(answers, profile, []) if "second person" in one]


def test_no_second_person_is_asked_for_who_is_being_tested() -> None:
    assert asked_for_people(["anna"], "bela") == []
    assert asked_for_people(["anna"], "anna") == [SECOND]
    assert asked_for_people(["anna"], "anna", "bela") == []
    assert asked_for_people(["anna", "bela"], "anna") == []
    # of many igloos: whom it knows is no matter
    assert asked_for_people(["anna"], "bela", devices=12) == [SECOND]


def test_who_recorded_for_an_older_profile_or_one_that_names_nobody_is_not_guessed() -> None:
    for by in (None, [None]):
        assert asked_for_people(by, "bela") == [IF_SAME]
        assert asked_for_people(by, "anna", "bela") == []


def test_a_profile_keeps_who_shook_and_names_nobody(one_sitting: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(one_sitting[0]), "--out", str(out)]) == 0
    people = {r.player for r in read(one_sitting[0], print)}
    kept = load(out).fitted_on.shaken_by or ()
    assert list(kept) == shaken_by(read(one_sitting[0], print))
    assert len(kept) == len(people) > 0
    assert not any(f'"{name}"' in out.read_text() for name in people)


def test_what_is_said_of_whom_a_profile_is_of() -> None:
    on = knowing(sessions=3, players=2, devices=1)
    assert of_whom(on) == " of 3 sessions by 2 people"
    assert of_whom(on, devices=True) == " of 3 sessions, 1 device and 2 people"
    assert of_whom(replace(on, unnamed=("player",))) == " of 3 sessions, which name no player"
    nobody = replace(on, unnamed=("session", "player"))
    assert of_whom(nobody) == ", which name no session and no player"
    assert of_whom(nobody, devices=True) == " of 1 device, which name no session and no player"
    known = [
        Recording(Path(), "a.wav", "microphone", 5, session="s"),
        Recording(Path(), "b.wav", "microphone", 6),
    ]
    assert unnamed(known) == ["player"]
    assert name_them(["player"]) == 'give "player" in recordings.jsonl'


def test_the_page_of_takes_that_name_no_session_asks_for_their_names(
    one_sitting: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, page, profile = tmp_path / "bare", tmp_path / "page.html", tmp_path / "own.profile"
    folder.mkdir()
    lines = [json.loads(line) for line in (one_sitting[0] / "recordings.jsonl").read_text().splitlines()]
    for line in lines:
        (folder / line["file"]).symlink_to(one_sitting[0] / line["file"])
    bare = [{key: line[key] for key in ("file", "sensor", "beads")} for line in lines]
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in bare))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(profile)]) == 0
    assert "fitted on 12 takes, which name no session and no player, counts 2–13" in capsys.readouterr().out
    words = ["calibrate", "igloos", "report", str(folder), "--profile", str(profile), "--out", str(page)]
    assert run(words) == 0
    text = page.read_text().replace("&#34;", '"')
    assert "12 recordings, which name no session, sensor: microphone" in text
    assert 'To leave each session out, give "session" in recordings.jsonl.' in text
    assert "One more session is enough" not in text
    assert "fitted on 12 takes of 1 device, which name no session and no player." in text


def test_more_shakes_are_advised_only_where_they_told_more() -> None:
    def of_doubt(*shares: float) -> str:
        shakes = {n: Point(share, 12, None) for n, share in enumerate(shares, 1)}
        return advice(takes("microphone", False, 40.0), load_shipped("contact"), [], shakes)[-1]

    assert "evidence adds up" in of_doubt()
    assert "evidence adds up" in of_doubt(0.5, 0.5)
    falling = of_doubt(0.5, 0.6, 0.4)
    assert "evidence" not in falling
    assert "let somebody else shake" in falling


def of_counts(*counts: int, **more: Any) -> list[Answer]:
    """Takes of igloos with these counts, by one person in one session."""
    return [
        replace(t, row=replace(t.row, recording=replace(t.row.recording, beads=n)), counts=(2, 5, 9), **more)
        for n in counts
        for t in takes("microphone", False, 40.0, session="s", player="anna")[:1]
    ]


def test_who_tests_a_profile_for_anybody_s_igloos_is_told_to_fit_one_on_these() -> None:
    """Nothing helps more, and a page that said that 6 % were told exactly blamed the labels alone."""
    of_others = load_shipped("contact")
    of_these = replace(of_others, fitted_on=knowing(devices=3, for_others=False))

    def said(tested: list[Answer], profile: Any, traps: Any = ()) -> bool:
        return any("calibrate igloos fit" in one for one in advice(tested, profile, traps))

    assert said(of_counts(2, 5, 9, 9), of_others)
    assert advice(of_counts(2, 5, 9, 9), of_others, [])[0].startswith("Fit a profile on these recordings")
    assert not said(of_counts(2, 5, 9, 9), of_these)
    assert not said(of_counts(2, 5, 9, 9, left_out=("device", "D1")), of_others)  # it knows them already
    assert not said(of_counts(2, 5, 9), of_others)  # too few to fit on
    assert not said(of_counts(2, 5, 5, 2), of_others)
    assert not said(of_counts(2, 5, 9, 9), of_others, [OneIgloo("session", 4, 4)])  # a fit would learn that
