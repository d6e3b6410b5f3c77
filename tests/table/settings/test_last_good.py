"""The last good text of the settings serves while their file cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.last_good import keep, load
from table.settings.faults import SettingsError
from tests.table.settings.back_room import GOOD


@pytest.mark.parametrize(
    "broken",
    [
        GOOD.replace("port", "prot").encode(),
        GOOD.encode()[:40],
        b"",
        GOOD.encode()[:30] + b"\0" * 64,
        b"version = 99\n",
        b"\xff\xfe\x00",
        None,
    ],
    ids=[
        "misspelt",
        "half written",
        "empty",
        "zeroes after a pulled plug",
        "later version",
        "no text",
        "gone",
    ],
)
def test_the_last_good_settings_serve_while_the_file_cannot(
    file: Path, tmp_path: Path, broken: bytes
) -> None:
    good = load(file, tmp_path)
    keep(good, tmp_path)
    if broken is None:
        file.unlink()
    else:
        file.write_bytes(broken)
    again = load(file, tmp_path)
    assert again.settings == good.settings
    assert again.fault is not None
    keep(again, tmp_path)  # what is borrowed is not kept as if it were the file's
    file.write_text(GOOD.replace("9000", "9001"))
    mended = load(file, tmp_path)
    assert (mended.fault, mended.settings.serve.port) == (None, 9001)


def test_without_last_good_settings_the_fault_is_the_answer(file: Path, tmp_path: Path) -> None:
    keep(load(file, tmp_path), tmp_path)
    other = tmp_path / "another.toml"
    other.write_text("[serve]\nprot = 1\n")
    with pytest.raises(SettingsError):  # the good text of one file is not that of the next
        load(other, tmp_path)
