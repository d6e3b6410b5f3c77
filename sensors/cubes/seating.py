"""Which board lies in which slot.

A board is identified by its lasting number, whatever port or node number it uses; by port and node where it has given
no number (a chip, or a node whose hello has not come).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firmware_bridge.packets import Hello
from firmware_bridge.polar import VERSION
from sensors.cubes import turns
from sensors.cubes.quats import Quat

CUBES = "ABCD"
NAMED_S = 2.5  # s; a node says hello every two seconds, also when nobody can ask it
SPEAKS_S = 1.0  # a board that was heard this recently is still here

NodeKey = tuple[str, int]  # port, node


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a cube lies, its mounting, sensor axes to body axes (None: from the first rest), and its first pose."""

    slot: str
    cube: str
    mount: Quat | None = None
    start: int = turns.IDENTITY


class Seating:
    """`seats`: which node holds which seat now. `lives`: slot → the seat that is tracked there.

    `starts`: slot → the first pose of a cube that nobody taught.
    """

    def __init__(
        self, ports: Sequence[str], taught: Mapping[NodeKey | str, Seat], starts: Mapping[str, int]
    ) -> None:
        self.seats: dict[NodeKey, Seat] = {}
        self.lives: dict[str, Seat] = {}
        # nodes under which a board went on that spoke elsewhere before; cleared by the reader
        self.moved: set[NodeKey] = set()
        self._ports = list(ports)
        self._starts = starts
        self._given = {k: s for k, s in taught.items() if not isinstance(k, str)}
        self._home = {k: s for k, s in taught.items() if isinstance(k, str)}
        self._taught = frozenset(self._home)
        self._uids: dict[NodeKey, str] = {}
        self._since: dict[NodeKey, float] = {}  # when its first samples came
        self._newest: dict[NodeKey, float] = {}
        self._not_cubes: set[NodeKey] = set()
        # Nodes without a seat until they identify themselves: their board speaks elsewhere now, or speaks there as well
        # and is tracked there.
        self._astray: set[NodeKey] = set()

    @property
    def cubes(self) -> set[NodeKey]:
        """Nodes that were heard and may be cubes."""
        return self._since.keys() - self._not_cubes

    def heard(self, key: NodeKey, t: float) -> None:
        """Samples came."""
        self._since.setdefault(key, t)
        self._newest[key] = t

    def waits(self, key: NodeKey, t: float) -> bool:
        """Whether to wait for this node's identity before it gets a slot."""
        if key in self._astray:
            return True
        if not self._taught or key[1] == 0 or key in self._uids:  # node 0: a chip that has no number
            return False
        return t - self._since.get(key, t) < NAMED_S

    def order(self, key: NodeKey) -> tuple[int, int]:
        """Sort key: the port, in the given order, then the node."""
        return (self._ports.index(key[0]) if key[0] in self._ports else len(self._ports), key[1])

    def named(self, key: NodeKey, hello: Hello, t: float) -> None:
        """A node identifies itself at `t`: it gets its board's slot, even from another node that has it only by order.
        Where the board still speaks elsewhere (two dongles hear it), this node waits until the other falls silent."""
        if hello.version != VERSION:
            return
        if hello.kind != "cube":
            self._not_cubes.add(key)
            return
        before, self._uids[key] = self._uids.get(key), hello.uid
        self._astray.discard(key)
        wanted, has = self._home.get(hello.uid), self.seats.get(key)
        if wanted is None:
            if has is not None:
                self._claim(hello.uid, has)
            return
        if wanted == has:
            return
        self._not_cubes.discard(key)
        if has is not None:
            self._leave(key, has, by_order_only=before is None)
        self._take(key, wanted, hello.uid, t)

    def _leave(self, key: NodeKey, has: Seat, by_order_only: bool) -> None:
        """The node `key` belongs to another seat. Its present seat goes to its own board, where that waits for it."""
        del self.seats[key]
        if by_order_only:
            self.lives.pop(has.slot, None)
        waits = next((k for k in self._astray if self._home.get(self._uids.get(k, "")) == has), None)
        if waits is not None and self.lives.get(has.slot) == has:
            self._move(waits, has)

    def _take(self, key: NodeKey, wanted: Seat, uid: str, t: float) -> None:
        """Board `uid` speaks under `key` from `t` on: it gets its seat, unless it still speaks under another node."""
        holder = next((k for k, s in self.seats.items() if s.slot == wanted.slot), None)
        if holder is not None:
            if self._uids.get(holder) == uid and t - self._newest.get(holder, t) < SPEAKS_S:
                self._astray.add(key)
                return
            del self.seats[holder]
        if self.lives.get(wanted.slot) == wanted:
            self._move(key, wanted)
            if holder is not None:
                self._astray.add(holder)
                self._uids.pop(holder, None)
        else:
            self.lives.pop(wanted.slot, None)

    def _move(self, key: NodeKey, seat: Seat) -> None:
        """The board of this seat continues under `key`."""
        self.seats[key] = seat
        self.moved.add(key)
        self._astray.discard(key)

    def seat(self, key: NodeKey) -> Seat | None:
        """Give a cube without a seat one; None where no slot is free, or where the node is not a cube."""
        if key in self._not_cubes:
            return None
        uid = self._uids.get(key)
        if uid is not None and any(self._uids.get(k) == uid for k in self.seats):
            self._astray.add(key)  # it is tracked through the other node
            return None
        seat = self._home.get(self._uids.get(key, "")) or self._given.get(key)
        if seat is not None and any(s.slot == seat.slot for s in self.seats.values()):
            seat = None  # another cube has its slot already: it came too late
        if seat is None:
            seat = self._free(key)
        if seat is None:
            self._not_cubes.add(key)
            return None
        self.seats[key] = self.lives[seat.slot] = seat
        if key in self._uids:
            self._claim(self._uids[key], seat)
        return seat

    def _free(self, key: NodeKey) -> Seat | None:
        taken = {s.slot for s in self.seats.values()}
        taken |= {s.slot for k, s in self._given.items() if k in self._since}
        taken |= {self._home[uid].slot for k, uid in self._uids.items() if k != key and uid in self._home}
        free = [s for s in turns.SLOTS if s not in taken]
        slot = free[0] if free else None
        # one cube for each port: its slot follows the port's place in the list, also when others come later
        if len(self._ports) > 1:
            index = self.order(key)[0]
            own = turns.SLOTS[index] if index < len(turns.SLOTS) else None
            slot = own if own in free else slot
        if slot is None:
            return None
        return Seat(slot, CUBES[turns.SLOTS.index(slot)], start=self._starts.get(slot, turns.IDENTITY))

    def _claim(self, uid: str, seat: Seat) -> None:
        """From now on this board is known by its number; a number that was only learned for the same seat is
        dropped."""
        for other in [u for u, s in self._home.items() if s == seat and u not in self._taught]:
            del self._home[other]
        if uid not in self._taught:
            self._home[uid] = seat
