"""Each main_*.py in a real MicroPython on a stub of a board: what it says and where, how it sleeps, how it fails."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from tests.firmware.on_micropython import HERE
from tests.parts import ROOT, needs

pytestmark = needs("micropython")
C3_NEW = ["wake_on_gpio", "mcu_temperature"]  # what `esp32` has on which chip, and in which MicroPython
C3_NONE = ["mcu_temperature"]  # 1.26
C3_OLD = ["wake_on_ext0", "mcu_temperature"]  # 1.22: the call does nothing there (micropython #16839)
S3 = ["wake_on_ext0", "ULP"]
SLEEP_SOON = polar.encode(p.Configure(p.Stamp(0xFF, 1, 0), 0, 4, True, True, True, 5))
Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run() -> Iterator[Run]:
    process = subprocess.Popen(
        ["node", str(HERE / "carrier.mjs"), str(ROOT / "firmware"), str(HERE / "boards.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask(main: str, seconds: float, esp32: list[str], heard: bytes = b"", **more: Any) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        question = {"main": main, "seconds": seconds, "esp32": esp32, "heard": heard.hex(), **more}
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        told: dict[str, Any] = json.loads(process.stdout.readline())
        for way in ("air", "usb"):
            told[way] = list(polar.PolarDecoder().feed(bytes.fromhex(told[way])))
        return told

    yield ask
    process.kill()
    process.wait()


def kinds(packets: list[p.PolarPacket], kind: type) -> list[Any]:
    return [packet for packet in packets if isinstance(packet, kind)]


@pytest.mark.parametrize(
    ("esp32", "call"),
    [
        (C3_NEW, ["wake_on_gpio", "(pin 4,)", True]),
        (S3, ["wake_on_ext0", "pin 4", True]),
    ],
    ids=["ESP32-C3", "ESP32-S3"],
)
@pytest.mark.parametrize("main", ["main_cube.py", "main_igloo.py"])
def test_a_node_sleeps_where_its_chip_can_be_woken(
    run: Run, main: str, esp32: list[str], call: list[Any]
) -> None:
    told = run(main, 60, esp32, SLEEP_SOON)
    assert told["done"][-2:] == [call, ["deepsleep"]]
    assert told["int1 routed"]
    assert not told["wakes itself"]
    assert kinds(told["air"], p.Log)[-1].text == "asleep until moved"


@pytest.mark.parametrize("esp32", [C3_OLD, C3_NONE], ids=["a call that does nothing", "no call"])
def test_a_board_that_no_pin_wakes_does_not_sleep_for_ever(run: Run, esp32: list[str]) -> None:
    told = run("main_cube.py", 9, esp32, SLEEP_SOON)
    assert told["done"][-1] == ["over"]
    assert not told["int1 routed"]  # the IMU measures on
    assert kinds(told["air"], p.Log)[0].text.startswith("stays awake")
    assert kinds(told["air"], p.Motion)[-1].stamp.us > 8_000_000


def test_a_cube_on_its_own_cable_speaks_there(run: Run) -> None:
    """No radio, no cell, no sleep: a port that vanished from the host would be a cable that was pulled."""
    heard = polar.encode(p.HelloRequest(p.Stamp(1, 1, 0)))
    told = run("main_cube_usb.py", 810, C3_NEW, heard, skips=2)
    assert told["air"] == []
    assert ["kbd_intr", -1] in told["done"]  # a byte 3 is data
    assert told["done"].index(["sleep_ms", 2000]) < told["done"].index(["kbd_intr", -1])
    assert told["done"][-1] == ["over"]
    motion = kinds(told["usb"], p.Motion)
    assert sum(len(m.rates) for m in motion) == pytest.approx(10e6 / 4808, rel=0.03)
    hellos = kinds(told["usb"], p.Hello)
    assert {(h.kind, h.stamp.node, h.battery_mv) for h in hellos} == {("cube", 1, 0)}
    assert min(b.stamp.us - a.stamp.us for a, b in pairwise(hellos)) < 1_500_000  # it was asked
    assert not any(s.low for s in kinds(told["usb"], p.Status))


def test_a_cube_on_its_own_cable_stays_awake_whatever_everybody_is_told(run: Run) -> None:
    told = run("main_cube_usb.py", 12, C3_NEW, SLEEP_SOON)
    assert told["done"][-1] == ["over"]
    assert kinds(told["usb"], p.Motion)[-1].stamp.us > 11_000_000
    assert kinds(told["usb"], p.Log) == []


def test_a_seat_on_its_cable_is_felt_all_the_time(run: Run) -> None:
    told = run("main_seat.py", 12, C3_NEW, SLEEP_SOON)
    assert told["air"] == []
    assert told["done"][-1] == ["over"]
    assert {(h.kind, h.stamp.node, h.battery_mv) for h in kinds(told["usb"], p.Hello)} == {("seat", 33, 0)}
    bursts = kinds(told["usb"], p.Burst)
    assert bursts[-1].stamp.us > 11_000_000
    assert sum(len(b.accels) for b in bursts) == pytest.approx(12e6 / 4808, rel=0.03)
    assert bursts[-1].accels[-1] == pytest.approx(
        (0.0, 0.0, 1.0), abs=1e-3
    )  # the range is what it is read by


def test_a_dongle_hands_on_and_never_sleeps(run: Run) -> None:
    air = polar.encode(p.Button(p.Stamp(17, 6, 0), 1, True))
    told = run("main_dongle.py", 820, C3_NEW, air, skips=2)
    assert told["done"][-1] == ["over"]
    assert [b.stamp.node for b in kinds(told["usb"], p.Button)] == [17]
    assert {(s.battery_mv, s.low) for s in kinds(told["usb"], p.Status)} == {(0, False)}
    room = next(entry[1]["rxbuf"] for entry in told["done"] if entry[0] == "espnow.config")
    assert room >= 12 * 3 * 260 / 2  # half of the igloos begin a burst at once, three full frames each
    assert told["done"].index(["espnow.config", {"rxbuf": room}]) < told["done"].index(
        ["espnow.active", True]
    )


@pytest.mark.parametrize("main", ["main_cube.py", "main_igloo.py", "main_dongle.py"])
def test_what_nobody_foresaw_is_told_and_the_board_begins_anew(run: Run, main: str) -> None:
    told = run(main, 20, C3_NEW, breaks_at_s=3)
    assert told["done"][-1] == ["reset"]
    said = told["usb" if "dongle" in main else "air"]
    assert "buffer error" in kinds(said, p.Log)[-1].text
