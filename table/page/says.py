"""The referee's sentences on the page: the one in large letters, and the list of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from table.desk.said import Question, Said, spoken


def foremost(heard: Sequence[Said], question: Question | None, seat: str | None) -> list[Said]:
    """The sentences in large letters: a question until it is answered, else the last sentence.

    Refusals and failures since the question appear below it.
    """
    if question is None or not question.is_for(seat):
        return list(heard[-1:])
    asks = Said(0.0, "asks", "question", question.text, to=question.to)
    for said in reversed(heard):
        if said.event == "question":
            break
        if said.tone in ("refused", "fault"):
            return [asks, said]
    return [asks]


def sentence(
    said: Said, say: Callable[[str], str], instead: str = "", below: str = "", language: str = "en"
) -> str:
    """A sentence of the referee, large and in the page's language; after a refusal also what is possible instead."""
    words = say(said.text)
    rule = f' <span class="rule">{escape(said.rule)}</span>' if said.rule else ""
    more = f'<span class="instead">{escape(instead)}</span>' if instead else ""
    tongue = _tongue(said.text, words, language)
    return f'<p class="says {said.tone}{below}"><span{tongue}>{escape(spoken(words))}</span>{rule}{more}</p>'


def _tongue(text: str, words: str, language: str) -> str:
    """Mark text that stays English on a page of another language (files, ports, disks), for screen readers."""
    return ' lang="en"' if words == text and language != "en" else ""


def said_list(sentences: Iterable[Said], say: Callable[[str], str], language: str = "en") -> str:
    """The earlier sentences, the latest first."""
    lines = []
    for said in sentences:
        rule = f'<span class="rule">{escape(said.rule)}</span>' if said.rule else ""
        words = say(said.text)
        tongue = _tongue(said.text, words, language)
        lines.append(f'<li class="{said.tone}"><span{tongue}>{escape(spoken(words))}</span>{rule}</li>')
    return f'<ol class="saidlist" tabindex="0">{"".join(lines)}</ol>'
