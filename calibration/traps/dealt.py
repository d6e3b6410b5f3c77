"""Sessions without times that takes of one igloo in a row were dealt to: names that are no sittings.

Each holds a part of every sitting, so leaving one out leaves the others' takes of the same minutes in. The loudness of
the bands gives that away. Less what goes smoothly with the count, which is the beads', takes of one count are alike
under whatever session, and more so than takes of one session; and less what is its count's, no session is louder or
fuller than another. Of true sittings it is the other way round: another grip, place and strength of the hand colour all
that a session holds, and the igloos' own sound, or a sensor's that each has of its own, takes nothing of that away.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.recordings.sweep import LEAST_TAKES
from calibration.takes.features import Row
from calibration.traps.by_the_clock import moment
from sensors.ear.frames.frontend import Floats

MOST = 0.5  # of the takes that have a time, for the clock tells more; and of what is tested
LEAST_COUNTS = 6  # of fewer little is left without what goes smoothly
NEIGHBOURS = 3
# Bounds, and what was measured: in sweeps of the real matchbox and of simulated hands of four worlds, on the shell and
# off it, one hand's or several; and where the matchbox's takes in a row, and simulated ones, were dealt to two to six
# sessions. No sweeps are within all three, also not where each igloo was given a gain of its own.
# of the counts beyond chance, under other sessions: sweeps up to .08, dealt ones from .11
TOLD = 0.1
STANDARD_ERRORS = 3.0
# how often the same count is nearer than the same session: sweeps up to .51, dealt ones from .55
ALIKE = 0.53
# from here on igloos that each sound like themselves on any day do not explain it: the matchbox's, dealt, reach .65
PLAIN = 0.6
# how often the same session is nearer than another: dealt ones up to .51, sweeps from .54, one hand's at a microphone
# close by from .52
SESSION = 0.53
AT_ONCE = 1500  # takes that are compared with each other; of more a sample

Which = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Dealt:
    """So many of the takes name sessions that are no sittings; across them loudness tells such a share of counts."""

    told: float
    takes: int
    of: int
    alike: float  # how often the same count is nearer than the same session
    # each igloo may have a sensor of its own there, and its gain tells it on any day
    on_shell: bool

    @property
    def what(self) -> str:
        return "how loud the bands are"

    @property
    def refuses(self) -> bool:
        return self.alike >= PLAIN and not self.on_shell

    def sentence(self) -> str:
        """Why figures flatter, and what to do."""
        unless = (
            ""
            if self.refuses
            else f"unless each igloo has a {'sensor' if self.on_shell else 'sound'} of its own, "
        )
        return (
            f"{self.takes} of {self.of} takes do not say when they were made, and by how loud their bands are those of "
            f"one igloo are alike under whatever session ({self.told:.2f} of the counts are told), and those of one "
            f"session are not: {unless}one sitting was dealt to several sessions, so figures with sessions left out "
            "flatter; give one sitting one session in recordings.jsonl, and record sweeps (all igloos in random order)"
        )

    def advice(self) -> str:
        return "Give one sitting one session in recordings.jsonl, and each take its time (“taken”); record sweeps."


def dealt(rows: Sequence[Row], tested: Sequence[Row] | None = None) -> Dealt | None:
    """Are most of the `tested` of these takes (None: all) of sessions that are no sittings, for all that is heard?"""
    groups: dict[tuple[str | None, ...], list[Row]] = defaultdict(list)
    for row in rows:
        r = row.recording
        if r.beads is not None and r.rejected is None:
            groups[r.device, r.kind, r.place, r.gesture].append(row)
    asked = Counter(id(row.recording) for row in (rows if tested is None else tested))
    of, accused, told, alike, on_shell = 0, 0, 0.0, 0.0, False
    for group in groups.values():
        its = sum(asked[id(row.recording)] for row in group)
        of += its
        if its and (seen := _seen(group)):
            accused, told, alike = accused + its, max(told, seen[0]), max(alike, seen[1])
            on_shell = on_shell or group[0].recording.kind != "microphone"
    return Dealt(told, accused, of, alike, on_shell) if accused > MOST * of else None


def _seen(rows: Sequence[Row]) -> tuple[float, float] | None:
    """Share of counts that takes of other sessions tell, and how often the same count is nearer than the same session;
    None where the sessions may be sittings."""
    names = tuple(
        n for n in rows[0].shake.names if n.startswith("size.") and all(n in r.shake.names for r in rows)
    )
    timed = sum(moment(r.recording) is not None for r in rows)
    if len(rows) < LEAST_TAKES or timed > MOST * len(rows) or not names:
        return None
    if len(rows) > AT_ONCE:
        few = np.random.default_rng(1).permutation(len(rows))[:AT_ONCE]
        rows = [rows[i] for i in few]
    beads = np.array([r.recording.beads for r in rows], dtype=np.intp)
    session = np.unique([r.recording.occasion for r in rows], return_inverse=True)[1]
    if len(np.unique(beads)) < LEAST_COUNTS or not session.any():
        return None
    values = np.array([r.shake.pick(names) for r in rows])
    one_count, one_session = beads[:, None] == beads, session[:, None] == session
    apart = _apart(_less_its_count(values, beads))
    if _nearer(apart, one_session & ~one_count, ~one_session & ~one_count) > SESSION:
        return None
    apart = _apart(_less_what_is_smooth(values, beads))
    alike = _nearer(apart, one_count & ~one_session, one_session & ~one_count)
    if alike < ALIKE:
        return None
    told = _by_neighbours(np.where(one_session, np.inf, apart), beads)
    chance = float(np.square(np.bincount(beads) / len(beads)).sum())
    spread = float(np.sqrt(chance * (1 - chance) / len(beads)))
    return (told, alike) if told - chance > max(TOLD, STANDARD_ERRORS * spread) else None


def _less_its_count(values: Floats, beads: npt.NDArray[np.intp]) -> Floats:
    out = _alike_wide(values)
    for n in np.unique(beads):
        out[beads == n] -= out[beads == n].mean(axis=0)
    return out


def _less_what_is_smooth(values: Floats, beads: npt.NDArray[np.intp]) -> Floats:
    """What is left of a parabola in ln N."""
    by = np.vander(np.log(beads + 1.0) - np.log(beads + 1.0).mean(), 3)
    return _alike_wide(values - by @ np.linalg.lstsq(by, values, rcond=None)[0])


def _alike_wide(values: Floats) -> Floats:
    out: Floats = (values - np.median(values, axis=0)) / (values.std(axis=0) + 1e-9)
    return out


def _apart(z: Floats) -> Floats:
    """Squares of the distances of all from all."""
    squares = np.square(z).sum(axis=1)
    out: Floats = np.maximum(squares[:, None] + squares - 2 * z @ z.T, 0.0)
    np.fill_diagonal(out, np.inf)
    return out


def _nearer(apart: Floats, these: Which, those: Which) -> float:
    """How often two of these are nearer than two of those, Mann and Whitney's; 0.5 where there are none."""
    once = np.triu(np.ones(apart.shape, dtype=bool), 1)
    near, far = apart[these & once], np.sort(apart[those & once])
    if not len(near) or not len(far):
        return 0.5
    below = np.searchsorted(far, near, "left") + np.searchsorted(far, near, "right")
    return 1.0 - float(below.mean()) / 2 / len(far)


def _by_neighbours(apart: Floats, beads: npt.NDArray[np.intp]) -> float:
    """Share of counts that most of the nearest tell."""
    right = 0
    for distances, own in zip(apart, beads, strict=True):
        near = beads[np.argsort(distances, kind="stable")[:NEIGHBOURS]]
        kinds, votes = np.unique(near, return_counts=True)
        right += int(kinds[np.argmax(votes)] == own)
    return right / len(beads)
