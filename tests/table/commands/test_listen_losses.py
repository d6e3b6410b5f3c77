"""Lost packets are gathered, so that shakes are not lost among lines of them; none of the sum is kept back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_bridge.clock import VirtualClock
from sensors.evidence import Heard, Hearing
from sensors.why import Reason, Why
from table.commands.listen_losses import EVERY_S, gathered
from table.commands.listen_words import in_words

LOST = Reason(Why.PACKETS_LOST, "packets were lost")
SHAKE = Heard("port#17", 1.0, 3.0, "unsure", {7: 1.0}, 30.0, False, "", reason=LOST)


def lost(blocks: int, source: str = "port#17") -> dict[str, Any]:
    return {"event": "overflow", "source": source, "blocks": blocks}


def said(*events: tuple[float, Any]) -> list[str]:
    """What comes of events at these times, as a person reads it."""
    clock = VirtualClock()

    def come() -> Iterator[Any]:
        for at_s, event in events:
            clock.set(at_s)
            yield event

    return [in_words(one, True) for one in gathered(come(), clock)]


def test_a_minute_of_losses_is_a_line_now_and_then() -> None:
    lines = said(*((n / 2, lost(n + 1)) for n in range(120)))
    assert len(lines) == 60 / EVERY_S
    assert lines[0] == "port#17: 1 packet was lost so far"


def test_before_a_shake_and_before_it_goes_all_that_was_lost_is_told() -> None:
    lost_link = {"event": "link", "source": "port#17", "state": "lost", "why": "gone"}
    count = {"event": "count", "source": "port#17", "overflows": 9}
    hearing = Hearing("port#17", 1.0, 2.0, {7: 1.0}, -30.0)
    lines = said(
        (0.0, lost(1)), (0.1, lost(2)), (0.15, hearing), (0.2, lost(4)), (1.0, SHAKE), (1.1, SHAKE),
        (1.5, lost(7)), (2.0, lost_link), (2.5, lost(9)), (3.0, count),
    )  # fmt: skip
    assert [line.removeprefix("port#17").lstrip(": ") for line in lines if "lost" in line] == [
        "1 packet was lost so far",
        "4 packets were lost so far",
        *["1.0–3.0 s: not sure, 7 most likely (100%) – packets were lost"] * 2,
        "7 packets were lost so far",
        "lost – gone",
        "9 packets were lost",
    ]


def test_one_source_keeps_nothing_of_another_back() -> None:
    lines = said((0.0, lost(1)), (0.1, lost(1, "port#18")), (0.2, lost(2)), (EVERY_S, lost(3)))
    assert lines == [
        "port#17: 1 packet was lost so far",
        "port#18: 1 packet was lost so far",
        "port#17: 3 packets were lost so far",
    ]
