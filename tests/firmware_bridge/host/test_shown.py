"""Names of files in sentences: nobody's file steers a terminal, or ends a sentence before its end."""

from __future__ import annotations

import os

import pytest

from firmware_bridge.errors import UsageError
from firmware_bridge.host.shown import shown

NAMES = [
    ("Müller – 🐧", "Müller – 🐧"),
    ("red\x1b[31m", r"red\x1b[31m"),
    ("two\nlines\r", r"two\nlines\r"),
    ("tab\tand bell\a", r"tab\tand bell\x07"),
    ("\x9b31m", r"\x9b31m"),  # the same in one character
    (os.fsdecode(b"caf\xe9"), r"caf\udce9"),
    (r"C:\new", r"C:\new"),
]


@pytest.mark.parametrize(("name", "told"), NAMES)
def test_a_name_steers_no_terminal(name: str, told: str) -> None:
    assert shown(name) == told
    assert shown(told) == told  # in a sentence that another sentence is made of
    error = UsageError(f"{name} is missing", f"look at {name}")
    assert str(error) == f"PT-101: {told} is missing – look at {told}"
