"""What was heard of the igloos of a round, by the takings in which they were shaken: what is put right of these is put
right of what was heard."""

from __future__ import annotations

from dataclasses import dataclass

from sensors.evidence import Heard
from table.desk.desk import Desk
from table.desk.said import Said


@dataclass(slots=True)
class _Shake:
    step: int  # the taking of the igloo
    move: str
    shared: bool
    heard: Heard


class KeptShakes:
    """At one desk of Igloo Pop. A taking that is taken back takes what was heard with it, for nobody knows what was in
    hand; one that is corrected gives it to the igloo that was meant."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shakes: list[_Shake] = []
        desk.listen(self._said)

    def keep(self, seat: str, letter: str, heard: Heard, *, shared: bool) -> bool:
        """`shared`: not by the igloo's or seat's own sensor. False where `seat` never took that igloo, or not any
        more."""
        move, steps = f"grab {seat} {letter}", self._desk.sitting.steps
        taken = next((k for k in reversed(range(len(steps))) if steps[k].move == move), None)
        if taken is not None:
            self._shakes.append(_Shake(taken, move, shared, heard))
        return taken is not None

    def letters(self) -> list[str]:
        """The igloos of which something was heard, in the order in which it was."""
        return list(dict.fromkeys(_letter(shake) for shake in self._shakes if self._stands(shake)))

    def of(self, letter: str) -> tuple[list[Heard], list[Heard]]:
        """What an igloo's own sensor heard of it, and what the shared one did."""
        mine = [shake for shake in self._shakes if _letter(shake) == letter and self._stands(shake)]
        own, shared = ([shake.heard for shake in mine if shake.shared == which] for which in (False, True))
        return own, shared

    def forget(self) -> None:
        """The igloos were mixed, and letters are dealt anew."""
        self._shakes.clear()

    def _stands(self, shake: _Shake) -> bool:
        steps = self._desk.sitting.steps
        return shake.step < len(steps) and steps[shake.step].move == shake.move

    def _said(self, said: Said) -> None:
        if said.event != "corrected" or said.data is None:
            return
        at = said.data["at"]
        for shake in self._shakes:
            meant = self._desk.sitting.steps[at].move
            if (
                shake.step == at and meant.split()[:2] == shake.move.split()[:2]
            ):  # the same seat took another one
                shake.move = meant


def _letter(shake: _Shake) -> str:
    return shake.move.split()[-1]
