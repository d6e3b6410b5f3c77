"""Names whose accents are one sign or two look alike, and are found where only the other one is there."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest

from firmware_bridge.host.spelling import alike, in_other_case, is_in, on_disk, spelled_otherwise

NFC, NFD = (normalize(form, "täke ü") for form in ("NFC", "NFD"))


def test_names_that_look_alike_are_alike() -> None:
    assert NFC != NFD
    assert alike(NFC, NFD)
    assert alike("a", "a")
    assert not alike(NFC, "take u")
    assert is_in(NFC, f"of {NFD}, nothing")


@pytest.mark.parametrize(("asked", "there"), [(NFC, NFD), (NFD, NFC)])
def test_what_is_there_under_the_other_spelling_is_found(tmp_path: Path, asked: str, there: str) -> None:
    file = tmp_path / there / "plain" / f"{asked}.wav"  # an archive in an archive
    file.parent.mkdir(parents=True)
    file.touch()
    for name in (asked, there):
        assert on_disk(tmp_path / asked / "plain" / f"{name}.wav") == file
    assert on_disk(tmp_path / asked / "plain" / "other.wav") == tmp_path / asked / "plain" / "other.wav"


def test_the_very_name_goes_before_what_looks_like_it(tmp_path: Path) -> None:
    for name in (NFC, NFD):
        (tmp_path / name).touch()
        (tmp_path / f"{name}2").mkdir()
    (tmp_path / f"{NFD}2" / "a.wav").touch()
    assert [on_disk(tmp_path / name).name for name in (NFC, NFD)] == [NFC, NFD]
    mixed = tmp_path / (NFC[:4] + NFD[5:])
    assert len(spelled_otherwise(mixed)) == 2
    assert on_disk(mixed) == mixed


def test_names_on_the_way_from_here_and_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(NFD).touch()
    assert on_disk(Path(NFC)) == Path(NFD)
    assert on_disk(Path("..") / tmp_path.name / NFC) == Path("..") / tmp_path.name / NFD
    assert on_disk(Path(NFD) / NFC) == Path(NFD) / NFC
    assert on_disk(Path("no\ud800ä")) == Path("no\ud800ä")


def test_a_link_to_nothing_is_there(tmp_path: Path) -> None:
    (tmp_path / NFC).symlink_to("nothing")
    (tmp_path / NFD).touch()
    assert on_disk(tmp_path / NFC) == tmp_path / NFC


def test_what_differs_by_the_case_of_letters_alone_is_told_and_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "S1" / "Ünï.WAV"
    file.parent.mkdir()
    file.touch()
    asked = tmp_path / "s1" / "üNï.wav"
    assert in_other_case(asked) == [file]
    assert on_disk(asked) == asked
    assert in_other_case(tmp_path / "s2" / "üNï.wav") == []
    assert in_other_case(file) == [file]
    (tmp_path / "S1" / "üNï.WAV").touch()
    assert len(in_other_case(asked)) == 2
