"""`polartable setup` below a directory, with systemd's own tools: done, done twice, stopped half way, taken back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from firmware_bridge.finding import KNOWN_USB
from table.cli import run
from table.setup.doing import Doer, SetupFailed, hidden
from table.setup.plan import CURRENT, RULES, SETTINGS, UNIT, USER, Run, plan, udev_rules, unit
from table.setup.upgrade import back, upgrade
from tests.packaging.udev import Device, follow, read
from tests.parts import ROOT, needs

GROUPS = ("audio", "dialout")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A bare root of a Debian: its groups, nothing else."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\naudio:x:29:\ndialout:x:20:\n")
    return tmp_path


def below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def ours(root: Path) -> set[str]:
    """Everything that is ours below a root."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if "polartable" in path.name or (path.parent.name == "polartable" and not path.is_dir())
    }


def test_a_dry_run_tells_every_step_and_does_none(capsys: pytest.CaptureFixture[str]) -> None:
    places = (USER, UNIT, RULES, SETTINGS, CURRENT)
    before = [path.exists() for path in places]
    assert run(["setup", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert [path.exists() for path in places] == before
    for step in plan(Path(sys.prefix), False, GROUPS):
        if isinstance(step, Run):
            assert not step.do or " ".join(step.do) in said
        else:
            assert str(step.path) in said
    assert "ProtectSystem=strict" in said  # what would be written is there to be read


@needs("systemd")
def test_it_is_done_with_real_tools_twice_and_taken_back(root: Path) -> None:
    for _ in range(2):
        assert run(["setup", "--root", str(root), "--lan"]) == 0
    passwd = below(root, Path("/etc/passwd")).read_text()
    assert re.search(r"^polartable:x:\d+:\d+:.*:/var/lib/polartable:/usr/sbin/nologin$", passwd, re.M)
    groups = dict(line.split(":x:") for line in below(root, Path("/etc/group")).read_text().splitlines())
    assert all(groups[name].endswith(":polartable") for name in GROUPS)
    assert "gpio" not in groups  # a group that this machine has not is not made up
    wanted = root / "etc/systemd/system/multi-user.target.wants/polartable.service"
    assert wanted.is_symlink()
    assert run(["settings", "check", str(below(root, SETTINGS))]) == 0
    assert run(["setup", "--root", str(root), "--undo"]) == 0
    assert {name for name in ours(root) if not (root / name).is_dir()} == set()
    assert "polartable" not in below(root, Path("/etc/passwd")).read_text()
    assert run(["setup", "--root", str(root), "--undo"]) == 0  # nothing is left, and that is no error


@needs("systemd")
def test_settings_that_somebody_changed_are_never_overwritten_nor_taken_away(root: Path) -> None:
    file = below(root, SETTINGS)
    file.parent.mkdir(parents=True)
    file.write_text("[serve]\nport = 80\n")
    run(["setup", "--root", str(root)])
    run(["setup", "--root", str(root), "--undo"])
    assert file.read_text() == "[serve]\nport = 80\n"


def test_stopped_after_any_step_it_can_be_done_again_or_taken_back(root: Path) -> None:
    """Files only; the tools are tried above."""
    steps = [step for step in plan(Path("/opt/somewhere"), True, GROUPS) if not isinstance(step, Run)]
    for n in range(len(steps) + 1):
        for after in ("again", "back"):
            doer = Doer(root, False, lambda text: None)
            doer.do(steps[:n])
            if after == "again":
                doer.do(steps)
                assert all(
                    below(root, step.path).is_symlink() or below(root, step.path).exists() for step in steps
                )
            assert doer.undo(steps) == []
            assert not any(below(root, step.path).exists() for step in steps)


def test_a_step_that_fails_is_one_sentence_and_undoing_goes_on(root: Path) -> None:
    doer = Doer(None, False, lambda text: None)
    with pytest.raises(SetupFailed, match="no-such-tool --now"):
        doer.do([Run(("no-such-tool", "--now"))])
    with pytest.raises(SetupFailed, match="false: exit code 1"):
        doer.do([Run(("false",))])
    undone = doer.undo([Run(back=("touch", str(root / "undone"))), Run(back=("false",))])
    assert len(undone) == 1
    assert (root / "undone").exists()


def test_an_environment_that_the_service_could_not_see_is_refused() -> None:
    person = "/" + "home/anna/.local/pipx/venvs/polartable"
    assert hidden(Path(person), Path("/usr")) == person
    assert hidden(Path("/opt/pipx/venvs/polartable"), Path("/usr")) is None


# the unit and the rules, read by those who must understand them


@pytest.fixture
def unit_file(tmp_path: Path) -> Path:
    """The unit, with a command that exists here."""
    file = tmp_path / UNIT.name
    file.write_text(unit(lan=True).replace(str(CURRENT / "bin" / "polartable"), "/bin/true"))
    return file


@needs("systemd")
def test_systemd_understands_every_line_of_the_unit(unit_file: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit_file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    unit_file.write_text(unit_file.read_text().replace("ProtectHome=yes", "ProtectHome=yess"))
    again = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit_file)], capture_output=True, text=True, check=False
    )
    assert "yess" in again.stderr  # a slip would have been seen


