"""A port on which no igloo speaks, or something else does: through a real pseudo-terminal and real pySerial."""

from __future__ import annotations

import pytest

from sensors.ear.errors import CaptureLost, NobodyShook
from sensors.ear.profiles import profile as profiles
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import IglooPort
from tests.dongle import Dongle
from tests.sensors.ear.sources.igloo_ear import Ear, hello


@pytest.mark.parametrize(
    ("kind", "pause"),
    [("igloo", True), ("cube", False), ("seat", False), ("dongle", True), (None, True)],
)
def test_a_pause_before_a_shake_is_told_from_a_port_without_igloos(
    port: Dongle, monkeypatch: pytest.MonkeyPatch, kind: str | None, pause: bool
) -> None:
    """Igloos that sleep say nothing either."""
    monkeypatch.setattr("sensors.ear.sources.igloo_capture.SHAKEN_S", 0.3)
    if kind is not None:
        port.write(hello(17, 1660, kind))
    with pytest.raises(CaptureLost, match="being shaken") as raised:
        IglooCapture(port.name, shaken=True)
    assert isinstance(raised.value, NobodyShook) is pause


def test_a_seat_that_is_plugged_in_where_igloos_spoke_is_no_pause_of_the_wizard(
    port: Dongle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The igloos of before the cable was pulled speak there no longer, and the wizard waited for them for ever."""
    monkeypatch.setattr("sensors.ear.sources.igloo_capture.SHAKEN_S", 0.3)
    with IglooPort.at(port.name) as shared:
        port.write(hello(17, 1660))
        assert shared.until(lambda: 17 in shared.rates, 10.0)
        port.unplug()
        shared.listen(0.1)
        assert shared.lost is not None
        port.plug()
        end = shared.clock.now() + 10.0
        while shared.lost is not None and shared.clock.now() < end:
            port.write(hello(33, 833, "seat"))
            shared.listen(0.1)
        with pytest.raises(CaptureLost, match="what speaks there are seats") as raised:
            IglooCapture(port.name, shaken=True)
    assert not isinstance(raised.value, NobodyShook)
    assert "--gesture seat-tap" in raised.value.mend


def test_a_port_where_no_igloo_speaks_is_told_in_one_sentence(
    port: Dongle, profile: profiles.Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.listening.igloo_nodes.FIRST_S", 0.3)
    port.write(hello(1, 200, "cube"))
    with pytest.raises(
        CaptureLost, match=r"nothing was heard of any igloo at .*dongle \(what speaks there are cubes\)"
    ):
        Ear(port.name, profile).link()
