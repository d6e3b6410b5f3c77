"""What `polartable setup` does, as a list of steps that can be read before they are done, and taken back."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from firmware_bridge.finding import KNOWN_USB

SETTINGS = Path("/etc/polartable/table.toml")  # found there by `table.config`
UNIT = Path("/etc/systemd/system/polartable.service")
RULES = Path("/etc/udev/rules.d/70-polartable.rules")
USER = Path("/etc/sysusers.d/polartable.conf")
CURRENT = Path("/opt/polartable/current")  # what the unit runs; an upgrade swaps it in one rename
PREVIOUS = CURRENT.with_name("previous")  # what it ran before the upgrade
VERSIONS = CURRENT.with_name("versions")  # the environments that upgrades made
WHOLE = ".whole"  # in an environment there that was finished
GAMES = Path("/var/lib/polartable")  # what the table writes
CACHE = Path("/var/cache/polartable")
# there, systemd runs: else there is nobody to be told, and nothing to stop
BOOTED = Path("/run/systemd/system")
GROUPS = ("audio", "dialout", "gpio")  # sound, serial ports, pins


@dataclass(frozen=True, slots=True)
class Write:
    """A file of ours. `keep`: people change it, so it is neither overwritten nor, once changed, taken away."""

    path: Path
    text: str
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is swapped whole; where it leads to what an upgrade made, it stays."""

    path: Path
    to: Path


@dataclass(frozen=True, slots=True)
class Left:
    """What is made later, by an upgrade or by the service: nothing to do, but to be taken away with the rest."""

    path: Path


@dataclass(frozen=True, slots=True)
class Run:
    """A command, when it is done and when it is taken back.

    `root`: the option with which it works below a directory; `back_if`: it is taken back only where these are there;
    `gone`: the exit code with which `back` says that there is nothing to take back.
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
        Left(VERSIONS),  # taken back last: the program that does it may lie there
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
    """Its own user, who may open devices and nothing else (sysusers.d)."""
    lines = [
        'u polartable - "Polartable" /var/lib/polartable',
        *(f"m polartable {group}" for group in groups),
    ]
    return "\n".join(lines) + "\n"


def unit(lan: bool) -> str:
    text = template("polartable.service")
    return text.replace("@EXECUTABLE@", str(CURRENT / "bin" / "polartable")).replace("@LAN@", " --lan" * lan)


def udev_rules() -> str:
    """Names that last, under /dev/polartable, and no ModemManager that types at a cube's port."""
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
