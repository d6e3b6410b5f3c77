"""Ice giants at a real table: they listen to every shake, and ask people to put their igloos where they want them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.desk.desk import Desk
from table.giant.giant import SKILLS, IceGiant, Odds

AGAIN_S = 30.0  # before a move that the journal could not write is tried again, unless people move before


class Giants:
    """The giants of one Igloo Pop desk. Call `tick` repeatedly; a giant acts when his time has come.

    They have no hands: they shake nothing, and take an igloo from the village only when they have heard it and know
    where they want it. The person next to them moves it.
    """

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.seated: dict[str, IceGiant] = {}
        self._seed = seed
        self._due: dict[str, float] = {}
        self._seen: object = None

    def seat(self, seat: str, skill: str | None) -> None:
        """Seat a giant of that skill; None: he leaves. Raises KeyError for an unknown skill."""
        if skill is not None:
            self.seated[seat] = IceGiant(seat, skill, self._seed)
        elif self.seated.pop(seat, None) is None:
            return
        self.desk.note("giant", seat=seat, skill=skill)
        words = f"an ice giant ({skill}) plays {seat}" if skill else f"the ice giant leaves {seat}'s seat"
        self.desk.tell(words, "giant-seated", seat=seat, skill=skill)

    def sit_again(self) -> None:
        """After a restart: seat the giants that the journal has here."""
        for body in self.desk.noted("giant"):
            if body["skill"] in SKILLS:
                self.seated[body["seat"]] = IceGiant(body["seat"], body["skill"], self._seed)
            else:
                self.seated.pop(body["seat"], None)

    def hears(self, shakes: Mapping[str, Sequence[Odds]]) -> None:
        """Take in, for each igloo shaken this round, what the ear made of each of its shakes that counts."""
        view = self.desk.view(None)
        for giant in self.seated.values():
            giant.hears(shakes, view)

    def tick(self, now: float) -> None:
        """Let each giant who has thought long enough make one move."""
        if not self.seated or self.desk.sitting.over is not None:
            return
        view = self.desk.view(None)
        position = (self.desk.sitting.state, len(self.desk.sitting.steps))
        if position[1] != self._seen:  # something happened: everybody thinks again
            self._seen = position[1]
            for seat, giant in self.seated.items():
                self._due[seat] = now + giant.skill.slow
        for seat, giant in self.seated.items():
            if now < self._due.setdefault(seat, now + giant.skill.slow):
                continue
            if self._act(giant, view):
                return
            if self.desk.unwritten:  # each try says so to everybody
                self._due = dict.fromkeys(self.seated, now + AGAIN_S)
                return

    def _act(self, giant: IceGiant, view: Mapping[str, Any]) -> bool:
        seat = giant.seat
        if view["phase"] == "countdown":  # stopping is the people's choice: he agrees (D-13)
            others = set(view["players"]) - set(self.seated)
            wished = others and others <= set(view["stopped"]) and seat not in view["stopped"]
            return bool(wished) and self.desk.play(f"stop {seat}", seat, "giant")
        if view["phase"] != "shaking":
            return False
        held = [k for k, i in view["igloos"].items() if i["at"] == "hand" and i["by"] == seat]
        choice = giant.choose(view, held[0] if held else None)
        if held:  # he took it by name a moment ago
            if choice is None:
                return self.desk.play(f"return {seat}", seat, "giant")
            if not self.desk.play(f"place {seat} {choice[1]}", seat, "giant"):
                return False
            words = f"please put igloo {choice[0]} on card {choice[1]} for the ice giant, with a {seat} taler"
            self.desk.tell(words, "giant", seat=seat, igloo=choice[0], slot=choice[1])
            return True
        if choice is not None:
            return self.desk.play(f"grab {seat} {choice[0]}", seat, "giant")
        people = [p for p in view["players"] if p not in self.seated]
        if seat in view["passed"] or not all(p in view["passed"] for p in people):
            return False  # somebody may still shake something worth hearing
        return bool(view["talers"][seat]["own"]) and self.desk.play(f"pass {seat}", seat, "giant")
