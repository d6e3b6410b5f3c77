"""What a profile records about the takes that it was fitted on: how many, whose, and how to recognise them.

Honest figures depend on this memory. So its keys are fields, checked once where a profile is read: a misspelt name, or
a text in place of a list, would read as "it knows nothing", and figures on its own takes would flatter. Unknown keys
(of other programs, or later versions) are kept. None: an older profile, which does not say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, NamedTuple, Self

from sensors.ear.errors import ProfileError

MEND = "fit it again on its recordings: `polartable calibrate igloos fit`"
AS_NULL = ("note", "gesture")  # are written even where they are None
Pair = tuple[int | float, int | float]


class Kind(NamedTuple):
    """The kind of value allowed under a key, and its name."""

    holds: Callable[[Any], bool]
    called: str


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _finite(value: Any) -> bool:
    try:
        return (_whole(value) or isinstance(value, float)) and math.isfinite(value)
    except OverflowError:  # an integer of any size
        return False


def _list_of(holds: Callable[[Any], bool], value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(holds, value))


WHOLE = Kind(_whole, "a whole number")
FLAG = Kind(lambda value: isinstance(value, bool), "true or false")
TEXT = Kind(_text, "a text")
TEXTS = Kind(lambda value: _list_of(_text, value), "a list of texts")
WHOLES = Kind(lambda value: _list_of(_whole, value), "a list of whole numbers")
SHOWN = Kind(lambda value: value is None or (_text(value) and value.isprintable()), "a line of text, or null")
NOTE = Kind(lambda value: value is None or _text(value), "a text, or null")
PAIRS = Kind(
    lambda value: _list_of(lambda pair: _list_of(_finite, pair) and len(pair) == 2, value),
    "a list of pairs of numbers",
)
STARTS = Kind(
    lambda value: _text(value) or _list_of(lambda one: one is None or _text(one), value),
    "a text, or a list of them",
)


def _said(kind: Kind) -> Any:
    """A field that only later profiles have."""
    return field(default=None, metadata={"kind": kind})


def _counted() -> Any:
    """A field that every profile has, because reports need it."""
    return field(metadata={"kind": WHOLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What profiles of shakes and of the counting gesture record alike. `sittings`: eight hex digits each (`device`,
    `session` and day); `fingerprints`: eight hex digits a take, sorted, in one text."""

    takes: int = _counted()
    devices: int = _counted()
    beads: tuple[int, ...] | None = _said(WHOLES)
    note: str | None = _said(NOTE)
    fingerprints: str | None = _said(TEXT)
    sittings: tuple[str, ...] | None = _said(TEXTS)
    more: Mapping[str, Any] = field(default_factory=dict)  # unknown keys

    @classmethod
    def read(cls, told: Any) -> Self:
        """From a profile's JSON. Raises ProfileError, with one sentence, for a missing value or one of another kind."""
        if not isinstance(told, dict):
            raise ProfileError("what it was fitted on is no object", MEND)
        known: dict[str, Any] = {}
        for one in (f for f in fields(cls) if f.name != "more"):
            kind: Kind = one.metadata["kind"]
            if one.name in told:
                value = told[one.name]
                if not kind.holds(value):
                    raise ProfileError(f'"{one.name}" of what it was fitted on is not {kind.called}', MEND)
                known[one.name] = _fixed(value)
            elif one.default is MISSING:
                raise ProfileError(f'what it was fitted on does not say "{one.name}", {kind.called}', MEND)
        return cls(**known, more={key: value for key, value in told.items() if key not in known})

    def to_json(self) -> dict[str, Any]:
        """As plain data, sorted, for `read`."""
        ours = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "more"}
        said = {key: _plain(value) for key, value in ours.items() if value is not None or key in AS_NULL}
        return dict(sorted((dict(self.more) | said).items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedOn(Memory):
    """For shakes. `unnamed`: which of session and player no take names. `coarse_takes`: takes of an accelerometer whose
    steps are too coarse to count by; `narrow_takes`: of a microphone without treble (both:
    `sensors.ear.verdicts.lacking`). `loudest`: fingerprints of the surroundings of each take's loudest sample.
    `moments`: s since 1970 and beads. `sittings_of_one`: sittings with one or two igloos, and the count. `shaken_by`:
    eight hex digits for each person. `started_from`: the digest of a profile, or one (None: nothing) for each start
    that has a share. `asked_start`: the start that was asked for, or "nothing"."""

    sessions: int = _counted()
    players: int = _counted()
    unnamed: tuple[str, ...] | None = _said(TEXTS)
    coarse_takes: int | None = _said(WHOLE)
    narrow_takes: int | None = _said(WHOLE)
    for_others: bool | None = _said(FLAG)
    gesture: str | None = _said(SHOWN)
    loudest: str | None = _said(TEXT)
    moments: tuple[Pair, ...] | None = _said(PAIRS)
    sittings_of_one: tuple[str, ...] | None = _said(TEXTS)
    shaken_by: tuple[str, ...] | None = _said(TEXTS)
    started_from: str | tuple[str | None, ...] | None = _said(STARTS)
    asked_start: str | None = _said(TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedOn(Memory):
    """For the counting gesture. `weighed_by`: eight hex digits for each set and person who tapped it."""

    taps: int = _counted()
    sessions: int | None = _said(WHOLE)
    weighed_by: tuple[str, ...] | None = _said(TEXTS)


def _fixed(value: Any) -> Any:
    return tuple(map(_fixed, value)) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    return list(map(_plain, value)) if isinstance(value, tuple) else value
