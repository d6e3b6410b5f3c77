"""The report on the counting gesture for a maker: the set as weighed, how well it is told, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from calibration.recordings.folder import Recording
from calibration.recordings.named import name_them, unnamed
from calibration.recordings.whole_sets import as_a_set
from calibration.report import pictures
from calibration.report.page import rendered, to_follow
from calibration.scores import FEW_SESSIONS, summary
from calibration.seat.as_played import in_words
from calibration.seat.outside import never_sure, sure_of_none_of_its_counts
from calibration.seat.taps import Answered, fingerprint
from calibration.seat.weighed_by import by_others, on_other_days
from calibration.testing.gather import pairs_of
from calibration.traps.fingerprints import known_prints
from calibration.words import interval, many, of_those_sure, on_page, whose
from sensors.gesture.fitting import worst_pair
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile

NEAR_SIGMAS = 4.0  # standard deviations: igloos closer than this are worth a paper dot
OFTEN = 0.1  # share of the gestures that is worth advice


def advice(answered: Sequence[Answered], profile: GestureProfile, shown: bool) -> list[str]:
    """What to do next, the most useful first. `shown`: figures are shown, by which nothing may be left to do."""
    out = []
    if on_the_way := in_words(answered):
        out.append(on_page(on_the_way))
    if of_others := sure_of_none_of_its_counts(answered):
        out.append(on_page(f"{of_others}: weigh such igloos as well and fit again"))
    if unknown := never_sure(profile, asked=True):
        out.append(on_page(unknown))
    for name, known in profile.sets.items():
        pair = worst_pair(known)
        if pair is not None and pair["sigmas"] < NEAR_SIGMAS:
            low, high = pair["counts"]
            out.append(
                f"{name}: stick a paper dot of 0.1 g into igloo {low} or {high} and weigh both anew; they stand only "
                f"{pair['sigmas']:.1f} standard deviations apart."
            )
    reasons = Counter(a.heard.reason.split(":")[0] for a in answered if a.heard.reason)
    mends = {a.heard.reason.split(":")[0]: a.heard.reason for a in answered if a.heard.reason}
    for cause, times in reasons.most_common(3):
        if times > OFTEN * len(answered):
            out.append(f"{'Once' if times == 1 else f'{times} times'}: {mends[cause]}.")
    out += _by_whom_and_when([a.tapped.recording for a in answered if a.counted], profile)
    if not out and not shown:
        out = ["Weigh the set once more on another day, and look how well the profile tells it then."]
    return out or [
        "Nothing: the set is told as well as it can be. Weigh it anew when the seat or the igloos change."
    ]


def _by_whom_and_when(counted: Sequence[Recording], profile: GestureProfile) -> list[str]:
    """Advice to have the sets tapped by people who did not weigh them, and on more days."""
    if not counted:
        return []
    out, missing = [], unnamed(counted)
    if missing:
        out.append(f"Say of which {' and which '.join(missing)} each gesture is: {name_them(missing)}.")
    of_set: dict[str | None, set[str | None]] = {}
    for r in counted:
        of_set.setdefault(r.device, set()).add(r.player)
    others = by_others(profile, counted)
    if not others and "player" not in missing and all(len(people) < 2 for people in of_set.values()):
        somebody = "Let somebody else count the set"
        if others is None:
            somebody = "If the same person weighed the set, let somebody else count it"
        out.append(f"{somebody}: who taps should not matter, and this shows it.")
    sessions = len({r.occasion for r in counted})
    if sessions < FEW_SESSIONS and "session" not in missing:
        if on_other_days(profile.fitted_on, counted) is False:
            out.append("Weigh the set on another day as well: figures that rest on few sessions mean little.")
        else:
            out.append(
                f"Count the set on more days: figures that rest on {many(sessions, 'session')} mean little."
            )
    return out


def render(
    answered: Sequence[Answered], profile: GestureProfile, warnings: Sequence[str], doubts: Sequence[str] = ()
) -> str:
    """The whole page. Where `warnings` say that figures would flatter, none is shown; `doubts` stand beside them."""
    counted = [a for a in answered if a.counted]
    told = [a.told() for a in counted]
    sessions = len({a.tapped.recording.occasion for a in answered})
    since = {name: _since(name, answered, profile) for name in profile.sets}
    figures: dict[str, Any] | None = summary(told) if told and not warnings else None
    missing = unnamed(a.tapped.recording for a in answered)
    filled: dict[str, Any] = {
        "whose": whose(len(answered), sessions, missing, "gesture"),
        "sensor": "piezo disc" if profile.sensor == "microphone" else "accelerometer",
        "simulated": any(a.tapped.recording.more.get("simulated") for a in answered),
        "warnings": [
            *(to_follow(text, answered[0].tapped.recording.folder, sessions) for text in warnings),
            *doubts,
        ],
        "figures": figures,
        "advice": advice(answered, profile, figures is not None),
        "sets": [
            (name, _weights(name, since[name], profile), worst_pair(known))
            for name, known in profile.sets.items()
        ],
        "since": any(since.values()),
        "odd": [(a.tapped.recording.file, a.heard.reason) for a in answered if a.heard.reason],
        "digest": profile.digest,
        "fitted_on": profile.fitted_on,
        "sure_right": of_those_sure(figures) if figures else "",
        "interval": partial(interval, missing),
        "as_a_set": as_a_set(figures, "gesture") if figures else "",
        "percent": lambda share: f"{100 * share:.0f} %",
    }
    if figures is not None:
        filled["confusion"] = pictures.confusion([(t.true, t.best) for t in told], profile.counts)
        filled["reliability"] = pictures.reliability(told)
        filled["pairs"] = pairs_of([(t.true, t.best) for t in told])
    return rendered("seat_report.html.j2", filled)


Seen = list[tuple[int, float, float]]  # beads, upright weight, loose mass


def _since(name: str, answered: Sequence[Answered], profile: GestureProfile) -> Seen:
    model, known = profile.sets[name].model, known_prints(profile.fitted_on.fingerprints)
    seen: Seen = []
    for a in answered:
        gesture, r = a.gesture, a.tapped.recording
        if fingerprint(a.tapped) in known:
            continue  # the circle was fitted to it: its distance means nothing
        if gesture is not None and gesture.weights and profile.set_for(r.device) is profile.sets[name]:
            weighing = Weighing.of(gesture.weights)
            seen.append((r.beads or 0, weighing.upright, model.loose(weighing)))
    return seen


def _weights(name: str, seen: Seen, profile: GestureProfile) -> str:
    model = profile.sets[name].model
    means = {
        n: (float(t), float(b))
        for n, (t, b), times in zip(model.counts, np.asarray(model.means), model.weighed, strict=True)
        if times
    }
    return pictures.weights(means, seen, f"{name}: what each igloo weighs, and what is loose in it")
