"""Igloo Pop on the page: the ear at work, the ring of cards, the village, the talers."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from table.desk.said import spoken
from table.page import ear_coach, ear_panel, igloo_pop_board
from table.page.buttons import STRONG, Offer
from table.page.colours import PAINTS, chip
from table.page.giant_seats import GiantSeats
from table.page.panel import Panel
from table.page.picture import Picture
from table.settings.seats import TABLE


class IglooPopPanel(Panel):
    def name(self) -> str:
        return self.texts["pop.title"]

    def body(self) -> None:
        from nicegui import ui

        self._before: dict[str, Any] = {}
        self._ear_version = -1
        self._played: bytes | None = None
        self._count = Picture(classes="w-full")
        self._count.element.props("aria-live=assertive")
        self._ear_title = Picture(classes="w-full")
        with ui.element("div").classes("ear"):
            self._igloo = Picture()
            with ui.element("div"):
                self._gauge, self._level, self._spectrum = Picture(), Picture(), Picture()
            self._bars = Picture()
        self._fault = Picture(classes="w-full")
        self._fault.element.props("aria-live=polite")
        self._ring = Picture(self.tapped, "w-full")
        self._village = Picture(self.tapped, "w-full")
        self._players = Picture(classes="w-full")
        self.build_hands()
        self._giants = GiantSeats(self.texts, self.room, self.chairs) if self.host else None

    def refresh(self) -> None:
        super().refresh()
        ear, texts = self.room.ear, self.texts
        if ear.version == self._ear_version:
            return
        self._ear_version = ear.version
        shown = ear.shown_to(self.seat)
        if self.seat is not None and shown.shaking and shown.seat == self.seat:
            self._sound(again=False)
        seat, held = self._in_hand(shown.seat)
        letter = ear.letter or held
        self._ear_title.show(
            f"<h3>{escape(texts['ear.title'])} · {self._shaken(seat, letter if shown.shaking else None)}</h3>"
        )
        self._igloo.show(ear_panel.igloo(letter, ear.swing))
        self._gauge.show(ear_coach.gauge(shown.strength, shown.band, texts))
        self._level.show(ear_panel.level(shown.level_db, texts))
        self._draw_fault()
        if self.room.shows_counts:
            self._spectrum.show(ear_panel.spectrum(ear.spectrum_db, texts))
            self._bars.show(ear_panel.bars(ear.probabilities, ear.verdict, texts))

    def _draw_fault(self) -> None:
        """Draw the ear's reason why this round's last sound gives no count, and at whose seat it was."""
        ear = self.room.ear
        why = None if ear.shaking else ear_coach.of_sound(ear.heard, self.room.shows_counts)
        view = self.view()
        nobody_s = ear.seat in PAINTS and ear.seat not in view["players"]
        if why is None or nobody_s or ear.round not in (None, view["round"]):
            self._fault.show("")
            return
        words = escape(spoken(self.say(why)))
        if ear.seat in PAINTS:
            words = f"{chip(ear.seat, 20)} {escape(self.texts[f'colour.{ear.seat}'])}: {words}"
        self._fault.show(f'<p class="says refused earfault" data-part=earfault>{words}</p>')

    def _shaken(self, seat: str | None, letter: str | None) -> str:
        """Who is shaking which igloo now."""
        texts = self.texts
        if seat not in PAINTS or letter is None:
            return escape(texts["ear.resting"])
        return f"{chip(seat, 20)} {escape(texts('ear.shaken_by', colour=texts[f'colour.{seat}'], letter=letter))}"

    def _in_hand(self, seat: str | None) -> tuple[str | None, str | None]:
        """A seat and the letter of the igloo that it holds.

        A shake heard by the one shared microphone belongs to the only hand that holds something, if there is just one.
        """
        hands = {i["by"]: k for k, i in self.view()["igloos"].items() if i["at"] == "hand"}
        if seat == TABLE:
            seat = next(iter(hands)) if len(hands) == 1 else None
        return seat, None if seat is None else hands.get(seat)

    def _sound(self, again: bool = True) -> None:
        """Play the (simulated) igloo to the person who shakes it, too."""
        from nicegui import ui

        sound = None if self.seat is None else self.room.rattle(self.seat)
        if sound is not None and (again or sound is not self._played):
            self._played = sound
            data = base64.b64encode(sound).decode()
            ui.run_javascript(f"new Audio('data:audio/wav;base64,{data}').play().catch(() => 0)")

    def draw(self) -> None:
        if self._giants is not None:
            self._giants.show()
        self._draw_fault()
        view, legal = self.view(), self.legal()
        number = self.room.counting(self.game)
        self._count.show("" if number is None else f'<p class="countdown" data-part=count>{number}</p>')
        self._ring.show(
            igloo_pop_board.ring(view, self.texts, legal, igloo_pop_board.changed(self._before, view))
        )
        self._village.show(igloo_pop_board.village(view, self.texts, legal))
        self._players.show(
            igloo_pop_board.players(view, self.texts, view["to_act"], self.room.giants(self.game))
        )
        self._before = view if view != self._before else self._before

    def whose(self) -> str:
        return escape(self.texts("pop.round", round=self.view()["round"]))

    def words(self, move: str) -> str:
        match move.split()[0]:
            case "return" if move.split()[1] == self.seat:
                return self.texts["hand.put_back"]
            case "pass" if move.split()[1] == self.seat:
                return self.texts["hand.passes"]
            case "stop" if move.split()[1] == self.seat:
                return self.texts["hand.stops"]
            case "deal":
                return self.texts("hand.dealt", slot=move.split()[1], card=self.words_there(move))
            case "found":
                return self.texts("hand.found", slot=move.split()[1], what=self.words_there(move))
            case "count" | "resolve" as word:
                return self.texts[f"hand.{word}"]
            case "grab" | "place" | "return" | "pass" | "unpass" | "stop" as word:
                parts = [*move.split(), ""]
                return self.texts(f"hand.does_{word}", colour=self.texts[f"colour.{parts[1]}"], what=parts[2])
        return move

    def words_there(self, move: str) -> str:
        match move.split():
            case ["deal", _, card]:
                return card.replace("-", " · ")
            case ["found", _, value, colour]:
                return self.texts("hand.does_found", colour=self.texts[f"colour.{colour}"], what=value)
        return self.words(move)

    def offers(self, legal: list[str]) -> list[Offer]:
        kinds, out = {m.split()[0] for m in legal}, list[Offer]()
        if "place" in kinds:
            out.append(Offer("hint", self._what_now()))
        elif "grab" in kinds:
            out.append(Offer("hint", self.texts["hand.grab_hint"]))
        elif (
            "deal" in kinds and not self.room.simulated
        ):  # simulated people place them, and report every igloo
            out.append(Offer("hint", self.texts["hand.deal_hint"]))
        elif "found" in kinds and not self.room.simulated:
            out.append(Offer("hint", self.texts["hand.found_hint"]))
        if "place" in kinds and self._heard_out():
            out.append(Offer("again", self.texts["hand.listen"], self._sound))
        tapped = ("grab", "place", "deal", "found")
        return out + [self.button(move, STRONG) for move in legal if move.split()[0] not in tapped]

    def _what_now(self) -> str:
        """What to do with an igloo in hand. Simulated igloos are shaken one at a time, so one may have to wait."""
        if self.seat is None or not self.room.to_be_heard(self.seat):
            return self.texts["hand.place_hint"]
        shown = self.room.ear.shown_to(self.seat)
        return self.texts["hand.hear_hint" if shown.shaking and shown.seat == self.seat else "hand.wait_hint"]

    def _heard_out(self) -> bool:
        """Whether the igloo in this seat's hand can be played again."""
        seat = self.seat
        return seat is not None and self.room.rattle(seat) is not None and not self.room.to_be_heard(seat)
