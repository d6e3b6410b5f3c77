"""Igloo Pop with a listening table: keeps what was heard of each igloo to itself until the cards are checked.

A microphone belongs to a seat; what it hears belongs to the igloo in that seat's hand. When the shaking has ended,
`card_check` checks the cards with it.

In digital play there are no real igloos: the referee holds their counts, so nothing is heard and nothing is asked.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sensors.ear.verdicts.reasons import HUMS
from sensors.evidence import Heard, Pressed
from sensors.why import Why
from table.desk.card_check import CardCheck
from table.desk.desk import Desk
from table.desk.in_hand import Held, InHand, taken_in_round
from table.desk.kept_shakes import KeptShakes
from table.desk.sure import SURE
from table.settings.seats import TABLE

_MEANT_S = 0.8  # a noise of at least this length was meant as a shake
AGAIN_S = 4.0  # the reason for a lost shake is repeated for the next one, but not more often than this


class EarWatch:
    """The ears and buttons of one Igloo Pop desk."""

    def __init__(
        self,
        desk: Desk,
        sure: float = SURE,
        own: Collection[str] = (),
        hears: Collection[str] | None = None,
        felt: Collection[str] = (),
    ) -> None:
        """`own`: seats with an ear of their own, beside the shared one. `hears`: the seats that any ear hears (None:
        all). `felt`: seats whose igloos have their own sensors, so that no line covers two igloos."""
        self.desk = desk
        self.real = desk.view(None)["options"]["mode"] == "physical"  # whether there are igloos to be heard
        self._own, self._hears, self._felt = frozenset(own), hears, frozenset(felt)
        self._round = 0
        self._hands = InHand(desk)
        self._kept = KeptShakes()
        self._check = CardCheck(desk, self._kept, sure)
        # for each microphone: when people were last told that a shake counts for nobody
        self._lost_at: dict[str, float] = {}
        self._humming: set[str] = set()  # seats whose humming sensor was reported in this round
        # igloos taken before this object existed, or in a round that was left: what was heard of them is lost
        self._gone: set[str] = set()
        # a round begins when somebody counts it in, not when its first line comes
        desk.listen(lambda said: self._begin(desk.view(None)))

    def shaken(self, seat: str, heard: Heard) -> str | None:
        """Take in a shake that `seat`'s microphone heard, or (`TABLE`) the one microphone that all share.

        Returns the igloo it counts for; None if nobody knows which one it was.
        """
        if not self.real:
            return None
        view = self.desk.view(None)
        if seat != TABLE and seat not in view["players"]:
            return None  # nobody plays at that seat, and whatever rattles there is no igloo of this game
        self._begin(view)
        # people may put an igloo down and take another one before the line arrives
        heard = self._timed(heard)
        if heard.why.elsewhere:
            # a neighbour's shake, which that seat's own microphone reports
            held = self._hands.of(seat, heard.start_s, heard.end_s)
            return held.letter if held is not None and held.stands else None
        hand = self._whose(seat, heard)
        if hand is None:
            return None
        held = self._hands.of(hand, heard.start_s, heard.end_s)
        if held is not None and not held.stands:
            return None  # the move that took it was taken back
        if not self._one_igloo(seat, hand, heard):
            return None
        if held is None:
            if view["phase"] == "shaking" and heard.verdict != "not-a-shake":
                self._tell(
                    f"Something rattled at {hand}'s seat, but {hand} has no igloo in hand.", "stray-shake"
                )
            return None
        if heard.verdict == "not-a-shake":
            self._no_shake(held, heard)
        elif heard.why.of_several:  # other people's beads would be counted with one's own
            self._lost(
                seat,
                f"Igloo {held.letter} was not told from its neighbours: shake one after another, then each is heard.",
            )
        else:
            self._kept.keep(held, heard, shared=seat == TABLE)
            if self._check.looks:
                self.settle()  # it was asked before the last line arrived
        return held.letter

    def pressed(self, press: Pressed) -> bool:
        """A button at a seat: it counts the round in; while all shake, it passes or takes the pass back."""
        view = self.desk.view(None)
        self._begin(view)
        match view["phase"]:
            case "countdown":
                return self.desk.play("count", press.seat, "button")
            case "shaking":
                word = "unpass" if press.seat in view["passed"] else "pass"
                return self.desk.play(f"{word} {press.seat}", press.seat, "button")
            case "resolving":
                # in a closed game the button is refused, and nothing is asked
                ready = self.desk.sitting.closed is not None or self.settle()
                return ready and self.desk.play("resolve", press.seat, "button")
        return False

    def counting(self) -> dict[str, list[dict[int, float]]]:
        """For each igloo heard this round: the odds over all counts of the game, one set for each shake that counts."""
        return {letter: self._kept.counting(letter) for letter in self._kept.letters()}

    def odds(self) -> dict[str, dict[int, float]]:
        """The joined probabilities of every igloo heard this round. For the referee alone until the check."""
        return self._check.odds()

    def settle(self) -> bool:
        """Say igloo by igloo what stands on the cards; ask where the ear is unsure. True when nothing is left open."""
        if self.desk.sitting.closed is not None:
            return False
        view = self.desk.view(None)
        self._begin(view)  # a correction may lead back into an earlier round, which had other letters
        return self._check.settle() if self.real else bool(view["phase"] == "resolving")

    def report(self) -> str | None:
        """How the ear did on the igloos that were turned over, in one sentence; None if it had heard none of them."""
        return self._check.report()

    def lost_before(self) -> str | None:
        """After a restart in the middle of a round: what was lost with it, while people can still shake again."""
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

    # inside

    def _whose(self, ear: str, heard: Heard) -> str | None:
        """The seat whose hand shook what `ear` heard.

        "somebody" if no hand held anything. None if several may have shaken (people are told), or if that hand's own
        ear reports it.
        """
        if ear != TABLE:
            return ear
        stretch = heard.start_s, heard.end_s
        hands = sorted(self._hands.holding(*stretch))
        if heard.verdict == "not-a-shake" and (len(hands) != 1 or hands[0] in self._own):
            return None  # nobody knows whose it was, or that hand's own ear reports it
        if len(hands) > 1:
            if not self._own.issuperset(hands):  # else nothing is lost: each is heard by its own ear
                self._lost(ear, _of_nobody(hands, self._hands.at_once(hands, *stretch)))
            return None
        return hands[0] if hands else "somebody"

    def _one_igloo(self, ear: str, hand: str, heard: Heard) -> bool:
        """Whether what was heard comes from a single igloo in that hand.

        A microphone does not hear where one shake ends if the next one, or a neighbour's, goes on. If it was not a
        single igloo, people are told. Only a noise that was no shake still counts, at a seat's own ear: for the igloo
        that was held longest.
        """
        shared = ear == TABLE
        if (not shared and hand in self._felt) or not self._hands.several(hand, heard.start_s, heard.end_s):
            return True
        shake = heard.verdict != "not-a-shake"
        if shake and not (shared and hand in self._own):  # else that hand's own ear reports it
            self._lost(
                ear,
                f"Two igloos of {hand} were shaken without a pause, so that counts for neither: let it be "
                "quiet for a second before the next one is shaken.",
            )
        return not (shake or shared)

    def _no_shake(self, held: Held, heard: Heard) -> None:
        """Tell people that something they meant as a shake of that igloo was none, and why."""
        meant = heard.end_s - heard.start_s >= _MEANT_S and not heard.why.not_meant
        if heard.why is Why.HUMS:
            self._tell_hum(held.seat, meant)
        elif meant or heard.why is Why.KNOCKS:  # a single knock or a grip is handling: nothing is said of it
            why = f": {heard.reason}" if heard.reason and not heard.why.tells_count else ""
            self._tell(f"That was no shake of igloo {held.letter}{why}", "not-a-shake", seat=held.seat)

    def _tell_hum(self, seat: str, meant: bool) -> None:
        """It concerns the sensor, not the igloo, which may only have been passed on: once a round is enough."""
        if meant and seat not in self._humming:
            self._humming.add(seat)
            self._tell(f"At {seat}'s seat {HUMS}", "hums", seat=seat)

    def _lost(self, ear: str, why: str) -> None:
        """Say why a shake counts for no igloo, so that nobody waits in vain. Rate-limited for each microphone."""
        now = self.desk.now
        if now - self._lost_at.get(ear, -math.inf) >= AGAIN_S:
            self._lost_at[ear] = now
            self._tell(why, "in-turn")

    def _tell(self, text: str, event: str, **data: Any) -> None:
        """Say it to everybody; in a closed game nothing: its igloos rattle because they are put away."""
        if self.desk.sitting.closed is None:
            self.desk.tell(text, event, **data)

    def _begin(self, view: Mapping[str, Any]) -> None:
        if view["round"] != self._round:  # the igloos were mixed and get new letters
            self._round = view["round"]
            self._kept.forget()
            self._lost_at.clear()
            self._humming.clear()
            self._hands.forget()
            self._gone = taken_in_round(self.desk.sitting, self._hears)
            self._check.begin(self._gone)

    def _timed(self, heard: Heard) -> Heard:
        """Convert to the table's clock: each source has its own. A source without an end time reports at once."""
        ended_at = self.desk.now if heard.ended_at is None else heard.ended_at
        return replace(heard, start_s=ended_at - (heard.end_s - heard.start_s), end_s=ended_at)


def _of_nobody(hands: Sequence[str], at_once: bool) -> str:
    """Why the shared microphone's shake counts for none of these hands (a seat's own ear may count it), and the
    remedy."""
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
