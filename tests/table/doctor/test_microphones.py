"""The doctor on microphones: silent, overdriven, lost, of another profile, or held by the running table."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.doctor import sound
from table.doctor.checks import all_checks, awake
from table.senses.watchdog import Senses
from tests.parts import ROOT, needs

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
            for _ in range(3):  # on a crowded machine the sound server itself may be starved for seconds
                done = subprocess.run(
                    [*polartable("doctor", "--config", str(file), "--json")],
                    env=card.environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
                )  # fmt: skip
                found = {line["check"]: line for line in map(json.loads, done.stdout.splitlines())}
                if "fell silent" not in found[8]["what"]:
                    break
            assert done.returncode == 1
            assert (found[8]["state"], words in found[8]["what"]) == ("bad", True), found[8]


def test_a_profile_for_another_sensor(tmp_path: Path) -> None:
    from sensors.ear.profiles.profile import load_shipped, save

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


def test_the_running_table_is_asked_for_its_counting_seat() -> None:
    from table.senses.tap_wire import LiveTaps, TapWire

    live = Senses(lambda change: None)
    TapWire("no-such", None, LiveTaps(), live, VirtualClock())  # type: ignore[arg-type]
    assert awake(live).what == "1 of 1 are heard"
    live.tick(5.0)
    assert (awake(live).state, awake(live).mend) == ("bad", "look at its plug; see: polartable devices")


def test_another_program_at_the_tables_address_is_no_table() -> None:
    """It may not even speak HTTP."""
    from table.doctor.running import senses_of_running_table

    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            there, _ = server.accept()
            with there:
                there.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
                there.recv(1000)

        thread = threading.Thread(target=greet)
        thread.start()
        assert senses_of_running_table(Settings(serve={"port": server.getsockname()[1]})) is None
        thread.join()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_the_doctor_in_a_shell_asks_the_running_table_about_its_microphones(host: str) -> None:
    """A real table whose microphone is not there; nobody else may open the one that it holds."""
    import asyncio

    from firmware_bridge.clock import SystemClock
    from table.doctor.running import senses_of_running_table
    from table.door.access import Access
    from table.journal.store import Journal
    from table.room.table_room import TableRoom
    from table.service.web import without_page
    from table.service.web_service import AddressTaken, listen
    from table.service.web_service import run as serve

    try:
        sock = listen(host, 0)
    except AddressTaken:
        pytest.skip(f"this machine has no {host}")
    settings = Settings(
        serve={"host": host, "port": sock.getsockname()[1]}, ear={"sources": {"red": "no-such"}}
    )
    assert senses_of_running_table(Settings(serve={"port": 9})) is None
    clock = SystemClock()
    access = Access(clock, lan=False)
    room = TableRoom(settings, clock, Journal(None), access)
    room.senses.watch("microphone of red", "look at its battery", 0.0).lost(1.0, "it fell silent")
    switched_off = room.senses.watch("microphone of blue", "look", 0.0)
    for second in range(4):
        switched_off.alive(float(second), -120.0)
    found = []

    async def ready() -> None:
        found.append(await asyncio.to_thread(senses_of_running_table, settings))
        os.kill(os.getpid(), 15)

    await serve(without_page(room, access, ()), sock, ready)
    await room.stop()
    assert found[0] is not None
    checks = all_checks(settings, live=found[0])
    found_there = checks[7].found()
    assert (found_there.what, found_there.mend) == (
        "microphone of red: it fell silent",
        "look at its battery",
    )
    assert [dog.mute for dog in found[0].dogs.values()] == [False, True]
