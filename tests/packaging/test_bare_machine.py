"""Every module imports on a machine without PortAudio, GPIO chip or serial port, and `--help` answers there."""

from __future__ import annotations

import subprocess
import sys

from tests.parts import ROOT

# what an import of ours meets on such a machine: the hardware libraries raise the moment they are touched
BARE = """
import sys, importlib, pkgutil
class NoHardware:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"sounddevice", "_sounddevice", "serial", "gpiozero", "lgpio", "RPi", "vqf"}:
            raise OSError(f"{name}: no such hardware on this machine")
sys.meta_path.insert(0, NoHardware())
failed = []
for package in sys.argv[1:]:
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + ".", onerror=lambda name: failed.append(name)):
        try:
            importlib.import_module(module.name)
        except Exception as error:
            failed.append(f"{module.name}: {error!r}")
print("\\n".join(failed))
sys.exit(bool(failed))
"""


def test_every_module_imports_without_hardware_libraries() -> None:
    packages = ("rules", "firmware_bridge", "sensors", "calibration", "hw_mock", "table")
    command = [sys.executable, "-c", BARE, *packages]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_need_nothing_but_python_itself() -> None:
    """The referees can be taken out and used alone: no third-party module is loaded by any of them."""
    code = (
        "import sys, pkgutil, importlib, rules\n"
        "before = set(sys.modules)\n"
        "for m in pkgutil.walk_packages(rules.__path__, 'rules.'): importlib.import_module(m.name)\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - {'rules'}\n"
        "bad = {name for name in new if name not in sys.stdlib_module_names}\n"
        "print(sorted(bad)); sys.exit(bool(bad))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_table_without_an_ear_starts_without_filters_and_statistics() -> None:
    """They are a good part of what the page's modules take to load."""
    code = "import sys, table.service.web; print(sorted({'scipy.signal', 'scipy.stats'} & set(sys.modules)))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


EAR = """
import asyncio, sys
from firmware_bridge.clock import VirtualClock
from table.door.access import Access
from table.config import Settings
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.senses.watchdog import Senses

loaded, watch = [], Senses.watch
def watched(*told):
    loaded.append("scipy.signal" in sys.modules)
    return watch(*told)
Senses.watch = watched

async def start():
    clock = VirtualClock()
    settings = Settings(ear={"sources": {"red": "a microphone that is not there"}})
    room = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    room.start()
    await room.stop()

asyncio.run(start())
print(loaded)
"""


def test_a_table_with_an_ear_has_them_before_its_watchdog_counts() -> None:
    """Else a small computer says of every microphone at first that nothing has come for four seconds."""
    command = [sys.executable, "-c", EAR]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip() == "[True]", done.stderr
