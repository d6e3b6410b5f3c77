"""The reasons why a shake is none or its count not sure, each with what to do."""

from __future__ import annotations

from collections.abc import Mapping

from sensors.why import Reason, Why

LEAST_NAMED = 0.02  # least probability of a count that is named among the possible ones

RECALIBRATE = Reason(
    Why.RECALIBRATE, "today's sound is not what the profile was made for: recalibrate, one sweep is enough"
)
STRANGE_LATELY = Reason(
    Why.STRANGE_LATELY,
    "lately it sounds otherwise than what the profile was made for: see that the sensor sits as it did then, and "
    "recalibrate if it stays so",
)
UNLIKE = Reason(
    Why.UNLIKE, "it rattles unlike any igloo that was learned: if it was one, record a sweep of it"
)
KNOCK = Reason(Why.KNOCK, "a knock or a click, too short for a shake")
KNOCKS = Reason(
    Why.KNOCKS, "single knocks: if that was a shake, shake harder, so that it goes on without a pause"
)
SHORT_OR_KNOCK = Reason(Why.SHORT_OR_KNOCK, "too short to be told from a knock: shake for two seconds")
NO_STROKES = Reason(Why.NO_STROKES, "no strokes in it: a knock, or something put down")
HANDLED = Reason(Why.HANDLED, "moved, but not shaken: if that was a shake, shake harder")
NO_RATTLE = Reason(Why.NO_RATTLE, "it does not sound like beads in an igloo")
# where the hand is felt to shake: harder would not help
HARDLY_STRUCK = Reason(
    Why.NO_RATTLE, "shaken, but hardly a bead strikes: shake straight to and fro, not in circles"
)
HUMS = Reason(
    Why.HUMS, "it hums at the mains: earth or shield the sensor, or keep its cable from power supplies"
)
TOO_SHORT = Reason(Why.TOO_SHORT, "too short: shake for two seconds")
TOO_SHORT_BESIDE_KNOCK = Reason(
    Why.TOO_SHORT, "a knock in the midst of it left too little to count by: shake again for two seconds"
)
TOO_GENTLE = Reason(Why.TOO_GENTLE, "too gentle: shake a little harder")
# for a sensor that feels the hand: quiet or glue would not help, but nothing can be said about the sound either
GENTLE_AND_DROWNED = Reason(Why.DROWNED, "too gentle to stand out from its background: shake harder")
TOO_SLOW = Reason(Why.TOO_SLOW, "too slow: shake a little faster")
TOO_HARD = Reason(Why.TOO_HARD, "too hard: shake a little more gently")
TOO_FAST = Reason(Why.TOO_FAST, "too fast: shake a little more slowly")
DONE_TOO_GENTLY = Reason(Why.TOO_GENTLE, "too gentle: do it a little harder")  # for a gesture of another kind
DONE_TOO_HARD = Reason(Why.TOO_HARD, "too hard: do it a little more gently")
HARDLY_ALIKE = Reason(
    Why.HARDLY_ALIKE, "it hardly rattles like beads in an igloo: if it was one, shake it again"
)
SHAKE_AGAIN = "shake the same igloo again"
MAKE_AGAIN = "make the same gesture again"  # where a gesture of another kind was asked for
SEVERAL = Reason(Why.SEVERAL, "it sounds like more than one igloo at once: shake one after another")


def could_be(probabilities: Mapping[int, float], again: str = SHAKE_AGAIN) -> Reason:
    """Why a count is not sure: up to three of the likeliest counts, and to do the same `again`."""
    ranked = sorted(probabilities, key=lambda n: -probabilities[n])[:3]
    first, *others = [ranked[0], *(n for n in ranked[1:] if probabilities[n] >= LEAST_NAMED)]
    if not others:
        return Reason(Why.COULD_BE, f"it could be {first}, and hardly another: {again}")
    likely = sorted([first, *others])
    options = ", ".join(str(n) for n in likely[:-1]) + f" or {likely[-1]}"
    return Reason(Why.COULD_BE, f"it could be {options}: {again}")
