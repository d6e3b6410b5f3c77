"""Training takes of a network: simulated recordings, cut as the ear cuts them, through one front end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.kept import kept
from calibration.bulk import Hands, each
from calibration.recordings.folder import Recording
from firmware_bridge.errors import PolartableError
from sensors.ear.frames.frontend import Array, Envelopes, FrontEnd, join_frames
from sensors.ear.shakes.net import MOST_READ
from sensors.ear.shakes.takes import cut
from sensors.ear.sources.sound_file import open_sound

LEAST_ENERGY = 1e-12


@dataclass(frozen=True, slots=True)
class Learned:
    """One take: ln energy float16[frames, columns] as a network's input (`sensors.ear.shakes.takes.Take.seen`); the
    hand float32[frames at 100 Hz, 3] in g and how far `ahead` it starts (`sensors.ear.shakes.takes.Take.ahead`); the
    count; the simulator's numbers of hits on the shell and between beads; and its folder."""

    log: npt.NDArray[np.float16]
    hand: Array
    ahead: float
    beads: int
    hits: tuple[int, int]
    folder: str
    maker: str = ""  # whose igloo
    raw: npt.NDArray[np.float16] | None = None  # ln of the energy as captured, if asked for
    beside: npt.NDArray[np.float16] | None = None  # ln of the neighbours' part, in company


def read(
    folders: Sequence[Path],
    front: FrontEnd,
    wanted: Callable[[Recording], bool],
    complain: Callable[[Exception], None],
    jobs: int = 1,
    raw: bool = False,
) -> Iterator[Learned]:
    """The takes of simulated recordings whose rate suffices for `front`; unusable ones are reported to `complain` and
    left out. `raw`: with the energy as captured."""
    chosen = (r for folder in folders for r in kept(folder, complain) if wanted(r))
    for result in each(partial(_take, front, raw), chosen, Hands(jobs)):
        if isinstance(result, Learned):
            yield result
        elif isinstance(result, PolartableError):
            complain(result)


def _take(front: FrontEnd, raw: bool, recording: Recording) -> Learned | PolartableError | None:
    if recording.sensor != front.sensor or not 1 <= (recording.beads or 0) <= MOST_READ:
        return None
    try:
        file = open_sound(recording.path)
        if file.rate < front.least_rate:
            return None
        envelopes = Envelopes(front, file.rate, file.channels)
        take = cut(front, join_frames(front, [envelopes.push(block) for block in file.blocks()]))
    except PolartableError as error:
        return error
    if take is None:
        return None
    assert recording.beads is not None
    shell, beads = recording.more["hits"]
    return Learned(
        take.seen.astype(np.float16),
        take.hand,
        take.ahead,
        recording.beads,
        (int(shell), int(beads)),
        recording.folder.name,
        recording.device or "",
        np.log(take.raw + LEAST_ENERGY).astype(np.float16) if raw else None,
    )
