"""What was taught about the cubes: which node is which cube, and its sensor's mounting. One small JSON file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.errors import PolartableError
from firmware_bridge.host.durable import write_whole
from sensors.cubes import quats, turns
from sensors.cubes.follow import NodeKey, Seat
from sensors.cubes.quats import Quat

FORMAT = "polartable-cubes-1"


class DamagedCalibration(PolartableError, ValueError):
    """A calibration file that cannot be read."""

    number = 501


@dataclass(frozen=True, slots=True)
class CubeTeaching:
    """One cube: its name, its slot at the start of a game, its node, and the node's mounting: sensor axes to body axes.

    `uid` is the board's lasting number, None on a wire that has none; then `port` (and `node`) identify it.
    """

    cube: str
    slot: str
    mount: Quat
    port: str
    node: int
    uid: str | None = None
    off_deg: float = 0.0  # fit error of the teaching: the largest residual over the faces shown

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "cube": self.cube,
            "slot": self.slot,
            "mount": [round(v, 6) for v in self.mount],
        }
        return out | {
            "port": self.port,
            "node": self.node,
            "uid": self.uid,
            "off_deg": round(self.off_deg, 2),
        }


def with_taught(
    known: list[CubeTeaching], taught: CubeTeaching
) -> tuple[list[CubeTeaching], list[CubeTeaching]]:
    """`known` with the newly taught cube, in the order of the slots; and the cubes that it displaces from their slot.

    One board lies in one slot. It is identified by its lasting number, and by port and node only where it has no
    number, because ports change.
    """

    def same(other: CubeTeaching) -> bool:
        if other.uid is not None and taught.uid is not None:
            return other.uid == taught.uid
        return (other.port, other.node) == (taught.port, taught.node)

    elsewhere = [c for c in known if c.slot != taught.slot]
    kept = [*(c for c in elsewhere if not same(c)), taught]
    return sorted(kept, key=lambda c: turns.SLOTS.index(c.slot)), [c for c in elsewhere if same(c)]


def save(path: Path, cubes: list[CubeTeaching]) -> None:
    """Write all or nothing: a power cut leaves the old file or the new one. Raises OSError."""
    data = json.dumps({"format": FORMAT, "cubes": [c.to_json() for c in cubes]}, indent=1) + "\n"
    # not secret, and the user who teaches is not always the one who plays
    write_whole(path, data.encode(), 0o644)


def load(path: Path, *, anew: bool = False) -> list[CubeTeaching]:
    """The cubes of a file; an empty list where there is none. Raises DamagedCalibration.

    anew: an empty file counts as none, because it is about to be rewritten. For a table it is a damaged calibration.
    """
    try:
        text = path.read_text()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DamagedCalibration(
            f"{path} cannot be read ({error.strerror})",
            "check who owns it and the folders that it is in, or name another place",
        ) from None
    except UnicodeDecodeError as error:
        raise _damaged(path, str(error)) from None
    if not text.strip():
        if anew:
            return []
        raise DamagedCalibration(
            f"{path} is no calibration of cubes (it is empty)", "run `polartable calibrate cubes` again"
        )
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']!r}")
        cubes = [_cube(entry) for entry in data["cubes"]]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise _damaged(path, str(error)) from None
    if len({c.slot for c in cubes}) != len(cubes):
        raise _damaged(path, "two cubes have the same slot")
    if len(seats(cubes)) != len(cubes):
        raise _damaged(path, "two cubes have the same board")
    return cubes


def seats(cubes: list[CubeTeaching]) -> dict[NodeKey | str, Seat]:
    """Where each cube lies at the start of a game, by its board's lasting number, else by port and node."""
    return {cube.uid or (cube.port, cube.node): Seat(cube.slot, cube.cube, cube.mount) for cube in cubes}


def _cube(entry: dict[str, Any]) -> CubeTeaching:
    w, x, y, z = (float(v) for v in entry["mount"])
    if entry["slot"] not in turns.SLOTS:
        raise ValueError(f"no slot {entry['slot']!r}")
    length = math.hypot(w, x, y, z)
    if not 0.5 < length < 2.0:  # saved quaternions have length 1; NaN and infinity are refused too
        raise ValueError(f"a mounting has the length {length:g}")
    mount = quats.normalised((w, x, y, z))
    uid = entry.get("uid")
    port, node, off = str(entry["port"]), int(entry["node"]), float(entry.get("off_deg", 0.0))
    if not math.isfinite(off):
        raise ValueError(f"off_deg is {off}")
    return CubeTeaching(
        str(entry["cube"]), entry["slot"], mount, port, node, None if uid is None else str(uid), off
    )


def _damaged(path: Path, why: str) -> DamagedCalibration:
    return DamagedCalibration(
        f"{path} is no calibration of cubes ({why})",
        "move it away, then run `polartable calibrate cubes` again",
    )
