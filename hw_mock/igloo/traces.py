"""Records of the bead dynamics: where and how hard beads press, the forces on the shell, and each impact."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.compiled import compiled

DOME, FLOOR, PAIR = 0, 1, 2
Array = NDArray[np.float64]


class Traces(NamedTuple):
    """Records of S samples at 48 kHz.

    Entries: sample, cell and impulse in N·s of each sample in which a bead pressed on a wall; cell is
    surface·cells² + ring·cells + sector. force N, torque N·m about the shell's centre, recoil m/s² (the shell relative
    to the hand) [S, 3]; stop N [S]; click [S]: bead-bead impulse in N·s. impacts [K, 7]: start s, impulse N·s, kind,
    bead, other bead or -1, duration s, closing speed at the start m/s. counts: number of entries and impacts written;
    the arrays may be longer, and the rest of them is meaningless.
    """

    entry_sample: NDArray[np.int32]
    entry_cell: NDArray[np.int32]
    entry_impulse: NDArray[np.float32]
    force: NDArray[np.float32]
    torque: NDArray[np.float32]
    recoil: NDArray[np.float32]
    stop: NDArray[np.float32]
    click: NDArray[np.float32]
    impacts: Array
    counts: NDArray[np.int64]


def traces(samples: int) -> Traces:
    """Empty records of `samples` samples, with some room for entries and impacts, which can grow (`longer`)."""
    return Traces(
        entry_sample=np.empty(2 * samples + 64, np.int32),
        entry_cell=np.empty(2 * samples + 64, np.int32),
        entry_impulse=np.empty(2 * samples + 64, np.float32),
        force=np.zeros((samples, 3), np.float32),
        torque=np.zeros((samples, 3), np.float32),
        recoil=np.zeros((samples, 3), np.float32),
        stop=np.zeros(samples, np.float32),
        click=np.zeros(samples, np.float32),
        impacts=np.empty((samples // 8 + 64, 7)),
        counts=np.zeros(2, np.int64),
    )


@compiled()
def longer(rows: Any, room: int) -> Any:
    """`rows` with room for at least `room` rows, by doubling. No record is ever dropped, because before each sample
    `beads.run` asks for as much as the sample could write."""
    while rows.shape[0] < room:
        rows = np.concatenate((rows, rows))
    return rows


@compiled()
def note_impact(
    impacts: Array, counts: NDArray[np.int64], since: Array, now: float, kind: int, bead: int, other: int
) -> None:
    """Write an impact that ended `now`; `since`: its start, impulse and initial speed; the start is reset to none."""
    k = counts[1]
    impacts[k, 0], impacts[k, 1], impacts[k, 2] = since[0], since[1], kind
    impacts[k, 3], impacts[k, 4], impacts[k, 5] = bead, other, now - since[0]
    impacts[k, 6] = since[2]
    counts[1] = k + 1
    since[0] = -1.0


@compiled()
def cell_at(x: float, y: float, z: float, side: int, dome_radius: float, cells: int) -> int:
    """The cell on the shell: rings of equal angle from the top (or of equal width from the centre), sectors around."""
    flat = math.sqrt(x * x + y * y)
    ring = math.atan2(flat, z) / math.pi * 1.6 if side == 0 else flat / dome_radius
    sector = (math.atan2(y, x) + math.pi) / (2 * math.pi)
    a = min(max(int(ring * cells), 0), cells - 1)
    b = min(int(sector * cells), cells - 1)
    return (side * cells + a) * cells + b
