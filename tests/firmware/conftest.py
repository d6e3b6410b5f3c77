"""What the tests of the firmware share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.firmware.on_micropython import Bench


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(*args: Any, **options: Any) -> Bench:
        made.append(Bench(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
