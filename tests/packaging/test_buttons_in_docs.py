"""What the documents call a button, the page calls so too."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.parts import ROOT

NAMED = re.compile(r"(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)|“([A-Z][^”\n]*)”")


def _words(texts: dict[str, Any]) -> Iterator[str]:
    for value in texts.values():
        if isinstance(value, dict):
            yield from _words(value)
        else:
            yield value


@pytest.mark.parametrize("page", ["first-evening", "troubleshooting", "table"])
def test_a_button_is_called_as_it_is_on_the_page(page: str) -> None:
    """Two of them told of a button “Put right”, and there is none."""
    texts = tomllib.loads((ROOT / "table" / "page" / "texts" / "en.toml").read_text("utf-8"))
    shown = "\n".join(_words(texts))
    named = {
        italic or quoted
        for italic, quoted in NAMED.findall((ROOT / "docs" / f"{page}.md").read_text("utf-8"))
    }
    assert named
    assert [name for name in sorted(named) if name not in shown] == []
