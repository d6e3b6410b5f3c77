"""The settings file over the years: slips with their lines, plugs pulled in mid-writing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.host.durable import write_whole
from table.cli import run
from table.config import Settings
from table.settings.faults import SettingsError, SettingsTooNew, line_of
from tests.parts import ROOT
from tests.table.settings.back_room import GOOD


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        (("port = 9000", "prot = 9000"), "no setting 'serve.prot' .*, line 3 – did you mean 'port'"),
        (("port = 9000", "port = 99999"), "setting 'serve.port' .*, line 3, is 99999|line 3 is 99999"),
        (("ice-cult", "icecult"), "setting 'game.name' .*, line 6 is 'icecult' – did you mean 'ice-cult'"),
        (("[serve]", "[srve]"), "no setting 'srve' .*, line 2 – did you mean 'serve'"),
        (("port = 9000", "name = 'x'"), "no setting 'serve.name' .*, line 3 – did you mean 'game.name'"),
        (('["red", "blue"]', '["red", "pink"]'), "setting 'game' .*, line 5 is .*cannot be begun.*pink"),
        (('["red", "blue"]', '["red", "blue"]\noptions = {lenght = 4}'), "'game' .*cannot be begun.*lenght"),
        (("port = 9000", "port = "), "is no TOML: .*line 3"),
        (("# the", "version = 2\n# the"), "line 1 are of version 2, and .* up to 1 – update Polartable"),
        (("# the", "version = 'x'\n# the"), "setting 'version' .*, line 1 is 'x'"),
    ],
)
def test_a_slip_is_told_with_its_line_and_the_nearest_right_thing(
    file: Path, slip: tuple[str, str], words: str
) -> None:
    file.write_text(GOOD.replace(*slip))
    with pytest.raises(SettingsError, match=words) as caught:
        Settings.read(file)
    assert "\n" not in str(caught.value)


def test_a_later_versions_file_is_an_error_of_its_own(file: Path) -> None:
    file.write_text("version = 7\nmoon = true\n")
    with pytest.raises(SettingsTooNew):
        Settings.read(file)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('fleet = "mqtt://u:geheim@h"', "'fleet' in table.toml, line 1 is no section – write .*fleet"),
        (
            '[fleet]\nbroker = "mqtt://u:geheim@h"',
            "'fleet.broker' .*, line 2 is 'mqtt://u:…@h' – write mqtt://",
        ),
        ('[fleet]\nbroker = ["mqtt://u:geheim@h"]', "'fleet.broker' .*, line 2 is "),
        ("[fleet.broker]\npassword = 'geheim'", "'fleet.broker' .*, line 1 cannot be used – "),
        ("[fleet]\npassword = ['geheim']", "'fleet.password' .*, line 2 cannot be used – "),
        (
            "[fleet]\nbroker = 'mqtt://h'\npassword = 'geheim'",
            "'fleet.password' .*, line 3 .* – name its user in the broker's address, mqtt://user@h, or leave",
        ),
    ],
)
def test_no_sentence_tells_a_password_of_the_file(text: str, words: str) -> None:
    [fault] = Settings.faults_of(text, Path("table.toml"))
    assert re.search(words, str(fault)), str(fault)
    assert "geheim" not in str(fault)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[serve]\nport = true", "'serve.port' .*, line 2 is True – write a number"),
        ("[journal]\nmost_mb = true", "'journal.most_mb' .*, line 2 is True"),
        ("[lights]\nbuzzer = true", "'lights.buzzer' .*, line 2 is True – write a number"),
        ("[buttons]\nred = true", "'buttons.red' .*, line 2 is True – write a number"),
        ("[buttons]\nred = ''", "'buttons.red' .*, line 2 is '' – write a number"),
        ("[lights]\nlight = ' '", "'lights.light' .*, line 2 is ' ' – write a number"),
        ("[serve]\nhost = ''", "'serve.host' .*, line 2 is ''"),
        ('[journal]\nfile = "a\\u0000b"', r"holds a zero byte in 'journal.file', line 2"),
        ('[cubes]\nports = ["/dev/a", "/dev/\\u0000"]', "holds a zero byte in 'cubes.ports', line 2"),
        ('[game]\n[game.options]\n"a\\u0000" = 1', "holds a zero byte in 'game.options', line 2"),
        ("[journal]\nfile = ''", "'journal.file' .*, line 2 is '' – name a file, or leave it out"),
        ("[taps]\nsource = 'USB'", "'taps' .*, line 1 is .* – a seat has a profile of its own"),
        (
            '[cubes]\nports = ["/dev/a", "/dev/b", "/dev/a"]',
            "'cubes.ports' .*, line 2 .* – name each port once",
        ),
        (
            "[fleet]\nca = 'club.pem'\nbroker = 'mqtt://anna@h:1884'",
            "'fleet.ca' .*, line 2 .* – write mqtts:// in the broker's address: without TLS nothing looks at it",
        ),
        ("[lights]\nlight = 5\nbuzzer = 5", "pin 5 .*, line 3: lights.light and lights.buzzer – give each"),
        (
            "[lights]\nlight = 5\n[buttons]\nred = 17\nblue = 'GPIO5'",
            "pin GPIO5 .*, line 5: lights.light and",
        ),
        ("[buttons]\nred = 17\nblue = '17'", "pin 17 .*, line 3: buttons.red and buttons.blue"),
    ],
)
def test_what_nobody_can_mean_is_refused_before_the_evening(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError, match=words) as caught:
        Settings.read(file)
    assert "\n" not in str(caught.value)


def test_the_mend_names_no_option_that_the_command_has_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLARTABLE_CONFIG", raising=False)
    assert run(["settings", "check", str(tmp_path / "none.toml")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "none.toml cannot be read" in said.err
    assert "--config" not in said.err


@pytest.mark.parametrize("words", [("check",), ("check", "--json"), ("show", "--config")])
def test_a_file_that_cannot_be_read_is_no_check_that_failed(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["settings", *words, str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"polartable: PT-102: {tmp_path} cannot be read (Is a directory)")


def test_a_setting_makes_no_folders_that_were_misspelt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "polartabel" / "table.toml"
    assert run(["settings", "set", "serve.port", "8081", "--config", str(file)]) == 2
    assert f"PT-101: there is no folder {file.parent} – make it, or mend the name" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# writing

WRITER = """
import sys, itertools
from pathlib import Path
from firmware_bridge.host.durable import write_whole
for n in itertools.count():
    write_whole(Path(sys.argv[1]), (f"number = {n}\\nend = {n}\\n" + "#" * 20000).encode())
    print(n, flush=True)
