"""One port, several igloos: one that falls silent is named until it is back, and a pulled cable is named once."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.ear.sources.at_rest import fault_of
from sensors.ear.sources.igloo_port import IglooPort
from table.desk.said import spoken
from table.page.sentences import sentences
from table.senses.ear_wire import EarWire
from table.senses.live import LiveEar
from table.senses.watchdog import Change, Senses
from tests.rattle import shaken_sensor

PORT = "socket://box:7000"
NODE_18 = "igloos of red (node 18)"


class Table:
    """The wire of red's port; `said` are the changes of its senses."""

    def __init__(self, source: str = PORT) -> None:
        self.told: list[Change] = []
        self.clock, self.senses = VirtualClock(), Senses(self.told.append)
        known = profiles.load_shipped("accelerometer")
        told = (lambda seat, heard: None), (lambda seat: None), LiveEar(), self.senses, self.clock
        self.wire = EarWire("red", source, known, *told)

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(change.source, change.state) for change in self.told]

    def blocks(self, seconds: float, *nodes: int) -> None:
        """Blocks of these igloos for so long; a virtual clock goes on meanwhile."""
        for _ in range(round(seconds * 10)):
            self.clock.set(self.clock.now() + 0.1)
            for node in nodes:
                self.wire._block(f"{PORT}#{node}", -60.0)
            self.senses.tick(self.clock.now())

    def lost(self, node: int, why: str = "igloo fell silent") -> None:
        self.wire._take({"event": "link", "source": f"{PORT}#{node}", "state": "lost", "why": why})


def test_an_igloo_that_falls_silent_is_named_until_it_is_back() -> None:
    table = Table()
    table.blocks(2.0, 17, 18)
    table.lost(18)
    table.blocks(20.0, 17)
    assert table.said == [(NODE_18, state) for state in ("alarmed", "recovering", "escalated")]
    assert "battery" in table.told[0].mend
    assert not table.senses.awake
    table.blocks(0.1, 17, 18)
    assert table.said[-1] == (NODE_18, "healthy")
    table.lost(18)
    assert table.said[-1] == (NODE_18, "alarmed")


def test_an_igloo_that_cannot_be_heard_is_told_with_its_own_mend() -> None:
    table = Table()
    table.blocks(2.0, 17)
    table.lost(18, "this source has 416 Hz – record at 750 Hz or more")
    assert (table.told[0].why, table.told[0].mend) == ("this source has 416 Hz", "record at 750 Hz or more")


def test_a_pulled_cable_is_told_once_and_who_does_not_come_back_with_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, away = Table(), ["the cable was pulled"]
    table.blocks(2.0, 17, 18, 19)
    monkeypatch.setattr(IglooPort, "away", lambda port: away[0] if away else None)
    table.lost(17)
    table.blocks(0.1, 18)  # was on its way already
    table.lost(18)
    table.lost(19)
    assert [(change.source, change.why) for change in table.told] == [
        ("igloos of red", f"{PORT} is away (the cable was pulled)")
    ]
    away.clear()
    table.blocks(5.0, 17, 19)
    assert table.said[1:] == [("igloos of red", "healthy")]
    table.blocks(6.0, 17, 19)
    assert table.said[2:] == [(NODE_18, "alarmed"), (NODE_18, "recovering")]


def test_the_only_igloo_of_a_port_is_spoken_for_by_the_port() -> None:
    table = Table()
    table.blocks(2.0, 18)
    table.lost(18)
    assert table.said == [("igloos of red", "alarmed")]
    table.blocks(11.0, 17)  # another one: the port is well, and the first is still missed
    assert table.said[1:] == [("igloos of red", "healthy"), (NODE_18, "alarmed"), (NODE_18, "recovering")]
    assert table.told[2].why == "igloo fell silent"


@pytest.mark.parametrize(("source", "named"), [(PORT, NODE_18), (f"{PORT}#18", "igloos of red")])
def test_an_igloo_whose_sensor_is_ill_is_named_and_the_game_goes_on(source: str, named: str) -> None:
    table = Table(source)
    table.blocks(2.0, 17, 18)
    table.wire._take({"event": "sensor", "source": f"{PORT}#18", "why": "its axis is dead", "mend": "solder"})
    ((which, state, why, mend),) = [(c.source, c.state, c.why, c.mend) for c in table.told]
    assert (which, state, why, mend) == (named, "healthy", "its axis is dead", "solder")
    assert table.senses.awake


@pytest.mark.parametrize("who", ["red (node 18)", "red", "table (node 17)", "table"])
def test_whatever_is_wrong_with_a_sensor_is_said_in_every_language(who: str) -> None:
    sound = shaken_sensor(5, 2)
    faults = [
        fault_of(bad.astype(np.float32), 1600)
        for bad in (sound * [0, 1, 1], sound * [0, 1, 0], 2 * sound, 0.5 * sound, np.round(sound * 8) / 8)
    ]
    for fault in faults:
        assert fault is not None
        said = spoken(f"igloos of {who}: {fault.cause} – {fault.mend}")
        assert all(sentences(language).known(said) for language in ("de", "fr", "it"))
    assert [fault.kind for fault in faults if fault] == ["dead", "dead", "gravity", "gravity", "coarse"]


def test_a_seat_with_one_igloo_of_a_port_has_one_watchdog() -> None:
    table = Table(f"{PORT}#18")
    table.blocks(2.0, 18)
    table.lost(18)
    assert table.said == [("igloos of red", "alarmed")]
    assert len(table.senses.dogs) == 1


def test_a_port_at_which_another_device_sits_now_says_so_and_no_longer_that_its_cable_was_pulled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table()
    table.blocks(2.0, 17, 18)
    monkeypatch.setattr(IglooPort, "away", lambda port: "the cable was pulled, or the other side closed")
    table.lost(17)
    table.lost(18)
    monkeypatch.setattr(IglooPort, "away", lambda port: None)
    table.lost(17, "nothing was heard of igloo 17 at dongle (what speaks there are seats)")
    table.lost(18, "nothing was heard of igloo 18 at dongle (what speaks there are seats)")
    assert "what speaks there are seats" in table.senses.dogs["igloos of red"].why
    assert len(table.senses.dogs) == 1
    table.blocks(1.0, 17, 18)
    assert table.senses.awake
