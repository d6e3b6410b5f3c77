"""`polartable cubes`, `simulate cubes` and `calibrate cubes` as a user meets them: the real commands."""

from __future__ import annotations

import itertools
import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import bno08x_rvc, polar
from firmware_bridge import packets as p
from firmware_bridge.clock import SystemClock
from hw_mock.ports import PtyPort
from sensors.evidence import CubePose
from table.commands.cubes import _Run
from tests.table.commands.running import called, lines, run, start


def test_four_simulated_cubes_are_followed_through_real_ports() -> None:
    done = run("cubes", "mock", "--seconds", "6", "--json", "--stats")
    assert done.returncode == 0, done.stderr
    events = lines(done.stdout)
    kinds = [e["event"] for e in events]
    assert kinds[:4] == ["link"] * 4
    assert {e["state"] for e in events if e["event"] == "link"} == {"open"}
    poses = [e for e in events if e["event"] == "pose"]
    first = {e["slot"]: (e["cube"], e["up"], e["north"]) for e in reversed(poses)}
    assert first == {
        "NW": ("A", "U", "N"),
        "NE": ("B", "U", "N"),
        "SE": ("C", "U", "N"),
        "SW": ("D", "U", "N"),
    }
    assert "tilt" in kinds
    assert kinds[-4:] == ["count"] * 4
    assert all(e["frames"] > 100 and e["bad"] == e["lost"] == e["repeated"] == 0 for e in events[-4:])
    assert kinds.count("count") >= 16  # each second, and on leaving


