"""The referee's sentences in the page's languages.

The rules speak English (docs/contracts.md). Each sentence is a template with placeholders; the catalogue of a language
(`de.toml`, …) maps templates to translations. A sentence that fits no template stays English; a test that plays all
games finds it.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from table.page.sentences.grammar import PLACES, Places
from table.page.texts import Texts

_PLACE = re.compile(r"\{([a-zA-Z])(\d*)\}")
_TAIL = "…"  # prefix of a template that may follow another sentence
_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-ZÀ-Ý])")
_KEPT = 4000  # cached translations


class Sentences:
    """All of the referee's sentences in one language: `sentences("red takes igloo A")`."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._templates = () if texts.language == "en" else templates(texts.language)
        self._translated = lru_cache(maxsize=_KEPT)(self._find)

    def __call__(self, text: str) -> str:
        """The sentence (or several) in this language; unchanged if it is not known."""
        if not self._templates:
            return text
        whole = self._one(text)
        if whole is not None:
            return whole
        return " ".join(self._one(part) or part for part in _SENTENCES.split(text))

    def known(self, text: str) -> bool:
        """Whether every part of it has a translation."""
        return not self._templates or all(
            self._one(part) is not None for part in ([text] if self._one(text) else _SENTENCES.split(text))
        )

    def _one(self, text: str) -> str | None:
        end = text[-1:] if text[-1:] in (".", "!") else ""
        bare = text.removesuffix(end) if end else text
        for start in (bare, bare[:1].lower() + bare[1:]):
            found = self._translated(start)
            if found is not None:
                return found + end
        return None

    def _find(self, text: str) -> str | None:
        places = Places(self._texts, self._one)
        for template, pattern, translation in self._templates:
            match = pattern.fullmatch(text)
            if match is None:
                continue
            filled = places.fill(translation, match.groupdict())
            if filled is None:
                continue
            if not template.startswith(_TAIL):
                return filled
            before = self._translated(match["before"])
            if before is not None:
                return before + filled.removeprefix(_TAIL)
        return None


@cache
def sentences(language: str) -> Sentences:
    """The sentences of a language: one object, and so one cache, for all browsers."""
    return Sentences(Texts(language))


@cache
def templates(language: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Template, its pattern, and its translation; the longest first, so that specific ones precede general ones."""
    source = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    known = sorted(tomllib.loads(source).items(), key=lambda item: (item[0].startswith(_TAIL), -len(item[0])))
    return tuple((template, pattern_of(template), translation) for template, translation in known)


def pattern_of(template: str) -> re.Pattern[str]:
    """A regular expression with a group for each placeholder."""
    parts, at = [], 0
    text = template.removeprefix(_TAIL)
    for place in _PLACE.finditer(text):
        parts.append(re.escape(text[at : place.start()]))
        name = place[1] + place[2]
        again = f"(?P<{name}>" in "".join(parts)
        parts.append(f"(?P={name})" if again else f"(?P<{name}>{PLACES[place[1]]})")
        at = place.end()
    parts.append(re.escape(text[at:]))
    before = "(?P<before>.+?)" if template.startswith(_TAIL) else ""
    return re.compile(before + "".join(parts), re.DOTALL)
