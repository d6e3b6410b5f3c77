"""What a page's toolkit brings along."""

from __future__ import annotations

import subprocess
import sys

from tests.parts import ROOT

PROGRAM = """
import sys
from table.page import toolkit
toolkit.prepare()
from nicegui import ui
assert not set(toolkit.CLIENTS) & set(sys.modules), set(toolkit.CLIENTS) & set(sys.modules)
for name in toolkit.CLIENTS:
    __import__(name)
"""


def test_clients_that_a_page_never_asks_for_are_not_loaded_and_can_be_later() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
