"""Microphones and igloos' own sensors at one table: each is heard with a profile of its kind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.profiles.profile import load_shipped, save
from table.cli import run
from table.config import Settings
from table.doctor import sound
from table.senses.ear_profiles import profiles_for
from tests.rattle import write_sweeps

BOTH = {"red": "/dev/ttyACM1", "blue": "/dev/ttyACM0#17", "table": "USB Audio"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A profile of one's own for each kind, by what it was fitted on."""
    made = {}
    for kind in ("microphone", "accelerometer"):
        made[kind] = tmp_path_factory.mktemp("own") / f"{kind}.profile"
        shipped = load_shipped(kind)
        save(replace(shipped, fitted_on=replace(shipped.fitted_on, note="mine")), made[kind])
    return made


def notes(**ear: object) -> dict[str, tuple[str, bool]]:
    """Of each kind among the sources: what its profile is for, and whether it is one's own."""
    settings = Settings.model_validate({"ear": ear})
    return {
        kind: (profile.sensor, profile.fitted_on.note == "mine")
        for kind, profile in profiles_for(settings.ear).items()
    }


def test_each_kind_of_sensor_has_its_own_profile_or_the_one_that_ships(own: dict[str, Path]) -> None:
    ships, mine = False, True
    assert notes() == {}
    assert notes(sources=BOTH) == {
        "accelerometer": ("accelerometer", ships),
        "microphone": ("microphone", ships),
    }
    for kind, other in (("microphone", "accelerometer"), ("accelerometer", "microphone")):
        assert notes(sources=BOTH, profile=own[kind]) == {kind: (kind, mine), other: (other, ships)}
    assert notes(sources=BOTH, profile=own["microphone"], shell_profile=own["accelerometer"]) == {
        "accelerometer": ("accelerometer", mine),
        "microphone": ("microphone", mine),
    }


def test_what_ships_for_microphones_on_shells_is_named_as_on_the_command_line(tmp_path: Path) -> None:
    """By its name, in whatever folder the settings are; a file of that name comes first."""
    for named in ("contact", tmp_path / "contact"):
        settings = Settings.model_validate({"ear": {"sources": {"red": "USB"}, "profile": named}})
        assert profiles_for(settings.ear) == {"microphone": load_shipped("contact")}
    (tmp_path / "contact").write_text("no profile")
    with pytest.raises(ProfileError, match=r"profile in \[ear\]"):
        profiles_for(settings.ear)


PORT = "a serial port of igloos, whose sensor is an accelerometer"


@pytest.mark.parametrize(
    ("sources", "profile", "shell", "words", "mend"),
    [
        ({"red": "USB"}, "accelerometer", None, "every source is a microphone", "name one for a microphone"),
        ({"red": "/dev/ttyACM0"}, "microphone", None, f"every source is {PORT}", "name one for an accele"),
        ({"red": "/dev/ttyACM0"}, "microphone", "accelerometer", f"every source is {PORT}", "take it out"),
    ],
)
def test_a_profile_that_no_source_is_for_is_told(
    own: dict[str, Path],
    sources: dict[str, str],
    profile: str,
    shell: str | None,
    words: str,
    mend: str,
) -> None:
    """Left aside without a word, it would be missed by nobody but the figures."""
    ear = {
        "sources": sources,
        "profile": own[profile],
        "shell_profile": None if shell is None else own[shell],
    }
    settings = Settings.model_validate({"ear": ear})
    finding = sound.profile(settings)
    assert finding.state == "bad"
    assert finding.what.startswith(f"profile in [ear], {own[profile]}, was made for a")
    assert finding.what.endswith(words)
    assert finding.mend.startswith(mend)
    with pytest.raises(ProfileError, match=r"^PT-401: profile in \[ear\], "):
        profiles_for(settings.ear)


def test_a_microphones_profile_is_for_the_trainers_own_recordings_too(
    own: dict[str, Path], tmp_path: Path
) -> None:
    ear = {"sources": {"red": "/dev/ttyACM0"}, "profile": own["microphone"]}
    settings = Settings.model_validate({"ear": ear, "trainer": {"recordings": tmp_path}})
    assert sound.profile(settings).state == "good"
    profiles = profiles_for(settings.ear, trains=True)
    mine = {kind: known.fitted_on.note == "mine" for kind, known in profiles.items()}
    assert mine == {"accelerometer": False, "microphone": True}
    felt = {"sources": {"red": "USB"}, "profile": own["accelerometer"]}
    settings = Settings.model_validate({"ear": felt, "trainer": {"recordings": tmp_path}})
    assert sound.profile(settings).state == "bad"  # it trains with what microphones heard


def test_without_sources_each_named_profile_is_judged_by_itself(own: dict[str, Path], tmp_path: Path) -> None:
    for ear, words in (
        ({}, "for a microphone at"),
        ({"profile": own["accelerometer"]}, "for an accelerometer at"),
        ({"shell_profile": own["accelerometer"]}, "for an accelerometer at"),
    ):
        finding = sound.profile(Settings.model_validate({"ear": ear}))
        assert (finding.state, words in finding.what) == ("good", True), finding
    (tmp_path / "torn.profile").write_text('{"format": "polar')
    for key in ("profile", "shell_profile"):
        assert (
            sound.profile(Settings.model_validate({"ear": {key: tmp_path / "torn.profile"}})).state == "bad"
        )


@pytest.mark.parametrize(
    ("sources", "profile", "shell", "words"),
    [
        (BOTH, None, "microphone", "was made for a microphone"),
        (BOTH, "accelerometer", "accelerometer", "are both of an accelerometer"),
        ({}, "accelerometer", "accelerometer", "are both of an accelerometer"),
        ({"red": "USB"}, "microphone", "accelerometer", "no source is a port of igloos"),
    ],
)
def test_a_shell_profile_that_cannot_be_meant_is_refused_in_one_sentence(
    own: dict[str, Path], sources: dict[str, str], profile: str | None, shell: str, words: str
) -> None:
    ear = {
        "sources": sources,
        "profile": None if profile is None else own[profile],
        "shell_profile": own[shell],
    }
    settings = Settings.model_validate({"ear": ear})
    finding = sound.profile(settings)
    assert (finding.state, words in finding.what) == ("bad", True), finding
    assert str(own[shell]) in finding.what
    assert finding.mend
    if sources:
        with pytest.raises(ProfileError, match=words):
            profiles_for(settings.ear)


def test_a_file_alone_is_heard_as_its_folder_s_list_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = write_sweeps(tmp_path, sessions=1, counts=(6,))
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line | {"place": "shell"}) + "\n")

    def heard(source: Path) -> dict[str, object]:
        assert run(["listen", str(source), "--json"]) == 0
        answer: dict[str, object] = json.loads(capsys.readouterr().out.splitlines()[0])
        return answer

    assert heard(tmp_path / line["file"]) == heard(tmp_path)
    assert heard(tmp_path)["profile"] == load_shipped("contact").digest
