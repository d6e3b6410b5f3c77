"""The steps of `polartable setup`, as a list that can be read before they are executed, and undone."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from firmware_bridge.finding import KNOWN_USB

SETTINGS = Path("/etc/polartable/table.toml")  # the default settings file, see `table.places`
UNIT = Path("/etc/systemd/system/polartable.service")
RULES = Path("/etc/udev/rules.d/70-polartable.rules")
USER = Path("/etc/sysusers.d/polartable.conf")
CURRENT = Path("/opt/polartable/current")  # what the unit runs; an upgrade replaces it in one rename
PREVIOUS = CURRENT.with_name("previous")  # what it ran before the upgrade
VERSIONS = CURRENT.with_name("versions")  # the environments that upgrades created
WHOLE = ".whole"  # marks an environment in there that is complete
GAMES = Path("/var/lib/polartable")  # what the table writes
CACHE = Path("/var/cache/polartable")
# exists if systemd is running: else there is no manager to notify, and nothing to stop
BOOTED = Path("/run/systemd/system")
GROUPS = ("audio", "dialout", "gpio")  # sound, serial ports, pins


@dataclass(frozen=True, slots=True)
class Write:
    """A file of ours. `keep`: people edit it, so it is neither overwritten nor, once changed, deleted."""

    path: Path
    text: str
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is replaced atomically; if it leads to what an upgrade created, it stays."""

    path: Path
    to: Path


@dataclass(frozen=True, slots=True)
class Left:
    """Something that an upgrade or the service creates later: nothing to do now, but to be deleted with the rest."""

    path: Path


@dataclass(frozen=True, slots=True)
class Run:
    """A command to do the step, and one to undo it.

    `root`: the option for work below a directory; `back_if`: undo only if these exist; `gone`: the exit code of `back`
    that means there is nothing to undo.
    """

    do: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    root: str = ""
    back_if: tuple[Path, ...] = ()
    gone: int = 0


Step = Write | Link | Left | Run


def plan(environment: Path, lan: bool, groups: tuple[str, ...]) -> list[Step]:
    """The steps in order. `environment`: where this package is installed; `groups`: those of GROUPS that exist here."""
    reload = ("systemctl", "daemon-reload")
    rules = ("udevadm", "control", "--reload")
    return [
        Left(VERSIONS),  # undone last: the program that undoes may be in there
        Left(PREVIOUS),
        Left(CACHE),
        Run(back=reload, back_if=(BOOTED,)),
        Run(back=rules),
        Write(USER, user(groups)),
        Run(("systemd-sysusers", USER.name), root="--root"),
        Run(back=("userdel", "polartable"), root="--prefix", back_if=(USER,), gone=6),
        Link(CURRENT, environment),
        Write(SETTINGS, template("table.toml"), keep=True),
        Write(RULES, udev_rules()),
        Write(UNIT, unit(lan)),
        Run(rules),
        Run(("udevadm", "trigger", "--subsystem-match=usb", "--subsystem-match=tty")),
        Run(reload),
        Run(("systemctl", "enable", UNIT.name), ("systemctl", "disable", UNIT.name), "--root", (UNIT,)),
        Run(("systemctl", "restart", UNIT.name), ("systemctl", "stop", UNIT.name), "", (UNIT, BOOTED), 5),
    ]


def template(name: str) -> str:
    return files("table.setup").joinpath(name).read_text(encoding="utf-8")


def user(groups: tuple[str, ...]) -> str:
    """The table's own user, who may open devices and nothing else (sysusers.d)."""
    lines = [
        'u polartable - "Polartable" /var/lib/polartable',
        *(f"m polartable {group}" for group in groups),
    ]
    return "\n".join(lines) + "\n"


def unit(lan: bool) -> str:
    text = template("polartable.service")
    return text.replace("@EXECUTABLE@", str(CURRENT / "bin" / "polartable")).replace("@LAN@", " --lan" * lan)


def udev_rules() -> str:
    """Permanent names under /dev/polartable, and no ModemManager that writes to a cube's port."""
    chips = [(f"{v:04x}", None if p is None else f"{p:04x}", what) for (v, p), what in KNOWN_USB.items()]
    lines = ['ACTION=="remove", GOTO="polartable_end"']
    for vendor, product, what in chips:
        only = "" if product is None else f', ATTR{{idProduct}}=="{product}"'
        lines += [f"# {what}"]
        lines += [
            f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", ATTR{{idVendor}}=="{vendor}"{only}, '
            'ENV{ID_MM_DEVICE_IGNORE}="1"'
        ]
        lines += [
            f'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{{idVendor}}=="{vendor}"'
            f'{only.replace("ATTR{", "ATTRS{")}, GOTO="polartable_node"'
        ]
    lines += [
        'GOTO="polartable_end"',
        'LABEL="polartable_node"',
        'ENV{ID_MM_PORT_IGNORE}="1"',
        'ENV{ID_SERIAL_SHORT}=="?*", SYMLINK+="polartable/$env{ID_SERIAL_SHORT}"',
        'ENV{ID_PATH}=="?*", SYMLINK+="polartable/at-$env{ID_PATH}"',
        'LABEL="polartable_end"',
    ]
    return "# Written by `polartable setup`.\n" + "\n".join(lines) + "\n"
