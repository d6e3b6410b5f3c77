"""The report that a maker reads, as one HTML file that loads nothing: pictures, sentences, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from calibration.fitting.asked import LEAST_COUNTS, LEAST_MORE
from calibration.recordings.folder import Recording
from calibration.recordings.named import UNITS, name_them, of_whom, unnamed
from calibration.recordings.whole_sets import as_a_set
from calibration.report import pictures
from calibration.report.page import rendered
from calibration.report.sensors_trouble import sensors_trouble
from calibration.scores import FEW_SESSIONS, summary
from calibration.testing.curves import Point, by_number_of_shakes
from calibration.testing.evaluate import Tested
from calibration.testing.gather import confused_pairs
from calibration.testing.lately import out_of_date
from calibration.testing.odd import lines_of, odd_takes
from calibration.testing.outside import sure_of_none_of_its_counts
from calibration.testing.pairs import in_sittings, join_pairs
from calibration.traps.confounding import Confounding
from calibration.traps.given_away import refusals
from calibration.traps.shaken_by import by_others
from calibration.traps.strange_sweep import strange_sweep
from calibration.words import (
    CALLED,
    beads_of,
    by_what,
    interval,
    many,
    of_one_alone,
    of_those_sure,
    on_page,
    ranges,
    whose,
)
from sensors.ear.profiles.profile import Profile

MOST_FILES = 4  # files that are named for one igloo where all of its takes are meant
FIT_ONE = (
    "Fit a profile on these recordings (polartable calibrate igloos fit), and see whether it counts better: this one "
    "is for anybody's igloos."
)
NO_CURVE: Mapping[int, Point] = MappingProxyType({})


def advice(
    tested: Sequence[Tested],
    profile: Profile,
    traps: Sequence[Confounding],
    shakes: Mapping[int, Point] = NO_CURVE,
) -> list[str]:
    """What to do next, the most useful first. `shakes`: the curve over shakes of one igloo, where one is shown."""
    counted = [t for t in tested if t.counted]
    out = [on_page(sentence)] if (sentence := out_of_date(tested)) else []
    if not counted:
        return [*out, _nothing_counted(tested, profile)]
    missing = unnamed(t.row.recording for t in counted)
    players = {t.row.recording.player for t in counted}
    own = profile.fitted_on.devices == 1
    made_by = profile.fitted_on.players if own else 0  # people who recorded for a profile of one's own
    sessions = {t.sitting for t in in_sittings(counted)}
    out += dict.fromkeys(trap.advice() for trap in traps)
    out += [FIT_ONE] if _could_be_fitted_on(counted, profile) and not refusals(traps) else []
    strange = strange_sweep(profile)
    if missing and not (strange and len(missing) == len(UNITS)):  # else that sentence says so already
        out.append(f"Say of which {' and which '.join(missing)} each take is: {name_them(missing)}.")
    if strange:
        out.append(strange)
    elif max(len(players), made_by) < 2 and "player" not in missing:
        out += _second_person(made_by, profile, [t.row.recording for t in counted])
    if len(sessions) < FEW_SESSIONS and "session" not in missing:
        out.append("Record another sweep on another day: figures that rest on few sessions mean little.")
    takes = [t.row for t in counted]
    out += [f"{trouble}." for trouble in sensors_trouble(takes, profile.sensor, profile.fixed)]
    if profile.sensor == "microphone" and not profile.fixed:
        out.append(
            "A contact microphone or an accelerometer on the shell counts better than a microphone on the table."
        )
    half_s = float(np.median([t.row.shake.seconds for t in counted]))
    if half_s < 1.5:
        out.append(f"Half of the shakes are shorter than {half_s:.1f} s: shake for two to three seconds.")
    out.append(_more_shakes(shakes))
    return out


def _could_be_fitted_on(counted: Sequence[Tested], profile: Profile) -> bool:
    """Is the profile for anybody's igloos, and do these takes suffice to fit one on?"""
    counts = {t.row.recording.beads for t in counted}
    enough = len(counted) >= LEAST_MORE and len(counts) >= LEAST_COUNTS
    on = profile.fitted_on
    # those that ship do not say whom they are for
    for_others = on.devices > 1 and on.for_others is not False
    return enough and for_others and all(t.left_out is None for t in counted)


def _second_person(made_by: int, profile: Profile, counted: Sequence[Recording]) -> list[str]:
    """One person was tested, and one (or, for a profile for everybody, nobody) recorded for it: are they two people?"""
    others = by_others(profile.fitted_on, counted) if made_by else False
    if others:
        return []
    somebody = "Let a second person record a sweep"
    if others is None:
        somebody = f"If the same person recorded what the profile was fitted on, l{somebody[1:]}"
    return [f"{somebody}: people differ more in how they shake than igloos do in sound."]


