"""The result of a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["good", "look", "bad", "not here"]
MARKS: dict[State, str] = {"good": "✓", "look": "!", "bad": "✗", "not here": "–"}


@dataclass(frozen=True, slots=True)
class Finding:
    """`good`; `look`: works, but somebody should look at it; `bad`; `not here`: this machine has no such part."""

    state: State
    what: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One numbered check; `run` gives its finding."""

    number: int
    name: str
    run: Callable[[], Finding]

    def found(self) -> Finding:
        """Run the check; a check that itself fails is a finding too."""
        try:
            return self.run()
        except Exception as error:  # the doctor must never fail
            return Finding(
                "look", f"the check itself failed ({type(error).__name__}: {error})", "please report this"
            )


def good(what: str) -> Finding:
    return Finding("good", what)


def to_json(check: Check, finding: Finding) -> dict[str, Any]:
    out = {"check": check.number, "name": check.name, "state": finding.state, "what": finding.what}
    return out | {"mend": finding.mend}
