"""The output of `polartable listen` for people."""

from __future__ import annotations

from calibration.words import many
from sensors.evidence import Heard, Hearing
from table.listening.files import Event

Said = Heard | Hearing | Event


def in_words(said: Said, felt: bool, what: str = "shake") -> str:
    """A line for people. `felt`: from igloos at a serial port; `what` was counted: a shake, or a gesture at a seat."""
    if isinstance(said, Heard):
        return _of_a_shake(said)
    if isinstance(said, Hearing):
        best = max(said.probabilities, key=lambda n: said.probabilities[n])
        who = said.source if said.seat is None else f"{said.source} {said.seat}"
        return f"{who} {said.now_s:.1f} s: … {best} ({said.probabilities[best]:.0%})"
    if said["event"] == "igloo":
        best = said["probabilities"][str(said["best"])]
        why = f" – {said['reason']}" if "reason" in said else ""
        told = f"{said['best']} most likely ({best:.0%}){why}"
        if said["shakes"] == 1:  # the others were heard too badly to be added
            return f"{said['source']}: of these {what}s only 1 counts: {told}"
        return f"{said['source']}: {many(said['shakes'], what)} together: {told}"
    if said["event"] == "link":
        return f"{said['source']}: {said['state']} – {said['why']}"
    if said["event"] in ("sensor", "node"):
        who = said["source"] if "seat" not in said else f"{said['source']} {said['seat']}"
        return f"{who}: {said['why']}" + (f" – {said['mend']}" if said["mend"] else "")
    if said["event"] == "overflow":
        return f"{said['source']}: {_lost(said['blocks'], felt)} so far"
    return f"{said['source']}: {_lost(said['overflows'], felt)}"


def _of_a_shake(said: Heard) -> str:
    who = said.source if said.seat is None else f"{said.source} {said.seat}"
    where = f"{who} {said.start_s:.1f}–{said.end_s:.1f} s"
    if said.verdict == "sure":
        assert said.best is not None
        return f"{where}: {many(said.best, 'bead')} ({said.probabilities[said.best]:.0%})"
    if said.verdict == "unsure":
        assert said.best is not None
        if len({*said.probabilities.values()}) == 1 < len(said.probabilities):  # nothing was weighed
            return f"{where}: not sure – {said.reason}"
        return f"{where}: not sure, {said.best} most likely ({said.probabilities[said.best]:.0%}) – {said.reason}"
    return f"{where}: no shake – {said.reason}"


def _lost(n: int, felt: bool) -> str:
    things = many(n, "packet") if felt else many(n, "block of sound", "blocks of sound")
    return f"{things} {'was' if n == 1 else 'were'} lost"
