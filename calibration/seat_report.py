"""The report on the counting gesture that a maker reads: the set as weighed, how well it is told, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration import pictures
from calibration.gather import pairs_of
from calibration.honesty import known_prints
from calibration.page import rendered
from calibration.scores import summary
from calibration.seat_taps import Answered, fingerprint
from calibration.whole_sets import as_a_set
from calibration.words import of_those_sure
from sensors.gesture.fitting import worst_pair
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile

ALIKE = 4.0  # standard deviations: igloos nearer to one another are worth a paper dot
OFTEN = 0.1  # of the gestures: worth a word of advice
FEW_SESSIONS = 3


def advice(answered: Sequence[Answered], profile: GestureProfile) -> list[str]:
    """What to do next, most useful first."""
    out = []
    for name, known in profile.sets.items():
        pair = worst_pair(known)
        if pair["sigmas"] < ALIKE:
            low, high = pair["counts"]
            out.append(
                f"{name}: stick a paper dot of 0.1 g into igloo {low} or {high} and weigh both anew; they stand only "
                f"{pair['sigmas']} standard deviations apart."
            )
    reasons = Counter(a.heard.reason.split(":")[0] for a in answered if a.heard.reason)
    mends = {a.heard.reason.split(":")[0]: a.heard.reason for a in answered if a.heard.reason}
    for cause, times in reasons.most_common(3):
        if times > OFTEN * len(answered):
            out.append(f"{'Once' if times == 1 else f'{times} times'}: {mends[cause]}.")
    counted = [a.tapped.recording for a in answered if a.counted]
    if len({r.player for r in counted}) < 2:
        out.append("Let somebody else count the set: who taps should not matter, and this shows it.")
    if len({r.occasion for r in counted}) < FEW_SESSIONS:
        out.append("Weigh the set on another day: the figures rest on few sessions.")
    return out or [
        "Nothing: the set is told as well as it can be. Weigh it anew when the seat or the igloos change."
    ]


def render(answered: Sequence[Answered], profile: GestureProfile, warnings: Sequence[str]) -> str:
    """The whole page. Where `warnings` say that figures would flatter, none is shown."""
    counted = [a for a in answered if a.counted]
    told = [a.told() for a in counted]
    figures: dict[str, Any] | None = summary(told) if told and not warnings else None
    filled: dict[str, Any] = {
        "n": len(answered),
        "sessions": len({a.tapped.recording.occasion for a in answered}),
        "sensor": "piezo disc" if profile.sensor == "microphone" else "accelerometer",
        "simulated": any(a.tapped.recording.more.get("simulated") for a in answered),
        "warnings": warnings,
        "figures": figures,
        "advice": advice(answered, profile),
        "sets": [
            (name, _weights(name, answered, profile), worst_pair(known))
            for name, known in profile.sets.items()
        ],
        "odd": [(a.tapped.recording.file, a.heard.reason) for a in answered if a.heard.reason],
        "digest": profile.digest,
        "fitted_on": profile.fitted_on,
        "sure_right": of_those_sure(figures) if figures else "",
        "as_a_set": as_a_set(figures, "gesture") if figures else "",
        "percent": lambda share: f"{100 * share:.0f} %",
    }
    if figures is not None:
        filled["confusion"] = pictures.confusion([(t.true, t.best) for t in told], profile.counts)
        filled["reliability"] = pictures.reliability(
            [t.confidence for t in told], [t.best == t.true for t in told], [t.session for t in told]
        )
        filled["pairs"] = pairs_of([(t.true, t.best) for t in told])
    return rendered("seat_report.html.j2", filled)


def _weights(name: str, answered: Sequence[Answered], profile: GestureProfile) -> str:
    model, known = profile.sets[name].model, known_prints(profile.fitted_on)
    seen = []
    for a in answered:
        gesture, r = a.tapped.gesture, a.tapped.recording
        if fingerprint(a.tapped) in known:
            continue  # it made the circle: how near it lies tells nothing
        if gesture is not None and gesture.weights and profile.set_for(r.device) is profile.sets[name]:
            weighing = Weighing.of(gesture.weights)
            seen.append((r.beads or 0, weighing.upright, model.loose(weighing)))
    means = {
        n: (float(t), float(b))
        for n, (t, b), times in zip(model.counts, np.asarray(model.means), model.weighed, strict=True)
        if times
    }
    return pictures.weights(means, seen, f"{name}: what each igloo weighs, and what is loose in it")
