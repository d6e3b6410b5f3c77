"""What the recording wizard says is known in every language of its page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.occasion import Now
from calibration.recordings.recorder import TakeHeard
from calibration.recordings.room import RecordingsFull, check_room
from calibration.recordings.sweep import BESIDE, Sweep, advice, too_soon
from calibration.recordings.throw_out import THROWN_OUT, throw_out
from calibration.seat.recorder import DIFFER
from calibration.traps.along_counts import BACKGROUND, DURATION, FILE, PACE, STRENGTH, AlongCounts
from calibration.traps.confounding import OneIgloo
from calibration.traps.own_igloos import OwnIgloos
from calibration.words import CALLED
from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import CaptureLost
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.lost_sound import PACKETS_LOST, SOUND_LOST
from sensors.ear.verdicts.mends import ACCELEROMETER, CONTACT, IN_ROOM
from table.cli import run
from table.commands.calibrate_record import NOWHERE
from table.commands.igloo_oddities import counts_between, too_slow
from table.commands.record_begin import begin
from table.commands.record_list import Listed, check_still_ours
from table.commands.record_no_numbers import NoNumbers
from table.commands.record_nodes import another_igloo
from table.commands.record_page_again import at_the_page
from table.commands.record_takes import check_name, reject, write_sound
from table.commands.record_way import Shaken, Weighed
from table.commands.record_words import INTERRUPTED, MUTE, UNCONFIRMED, complete, stopped, way_on, what_next
from table.desk.said import spoken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES
from table.recording.desk import RecordingDesk
from tests.calibration.seat.weighed import write_gestures
from tests.parts import ROOT
from tests.rattle import write_sweeps

SHAKEN = Shaken(load_shipped("contact"), 2.5)
TAKE = Recording(
    Path(), "D/s/1-03.wav", "microphone", beads=3, device="D", player="anna", session="s", set="D/s/1",
    taken="2026-11-24T10:00:00Z",
    more={"node": 17, "place": "shell", "source": "/dev/ttyACM0", "boot": "b", "up": 10.0},
)  # fmt: skip
LATER = Now(1_795_514_500.0, "b", 60.0)


class Said(RecordingDesk):
    def __init__(self) -> None:
        super().__init__(lambda player, desk: None, VirtualClock())


def begun(*have: Recording, player: str = "anna") -> list[str]:
    screen = Said()
    begin(list(have), (2, 3, 4), "D", player, "s", SHAKEN, screen)
    return list(screen.said)


def without(first: int, end: int) -> str | None:
    lacks = NoNumbers(1000.0)
    samples = np.zeros(4000)
    samples[first:end] = np.nan
    lacks.push(samples)
    return lacks.told()


def thrown_out() -> list[str]:
    """What asks for the igloo again of a take that was thrown out at the page."""
    told = list[str]()
    for beads in (1, 3):
        counts = (beads, 6)
        take = replace(TAKE, beads=beads, more=TAKE.more | {"counts": [*counts]}, rejected=THROWN_OUT)
        later = replace(take, session="t", set="D/t/1", rejected=None)
        lists: list[tuple[str, list[Recording], str | None]] = [
            ("D", [take], None), ("D", [take], take.set), ("D", [take, later], None), ("E", [take], None),
            ("D", [take, replace(take, rejected=None), replace(take, beads=6, rejected=None)], None),
        ]  # fmt: skip
        told += [at_the_page(counts, device, None, SHAKEN)(take, have, at) for device, have, at in lists]
    assert len(set(told)) == len(told) - 1  # of no sweep that can go on: of any number of beads
    return [f"{TAKE.file}: thrown out; {one}." for one in told]


def all_of_it() -> list[str]:
    sweeps = [replace(TAKE, set=f"D/s/{k}", file=f"{k}.wav") for k in range(3)]
    counts = [replace(TAKE, beads=n) for n in (2, 3, 5, 6)]
    onward = way_on(1, 1, RecordingDesk.again)
    problems = [
        *(f"overdriven: {how} more gently, or {mends.quieter}"
          for how in ("shake", "go about it") for mends in (IN_ROOM, CONTACT, ACCELEROMETER)),
        *(str(mends.drowned) for mends in (IN_ROOM, CONTACT)),
        "nothing was made out", "that was no shake", "only 0.8 s: shake for 3 seconds",
        "too gentle: the beads hardly lift", "too slow: shake a little faster",
        "too hard: hits pile up and cannot be told apart", "too fast: shake a little more slowly",
        "only 2 of 3 settings down could be read: begin with the empty seat",
        DIFFER, INTERRUPTED, str(PACKETS_LOST), str(SOUND_LOST), str(without(1000, 1900)), str(without(1000, 1025)),
    ]  # fmt: skip
    said = [
        *(f"Not kept – {problem}. This igloo comes again." for problem in problems),
        *(
            f"{nothing} This igloo comes again."
            for nothing in (MUTE, SHAKEN.nothing, Weighed("microphone").nothing)
        ),
        f"{INTERRUPTED[0].upper()}{INTERRUPTED[1:]}. This igloo comes again.",
        f"Nothing was heard for a minute: {without(0, 4000)}.",
        complete(Sweep("D/s/1", (2, 3))),
        *(what_next(Path("mine"), counts[:n], None, RecordingDesk.fit) for n in (1, 2, 3, 4)),
        what_next(Path("mine"), [replace(one, more={"gesture": "knock"}) for one in counts * 3], "knock",
                  RecordingDesk.fit),
        f"Stopped; {onward}.", stopped(TAKE, onward), stopped(replace(TAKE, rejected="not confirmed"), onward),
        *(f"{why}: {takes} of this run kept in mine, the one under way is not; {onward}."
          for why in ("Stopped", "The sensor was lost") for takes in ("1 take", "3 takes")),
        another_igloo(17, 5, "D", "/dev/ttyACM0", [TAKE]), "Another run kept that igloo meanwhile.",
        NOWHERE, "The sound of this take is D/s/1-03.wav; no line names it.",
        f"D/s/1-03.wav: its sound is there, it does not count (rejected: {BESIDE}).",
        too_slow([16000.0]), advice(sweeps, "anna"), too_soon([TAKE], "D", "t", "anna", LATER),
        *begun(), *begun(TAKE), *begun(TAKE, replace(TAKE, beads=2)), *begun(TAKE, player="ben"),
        f"Moved for 0.7 s, which is no shake: {SHAKEN.asks()}.",
        *(way.asks() for way in (SHAKEN, replace(SHAKEN, gesture="knock"), Weighed("microphone"))),
        SHAKEN.heard(TakeHeard(np.zeros((1, 1), np.float32), None, None, 0)), "weighed",
        *thrown_out(), THROWN_OUT, "skipped", UNCONFIRMED, BESIDE,
        "The wizard broke off (ValueError: x); what was kept is kept.",
    ]  # fmt: skip
    assert not any(text is None or "None" in text for text in said)
    return [str(text) for text in said]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_is_called_as_it_is_called(language: str) -> None:
    """Sentences begin with a capital; names on a disk may not."""
    line = replace(TAKE, file="table/s/1-03.wav")
    kept = stopped(line, way_on(1, 1, RecordingDesk.again))
    beside = f"{line.file}: its sound is there, it does not count (rejected: {BESIDE})."
    for text in (kept, beside):
        assert line.file in spoken(sentences(language)(text))


def refuse(_: Recording) -> None:
    raise OSError(28, "No space left on device")


def refused(do: Callable[[], object]) -> str:
    with pytest.raises(PolartableError) as raised:
        do()
    return str(raised.value)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_why_a_sweep_ends_that_nobody_ended_is_known(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, say, folder = Listed(tmp_path), sentences(language), tmp_path / "other"
    listed.added(TAKE)
    folder.mkdir()
    (folder / store.LIST).touch()
    said = [
        refused(lambda: check_name(RecordingDesk.who, "a/b")),
        refused(listed.read),
        refused(lambda: throw_out(folder, ["a.wav"])),
        refused(lambda: check_room(tmp_path, 1, least_free=2**60)),
        *(
            str(CaptureLost(f"igloo at /dev/ttyACM0 {why}", mend))
            for why, mend in (
                ("is away (unplugged)", "plug it in again"),
                ("fell silent", "plug it in again"),
                ("fell silent", "look at its battery, and bring it nearer"),
                ("is not there", "plug it in again"),
            )
        ),
    ]
    (tmp_path / "1.wav").mkdir()
    with pytest.raises(RecordingsFull) as full:
        write_sound(
            tmp_path / "1.wav", TakeHeard(np.zeros((1, 1), np.float32), None, None, 0), 1000.0, SHAKEN
        )
    monkeypatch.setattr(store, "append", refuse)
    monkeypatch.setattr("calibration.recordings.throw_out.replacing", refuse)
    said.append(refused(lambda: throw_out(folder, ["a.wav"])))
    with pytest.raises(RecordingsFull) as unwritten:
        reject(tmp_path, Sweep("D/s/1", (2, 3)), 2, [], "D", "anna", "s", "skipped", SHAKEN)
    said += [
        *(str(one.value) for one in (full, unwritten)),
        *(f"This take is not written yet: {one.value.cause}; {one.value.mend}." for one in (full, unwritten)),
        refused(lambda: check_still_ours(Sweep("D/s/1", (3,)), [TAKE], SHAKEN, "ben")),
    ]
    left = [text for text in said if say(text) == text or "everything" in say(text)]
    assert left == []


def test_what_the_fit_prints_is_known(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of one session, and of three; one igloo is missing, or several are; the profile's place is taken."""
    for sessions, counts in ((1, range(2, 13)), (3, range(2, 5))):
        folder = tmp_path / str(sessions)
        write_sweeps(folder, sessions, counts, place="table")
        assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "a.profile")]) == 0
    (tmp_path / "letter.profile").write_text("Dear Ann")
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "letter.profile")]) == 2
    printed = capfd.readouterr()
    lines = [line.removeprefix("polartable: ") for line in (printed.out + printed.err).splitlines()]
    assert {"fitted on", "left out in turn", "another day", "such an igloo", "any of those"} == {
        word
        for word in ("fitted on", "left out in turn", "another day", "such an igloo", "any of those")
        if any(word in line for line in lines)
    }
    for say in (sentences(language) for language in LANGUAGES if language != "en"):
        assert [line for line in lines if not say.known(line)] == []


