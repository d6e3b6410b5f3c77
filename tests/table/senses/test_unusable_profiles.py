"""Profiles that the settings name and this version cannot use: it is told which, and the table plays on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from firmware_bridge.clock import SystemClock
from sensors.ear.errors import ProfileError
from sensors.ear.profiles import profile_file, profile_json
from sensors.ear.profiles.profile import FORMAT, SHIPPED, VERSION, load, load_shipped, save
from table.cli import run
from table.config import Settings
from table.doctor.sound import profile as profile_of
from table.door.access import Access
from table.journal.store import Journal
from table.page.notice import notices
from table.page.sentences import sentences
from table.page.texts import Texts
from table.room.table_room import TableRoom
from table.senses.ear_profiles import profiles_for, usable_profiles
from table.trainer.room import OWN
from tests.rattle import write_sweeps
from tests.table.pages import service
from tests.table.trainer.own_recordings import folder_of

SOURCES = {"red": "/dev/no-such-port", "blue": "No Such Microphone"}


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    file = tmp_path / "mine.profile"
    file.write_text('{"format":"polartable-ear-profile","version":1,"digest":"0","body":{}}')
    return file


def test_the_profile_that_ships_is_heard_in_place_of_one_that_cannot_be_used(damaged: Path) -> None:
    for key in ("profile", "shell_profile"):
        settings = Settings.model_validate({"ear": {"sources": SOURCES, key: damaged}})
        profiles, fault = usable_profiles(settings.ear)
        assert profiles == {kind: load_shipped(kind) for kind in ("accelerometer", "microphone")}
        assert fault is not None
        assert fault.cause.startswith(f"{key} in [ear]: {damaged} is damaged")
        assert "the one that ships is heard" in fault.mend
        with pytest.raises(ProfileError):
            profiles_for(settings.ear)
    both = Settings.model_validate(
        {"ear": {"sources": SOURCES, "profile": damaged, "shell_profile": damaged}}
    )
    assert set(usable_profiles(both.ear)[0]) == {"accelerometer", "microphone"}


@pytest.mark.parametrize(
    ("sources", "profile", "shell", "heard"),
    [
        ({"red": "USB"}, "accelerometer", None, "the one that ships is heard, for a microphone in the air"),
        ({"red": "USB"}, None, "accelerometer", "the one that ships is heard, for a microphone in the air"),
        ({"red": "USB"}, "microphone", "accelerometer", "only the other one is heard"),
        ({"red": "/dev/x"}, "microphone", None, "the one that ships is heard, for an accelerometer"),
        (SOURCES, None, "microphone", "for an accelerometer and for a microphone in the air"),
        (SOURCES, "accelerometer", "accelerometer", "is heard, for a microphone in the air"),
    ],
)
def test_whatever_is_wrong_with_one_it_is_told_what_is_heard_and_in_the_page_s_language(
    sources: dict[str, str], profile: str | None, shell: str | None, heard: str, tmp_path: Path
) -> None:
    for kind in ("accelerometer", "microphone"):
        save(load_shipped(kind), tmp_path / kind)
    ear: dict[str, object] = {"sources": sources}
    for key, kind in (("profile", profile), ("shell_profile", shell)):
        ear |= {} if kind is None else {key: tmp_path / kind}
    _, fault = usable_profiles(Settings.model_validate({"ear": ear}).ear)
    assert fault is not None
    assert fault.mend.endswith(heard)
    for language in ("de", "fr", "it"):
        assert sentences(language).known(f"profile of the ear: {fault}")


def test_in_place_of_one_for_the_shell_the_one_that_ships_for_the_shell_is_heard(tmp_path: Path) -> None:
    file = tmp_path / "contact.profile"
    save(load_shipped("contact"), file)
    settings = Settings.model_validate({"ear": {"sources": {"red": "USB"}, "profile": file}})
    whole = file.read_text()
    for text, kind, where in (
        (whole.replace("sha256:", "sha256:0", 1), "contact", "on the shell"),
        (whole[:-100], "microphone", "in the air"),  # it tells nothing any more
    ):
        file.write_text(text)
        profiles, fault = usable_profiles(settings.ear)
        assert profiles == {"microphone": load_shipped(kind)}
        assert fault is not None
        assert fault.mend.endswith(f"the one that ships is heard, for a microphone {where}")
        assert all(
            sentences(language).known(f"profile of the ear: {fault}") for language in ("de", "fr", "it")
        )


def test_of_two_named_ones_the_one_that_can_be_used_stays(damaged: Path, tmp_path: Path) -> None:
    for key, other, kind in (
        ("profile", "shell_profile", "accelerometer"),
        ("shell_profile", "profile", "microphone"),
    ):
        good = tmp_path / kind
        known = save(replace(load_shipped(kind), accuracy={}), good)
        ear = {"sources": SOURCES, key: damaged, other: good}
        profiles, fault = usable_profiles(Settings.model_validate({"ear": ear}).ear)
        assert fault is not None
        assert fault.cause.startswith(f"{key} in [ear]: {damaged} is damaged")
        assert {k for k, profile in profiles.items() if profile.digest == known.digest} == {kind}


def test_a_profile_of_another_network_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.profile"
    save(load_shipped("microphone"), file)
    monkeypatch.setattr(profile_json, "net_for", lambda front: None)
    with pytest.raises(ProfileError, match="another network") as raised:
        load(file)
    assert raised.value.cause.startswith(f"{file}: ")


async def test_the_table_tells_it_and_goes_on(damaged: Path, tmp_path: Path) -> None:
    clock = SystemClock()
    named = {
        "ear": {"sources": SOURCES, "profile": damaged},
        "taps": {"source": "Another One", "profile": damaged},
    }
    room = TableRoom(Settings.model_validate(named), clock, Journal(None), Access(clock, lan=False))
    room.start()
    try:
        told = [said.text for said in room.desk.said if said.event == "source"]
        assert sum(str(damaged) in text for text in told) == 2
        assert all(sentences(language).known(text) for text in told for language in ("de", "fr", "it"))
        assert "profile in [ear]" in room.health()["settings"]
        assert "profile in [taps]" in room.health()["settings"]
        assert room.taps is None
        room.new_game("ice-cult", ("yellow", "red"), {})
        shown = notices(room, Texts("de"))  # also in the next game, whose desk did not hear it
        assert shown.startswith("Profil des Ohrs")
        assert shown.count(str(damaged)) == 2
        assert {dog.source for dog in room.senses.dogs.values()} == {"igloos of red", "microphone of blue"}
        await room.act("ice-cult", None, "tilt n>S")
        assert [step.move for step in room.desk.sitting.steps] == ["tilt n>S"]
    finally:
        await room.stop()


@pytest.mark.parametrize("sources", [{}, {"blue": "No Such Microphone"}])
async def test_the_trainer_is_not_deaf_by_it_and_it_is_told_without_a_source_too(
    sources: dict[str, str], damaged: Path, tmp_path: Path
) -> None:
    clock, folder = SystemClock(), tmp_path / "own"
    folder.mkdir()
    named = {
        "ear": {"sources": sources, "profile": damaged},
        "trainer": {"recordings": folder_of([5, 9], folder)},
    }
    room = TableRoom(Settings.model_validate(named), clock, Journal(None), Access(clock, lan=False))
    room.start()
    try:
        assert str(damaged) in room.health()["settings"]
        lesson = await room.trainer.lesson(OWN, room.trainer.learners.learner("Ada"))
        await lesson.next()
        assert (await lesson.guess(5)).ear is not None
        lesson.close()
    finally:
        await room.stop()


@pytest.fixture
def of_before(tmp_path: Path) -> Path:
    """As profiles were written before they named a network."""
    body = json.loads(json.dumps(profile_json.body_of(load_shipped("microphone"))))
    for head in body["heads"]:
        del head["net"]
    file = tmp_path / "old.profile"
    file.write_text(profile_file.wrap(FORMAT, VERSION, body))
    return file


def test_a_profile_of_before_whose_ear_has_no_network_now_either_is_as_it_was(of_before: Path) -> None:
    body = json.loads(of_before.read_text())["body"]
    body["heads"] = [head for head in body["heads"] if profile_json.net_for(head["front"]) is None]
    assert body["heads"]
    of_before.write_text(profile_file.wrap(FORMAT, VERSION, body))
    assert load(of_before).outdated("it") is None


def test_a_profile_of_before_networks_were_named_is_heard_and_told_once(
    of_before: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = load(of_before)
    assert known.outdated("it") is not None
    assert all(load_shipped(kind).outdated("it") is None for kind in SHIPPED)
    assert save(known, tmp_path / "new.profile").outdated("it") is None
    write_sweeps(tmp_path / "shakes", 1, (3, 6))
    for file, times in ((of_before, 1), (tmp_path / "new.profile", 0)):
        run(["listen", str(tmp_path / "shakes"), "--profile", str(file)])
        assert capsys.readouterr().err.count("was fitted by an earlier version") == times


async def test_the_table_and_the_doctor_tell_it_too(of_before: Path) -> None:
    clock = SystemClock()
    settings = Settings.model_validate({"ear": {"sources": {"red": "No Such"}, "profile": of_before}})
    room = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    room.start()
    try:
        (told,) = (said.text for said in room.desk.said if "was fitted by an earlier version" in said.text)
        assert all(sentences(language).known(told) for language in ("de", "fr", "it"))
        assert room.health()["settings"] == "sound"
        assert len(room.profile_notes) == 1
    finally:
        await room.stop()
    finding = profile_of(Settings.model_validate({"ear": {"profile": of_before}}))
    assert (finding.state, finding.mend) == (
        "look",
        "fit it again on its recordings (polartable calibrate igloos fit)",
    )


def test_a_start_by_hand_is_not_refused(damaged: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"[ear]\nsources = {{ red = 'No Such Microphone' }}\nprofile = '{damaged}'\n")
    with service("serve", "--port", "0", "--config", str(file)) as (_, ready):
        assert "safe_mode" not in ready
        health = httpx.get(ready["address"] + "health", timeout=60).json()
        assert str(damaged) in health["settings"]
