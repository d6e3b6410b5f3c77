"""What cannot be simulated is refused where it is asked for: a test on cubes that are dumb for a slip would pass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.clock import VirtualClock
from hw_mock import pytest_plugin
from hw_mock.bench.cubes import SimulatedCubes
from hw_mock.cubes import SimulatedTable
from hw_mock.cubes.node import PROTOCOLS
from hw_mock.ports import Faults, FaultyWire


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (
            {"protocol": "usb"},
            f"there is no protocol 'usb'; known are {', '.join(PROTOCOLS)}",
        ),
        ({"protocol": "witmotoin"}, "there is no protocol 'witmotoin'; did you mean witmotion?"),
        ({"temper": "nervous"}, "there is no temper 'nervous'; known are calm, brisk, hasty"),
        ({"wiring": "dongel"}, "there is no wiring 'dongel'; did you mean dongle?"),
        ({"wiring": "dongle", "protocol": "bno08x-rvc"}, "bno08x-rvc carries no node number"),
    ],
)
def test_cubes_that_cannot_be_made(how: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        SimulatedTable(VirtualClock(), **how)
    with pytest.raises(ValueError, match=says.replace("?", r"\?")):
        SimulatedCubes(tmp_path, **how)
    assert list(tmp_path.iterdir()) == []  # nor is a port left open


def test_cubes_in_real_time_have_ports(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="in virtual time"):
        SimulatedCubes(tmp_path, wiring="none")


def test_an_act_in_a_temper_that_there_is_not() -> None:
    table = SimulatedTable(VirtualClock(), wiring="none")
    with pytest.raises(ValueError, match="there is no temper 'hastily'; did you mean hasty"):
        table.hands.plan_tilt("n", "S", temper="hastily")


@pytest.mark.parametrize("share", [5, -1, math.nan, math.inf])
def test_a_share_of_frames_is_between_none_and_all(share: float) -> None:
    wire = FaultyWire()
    for fault in ("drop", "slow_clock"):
        with pytest.raises(ValueError, match=f"{fault} is a share of 0 to 1, not {share}"):
            wire.set(**{fault: share})
    assert wire.faults == Faults()


def test_faults_that_a_wire_cannot_tell(tmp_path: Path) -> None:
    cubes = SimulatedCubes(tmp_path, protocol="bno08x-rvc")
    cubes.faults(drop=0.1)
    with pytest.raises(ValueError, match="bno08x-rvc carries neither node number nor clock"):
        cubes.faults(wrong_node=0.5)
    cubes.close()


def test_cubes_that_fell_silent_say_so_with_the_next_act(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cubes = SimulatedCubes(tmp_path)
    monkeypatch.setattr("threading.excepthook", lambda how: None)

    def breaks(now: float) -> Mapping[str, bytes]:
        raise OSError("no room")

    monkeypatch.setattr(cubes.table, "advance", breaks)
    cubes._thread.join(timeout=60)
    with pytest.raises(RuntimeError, match="fell silent"):
        cubes.tilt("n", "S")
    cubes.close()


def test_a_mark_names_what_it_says() -> None:
    mark = pytest.mark.hw_cubes("hasty").mark
    request: Any = SimpleNamespace(node=SimpleNamespace(get_closest_marker=lambda name: mark))
    with pytest.raises(pytest.UsageError, match=r"hw_cubes\('hasty'\): name each, as in temper="):
        pytest_plugin._marked(request, "hw_cubes")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("buttons=yes", "buttons=gpio"),
        ("cubes=A,B", "one port, of the dongle, or four"),
        ("cubes=A,,B,C", "one port, of the dongle, or four"),
        ("cubes=A,B,B,C", "one port, of the dongle, or four"),
    ],
)
def test_a_desk_that_cannot_be_meant(word: str, says: str) -> None:
    config: Any = SimpleNamespace(getoption=lambda name: [word])
    with pytest.raises(pytest.UsageError, match=says):
        pytest_plugin.real_parts(config)


@pytest.mark.parametrize("word", ["cubes=A", "cubes=A,B,C,D", "buttons=gpio", "mic=USB, the red one"])
def test_a_desk_that_can_be_meant(word: str) -> None:
    config: Any = SimpleNamespace(getoption=lambda name: [word])
    assert len(pytest_plugin.real_parts(config)) == 1


def test_what_makes_buttons_knows_whether_they_are_simulated(hw_buttons: Any) -> None:
    assert hw_buttons.simulated
    assert hw_buttons({"red": 17}).simulated
