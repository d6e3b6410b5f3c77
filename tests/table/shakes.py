"""A round of Igloo Pop at a listening table: what ears have heard, and the moves around it."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.clock import VirtualClock
from sensors.evidence import Heard, Pressed
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.desk.kept_shakes import COUNTS
from table.games import GAMES
from table.journal.store import Journal

CARDS = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]


def counted_in(clock: VirtualClock, *players: str) -> EarWatch:
    """The ears' watch of a game of Igloo Pop, nine cards laid out, the round counted in by the first."""
    desk = Desk.new(
        Journal(None),
        GAMES,
        clock,
        name="pop",
        game="igloo-pop",
        players=players,
        seed=1,
        options={"mode": "physical"},
    )
    for slot, card in enumerate(CARDS, 1):
        assert desk.play(f"deal {slot} {card}")
    watch = EarWatch(desk)
    assert watch.pressed(Pressed(0.0, players[0]))
    return watch


def heard(seat: str, likely: dict[int, float], verdict: str = "unsure", doubt: str = "odds") -> Heard:
    rest = (1.0 - sum(likely.values())) / (len(COUNTS) - len(likely))
    odds = {n: likely.get(n, rest) for n in COUNTS} if verdict != "not-a-shake" else {}
    doubt = doubt if verdict == "unsure" else ""
    return Heard(seat, 0.0, 2.0, verdict, odds, 30.0, False, "sha256:test", doubt=doubt)  # type: ignore[arg-type]


def place(watch: EarWatch, seat: str, letter: str, slot: int, likely: dict[int, float] | None) -> None:
    assert watch.desk.play(f"grab {seat} {letter}", seat)
    if likely is not None:
        assert watch.shaken(seat, heard(seat, likely)) == letter
    assert watch.desk.play(f"place {seat} {slot}", seat)


def end_shaking(watch: EarWatch) -> None:
    for seat in ("red", "blue"):
        assert watch.pressed(Pressed(9.0, seat))
    assert watch.desk.view(None)["phase"] == "resolving"


def shaken(seat: str, began: float, ended: float) -> Heard:
    """A shake between two times of the table's clock, by a source with another one."""
    return replace(heard(seat, {7: 0.97}), start_s=70.0, end_s=70.0 + ended - began, ended_at=ended)
