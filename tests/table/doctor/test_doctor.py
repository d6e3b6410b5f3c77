"""The doctor: numbered checks of the machine, its ports and journal, each with how to mend it; it never faints."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings
from table.doctor import machine, senses
from table.doctor.checks import all_checks, journal, last_written
from table.doctor.findings import Check, Finding, good
from tests.table.games import new_ice_cult, play_on


def test_every_check_has_its_own_number_and_says_something() -> None:
    checks = all_checks(Settings.read(None))
    assert len({c.number for c in checks}) == len(checks) >= 12
    for check in checks:
        finding = check.found()
        assert finding.what
        assert finding.mend or finding.state in ("good", "not here")


def test_a_check_that_fails_itself_is_a_finding() -> None:
    def faint() -> None:
        raise OSError("no such thing")

    finding = Check(99, "x", faint).found()  # type: ignore[arg-type]
    assert finding.state == "look"
    assert "no such thing" in finding.what


def test_json_is_one_line_a_check_and_the_exit_code_tells(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["doctor", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["check"] for line in lines] == sorted(line["check"] for line in lines)
    assert code == (1 if any(line["state"] == "bad" for line in lines) else 0)


def test_a_pi_with_a_weak_supply(tmp_path: Path) -> None:
    chip = tmp_path / "hwmon0"
    chip.mkdir()
    (chip / "name").write_text("rpi_volt\n")
    (chip / "in0_lcrit_alarm").write_text("1\n")
    assert machine.power(tmp_path).state == "bad"
    (chip / "in0_lcrit_alarm").write_text("0\n")
    assert machine.power(tmp_path).state == "good"
    assert machine.power(tmp_path / "nothing").state == "not here"
    firmware = tmp_path / "get_throttled"
    for word, state in (("0", "good"), ("50000", "look"), ("50005", "bad"), ("80008", "good")):
        firmware.write_text(word + "\n")  # what the firmware remembers, in hexadecimal
        assert machine.power(tmp_path / "nothing", firmware).state == state


@pytest.mark.parametrize(("milli", "state"), [(45_000, "good"), (85_000, "look")])
def test_a_pi_in_the_sun(tmp_path: Path, milli: int, state: str) -> None:
    zone = tmp_path / "thermal_zone0"
    zone.mkdir()
    (zone / "temp").write_text(f"{milli}\n")
    assert machine.warmth(tmp_path).state == state


def test_a_clock_that_was_never_set(tmp_path: Path) -> None:
    assert machine.clock(datetime(1970, 1, 1, tzinfo=UTC)).state == "bad"
    later = datetime(2027, 5, 1, tzinfo=UTC)
    assert machine.clock(later, tmp_path / "synchronized").state == "look"
    (tmp_path / "synchronized").write_text("")
    assert machine.clock(later, tmp_path / "synchronized").state == "good"


def test_a_clock_that_stands_before_the_journals_last_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "journal.sqlite"
    assert last_written(book) is None
    new_ice_cult(book)
    written = last_written(book)
    assert written is not None
    for ahead, state in (
        (timedelta(days=30), "look"),
        (timedelta(seconds=90), "good"),
        (-timedelta(days=30), "good"),
    ):
        assert machine.clock(written - ahead, tmp_path / "no/s", written).state == state
    (tmp_path / "synchronized").write_text("")
    finding = machine.clock(written - timedelta(days=30), tmp_path / "synchronized", written)
    assert finding.state == "good"  # the network knows
    assert "the clock was ahead then" in finding.what
    settings = Settings.model_validate({"journal": {"file": book}})
    with monkeypatch.context() as patched:
        patched.setattr(machine, "clock", lambda now, written=None: Finding("look", str(written), ""))
        assert all_checks(settings)[3].run().what == str(written)
    (tmp_path / "other").write_bytes(b"no journal" * 100)
    assert last_written(tmp_path / "other") is None


def test_ports_that_the_settings_name_and_nobody_plugged_in() -> None:
    settings = Settings(cubes={"ports": ("/dev/ttyCUBE7",)})
    finding = senses.ports(settings)
    assert finding.state == "bad"
    assert "/dev/ttyCUBE7" in finding.what
    igloos = Settings(ear={"sources": {"red": "/dev/ttyIGLOO7#17", "blue": "no serial port"}})
    assert senses.ports(igloos).what == "/dev/ttyIGLOO7 is not there"
    simulated = Settings(ear={"sources": {"red": "/nowhere/igloos#17"}})
    assert senses.ports(simulated).what == "/nowhere/igloos is not there"
    seat = Settings(taps={"source": "/dev/ttySEAT7", "profile": "seat.profile"})
    assert senses.ports(seat).what == "/dev/ttySEAT7 is not there"


def test_buttons_on_a_machine_without_pins(tmp_path: Path) -> None:
    assert senses.pins(Settings.read(None), tmp_path).state == "not here"
    assert senses.pins(Settings(buttons={"red": 17}), tmp_path).state == "bad"
    (tmp_path / "gpiochip0").write_text("")
    assert senses.pins(Settings(buttons={"red": 17}), tmp_path).state == "good"


def test_a_light_on_a_machine_without_pins(tmp_path: Path) -> None:
    """A table with a light or buzzer does not start there either."""
    for part in ("light", "buzzer"):
        finding = senses.pins(Settings(lights={part: 17}), tmp_path)
        assert (finding.state, finding.mend) == ("bad", "leave [lights] out of the settings")
    both = senses.pins(Settings(buttons={"red": 18}, lights={"light": 17}), tmp_path)
    assert both.mend == "leave [buttons] and [lights] out of the settings"


def test_a_light_without_the_library_that_drives_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").write_text("")
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(senses.importlib.util, "find_spec", lambda name: None)
    assert "lgpio" in senses.pins(Settings(lights={"light": 17}), tmp_path).what


def test_a_journal_that_somebody_edited(tmp_path: Path) -> None:
    book = tmp_path / "journal.sqlite"
    assert journal(book).state == "not here"
    play_on(new_ice_cult(book), 4)
    assert journal(book).state == "good"
    with sqlite3.connect(book) as db:
        db.executescript("DROP TRIGGER no_loss; DELETE FROM entries WHERE seq = 2")
    finding = journal(book)
    assert finding.state == "bad"
    assert "entry 2" in finding.what


def test_a_journal_of_one_game_is_told_as_journal_verify_tells_it(tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    new_ice_cult(book)._journal.close()
    finding = journal(book)
    assert (finding.state, finding.what) == ("good", "1 entry of 1 game, all sound")


def test_a_package_that_is_missing_or_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.unmet("polartable") == []
    info = tmp_path / "icebox-1.0.dist-info"
    info.mkdir()
    needed = [
        "numpy>=99",
        "no-such-thing",
        "typer>=0.1",
        "also-not; extra == 'x'",
        "nor-this; python_version < '3'",
    ]
    lines = [
        "Metadata-Version: 2.1",
        "Name: icebox",
        "Version: 1.0",
        *(f"Requires-Dist: {n}" for n in needed),
    ]
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    wrong = machine.unmet("icebox")
    assert len(wrong) == 2
    assert wrong[0].endswith(">=99 is needed")
    assert wrong[1] == "no-such-thing is missing"


@pytest.mark.parametrize(
    "named",
    [
        lambda port: Settings(cubes={"ports": (port,)}),
        lambda port: Settings(ear={"sources": {"red": f"{port}#17", "blue": f"{port}#18"}}),
        lambda port: Settings(taps={"source": port, "profile": "seat.profile"}),
    ],
    ids=["cubes", "igloos", "counting seat"],
)
def test_a_stranger_on_a_port_of_ours_is_named(tmp_path: Path, named: Callable[[str], Settings]) -> None:
    """A real process holds a real pseudo-terminal open, as a forgotten serial monitor does."""
    there, port = os.openpty()
    name = os.ttyname(port)
    link = tmp_path / "cube-1"
    link.symlink_to(name)
    settings = named(str(link))
    os.close(port)
    assert senses.strangers(settings).state in ("good", "look")
    with subprocess.Popen(["sleep", "60"], stdin=os.open(name, os.O_RDWR | os.O_NOCTTY)) as monitor:
        try:
            while Path(f"/proc/{monitor.pid}/comm").read_text() != "sleep\n":
                pass  # a new process bears its parent's name for a moment
            finding = senses.strangers(settings)
            assert (finding.state, finding.mend) == ("bad", f"end it: kill {monitor.pid}")
            assert f"sleep (process {monitor.pid}) has {link} open" in finding.what
        finally:
            monitor.kill()
    os.close(there)


def test_a_port_that_two_programs_of_ours_have_open_is_named_once(tmp_path: Path) -> None:
    """The table and a simulation at the other end were told as one list with everything twice."""
    for number in ("4711", "4712"):
        process = tmp_path / number
        (process / "fd").mkdir(parents=True)
        (process / "comm").write_text("python\n")
        (process / "cmdline").write_bytes(b"/usr/bin/python\0polartable\0serve\0")
        for handle, port in (("3", "/dev/ttyA"), ("4", "/dev/ttyB"), ("5", "/dev/ttyA")):
            (process / "fd" / handle).symlink_to(port)
    finding = senses.strangers(Settings(cubes={"ports": ("/dev/ttyA", "/dev/ttyB")}), tmp_path)
    assert finding.what == "the table itself has /dev/ttyA, /dev/ttyB open"


def test_programs_that_open_ports_unasked(tmp_path: Path) -> None:
    process, rules = tmp_path / "proc" / "4711", tmp_path / "70-polartable.rules"
    process.mkdir(parents=True)
    (process / "comm").write_text("ModemManager\n")
    (process / "cmdline").write_bytes(b"/usr/sbin/ModemManager\0")
    finding = senses.strangers(Settings.read(None), process.parent, rules)
    assert (finding.state, "setup" in finding.mend) == ("look", True)
    rules.write_text("")  # once our rules are there it keeps away
    assert senses.strangers(Settings.read(None), process.parent, rules).state == "good"


def test_good_news_needs_no_mend() -> None:
    assert good("fine").mend == ""
