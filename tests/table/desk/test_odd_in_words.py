"""What no move of the game explains is told at the page in its language."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from sensors.cubes import turns
from sensors.cubes.exchange import words
from sensors.cubes.health import Health
from sensors.cubes.unexplained import in_words
from table.desk.said import spoken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES

DEAD = (0.0, 0.0, 0.0)


def change(net: int) -> Any:
    return SimpleNamespace(net=net, rest=SimpleNamespace(since=1.0, t=2.0))


def odd() -> Iterator[str]:
    for net in set(range(len(turns.QUATS))) - {turns.IDENTITY}:
        for dead in (False, True):
            yield in_words({"NE": change(net)}, lambda _, dead=dead: dead)["NE"]
    yield from in_words(
        {"NW": change(turns.TILT["N"]), "SE": change(turns.TILT["N"])}, lambda _: False
    ).values()
    yield words("NW", "NE")
    health = Health()
    for t in (0.0, 1.0, 3.0, 5.0):
        health.update(t, [DEAD], [DEAD], SimpleNamespace(still_since=0.0, accel=DEAD))  # type: ignore[arg-type]
    yield f"the sensor in NE {health.fault(6.0, DEAD)}"


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_what_is_odd_about_a_cube_is_known(language: str) -> None:
    said = {spoken(text) for text in odd()}
    assert len(said) > 15
    assert not any("None" in text for text in said)
    say = sentences(language)
    assert [text for text in sorted(said) if not say.known(text)] == []