def test_what_the_fit_of_a_seat_prints_is_known(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of a whole set, and of one of which one igloo is missing, or several are."""
    for out, options in (("a", ["--counts", "3,6,9"]), ("b", ["--counts", "3,6,8,9"]), ("c", [])):
        folder = tmp_path / out
        write_gestures(folder, counts=(3, 6, 9))
        command = ["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / f"{out}-seat.profile")]
        assert run([*command, *options]) == 0
    printed = capfd.readouterr()
    lines = [line.removeprefix("polartable: ") for line in (printed.out + printed.err).splitlines()]
    for words in ("3 gestures on 1 seat", "weigh most alike", "may be one is", "may be one of these is"):
        assert any(words in line for line in lines)
    for say in (sentences(language) for language in LANGUAGES if language != "en"):
        assert [line for line in lines if not say.known(line)] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_which_counts_are_meant_is_said_in_that_language(language: str) -> None:
    missing = (
        "no take holds 2, 5–7 or 9 beads, so any of those will be taken for one of 3 or 8, or doubted: record them as "
        "well, or ask for a guess from the others with --counts 2-9"
    )
    fitted = "a.profile: fitted on 9 takes of 1 session by 1 person, counts 3 or 8"
    between = counts_between((3, 5)), counts_between((3, 5, 9))
    told = [sentences(language)(str(text)) for text in (missing, fitted, *between)]
    assert [text for text in told if " or " in text] == []


def test_what_the_report_prints_is_known(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of one session, which is too little to leave one out, and of three."""
    for sessions in (1, 3):
        folder, profile = tmp_path / str(sessions), tmp_path / f"{sessions}.profile"
        write_sweeps(folder, sessions, range(2, 14) if sessions == 1 else range(2, 5), place="table")
        assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(profile)]) == 0
        out = str(profile.with_suffix(".html"))
        assert (
            run(["calibrate", "igloos", "report", str(folder), "--profile", str(profile), "--out", out]) == 0
        )
    printed = capfd.readouterr()
    lines = [line.removeprefix("polartable: ") for line in (printed.out + printed.err).splitlines()]
    for words in ("No figures are shown", "every session was left out", "1.html: 12 recordings"):
        assert any(words in line for line in lines)
    for say in (sentences(language) for language in LANGUAGES if language != "en"):
        assert [line for line in lines if not say.known(line)] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_how_far_a_fit_is_is_known(language: str) -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "table" / "commands").glob("igloo_*.py")
    )
    steps = re.findall(r'progress\([^"]+"([^"]+)"\)', source)
    assert len(steps) > 4
    say = sentences(language)
    left_out = [f"leaving each {CALLED[unit]} out" for unit in ("session", "device")]
    assert [step for step in (*steps, *left_out) if not say.known(step)] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_why_sweeps_at_the_page_have_no_figures_is_known(language: str) -> None:
    traps = (
        OneIgloo("session", 30, 36),
        OwnIgloos(30, 36, 3),
        *(AlongCounts(thing, -0.83, 2.0, 36) for thing in (PACE, STRENGTH, DURATION, BACKGROUND, FILE)),
    )
    say = sentences(language)
    for why in ("No figures are shown", "no accuracy is shown"):
        assert [text for text in (f"{why}: {trap.sentence()}" for trap in traps) if not say.known(text)] == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_all_that_it_says_is_known(language: str) -> None:
    say, said = sentences(language), all_of_it()
    assert [text for text in said if not say.known(text)] == []
    assert [text for text in said if say(text) == text] == []
