"""Sessions without times whose names are no sittings: takes of one igloo in a row were dealt to them.

Each such session holds a part of every sitting, so leaving one out leaves the others' takes of the same minutes in. The
loudness of the bands shows it. After removing the smooth dependence on the count, which is due to the beads, takes of
one count are more alike across sessions than takes of one session; and after removing each count's mean, no session is
louder or fuller than another. In true sittings it is the other way round: grip, place and strength of the hand colour
the whole session. Where hand, place and gain stay the same for days, and each igloo has its own sensor or sound, the
result is the same as if takes were dealt: so this is only a doubt beside figures, and never refuses them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.recordings.sweep import LEAST_TAKES
from calibration.recordings.taken import DAY, taken_at
from calibration.takes.features import Row
from calibration.traps.by_the_clock import timed
from calibration.traps.nearness import ALL_SIZES, BEYOND_CHANCE, loudness, scaled, told_by_neighbours
from sensors.ear.frames.frontend import Floats

ACCUSED = 0.5  # least share of the tested takes
DATED = 0.5  # least share of takes with a day: then the calendar can tell
LEAST_COUNTS_DEALT = 6  # with fewer, little is left after removing the smooth dependence
# Bounds between sweeps, real and simulated ones, and dealt takes in a row: `python -m benchmarks.traps` prints all
# three measures of a folder, and with --deal how often its takes are detected when dealt to sessions.
TOLD = 0.1
COUNT_NEARER = 0.53
SESSION_NEARER = 0.53
MOST_COMPARED = 1500  # takes that are compared with each other; of more a sample

Which = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The share of takes whose sessions may be no sittings, and the share of counts that loudness tells across them."""

    told: float
    takes: int
    of: int

    @property
    def what(self) -> str:
        return "how loud the bands are"

    @property
    def refuses(self) -> bool:
        """Igloos with individual sounds before an unchanging rig look just the same."""
        return False

    def sentence(self) -> str:
        """Why figures may flatter, and what to do."""
        return (
            f"{self.takes} of {self.of} takes do not say at what time they were made, and by how loud their bands are "
            f"those of one igloo are alike under whatever session ({self.told:.2f} of the counts are told), and those "
            "of one session are not: unless each igloo has a sound or a sensor of its own, one sitting was dealt to "
            "several sessions, and figures with sessions left out flatter; give one sitting one session in "
            "recordings.jsonl, and record sweeps (all igloos in random order)"
        )

    def advice(self) -> str:
        return "Give one sitting one session in recordings.jsonl, and each take its time (“taken”); record sweeps."


def dealt(rows: Sequence[Row], tested: Sequence[Row] | None = None) -> Dealt | None:
    """Are most of the `tested` of these takes (None: all) in sessions that, by ear, are no sittings?"""
    asked = Counter(id(row.recording) for row in (rows if tested is None else tested))
    of, accused, told = 0, 0, 0.0
    for group in groups_of(rows):
        its = sum(asked[id(row.recording)] for row in group)
        of += its
        if not its or _dated([row.recording for row in group]):
            continue
        if (seen := measured(group)) is not None and seen.dealt:
            accused, told = accused + its, max(told, seen.told)
    return Dealt(told, accused, of) if accused > ACCUSED * of else None


@dataclass(frozen=True, slots=True)
class Measured:
    """Similarities of takes of one set and sensor, by the loudness of their bands.

    session: how often the same session is nearer than another one, with each count's mean removed (Mann–Whitney, half
    the time for no difference). alike: how often the same count is nearer than the same session, with the smooth
    dependence on the count removed. told: share of counts that takes of other sessions predict, and `chance` would.
    """

    session: float
    alike: float
    told: float
    chance: float
    takes: int

    @property
    def dealt(self) -> bool:
        spread = float(np.sqrt(self.chance * (1 - self.chance) / self.takes))
        beyond = self.told - self.chance > max(TOLD, BEYOND_CHANCE * spread)
        return beyond and self.session <= SESSION_NEARER and self.alike >= COUNT_NEARER


def measured(rows: Sequence[Row]) -> Measured | None:
    """None for too few takes, counts or sessions."""
    if len(rows) < LEAST_TAKES or not (values := loudness(rows, ALL_SIZES)).size:
        return None
    if len(rows) > MOST_COMPARED:
        few = np.random.default_rng(1).permutation(len(rows))[:MOST_COMPARED]
        rows, values = [rows[i] for i in few], values[few]
    beads = np.array([r.recording.beads for r in rows], dtype=np.intp)
    session = np.unique([r.recording.occasion for r in rows], return_inverse=True)[1]
    if len(np.unique(beads)) < LEAST_COUNTS_DEALT or not session.any():
        return None
    one_count, one_session = beads[:, None] == beads, session[:, None] == session
    rest, smooth = _apart(_less_mean_of_count(values, beads)), _apart(_less_what_is_smooth(values, beads))
    return Measured(
        _nearer(rest, one_session & ~one_count, ~one_session & ~one_count),
        _nearer(smooth, one_count & ~one_session, one_session & ~one_count),
        told_by_neighbours(np.where(one_session, np.inf, smooth), beads),
        float(np.square(np.bincount(beads) / len(beads)).sum()),
        len(rows),
    )


def groups_of(rows: Sequence[Row]) -> list[list[Row]]:
    """Takes with a count, grouped by set and sensor."""
    groups: dict[tuple[str | None, ...], list[Row]] = defaultdict(list)
    for row in rows:
        r = row.recording
        if r.kept_with_count:
            groups[r.device, r.kind, r.place, r.gesture].append(row)
    return list(groups.values())


def _dated(recordings: Sequence[Recording]) -> bool:
    """Do times or dates show for most takes which were one sitting?"""
    if timed(recordings):
        return True
    days: dict[str, set[str]] = defaultdict(set)
    dated = [r for r in recordings if taken_at(r) is not None]
    for r in dated:
        days[str(r.taken)[: len(DAY)]].add(r.occasion)
    return len(dated) > DATED * len(recordings) and all(len(sessions) == 1 for sessions in days.values())


def _less_mean_of_count(values: Floats, beads: npt.NDArray[np.intp]) -> Floats:
    out = scaled(values)
    for n in np.unique(beads):
        out[beads == n] -= out[beads == n].mean(axis=0)
    return out


def _less_what_is_smooth(values: Floats, beads: npt.NDArray[np.intp]) -> Floats:
    """Residuals of a parabola in ln N."""
    by = np.vander(np.log(beads + 1.0) - np.log(beads + 1.0).mean(), 3)
    return scaled(values - by @ np.linalg.lstsq(by, values, rcond=None)[0])


def _apart(z: Floats) -> Floats:
    """Squared distances between all."""
    squares = np.square(z).sum(axis=1)
    out: Floats = np.maximum(squares[:, None] + squares - 2 * z @ z.T, 0.0)
    np.fill_diagonal(out, np.inf)
    return out


def _nearer(apart: Floats, these: Which, those: Which) -> float:
    """How often two of these are nearer than two of those (Mann–Whitney); 0.5 where there are none."""
    once = np.triu(np.ones(apart.shape, dtype=bool), 1)
    near, far = apart[these & once], np.sort(apart[those & once])
    if not len(near) or not len(far):
        return 0.5
    below = np.searchsorted(far, near, "left") + np.searchsorted(far, near, "right")
    return 1.0 - float(below.mean()) / 2 / len(far)
