"""`polartable devices` as a user meets it: what is ours at which port, why, and which node shines."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

from hw_mock.igloo.nodes import ShakenNodes
from hw_mock.ports import PtyPort
from tests.table.commands.running import called, lines, run, start


def test_devices_says_what_is_ours_and_why() -> None:
    """Simulated cubes on one dongle, found by listening; and a port on which nothing speaks."""
    simulation = start("simulate", "cubes", "--wiring", "dongle", "--json", "--seconds", "30")
    silent = PtyPort()
    assert simulation.stdout is not None
    (name,) = json.loads(simulation.stdout.readline())["ports"]
    done = run("devices", name, silent.name, "/dev/no-such-port", "--json")
    simulation.send_signal(signal.SIGINT)
    simulation.communicate(timeout=20)
    assert simulation.returncode == 0
    assert done.returncode == 1  # one of those that were named is not there
    ours, other, missing = lines(done.stdout)
    assert (ours["ours"], ours["protocol"]) == (True, "polar")
    assert [n.split(" (")[0] for n in ours["nodes"]] == ["cube 1", "cube 2", "cube 3", "cube 4"]
    assert other["ours"] is False
    assert "nothing came" in other["why"]
    assert "there is no port" in missing["why"]
    silent.close()


def test_a_port_that_was_named_and_is_not_there_is_no_perhaps() -> None:
    done = called("devices", "/dev/no-such-port")
    assert done.returncode == 1
    assert "/dev/no-such-port: not heard – it cannot be opened: there is no port" in done.stdout


def test_a_port_is_there_or_not_also_where_nobody_listens(tmp_path: Any, port: PtyPort) -> None:
    (tmp_path / "file").touch()
    for name, why in (("no-such-port", "there is no port "), ("file", "/file is a file, not a serial port")):
        done = called("devices", str(tmp_path / name), "--no-listen")
        assert done.returncode == called("devices", str(tmp_path / name)).returncode == 1
        assert ": not heard – it cannot be opened: " in done.stdout
        assert why in done.stdout
    unheard = called("devices", port.name, "--no-listen")
    assert unheard.returncode == 0
    assert (
        f"{port.name}: perhaps" in unheard.stdout
    )  # nor does the UART on a Raspberry Pi's pins have a chip on USB
    address = called("devices", "socket://localhost:1", "--no-listen")
    assert address.returncode == 0
    assert ": perhaps – an address shows nothing until it is opened; we did not listen" in address.stdout


def test_an_igloo_that_is_told_to_shines_in_simulation_as_well(tmp_path: Path) -> None:
    """The nodes of `simulate igloos`, on a real port: the third of them does as it is told, and no other."""
    shaken = ShakenNodes((3, 5, 7), shake_s=0.3, pause_s=10.0)
    speaks, ended = threading.Event(), threading.Event()
    port = PtyPort(tmp_path / "igloos")
    shown = set[tuple[tuple[int, int, int], ...]]()

    def write(said: bytes) -> None:
        port.write(said)
        shown.add(tuple(node.light for node in shaken.nodes))
        speaks.set()

    def simulate() -> None:
        for _ in shaken.run(time.monotonic, time.sleep, write, ended.is_set, port.read):
            pass

    hands = threading.Thread(target=simulate, daemon=True)
    hands.start()
    try:
        assert speaks.wait(30.0)
        done = called("devices", port.name, "--identify", "19")
        until = time.monotonic() + 10.0
        while len(shown) < 2 and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        ended.set()
        hands.join(10.0)
        port.close()
    assert done.returncode == 0, done.stderr
    assert "node 19 was told to shine" in done.stdout
    dark = (0, 0, 0)
    assert shown == {(dark, dark, dark), (dark, dark, (255, 255, 255))}


def test_devices_lets_a_node_shine() -> None:
    """Which of the four cubes is number 3? Only what is plainly ours is written to."""
    simulation = start("simulate", "cubes", "--wiring", "dongle", "--json", "--seconds", "30")
    assert simulation.stdout is not None
    (name,) = json.loads(simulation.stdout.readline())["ports"]
    done = called("devices", name, "--seconds", "1", "--identify", "3")
    nobody = called("devices", name, "--seconds", "1", "--identify", "99")
    simulation.send_signal(signal.SIGINT)
    simulation.communicate(timeout=20)
    assert "node 3 was told to shine" in done.stdout
    assert done.returncode == 0
    assert "shine" not in nobody.stdout
    assert nobody.stderr == (
        "polartable: PT-305: node 99 spoke at none of these ports, so nobody was told to shine – "
        "wake it, look at its power, or name one of those that spoke\n"
    )
    assert nobody.returncode == 1
    refused = called("devices", name, "--no-listen", "--identify", "3")
    assert refused.returncode == 2
    assert "leave out --no-listen" in refused.stderr
