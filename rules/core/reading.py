"""Reads JSON that anybody may have written: collects all defects, and raises only at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .game import Option
from .refusal import PositionError

MOST_NAMED = 16  # known keys listed in a sentence
LONGEST_SHOWN = 60  # characters of a value in a sentence
_WORDS = {None: "null", True: "true", False: "false"}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean …?)` or nothing."""
    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def misspelt(given: Iterable[str], takes: Collection[str], elsewhere: Collection[str] = ()) -> str:
    """What an unknown key of `given` was most likely meant to be, as a sentence's end; nothing if none looks like it.

    Other unknown keys may be the sender's own. Those that are right `elsewhere` are not misspelt here, and what is
    there is not missing.
    """
    missing = [key for key in takes if key not in given]
    for key in given:
        if key not in takes and key not in elsewhere:
            near = did_you_mean(key.casefold(), missing)
            if near:
                return f"has an unknown key {shown(key)}{near}"
    return ""


def _known(known: Collection[str]) -> str:
    return f" (known are {', '.join(known)})" if 0 < len(known) <= MOST_NAMED else ""


def shown(value: Any) -> str:
    """A value for a sentence, truncated; null, true and false as in JSON."""
    text = ""
    for part in _parts(value):
        text += part
        if len(text) > LONGEST_SHOWN:
            return text[: LONGEST_SHOWN - 3] + "…"
    return text


def _parts(value: Any) -> Iterator[str]:
    """The pieces of `shown`, from left to right: most of a large value is never written."""
    if value is None or isinstance(value, bool):
        yield _WORDS[value]
    elif isinstance(value, dict):
        yield "{"
        for n, (key, inner) in enumerate(value.items()):
            yield f"{', ' if n else ''}{key!r}: "
            yield from _parts(inner)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for n, inner in enumerate(value):
            yield ", " if n else ""
            yield from _parts(inner)
        yield "]"
    else:
        yield repr(value)


def is_whole(value: Any) -> bool:
    """Whether it is an integer; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole_numbers(value: Any) -> Any:
    """The value with each whole number as an integer: to JSON 7.0 is 7, and some languages write all numbers so."""
    if isinstance(value, Mapping):
        return {key: whole_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [whole_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Reader:
    """Collects defects while a position is read. Each method returns a value of the right type in any case."""

    def __init__(self) -> None:
        self.defects: list[str] = []

    def say(self, defect: str) -> None:
        if defect not in self.defects:
            self.defects.append(defect)

    def finish(self) -> None:
        """Raises PositionError with all defects, if any."""
        if self.defects:
            raise PositionError(tuple(self.defects))

    def keys(self, value: Mapping[str, Any], known: Collection[str], where: str) -> None:
        """Reports every unknown key."""
        for key in value:
            if key not in known:
                hint = did_you_mean(str(key), known) or _known(known)
                self.say(f"{where} has an unknown key {shown(key)}{hint}")

    def mapping(self, value: Any, where: str) -> Mapping[str, Any]:
        """A JSON object; a missing one (None) is empty."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.say(f"{where} must be an object, and is {shown(value)}")
            return {}
        return value

    def items(self, value: Any, where: str) -> Sequence[Any]:
        """A JSON list; a missing one (None) is empty."""
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self.say(f"{where} must be a list, and is {shown(value)}")
            return ()
        return value

    def whole(self, value: Any, where: str, least: int, most: int, missing: int = 0) -> int:
        """An integer from least to most."""
        if value is None:
            return missing
        if not is_whole(value):
            self.say(f"{where} must be a whole number, and is {shown(value)}")
            return missing
        if not least <= value <= most:
            self.say(f"{where} is {shown(value)}, and must be from {least} to {most}")
            return missing
        return int(value)

    def flag(self, value: Any, where: str, missing: bool = False) -> bool:
        if value is None:
            return missing
        if not isinstance(value, bool):
            self.say(f"{where} must be true or false, and is {shown(value)}")
            return missing
        return value

    def one_of(self, value: Any, known: Sequence[str], where: str, missing: str | None = None) -> str | None:
        """One of the known words; None if missing or wrong (a wrong one is reported)."""
        if value is None:
            return missing
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            self.say(f"{where} is {shown(value)}, and must be one of {', '.join(known)}{hint}")
            return missing
        return value

    def several_of(self, value: Any, known: Sequence[str], where: str) -> tuple[str, ...]:
        """A list of known words, each at most once."""
        out: list[str] = []
        for item in self.items(value, where):
            word = self.one_of(item, known, f"an entry of {where}")
            if word is None:
                if item is None:
                    self.say(f"an entry of {where} is null, and must be one of {', '.join(known)}")
            elif word in out:
                self.say(f"{where} names {word} twice")
            else:
                out.append(word)
        return tuple(out)

    def options(self, given: Any, known: Sequence[Option]) -> dict[str, Any]:
        """All options of a game with their values; reports each unknown name and impossible value."""
        chosen = {option.name: option.default for option in known}
        given = whole_numbers(self.mapping(given, "options"))
        self.keys(given, chosen, "options")
        for option in known:
            value = given.get(option.name)
            if value is None:
                continue
            right = True
            if option.choices:
                right = any(type(value) is type(choice) and value == choice for choice in option.choices)
            elif option.least is not None and option.most is not None:
                right = is_whole(value) and option.least <= value <= option.most
            if right:
                chosen[option.name] = value
            else:
                self.say(f"option {option.name} is {shown(value)}, and may be {option.values}")
        return chosen

    def seated(self, value: Any, known: Sequence[str], least: int, most: int) -> tuple[str, ...]:
        """The players of a game, in their order round the table."""
        if value is None:
            self.say(f"players are missing: {least} to {most} of {', '.join(known)}")
            return tuple(known[:least])
        before = len(self.defects)
        players = self.several_of(value, known, "players")
        if len(self.defects) == before and not least <= len(players) <= most:
            self.say(f"players must be {least} to {most}, and are {len(players)}")
        return players if least <= len(players) <= most else tuple(known[:least])
