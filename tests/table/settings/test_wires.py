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
    ],
)
def test_one_wire_for_two_things_is_refused(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError, match=words) as caught:
        Settings.read(file)
    assert "\n" not in str(caught.value)


def test_seats_of_the_ear_may_share_a_port_and_what_is_simulated_is_no_wire(file: Path) -> None:
    file.write_text(
        "[ear]\nsources = { red = '/dev/a#17', blue = '/dev/a#18', green = 'mock' }\n"
        "[taps]\nsource = 'mock'\nprofile = 's'\n[cubes]\nports = ['/dev/b']"
    )
    assert len(Settings.read(file).ear.sources) == 3
    file.write_text("[ear]\nsources = { red = 'USB' }\n[taps]\nsource = 'USB #2'\nprofile = 's'")
    assert Settings.read(file).taps.source == "USB #2"
