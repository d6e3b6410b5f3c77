"""What may be written in place of a setting's value that cannot be meant: in words of TOML, not of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config import Settings, SettingsError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[cubes]\nports = "/dev/a"', "'cubes.ports' in .*, line 2 is '/dev/a' – write a list"),
        (
            '[ear]\nsources = ["mic"]',
            "'ear.sources' in .*, line 2 .* – write a table: a line of its own for each",
        ),
        ("[journal]\nfile = 7", "'journal.file' in .*, line 2 is 7 – write a text in quotes"),
        ("[speech]\nprogram = 7", "'speech.program' in .*, line 2 is 7 – write a text in quotes"),
        ("[serve]\nport = 2020-01-01", "'serve.port' in .*, line 2 is 2020-01-01 – "),
        ('[serve]\nbrowser = "perhaps"', "'serve.browser' in .*, line 2 is 'perhaps' – write true or false"),
        ('[serve]\nport = "many"', "'serve.port' in .*, line 2 is 'many' – write a whole number"),
        (
            '[speech]\nlanguage = "es"',
            "'speech.language' in .*, line 2 is 'es' – possible are en, de, fr, it",
        ),
        ('[game]\nname = "chess"', "is 'chess' – possible are igloo-pop, ice-cult, igloo-igloo, igloo"),
        ('[game]\nname = "igloo-pop"\noptions = {first = "random"}', "unknown key 'first' .known are .*mode"),
    ],
)
def test_a_wrong_kind_of_value_is_told_in_words_of_the_file(tmp_path: Path, text: str, words: str) -> None:
    assert_refused(tmp_path, text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[cubes]\nports = ["a", "b", "c", "d", "e"]', "name the ports of the four cubes alone"),
        ('[cubes]\nports = [""]', "name the port, or leave it out"),
        ('[cubes]\nports = ["mock"]', "a table with simulated cubes is `polartable demo`"),
        ('[ear]\nsources = { red = "mock" }', "a table with simulated igloos is `polartable demo`"),
        ('[taps]\nsource = "mock"\nprofile = "s"', "a table with simulated igloos is `polartable demo`"),
        ("[journal]\nfile = '/'", "'journal.file' .* – that is a folder: name a file in it"),
    ],
)
def test_what_no_table_could_use_is_refused_when_it_is_checked(tmp_path: Path, text: str, words: str) -> None:
    assert_refused(tmp_path, text, words)


def test_settings_are_read_by_whoever_may_not_look_into_the_journals_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installed table's is its own; whoever asks the doctor may be somebody else."""

    def refuse(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    file = tmp_path / "table.toml"
    file.write_text('[journal]\nfile = "closed/book.sqlite"')
    monkeypatch.setattr(Path, "is_dir", refuse)
    assert Settings.read(file).journal.book.parts[-2:] == ("closed", "book.sqlite")


def assert_refused(directory: Path, text: str, words: str) -> None:
    file = directory / "table.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=words) as caught:
        Settings.read(file)
    for python in ("tuple", "dictionary", "class", "datetime", "pathlib", "boolean"):
        assert python not in str(caught.value)
