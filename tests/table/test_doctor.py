"""The doctor: numbered checks, each with what it found and how to mend it; it never faints."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings
from table.doctor import machine, senses
from table.doctor.checks import all_checks, journal
from table.doctor.findings import Check, good
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


def test_ports_that_the_settings_name_and_nobody_plugged_in() -> None:
    settings = Settings(cubes={"ports": ("/dev/ttyCUBE7",)})
    finding = senses.ports(settings)
    assert finding.state == "bad"
    assert "/dev/ttyCUBE7" in finding.what


def test_buttons_on_a_machine_without_pins(tmp_path: Path) -> None:
    assert senses.pins(Settings.read(None), tmp_path).state == "not here"
    assert senses.pins(Settings(buttons={"red": 17}), tmp_path).state == "bad"
    (tmp_path / "gpiochip0").write_text("")
    assert senses.pins(Settings(buttons={"red": 17}), tmp_path).state == "good"


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


def test_good_news_needs_no_mend() -> None:
    assert good("fine").mend == ""
