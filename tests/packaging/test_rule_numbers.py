"""Whoever is refused by a number can look it up: docs/games/numbers.md says what each one decides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.parts import ROOT

# `IC-4`, `II-23a`, and spans: `IP-1 to IP-15`, `D-50 … D-56`
NAMED = re.compile(r"\b(IC|IP|II|IG|D)-(\d+)[a-z]?(?:(?: to | … |\.\.)\1-(\d+))?")
OF_SETS = re.compile(r"\b[CK][1-9]\b(?=:)")  # what is wrong with somebody's cubes or tiles
PAGE = ROOT / "docs" / "games" / "numbers.md"


def named(text: str) -> Iterator[str]:
    for family, first, last in NAMED.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{family}-{number}"
    yield from OF_SETS.findall(text)


def test_every_number_that_the_rules_name_is_explained_once() -> None:
    used = {
        number
        for kind in ("*.py", "*.toml")
        for file in (ROOT / "rules").rglob(kind)
        for number in named(file.read_text(encoding="utf-8"))
    }
    assert len(used) > 140
    explained = re.findall(r"^\| ([A-Z]+-?\d+) \| .{20,} \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(used - set(explained)) == []
    assert len(explained) == len(set(explained))


def test_every_number_of_the_pages_is_explained_too() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for file in (ROOT / "docs").rglob("*.md"):
        for number in named(file.read_text(encoding="utf-8")):
            assert f"| {number} |" in page, f"{number}, named in {file.name}"
