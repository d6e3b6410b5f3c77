"""Lists odd takes: labels that the sound contradicts, takes that are no shakes, and clipped ones.

Labels come first, because nothing else reveals them. Takes of one igloo that all sound like another count are one wrong
label. Many clipped takes cannot crowd out a label, because each reason has its own number of lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.recordings.folder import Recording
from calibration.testing.evaluate import Tested
from calibration.words import many, ranges

Reason = Literal["label", "refused", "overdriven"]
# lines that a page has room for, by reason
LINES: dict[Reason, int] = {"label": 8, "refused": 4, "overdriven": 4}
SESSIONS = 3  # that a line names
REST: dict[Reason, str] = {
    "label": "that {sound} like another count",
    "refused": "that {are} no shake",
    "overdriven": "overdriven",
}
DOUBTED = 0.01  # a label less probable than this is questioned
LEAST = 1e-6  # no take speaks more strongly against its label


@dataclass(frozen=True, slots=True)
class Odd:
    """One line: a take, or several of one igloo that contradict its label alike; and the reason."""

    takes: tuple[Recording, ...]
    reason: Reason
    why: str
    whole: bool = True  # all takes of the igloo; otherwise it has to be said which

    @property
    def where(self) -> str:
        """`igloo D01-05, sessions s1, s2`, as far as the list names them; with the set where the igloo's name does not
        begin with it."""
        first = self.takes[0]
        igloo, device = first.igloo or "", first.device or ""
        if igloo and not igloo.startswith(device):
            igloo = f"{igloo} of {device}"
        parts = [f"igloo {igloo}"] if igloo else []
        if sessions := list(dict.fromkeys(r.session for r in self.takes if r.session)):
            more = f" and {len(sessions) - SESSIONS} more" if len(sessions) > SESSIONS else ""
            named = ", ".join(sessions[:SESSIONS])
            parts.append(f"session{'s' if len(sessions) > 1 else ''} {named}{more}")
        return ", ".join(parts)


def odd_takes(tested: Sequence[Tested]) -> list[Odd]:
    """Odd takes: first possibly wrong labels, the most contradicted ones first; then takes that are no shake; then
    clipped ones. A take whose label is in doubt and which is clipped has one line for both."""
    counted = [t for t in tested if t.counted]
    doubted = [t for t in counted if not t.refused and _of_its_label(t) < DOUBTED]
    among = {id(t) for t in doubted}
    refused = [Odd((t.row.recording,), "refused", t.heard.reason or "no shake") for t in counted if t.refused]
    overdriven = [
        Odd((t.row.recording,), "overdriven", "overdriven")
        for t in counted
        if t.row.clipped and not t.refused and id(t) not in among
    ]
    return [*_labels(doubted, counted), *refused, *overdriven]


def lines_of(odd: Sequence[Odd]) -> tuple[list[Odd], str]:
    """The lines that a page shows, for each reason the first ones, and a sentence on the rest: empty where there is
    none."""
    shown: list[Odd] = []
    rest: list[str] = []
    for reason, room in LINES.items():
        mine = [one for one in odd if one.reason == reason]
        shown += mine[:room]
        if more := sum(len(one.takes) for one in mine[room:]):
            some = {"sound": "sounds", "are": "is"} if more == 1 else {"sound": "sound", "are": "are"}
            rest.append(f"{more} more {REST[reason].format(**some)}")
    return shown, f"And {', '.join(rest)}." if rest else ""


def _of_its_label(t: Tested) -> float:
    assert t.row.recording.beads is not None
    return max(t.probabilities.get(t.row.recording.beads, 0.0), LEAST)


def _igloo(r: Recording) -> tuple[str | int | None, ...]:
    """The key of a label: an igloo with its stated count; a take that names no igloo counts as an igloo of its own."""
    return (r.device, r.igloo, r.beads) if r.igloo else (r.below,)


def _labels(doubted: Iterable[Tested], counted: Iterable[Tested]) -> list[Odd]:
    # a file that is listed twice is one take
    of_igloo: dict[tuple[str | int | None, ...], dict[str, Tested]] = {}
    for t in doubted:
        of_igloo.setdefault(_igloo(t.row.recording), {}).setdefault(t.row.recording.below, t)
    takes = {(_igloo(t.row.recording), t.row.recording.below) for t in counted}
    times = Counter(igloo for igloo, _ in takes)
    found = []
    for igloo, mine in of_igloo.items():
        those = [*mine.values()]
        recordings = tuple(t.row.recording for t in those)
        against = sum(float(np.log(_of_its_label(t))) for t in those)
        whole = len(those) == times[igloo]
        found.append((against, Odd(recordings, "label", _in_words(those, times[igloo]), whole)))
    return [odd for _, odd in sorted(found, key=lambda one: one[0])]


def _in_words(mine: Sequence[Tested], of: int) -> str:
    """What these takes of one igloo, which has `of` takes, say against its label."""
    like, beads = ranges(sorted({t.best for t in mine})), mine[0].row.recording.beads
    clipped = sum(t.row.clipped for t in mine)
    if of == 1:
        said = f"sounds like {like}, said to hold {beads}"
    else:
        sound = "sounds" if len(mine) == 1 else "sound"
        said = f"{len(mine)} of {many(of, 'take')} of it {sound} like {like}, said to hold {beads}"
    if clipped:
        said += "; overdriven as well" if clipped == len(mine) else f"; {clipped} of them overdriven as well"
    return said
