"""Two sensors of one shake, parts of a long one, or several shakes of one igloo: what all say together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from sensors.ear.frames.finder import BEFORE_S, LONGEST_SHAKE_S, SILENCE_S
from sensors.ear.models.model import of_one_view
from sensors.ear.models.sets import add_up
from sensors.ear.profiles.heads import Head
from sensors.ear.verdicts.verdict import DROWNED_DB
from sensors.evidence import Heard
from sensors.why import Why

Odds = Mapping[int, float]
BETWEEN_NAMES = " + "  # between the names of two sources that told a shake together
LEAST_SHARED = 0.5  # of the shorter one, for two stretches to be the same shake
# So far two sensors' errors in ln N about one shake correlate where nothing was learned of such igloos and hands: .62
# to .77 in four folders of an engine of its own, and .3 to .45 in engines that the ear knows, as shakes are added up. A
# gentle hand's three or four beads are two to both.
IN_COMMON = 0.7


def believable(said: Heard) -> bool:
    """Whether the sensor heard a shake well enough to be believed beside another one, of the same shake or igloo.

    An overdriven accelerometer is: takes that went beyond its range were counted about as well as others in three
    engines, and to leave them out cost pairs and added-up shakes more. An overdriven microphone counts worse. One
    of coarse steps that the profile does not know is not: it hears more beads than there are, whatever its odds say.
    A microphone without treble is: nothing is sure by it, but of 72 simulated shakes of six sets an accelerometer told
    .35 exactly, with one of 16 kHz .40, with a whole one .42, and to leave it out cost mean errors as well.
    """
    whole = said.why is not Why.TOO_SHORT and not (said.why.not_whole and said.doubt == "sensor")
    cut_off = said.clipped and said.sensor != "accelerometer"
    fine = said.why is not Why.COARSE
    well = whole and fine and not cut_off and said.snr_db >= DROWNED_DB
    return well and said.verdict != "not-a-shake"


def believed(both: Sequence[tuple[Heard, Odds]]) -> list[int]:
    """Which of them count: those that heard it well, where any did; of these none that does not know a count which
    another one holds for the likeliest."""
    good = [i for i, (said, odds) in enumerate(both) if odds and believable(said)]
    good = good or [i for i, (_, odds) in enumerate(both) if odds]
    likeliest = {_likeliest(both[i][1]) for i in good}
    return [i for i in good if likeliest <= set(both[i][1])] or good[:1]


def of_all(both: Sequence[tuple[Heard, Odds]]) -> dict[int, float]:
    """Probabilities over the counts that all who count know; empty where nobody does."""
    odds = [both[i][1] for i in believed(both)]
    if not odds:
        return {}
    known = set.intersection(*(set(o) for o in odds))
    return add_up([{n: p for n, p in o.items() if n in known} for o in odds])


def goes_on(last: Heard, said: Heard) -> bool:
    """Is it the same shake, cut for its length (`finder.LONGEST_SHAKE_S`)? Between two there is a silence. What two
    sensors tell together begins with the one and ends with the other, so that parts overlap, and of a part one of them
    may tell alone."""
    long = last.end_s - last.start_s > LONGEST_SHAKE_S / 2
    shared = {*last.source.split(BETWEEN_NAMES)} & {*said.source.split(BETWEEN_NAMES)}
    return long and bool(shared) and abs(said.start_s - last.end_s) < SILENCE_S - BEFORE_S


def as_one(parts: Sequence[Heard]) -> tuple[Heard, dict[int, float]]:
    """What the parts of one shake tell, by the same hand and grip: no more of them make it surer. And the part whose
    word on the sound is the shake's."""
    counts = [parts[i] for i in believed([(part, part.probabilities) for part in parts])]
    if len(counts) < 2:
        one = counts[0] if counts else parts[0]
        return one, dict(one.probabilities)
    known = set.intersection(*(set(part.probabilities) for part in counts))
    return counts[0], add_up([{n: part.probabilities[n] for n in known} for part in counts], 1.0)


def for_sure(both: Sequence[tuple[Odds, Sequence[Head]]]) -> tuple[dict[int, float], float]:
    """The odds that a shake's `sure` goes by where two sensors count, each with the heads that told its odds, and the
    least probability of it. Each is no surer than of one view (`model.of_one_view`), both have most of their errors in
    common (`IN_COMMON`), and they may leave a doubt between those that each of them may leave."""
    known = sorted(set.intersection(*(set(odds) for odds, _ in both)))
    each = []
    for odds, heads in both:
        p = of_one_view(np.array([[odds[n] for n in known]]), [head.front for head in heads])[0]
        each.append(dict(zip(known, map(float, p), strict=True)))
    doubts = [1 - heads[0].sure_from for _, heads in both]
    return add_up(each, IN_COMMON), 1 - math.prod(doubts) ** (1 / len(doubts))


def groups_of(
    first: Sequence[Heard], second: Sequence[Heard], *, least: float = LEAST_SHARED
) -> list[list[list[Heard]]]:
    """Each shake, as the stretches that the first and the second sensor heard of it: one may have heard it in pieces.

    `least`: the share of the shorter stretch that two of the same shake have in common.
    """
    groups: list[list[list[Heard]]] = [[[said], []] for said in first]
    for said in second:
        mine = [g for g in groups if any(_shared(said, other) >= least for other in g[0])]
        joined = [[s for g in mine for s in g[0]], [*(s for g in mine for s in g[1]), said]]
        groups = [g for g in groups if g not in mine] + [joined]
    return sorted(groups, key=lambda group: min(said.start_s for said in (*group[0], *group[1])))


def _shared(one: Heard, other: Heard) -> float:
    """The share of the shorter stretch that lies in the other."""
    both = min(one.end_s, other.end_s) - max(one.start_s, other.start_s)
    return both / max(1e-6, min(one.end_s - one.start_s, other.end_s - other.start_s))


def counting(own: Sequence[Heard], shared: Sequence[Heard], least: float) -> list[Odds]:
    """What counts of an igloo's shakes, of which its own sensor heard some and one that is shared heard some; of one
    that both heard, what is believed. What was heard badly counts where nothing was heard well, and what was too short,
    as the end of a shake that was cut for its length is, where nothing else was."""
    counts: list[Heard] = []
    for group in groups_of(own, shared, least=least):
        of_both = [said for of_one in group for said in of_one]
        these = (
            believed([(said, said.probabilities) for said in of_both]) if all(group) else range(len(of_both))
        )
        counts += [of_both[i] for i in these]
    well = [said for said in counts if believable(said)]
    whole = [said for said in counts if said.why is not Why.TOO_SHORT]
    shakes: list[list[Heard]] = []
    for said in well or whole or counts:
        begun = next((parts for parts in shakes if goes_on(parts[-1], said)), None)
        if begun is None:
            shakes.append([said])
        else:
            begun.append(said)
    return [as_one(parts)[1] for parts in shakes]


def _likeliest(odds: Odds) -> int:
    return max(odds, key=lambda n: odds[n])
