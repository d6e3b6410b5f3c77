"""A hub that lost power comes back with its ports' names exchanged: each link finds its own board again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar, witmotion
from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.finding import PortFacts
from firmware_bridge.samples import BridgeEvent, LinkChange, MotionBatch
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import LEVEL, hello, motion

Speak = Callable[[int, int], bytes]
FACES = {1: (0.0, 1.0, 0.0), 2: (1.0, 0.0, 0.0)}  # how the two cubes lie: whose samples came is seen by it


def polar_cube(number: int, seq: int) -> bytes:
    """A cube as it talks all the time: hello now and then."""
    still = ((0.0, 0.0, 0.0),) * 4
    told = p.Motion(p.Stamp(number, seq, seq * 20_000), 5000, still, (FACES[number],) * 4)
    return (hello(number, seq) if seq % 20 == 1 else b"") + polar.encode(told)


def mute_cube(number: int, seq: int) -> bytes:
    """The same whose hello is never heard."""
    return motion(number, seq)


def wit_cube(number: int, seq: int) -> bytes:
    return witmotion.encode_serial(0x51, FACES[number]) + witmotion.encode_serial(0x52, (0.0, 0.0, 0.0))


class Hub:
    """Two boards on one hub. `chip` says what the system tells of a board: its number, and its socket."""

    def __init__(self, folder: Path, speak: Speak, chip: Callable[[int], PortFacts | None]) -> None:
        self.folder, self.speak, self._chip = folder, speak, chip
        self.boards = {n: PtyPort(link=folder / f"ttyACM{n - 1}") for n in (1, 2)}
        self.events: list[BridgeEvent] = []
        self._seq = itertools.count(1)
        self.clock = SystemClock()
        self.bridge = Bridge(self.names, "auto", self.clock, lister=self._list)
        for link in self.bridge.links:
            link.open()

    @property
    def names(self) -> list[str]:
        return [str(self.folder / f"ttyACM{i}") for i in (0, 1)]

    def _list(self) -> list[PortFacts]:
        there = [(board.name, self._chip(n)) for n, board in self.boards.items() if board.plugged]
        return [
            PortFacts(name, f.description, f.vid, f.pid, f.serial_number, f.place) for name, f in there if f
        ]

    def step(self) -> None:
        seq = next(self._seq)
        for number, board in self.boards.items():
            if self.speak is not mute_cube or seq % 7:  # a line is never quite even
                board.write(self.speak(number, seq))
        for link in self.bridge.links:
            link.step()
        self.events += self.bridge.take()

    def until(self, true: Callable[[], bool], seconds: float = 6.0) -> None:
        began = self.clock.now()
        while not true():
            assert self.clock.now() - began < seconds, self.told()
            self.step()

    def told(self) -> str:
        changes = [e for e in self.events if isinstance(e, LinkChange)]
        return "\n".join(f"{Path(e.port).name} {e.state} {e.why} {Path(e.now or '').name}" for e in changes)

    def states(self, name: str) -> list[str]:
        return [e.state for e in self.events if isinstance(e, LinkChange) and e.port == name]

    def all_are(self, *states: str) -> bool:
        return all(self.states(name)[-1:] in [[s] for s in states] for name in self.names)

    def lose_power(self) -> None:
        for board in self.boards.values():
            board.unplug()
            board.device = ""  # its number is another's soon, and so is the name that led to it
        self.until(lambda: self.all_are("lost"))
        self.events.clear()

    def come_back(self, names: dict[int, str]) -> None:
        for number, name in names.items():
            self.boards[number].plug(link=self.folder / name)

    def heard(self) -> dict[str, set[tuple[float, float, float]]]:
        out: dict[str, set[tuple[float, float, float]]] = {}
        for e in self.events:
            if isinstance(e, MotionBatch):
                out.setdefault(Path(e.port).name, set()).update(e.accels)
        return out

    def close(self) -> None:
        self.bridge.close()
        for board in self.boards.values():
            board.close()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Callable[..., Hub]]:
    made: list[Hub] = []

    def make(speak: Speak, chip: Callable[[int], PortFacts | None] = lambda n: None) -> Hub:
        made.append(Hub(tmp_path, speak, chip))
        made[-1].until(lambda: made[-1].all_are("open"))
        made[-1].until(lambda: made[-1].clock.now() > 0.3)
        return made[-1]

    yield make
    for one in made:
        one.close()


def numbered(number: int) -> PortFacts:
    return PortFacts("", "x", 0x303A, 0x1001, f"SN-{number}", f"1-{number}")


def alike(number: int) -> PortFacts:
    """A bridge whose maker gave all of them one serial number."""
    return PortFacts("", "x", 0x10C4, 0xEA60, "0001", f"1-{number}")


def nameless(number: int) -> PortFacts:
    return PortFacts("", "x", 0x1A86, 0x7523, None, f"1-{number}")


@pytest.mark.parametrize("speak", [polar_cube, wit_cube])
@pytest.mark.parametrize("chip", [numbered, alike, nameless])
def test_boards_whose_names_were_exchanged_stay_with_their_links(
    hub: Callable[..., Hub], speak: Speak, chip: Callable[[int], PortFacts]
) -> None:
    ours = hub(speak, chip)
    ours.lose_power()
    ours.come_back({1: "ttyACM1", 2: "ttyACM0"})
    ours.until(lambda: ours.all_are("back") and len(ours.heard()) == 2)
    assert ours.heard() == {"ttyACM0": {FACES[1]}, "ttyACM1": {FACES[2]}}
    assert [Path(link.now).name for link in ours.bridge.links] == ["ttyACM1", "ttyACM0"]


def test_where_the_system_knows_nothing_the_boards_say_who_they_are(hub: Callable[..., Hub]) -> None:
    ours = hub(polar_cube)
    ours.lose_power()
    ours.come_back({1: "ttyACM1", 2: "ttyACM0"})
    ours.until(lambda: ours.all_are("back") and len(ours.heard()) == 2)
    assert ours.heard() == {"ttyACM0": {FACES[1]}, "ttyACM1": {FACES[2]}}
    said = {e.why for e in ours.events if isinstance(e, LinkChange) and e.state == "lost"}
    assert said  # who looks first says so; the other may find its own at once
    assert said <= {"c0be000000000002 sits there now", "c0be000000000001 sits there now"}


def test_a_link_waits_for_its_board_while_another_has_its_name(hub: Callable[..., Hub]) -> None:
    """Only the second board comes back, under the first one's name: the first link stays lost."""
    ours = hub(wit_cube, numbered)
    ours.lose_power()
    ours.come_back({2: "ttyACM0"})
    ours.until(lambda: ours.states(ours.names[1]) == ["back"])
    began = ours.clock.now()
    ours.until(lambda: ours.clock.now() > began + 1.0)
    assert ours.states(ours.names[0]) == []
    ours.come_back({1: "ttyACM7"})
    ours.until(lambda: ours.states(ours.names[0]) == ["back"])


