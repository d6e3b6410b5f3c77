"""Which board lies in which slot: whatever way its samples come, and however late it says who it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import MotionBatch, NodeSaid
from sensors.cubes.follow import CubeFollower, NodeKey, Seat
from sensors.evidence import CubeEvidence, CubePose, Odd

HEAD_DOWN = (0.0, 1.0, 0.0, 0.0)
TAUGHT = {
    f"{i:016x}": Seat(slot, cube, HEAD_DOWN)
    for i, (slot, cube) in enumerate((("SE", "C"), ("SW", "D"), ("NW", "A"), ("NE", "B")), 1)
}
CABLES = [f"/dev/ttyACM{i}" for i in range(4)]
Board = tuple[NodeKey, int]  # where it speaks, and its lasting number


class Evening:
    """Boards that lie still, head down, and say hello every two seconds."""

    def __init__(self, ports: Sequence[str], seats: Mapping[NodeKey | str, Seat] | None = None) -> None:
        self.follower = CubeFollower(ports, seats)
        self.told: list[CubeEvidence] = []
        self.t = 0.0

    def play(self, boards: Sequence[Board], seconds: float, late: Mapping[int, float] | None = None) -> None:
        """`late`: how many seconds from now on a board's first hello comes."""
        began = self.t
        steps = round(seconds / 0.02)
        for k in range(steps):
            self.t = began + k * 0.02
            for (port, node), uid in boards:
                after = round((late or {}).get(uid, 0.0) / 0.02)
                if k >= after and (k - after) % 100 == 0:
                    self.told += self.follower.feed(NodeSaid(port, node, self.t, hello(node, uid)))
                batch = MotionBatch(
                    port, node, self.t, 0.005, ((0.0, 0.0, 0.0),) * 4, ((0.0, 0.0, -1.0),) * 4
                )
                self.told += self.follower.feed(batch)
            self.told += self.follower.settle(self.t - 0.25)
        self.t = began + seconds

    @property
    def lie(self) -> dict[NodeKey, str]:
        return {key: seat.slot for key, seat in self.follower.seats.items()}

    def heard_lately(self) -> set[str]:
        return {
            s for s, t in self.follower.trackers.items() if t.last_t is not None and t.last_t > self.t - 0.1
        }


def hello(node: int, uid: int) -> p.Hello:
    stamp, level = p.Stamp(node, 0, 0), (1.0, 0.0, 0.0, 0.0)
    return p.Hello(stamp, "cube", f"{uid:016x}", (0, 1, 0), 4000, 200, 2000, 16, True, level, "")


@pytest.mark.parametrize("late", [0.5, 1.1, 1.4, 1.9, 2.4])
def test_a_taught_board_is_waited_for_until_it_has_said_who_it_is(late: float) -> None:
    """The question was lost, or its wire is missing: a node says hello every two seconds all the same."""
    evening = Evening(["dongle"], TAUGHT)
    evening.play([(("dongle", i), i) for i in range(1, 5)], 4.0, {1: late, 3: late})
    assert evening.lie == {("dongle", 1): "SE", ("dongle", 2): "SW", ("dongle", 3): "NW", ("dongle", 4): "NE"}
    first = {(e.slot, e.cube, e.up) for e in evening.told if isinstance(e, CubePose)}
    assert first == {("SE", "C", "U"), ("SW", "D", "U"), ("NW", "A", "U"), ("NE", "B", "U")}


def test_who_says_very_late_who_he_is_gets_his_slot_then() -> None:
    """Two of four are there; before their hellos they are taken to lie in the order of their ports."""
    evening = Evening(CABLES[:2], TAUGHT)
    boards = [((CABLES[0], 1), 2), ((CABLES[1], 1), 3)]
    evening.play(boards, 8.0, {2: 4.0, 3: 5.0})
    assert evening.lie == {(CABLES[0], 1): "SW", (CABLES[1], 1): "NW"}
    assert set(evening.follower.trackers) == {"SW", "NW"}
    last = {e.slot: (e.cube, e.up) for e in evening.told if isinstance(e, CubePose) and e.t > 3.9}
    assert last == {"SW": ("D", "U"), "NW": ("A", "U")}  # with the way in which its sensor was taught to sit


def test_who_sits_in_a_slot_that_is_anothers_by_teaching_makes_room() -> None:
    evening = Evening(CABLES[:2], {f"{1:016x}": TAUGHT[f"{3:016x}"]})  # board 1 is taught for NW
    evening.play([((CABLES[0], 1), 9), ((CABLES[1], 1), 1)], 8.0, {1: 5.0})
    assert evening.lie == {(CABLES[1], 1): "NW", (CABLES[0], 1): "NE"}


def test_a_cube_that_is_switched_on_later_is_not_shown_elsewhere_first() -> None:
    evening = Evening(["dongle"], TAUGHT)
    two = [(("dongle", i), i) for i in (3, 4)]
    evening.play(two, 3.0)
    evening.play([*two, (("dongle", 2), 2)], 3.0, {2: 1.5})
    assert evening.lie[("dongle", 2)] == "SW"
    assert [e.slot for e in evening.told if isinstance(e, CubePose) and e.t > 3.0] == ["SW"]


