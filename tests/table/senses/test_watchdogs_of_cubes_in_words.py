"""What a table says of its cubes' ports and cubes when one is silent, in every language of the page."""

from __future__ import annotations

import pytest

from firmware_bridge.hearing import Hearing
from firmware_bridge.reading import why_gone
from firmware_bridge.witmotion import encode_serial
from table.page.sentences import sentences
from table.senses.cube_wire import CUBE_MEND, PORT_MEND
from tests.table.rooms import room


def reasons() -> list[str]:
    """Why a link says that nothing can be read, and why it is gone."""
    told = [why_gone(TypeError())]
    for protocol in ("auto", "polar"):
        hearing = Hearing(protocol, None)
        hearing.feed(b"noise" * 50)
        told.append(hearing.why_nothing())
    angles = Hearing("auto", None)
    angles.feed(encode_serial(0x53, (0.0, 0.0, 0.0)) * 10)
    return [*told, angles.why_nothing()]


def said(source: str, mend: str) -> list[str]:
    """Every sentence of one watchdog: told, and standing on the page."""
    table, out = room(), list[str]()

    table.listen(lambda one: out.append(one.text))
    for why in ("", *reasons()):
        dog = table.senses.watch(source, mend, 0.0, "ice-cult")
        if why:
            dog.lost(1.0, why)
        dog.tick(10.0)
        out.extend(table.asleep())
        dog.alive(11.0)
    return out


@pytest.mark.parametrize("language", ["de", "fr", "it"])
@pytest.mark.parametrize(
    ("source", "mend"), [("cubes on /dev/ttyACM0", PORT_MEND), ("cube A (NW)", CUBE_MEND)]
)
def test_it_is_said_in_every_language(language: str, source: str, mend: str) -> None:
    told = said(source, mend)
    assert len(told) > 10
    assert [text for text in told if not sentences(language).known(text)] == []
