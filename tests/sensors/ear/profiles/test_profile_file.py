"""The file around a profile of any kind: what it says of itself, and how it comes to the disk."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.profiles.profile_file import read, unwrap, wrap, write

FORM, VERSION = "polartable-ear-profile", 3
TEXT = wrap(FORM, VERSION, {"a": 1})


def opened(text: str, make: Any = lambda body, digest: body) -> Any:
    return unwrap(text, "mine.profile", FORM, VERSION, make)


def test_what_was_wrapped_is_unwrapped_however_it_was_spaced() -> None:
    assert opened(TEXT) == opened(TEXT + "\n") == opened(TEXT.replace(",", ", ")) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (wrap(FORM, 2, {"a": 1}), "mine.profile was written by another version (2)"),
        (wrap(FORM, 4, {"a": 1}), "mine.profile was written by a later version of Polartable (4)"),
        (TEXT.replace(":3", ':"x"'), "mine.profile was written by another version ('x')"),
        (wrap("polartable-gesture-profile", VERSION, {"a": 1}), "mine.profile is no profile of this kind"),
        (wrap("polartable-gesture-profile", 4, {"a": 1}), "mine.profile is no profile of this kind"),
        (TEXT.replace('{"a":1}', '{"a":2}'), "mine.profile is damaged: its contents do not match its hash"),
        (TEXT.replace('{"a":1}', "[1]"), "mine.profile is damaged: its contents do not match its hash"),
        (wrap(FORM, VERSION, [1]), "mine.profile is damaged: its contents do not match its hash"),  # type: ignore[arg-type]
        (TEXT[:-1], "mine.profile is no profile, or only a part of one"),
        ("[1]", "mine.profile is no profile of this kind"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, said: str) -> None:
    with pytest.raises(ProfileError) as error:
        opened(text)
    assert error.value.cause == said


def test_a_later_version_s_file_asks_for_that_version() -> None:
    with pytest.raises(ProfileError) as error:
        opened(wrap(FORM, 4, {"a": 1}))
    assert error.value.mend.startswith("update Polartable, or fit it again with")


@pytest.mark.parametrize(
    "fault", [KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError]
)
def test_contents_that_no_fit_makes_are_damage_and_no_defect(fault: type[Exception]) -> None:
    def make(body: dict[str, Any], digest: str) -> None:
        raise fault("x")

    with pytest.raises(ProfileError, match=f"damaged: {fault.__name__} in its contents"):
        opened(TEXT, make)


def test_a_profile_that_windows_saved_is_to_be_saved_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.profile"
    path.write_text(TEXT, encoding="utf-16")
    with pytest.raises(ProfileError, match="is written in UTF-16 – save it as UTF-8"):
        read(path)
    path.write_text(TEXT, encoding="utf-8-sig")
    assert read(path) == TEXT


def test_a_profile_is_written_for_all_to_read_and_ends_with_its_line(tmp_path: Path) -> None:
    """Whoever runs the table may be another user than who fitted it."""
    path, before = tmp_path / "mine.profile", os.umask(0o022)
    try:
        write(path, TEXT)
    finally:
        os.umask(before)
    assert path.read_bytes() == TEXT.encode() + b"\n"
    assert path.stat().st_mode & 0o777 == 0o644
    assert opened(read(path)) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_cannot_be_written_what_was_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.profile"
    write(path, TEXT)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(ProfileError, match=r"cannot be written \(No space left on device\)"):
            write(path, wrap(FORM, VERSION, {"a": 2}))
    assert opened(read(path)) == {"a": 1}
    with pytest.raises(ProfileError, match=r"cannot be written \(there is no such folder\)"):
        write(tmp_path / "nowhere" / "mine.profile", TEXT)


def test_profiles_as_large_as_those_that_ship_and_larger_are_read(tmp_path: Path) -> None:
    """A fit on more people holds more populations."""
    shipped = Path(str(resources.files("sensors").joinpath("profiles")))
    largest = max(path.stat().st_size for path in shipped.glob("*.profile"))
    path = tmp_path / "mine.profile"
    path.write_bytes(b"7" * 3 * largest)
    assert len(read(path)) == 3 * largest
