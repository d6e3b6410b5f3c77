"""Every foreseen error has a number of its own, and the number has an entry in docs/errors.md."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from firmware_bridge.errors import PolartableError
from tests.parts import ROOT


def _all() -> list[type[PolartableError]]:
    for package in ("firmware_bridge", "sensors", "calibration", "hw_mock", "table"):
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)

    def below(kind: type[PolartableError]) -> Iterator[type[PolartableError]]:
        yield kind
        for child in kind.__subclasses__():
            yield from below(child)

    return [kind for kind in dict.fromkeys(below(PolartableError)) if not kind.__module__.startswith("tests")]


def test_numbers_are_told_apart_and_explained() -> None:
    numbers: dict[int, str] = {}
    page = (ROOT / "docs" / "errors.md").read_text()
    for kind in _all():
        assert numbers.setdefault(kind.number, kind.__name__) == kind.__name__, f"PT-{kind.number} twice"
        assert f"| PT-{kind.number} |" in page, f"{kind.__name__} has no entry in docs/errors.md"


def test_an_error_is_one_sentence_with_number_cause_and_mend() -> None:
    for kind in _all():
        try:
            text = str(kind("the port is gone", "plug it in again"))
        except TypeError:
            continue  # builds its own sentence from what it knows
        assert text == f"PT-{kind.number}: the port is gone – plug it in again"
