"""The doctor: numbered checks, each with what it found and how to mend it; it never faints."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from table.cli import run
from table.config import Settings
from table.doctor import machine, senses, service, sound
from table.doctor.checks import all_checks, awake, journal
from table.doctor.findings import Check, good
from table.setup.plan import UNIT, unit
from table.starts import Starts
from table.watchdog import Senses
from tests.parts import ROOT, needs
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


# what comes from a microphone

T = np.arange(57_600) / 48_000
ROOM = np.random.default_rng(1).normal(size=T.size).astype(np.float32) * 1e-4


@pytest.mark.parametrize(
    ("samples", "rate", "state", "words"),
    [
        (ROOM, 48_000.0, "good", "48000 Hz"),
        (ROOM + 0.2, 48_000.0, "good", "48000 Hz"),  # a cheap sound card's offset is no loudness
        (np.zeros_like(ROOM), 48_000.0, "bad", "quite silent"),
        (np.full_like(ROOM, 0.2), 48_000.0, "bad", "quite silent"),
        (np.clip(ROOM * 1e5, -1, 1), 48_000.0, "look", "overdriven"),
        (np.where(T > 1.19, 1.0, ROOM), 48_000.0, "look", "overdriven"),
        (np.where(T == 0.5, 1.0, ROOM), 48_000.0, "good", "peak 1.000"),  # one tick is none
        (ROOM, 44_100.0, "look", "says 44100 Hz and delivers about 48000"),
        (ROOM[:20_000], 16_000.0, "look", "says 16000 Hz and delivers about 48000"),
        (ROOM[:100], 48_000.0, "bad", "hardly any sound"),
    ],
)
def test_a_microphone_that_is_silent_overdriven_or_of_another_rate(
    samples: np.ndarray, rate: float, state: str, words: str
) -> None:
    block = 960
    seconds = max(0.0, (len(samples) - block) / 48_000)
    finding = sound.judge("mic", sound.Moment(samples.astype(np.float32), rate, seconds, block))
    assert (finding.state, words in finding.what) == (state, True), finding.what


def test_lost_blocks_are_told() -> None:
    moment = sound.Moment(ROOM, 48_000.0, (len(ROOM) - 960) / 48_000, 960, lost=3)
    assert sound.judge("mic", moment).state == "look"


@needs("portaudio", "pulseaudio")
def test_a_real_capture_stream_that_is_silent_or_is_not_there(tmp_path: Path) -> None:
    from tests.virtual_sound import VirtualSound, polartable

    file = tmp_path / "table.toml"
    with VirtualSound(tmp_path) as card:
        for name, words in (("igloo_mic", "quite silent"), ("no-such-mic", "no-such-mic")):
            file.write_text(f'[ear]\nsources = {{ red = "{name}" }}\n')
            done = subprocess.run(
                [*polartable("doctor", "--config", str(file), "--json")],
                env=card.environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
            )  # fmt: skip
            found = {line["check"]: line for line in map(json.loads, done.stdout.splitlines())}
            assert done.returncode == 1
            assert (found[8]["state"], words in found[8]["what"]) == ("bad", True), found[8]


def test_a_profile_for_another_sensor(tmp_path: Path) -> None:
    from sensors.ear.profile import load_shipped, save

    save(load_shipped("accelerometer"), tmp_path / "shell.profile")
    settings = Settings(ear={"sources": {"red": "USB"}, "profile": tmp_path / "shell.profile"})
    finding = sound.profile(settings)
    assert finding.state == "bad"
    assert "made for an accelerometer" in finding.what
    (tmp_path / "torn.profile").write_text('{"format": "polar')
    assert sound.profile(Settings(ear={"profile": tmp_path / "torn.profile"})).state == "bad"


def test_the_running_table_is_asked_for_its_own_microphones() -> None:
    live = Senses(lambda change: None)
    assert awake(live).state == "not here"
    dog = live.watch("microphone of red", "look at its plug", 0.0)
    assert awake(live).state == "good"
    dog.alive(0.0, -120.0)
    dog.alive(1.9, -120.0)
    assert awake(live).state == "good"  # every source begins with nothing
    dog.alive(2.1, -120.0)
    assert (awake(live).state, awake(live).what) == ("bad", "microphone of red is quite silent")
    dog.alive(2.2, -110.0)
    assert awake(live).state == "good"
    dog.lost(1.0, "USB Audio fell silent")
    assert (awake(live).state, awake(live).mend) == ("bad", "look at its plug")
    checks = all_checks(Settings(ear={"sources": {"red": "no-such"}}), live=live)
    assert checks[7].found().what == "microphone of red: USB Audio fell silent"


async def test_the_doctor_in_a_shell_asks_the_running_table_about_its_microphones() -> None:
    """A real table whose microphone is not there; nobody else may open the one that it holds."""
    import asyncio

    from fastapi import FastAPI

    from firmware_bridge.clock import SystemClock
    from table.access import Access
    from table.api import router
    from table.doctor.running import senses_of_running_table
    from table.journal.store import Journal
    from table.service import listen
    from table.service import run as serve
    from table.table_room import TableRoom

    sock = listen("127.0.0.1", 0)
    settings = Settings(serve={"port": sock.getsockname()[1]}, ear={"sources": {"red": "no-such"}})
    assert senses_of_running_table(Settings(serve={"port": 9})) is None
    clock = SystemClock()
    access = Access(clock, lan=False)
    room = TableRoom(settings, clock, Journal(None), access)
    room.senses.watch("microphone of red", "look", 0.0).lost(1.0, "it fell silent")
    switched_off = room.senses.watch("microphone of blue", "look", 0.0)
    for second in range(4):
        switched_off.alive(float(second), -120.0)
    found = []

    async def ready() -> None:
        found.append(await asyncio.to_thread(senses_of_running_table, settings))
        os.kill(os.getpid(), 15)

    web = FastAPI()
    web.include_router(router(room))
    await serve(web, sock, ready)
    await room.stop()
    assert found[0] is not None
    checks = all_checks(settings, live=found[0])
    assert checks[7].found().what == "microphone of red: it fell silent"
    assert [dog.mute for dog in found[0].dogs.values()] == [False, True]


# strangers


def test_a_stranger_on_a_port_of_ours_is_named(tmp_path: Path) -> None:
    """A real process holds a real pseudo-terminal open, as a forgotten serial monitor does."""
    there, port = os.openpty()
    name = os.ttyname(port)
    link = tmp_path / "cube-1"
    link.symlink_to(name)
    settings = Settings(cubes={"ports": (str(link),)})
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


def test_programs_that_open_ports_unasked(tmp_path: Path) -> None:
    process, rules = tmp_path / "proc" / "4711", tmp_path / "70-polartable.rules"
    process.mkdir(parents=True)
    (process / "comm").write_text("ModemManager\n")
    (process / "cmdline").write_bytes(b"/usr/sbin/ModemManager\0")
    finding = senses.strangers(Settings.read(None), process.parent, rules)
    assert (finding.state, "setup" in finding.mend) == ("look", True)
    rules.write_text("")  # once our rules are there it keeps away
    assert senses.strangers(Settings.read(None), process.parent, rules).state == "good"


# the service


def test_settings_that_cannot_be_used_are_a_finding_and_not_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[serve]\nprot = 1\n")
    assert run(["doctor", "--config", str(file), "--json"]) == 1
    found = {line["check"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(found) >= 16
    assert "line 2" in found[14]["what"]


def test_starts_that_did_not_finish(tmp_path: Path) -> None:
    assert service.starts(tmp_path).state == "good"
    Starts(tmp_path).begin()
    assert service.starts(tmp_path).state == "look"
    Starts(tmp_path).begin()
    assert service.starts(tmp_path).state == "bad"


def test_a_unit_of_another_version(tmp_path: Path) -> None:
    file = tmp_path / UNIT.name
    assert service.installed(file).state == "not here"
    file.write_text(unit(lan=True).replace("ProtectHome=yes\n", ""))
    assert "not the one of this version" in service.installed(file).what


def test_the_doctor_is_put_under_every_restriction_of_the_unit() -> None:
    text = unit(lan=False)
    command = service.inside(text, ["/opt/polartable/current/bin/polartable", "doctor"])
    given = [command[i + 1] for i, word in enumerate(command) if word == "-p"]
    for line in (
        "User=polartable",
        "ProtectSystem=strict",
        "DevicePolicy=closed",
        "SystemCallFilter=@system-service",
    ):
        assert line in given
    assert not any(line.startswith(("Type=", "ExecStart=", "WatchdogSec=", "Restart=")) for line in given)
    assert len(given) > 40
    assert command[-2:] == ["/opt/polartable/current/bin/polartable", "doctor"]
    assert run(["doctor", "--as-service"]) == 2  # no unit on a machine of tests


def test_good_news_needs_no_mend() -> None:
    assert good("fine").mend == ""
