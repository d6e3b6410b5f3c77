"""The words of the page, one TOML file per language; the English file defines which keys exist."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES: dict[str, str] = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}


class Texts:
    """The texts of one language: `texts["ear.title"]`, or `texts("board.space", space="N3")` with values."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._values = catalogue(self.language)

    def __getitem__(self, key: str) -> str:
        return self._values[key]

    def __call__(self, key: str, **values: Any) -> str:
        return self._values[key].format(**values)

    def number(self, number: float, form: str = "g") -> str:
        """A number in this language's format: `21,5`, or `−2,0` with `form` +.1f."""
        return self.pointed(format(number, form).replace("-", "−"))

    def share(self, share: float) -> str:
        """A share (0…1) in whole per cent: `84%`; in German and French with a non-breaking space."""
        return f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%" if self.language in ("de", "fr") else "%")

    def pointed(self, written: str) -> str:
        """A formatted number, with this language's decimal point."""
        return written if self.language == "en" else written.replace(".", ",")


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language, by dotted key."""
    source = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat("", tomllib.loads(source)))


def _flat(prefix: str, value: dict[str, Any]) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for key, inner in value.items():
        name = f"{prefix}{key}"
        out += _flat(f"{name}.", inner) if isinstance(inner, dict) else [(name, str(inner))]
    return out