@needs("systemd")
def test_systemd_finds_the_service_little_exposed(unit_file: Path) -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--no-pager",
        "--threshold=17",
        str(unit_file),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    exposure = re.search(r"exposure level for polartable.service: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stdout + done.stderr
    assert float(exposure[1]) <= 1.7
    assert done.returncode == 0


def test_udev_rules_can_be_read_by_udev(tmp_path: Path) -> None:
    rules = udev_rules()
    assert len(read(rules)) > 2 * len(KNOWN_USB)
    for slip in (
        ('"add"', '"add'),
        (
            "==",
            "=",
        ),
        ("SYMLINK+=", "SYMLNK+="),
        ("ENV{ID_PATH}", "ENV"),
        ("GOTO", "GOT"),
    ):
        with pytest.raises(ValueError):
            read(rules.replace('ACTION=="remove"', 'ACTION=="add"').replace(*slip))
    if shutil.which("udevadm") is None:
        return  # a machine without udev: what was read above is all that can be said
    version = subprocess.run(["udevadm", "--version"], capture_output=True, text=True, check=False).stdout
    if version.strip().isdigit() and int(version) >= 254:
        file = tmp_path / RULES.name
        file.write_text(rules)
        done = subprocess.run(["udevadm", "verify", str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def usb(vendor: int, product: int) -> tuple[str, dict[str, str]]:
    return "usb", {"idVendor": f"{vendor:04x}", "idProduct": f"{product:04x}"}


@pytest.mark.parametrize(("vendor", "product"), [(v, p or 0x1234) for v, p in KNOWN_USB])
def test_a_node_gets_a_name_that_lasts_and_modemmanager_keeps_away(vendor: int, product: int) -> None:
    rules = read(udev_rules())
    properties = {"ID_SERIAL_SHORT": "F412FA3C", "ID_PATH": "platform-xhci-usb-0:1.2:1.0"}
    hub = usb(0x2109, 0x3431)
    port = follow(rules, Device("tty", dict(properties), {}, (("usb-serial", {}), usb(vendor, product), hub)))
    assert port.links == ["polartable/F412FA3C", "polartable/at-platform-xhci-usb-0:1.2:1.0"]
    assert port.properties["ID_MM_PORT_IGNORE"] == "1"
    nameless = follow(rules, Device("tty", {"ID_PATH": "p"}, {}, (usb(vendor, product), hub)))
    assert nameless.links == ["polartable/at-p"]  # a chip without a serial number is known by its socket
    device = follow(rules, Device("usb", {"DEVTYPE": "usb_device"}, usb(vendor, product)[1]))
    assert device.properties["ID_MM_DEVICE_IGNORE"] == "1"


@pytest.mark.parametrize("product", [0x1001, 0xEA60])
def test_a_strangers_modem_is_left_alone(product: int) -> None:
    rules = read(udev_rules())
    for vendor in (0x12D1, 0x10C4):
        if (vendor, product) in KNOWN_USB:
            continue
        port = follow(rules, Device("tty", {"ID_PATH": "p"}, {}, (usb(vendor, product), usb(0x2109, 0x3431))))
        assert (port.links, port.properties) == ([], {"ID_PATH": "p"})


# writing only where it may

WATCHER = """
import os, sys
allowed = tuple(os.environ["MAY_WRITE"].split(":")) + ("/dev/", "/proc/self/")
log = open(os.environ["SEEN"], "a", buffering=1)
def hook(event, args):
    if event == "open" and isinstance(args[0], str) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        path = os.path.abspath(args[0])
    elif event in ("os.mkdir", "os.rename", "os.remove") and isinstance(args[0], str):
        path = os.path.abspath(args[0])
    else:
        return
    if not path.startswith(allowed) and "__pycache__" not in path:
        log.write(f"{event} {path}\\n")
sys.addaudithook(hook)
"""


def test_the_service_writes_only_where_its_unit_lets_it(tmp_path: Path) -> None:
    """ProtectSystem=strict cannot be switched on in a container; what Python opens for writing can be watched."""
    import httpx

    from tests.table.pages import service

    state, cache, temporary, watcher = (tmp_path / name for name in ("state", "cache", "tmp", "watcher"))
    for directory in (state, cache, temporary, watcher):
        directory.mkdir()
    (watcher / "sitecustomize.py").write_text(WATCHER)
    text = (
        unit(lan=False)
        .replace("/var/lib/polartable", str(state))
        .replace("/var/cache/polartable", str(cache))
    )
    given = dict(
        pair.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.M) for pair in line.split()
    )
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    seen = tmp_path / "seen"
    environment = kept | given | {
        "PYTHONPATH": f"{watcher}:{ROOT}", "SEEN": str(seen), "TMPDIR": str(temporary), "HOME": "/nonexistent",
        "MAY_WRITE": f"{state}:{cache}:{temporary}:{seen}", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    with service("serve", "--port", "0", environment=environment) as (_, ready):
        assert httpx.post(ready["address"] + "api/play", json={"move": "tilt n>S"}, timeout=60).json()["ok"]
        assert httpx.get(ready["address"], timeout=60).status_code == 200
    assert seen.read_text() == ""
    assert (state / "journal.sqlite").exists()


# upgrades


def wheel(directory: Path, version: str, exit_code: int) -> Path:
    """A very small wheel with a `polartable` command that tells its version."""
    file = directory / f"polartable-{version}-py3-none-any.whl"
    info = f"polartable-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as out:
        out.writestr(
            "little.py", f"import sys\ndef main():\n    print({version!r})\n    sys.exit({exit_code})\n"
        )
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: polartable\nVersion: {version}\n")
        out.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        out.writestr(f"{info}/entry_points.txt", "[console_scripts]\npolartable = little:main\n")
        out.writestr(f"{info}/RECORD", "")
    return file


UPGRADE = """
import sys
from pathlib import Path
from table.setup.upgrade import upgrade
upgrade(Path(sys.argv[1]), Path(sys.argv[2]), print)
"""


def runs(current: Path) -> str:
    return subprocess.run(
        [current / "bin" / "polartable"], capture_output=True, text=True, check=False
    ).stdout.strip()


def test_an_upgrade_that_is_stopped_or_broken_leaves_the_running_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    current, old = tmp_path / "opt" / "current", tmp_path / "pipx"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "polartable").write_text("#!/bin/sh\necho old\n")
    (old / "bin" / "polartable").chmod(0o755)
    Doer(None, False, lambda text: None)
    current.parent.mkdir()
    current.symlink_to(old)
    new = wheel(tmp_path, "2.0", 0)

    with subprocess.Popen(
        [sys.executable, "-c", UPGRADE, new, current], cwd=ROOT, start_new_session=True
    ) as half:
        while not list(current.parent.glob("versions/*/bin")):
            assert half.poll() is None
            time.sleep(0.01)
        os.killpg(half.pid, 9)
    assert runs(current) == "old"

    upgrade(new, current, lambda text: None)  # what was left half done is made anew
    assert runs(current) == "2.0"
    with pytest.raises(SetupFailed, match="the table runs on as before"):
        upgrade(wheel(tmp_path, "3.0", 1), current, lambda text: None)
    assert runs(current) == "2.0"
    back(current)
    assert runs(current) == "old"
    back(current)
    assert runs(current) == "2.0"
    with pytest.raises(SetupFailed, match="cannot be read"):
        upgrade(tmp_path / "nothing.whl", current, lambda text: None)
