"""Colours of the page that have to be told apart."""

from __future__ import annotations

import re

import pytest

from table.page.frame import style


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it: 3 is the least for what has to be found, 1.4.11."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, ground: str, share: float) -> str:
    pairs = [(int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


@pytest.mark.parametrize("scheme", [":root", ".body--dark"])
def test_where_one_may_tap_and_where_the_keyboard_is_can_be_seen(scheme: str) -> None:
    css = style("page.css")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", css.split(f"{scheme} {{")[1].split("}")[0]))
    ring = re.search(r":focus-visible \{ outline: 4px solid var\(--([a-z]+)\)", css)
    share = re.search(r"\.looney \.places \{ opacity: ([.\d]+)", css)
    assert ring
    assert share
    for ground in ("card", "paper", "ice", "snow", "ok-paper"):
        assert contrast(colours[ring[1]], colours[ground]) >= 3, ground
    assert contrast(mixed(colours["accent"], colours["card"], float(share[1])), colours["card"]) >= 3
