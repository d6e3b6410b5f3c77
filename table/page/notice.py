"""Warnings for everybody at the page: safe mode and why, settings not from the file, profiles not from the settings,
senses that are not awake."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from table.page.room import Room
from table.page.sentences import Sentences, sentences
from table.page.texts import Texts

_HERE = "\0"  # where the sources stand in the text around them


class Notice:
    """One line at the top while there is a warning; beside it the host finds the way out of safe mode."""

    def __init__(self, room: Room, texts: Texts, host: Callable[[], bool]) -> None:
        from nicegui import ui

        self._room, self._texts, self._host = room, texts, host
        self._shown: tuple[str, bool] | None = None
        self._line = ui.element("div").classes("notice").props("role=alert")
        self.refresh()

    def refresh(self) -> None:
        """Redraw what has changed."""
        now = (notices(self._room, self._texts), self._host() and self._room.safe_mode is not None)
        if now == self._shown:
            return
        self._shown = now
        from nicegui import ui

        words, button = now
        self._line.clear()
        self._line.set_visibility(bool(words))
        with self._line:
            ui.html(f'<p class="asleep">{words}</p>' if words else "", sanitize=False)
            if button:
                ui.button(self._texts["page.leave_safe"], on_click=self._room.leave_safe_mode).props(
                    "no-caps outline"
                )


def notices(room: Room, texts: Texts) -> str:
    """The present warnings as HTML."""
    said = []
    if room.safe_mode is not None:
        said.append(texts("page.safe_mode", why=room.safe_mode))
    if room.settings_fault is not None:
        said.append(texts("page.last_good", why=room.settings_fault))
    said += map(sentences(texts.language), room.profile_faults)
    return "<br>".join(escape(one) for one in said)


def asleep(room: Room, texts: Texts, all_of_them: bool = False) -> str:
    """The senses that are not awake, why, and what to do, as HTML; empty if all are that the game is played with.
    `all_of_them`: also those that keep nobody waiting, on a page at which nothing is played."""
    key, lost = ("door.lost", room.asleep()) if all_of_them else ("door.asleep", room.asleep(needed=True))
    if not lost:
        return ""
    say = sentences(texts.language)
    said = [_marked(one, say, texts.language) for one in lost]
    before, _, after = escape(texts(key, sources=_HERE)).partition(_HERE)
    if len(said) == 1:
        return f'<p class="asleep">{before}{said[0]}{after}</p>'
    # a row each: they are read one by one, and what they leave of a phone's screen is for the game
    rows = "".join(f"<li>{one}.</li>" for one in said)
    after = after.removeprefix(".").strip()
    return f'<div class="asleep"><p>{before.strip()}</p><ul tabindex="0">{rows}</ul><p>{after}</p></div>'


def _marked(text: str, say: Sentences, language: str) -> str:
    """A sentence as HTML; one that stays English is marked for screen readers."""
    words = escape(say(text))
    return words if say.known(text) or language == "en" else f'<span lang="en">{words}</span>'