def test_a_board_that_says_late_who_it_is_is_put_out_again(hub: Callable[..., Hub]) -> None:
    """The way to the node is not wired, so that it cannot be asked: the link is believed, until a hello comes."""
    ours = hub(polar_cube)
    ours.lose_power()
    ours.speak = mute_cube
    ours.come_back({2: "ttyACM0"})
    ours.until(lambda: ours.states(ours.names[0]) == ["back"], 2.0)
    ours.speak = polar_cube
    ours.until(lambda: ours.states(ours.names[0]) == ["back", "lost"])
    ours.come_back({1: "ttyACM1"})
    ours.until(lambda: ours.all_are("back"))
    ours.events.clear()
    ours.until(lambda: len(ours.heard()) == 2)
    assert ours.heard() == {"ttyACM0": {FACES[1]}, "ttyACM1": {FACES[2]}}


def test_a_dongle_that_comes_back_may_bring_new_cubes(hub: Callable[..., Hub]) -> None:
    """Who sits on the wire is the dongle; which cubes it hears is another matter."""

    def dongle(number: int, seq: int) -> bytes:
        who = p.Hello(p.Stamp(0, seq, seq * 20_000), "dongle", f"d0{number:014x}", (0, 1, 0), 0, 0, 0, 0, True,
                      (1.0, 0.0, 0.0, 0.0), "dongle")  # fmt: skip
        return (polar.encode(who) if seq % 20 == 2 else b"") + polar_cube(number, seq)

    def with_another_cube(number: int, seq: int) -> bytes:
        return hello(4, 2 * seq) + motion(4, 2 * seq + 1) + dongle(number, seq)

    ours = hub(dongle)
    ours.lose_power()
    ours.speak = with_another_cube
    ours.come_back({1: "ttyACM0", 2: "ttyACM1"})
    ours.until(lambda: ours.all_are("back") and sum(map(len, ours.heard().values())) == 4)
    assert ours.heard() == {"ttyACM0": {FACES[1], LEVEL}, "ttyACM1": {FACES[2], LEVEL}}
    assert [Path(link.now).name for link in ours.bridge.links] == ["ttyACM0", "ttyACM1"]
