"""One serial port or sound input is for one thing: a table would tell its own cubes that the port is in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config import Settings
from table.settings.faults import SettingsError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[ear]\nsources = { red = '/dev/a#17' }\n[cubes]\nports = ['/dev/b', '/dev/a']",
            "port /dev/a is named twice .*, line 2: cubes.ports and ear.sources.red – give each a port of its own",
        ),
        (
            "[taps]\nsource = 'USB #2'\nprofile = 's'\n[ear]\nsources = { red = 'USB #2' }",
            "input USB #2 is named twice .*, line 2: ear.sources.red and taps.source – give each an input of its own",
        ),
        (
            "[ear]\nsources = { red = 'USB', blue = 'USB' }",
            "input USB is named twice .*, line 2: ear.sources.red and ear.sources.blue – give each an input of its "
            "own, or name it once, for all seats: table",
        ),
        (
            "[ear.sources]\nred = '/dev/a#17'\ntable = '/dev/a#17'",
            "port /dev/a#17 is named twice .*, line 3: ear.sources.red and ear.sources.table – give each a port",
        ),
        (
            "[ear.sources]\nred = '/dev/a'\nblue = '/dev/a#17'",
            "port /dev/a is named twice .*, line 3: ear.sources.red and ear.sources.blue – give each a port",
        ),
        (
            "[ear.sources]\nred = '/dev/a#17'\nblue = '/dev/a'",
            "port /dev/a is named twice .*, line 3: ear.sources.red and ear.sources.blue – give each a port",
        ),
        (
            "[taps]\nsource = '/dev/a'\nprofile = 's'\n[ear]\nsources = { red = '/dev/a#17' }",
            "port /dev/a is named twice .*, line 2: ear.sources.red and taps.source – give each a port of its own",
        ),
    ],
)
def test_one_wire_for_two_things_is_refused(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError, match=words) as caught:
        Settings.read(file)
    assert "\n" not in str(caught.value)


def test_seats_of_the_ear_may_share_a_port(file: Path) -> None:
    file.write_text(
        "[ear]\nsources = { red = '/dev/a#17', blue = '/dev/a#18', green = 'USB' }\n"
        "[taps]\nsource = 'Line'\nprofile = 's'\n[cubes]\nports = ['/dev/b']"
    )
    assert len(Settings.read(file).ear.sources) == 3
    file.write_text(
        "[ear]\nsources = { red = 'USB', blue = 'USB#2' }\n[taps]\nsource = 'USB #2'\nprofile = 's'"
    )
    assert Settings.read(file).taps.source == "USB #2"
