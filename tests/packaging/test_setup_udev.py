"""The udev rules that `polartable setup` writes: read by udev, names that last, strangers left alone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.finding import KNOWN_USB
from table.setup.plan import RULES, udev_rules
from tests.packaging.udev import Device, follow, read


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
