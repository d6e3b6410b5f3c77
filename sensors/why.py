"""Why a shake or a gesture is not sure, or is none: the sentence for people, and its kind (`Why`) for programs.

Sentences are reworded and translated, so no program may depend on their words, least of all for whether a sentence may
be shown before a round of Igloo Pop is scored (docs/architecture.md, the ear spoils no round).
"""

from __future__ import annotations

from enum import StrEnum, auto


class Why(StrEnum):
    """What a sentence is about. `tells_count` marks those that reveal something of the count."""

    NONE = ""  # no sentence: the answer is sure

    # the hand, which can do better
    TOO_SHORT = auto()
    TOO_GENTLE = auto()
    TOO_SLOW = auto()
    TOO_HARD = auto()
    TOO_FAST = auto()
    # the sensor, or other sounds
    OVERDRIVEN = auto()
    DROWNED = auto()
    COARSE = auto()
    NARROW = auto()
    SEVERAL = auto()
    TOO_CROWDED = auto()
    # samples that are missing, or come from more than one sensor
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
    # not a shake of this seat
    ELSEWHERE = auto()
    ELSEWHERE_OR_SOFT = auto()

    # a counting gesture: no weighing that could be believed
    NO_EMPTY = auto()
    HELD = auto()
    TAPS_CUT_OFF = auto()
    TAPS_TOO_FAINT = auto()
    EMPTY_DIFFERS = auto()
    NO_TAPS = auto()
    CROOKED = auto()
    FOREIGN = auto()
    SEAT_CHANGED = auto()
    OTHER_SEAT = auto()
    # a counting gesture: weighed, but not sure
    BEADS_HOPPED = auto()
    NEVER_WEIGHED = auto()
    UNKNOWN_SET = auto()
    WHICH_SET = auto()
    WEIGH_ALIKE = auto()
    DAY_UNKNOWN = auto()
    LEANS = auto()

    @property
    def tells_count(self) -> bool:
        """Does the sentence name counts or hint at the count? Then it is hidden wherever counts are hidden."""
        return self.beyond or self in (Why.COULD_BE, Why.WEIGH_ALIKE, Why.DAY_UNKNOWN, Why.NEVER_WEIGHED)

    @property
    def beyond(self) -> bool:
        """Does it sound like fewer or more beads than any count in the profile?"""
        return self in (Why.MORE_THAN_KNOWN, Why.FEWER_THAN_KNOWN)

    @property
    def by_hand(self) -> bool:
        """Can the hand do better, while nothing is wrong with the sound?"""
        return self in (Why.TOO_SHORT, Why.TOO_GENTLE, Why.TOO_SLOW, Why.TOO_HARD, Why.TOO_FAST)

    @property
    def ill_heard(self) -> bool:
        """Was it heard too badly to say whether the sound has changed since the profile was made?"""
        return self in (Why.OVERDRIVEN, Why.DROWNED, Why.TOO_SHORT, Why.SEVERAL)

    @property
    def unlike(self) -> bool:
        """Is it unlike what was learned? Splices and bridges sound unlike it, too."""
        return self in (Why.UNLIKE, Why.RECALIBRATE)

    @property
    def not_whole(self) -> bool:
        """Were parts of it bridged, or may it be a mixture of two shakes?"""
        return self in (Why.PACKETS_LOST, Why.NO_NUMBERS, Why.TWO_BOARDS)

    @property
    def of_several(self) -> bool:
        """Would other people's beads be counted with one's own?"""
        return self in (Why.SEVERAL, Why.TOO_CROWDED)

    @property
    def elsewhere(self) -> bool:
        """Is it a neighbour's shake, which the neighbour's own microphone reports?"""
        return self in (Why.ELSEWHERE, Why.ELSEWHERE_OR_SOFT)

    @property
    def not_meant(self) -> bool:
        """Was it not meant as a shake: the igloo was handled or put down, or is hardly above the background?"""
        return self in (Why.HANDLED, Why.NO_STROKES, Why.HARDLY_HEARD)

    @property
    def nothing_weighed(self) -> bool:
        """Was there no weighing that could be believed? Then the probabilities beside the reason are no evidence."""
        return self in (
            Why.NO_EMPTY,
            Why.HELD,
            Why.TAPS_CUT_OFF,
            Why.TAPS_TOO_FAINT,
            Why.EMPTY_DIFFERS,
            Why.NO_TAPS,
            Why.CROOKED,
            Why.FOREIGN,
            Why.SEAT_CHANGED,
            Why.OTHER_SEAT,
        )

    @property
    def once_more(self) -> bool:
        """Does the remedy ask for one more placing of the same igloo? Then that adds to the same gesture."""
        return self in (Why.BEADS_HOPPED, Why.CROOKED, Why.WEIGH_ALIKE)


class Reason(str):
    """A sentence for people with its remedy, and its `Why`: neither can be given or replaced without the other.

    Code that only shows or stores it can treat it as a plain string.
    """

    __slots__ = ("why",)
    why: Why

    def __new__(cls, why: Why, sentence: str) -> Reason:
        self = super().__new__(cls, sentence)
        self.why = why
        return self

    def __getnewargs__(self) -> tuple[Why, str]:  # type: ignore[override]
        """For pickling and copying."""
        return self.why, str(self)


def why_of(reason: Reason | None) -> Why:
    """The `Why` of a reason; `Why.NONE` where there is none."""
    return Why.NONE if reason is None else reason.why
