"""The room's part for Igloo Pop: the ears, who shakes in this round, and ice giants who listen along."""

from __future__ import annotations

from collections.abc import Collection

from sensors.evidence import Heard
from table.config import Ear
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.giant.at_table import Giants
from table.senses.ear_profiles import sensor_of
from table.senses.live import LiveEar
from table.settings.seats import TABLE


class IglooPopRoom:
    """For one desk of Igloo Pop. `began`: when that game was put on the table, s; `live`: what the page shows."""

    def __init__(self, desk: Desk, wired: Ear, live: LiveEar, began: float, seed: int) -> None:
        self._desk, self._live, self._began = desk, live, began
        own = [seat for seat in wired.sources if seat != TABLE]
        hears = None if TABLE in wired.sources else own
        felt = [seat for seat in own if sensor_of(wired.sources[seat]) == "accelerometer"]
        self.ears = EarWatch(desk, own=own, hears=hears, felt=felt)
        self.ice_giants = Giants(desk, seed)
        self.ice_giants.sit_again()
        # the game goes on after a restart, and people have not been told yet what was lost
        self.untold = False
        # the last report of how the ear did, and its round
        self._reported: tuple[int, str | None] | None = None

    def shakers(self) -> Collection[str] | None:
        """The seats at which igloos of this round are shaken; None if no shaking is going on."""
        view = self._desk.view(None)
        if not self.ears.real or view["phase"] not in ("shaking", "resolving"):
            return None
        return (*view["players"], TABLE)

    def heard(self, seat: str, heard: Heard) -> None:
        """A shake, or why there was none, by that seat's ear."""
        # rounds count from 1; 0: the sound belongs to no round, or to play without igloos
        of_before = heard.ended_at is not None and heard.ended_at < self._began
        number = self._desk.view(None)["round"] if self.ears.real and not of_before else 0
        letter = self.ears.shaken(seat, heard)
        shakers = self.shakers()
        # else the page keeps showing the last one
        if not heard.why.elsewhere and (shakers is None or seat in shakers):
            self._live.round = number
        if letter is not None:
            self.giants_hear()

    def giants_hear(self) -> None:
        if self.ice_giants.seated:
            self.ice_giants.hears(self.ears.counting())  # only what counts

    def settle(self) -> None:
        """The cards are checked: say what the ear is sure of, and ask for the rest."""
        desk = self._desk
        if desk.sitting.closed is not None:
            return
        if self.untold:
            self.untold = False
            if (lost := self.ears.lost_before()) is not None:
                desk.tell(lost, "unheard")
        if desk.question is not None or not self.ears.settle():
            return
        report = self.ears.report()
        known = desk.view(None)["round"], report
        if report is not None and known != self._reported:  # each count that it says leads here again
            self._reported = known
            desk.tell(report, "ear-report")