def test_a_pose_is_told_where_it_changed_and_not_where_more_is_known_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = _Run("polar", None, stats=False, as_json=True, baud=None)
    pose = CubePose(2.0, "A", "NW", "U", "N", 1.8, 0.0, headings=(0.6, 0.2, 0.05, 0.15))
    run._tell(pose)
    run._tell(replace(pose, margin_deg=86.4, headings=(), changed=False))
    (told,) = lines(capsys.readouterr().out)
    assert told == {
        "event": "pose", "t": 2.0, "cube": "A", "slot": "NW", "up": "U", "north": "N",
        "off_deg": 1.8, "margin_deg": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_with_the_counts(port: PtyPort, number: int) -> None:
    process = start("cubes", port.name, "--protocol", "bno08x-rvc", "--json")
    assert process.stdout is not None
    opened = json.loads(process.stdout.readline())
    assert opened == {
        "event": "link",
        "port": port.name,
        "state": "open",
        "protocol": "bno08x-rvc",
        "why": "as asked for",
        "t": opened["t"],
    }
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    assert [e["event"] for e in lines(out)] == ["count"]
    assert "Traceback" not in err


def test_a_quarter_turn_of_a_bno08x_is_told(port: PtyPort) -> None:
    """A stranger's cube: RVC frames, paced by the clock as the chip paces them, yaw from 12° to −78° in a second."""
    process = start("cubes", port.name, "--json")
    assert process.stdout is not None
    clock = SystemClock()
    told: list[dict[str, Any]] = []
    text = ""
    index = since = 0
    yaw = 12.0
    while not any(e["event"] == "turn" for e in told):
        assert clock.now() < 50, told
        while index < clock.now() * 100:
            if any(e["event"] == "pose" for e in told):  # it has said how the cube lies: now turn it
                since += 1
                yaw = max(-78.0, 12.0 - 0.9 * since)
            port.write(bno08x_rvc.encode(index, yaw, 0.3, -0.4, (0.0, 0.0, 1.0)))
            index += 1
        if select.select([process.stdout], [], [], 0.002)[0]:
            text += os.read(process.stdout.fileno(), 65536).decode()
            told, text = told + lines(text[: text.rfind("\n") + 1]), text[text.rfind("\n") + 1 :]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    link, *events = told
    assert (link["protocol"], link["state"]) == ("bno08x-rvc", "open")
    said = [(e["event"], e.get("up"), e.get("north"), e.get("to")) for e in events]
    assert said == [("pose", "U", "N", None), ("pose", "U", "W", None), ("turn", None, None, "cw")]
    assert [e["event"] for e in lines(out)] == ["count"]
    assert port.read() == b""  # never written to


def test_what_is_wrong_with_a_node_is_told(port: PtyPort) -> None:
    """Two boards with one number behind one dongle, whose sensor has failed and whose battery is low."""
    process = start("cubes", port.name, "--json")
    assert process.stderr is not None
    clock, seq, told = SystemClock(), itertools.count(1), set[str]()

    def stamp() -> p.Stamp:
        return p.Stamp(1, next(seq), int(clock.now() * 1e6))

    def hello(uid: str) -> p.Hello:
        level = (1.0, 0.0, 0.0, 0.0)
        return p.Hello(stamp(), "cube", uid * 8, (0, 1, 0), 3300, 200, 2000, 16, True, level, "")

    while len(told) < 3:
        assert clock.now() < 50, told
        for uid in ("aa", "bb"):
            port.write(polar.encode(hello(uid)))
        port.write(polar.encode(p.Log(stamp(), 3, "IMU does not answer")))
        port.write(polar.encode(p.Status(stamp(), 3300, 20.0, 5, 0, False, True)))
        while select.select([process.stderr], [], [], 0.2)[0]:
            told.add(process.stderr.readline().rstrip())
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    node = f"polartable: {port.name}: "
    assert told == {
        f"{node}cube 1: IMU does not answer – look at the node",
        f"{node}cube 1: its battery is low (3.30 V) – charge it",
        f"{node}two boards call themselves node 1 ({'aa' * 8} and {'bb' * 8}) – "
        "give each its own NUMBER, and each table in the room its own CHANNEL",
    }
    assert {e["event"] for e in lines(out)} <= {"link", "count"}  # what programs read


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("/dev/no-such-port",), "PT-301: there is no port /dev/no-such-port"),
        (("/dev/null",), "PT-304: /dev/null cannot be opened as a serial port"),
        (("mock", "/dev/null"), "mock stands for all four cubes"),
        (("mock", "--protocol", "morse"), "there is no protocol 'morse'"),
        (("mock", "--temper", "wild"), "there is no temper 'wild'"),
        (("/dev/no-such-port", "/dev/no-such-port"), "was given twice"),
        (("mock", "--seconds", "soon"), "--seconds"),
        ((), "Missing argument"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    done = called("cubes", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_somebody_has_is_named_taken(port: PtyPort) -> None:
    import serial

    with serial.Serial(port.name, exclusive=True):
        done = run("cubes", port.name)
    assert done.returncode == 2
    assert "PT-302" in done.stderr


def test_one_port_that_is_missing_does_not_stop_the_others(port: PtyPort) -> None:
    done = called("cubes", port.name, "/dev/no-such-port", "--json", "--seconds", "1", "--protocol", "polar")
    assert done.returncode == 0
    states = {e["port"]: e["state"] for e in lines(done.stdout) if e["event"] == "link"}
    assert states == {port.name: "open", "/dev/no-such-port": "lost"}


def test_simulated_traffic_with_faults_can_be_kept_in_files(tmp_path: Any) -> None:
    done = run(
        "simulate", "cubes", "--out", str(tmp_path), "--fault", "drop=0.2", "--seconds", "2", "--lead", "0.2"
    )
    assert done.returncode == 0, done.stderr
    assert all((tmp_path / f"cube-{i}.bin").stat().st_size > 3000 for i in range(1, 5))
    refused = called("simulate", "cubes", "--fault", "gremlins=1")
    assert refused.returncode == 2
    assert "is no fault" in refused.stderr


@pytest.mark.parametrize("command", [("cubes",), ("devices",), ("simulate", "cubes"), ("calibrate", "cubes")])
def test_every_command_has_an_example(command: tuple[str, ...]) -> None:
    done = called(*command, "--help")
    assert done.returncode == 0
    assert "Example: polartable" in done.stdout


def test_the_wizard_is_tried_on_simulated_cubes(tmp_path: Path) -> None:
    """Enter for each question, `r` once; the real calibration is never touched."""
    words = ["calibrate", "cubes", "mock", "--json", "--slot", "SE"]
    refused = called(*words)
    assert refused.returncode == 2
    assert "say where: --out FILE" in refused.stderr
    out = tmp_path / "cubes.json"
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "--out", str(out)],
        input="\n\nr\n" + 8 * "\n",
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    # in real time a face that is turned up late, on a busy machine, is asked for once more
    told = [e for e in lines(done.stdout) if e["step"] != "face" or e["ok"]]
    steps = [(e["step"], e.get("face"), e.get("ok")) for e in told]
    faces = [("face", face, True) for face in "UUNED"]
    assert steps == [("found", None, True), *faces, ("fit", None, True), ("saved", None, None)]
    (cube,) = json.loads(out.read_text())["cubes"]
    assert (cube["slot"], cube["uid"]) == ("SE", "c0be000000000003")
    assert cube["off_deg"] < 3