def _more_shakes(shakes: Mapping[int, Point]) -> str:
    """What to do about a doubt. `shakes`: by one person on one occasion; other hands have other errors."""
    if shakes and shakes[max(shakes)].share < shakes[min(shakes)].share:
        return (
            "Where one shake leaves doubt, let somebody else shake the same igloo: here more shakes by the same "
            "hand told no more."
        )
    return "Where one shake leaves doubt, shake the same igloo again, or let somebody else do it: evidence adds up."


def _nothing_counted(tested: Sequence[Tested], profile: Profile) -> str:
    """What is missing for a test."""
    beads = sorted({t.row.recording.beads for t in tested if t.row.recording.beads is not None})
    if not tested:
        return "Record what the profile was made for: no recording was of its sensor and gesture."
    if not beads:
        return 'Write how many beads each igloo holds ("beads" in recordings.jsonl): nothing can be tested without.'
    return (
        f"Fit a profile for the counts that were recorded: these igloos hold {beads_of(beads)}, and the profile "
        f"tells {ranges(profile.counts)} apart."
    )


def render(
    tested: Sequence[Tested],
    profile: Profile,
    traps: Sequence[Confounding],
    warnings: Sequence[str],
    lengths: Mapping[float, Point],
    doubts: Sequence[str] = (),
    how: str = "",
    about: str = "",
) -> str:
    """The whole page. Where `warnings` say that figures would flatter, none is shown; `doubts` stand beside them.

    `how`: how the takes were tested, without which no figure may be read. The profile's own figures are never shown:
    they are of the takes that it was chosen by. `about`: the page's folder and profile, and its date.
    """
    # as in `evaluate`: a shake that two sensors heard is one
    counted = in_sittings(join_pairs([t for t in tested if t.counted]))
    told = [t.told() for t in counted]
    takes, sessions = len(tested), len({t.sitting for t in in_sittings(tested)})
    missing = unnamed(t.row.recording for t in tested)
    figures: dict[str, Any] | None = summary(told) if told and not warnings else None
    odd, more_odd = lines_of(odd_takes(tested))
    # a curve that is not shown is no reason for advice
    shakes = by_number_of_shakes(counted) if figures is not None else NO_CURVE
    sentences = [trap.sentence() for trap in traps]
    # reasons for refusing figures are among the warnings already
    beside = [sentence for sentence in sentences if not any(sentence in text for text in warnings)]
    filled: dict[str, Any] = {
        "sensor": _sensor(tested, profile),
        "simulated": any(t.row.recording.more.get("simulated") for t in tested),
        "how": how,
        "about": about,
        "warnings": [on_page(text) for text in (*warnings, *doubts, *beside)],
        "whose": whose(takes, sessions, missing),
        "look": "Look at" if profile.sensor == "accelerometer" else "Listen to",
        "figures": figures,
        "advice": advice(tested, profile, traps, shakes),
        "counted": len(counted),
        "odd": odd,
        "more_odd": more_odd,
        "most_files": MOST_FILES,
        "digest": profile.digest,
        "fitted_on": many(profile.fitted_on.takes, "take") + of_whom(profile.fitted_on, devices=True),
        "interval": partial(interval, missing),
        "sure_right": of_those_sure(figures) if figures else "",
        "as_a_set": as_a_set(figures) if figures else "",
        "outside": on_page(of_others) if (of_others := sure_of_none_of_its_counts(tested)) else "",
    }
    if figures is not None:
        off_by = {n: [abs(t.best - n) for t in told if t.true == n] for n in profile.counts}
        filled |= {
            "confusion": pictures.confusion([(t.true, t.best) for t in told], profile.counts),
            "by_count": pictures.by_count(
                {n: float(np.mean([d == 0 for d in v])) for n, v in off_by.items() if v},
                {n: float(np.mean([d <= 1 for d in v])) for n, v in off_by.items() if v},
            ),
            "reliability": pictures.reliability(told),
            "pairs": confused_pairs(counted),
            "shakes": _curve(shakes, "shakes of one igloo", "Accuracy against the number of shakes"),
            "lengths": _curve(lengths, "seconds heard", "Accuracy against length"),
            "alone": of_one_alone(figures),
            "nobody_knows": "session" in missing,
            "called": CALLED[figures["interval_by"]],
            "several": by_what(figures),
        }
    return rendered("report.html.j2", filled)


def _curve(points: Mapping[int, Point] | Mapping[float, Point], xlabel: str, words: str) -> str:
    return pictures.curve(points, xlabel, words) if len(points) > 1 else ""


def _sensor(tested: Sequence[Tested], profile: Profile) -> str:
    if (
        profile.sensor == "microphone"
        and profile.fixed
        and all(t.row.recording.place is None for t in tested)
    ):
        return "microphone (nobody said where; it is heard as one on the shell)"
    return profile.sensor + (" on the shell" if profile.fixed else "")