"""


def test_a_writer_that_is_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "a" / "table.toml"
    for words in (1, 7, 40):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(words)]
            writer.kill()
        table = tomllib.loads(file.read_text())
        assert table["number"] == table["end"] >= int(said[-1])


def test_a_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "real.toml", tmp_path / "link.toml"
    file.write_text("a = 1\n")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"a = 2\n")
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("a = 2\n", 0o640)
    write_whole(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "link.toml",
        "new",
        "real.toml",
    ]  # nothing is left lying about


# the command


def test_check_tells_every_fault(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "check", str(file)]) == 0
    assert run(["settings", "check", "--config", str(file)]) == 0
    assert run(["settings", "check", str(file), "--config", f"{file}.other"]) == 2
    file.write_text(GOOD.replace("port", "prot").replace("ice-cult", "icecult") + "[moon]\n")
    capsys.readouterr()
    assert run(["settings", "check", str(file), "--json"]) == 1
    lines = [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()]
    assert [line.split("line ")[1].split()[0] for line in lines] == ["3", "6", "8"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_that_windows_saved_is_called_that_and_not_torn(
    file: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    file.write_bytes(f"{'' if encoding == 'utf-16' else chr(0xFEFF)}{GOOD}".encode(encoding))
    before = file.read_bytes()
    for words in (("check", str(file)), ("set", "serve.port", "9001", "--config", str(file))):
        assert run(["settings", *words]) in (1, 2)
        said = capsys.readouterr()
        assert "is written in UTF-16 – save it as UTF-8" in said.out + said.err
    assert file.read_bytes() == before


# whatever somebody types


@given(
    st.text(max_size=200)
    | st.sampled_from(["[serve]\n", "[game]\n", "[ear.sources]\n"]).flatmap(
        lambda head: st.text(alphabet="abcdefport= \n\"'[]{}.0123456789#", max_size=80).map(
            lambda t: head + t
        )
    )
)
@example("[serve]\n[[serve]]")
@example("serve = 3")
@example("[buttons]\nred = [1]")
@example("[game.options]\nlength = 1e400")
@example("a." * 300 + "b = 1")
@example("x = " + "[" * 5000)
def test_any_text_is_settings_or_one_sentence(text: str) -> None:
    found = Settings.faults_of(text, Path("table.toml"))
    assert all("\n" not in str(fault) for fault in found)
    if not found:
        Settings.of_text(text, Path("table.toml"))


def test_a_key_is_found_in_any_spelling() -> None:
    text = '[a]\nb = 1\n\n[a."c d"]\n  e.f = 2\n[[g]]\nh = 3\n'
    assert [line_of(text, keys) for keys in (("a", "b"), ("a", "c d", "e", "f"), ("a", "c d"), ("g", "h"))] == [
        2, 5, 4, 7,
    ]  # fmt: skip
    assert line_of(text, ("z",)) is None


def test_a_file_that_is_no_profile_is_found_before_the_evening(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text("<!doctype html>")
    file.write_text("[ear]\nprofile = 'page.html'\nsources = { red = 'USB' }\n")
    assert run(["settings", "check", str(file)]) == 1
    assert "PT-401" in capsys.readouterr().out

    missing = "sources = { red = 'USB', blue = '/dev/ttyUSB0' }\nprofile = 'a'\nshell_profile = 'b'"
    file.write_text(f"[ear]\n{missing}\n[taps]\nsource = 'Card'\nprofile = 'c'\n")
    assert run(["settings", "check", str(file)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[2] for line in said] == [
        "profile in [ear]",
        "shell_profile in [ear]",
        "profile in [taps]",
    ]