@pytest.mark.parametrize("seats", [None, TAUGHT], ids=["untaught", "taught"])
@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (1, 1, 1, 1)], ids=["numbered", "all are number 1"])
def test_boards_that_changed_places_keep_their_slots(
    seats: Mapping[NodeKey | str, Seat] | None, numbers: Sequence[int]
) -> None:
    evening = Evening(CABLES, seats)
    uids = (1, 2, 3, 4)
    evening.play([((CABLES[i], numbers[i]), uids[i]) for i in range(4)], 4.0)
    before = {uids[i]: evening.lie[CABLES[i], numbers[i]] for i in range(4)}
    told = len(evening.told)
    swapped = (1, 0, 2, 3)  # the first two boards by their places: each on the other's cable
    evening.t += 6.0
    evening.play([((CABLES[swapped[i]], numbers[i]), uids[i]) for i in range(4)], 4.0)
    after = {uids[i]: evening.lie[CABLES[swapped[i]], numbers[i]] for i in range(4)}
    assert after == before
    assert evening.heard_lately() == {"NW", "NE", "SE", "SW"}
    for event in evening.told[told:]:  # nobody turned them, as far as anybody knows
        assert isinstance(event, CubePose | Odd)
        assert isinstance(event, Odd) or not event.changed


def test_a_spare_board_under_the_old_number_takes_the_place() -> None:
    evening = Evening(["dongle"])
    evening.play([(("dongle", i), i) for i in range(1, 5)], 4.0)
    evening.play([(("dongle", i), 7 if i == 2 else i) for i in range(1, 5)], 4.0)
    assert evening.lie[("dongle", 2)] == "NE"
    assert evening.heard_lately() == {"NW", "NE", "SE", "SW"}


def test_a_hello_of_another_version_of_the_wire_names_nobody() -> None:
    follower = CubeFollower(["dongle"], TAUGHT)
    stranger = p.Hello(p.Stamp(1, 0, 0), "cube", f"{1:016x}", (9, 0, 0), 4000, 200, 2000, 16, True,
                       (1.0, 0.0, 0.0, 0.0), "", version=2)  # fmt: skip
    follower.feed(NodeSaid("dongle", 1, 0.0, stranger))
    for k in range(200):
        t = k * 0.02
        follower.feed(MotionBatch("dongle", 1, t, 0.005, ((0.0, 0.0, 0.0),) * 4, ((0.0, 0.0, 1.0),) * 4))
    assert {s.slot for s in follower.seats.values()} == {"NW"}


@pytest.mark.parametrize("seats", [None, TAUGHT], ids=["untaught", "taught"])
def test_boards_that_two_dongles_hear_stay_with_the_one_that_has_them(
    seats: Mapping[NodeKey | str, Seat] | None,
) -> None:
    """Every hello names the same board, now on this port, now on that: the cubes are followed all the same."""
    follower, lie = CubeFollower(["one", "two"], seats), set[tuple[tuple[NodeKey, str], ...]]()
    for k in range(600):
        t = k * 0.02
        for after, port in enumerate(("one", "two")):
            for node in (1, 2, 3, 4):
                if (k - 25 * after - 7 * node) % 100 == 0:
                    follower.feed(NodeSaid(port, node, t, hello(node, node)))
                follower.feed(
                    MotionBatch(port, node, t, 0.005, ((0.0, 0.0, 0.0),) * 4, ((0.0, 0.0, -1.0),) * 4)
                )
        follower.settle(t - 0.25)
        if t > 4.0:
            lie.add(tuple(sorted((key, seat.slot) for key, seat in follower.seats.items())))
    (stays,) = lie
    assert sorted(slot for _, slot in stays) == ["NE", "NW", "SE", "SW"]


def test_two_boards_that_two_dongles_hear_are_two_cubes() -> None:
    evening = Evening(["one", "two"])
    evening.play([((port, node), node) for port in ("one", "two") for node in (1, 2)], 5.0)
    assert sorted(node for _, node in evening.lie) == [1, 2]
    assert len({e.slot for e in evening.told if isinstance(e, CubePose)}) == 2


def test_when_one_of_two_dongles_goes_the_other_has_its_boards() -> None:
    evening = Evening(["one", "two"], TAUGHT)
    boards = [((port, node), node) for port in ("one", "two") for node in (1, 2, 3, 4)]
    evening.play(boards, 6.0)
    gone = next(iter(evening.lie))[0]
    left = [b for b in boards if b[0][0] != gone]
    evening.play(left, 5.0)
    assert {uid: evening.lie[key] for key, uid in left} == {1: "SE", 2: "SW", 3: "NW", 4: "NE"}
    assert evening.heard_lately() == {"NW", "NE", "SE", "SW"}


def test_boards_that_changed_places_and_say_so_late_keep_their_slots() -> None:
    evening = Evening(CABLES, TAUGHT)
    evening.play([((CABLES[i], 1), i + 1) for i in range(4)], 4.0)
    before = set(evening.lie.values())
    evening.play([((CABLES[i], 1), uid) for i, uid in enumerate((2, 1, 3, 4))], 8.0, {1: 1.1, 2: 1.6})
    assert evening.lie == {
        (c, 1): TAUGHT[f"{u:016x}"].slot for c, u in zip(CABLES, (2, 1, 3, 4), strict=True)
    }
    assert set(evening.lie.values()) == before
    assert evening.heard_lately() == {"NW", "NE", "SE", "SW"}
