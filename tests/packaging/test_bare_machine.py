"""Every module imports on a machine without PortAudio, GPIO chip or serial port, and `--help` answers there."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


@pytest.mark.parametrize(
    "package", ["rules", "firmware_bridge", "sensors", "calibration", "hw_mock", "table"]
)
def test_every_module_imports_without_hardware_libraries(package: str) -> None:
    command = [sys.executable, "-c", BARE, package]
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
    """They are a third of what the page's modules take to load, and an ear loads them before it opens its sensor."""
    code = "import sys, table.web; print(sorted({'scipy.signal', 'scipy.stats'} & set(sys.modules)))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
    command[-1] = (
        "import sys; from sensors.ear.shake import get_ready; get_ready('microphone');"
        "sys.exit('scipy.signal' not in sys.modules)"
    )
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
