"""The ear trainer at `/trainer`: listen, guess, learn what you confuse. Sounds are WAV files served by this host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from firmware_bridge.errors import PolartableError
from sensors.evidence import COUNTS
from table.door.access import Who
from table.page import confusion_table, ear_panel
from table.page.buttons import STRONG, Buttons, Offer
from table.page.frame import heading, keeping_language
from table.page.picture import Picture
from table.page.texts import Texts
from table.trainer.lesson import Answer, Lesson
from table.trainer.room import TrainerRoom
from table.trainer.sources import Rattle

WhoAsks = Callable[[Request], Who | None]
_BAR_COUNTS = set(COUNTS)


def router(room: TrainerRoom, who: WhoAsks) -> APIRouter:
    """The routes of the sounds. Their names are unguessable and say nothing about the content."""
    api = APIRouter()

    @api.get("/trainer/sound/{key}.wav", include_in_schema=False)
    def sound(key: str, request: Request) -> Response:
        if who(request) is None:
            raise HTTPException(401, "pair with this table first: POST /api/pair")
        data = room.sound(key)
        if data is None:
            raise HTTPException(404, "that sound is not kept any more")
        return Response(data, media_type="audio/wav", headers={"cache-control": "no-store"})

    return api


def install(room: TrainerRoom, who: WhoAsks, dress: Callable[[Request], Texts]) -> None:
    """Add the page at `/trainer`. `dress` sets a page's style and returns its language's texts."""
    from nicegui import ui

    @ui.page("/trainer")
    async def trainer(request: Request) -> Any:
        if who(request) is None:
            return RedirectResponse(keeping_language("/pair", request))
        page = TrainerPage(room, dress(request), request.query_params.get("name", ""))
        page.build()
        ui.context.client.on_delete(page.close)
        return None


def ear_key(right: bool, sure: bool, by_us: bool) -> str:
    """The key of the sentence about the ear: whether it is right, whether it is sure, whether the person was right."""
    if not sure:
        return "train.ear_guessed_right" if right else "train.ear_unsure"
    if not right:
        return "train.ear_wrong"
    return "train.ear_right_too" if by_us else "train.ear_right"


class TrainerPage:
    """One browser's trainer."""

    def __init__(self, room: TrainerRoom, texts: Texts, name: str) -> None:
        self.room, self.texts = room, texts
        self.learner = room.learners.learner(name)
        self.source = room.sources()[0]
        self._lesson: Lesson | None = None
        self._busy = False
        self._compared: tuple[int, ...] = ()

    def build(self) -> None:
        from nicegui import ui

        texts = self.texts
        with ui.element("header").classes("masthead"):
            heading(texts["train.title"])
            ui.element("span").classes("grow")
            ui.html(f'<a href="/?lang={texts.language}">{escape(texts["train.back"])}</a>', sanitize=False)
        with ui.element("div").classes("trainer"):
            with ui.element("section").classes("tablecard").props(f'aria-label="{texts["train.title"]}"'):
                self._says = Picture()
                self._says.element.props("aria-live=polite role=status data-part=says").style("width:100%")
                self._buttons = Buttons()
                # autoplay: whoever pressed the button wants to hear it
                self._audio = ui.audio("", autoplay=True).classes("w-full")
                self._audio.props(f'aria-label="{texts["train.sound"]}" data-part=rattle')
                self._guesses = Buttons()
                self._guesses.element.classes("guesses")
                self._ear = Picture(classes="w-full")
            with ui.element("section").classes("tablecard").props(f'aria-label="{texts["train.table"]}"'):
                ui.html(f"<h2>{escape(texts['train.table'])}</h2>", sanitize=False)
                if (unread := self.room.learners.unread) is not None:
                    lost = texts("train.unread", file=unread.name)
                    ui.html(f'<p data-part="unread">{escape(lost)}</p>', sanitize=False)
                self._words, self._grid = Picture(), Picture(classes="w-full")
                self._who = ui.input(texts["train.name"], value=self.learner.name).props("outlined dense")
                self._who.on("change", self._renamed).classes("w-full")
                if len(self.room.sources()) > 1:
                    names = {key: texts[f"train.source_{key}"] for key in self.room.sources()}
                    choice = ui.select(names, value=self.source, label=texts["train.source"])
                    choice.classes("w-full").on_value_change(lambda e: self._from(str(e.value)))
                ui.button(texts["train.forget"], on_click=self._forget).props("no-caps flat")
        self._say(texts["train.intro"])
        self._show()
        ui.timer(0.05, self._begin, once=True)

    def close(self) -> None:
        if self._lesson is not None:
            self._lesson.close()

    # what the person does

    async def _begin(self) -> None:
        """Have the first igloo shaken while the person reads the page."""
        try:
            self._lesson = await self.room.lesson(self.source, self.learner)
        except PolartableError as error:
            self._say(str(error), "fault")
            return
        self._lesson.prepare()
        self._show()

    async def _next(self) -> None:
        if self._lesson is not None:
            self._compared = ()
            if await self._play(self._lesson.next(), self.texts["train.asked"]):
                self._ear.show("")
            self._show()

    async def _again(self) -> None:
        if self._lesson is not None:
            await self._play(self._lesson.shaken_again(), self.texts["train.asked"])

    async def _compare(self, count: int) -> None:
        if self._lesson is not None:
            await self._play(self._lesson.shaken_again(count), self.texts("train.compared", count=count))

    async def _play(self, shaking: Any, words: str) -> bool:
        """Play it as soon as it is shaken; the page is not blocked in the meantime."""
        if self._busy:
            shaking.close()
            return False
        self._busy = True
        try:
            self._say(self.texts["train.waiting"])
            rattle: Rattle = await shaking
        except PolartableError as error:
            self._say(str(error), "fault")
            return False
        finally:
            self._busy = False
        self._audio.set_source(f"/trainer/sound/{self.room.put(rattle)}.wav")
        self._say(words, "asks" if self._lesson is not None and self._lesson.open else "told")
        return True

    async def _guess(self, count: int) -> None:
        if self._lesson is None or not self._lesson.open:
            return
        answer = await self._lesson.guess(count)
        kept = await asyncio.to_thread(self.room.learners.keep)
        self._compared = () if answer.off == 0 else (answer.guess, answer.beads)
        key = "train.right" if answer.off == 0 else "train.wrong"
        said = [self.texts(key, beads=answer.beads, guess=answer.guess)]
        if not self.room.learners.has(self.learner):
            said.append(self.texts["train.no_place"])
        elif not kept:
            said.append(self.texts["train.unkept"])
        self._say(" ".join(said), "over" if answer.off == 0 else "told")
        self._ear.show(self._ear_says(answer))
        self._show()

    def _ear_says(self, answer: Answer) -> str:
        texts, heard = self.texts, answer.ear
        if heard is None or heard.best is None:
            return f'<p class="earsays">{escape(texts["train.ear_silent"])}</p>'
        key = ear_key(heard.best == answer.beads, heard.verdict == "sure", answer.off == 0)
        said = escape(texts(key, beads=heard.best))
        bars = ""
        if set(heard.probabilities) <= _BAR_COUNTS:
            bars = ear_panel.bars(heard.probabilities, heard.verdict, texts)
        return f'<p class="earsays">{said}</p>{bars}'

    async def _renamed(self) -> None:
        self.learner = self.room.learners.learner(str(self._who.value or ""))
        await self._anew()

    async def _from(self, source: str) -> None:
        self.source = source
        await self._anew()

    async def _forget(self) -> None:
        self.room.learners.forget(self.learner.name)
        self.learner = self.room.learners.learner(self.learner.name)
        await self._anew()

    async def _anew(self) -> None:
        self.close()
        self._lesson = None
        self._compared = ()
        self._ear.show("")
        self._say(self.texts["train.intro"])
        self._show()
        await self._begin()

    # what is shown

    def _say(self, words: str, tone: str = "told") -> None:
        self._says.show(f'<p class="says {tone}">{escape(words)}</p>')

    def _show(self) -> None:
        lesson, texts = self._lesson, self.texts
        offers, guesses = list[Offer](), list[Offer]()
        if lesson is not None:
            if lesson.open:
                offers.append(Offer("again", texts["train.again"], self._replay))
                offers.append(Offer("shaken", texts["train.shaken_again"], self._again))
                guesses = [
                    Offer(f"guess {n}", str(n), partial(self._guess, n), STRONG) for n in lesson.source.counts
                ]
            else:
                first = lesson.answer is None
                offers.append(
                    Offer("next", texts["train.next" if first else "train.more"], self._next, STRONG)
                )
                offers += [
                    Offer(f"compare {n}", texts("train.compare", count=n), partial(self._compare, n))
                    for n in self._compared
                ]
        self._buttons.show(offers)
        self._guesses.show(guesses)
        counts = COUNTS if lesson is None else lesson.source.counts
        lines = "".join(f"<p>{escape(line)}</p>" for line in confusion_table.words(self.learner, texts))
        self._words.show(lines)
        self._grid.show(confusion_table.grid(self.learner.own, counts, texts))

    def _replay(self) -> None:
        self._audio.seek(0)
        self._audio.play()
