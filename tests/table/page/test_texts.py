"""The page's words: every text in every language, with the same places for values, and the terms of the rule books."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from table.page.ear_panel import sentence
from table.page.frame import preferred
from table.page.sentences import templates
from table.page.texts import LANGUAGES, Texts, catalogue
from tests.parts import ROOT


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_missing_and_none_is_left_over(language: str) -> None:
    assert catalogue(language).keys() == catalogue("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_has_the_same_places_for_values(language: str) -> None:
    english = catalogue("en")
    different = [k for k, text in catalogue(language).items() if places(text) != places(english[k])]
    assert different == []


def test_every_text_is_used_and_every_used_text_exists() -> None:
    """A text nobody shows is a lie about the page; a missing one would take the page down."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(ROOT / "table").rglob("*.py"))
    named = set(re.findall(r"""["'](?:f["'])?([a-z]+\.[a-z_]+)["']""", source))
    families = set(re.findall(r"""f["']([a-z]+\.[a-z_]*)\{""", source))
    unused = [
        key
        for key in catalogue("en")
        if key not in named and not any(key.startswith(prefix) for prefix in families)
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-CH,fr;q=0.8", "de"),
        ("fr", "fr"),
        ("ja, it;q=0.5", "it"),
        ("ja", "en"),
        ("", "en"),
        (";;;,,", "en"),
    ],
)
def test_the_page_speaks_the_browsers_first_language_that_it_knows(header: str, language: str) -> None:
    assert preferred(header) == language


@pytest.mark.parametrize(
    ("language", "others"),
    [("de", "perle|zählplatz"), ("fr", r"\bperle|\btaler"), ("it", r"\bperlin|\bbigli|\bospit[ei]\b")],
)
def test_a_thing_has_one_name_in_a_language(language: str, others: str) -> None:
    """Beads, talers, the counting seat, whoever hosts: a question and the buttons that answer it call them alike."""
    told = [*catalogue(language).values(), *(translation for _, _, translation in templates(language))]
    assert [text for text in told if re.search(others, text, re.IGNORECASE)] == []


def test_the_french_page_speaks_to_one_person_as_to_a_friend() -> None:
    """As the referee's sentences do; whoever are several are spoken to as several."""
    formal = re.compile(r"\b(?!(?:ch|ass)ez\b)\w+ez\b|\bvous\b|\bvotre\b", re.IGNORECASE)
    assert [key for key, text in catalogue("fr").items() if formal.search(text)] == ["hand.deal_hint"]


def test_an_unknown_language_falls_back_to_english() -> None:
    assert Texts("xx")["page.title"] == Texts("en")["page.title"]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "84%"), ("it", "84%"), ("de", "84\N{NO-BREAK SPACE}%"), ("fr", "84\N{NO-BREAK SPACE}%")],
)
def test_a_share_is_written_as_the_language_writes_it(language: str, told: str) -> None:
    texts = Texts(language)
    assert texts.share(0.84) == told
    assert told in sentence({6: 0.84, 7: 0.16}, "unsure", texts)
