"""What the service does not load before somebody asks for it."""

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


SERVICE = """
import sys
import table.service.serving, table.service.web
some = ("scipy.ndimage", "scipy.signal", "scipy.spatial", "scipy.special", "scipy.optimize")
parts = {name for name in sys.modules if name.startswith(some)}
assert not parts, sorted(parts)[:5]
"""


def test_a_table_without_sensors_starts_without_what_they_reckon_with() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVICE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
