"""A port of igloos that was named as the cubes' is told of; igloos that a dongle hears beside cubes are not."""

from __future__ import annotations

import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import BridgeEvent, NodeSaid
from sensors.cubes.reader import CubeReader
from sensors.cubes.strangers import PATIENT_S, Strangers
from table.page.sentences import sentences

PORT = "/dev/ttyACM0"


def hello(kind: p.Kind, node: int, t: float) -> NodeSaid:
    level = (1.0, 0.0, 0.0, 0.0)
    stamp = p.Stamp(node, 0, 0)
    return NodeSaid(
        PORT, node, t, p.Hello(stamp, kind, "aa" * 8, (0, 1, 0), 4000, 200, 0, 16, True, level, "")
    )


def sentences_of(*events: BridgeEvent) -> list[str]:
    strangers = Strangers()
    return [told.sentence for event in events for told in strangers.heard(event)]


@pytest.mark.parametrize(("kind", "node"), [("igloo", 17), ("seat", 33)])
def test_it_is_told_once_who_speaks_there(kind: p.Kind, node: int) -> None:
    """All boards of a table are on one channel, so a right dongle hears igloos alone while all cubes sleep."""
    said = sentences_of(*(hello(kind, node, t / 2) for t in range(40)))
    assert said == [
        f"{kind} {node} speaks there, and no cube – "
        "tilt a cube, which wakes it, or name the port of the cubes' dongle (polartable devices)"
    ]
    for language in ("de", "fr", "it"):
        assert sentences(language).known(f"cubes on {PORT}: {said[0]}")


def test_boards_beside_cubes_and_a_dongle_alone_are_in_order() -> None:
    igloos = [hello("igloo", 17, t / 2) for t in range(40)]
    assert sentences_of(hello("igloo", 17, 0.0), hello("cube", 1, PATIENT_S - 0.1), *igloos) == []
    assert sentences_of(*(hello("dongle", 0, float(t)) for t in range(40))) == []


def test_the_reader_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware_bridge.clock import VirtualClock

    reader = CubeReader([PORT], clock=VirtualClock())
    events = [hello("igloo", 17, t / 2) for t in range(40)]
    monkeypatch.setattr(reader.bridge, "take", lambda timeout: [events.pop(0)] if events else [])
    said = [event for _ in range(40) for event in reader.poll()]
    assert [event.text for event in said] == ["igloo 17 speaks there, and no cube"]  # type: ignore[union-attr]
