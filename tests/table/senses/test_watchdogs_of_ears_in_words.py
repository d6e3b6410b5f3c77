"""What a table says of microphones, igloos and the counting seat that are not heard, in every language of the page."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from serial import SerialException

from firmware_bridge.errors import PolartableError, PortError
from firmware_bridge.hearing import Hearing
from firmware_bridge.opening import _explain, check_device
from firmware_bridge.reading import why_gone
from sensors.ear.errors import CaptureLost, NoSuchInput, ProfileError
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources import capture
from sensors.ear.sources.igloo_port import IglooPort
from table.listening.why_lost import why_lost
from table.page.sentences import sentences
from table.senses.at_table import at_table
from table.senses.cube_wire import PORT_MEND
from table.senses.igloo_dogs import MEND
from table.senses.tap_wire import COUNTING_SEAT
from tests.dongle import Dongle
from tests.table.rooms import room

PLUG = "look at its plug; see: polartable devices"
PORT = "/dev/serial/by-id/usb-Polar_dongle-if00"
# why a link is away (firmware_bridge/link.py; its own tests pin these words)
AWAY = (
    why_gone(TypeError()),
    why_gone(OSError(errno.ENODEV, "No such device")),
    Hearing("polar", None).why_nothing(),
    "c0be000000000002 sits there now",
    "it did not say who it is",
    "for a moment",
)


def signs(source: str, mend: str, *whys: str) -> list[str]:
    """Every sentence of one watchdog that hears these: told, and standing on the page."""
    table, out = room(), list[str]()
    table.listen(lambda one: out.append(one.text))
    for why in whys:
        dog = table.senses.watch(source, mend, 0.0, "igloo-pop")
        dog.lost(1.0, why)
        dog.tick(10.0)
        out.extend(table.asleep())
        dog.alive(11.0)
    return out


def english(said: list[str]) -> list[str]:
    return [text for text in said for code in ("de", "fr", "it") if not sentences(code).known(text)]


def ports(tmp_path: Path) -> Iterator[PortError]:
    """Every way in which a port cannot be opened."""
    (tmp_path / "file").touch()
    for path in ("nowhere", "file", "."):
        with pytest.raises(PortError) as told:
            check_device(str(tmp_path / path))
        yield told.value
    for number in (errno.EBUSY, errno.EACCES, errno.ENODEV, errno.EIO):
        yield _explain(PORT, SerialException(number, "broken"))
    yield _explain("socket://nobody:1", SerialException("connection refused"))
    yield _explain("socket:/", SerialException("invalid url"))


@pytest.mark.parametrize(
    ("source", "mend"),
    [
        ("igloos of red", PLUG),
        ("igloos of table", PLUG),
        ("igloos of red (node 17)", MEND),
        ("igloos of table (node 17)", MEND),
        (COUNTING_SEAT, PLUG),
        (f"cubes on {PORT}", PORT_MEND),
    ],
)
def test_why_a_port_is_not_heard_is_said_in_every_language(source: str, mend: str, tmp_path: Path) -> None:
    where = [f"{who}{PORT} is away ({why})" for why in AWAY for who in ("", "igloo at ", "seat at ")]
    with pytest.raises(KeyError) as defect:
        dict[str, str]()["slot"]
    told = [
        *(why for why in AWAY if "Errno" not in why),  # what the system says stays as it says it
        *where,
        "it did not come back with its port",
        *(f"{one} at {PORT} fell silent" for one in ("igloo", "seat")),
        f"igloo at {PORT} measures at 833 Hz now, and did at 417 Hz",
        f"igloo at {PORT} measures at 833.1 Hz now, and did at 417 Hz – nothing need be done: it is listened to anew",
        *(why_lost(PORT, error) for error in ports(tmp_path)),
        *(str(error) for error in ports(tmp_path)),
        why_lost("the cubes", defect.value),
    ]
    assert english(signs(source, mend, *told)) == []


@pytest.mark.parametrize("kind", ["igloo", "seat"])
def test_what_sits_at_a_port_instead_stands_on_the_page_in_every_language(
    tmp_path: Path, kind: Literal["igloo", "seat"]
) -> None:
    pty = Dongle(tmp_path / "dongle")
    told = list[CaptureLost]()
    with IglooPort.at(pty.name) as port:
        for others in (
            {"cubes"},
            {"seats"},
            {"igloos"},
            {"cubes", "seats"},
            {"cubes", "igloos"},
            {"dongles"},
        ):
            port._others = others
            told += [port.nothing(node, shaken, kind) for node in (None, 17) for shaken in (False, True)]
        port.rates_of(kind).update({18: 833.0, 19: 833.0})
        port._spoke = {18, 19}
        told.append(port.nothing(17, False, kind))
        port._foreign = {17: 9}
        told.append(port.nothing(17, False, kind))
    pty.close()
    source = COUNTING_SEAT if kind == "seat" else "igloos of red"
    assert english(signs(source, PLUG, *(at_table(why_lost(pty.name, one)) for one in told))) == []


def test_why_a_microphone_is_not_heard_is_said_in_every_language() -> None:
    with pytest.raises(ProfileError) as slow:
        load_shipped("microphone").head_for("microphone", 8000.0)
    gone: list[PolartableError] = [
        NoSuchInput(
            "there is no input device 'USB' (there are: 0 A, 1 B)", "name one of these, or plug the device in"
        ),
        NoSuchInput("USB Audio is not there", "plug it in again"),
        CaptureLost("USB Audio fell silent", "plug it in again"),
        CaptureLost("USB Audio cannot be opened (x)", "is another program using it? then plug it in again"),
        CaptureLost("PortAudio tells of no devices (x)", capture.NO_SOUND),
        CaptureLost("PortAudio does not start (x)", capture.NO_SOUND),
        CaptureLost("PortAudio is not on this machine", "apt-get install libportaudio2"),
        slow.value,
    ]
    whys = [why for error in gone for why in (why_lost("USB", error), error.cause)]
    for seat in ("red", "table"):
        assert english(signs(f"microphone of {seat}", PLUG, *whys)) == []


def test_a_table_is_sent_to_its_settings_where_a_seat_sits_at_the_igloos_port(tmp_path: Path) -> None:
    """The options are those of commands; whoever runs a table has given none."""
    pty = Dongle(tmp_path / "dongle")
    with IglooPort.at(pty.name) as port:
        port._others = {"seats"}
        why = at_table(why_lost(pty.name, port.nothing(None)))
    pty.close()
    assert "[taps]" in why
    assert "--profile" not in why
