"""Combines two sensors that heard one shake, the parts of a long shake, or several shakes of one igloo."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sensors.ear.frames.finder import BEFORE_S, LONGEST_SHAKE_S, SILENCE_S
from sensors.ear.models.sets import add_up, over
from sensors.ear.profiles.heads import Head
from sensors.ear.verdicts.no_shake import DROWNED_DB
from sensors.ear.verdicts.probabilities import through_one_view
from sensors.evidence import Heard
from sensors.why import Why

Odds = Mapping[int, float]
BETWEEN_NAMES = " + "  # between the names of two sources that told a shake together
LEAST_SHARED = 0.5  # of the shorter stretch, for two stretches to be the same shake
# Correlation of two sensors' errors in ln N for the same shake, where nothing was learned of such igloos and hands: .62
# to .77 in four folders of an engine of its own, and .3 to .45, as for added-up shakes, in engines that the ear knows.
# Three or four beads in a gentle hand are two to both sensors.
IN_COMMON = 0.7


def believable(said: Heard) -> bool:
    """Whether the sensor heard a shake well enough to be used beside another sensor, or another shake of the same
    igloo.

    An overdriven accelerometer is used: takes beyond its range were counted about as well as others in three engines,
    and leaving them out made pairs and added-up shakes worse. An overdriven microphone counts worse, and is not. Nor is
    a sensor of coarse steps that the profile does not know: it hears too many beads, whatever its probabilities say. A
    microphone without treble is used: it is never sure, but of 72 simulated shakes of six sets an accelerometer told
    .35 exactly, with one of 16 kHz .40, with a whole one .42, and leaving it out made mean errors worse as well.
    """
    whole = said.why is not Why.TOO_SHORT and not (said.why.not_whole and said.doubt == "sensor")
    cut_off = said.clipped and said.sensor != "accelerometer"
    fine = said.why is not Why.COARSE
    well = whole and fine and not cut_off and said.snr_db >= DROWNED_DB
    return well and said.verdict != "not-a-shake"


def believed(both: Sequence[tuple[Heard, Odds]]) -> list[int]:
    """Indices of those that count: the ones that heard it well, or all where none did; but not one whose profile lacks
    the count that another one holds for the likeliest."""
    good = [i for i, (said, odds) in enumerate(both) if odds and believable(said)]
    good = good or [i for i, (_, odds) in enumerate(both) if odds]
    likeliest = {_likeliest(both[i][1]) for i in good}
    return [i for i in good if likeliest <= set(both[i][1])] or good[:1]


def of_all(both: Sequence[tuple[Heard, Odds]]) -> dict[int, float]:
    """Joint probabilities over all counts that any counting sensor knows; empty where none was heard."""
    odds = [both[i][1] for i in believed(both)]
    return add_up(_over_all(odds)) if odds else {}


def goes_on(last: Heard, said: Heard) -> bool:
    """Does `said` continue the same shake, cut at the longest length (`finder.LONGEST_SHAKE_S`)? Two different shakes
    have a silence between them. A stretch told by two sensors begins with one and ends with the other, so parts may
    overlap, and a part may be told by one sensor alone."""
    long = last.end_s - last.start_s > LONGEST_SHAKE_S / 2
    shared = {*last.source.split(BETWEEN_NAMES)} & {*said.source.split(BETWEEN_NAMES)}
    return long and bool(shared) and abs(said.start_s - last.end_s) < SILENCE_S - BEFORE_S


def as_one(parts: Sequence[Heard]) -> tuple[Heard, dict[int, float]]:
    """The joint result for the parts of one shake. They have the same hand and grip, so more parts make it no surer.
    Also returns the part whose word on the sound stands for the shake."""
    counts = [parts[i] for i in believed([(part, part.probabilities) for part in parts])]
    if len(counts) < 2:
        one = counts[0] if counts else parts[0]
        return one, dict(one.probabilities)
    return counts[0], add_up(_over_all([part.probabilities for part in counts]), 1.0)


def for_sure(both: Sequence[tuple[Odds, Sequence[Head]]]) -> tuple[dict[int, float], float]:
    """The probabilities that `sure` is decided by where two sensors count (each given with its heads), and the
    threshold. Each sensor is no surer than one view (`model.of_one_view`), most of their errors are common
    (`IN_COMMON`), and the allowed doubt is the geometric mean of what each may leave."""
    each = [through_one_view([head.front for head in heads], odds) for odds, heads in both]
    doubts = [1 - heads[0].sure_from for _, heads in both]
    return add_up(_over_all(each), IN_COMMON), 1 - math.prod(doubts) ** (1 / len(doubts))


def _over_all(each: Sequence[Odds]) -> list[dict[int, float]]:
    """Odds of profiles that know different counts, over all of these: of the few that they share, one would be certain
    only because there is no other."""
    known = sorted({n for odds in each for n in odds})
    return [over(odds, known) for odds in each]


def groups_of(
    first: Sequence[Heard], second: Sequence[Heard], *, least: float = LEAST_SHARED
) -> list[list[list[Heard]]]:
    """Groups the stretches of two sensors by shake; a sensor may have heard one shake in pieces.

    `least`: the common share of the shorter stretch from which two stretches are the same shake.
    """
    groups: list[list[list[Heard]]] = [[[said], []] for said in first]
    for said in second:
        mine = [g for g in groups if any(_shared(said, other) >= least for other in g[0])]
        joined = [[s for g in mine for s in g[0]], [*(s for g in mine for s in g[1]), said]]
        groups = [g for g in groups if g not in mine] + [joined]
    return sorted(groups, key=lambda group: min(said.start_s for said in (*group[0], *group[1])))


def _shared(one: Heard, other: Heard) -> float:
    """The share of the shorter stretch that lies in the other one."""
    both = min(one.end_s, other.end_s) - max(one.start_s, other.start_s)
    return both / max(1e-6, min(one.end_s - one.start_s, other.end_s - other.start_s))


def counting(own: Sequence[Heard], shared: Sequence[Heard], least: float) -> list[Odds]:
    """The probabilities that count for an igloo, some of whose shakes its own sensor heard and some a shared one; of a
    shake that both heard, those that `believed` selects. Badly heard ones count where none was heard well, and too
    short ones, such as the end of a shake cut at the longest length, where there is no other."""
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
