"""Why a shake or a gesture is not sure, or none: the sentence for people, and what it is of, which programs ask.

Sentences are reworded and translated, and no program may hang on their words: least of all whether one may be shown
before a round of Igloo Pop is scored (docs/architecture.md, the ear spoils no round).
"""

from __future__ import annotations

from enum import StrEnum, auto


class Why(StrEnum):
    """What a sentence is of. One that tells of the count says so itself (`tells_count`)."""

    NONE = ""  # nothing is said: it is sure

    # a hand that can do better
    TOO_SHORT = auto()
    TOO_GENTLE = auto()
    TOO_SLOW = auto()
    TOO_HARD = auto()
    TOO_FAST = auto()
    # the sensor, or what else there was to be heard
    OVERDRIVEN = auto()
    DROWNED = auto()
    COARSE = auto()
    NARROW = auto()
    SEVERAL = auto()
    TOO_CROWDED = auto()
    # what came to the ear is not all that the sensor had, or not of one sensor
    SOUND_LOST = auto()
    PACKETS_LOST = auto()
    NO_NUMBERS = auto()
    TWO_BOARDS = auto()
    # the profile
    UNLIKE = auto()
    RECALIBRATE = auto()
    STRANGE_LATELY = auto()
    # the odds
    COULD_BE = auto()
    MORE_THAN_KNOWN = auto()
    FEWER_THAN_KNOWN = auto()
    HARDLY_ALIKE = auto()
    # no shake
    KNOCK = auto()
    KNOCKS = auto()
    SHORT_OR_KNOCK = auto()
    NO_STROKES = auto()
    HANDLED = auto()
    NO_RATTLE = auto()
    HUMS = auto()
    CUT_OFF = auto()
    HARDLY_HEARD = auto()
    # no shake of that seat's
    ELSEWHERE = auto()
    ELSEWHERE_OR_SOFT = auto()

    # a counting gesture: nothing was weighed that could be believed
    NO_EMPTY = auto()
    HELD = auto()
    TAPS_CUT_OFF = auto()
    EMPTY_DIFFERS = auto()
    NO_TAPS = auto()
    CROOKED = auto()
    FOREIGN = auto()
    SEAT_CHANGED = auto()
    OTHER_SEAT = auto()
    # … it was weighed, and is not sure
    BEADS_HOPPED = auto()
    NEVER_WEIGHED = auto()
    UNKNOWN_SET = auto()
    WHICH_SET = auto()
    WEIGH_ALIKE = auto()
    DAY_UNKNOWN = auto()
    LEANS = auto()

    @property
    def tells_count(self) -> bool:
        """Does the sentence name counts, or tell anything of the count? Where counts are hidden, so is it."""
        return self.beyond or self in (Why.COULD_BE, Why.WEIGH_ALIKE, Why.DAY_UNKNOWN, Why.NEVER_WEIGHED)

    @property
    def beyond(self) -> bool:
        """Does it sound like fewer or more beads than any count that the profile knows?"""
        return self in (Why.MORE_THAN_KNOWN, Why.FEWER_THAN_KNOWN)

    @property
    def by_hand(self) -> bool:
        """Can the hand do better, and is nothing the matter with the sound?"""
        return self in (Why.TOO_SHORT, Why.TOO_GENTLE, Why.TOO_SLOW, Why.TOO_HARD, Why.TOO_FAST)

    @property
    def ill_heard(self) -> bool:
        """Of such shakes nobody can say whether the sound has changed since the profile was made."""
        return self in (Why.OVERDRIVEN, Why.DROWNED, Why.TOO_SHORT, Why.SEVERAL)

    @property
    def unlike(self) -> bool:
        """Is it unlike what was learned? So are splices and bridges."""
        return self in (Why.UNLIKE, Why.RECALIBRATE)

    @property
    def not_whole(self) -> bool:
        """Were parts of it bridged, or may it be woven of two shakes?"""
        return self in (Why.PACKETS_LOST, Why.NO_NUMBERS, Why.TWO_BOARDS)

    @property
    def of_several(self) -> bool:
        """Would other people's beads be counted with one's own?"""
        return self in (Why.SEVERAL, Why.TOO_CROWDED)

    @property
    def elsewhere(self) -> bool:
        """Is it a neighbour's shake, which that seat's own microphone tells?"""
        return self in (Why.ELSEWHERE, Why.ELSEWHERE_OR_SOFT)

    @property
    def not_meant(self) -> bool:
        """Did nobody mean it as a shake: handled, put down, or hardly above the background?"""
        return self in (Why.HANDLED, Why.NO_STROKES, Why.HARDLY_HEARD)

    @property
    def nothing_weighed(self) -> bool:
        """Was nothing weighed that could be believed? Then the probabilities beside the reason are no evidence."""
        return self in (
            Why.NO_EMPTY,
            Why.HELD,
            Why.TAPS_CUT_OFF,
            Why.EMPTY_DIFFERS,
            Why.NO_TAPS,
            Why.CROOKED,
            Why.FOREIGN,
            Why.SEAT_CHANGED,
            Why.OTHER_SEAT,
        )

    @property
    def once_more(self) -> bool:
        """Does the mend ask for one more placing of the same igloo? Then it adds to the same gesture."""
        return self in (Why.BEADS_HOPPED, Why.CROOKED, Why.WEIGH_ALIKE)


class Reason(str):
    """A sentence for people, with its mend, and why it is said: neither can be given, or replaced, without the other.

    Everybody who only shows it, or writes it down, has a plain sentence.
    """

    __slots__ = ("why",)
    why: Why

    def __new__(cls, why: Why, sentence: str) -> Reason:
        self = super().__new__(cls, sentence)
        self.why = why
        return self

    def __getnewargs__(self) -> tuple[Why, str]:  # type: ignore[override]
        """How it comes to other processes, and is copied."""
        return self.why, str(self)


def why_of(reason: Reason | None) -> Why:
    """What a reason is of; `Why.NONE` where there is none."""
    return Why.NONE if reason is None else reason.why
