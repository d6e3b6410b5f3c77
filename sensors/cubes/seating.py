"""Which board lies in which slot. A board is known by its lasting number, whatever port or node number it speaks under;
where none was said (a chip, or a node whose hello has not come) by port and node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firmware_bridge.packets import Hello
from firmware_bridge.polar import VERSION
from sensors.cubes import turns
from sensors.cubes.quats import Quat

CUBES = "ABCD"
NAMED_S = 2.5  # a node says hello every two seconds, also when nobody could ask it
SPEAKS_S = 1.0  # who was heard so lately still speaks

NodeKey = tuple[str, int]  # port, node


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a cube lies and how its sensor sits: sensor axes to body axes (None: from the first rest), first pose."""

    slot: str
    cube: str
    mount: Quat | None = None
    start: int = turns.IDENTITY


class Seating:
    """`seats`: who speaks for which seat now. `lives`: slot → the seat that is followed there."""

    def __init__(self, ports: Sequence[str], taught: Mapping[NodeKey | str, Seat]) -> None:
        self.seats: dict[NodeKey, Seat] = {}
        self.lives: dict[str, Seat] = {}
        # boards that came to speak here from elsewhere, until somebody takes note
        self.moved: set[NodeKey] = set()
        self._ports = list(ports)
        self._given = {k: s for k, s in taught.items() if not isinstance(k, str)}
        self._home = {k: s for k, s in taught.items() if isinstance(k, str)}
        self._taught = frozenset(self._home)
        self._uids: dict[NodeKey, str] = {}
        self._since: dict[NodeKey, float] = {}  # when its samples began to come
        self._newest: dict[NodeKey, float] = {}
        self._not_cubes: set[NodeKey] = set()
        # its board speaks elsewhere now, so who is here must say so first; or it speaks there as well, and is followed
        self._astray: set[NodeKey] = set()

    @property
    def cubes(self) -> set[NodeKey]:
        """What has been heard and may be a cube."""
        return self._since.keys() - self._not_cubes

    def heard(self, key: NodeKey, t: float) -> None:
        """Samples came."""
        self._since.setdefault(key, t)
        self._newest[key] = t

    def waits(self, key: NodeKey, t: float) -> bool:
        """Whether it is still to be heard who this is, before it gets a slot."""
        if key in self._astray:
            return True
        if not self._taught or key[1] == 0 or key in self._uids:  # node 0: a chip that has no number to say
            return False
        return t - self._since.get(key, t) < NAMED_S

    def order(self, key: NodeKey) -> tuple[int, int]:
        """By rising port, as they were given, and node."""
        return (self._ports.index(key[0]) if key[0] in self._ports else len(self._ports), key[1])

    def named(self, key: NodeKey, hello: Hello, t: float) -> None:
        """A node says at `t` who it is: it gets the slot that is its board's, also from another that has it by order
        only. Where its board still speaks elsewhere (two dongles hear it) it waits until that one falls silent."""
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
        """Who speaks under `key` is of another seat: this one is its own board's, where that waits for it."""
        del self.seats[key]
        if by_order_only:
            self.lives.pop(has.slot, None)
        waits = next((k for k in self._astray if self._home.get(self._uids.get(k, "")) == has), None)
        if waits is not None and self.lives.get(has.slot) == has:
            self._move(waits, has)

    def _take(self, key: NodeKey, wanted: Seat, uid: str, t: float) -> None:
        """Board `uid` speaks under `key` from `t` on: it gets its seat, unless it still speaks under another."""
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
        """The board of this seat goes on under `key`."""
        self.seats[key] = seat
        self.moved.add(key)
        self._astray.discard(key)

    def seat(self, key: NodeKey) -> Seat | None:
        """Give a cube that has none a seat; None where no slot is free, or where it is none."""
        if key in self._not_cubes:
            return None
        uid = self._uids.get(key)
        if uid is not None and any(self._uids.get(k) == uid for k in self.seats):
            self._astray.add(key)  # it is followed as it is heard elsewhere
            return None
        seat = self._home.get(self._uids.get(key, "")) or self._given.get(key)
        if seat is not None and any(s.slot == seat.slot for s in self.seats.values()):
            seat = None  # another has its slot already: it came too late
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
        if len(self._ports) > 1:  # one port a cube: its place in the order, also when others come later
            index = self.order(key)[0]
            own = turns.SLOTS[index] if index < len(turns.SLOTS) else None
            slot = own if own in free else slot
        return None if slot is None else Seat(slot, CUBES[turns.SLOTS.index(slot)])

    def _claim(self, uid: str, seat: Seat) -> None:
        """From now on this board is known by its number; what was only learned of another goes."""
        for other in [u for u, s in self._home.items() if s == seat and u not in self._taught]:
            del self._home[other]
        if uid not in self._taught:
            self._home[uid] = seat
