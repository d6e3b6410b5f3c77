"""Igloo Pop with a listening table: what was heard of each igloo is kept to itself until the cards are checked.

A microphone belongs to a seat; what it hears belongs to the igloo in that seat's hand. When the shaking has ended the
evidence of the whole round is joined (every count stands in one igloo only). Where the ear is sure the igloo
need not be turned over; where it is not, or only ever heard it badly, the desk asks to look underneath and says what is
likely. Where that turns out to be the count of an igloo that nobody turned over, that one was misheard, and is looked
at next.

In digital play there are no igloos: the referee holds their counts, so nothing is heard of them and nothing is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sensors.ear.mends import ALL
from sensors.ear.pair import counting
from sensors.ear.seat_listener import NOT_HERE, TOO_CROWDED
from sensors.ear.sets import join_set
from sensors.ear.verdict import HANDLED, HUMS, KNOCKS, NO_STROKES, SEVERAL
from sensors.evidence import Heard, Pressed
from table.desk.desk import Desk
from table.desk.in_hand import InHand, taken_in_round
from table.desk.kept_shakes import KeptShakes
from table.desk.look import answers, given, taken_back
from table.desk.said import Question
from table.desk.weigh import SURE
from table.settings.seats import TABLE

COUNTS = tuple(range(2, 14))
_FLOOR = 3e-4  # no ear excludes a count: neighbours of what it never met stay possible
# of two sensors' lines of one shake, one may come a second after the other: it is weighed longer, or sent in packets
_LEAST_SHARED = 0.1
# odds are worth little of what was overdriven, drowned, unlike all that was learned or unlike the profile
ILL_HEARD = ("sensor", "strange")
_LOOK = "look-"  # what keys of questions to look underneath begin with
# what nobody meant as a shake: handled, put down, or hardly above the background
_SOFT = (HANDLED, NO_STROKES, *(mends.hardly_heard for mends in ALL))
_MEANT_S = 0.8  # a noise of this length was meant as a shake
AGAIN_S = 4.0  # what lost a shake is said again for the next one, but not more often than this


class EarWatch:
    """The ears and buttons of one Igloo Pop desk."""

    def __init__(
        self, desk: Desk, sure: float = SURE, own: Collection[str] = (), hears: Collection[str] | None = None
    ) -> None:
        """`own`: seats with an ear of their own, beside one that all share. `hears`: the seats that any ear hears;
        None: all."""
        self.desk = desk
        self.real = desk.view(None)["options"]["mode"] == "physical"  # whether there are igloos to be heard
        self._own, self._hears = frozenset(own), hears
        self._sure = sure
        self._round = 0
        self._hands = InHand(desk)
        self._kept = KeptShakes()
        self._lost_at: float | None = None  # when it was last said that a shake counts for nobody
        self._humming: set[str] = set()  # seats of whose sensors that was said in this round
        # an igloo's likeliest count when the desk asked to look at it, or took it without
        self._said: dict[str, int] = {}
        self._taken: set[str] = set()  # igloos that the ear was sure of
        # igloos that were in hands before this was there, or in a round that was left: what was heard of them is gone
        self._gone: set[str] = set()
        # a round begins when it is counted in, whoever does that, and not when its first line comes
        desk.listen(lambda said: self._begin(desk.view(None)))

    def shaken(self, seat: str, heard: Heard) -> str | None:
        """A shake that `seat`'s microphone heard, or (`TABLE`) the one microphone that all share.

        The igloo it is held for; None where nobody knows which it was.
        """
        if not self.real:
            return None
        view = self.desk.view(None)
        if seat != TABLE and seat not in view["players"]:
            return None  # nobody plays there, and what rattles is no igloo of this game
        self._begin(view)
        # people put an igloo down, and take another one, before the line of it comes
        heard = self._timed(heard)
        stretch = heard.start_s, heard.end_s
        if heard.reason in NOT_HERE:
            # a neighbour's shake, which that seat's own microphone tells
            held = self._hands.of(seat, *stretch)
            return held.letter if held is not None and held.stands else None
        shared = seat == TABLE
        if shared:
            hands = sorted(self._hands.holding(*stretch))
            if heard.verdict == "not-a-shake" and (len(hands) != 1 or hands[0] in self._own):
                return None  # nobody knows whose it was, or that hand's own ear tells it
            if len(hands) > 1:
                if not self._own.issuperset(hands):  # else nothing is lost: each is heard by its own
                    self._lost(_of_nobody(hands, self._hands.at_once(hands, *stretch)))
                return None
            seat = hands[0] if hands else "somebody"
            if seat not in self._own and self._hands.several(seat, *stretch):
                if heard.verdict != "not-a-shake":
                    self._lost(
                        f"Two igloos of {seat} were shaken without a pause, so that counts for neither: let it be "
                        "quiet for a second before the next one is shaken."
                    )
                return None
        held = self._hands.of(seat, *stretch)
        if held is not None and not held.stands:
            return None  # that it was taken was taken back
        if held is None:
            if view["phase"] == "shaking" and heard.verdict != "not-a-shake":
                self.desk.tell(
                    f"Something rattled at {seat}'s seat, but {seat} has no igloo in hand.", "stray-shake"
                )
            return None
        letter = held.letter
        if heard.verdict == "not-a-shake":
            meant = heard.end_s - heard.start_s >= _MEANT_S and heard.reason not in _SOFT
            if heard.reason == HUMS:
                self._tell_hum(seat, meant)
            elif meant or heard.reason == KNOCKS:  # one knock or a grip is handling: nobody speaks of it
                why = f": {heard.reason}" if heard.reason else ""
                self.desk.tell(f"That was no shake of igloo {letter}{why}", "not-a-shake", seat=seat)
            return letter
        if heard.reason in (SEVERAL, TOO_CROWDED):  # other people's beads would be counted with one's own
            self._lost(
                f"Igloo {letter} was not told from its neighbours: shake one after another, then each is heard."
            )
            return letter
        self._kept.keep(held, heard, shared=shared)
        question = self.desk.question
        if question is not None and question.key.startswith(_LOOK):
            self.settle()  # it was asked before the last line was there
        return letter

    def _tell_hum(self, seat: str, meant: bool) -> None:
        """Of the sensor, and not of the igloo, which may only have been passed on: once a round is enough."""
        if meant and seat not in self._humming:
            self._humming.add(seat)
            self.desk.tell(f"At {seat}'s seat {HUMS}", "hums", seat=seat)

    def _lost(self, why: str) -> None:
        """Say why a shake counts for no igloo: each time, so that nobody waits in vain; in a hubbub now and then."""
        now = self.desk.now
        if self._lost_at is None or now - self._lost_at >= AGAIN_S:
            self._lost_at = now
            self.desk.tell(why, "in-turn")

    def pressed(self, press: Pressed) -> bool:
        """The button at a seat: counts the round in; while all shake it passes, or takes the pass back."""
        view = self.desk.view(None)
        self._begin(view)
        match view["phase"]:
            case "countdown":
                return self.desk.play("count", press.seat, "button")
            case "shaking":
                word = "unpass" if press.seat in view["passed"] else "pass"
                return self.desk.play(f"{word} {press.seat}", press.seat, "button")
            case "resolving":
                return self.settle() and self.desk.play("resolve", press.seat, "button")
        return False

    def counting(self) -> dict[str, list[dict[int, float]]]:
        """Of each igloo that was heard this round what its shakes say of all counts of the game, each that counts
        (`sensors.ear.pair.counting`)."""
        return {letter: self._counting(letter) for letter in self._kept.letters()}

    def odds(self, certain: bool = True) -> dict[str, dict[int, float]]:
        """The joined probabilities of every igloo that was heard this round. For the referee alone until the check.

        `certain`: what the ear took without a look is one count now, and no igloo's besides.
        """
        view = self.desk.view(None)
        taken = () if certain else self._taken
        known = {k: value for k, value in view["values"].items() if value is not None and k not in taken}
        heard: dict[str, Sequence[Mapping[int, float]]] = {
            letter: shakes for letter, shakes in self.counting().items() if letter not in known
        }
        for letter, igloo in view["igloos"].items():
            if igloo["at"] == "card" and letter not in known:
                heard.setdefault(letter, [])
        if any(heard.values()):
            return join_set(heard, COUNTS, known).marginals
        # nothing to join: a table without an ear has not loaded what joins, and would stand still while it does
        free = [n for n in COUNTS if n not in known.values()]
        found = {letter: {n: float(n == count) for n in COUNTS} for letter, count in known.items()}
        return found | {letter: {n: (n in free) / len(free) for n in COUNTS} for letter in heard}

    def settle(self) -> bool:
        """Say what stands on the cards, igloo by igloo; ask where the ear is unsure. True when nothing is left open."""
        view = self.desk.view(None)
        self._begin(view)  # a correction may lead back into an earlier round, whose letters were others
        if not self.real:
            return bool(view["phase"] == "resolving")
        while view["phase"] == "resolving":
            waiting = [
                k for k, i in view["igloos"].items() if i["at"] == "card" and view["values"][k] is None
            ]
            if not waiting:
                return True
            letter = waiting[0]  # in the order of letters, in which the rules give values to igloos
            place = view["igloos"][letter]
            odds = self.odds()[letter]
            count = max(odds, key=lambda n: odds[n])
            # one that is sure only because another one was taken is not
            sure = min(odds[count], self.odds(certain=False)[letter][count]) >= self._sure
            ill = not self._well_heard(letter) or self._misheard(letter, view)
            if not sure or ill or letter in taken_back(self.desk.sitting):
                self._look(letter, place, odds, view)
                return False
            evidence = {"what": f"igloo {letter} was heard", "odds": self._moves(place, odds)}
            if not self.desk.play(f"found {place['slot']} {count} {place['by']}", None, "ear", evidence):
                return False
            self._taken.add(letter)
            self._said[letter] = count
            view = self.desk.view(None)
        return False

    def lost_before(self) -> str | None:
        """After a start in the midst of a round, while something can be done about it: what it took with it."""
        view = self.desk.view(None)
        if not self.real or view["phase"] != "shaking" or self.desk.sitting.closed is not None:
            return None
        self._begin(view)
        if not self._gone:
            return None
        return (
            "What may have been heard in this round before the start is gone: an igloo that is still in hand can be "
            "shaken once more, and under the others somebody looks at the check."
        )

    def report(self) -> str | None:
        """How the ear did on the igloos that were turned over, in a sentence; None where it had heard none of them."""
        values, heard = self.desk.view(None)["values"], self._kept.letters()
        unseen = {has.letter for has in given(self.desk.sitting).values() if has.by == "ear"}
        seen = {k: v for k, v in values.items() if v is not None and k in heard and k not in unseen}
        if not seen:
            return None
        # what it said then: joined anew, with what is known since, it would contradict itself
        best = {k: self._said.get(k, self._alone(k)) for k in seen}
        right = sum(best[k] == n for k, n in seen.items())
        near = sum(abs(best[k] - n) <= 1 for k, n in seen.items())
        details = ", ".join(f"{k} {best[k]} for {n}" for k, n in seen.items() if best[k] != n)
        which = "1 igloo that was" if len(seen) == 1 else f"{len(seen)} igloos that were"
        words = f"Of {which} turned over the ear had {right} exactly and {near} within one"
        return f"{words} ({details})." if details else f"{words}."

    # inside

    def _begin(self, view: Mapping[str, Any]) -> None:
        if view["round"] != self._round:  # the igloos were mixed: letters are dealt anew
            self._round = view["round"]
            self._kept.forget()
            self._lost_at = None
            self._humming.clear()
            self._said.clear()
            self._taken.clear()
            self._hands.forget()
            self._gone = taken_in_round(self.desk.sitting, self._hears)

    def _look(
        self, letter: str, place: Mapping[str, Any], odds: Mapping[int, float], view: Mapping[str, Any]
    ) -> None:
        slot, by = place["slot"], place["by"]
        card = "-".join(map(str, view["table"][slot - 1]))
        ranked = sorted(odds, key=lambda n: -odds[n])
        heard = letter in self._kept.letters()
        likely = (
            "what may have been heard of it before is gone" if letter in self._gone else "it was not heard"
        )
        if self._misheard(letter, view):
            likely = "it was misheard"
        elif heard:
            self._said[letter], alone = ranked[0], self._alone(letter)
            likely = f"it sounded like {ranked[0]} or {ranked[1]}"
            if alone not in ranked[:2]:  # a page or an ear may remember it otherwise
                likely = (
                    f"alone it sounded like {alone}, beside the other igloos like {ranked[0]} or {ranked[1]}"
                )
        text = f"Look underneath igloo {letter} of {by} on card {slot} ({card}): {likely}. How many beads?"
        sitting, asked = self.desk.sitting, self.desk.question
        choices = answers(sitting, letter, odds, given(sitting), heard)
        if asked is None or (asked.text, asked.choices) != (text, choices):  # else it has been told
            self.desk.ask(Question(f"{_LOOK}{letter}-{self.desk.version}", text, choices))

    def _misheard(self, letter: str, view: Mapping[str, Any]) -> bool:
        """Was the ear sure of it, and what it said was found under another igloo? Then it is not asked again."""
        return letter in self._taken and self._said[letter] in view["values"].values()

    def _alone(self, letter: str) -> int:
        """What an igloo sounded like most, whatever the others are."""
        return join_set({letter: self._counting(letter)}, COUNTS).best[letter]

    def _well_heard(self, letter: str) -> bool:
        """Was any of its shakes heard as it should be, so that its odds are all that could be doubted?"""
        own, shared = self._kept.of(letter)
        return any(said.doubt not in ILL_HEARD for said in (*own, *shared))

    def _counting(self, letter: str) -> list[dict[int, float]]:
        return [of_all(odds) for odds in counting(*self._kept.of(letter), _LEAST_SHARED)]

    def _timed(self, heard: Heard) -> Heard:
        """By the table's clock: each source has its own. One that does not tell when it ended tells it at once."""
        ended_at = self.desk.now if heard.ended_at is None else heard.ended_at
        return replace(heard, start_s=ended_at - (heard.end_s - heard.start_s), end_s=ended_at)

    def _moves(self, place: Mapping[str, Any], odds: Mapping[int, float]) -> dict[str, float]:
        return {f"found {place['slot']} {n} {place['by']}": round(p, 4) for n, p in odds.items()}


def _of_nobody(hands: Sequence[str], at_once: bool) -> str:
    """Why what one microphone heard of these hands counts for none of them (a seat's own ear may count it), and what
    helps."""
    they, heard = f"{', '.join(hands[:-1])} and {hands[-1]}", "so what it heard counts for nobody"
    if at_once:
        return (
            f"{they} held igloos at once, and one microphone hears all, {heard}: one igloo in hand at a time, put the "
            "others back first."
        )
    return (
        f"{they} held igloos one after the other while it rattled without a pause, and one microphone hears all, "
        f"{heard}: let it be quiet for a second before the next one is shaken."
    )


def of_all(odds: Mapping[int, float]) -> dict[int, float]:
    """Over all counts of the game. A profile that does not know some takes them for the nearest that it knows: they are
    as likely as that one."""
    return {
        n: max(odds[min(odds, key=lambda known: abs(known - n))] if odds else 0.0, _FLOOR) for n in COUNTS
    }
